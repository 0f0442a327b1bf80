"""A recipe for a corpus that was looked at: sizes, a split, and the time that it will take."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from jumok.core.names import unknown
from jumok.data.corpora.encodings import guess
from jumok.data.corpora.files import opened
from jumok.data.corpora.looking import CorpusLook, SideLook, look
from jumok.data.corpora.opening import open_split
from jumok.data.corpora.report import CorpusReport
from jumok.data.corpora.settings import DataSettings, PairFiles, TableFile
from jumok.models import PRESETS, ModelSettings
from jumok.recipes.estimating import measured_speed, minutes
from jumok.recipes.reading import Dumper

MOST_SKIPPED = 0.02
SAMPLE = 1 << 20


class Sizes(NamedTuple):
    """What suits a corpus of fewer than so many pairs."""

    below: float
    embedding: int
    encoder: int
    decoder: int
    dropout: float
    epochs: int
    batch: int  # the smaller the corpus, the more updates are worth than large batches
    rate: float


SIZES = (
    Sizes(5_000, embedding=128, encoder=128, decoder=256, dropout=0.3, epochs=40, batch=16, rate=0.002),
    Sizes(50_000, embedding=256, encoder=256, decoder=256, dropout=0.3, epochs=12, batch=32, rate=0.003),
    Sizes(500_000, embedding=256, encoder=256, decoder=512, dropout=0.2, epochs=6, batch=64, rate=0.002),
    Sizes(math.inf, embedding=512, encoder=512, decoder=1024, dropout=0.1, epochs=3, batch=256, rate=0.001),
)
TRANSFORMER_RATE = 0.001


class Proposal(NamedTuple):
    """A recipe as text, what was seen of the corpus, and the estimate of the time."""

    text: str
    look: CorpusLook
    report: CorpusReport
    encoding: str
    minutes: float


def propose(
    corpus: PairFiles | TableFile,
    encoding: str | None,
    beside: Path,
    preset: str,
    name: str,
    speed: Callable[[], float] = measured_speed,
) -> Proposal:
    """Look at a corpus, whose paths start from the current folder, and write a recipe called `name` for it.

    encoding: that of the files; None to guess. beside: the folder that the recipe is for; files inside of it are named
    from there, and others in full. speed: operations a second of the machine that will train.
    """
    if preset not in PRESETS:
        raise ValueError(unknown("preset", preset, PRESETS))
    encoding = encoding or guessed_encoding([Path(name).expanduser() for name in file_names(corpus).values()])
    data = DataSettings(train=corpus, validation=corpus, encoding=encoding, on_error="skip")
    corpus_opened = open_split("train", data, Path())
    seen = look(corpus_opened)
    skipped = sum(one.count for one in corpus_opened.report.skipped.values())
    if skipped > MOST_SKIPPED * seen.pairs:  # no few bad lines: something is wrong, and reading with `stop` says what
        for _ in open_split("train", data.model_copy(update={"on_error": "stop"}), Path()):
            pass
    sizes = next(sizes for sizes in SIZES if seen.pairs < sizes.below)
    model = _model(preset, sizes)
    settings = ModelSettings.model_validate(model)
    time = minutes(seen, settings, seen.tokenizer, seen.tokenizer_size, sizes.epochs, speed())
    values = _Values(_relative(corpus, beside), encoding, skipped, seen, sizes, model, time, name)
    return Proposal(_text(values), seen, corpus_opened.report, encoding, time)


def file_names(corpus: PairFiles | TableFile) -> dict[str, str]:
    """The files of a corpus, by the field that names them."""
    return (
        {"file": corpus.file} if isinstance(corpus, TableFile) else {"source": corpus.source, "target": corpus.target}
    )


def guessed_encoding(paths: Sequence[Path]) -> str:
    """The encoding of text files by their first lines; utf-8 where they do not agree on another."""
    found: set[str] = set()
    for path in paths:
        if path.is_file() and not path.name.lower().endswith((".parquet", ".jsonl", ".jsonl.gz")):
            with opened(path) as file:
                lines = [line for line in file.read(SAMPLE).split(b"\n")[:-1] if not line.isascii()]
            encoding = guess(b"\n".join(lines)) if lines else None
            found |= {encoding} if encoding else set()
    return found.pop() if len(found) == 1 else "utf-8"


class _Values(NamedTuple):
    corpus: Mapping[str, Any]
    encoding: str
    skipped: int
    look: CorpusLook
    sizes: Sizes
    model: Mapping[str, Any]
    minutes: float
    name: str


def _model(preset: str, sizes: Sizes) -> dict[str, Any]:
    """The model's part of the recipe."""
    model: dict[str, Any] = {"preset": preset, "embedding_size": sizes.embedding}
    if preset == "transformer":
        part: dict[str, Any] = {"layers": 3, "heads": 4, "inner_size": 4 * sizes.embedding}
        parts = {"encoder": part, "decoder": part}
    else:
        dot = preset == "luong-dot"  # its states are as large as those of both directions of the encoder
        decoder: dict[str, Any] = {"hidden_size": 2 * sizes.encoder if dot else sizes.decoder}
        if PRESETS[preset]["decoder"].get("input_feeding"):
            decoder["input_feeding"] = False  # all steps of a sentence are then learned at once
        parts = {"encoder": {"hidden_size": sizes.encoder}, "decoder": decoder}
    return {**model, **parts, "tie": "target", "dropout": sizes.dropout, "label_smoothing": 0.1}


def _relative(corpus: PairFiles | TableFile, beside: Path) -> dict[str, Any]:
    """The corpus with its root: the folder of its files, told from the recipe's folder where it is inside of that."""
    paths = {name: os.path.abspath(Path(file).expanduser()) for name, file in file_names(corpus).items()}
    root = os.path.commonpath([os.path.dirname(path) for path in paths.values()])
    values = corpus.model_dump() | {name: Path(os.path.relpath(path, root)).as_posix() for name, path in paths.items()}
    inside = Path(root).is_relative_to(os.path.abspath(beside))
    return {"root": Path(os.path.relpath(root, beside)).as_posix() if inside else root, "train": values}


def _text(values: _Values) -> str:
    seen, sizes, skipped = values.look, values.sizes, values.skipped
    train = values.corpus["train"]
    files = [train["file"]] if "file" in train else [train["source"], train["target"]]
    held_out = max(1, round(seen.held_out * seen.pairs))
    batches = math.ceil((1 - 2 * seen.held_out) * seen.pairs / sizes.batch)
    updates = _rounded(batches * sizes.epochs)
    estimate = _rounded(math.ceil(values.minutes))
    lines = [
        f"# A translator for {' and '.join(files)}, written by 'jumok new translation':",
        f"# {seen.pairs:,} pairs, {_side(seen.source)} to {_side(seen.target)}.",
        "#",
        f"#   jumok data check {values.name}",
        f"#   jumok train {values.name}",
        "#",
        "# 'jumok recipes show translation' explains every field that there is.",
        "inherits: translation",
        "about:",
        f"  what: {_inline(f'{Path(files[0]).name} to {Path(files[-1]).name}' if len(files) > 1 else files[0])}",
        f"  needs: {_inline(' and '.join(files))}",
        f"  minutes: {estimate:<23} # an estimate, from a short measurement on the machine where this was written",
        "",
        "data:",
        f"  root: {_inline(values.corpus['root']):<26} # the folder of the files; '.' is that of this recipe",
        f"  train: {_inline(train)}",
        f"  validation: {{share: {seen.held_out}}}".ljust(34) + f" # about {held_out:,} pairs, left out of train;",
        f"  test: {{share: {seen.held_out}}}".ljust(34) + " # all translations of one sentence stay on one side",
        *([f"  encoding: {values.encoding}"] if values.encoding.lower() not in ("utf-8", "utf8") else []),
        *([f"  on_error: skip                   # {skipped:,} lines are no pairs and are left out"] if skipped else []),
        f"  max_length: {seen.max_length:<20} # tokens a side; few sentences are longer",
        "",
        "tokenizer:",
        f"  kind: {seen.tokenizer}",
        f"  size: {seen.tokenizer_size}",
        f"  joint: {str(seen.joint).lower():<25} # {'one script' if seen.joint else 'two scripts'}",
        "",
        f"batches: {{size: {sizes.batch}, unit: sentences}}",
        "",
        "model:",
        *(f"  {name}: {_inline(value)}" for name, value in values.model.items()),
        "",
        "training:",
        f"  updates: {updates:<23} # about {sizes.epochs} times through the corpus",
        f"  learning_rate: {TRANSFORMER_RATE if values.model['preset'] == 'transformer' else sizes.rate}",
        f"  warmup: {min(1000, updates // 10)}",
        "  schedule: cosine",
        *(["  evaluate_every: 2000"] if batches > 4000 else []),
    ]
    return "\n".join(lines) + "\n"


def _side(side: SideLook) -> str:
    return f"{side.language or side.script} (about {side.mean_words:.0f} words a sentence, at most {side.max_words})"


def _rounded(number: float) -> int:
    """Up to two digits that count.

    >>> _rounded(13_421), _rounded(7)
    (14000, 7)
    """
    step = int(10 ** max(0, int(math.log10(max(1, number))) - 1))
    return math.ceil(number / step) * step


def _inline(value: Any) -> str:
    """A value as YAML in one line."""
    text: str = yaml.dump(
        value, Dumper=Dumper, default_flow_style=True, sort_keys=False, allow_unicode=True, width=math.inf
    )
    return text.removesuffix("\n").removesuffix("\n...")
