"""The tokenizers of a pair of languages: one for both, or one a side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from jumok.data.corpora.rows import TextPair
from jumok.data.tokenization.sample import Sample
from jumok.data.tokenization.settings import TokenizerSettings
from jumok.data.tokenization.tokenizer import Tokenizer
from jumok.data.tokenization.training import learn

_JOINT, _SOURCE, _TARGET = "tokenizer.json", "tokenizer.source.json", "tokenizer.target.json"


class Tokenizers(NamedTuple):
    """The tokenizer of each side; the same object twice where they share one."""

    source: Tokenizer
    target: Tokenizer

    @property
    def joint(self) -> bool:
        """Whether both sides share one tokenizer."""
        return self.source is self.target

    def save(self, folder: Path) -> None:
        """Write `tokenizer.json` into the folder, or `tokenizer.source.json` and `tokenizer.target.json`."""
        if self.joint:
            self.source.save(folder / _JOINT)
        else:
            self.source.save(folder / _SOURCE)
            self.target.save(folder / _TARGET)

    @classmethod
    def load(cls, folder: Path) -> Tokenizers:
        """The tokenizers that `save` wrote into this folder."""
        if (folder / _JOINT).exists():
            joint = Tokenizer.load(folder / _JOINT)
            return cls(joint, joint)
        for name in (_SOURCE, _TARGET):
            if not (folder / name).exists():
                raise FileNotFoundError(f"{folder}: there is neither {_JOINT} nor {name}; is this a model's folder?")
        return cls(Tokenizer.load(folder / _SOURCE), Tokenizer.load(folder / _TARGET))


def train_tokenizers(
    pairs: Iterable[TextPair], settings: TokenizerSettings, where: str, notice: Callable[[str], None] | None = None
) -> Tokenizers:
    """Tokenizers for both sides of `pairs`, which are read once; `where` begins the line of an error."""
    if settings.joint:
        both = Sample()
        for pair in pairs:
            both.add(pair.source)
            both.add(pair.target)
        joint = Tokenizer(learn(both, settings, where, notice))
        return Tokenizers(joint, joint)
    source, target = Sample(), Sample()
    for pair in pairs:
        source.add(pair.source)
        target.add(pair.target)
    return Tokenizers(
        Tokenizer(learn(source, settings, f"{where}: source side", notice)),
        Tokenizer(learn(target, settings, f"{where}: target side", notice)),
    )
