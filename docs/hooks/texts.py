"""The pictures of docs/texts.md: ideas of the texts, drawn from what jumok computes.

    python docs/hooks/texts.py [--models]

writes them into docs/assets/texts. `--models` also draws those for which something has to learn first (some minutes).
"""

from __future__ import annotations

import argparse
import io
import runpy
import tempfile
from collections.abc import Callable
from dataclasses import replace
from math import log10
from pathlib import Path

import torch
from torch import Tensor

import jumok
from jumok.attention import Attention, MultiHead, SoftDictionary, Softmax, build
from jumok.data.graphs import karate as club
from jumok.data.scenes import Scenes
from jumok.models.drawing import diagram
from jumok.models.settings import ModelSettings
from jumok.viewing import AttentionMap, LineChart, Point, Series, save_together
from jumok.viewing.saving import write_scene
from jumok.viewing.scene import Item, Scene, Shape, Words

ROOT = Path(__file__).parent.parent.parent
ASSETS = ROOT / "docs/assets/texts"
NUMBERS = {"computer": 9, "dog": 2, "cat": 3}
NEAR = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
NAMES = {"Zhang": "Aston", "Lipton": "Zachary", "Li": "Mu", "Smola": "Alex", "Hu": "Rachel", "Werness": "Brent"}


def near(_: str, key: str) -> float:
    """How near a puppy is to a key."""
    return NEAR[key]


def table(rows: dict[str, Tensor], columns: list[str], path: Path, title: str, row: str, column: str) -> None:
    """Weights, a row for each look."""
    weights = torch.stack(list(rows.values()))
    look = AttentionMap.from_arrays(weights, list(rows), columns, title=title, row_name=row, column_name=column)
    look.save(path)


def dictionary(path: Path) -> None:
    """From an exact match to a softmax."""
    rows = {
        "dog, exact": SoftDictionary(NUMBERS).look("dog").weights,
        "puppy, sum": SoftDictionary(NUMBERS, near, normalize="sum").look("puppy").weights,
        "puppy, softmax": SoftDictionary(NUMBERS, near).look("puppy").weights,
        "puppy, softmax at 0.1": SoftDictionary(NUMBERS, near, temperature=0.1).look("puppy").weights,
    }
    table(rows, list(NUMBERS), path, "How much of each value is in the answer", "question", "key")


def names(path: Path) -> None:
    """Surnames by their spelling, with Li and without."""
    without = SoftDictionary(
        {name: first for name, first in NAMES.items() if name != "Li"}, "spelling", temperature=0.2
    )
    given = SoftDictionary(NAMES, "spelling", temperature=0.2).look("Li")
    gone = dict(without.look("Li").pairs)
    rows = {
        "Li, while it is there": given.weights,
        "Li, when it is gone": torch.tensor([gone.get(n, 0.0) for n in NAMES]),
    }
    table(rows, list(NAMES), path, "Who is most like Li?", "question", "key")


def step(path: Path) -> None:
    """The answer while the question moves from one key to another: a step, and a slope."""
    keys, values = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([[5.0], [7.0]])
    turns = torch.linspace(0, torch.pi / 2, 31)
    asked = torch.stack([turns.cos(), turns.sin()], 1)[:, None]  # (T, 1, 2)
    found = {f"softmax at {t}": build("cosine", temperature=t) for t in (1.0, 0.2, 0.05)}
    lines = {
        name: attend(asked.transpose(0, 1), keys[None], values[None]).context[0, :, 0] for name, attend in found.items()
    }
    lines["the nearest alone"] = torch.where(turns < torch.pi / 4, 5.0, 7.0)
    chart("What is answered while the question turns", "degrees from the first key to the second", "answer", {
        name: list(zip(turns.rad2deg().tolist(), line.tolist(), strict=True)) for name, line in lines.items()
    }, path, range(0, 91, 15))  # fmt: skip


def argmax(path: Path) -> None:
    """The softmax of three likenesses as the temperature falls."""
    temperatures = [10 ** (-exponent / 10) for exponent in range(21)]
    found = {t: Softmax(temperature=t)(torch.tensor(list(NEAR.values()))).tolist() for t in temperatures}
    lines = {key: [(log10(t), weights[n]) for t, weights in found.items()] for n, key in enumerate(NEAR)}
    ticks = {log10(t): str(t) for t in (1, 0.3, 0.1, 0.03, 0.01)}
    chart("A softmax nears the argmax, and has a slope on the way", "temperature", "weight", lines, path, ticks)


def scores(path: Path) -> None:
    """One query and the same keys, by every kind of score and window; what has weights has those of chance."""
    torch.manual_seed(2)
    query, keys = torch.randn(1, 6), torch.randn(1, 8, 6)
    keys[0, 4] = query[0] + 0.4 * keys[0, 4]
    sizes = {"query_size": 6, "key_size": 6}
    kinds = {
        "all alike": build("constant"),
        "dot": build("dot"),
        "scaled dot": build("scaled_dot"),
        "cosine": build("cosine"),
        "general": build("general", **sizes),
        "additive": build("additive", **sizes),
        "additive without v": build("additive", **sizes, v=False),
        "concat": build("concat", **sizes),
        "location": build("location", query_size=6, max_length=8),
        "scaled dot, local_m": build("scaled_dot", window={"name": "local_m", "width": 2}),
        "scaled dot, local_p": build("scaled_dot", query_size=6, window={"name": "local_p", "width": 2}),
    }
    rows = {name: attend(query, keys).weights[0] for name, attend in kinds.items()}
    table(rows, [f"h{chr(0x2080 + n)}" for n in range(1, 9)], path, "One query, eight states", "score", "state")


def flat(path: Path) -> None:
    """The largest weight that a score between -1 and 1 can give, and one that v stretches."""
    counts = [2, 4, 8, 16, 32, 64, 128, 196]
    lines = {}
    for name, stretched in (("tanh alone", 1.0), ("v stretches it twofold", 2.0), ("fourfold", 4.0)):
        ends = [torch.tensor([stretched, *[-stretched] * (count - 1)]).softmax(0)[0].item() for count in counts]
        lines[name] = [(log10(count), end) for count, end in zip(counts, ends, strict=True)]
    ticks = {log10(count): str(count) for count in counts}
    chart("The largest weight that is possible", "states to choose from", "weight", lines, path, ticks)


def mask(path: Path) -> None:
    """Two sentences, the second of which ends sooner."""
    torch.manual_seed(0)
    may = torch.tensor([[True] * 5, [True, True, True, False, False]])
    weights = build("scaled_dot")(torch.randn(2, 8), torch.randn(2, 5, 8), mask=may).weights
    rows = {"five words": weights[0], "three words": weights[1]}
    table(rows, [str(n + 1) for n in range(5)], path, "Padding is not looked at", "sentence", "place")


def draws(path: Path) -> None:
    """Hard looks: each at one place, in the mean as often as the probabilities say."""
    generator = torch.Generator().manual_seed(3)
    query, keys = torch.randn(1, 6, generator=generator), torch.randn(1, 8, 6, generator=generator)
    many = build("scaled_dot", select="hard").train()(
        query.expand(1000, -1), keys.expand(1000, -1, -1), generator=generator
    )
    rows = {"soft": many.probabilities[0]}
    rows |= {f"hard, draw {n + 1}": many.weights[n] for n in range(3)}
    rows |= {f"mean of {n:,} draws": many.weights[:n].mean(0) for n in (100, 1000)}
    table(rows, [f"x{chr(0x2080 + n)}" for n in range(1, 9)], path, "Soft, and drawn", "look", "region")


def reinforce(path: Path) -> None:
    """How far the gradient that draws estimate is from that of the expected cost."""
    generator = torch.Generator().manual_seed(0)
    cost = torch.tensor([1.0, 0.2, 0.6, 0.9])
    scores = torch.tensor([0.5, 0.0, 0.3, -0.2], requires_grad=True)
    (exact,) = torch.autograd.grad((scores.softmax(0) * cost).sum(), scores)
    keys, most = torch.eye(4), 4096
    hard = build("dot", select="hard").train()
    look = hard(scores.expand(most, -1), keys.expand(most, -1, -1), generator=generator)
    taken = cost[look.choice]

    def error(first: int, last: int, baseline: float) -> float:
        told = ((taken[first:last] - baseline) * look.log_prob[first:last]).mean()
        return (torch.autograd.grad(told, scores, retain_graph=True)[0] - exact).norm().item()

    counts = [4**n for n in range(2, 6)]
    lines = {}
    for name, baseline in (("without a baseline", 0.0), ("with one", (scores.softmax(0) * cost).sum().item())):
        means = {n: [error(at, at + n, baseline) for at in range(0, most, n)] for n in counts}
        lines[name] = [(log10(n), sum(found) / len(found)) for n, found in means.items()]
    ticks = {log10(n): f"{n:,}" for n in counts}
    chart("How far REINFORCE is from the gradient", "draws", "distance", lines, path, ticks)


def parts(path: Path) -> None:
    """A picture cut into four, each seen alone."""
    rows = [f"part {n + 1}" for n in range(4)]
    AttentionMap.over_picture(torch.eye(4), rows, (2, 2), drawing()).save(path)


def soft_hard(path: Path) -> None:
    """The same look at a picture, soft above and drawn below."""
    places = torch.cartesian_prod(torch.arange(12.0), torch.arange(12.0))[None]  # (1, 144, 2)
    box = SCENE.objects[0].box
    middle = 12 * torch.tensor([[(box.top + box.bottom) / 2, (box.left + box.right) / 2]]) - 0.5
    words = ["soft", "softer"], ["hard", "again"]
    soft = [build("gaussian", width=width)(middle, places).weights[0] for width in (1.2, 2.5)]
    hard = build("gaussian", width=1.2, select="hard").train()
    generator = torch.Generator().manual_seed(1)
    drawn = [hard(middle, places, generator=generator).weights[0] for _ in range(2)]
    looks = [
        AttentionMap.over_picture(torch.stack(found), list(said), (12, 12), drawing())
        for found, said in zip((soft, drawn), words, strict=True)
    ]
    save_together(looks, path, names=["soft: the mean of all regions", "hard: one region"])


def frames(path: Path) -> None:
    """A query over places and times at once: the weights of all frames together sum to one."""
    torch.manual_seed(1)
    query, regions = torch.randn(1, 8), torch.randn(1, 3, 9, 8)
    regions[0, 2, 5] = 1.5 * query[0]
    weights = build("scaled_dot")(query, regions.flatten(1, 2)).weights.view(3, 9)
    rows = {f"frame {n + 1}": row for n, row in enumerate(weights)}
    table(rows, [str(n + 1) for n in range(9)], path, "One look at three frames of nine regions", "time", "region")


def heads(path: Path) -> None:
    """Two heads over one sentence, each with weights of chance; a word sees those before it."""
    torch.manual_seed(4)
    words = ["나는", "어제", "시장에서", "사과를", "샀다"]
    weights = MultiHead(16, heads=2)(2 * torch.randn(1, 5, 16), causal=True).weights
    AttentionMap.from_arrays(weights, words, words, row_name="word", column_name="sees").save(path, form="heads")


def own(path: Path) -> None:
    """A sequence that asks itself."""
    torch.manual_seed(5)
    words = ["나는", "어제", "시장에서", "사과를", "샀다"]
    weights = Attention("scaled_dot")(*[1.5 * torch.randn(1, 5, 8)] * 2).weights[0]
    AttentionMap.from_arrays(weights, words, words, row_name="asks", column_name="is asked").save(path)


SCENE = Scenes(seed=21, size=96).scene(11, objects=(1, 1))
"""A practice picture of one thing."""


def drawing() -> bytes:
    """That picture as PNG."""
    file = io.BytesIO()
    SCENE.picture().save(file, "PNG")
    return file.getvalue()


Lines = dict[str, list[tuple[float, float]]]


def chart(title: str, x: str, y: str, lines: Lines, path: Path, ticks: object) -> None:
    """Lines over a common x."""
    series = [Series(name, [Point(*point) for point in points]) for name, points in lines.items()]
    LineChart(title, x, y, series, x_ticks=ticks).save(path)  # type: ignore[arg-type]


def preset(name: str, language: str) -> Callable[[Path], None]:
    """The diagram of a preset."""
    return lambda path: write_scene(diagram(ModelSettings(preset=name), language=language), path)


SAID = {
    "en": {"title": "captioner", "part": "part", "encoder": "encoder: CNN, a vector for each part", "mean": "mean = x"},
    "ko": {"title": "이미지 설명", "part": "조각", "encoder": "인코더: CNN, 조각마다 벡터 하나", "mean": "평균 = x"},
}
FROM_ALL = {(379.0, 330.0): (402.0, 330.0), (364.0, 310.0): (382.0, 286.0)}
"""Lines that begin at a translator's last state, and in a captioner at all parts."""


def captioner(name: str, language: str) -> Callable[[Path], None]:
    """The diagram of a preset whose encoder sees parts of a picture, with the letters of the text on pictures."""

    def draw(path: Path) -> None:
        settings = ModelSettings(preset=name, encoder={"kind": "transformer"}, decoder={"cell": "lstm"})
        whole = diagram(settings, title=f"{SAID[language]['title']}: {name}", language=language)
        items = tuple(told(item, SAID[language]) for item in whole.items)
        write_scene(Scene(whole.width, whole.height, whole.about, items), path)

    return draw


def told(item: Item, said: dict[str, str]) -> Item:
    """An item of a translator's diagram as the captioner's has it."""
    if isinstance(item, Shape) and item.places[0] in FROM_ALL:
        return replace(item, places=(FROM_ALL[item.places[0]], *item.places[1:]))
    if not isinstance(item, Words):
        return item
    text = item.text
    if text[0] == "x" and len(text) == 2:
        text = f"{said['part']} {ord(text[1]) - 0x2080}"
    elif text[0] == "h" and len(text) == 2:
        text = f"x{text[1]}"
    elif text[0] == "s" and text[1:2] in "ₜ₁₂":
        text = f"h{text[1:]}"
    elif text.endswith(" = c"):
        text = said["mean"]
    elif text.endswith(" cₜ"):
        text = text[:-2] + "zₜ"
    elif item.y == 440 and item.x == 30:
        text = said["encoder"]
    return replace(item, text=text)


def grey(path: Path) -> None:
    """An alignment as the texts have it, white where a word looked."""
    with tempfile.TemporaryDirectory() as folder:
        run = jumok.train("korean", folder, set={"model.preset": "bahdanau"}, quiet=True)
        jumok.load(run.folder)("나는 어제 사과를 샀다.").attention.words().without_special().save(path, palette="grey")


def adding(path: Path) -> None:
    """Which steps the reader of `adding` looks at, once it has learned."""
    with tempfile.TemporaryDirectory() as folder:
        reader = jumok.load(jumok.train("adding", folder, quiet=True).folder)
        ((series, _),) = reader.examples(1)
        reader.read([series])[0].attention.save(path)


def karate(path: Path) -> None:
    """What the members of a club look at, to tell with whom they go."""
    with tempfile.TemporaryDirectory() as folder:
        jumok.load(jumok.train("karate", folder, quiet=True).folder)(club()).attention.save(path)


def copying(path: Path) -> None:
    """Where the heads of examples/copy_memory.py write and read."""
    with tempfile.TemporaryDirectory() as folder:
        runpy.run_path(str(ROOT / "examples/copy_memory.py"))["main"](Path(folder))
        (Path(folder) / "copy.svg").replace(path)


def curves(path: Path) -> None:
    """The curves of examples/kernel_regression.py."""
    with tempfile.TemporaryDirectory() as folder:
        runpy.run_path(str(ROOT / "examples/kernel_regression.py"))["main"](Path(folder))
        (Path(folder) / "curves.svg").replace(path)


DRAWN: dict[str, Callable[[Path], None]] = {
    "dictionary": dictionary,
    "names": names,
    "step": step,
    "argmax": argmax,
    "scores": scores,
    "flat": flat,
    "mask": mask,
    "draws": draws,
    "reinforce": reinforce,
    "parts": parts,
    "soft-hard": soft_hard,
    "frames": frames,
    "heads": heads,
    "self": own,
}
for _language, _ending in (("en", ""), ("ko", ".ko")):
    for _name in ("plain-first", "plain-every", "bahdanau", "luong-general", "transformer"):
        DRAWN[_name + _ending] = preset(_name, _language)
    for _name in ("plain-first", "plain-every", "soft"):
        DRAWN[f"captioner-{_name}{_ending}"] = captioner(_name, _language)
LEARNED = {"adding": adding, "grey": grey, "karate": karate, "copy": copying, "curves": curves}
"""Pictures by the names of their files: those that are computed at once, and those of something that learns."""


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", action="store_true", help="also those of models, which learn for it")
    ASSETS.mkdir(exist_ok=True)
    for name, draw in (DRAWN | (LEARNED if parser.parse_args().models else {})).items():
        draw(ASSETS / f"{name}.svg")


if __name__ == "__main__":
    main()
