"""Why attention: two charts of models with and without it, on the practice language.

    python benchmarks/why_attention.py --runs FOLDER

1. The gradient that reaches a source word from the loss of a target word, by how many steps of the recurrence lie
   between them: without attention it must come back through every state, with it there is a shorter way. Models are
   taken before they learn, when all have the same loss, so that the norms can be compared.
2. BLEU by the size of the state, from 64 to 512, with the CPU minutes: without attention the whole sentence must fit
   into one state, so it asks for a larger one.

FOLDER gets both charts, `why_attention.md` with the table, and all figures as `why_attention.json`. Models that are
there already are not trained again; one that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
from math import log2, log10
from pathlib import Path
from typing import Any

import torch
from presets import changes, held_out_pairs, scored, trained

import jumok
from jumok.core.files import write_whole
from jumok.data import Tokenizer
from jumok.decoding import padded
from jumok.models import EncoderDecoder
from jumok.viewing import LineChart, Point, Series

PRESETS = ("bahdanau", "plain-every", "plain-first")
SIZES = (64, 128, 256, 512)


def run(arguments: argparse.Namespace, preset: str, size: int) -> tuple[Path, dict[str, Any]]:
    """A model with a state of this size, trained on up to 20 words."""
    folder = arguments.runs / f"{preset}-size-{size}"
    set = changes(preset, 20, arguments.updates, arguments.pairs, arguments.threads)
    set |= {"model.encoder": {"hidden_size": size // 2}, "model.decoder": {"hidden_size": size}}
    return folder, trained(folder, set)


def gradients(folder: Path, sentences: int) -> dict[int, float]:
    """The mean norm of the gradient of a target word's loss at a source word, by the steps between them.

    The model is the one of `folder` as it was before it learned.
    """
    translator = jumok.load(folder)
    source_side, target_side = translator.tokenizers
    torch.manual_seed(1)
    model = EncoderDecoder(translator.machine.models[0].settings, source_side.size, target_side.size).eval()
    sums: dict[int, list[float]] = {}
    pairs, _ = held_out_pairs(sentences, 15, 40)
    for pair in pairs:
        source = [*source_side.encode(pair.source), Tokenizer.END]
        target = [*target_side.encode(pair.target), Tokenizer.END]
        words, lengths = padded([source], torch.device("cpu"))
        held: list[torch.Tensor] = []

        def keep(module: Any, given: Any, embedded: torch.Tensor, held: list[torch.Tensor] = held) -> torch.Tensor:
            held.append(embedded.detach().requires_grad_())
            return held[0]

        hook = model.encoder.embedding.register_forward_hook(keep)
        encoded = model.encoder(words, lengths)
        hook.remove()
        steps = model.decoder(torch.tensor([[Tokenizer.START, *target[:-1]]]), encoded)
        losses = model.decoder.output.losses(steps.features[0], torch.tensor(target))
        for step in range(0, len(target), 4):
            (found,) = torch.autograd.grad(losses[step], held, retain_graph=True)
            for place, norm in enumerate(found[0].norm(dim=-1).tolist()):
                distance = (len(source) - 1 - place) + step  # on through the source, then through the target
                sums.setdefault(distance, []).append(norm)
    return {distance: sum(norms) / len(norms) for distance, norms in sorted(sums.items()) if len(norms) >= 20}


def size_chart(by_size: dict[str, list[dict[str, float]]]) -> LineChart:
    """BLEU by the size of the state; sizes that double are equally far apart."""
    sizes = sorted({int(row["size"]) for rows in by_size.values() for row in rows})
    return LineChart(
        "BLEU by the size of the state",
        "numbers in the state",
        "BLEU",
        [
            Series(name, [Point(log2(row["size"]), row["bleu"], row["low"], row["high"]) for row in rows])
            for name, rows in by_size.items()
        ],
        x_ticks={log2(size): str(size) for size in sizes},
    )


def distance_chart(by_distance: dict[str, dict[int, float]]) -> LineChart:
    """The gradient by distance, as powers of ten."""
    return LineChart(
        "The gradient that reaches a source word, before learning",
        "steps between the source word and the target word",
        "norm of the gradient, power of 10",
        [Series(name, [Point(far, log10(norm)) for far, norm in found.items()]) for name, found in by_distance.items()],
    )


def table(by_size: dict[str, list[dict[str, float]]]) -> str:
    """BLEU and CPU minutes of each size."""
    lines = ["| preset | state | BLEU | CPU minutes |", "|---|---:|---:|---:|"]
    for preset, rows in by_size.items():
        for row in rows:
            told = f"{row['bleu']:.1f} ({row['low']:.1f} to {row['high']:.1f})"
            lines.append(f"| `{preset}` | {row['size']} | {told} | {row['cpu_minutes']:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True, help="where the models go, or are")
    parser.add_argument("--updates", type=int, default=2500)
    parser.add_argument("--pairs", type=int, default=120_000)
    parser.add_argument("--scored", type=int, default=500, help="held-out sentences to translate")
    parser.add_argument("--sentences", type=int, default=100, help="sentences for the gradients")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    by_size: dict[str, list[dict[str, float]]] = {preset: [] for preset in PRESETS}
    by_distance: dict[str, dict[int, float]] = {}
    for preset in PRESETS:
        for size in arguments.sizes:
            folder, facts = run(arguments, preset, size)
            score = scored(folder, arguments.scored, 3, 20)[0].scores[0]
            row = {"size": size, "bleu": score.value, "low": score.low, "high": score.high}
            by_size[preset].append(row | {"cpu_minutes": facts["cpu_minutes"]})
            print(f"{preset}, state {size}: {score}, {facts['cpu_minutes']:.1f} CPU minutes", flush=True)
        by_distance[preset] = gradients(folder, arguments.sentences)
    size_chart(by_size).save(arguments.runs / "bleu-by-size.svg")
    distance_chart(by_distance).save(arguments.runs / "gradient-by-distance.svg")
    write_whole(arguments.runs / "why_attention.md", table(by_size))
    write_whole(arguments.runs / "why_attention.json", json.dumps({"size": by_size, "distance": by_distance}, indent=1))


if __name__ == "__main__":
    main()
