"""Caption scores beside those of pycocoevalcap's own classes, where it is installed, on made captions."""

from __future__ import annotations

from random import Random

import pytest

from jumok.evaluation import caption_scores, ptb_tokens

pytest.importorskip("pycocoevalcap", reason="pip install pycocoevalcap")

SETS = 200
WORDS = (
    "a",
    "the",
    "two",
    "dog",
    "dogs",
    "cat",
    "'s",
    "red",
    ",",
    ".",
    "can't",
    "BALL",
    "U.S.",
    "빨간",
    "(left)",
    "on",
)


def made(draw: Random) -> tuple[list[str], list[list[str]]]:
    """Some pictures: captions, at times empty or a reference itself, and one to five references each, never empty."""
    outputs, references = [], []
    for _ in range(draw.randint(1, 12)):
        told = ["a " + " ".join(draw.choices(WORDS, k=draw.randint(0, 14))) for _ in range(draw.randint(1, 5))]
        words = draw.choice(told).split()
        kept = [draw.choice(WORDS) if draw.random() < 0.2 else word for word in words if draw.random() > 0.2]
        outputs.append(draw.choice((" ".join(kept), " ".join(kept), draw.choice(told), "")))
        references.append(told)
    return outputs, references


def peers(outputs: list[str], references: list[list[str]]) -> dict[str, float]:
    """What pycocoevalcap says of the same words."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge

    told = {number: [" ".join(ptb_tokens(text)) for text in texts] for number, texts in enumerate(references)}
    said = {number: [" ".join(ptb_tokens(text))] for number, text in enumerate(outputs)}
    bleus, _ = Bleu(4).compute_score(told, said, verbose=0)
    values = {f"BLEU-{order}": value for order, value in enumerate(bleus, start=1)}
    return values | {"ROUGE-L": Rouge().compute_score(told, said)[0], "CIDEr-D": Cider().compute_score(told, said)[0]}


def test_scores_are_those_of_pycocoevalcap_on_made_captions() -> None:
    draw = Random(5)
    seen: dict[str, set[float]] = {}
    for _ in range(SETS):
        outputs, references = made(draw)
        ours = {score.name: score.value for score in caption_scores(outputs, references)}
        for name, value in peers(outputs, references).items():
            assert ours[name] == pytest.approx(100 * value, abs=1e-6), (name, outputs, references)
            seen.setdefault(name, set()).add(round(value, 6))
    assert all(len(values) > SETS // 2 for values in seen.values())  # not nothing beside nothing
