"""Captioners side by side: how fast they learn and caption on this machine, and what they reach on practice pictures.

    python benchmarks/captioning.py speed                  updates and captions a second, by preset
    python benchmarks/captioning.py scenes --updates 5000  train soft, hard and plain-every, and score them by objects

Scores are of 1,000 pictures that were not trained on, and of 1,000 with colours that their kinds never had in training.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

import jumok
from jumok.data.pictures import PictureBatch, PracticePictures, open_pictures
from jumok.models import EncoderDecoder, PictureModelSettings
from jumok.systems.caption_evaluating import evaluate_captions

PRESETS = ("soft", "hard", "plain-every", "plain-first", "transformer")
SHOWN = (
    "all right",
    "all right, 3 objects",
    "all right, 4 objects",
    "pointing, nouns",
    "weight inside, nouns",
    "BLEU-4",
)


def speed(seconds: float = 10.0) -> None:
    """Updates of 32 captions of 17 words, with the small CNN on 96 x 96 pixels."""
    rows, words = 32, 17
    pixels = torch.randint(0, 256, (rows, 96 * 96, 3), dtype=torch.uint8)
    target = torch.randint(4, 150, (rows, words + 1))
    numbers = torch.arange(rows)
    batch = PictureBatch(numbers, numbers, pixels, numbers, target, torch.full((rows,), words))
    print(f"{'preset':12}  captions a second, learning")
    for preset in PRESETS:
        encoder = {"kind": "cnn", "size": 96, "stride": 8}
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


def scenes(folder: Path, updates: int, pictures: int) -> None:
    """Train the presets on `scenes` into `folder`, where they are not there yet, and score them."""
    for preset in ("soft", "hard", "plain-every"):
        out = folder / f"scenes-{preset}"
        if not (out / "README.md").exists():
            changes = {"model.preset": preset, "training.updates": updates, "data.train.pictures": pictures}
            jumok.train("scenes", out, set=changes)
        captioner = jumok.load(out)
        for name, held_out in (("unseen", False), ("unseen colours", True)):
            settings = PracticePictures(practice="scenes", pictures=1000, size=96, seed=9, held_out=held_out)
            report, _ = evaluate_captions(captioner, list(open_pictures(settings, Path())), beam=5)
            values = {score.name: score.value for score in report.scores}
            figures = ", ".join(f"{name} {values[name]:.1f}" for name in SHOWN if name in values)
            print(f"{preset}, {name}: {figures}", flush=True)
            for warning in report.warnings:
                print(f"  {warning}")


def main() -> None:
    """Read what was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "scenes"))
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--updates", type=int, default=5000)
    parser.add_argument("--pictures", type=int, default=20_000)
    typed = parser.parse_args()
    if typed.what == "speed":
        speed()
    else:
        scenes(typed.out, typed.updates, typed.pictures)


if __name__ == "__main__":
    main()
