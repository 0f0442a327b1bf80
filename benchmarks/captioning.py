"""Captioners side by side: how fast they learn and caption on this machine, and what they reach on practice pictures.

    python benchmarks/captioning.py speed                            captions a second while they are learned, by preset
    python benchmarks/captioning.py scenes --out RUNS                train soft, hard and plain ones, score by objects
    python benchmarks/captioning.py scenes --out RUNS --presets plain-every    only this one
    python benchmarks/captioning.py search --model RUN               1,000 drawings with beam 5, beside one at a time
    python benchmarks/captioning.py search --model RUN --photos FOLDER        the same with photos
    python benchmarks/captioning.py caching --photos FOLDER          maps of photos a second, beside the network alone

Scores are of 1,000 pictures that were not trained on, and of 1,000 with colours that their kinds never had in training.
`search` begins where the maps of the pictures are there; its slow twin is the beam of the tutorials: one picture at a
time, the picture's regions once for each hypothesis, all looks kept. It says how many captions are the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from measuring import machine, medians
from torch import Tensor

import jumok
from jumok.data import Tokenizer
from jumok.data.pictures import (
    CaptionedPicture,
    PictureBatch,
    PictureCorpus,
    PictureFile,
    PictureReport,
    PracticePictures,
    open_pictures,
)
from jumok.decoding import SearchSettings
from jumok.models import EncoderDecoder, PictureModelSettings
from jumok.models.pictures import PictureEncoder, PictureEncoderSettings
from jumok.systems import Captioner
from jumok.systems.caption_evaluating import evaluate_captions

PRESETS = ("soft", "hard", "plain-every", "plain-first", "transformer")
PIXELS = 96  # each way, as in the recipe `scenes`
ON_SCENES = ("soft", "more", "hard", "plain-every", "plain-first")
AFTER_SOFT = {"more": "scenes-more", "hard": "scenes-hard"}  # they go on from soft, for as long as their recipes say
SHOWN = (
    "all right",
    "all right, 3 objects",
    "all right, 4 objects",
    "pointing, nouns",
    "weight inside, nouns",
    "BLEU-4",
)


def speed(seconds: float = 10.0) -> None:
    """Updates of 32 captions of 17 words, with the small CNN."""
    rows, words = 32, 17
    pixels = torch.randint(0, 256, (rows, PIXELS**2, 3), dtype=torch.uint8)
    target = torch.randint(4, 150, (rows, words + 1))
    numbers = torch.arange(rows)
    batch = PictureBatch(numbers, numbers, pixels, numbers, target, torch.full((rows,), words))
    print(f"{'preset':12}  captions a second, learning")
    for preset in PRESETS:
        encoder = {"kind": "cnn", "size": PIXELS, "stride": 8}
        decoder = {} if preset == "transformer" else {"decoder": {"hidden_size": 256}}
        values = {"preset": preset, "embedding_size": 128, "tie": "target", "encoder": encoder, **decoder}
        model = EncoderDecoder(PictureModelSettings.model_validate(values), 0, 150)
        optimiser = torch.optim.AdamW(model.parameters(), fused=True)
        done, began = -1, time.perf_counter()
        while time.perf_counter() - began < seconds or done < 3:
            optimiser.zero_grad()
            model.loss(batch).sum.backward()
            optimiser.step()
            done += 1
            if done == 0:  # the first one warms up
                began = time.perf_counter()
        print(f"{preset:12}  {rows * done / (time.perf_counter() - began):8.1f}")


def scenes(folder: Path, presets: Sequence[str], updates: int | None, pictures: int | None) -> None:
    """Train the presets on `scenes` into `folder`, where they are not there yet, and score them."""
    sizes = {"training.updates": updates, "data.train.pictures": pictures}
    for preset in presets:
        out = folder / f"scenes-{preset}"
        if not (out / "README.md").exists():
            changes: dict[str, Any] = {name: value for name, value in sizes.items() if value is not None}
            if preset in AFTER_SOFT:
                changes = {"data.train.pictures": pictures} if pictures else {}
                changes["init"] = str(folder / "scenes-soft")
            else:
                changes["model.preset"] = preset
            recipe = AFTER_SOFT.get(preset, "scenes")
            done = jumok.train(recipe, out, set={**changes, "training.threads": 1})
            if not done.outcome.finished:
                sys.exit(f"{out}: stopped; go on with jumok train --resume --out {out}")
            print(f"{preset}: {done.outcome.cpu_seconds / 60:.0f} CPU minutes", flush=True)
        captioner = jumok.load(out)
        for name, held_out in (("unseen", False), ("unseen colours", True)):
            size = captioner.machine.models[0].encoder.pictures.pixels
            settings = PracticePictures(practice="scenes", pictures=1000, size=size, seed=9, held_out=held_out)
            report, _ = evaluate_captions(captioner, list(open_pictures(settings, Path())), beam=5)
            values = {score.name: score.value for score in report.scores}
            figures = ", ".join(f"{name} {values[name]:.1f}" for name in SHOWN if name in values)
            print(f"{preset}, {name}: {figures}", flush=True)
            for warning in report.warnings:
                print(f"  {warning}")


@torch.no_grad()
def one_at_a_time(model: EncoderDecoder, inputs: Tensor, beam: int, longest: int) -> tuple[list[int], Tensor]:
    """The best caption of one picture, as tutorials search for it, and what each of its words looked at."""
    rows = torch.zeros(beam, dtype=torch.int64)
    state = model.decoder.start(model.encoder(inputs[None]).keep(rows))
    words, scores = torch.full((beam, 1), Tokenizer.START), torch.zeros(beam)
    captions, looks = torch.empty(beam, 0, dtype=torch.int64), torch.empty(beam, 0, 0)
    ended: list[tuple[float, list[int], Tensor]] = []
    for length in range(1, longest + 1):
        step = model.decoder.step(words, state, None, None)
        found = scores[:, None] + step.logits.squeeze(1).log_softmax(-1)
        best, places = (found[0] if length == 1 else found.flatten()).topk(len(scores))
        parents, chosen = places // found.shape[1], places % found.shape[1]
        seen = step.attended[-1].weights if step.attended else torch.empty(len(scores), 1, 0)
        looks = torch.cat([looks[parents], seen[parents]], 1) if length > 1 else seen[parents]
        captions = torch.cat([captions[parents], chosen[:, None]], 1)
        going = (chosen != Tokenizer.END).nonzero().squeeze(1)
        for row in (chosen == Tokenizer.END).nonzero().squeeze(1):
            ended.append((6 * float(best[row]) / (5 + length), captions[row].tolist(), looks[row]))
        if not len(going):
            break
        state, scores = step.state.keep(parents[going]), best[going]
        captions, looks, words = captions[going], looks[going], chosen[going, None]
    return max(ended, key=lambda one: one[0], default=(0.0, captions[0].tolist(), looks[0]))[1:]


def maps_of(captioner: Captioner, photos: Path | None, pictures: int) -> Tensor:
    """The maps of photos, or of practice pictures that were not trained on, as the cache holds them."""
    encoder = captioner.machine.models[0].encoder.pictures
    if photos is None:
        settings = PracticePictures(practice="scenes", pictures=pictures, size=encoder.pixels, seed=9)
        images = [entry.picture.load() for entry in open_pictures(settings, Path())]
    else:
        images = [PictureFile(photos, path.name).load() for path in sorted(photos.glob("*.jpg"))[:pictures]]
    prepared = [encoder.prepare(image) for image in images]
    found = [torch.from_numpy(encoder.maps(prepared[at : at + 16])) for at in range(0, len(prepared), 16)]
    return torch.cat(found)


def search(folder: Path, photos: Path | None, pictures: int, beam: int = 5, longest: int = 40) -> None:
    """Captions a second of pictures whose maps are there: ours in batches, and one picture at a time."""
    captioner = jumok.load(folder)
    model = captioner.machine.models[0]
    maps = maps_of(captioner, photos, pictures)
    how = SearchSettings(beam=beam, max_length=longest)

    def together() -> list[list[int]]:
        found = []
        for some in maps.split(32):
            for hypotheses in captioner.search(captioner.encode_inputs([some]), how).run():
                assert hypotheses[0].attention is not None or not model.settings.decoder.attention
                found.append(list(hypotheses[0].tokens))
        return found

    def alone() -> list[list[int]]:
        return [one_at_a_time(model, one, beam, longest)[0] for one in maps]

    same = sum(ours == theirs for ours, theirs in zip(together(), alone(), strict=True))
    times = medians({"jumok": together, "one at a time": alone}, 3)
    speeds = {name: 1000 * len(maps) / time for name, time in times.items()}
    print(", ".join(f"{name} {speed:.1f} pictures/s" for name, speed in speeds.items()))
    print(f"{speeds['jumok'] / speeds['one at a time']:.2f}x as fast; {same} of {len(maps)} captions are the same")


def caching(photos: Path, kind: str, stride: int, count: int) -> None:
    """Maps of photos a second into an empty cache, and of the same pictures already in memory through the network."""
    paths = sorted(photos.glob("*.jpg"))[:count]
    entries = [CaptionedPicture(PictureFile(photos, path.name), ("a photo",)) for path in paths]
    corpus = PictureCorpus(entries, PictureReport("photos", len(entries), len(entries)))
    encoder = PictureEncoder.pretrained(PictureEncoderSettings.model_validate({"kind": kind, "stride": stride}))
    prepared = [encoder.prepare(entry.picture.load()) for entry in entries]

    def cached() -> None:
        with tempfile.TemporaryDirectory() as folder:
            encoder.cached(corpus, Path(folder))

    def network() -> None:
        for start in range(0, len(prepared), 16):
            encoder.maps(prepared[start : start + 16])

    times = medians({"caching": cached, "the network alone": network}, 3)
    speeds = {name: 1000 * len(paths) / time for name, time in times.items()}
    print(f"{kind}, stride {stride}, {len(paths)} photos: ", end="")
    print(", ".join(f"{name} {speed:.1f} photos/s" for name, speed in speeds.items()), end="; ")
    print(f"{speeds['caching'] / speeds['the network alone']:.0%} of its limit")


def main() -> None:
    """Read what was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "scenes", "search", "caching"))
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--presets", nargs="+", choices=ON_SCENES, default=ON_SCENES, help="to train on scenes")
    parser.add_argument("--updates", type=int, help="of training; by default the recipe's")
    parser.add_argument("--pictures", type=int, help="to learn from (the recipe's), or to caption (1,000)")
    parser.add_argument("--model", type=Path, help="a captioner")
    parser.add_argument("--photos", type=Path, help="a folder of .jpg")
    parser.add_argument("--encoder", default="efficientnet-lite0")
    parser.add_argument("--stride", type=int, default=32)
    typed = parser.parse_args()
    print(machine())
    if typed.what == "speed":
        speed()
    elif typed.what == "scenes":
        scenes(typed.out, typed.presets, typed.updates, typed.pictures)
    elif typed.what == "search":
        search(typed.model, typed.photos, typed.pictures or 1000)
    else:
        caching(typed.photos, typed.encoder, typed.stride, typed.pictures or 1000)


if __name__ == "__main__":
    main()
