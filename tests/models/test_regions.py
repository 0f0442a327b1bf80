"""Models that read pictures: the same decoder on regions, the doubly stochastic term, the gate."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

from jumok.core.settings import read_settings
from jumok.data.pictures import PictureBatch
from jumok.decoding import Machine, Search, SearchSettings, force
from jumok.models import PRESETS, EncoderDecoder, PictureModelSettings
from jumok.models.recurrent_decoder import RecurrentDecoderSettings
from jumok.models.regions import RegionEncoder

WORDS = 19


def small(preset: str = "soft", **settings: Any) -> EncoderDecoder:
    """A captioner of a few numbers, on pictures of 32 pixels, with 4 x 4 regions."""
    recurrent = preset != "transformer"
    sizes = {"hidden_size": 12} if recurrent else {"layers": 2, "heads": 2, "inner_size": 16}
    values = {
        "preset": preset,
        "embedding_size": 8,
        "encoder": {"kind": "cnn", "size": 32, "stride": 8},
        "regions": {"size": 12},
        **settings,
        "decoder": {**sizes, **settings.get("decoder", {})},
    }
    torch.manual_seed(3)
    return EncoderDecoder(PictureModelSettings(**values), 0, WORDS)


def batch(pictures: int = 3, captions: int = 5, longest: int = 6) -> PictureBatch:
    """Random captions of random pictures, the first as long as can be."""
    generator = torch.Generator().manual_seed(captions)
    lengths = torch.randint(1, longest + 1, (captions,), generator=generator)
    lengths[0] = longest
    target = torch.randint(4, WORDS, (captions, longest + 1), generator=generator)
    target[:, 0] = 2
    target = target.masked_fill(torch.arange(longest + 1) > lengths[:, None], 0)
    pixels = torch.randint(0, 256, (pictures, 32 * 32, 3), dtype=torch.uint8, generator=generator)
    places = torch.arange(captions) % pictures
    return PictureBatch(torch.arange(captions), torch.arange(pictures), pixels, places, target, lengths)


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "luong-dot"])
def test_every_preset_reads_pictures_and_reaches_every_weight(preset: str) -> None:
    model = small(preset)
    sums = model.loss(batch())
    assert sums.count == batch().tokens
    sums.sum.backward()
    without = [name for name, one in model.named_parameters() if one.grad is None]
    assert without == []
    assert PictureModelSettings(**model.settings.model_dump(mode="json")) == model.settings


@pytest.mark.parametrize("size", [12, None])  # None: found by keys of their own
@pytest.mark.parametrize("preset", ["soft", "hard", "plain-first", "plain-every", "transformer"])
def test_beam_over_a_batch_is_beam_one_by_one_and_maps_sum_to_one(preset: str, size: int | None) -> None:
    model = small(preset, regions={"size": size}).eval()
    with torch.no_grad():
        encoded = model.encoder(batch().inputs)
        for parameter in model.decoder.double().parameters():
            parameter.mul_(3.0 if parameter.dim() > 1 else 1.0)
    encoded = encoded._replace(states=encoded.states.double(), summary=encoded.summary.double())
    machine, settings = Machine(model), SearchSettings(beam=3, n_best=2)
    limits = torch.full((3,), 7)
    together = Search(machine, [encoded], limits, settings).run()
    for row, found in enumerate(together):
        one = encoded.keep(torch.tensor([row]))
        alone = Search(machine, [one], limits[:1], settings).run()[0]
        for left, right in zip(found, alone, strict=True):
            assert left.tokens == right.tokens
            assert left.score == pytest.approx(right.score)
            forced = force(machine, [one], [left.tokens])[0]
            assert forced.score == pytest.approx(left.score)
            if preset.startswith("plain"):
                assert left.attention is None
                continue
            assert left.attention is not None
            torch.testing.assert_close(left.attention, right.attention)
            torch.testing.assert_close(left.attention, forced.attention)
            torch.testing.assert_close(left.attention.sum(-1), torch.ones_like(left.attention[..., 0]))


def test_looks_follow_the_keys_and_see_the_states() -> None:
    model = small(regions={"size": None, "places": False}).eval()
    encoded = model.encode(batch())
    assert encoded.key_size == model.encoder.size // 2
    state, words = model.decoder.start(encoded), batch().target[:, :1]
    look = model.decoder.step(words, state).attended[0]
    torch.testing.assert_close(look.context, look.weights @ encoded.states)
    others = encoded.states.clone()
    others[..., : -encoded.key_size] += torch.randn_like(others[..., : -encoded.key_size])
    elsewhere = model.decoder.start(encoded._replace(states=others))
    torch.testing.assert_close(model.decoder.step(words, elsewhere).attended[0].weights, look.weights)


@pytest.mark.parametrize("size", [12, None])
def test_a_first_state_that_is_all_there_is_is_not_filled_however_large_the_numbers_of_a_picture(
    size: int | None,
) -> None:
    model = small("plain-first", regions={"size": size, "places": False}).eval()

    def first(times: float) -> torch.Tensor:
        scaled = model.encoder.pictures.register_forward_hook(
            lambda module, given, out: out._replace(states=times * out.states)
        )
        hidden = model.decoder.start(model.encode(batch())).hidden[0][0]
        scaled.remove()
        return hidden

    assert float(first(1e4).detach().abs().mean()) < 0.9
    torch.testing.assert_close(first(1e6), first(1e4), rtol=1e-2, atol=1e-2)


def test_a_picture_is_encoded_once_for_all_its_captions() -> None:
    model = small().eval()
    given = batch()
    seen: list[int] = []
    model.encoder.pictures.register_forward_hook(lambda module, inputs, output: seen.append(len(inputs[0])))
    encoded = model.encode(given)
    assert seen == [3]
    torch.testing.assert_close(encoded.states[0], encoded.states[3])
    assert len(encoded.states) == len(given)


def test_captions_of_one_picture_see_it_under_other_dropout() -> None:
    model, given = small(dropout=0.5), batch(pictures=1, captions=2)
    states = model.encode(given).states
    gone = (states == 0).all(1)  # (B, K): of all regions the same numbers
    assert torch.equal(states == 0, gone.unsqueeze(1).expand_as(states))
    assert gone.any()
    assert not torch.equal(gone[0], gone[1])
    twice = model.eval().encode(given.twice())
    assert len(twice.states) == 4
    torch.testing.assert_close(twice.states[0], twice.states[1])


@torch.no_grad()
def test_places_tell_regions_apart_that_look_alike() -> None:
    blank = torch.full((1, 32 * 32, 3), 128, dtype=torch.uint8)
    encoder = small().encoder
    assert isinstance(encoder, RegionEncoder)
    assert encoder.rows is not None
    assert encoder.columns is not None
    told, rows, columns = encoder(blank).states[0], encoder.rows.clone(), encoder.columns.clone()
    encoder.rows.zero_()
    encoder.columns.zero_()
    added = (told - encoder(blank).states[0]).unflatten(0, encoder.pictures.grid)
    torch.testing.assert_close(added, rows[:, None] + columns)
    assert len(added.flatten(0, 1).unique(dim=0)) == added.shape[0] * added.shape[1]


@torch.no_grad()
def test_regions_that_are_mapped_are_of_one_scale() -> None:
    encoder = small(regions={"size": 12, "places": False}).encoder
    states = encoder(torch.randint(0, 256, (2, 32 * 32, 3), dtype=torch.uint8)).states
    torch.testing.assert_close(states.mean(-1), torch.zeros(states.shape[:2]), rtol=0, atol=1e-5)
    torch.testing.assert_close(states.std(-1, correction=0), torch.ones(states.shape[:2]), rtol=0.01, atol=0)


@pytest.mark.parametrize("target", ["one", "even"])
@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize("preset", ["soft", "transformer"])
def test_the_doubly_stochastic_term_is_its_formula(preset: str, target: str, reduction: str) -> None:
    plain = small(preset)
    model = small(preset, doubly_stochastic={"weight": 0.7, "target": target, "reduction": reduction})
    given = batch()
    looks = model(given).attended[-1].probabilities
    looks = looks if looks.dim() == 3 else looks.mean(1)
    expected = 0.0
    for row, length in enumerate(given.target_lengths.tolist()):
        looked = looks[row, :length].sum(0)
        squares = ((1.0 if target == "one" else length / 16) - looked).square()
        expected += float((squares.sum() if reduction == "sum" else squares.mean()).detach())
    sums = model.loss(given)
    assert float(sums.parts["uneven"]) == pytest.approx(expected, rel=1e-4)
    added = (sums.sum - plain.loss(given).sum).detach()
    assert float(added) == pytest.approx(0.7 * expected, rel=1e-3, abs=1e-4)
    assert "uneven" not in model.eval().loss(given).parts


def test_a_vector_gate_scales_each_number_and_old_folders_still_load() -> None:
    model = small(decoder={"gate": "vector"})
    assert model.decoder.gate.weight.shape == (12, 12)
    assert small(decoder={"gate": "scalar"}).decoder.gate.weight.shape == (1, 12)
    assert RecurrentDecoderSettings(attention={"score": "general"}, gate=True).gate == "scalar"  # type: ignore[arg-type]
    assert RecurrentDecoderSettings(gate=False).gate is None  # type: ignore[arg-type]


def test_without_the_words_the_state_follows_from_the_picture_alone() -> None:
    """`h = f(x, h)`: what was said before changes nothing."""
    model = small("plain-every", decoder={"feed_word": False}).eval()
    given = batch()
    encoded = model.encode(given)
    other = given.target[:, :-1].flip(0)
    torch.testing.assert_close(
        model.decoder(given.target[:, :-1], encoded).features, model.decoder(other, encoded).features
    )


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"encoder": {"kind": "vgg"}}, "encoder.kind: unknown image encoder 'vgg'"),
        ({"encoder": {"kind": "efficientnet-lite0", "stride": 8}}, "only the cnn can have 8"),
        ({"tie": "all"}, "a picture has no words to share a table with"),
        ({"preset": "plain-first", "doubly_stochastic": {}}, "a decoder without attention has none"),
        ({"doubly_stochastic": {"target": "two"}}, "doubly_stochastic.target: unknown 'two'; known: one, even"),
        ({"preset": "luong-dot", "regions": {"size": 7}}, "their sizes are 512 (decoder.hidden_size) and 7"),
    ],
)
def test_what_does_not_fit_is_one_line(values: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)) as caught:
        read_settings(PictureModelSettings, values, "r.yaml")
    assert "\n" not in str(caught.value)


def test_sizes_that_only_the_encoder_knows_are_checked_when_it_is_built() -> None:
    with pytest.raises(ValueError, match="their sizes are 12"):
        small("luong-dot", regions={"size": None})
