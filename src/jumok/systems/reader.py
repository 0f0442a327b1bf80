"""A trained reader: a text, a picture or a series of numbers in, a label or a number out, with what was looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import torch
from torch import Tensor

from jumok.core.settings import read_settings
from jumok.data import Tokenizer
from jumok.data.corpora.normalizing import normalize
from jumok.data.sums import SumBatches, SumsData
from jumok.models.reader import AttentionReader, ReaderSettings, Unit
from jumok.systems.folders import CONFIG, load_model, read_config
from jumok.systems.seeing import seen_as, shown
from jumok.training.devices import choose
from jumok.viewing import AttentionMap

if TYPE_CHECKING:
    from PIL.Image import Image

    from jumok.systems.seeing import Picture

TOKENIZER = "tokenizer.json"
AT_ONCE = 64
"""So many sequences are read at once."""

Series = Sequence[Sequence[float]]
"""A sequence of vectors, one a step."""


class Reading:
    """What a reader says of one sequence.

    source: what was read. label, probability: the likeliest label and how likely it is; probabilities: of each label.
    value: the number that was told, for a model that tells numbers. text: the label, or the number as text.
    attention: the map of what was looked at, a row with the look, and a column for each piece of the text.
    unknown: words of the text that the model never learned.
    An empty text has nothing to look at: its label, value and attention are None, its probability is 0.
    """

    __slots__ = ("_attention", "_look", "label", "probabilities", "probability", "source", "unknown", "value")

    def __init__(
        self,
        source: str,
        *,
        label: str | None = None,
        probabilities: Mapping[str, float] | None = None,
        value: float | None = None,
        unknown: Sequence[str] = (),
        look: Callable[[], AttentionMap] | None = None,
    ) -> None:
        self.source, self.label, self.value, self.unknown = source, label, value, tuple(unknown)
        self.probabilities = dict(probabilities or {})
        self.probability = 0.0 if label is None else self.probabilities[label]
        self._look, self._attention = look, None

    _look: Callable[[], AttentionMap] | None
    _attention: AttentionMap | None

    @property
    def text(self) -> str:
        """What is told: the label, or the number."""
        return (self.label or "") if self.value is None else _number(self.value)

    @property
    def attention(self) -> AttentionMap | None:
        """What was looked at."""
        if self._attention is None and self._look is not None:
            self._attention, self._look = self._look(), None
        return self._attention

    @property
    def words(self) -> list[tuple[str, float]]:
        """Each word with its weight, or each region of a picture, by row and column from 1; they sum to 1."""
        if self.attention is None:
            return []
        if self.attention.grid is not None:
            return list(zip(self.attention.columns, self.attention.matrix[0].tolist(), strict=True))
        words = self.source.split(" ")
        weights = [0.0] * len(words)
        for word, weight in zip(self.attention.column_words, self.attention.matrix[0], strict=True):
            weights[word] += float(weight)
        return list(zip(words, weights, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the attention in its own form."""
        plain = {name: getattr(self, name) for name in ("source", "label", "probability", "probabilities", "value")}
        plain["unknown"] = list(self.unknown)
        return plain | {"attention": None if self.attention is None else self.attention.to_dict()}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Reading({self.text!r}{'' if self.label is None else f', probability {self.probability:.3f}'})"

    def _repr_html_(self) -> str | None:
        return None if self.attention is None else self.attention._repr_html_()


class Reader:
    """Tells a label or a number of a text, a picture or a series of vectors, and says what it looked at.

    Calling it with a text gives a `Reading`, with a list of texts a list of them. A model of pictures takes a path, the
    bytes of a file, or a Pillow image. One that learned from numbers takes a series, `[(0.3, 0), (0.9, 1), ...]`, a
    vector a step, or several of them.

    model: the network. tokenizer: how text is cut; None for a model of numbers. labels: those there are; None where a
    number is told. problem: what the numbers are, for a model that learned from generated ones.
    """

    def __init__(
        self,
        model: AttentionReader,
        tokenizer: Tokenizer | None = None,
        labels: Sequence[str] | None = None,
        lowercase: bool = False,
        problem: SumsData | None = None,
        features: int = 0,
    ) -> None:
        self.model, self.tokenizer, self.lowercase = model, tokenizer, lowercase
        self.labels = None if labels is None else tuple(labels)
        self.problem, self.features = problem, features

    @classmethod
    def load(cls, *folders: str | Path, device: str = "auto") -> Reader:
        """The reader in a model folder."""
        if len(folders) != 1:
            raise ValueError("load: a reader is one model; give one folder")
        folder = Path(folders[0])
        config = read_config(folder)
        if config.system != "reading":
            raise ValueError(f"{folder}: holds a model for {config.system}, not for reading")
        settings = read_settings(ReaderSettings, config.model, str(folder / CONFIG))
        try:
            words, inputs = config.words, config.inputs
            sizes = {name: None if words.get(name) is None else int(words[name]) for name in _SIZES}
            labels = None if sizes["labels"] is None else [str(label) for label in inputs["labels"]]
            told = inputs.get("problem")
            lowercase = bool(inputs.get("lowercase", False))
            if labels is not None and len(labels) != sizes["labels"]:
                raise ValueError(f"{len(labels)} labels, not {sizes['labels']}")
            unit = Unit(*map(float, inputs.get("unit", ())))
            model = AttentionReader(settings, **sizes, unit=unit)  # type: ignore[arg-type]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{folder / CONFIG}: damaged ({error!r}); copy the folder again") from None
        if sizes["words"] is not None and not (folder / TOKENIZER).is_file():
            raise FileNotFoundError(f"{folder}: there is no {TOKENIZER}; copy the folder again")
        tokenizer = Tokenizer.load(folder / TOKENIZER) if sizes["words"] is not None else None
        if tokenizer is not None and tokenizer.size != sizes["words"]:
            raise ValueError(
                f"{folder}: its tokenizer is not the one that its model learned with; copy the folder again"
            )
        load_model(model, folder)
        problem = None if told is None else read_settings(SumsData, told, str(folder / CONFIG))
        return cls(model.to(choose(device)).eval(), tokenizer, labels, lowercase, problem, sizes["features"] or 0)

    @property
    def sees(self) -> bool:
        """Whether it reads pictures."""
        return self.model.pictures is not None

    @overload
    def __call__(self, sequence: str | Path | bytes | Image) -> Reading: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, sequence: Sequence[str]) -> list[Reading]: ...
    @overload
    def __call__(self, sequence: Series) -> Reading: ...
    @overload
    def __call__(self, sequence: Sequence[Series]) -> list[Reading]: ...
    def __call__(self, sequence: Any) -> Reading | list[Reading]:
        """What is told of a text, a picture or a series, or of each of several."""
        if self.sees:
            one = not isinstance(sequence, Sequence) or isinstance(sequence, str | bytes)
        else:
            one = isinstance(sequence, str) or (self.tokenizer is None and _is_series(sequence))
        return self.read([sequence])[0] if one else self.read(sequence)

    def read(self, sequences: Sequence[Any], first: int = 0) -> list[Reading]:
        """What is told of each of several; `first` is the number of the first, for errors."""
        if self.sees:
            chunks = [sequences[start : start + AT_ONCE] for start in range(0, len(sequences), AT_ONCE)]
            return [reading for chunk in chunks for reading in self._read([self._prepared(one) for one in chunk])]
        return self._read([self._taken(sequence, place) for place, sequence in enumerate(sequences, first + 1)])

    def _read(self, taken: Sequence[_Taken]) -> list[Reading]:
        results = [Reading(one.source) for one in taken]
        there = sorted((place for place, one in enumerate(taken) if one.length), key=lambda place: taken[place].length)
        for start in range(0, len(there), AT_ONCE):
            places = there[start : start + AT_ONCE]
            told = self._told([taken[place] for place in places])
            for place, output, weights in zip(places, *told, strict=True):
                results[place] = self._reading(taken[place], output, weights[: taken[place].length])
        return results

    def scores(self, texts: Sequence[Sequence[str]], label: str) -> list[float]:
        """The log-probability of one label given each of several texts, told as lists of words: what
        `jumok.evaluation.erasure` asks for."""
        if self.labels is None or label not in self.labels:
            raise ValueError(f"there is no label {label!r}; known: {', '.join(self.labels or ('none',))}")
        found = self.read([" ".join(words) for words in texts])
        chances = torch.tensor([one.probabilities.get(label, 1 / len(self.labels)) for one in found])
        logs: list[float] = chances.clamp_min(1e-12).log().tolist()
        return logs

    def examples(self, count: int = 1, seed: int = 0) -> list[tuple[Series, float]]:
        """New sequences of the problem that the model learned, each with the number that is right."""
        if self.problem is None:
            raise ValueError("examples: this model learned from texts, which cannot be made up; give a text")
        batches = SumBatches.examples(self.problem, count, seed)
        return [(batch.inputs[0, : int(batch.lengths[0])].tolist(), float(batch.targets[0])) for batch in batches]

    def _prepared(self, picture: Picture) -> _Taken:
        """A picture as the model takes it."""
        assert self.model.pictures is not None
        one = seen_as(picture)
        rows, columns = self.model.pictures.grid
        return _Taken(one.name, self.model.pictures.prepare(one.image), rows * columns, picture=picture)

    def _taken(self, sequence: Any, place: int) -> _Taken:
        """A sequence as the model takes it."""
        if self.tokenizer is None:
            series = read_series(sequence, place) if isinstance(sequence, str) else sequence
            steps = torch.tensor([[float(number) for number in step] for step in series], dtype=torch.float32)
            wrong = next((step for step in series if len(step) != self.features), None)
            if wrong is not None:
                raise ValueError(
                    f"series {place}: a step has {len(wrong)} numbers, and the model takes {self.features}"
                )
            if not bool(torch.isfinite(steps).all()):
                raise ValueError(f"series {place}: its numbers must be finite")
            return _Taken(" ".join(_step(step) for step in series), steps, len(steps))
        if not isinstance(sequence, str):
            raise ValueError(f"text {place}: this model reads text, not {type(sequence).__name__}")
        try:
            text = normalize(sequence, self.lowercase)
        except ValueError as error:
            raise ValueError(f"text {place}: not valid Unicode ({error})") from None
        ids = self.tokenizer.encode(text)
        words = text.split(" ")
        pairs = zip(self.tokenizer.words_of(text), ids, strict=True)
        unknown = dict.fromkeys(words[word] for word, piece in pairs if piece == Tokenizer.UNKNOWN)
        return _Taken(text, torch.tensor(ids, dtype=torch.int64), len(ids), list(unknown))

    @torch.no_grad()
    def _told(self, taken: Sequence[_Taken]) -> tuple[list[Tensor], list[Tensor]]:
        device = next(self.model.parameters()).device
        lengths = torch.tensor([one.length for one in taken], device=device)
        padded = torch.nn.utils.rnn.pad_sequence([one.inputs for one in taken], batch_first=True).to(device)
        told = self.model(padded, lengths)
        return list(told.outputs.float().cpu()), list(told.weights.float().cpu())

    def _reading(self, one: _Taken, output: Tensor, weights: Tensor) -> Reading:
        if self.labels is None:
            value = float(output)
            look = partial(self._look, one, _number(value), weights)
            return Reading(one.source, value=value, unknown=one.unknown, look=look)
        label = self.labels[int(output.argmax())]
        probabilities = dict(zip(self.labels, output.softmax(-1).tolist(), strict=True))
        look = partial(self._look, one, label, weights)
        return Reading(one.source, label=label, probabilities=probabilities, unknown=one.unknown, look=look)

    def _look(self, one: _Taken, told: str, weights: Tensor) -> AttentionMap:
        name = "label" if self.labels else "value"
        if self.model.pictures is not None:
            picture = shown(seen_as(one.picture).image, self.model.pictures)
            look = AttentionMap.over_picture(weights[None].numpy(), [told], self.model.pictures.grid, picture)
            return replace(look, row_name=name)
        if self.tokenizer is None:
            columns, words = [_step(step) for step in one.inputs.tolist()], None
        else:
            columns, words = self.tokenizer.spelt(one.source), self.tokenizer.words_of(one.source)
        return AttentionMap.from_arrays(
            weights[None].numpy(),
            [told],
            columns,
            column_words=words,
            row_name=name,
            column_name="text" if words else "steps",
        )


class _Taken(NamedTuple):
    """What is read, as it is shown, and as the model takes it; a picture is decoded again where a look is drawn."""

    source: str
    inputs: Tensor
    length: int
    unknown: Sequence[str] = ()
    picture: Any = None


_SIZES = ("words", "features", "labels")


def read_series(text: str, place: int = 1) -> list[tuple[float, ...]]:
    """A series as people type it: steps between blanks, the numbers of a step between commas.

    >>> read_series("0.3,0 0.9,1")
    [(0.3, 0.0), (0.9, 1.0)]
    """
    try:
        return [tuple(float(number) for number in step.split(",")) for step in text.split()]
    except ValueError:
        raise ValueError(
            f"series {place}: write the steps with blanks between them and the numbers of a step with commas, such as"
            " '0.3,0 0.9,1'"
        ) from None


def _is_series(sequence: Any) -> bool:
    """Whether it is one series, not several: its steps hold numbers."""
    return len(sequence) > 0 and not isinstance(sequence[0], str) and not hasattr(sequence[0][0], "__len__")


def _number(value: float) -> str:
    """A number for people and tables: four digits, and those before the point whole.

    >>> _number(0.48768), _number(1203.7), _number(254310.9)
    ('0.4877', '1204', '254311')
    """
    return f"{value:.4g}" if abs(value) < 1e4 or abs(value) >= 1e15 else f"{value:.0f}"


def _step(step: Sequence[float]) -> str:
    """A step for people: the first number, and the others where they are not 0."""
    return ",".join([f"{step[0]:.2f}", *(f"{number:g}" for number in step[1:] if number)])
