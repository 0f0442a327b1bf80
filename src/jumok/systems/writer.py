"""What writes text token by token while it looks at something: the base of the translator and the captioner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch

from jumok.core.settings import read_settings
from jumok.data import Tokenizer
from jumok.data.corpora.normalizing import normalize
from jumok.decoding import Edits, Machine, Search, SearchSettings
from jumok.systems.cards import OnHub, write_card_like
from jumok.systems.folders import Config, has_weights_of, save_model, write_config
from jumok.systems.hub import brought, sent
from jumok.systems.prediction import Prediction

if TYPE_CHECKING:
    from typing_extensions import Self  # typing has it from Python 3.11 on

Gone = Callable[[], Collection[int]]
"""The places of inputs that nobody waits for any more."""


class Writer(ABC):
    """A machine, the tokenizer of what it writes, and whether that is lowered."""

    system: ClassVar[str]
    """As recipes and folders name it."""
    inputs: ClassVar[tuple[str, str]]
    """What it takes, and the places of it that it looks at, in words."""

    def __init__(self, machine: Machine, tokenizer: Tokenizer, lowercase: bool) -> None:
        self.machine, self.tokenizer, self.lowercase = machine, tokenizer, lowercase
        self.origin: Path | None = None
        """The folder that it was loaded from."""

    @classmethod
    @abstractmethod
    def load(cls, *folders: str | Path, device: str = "auto") -> Self:
        """The model in a folder; of several folders, an ensemble."""

    @abstractmethod
    def _save_tokenizers(self, folder: Path) -> dict[str, int]:
        """Write them; returns how many words each side has."""

    @classmethod
    def from_pretrained(
        cls, name: str | Path, *, revision: str | None = None, token: str | None = None, device: str = "auto"
    ) -> Self:
        """The model in a folder, or of the Hugging Face Hub's `owner/name`."""
        return cls.load(brought(name, revision, token), device=device)

    def save_pretrained(self, folder: str | Path) -> None:
        """Write the model folder: config, weights, tokenizers, card. An ensemble has no folder of its own.

        The recipe and the figures of the folder that it was loaded from go with it; figures only while the weights are
        still those.
        """
        self._save(Path(folder))

    def push_to_hub(
        self, name: str, *, private: bool = False, token: str | None = None, message: str = "A model of jumok"
    ) -> str:
        """Send the model to the Hugging Face Hub as `owner/name`; returns its address."""
        return sent(self._save, name, private, token, message)

    def _save(self, folder: Path, name: str | None = None) -> None:
        """Write the model folder; name: what the Hub calls it, where it goes there."""
        if len(self.machine.models) > 1:
            raise ValueError("an ensemble cannot be saved as one model; save its models one by one")
        folder.mkdir(parents=True, exist_ok=True)
        model = self.machine.models[0]
        scored = self.origin is not None and has_weights_of(model, self.origin)
        words = self._save_tokenizers(folder)
        settings = model.settings.model_dump(mode="json")
        write_config(folder, Config(self.system, settings, words, {"lowercase": self.lowercase}))
        save_model(model, folder)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        hub = None if name is None else OnHub(name, type(self).__name__)
        write_card_like(self.origin, folder, parameters, scored, hub)

    def _several(self, inputs: Sequence[Any], what: str) -> None:
        """One input where several are asked for is an error: a text is a sequence, too, of letters."""
        if isinstance(inputs, str | bytes):
            raise ValueError(f"{what}: give a list, such as [{inputs[:12]!r}]; for one alone, call the model")
        if not isinstance(inputs, Collection):
            raise ValueError(f"{what}: give a list, not {inputs!r}")

    def _streamed(self, search: Search, source: str) -> Iterator[Prediction]:
        """What a search of one has written so far, after every step but the last."""
        for step in search:
            if len(step.sentences):
                tokens = step.prefixes()[0]
                yield Prediction(self.tokenizer.decode(tokens), source, self.tokenizer.tokens(tokens), finished=False)

    def _begun(self, prefix: str) -> list[int]:
        """The tokens that a text is to begin with."""
        if not isinstance(prefix, str):
            raise ValueError(f"prefix {prefix!r}: is no text")
        text = normalize(prefix, self.lowercase)
        tokens = self.tokenizer.encode(text)
        if Tokenizer.UNKNOWN in tokens:
            word = self.tokenizer.spelt(text)[tokens.index(Tokenizer.UNKNOWN)].lstrip("▁")
            raise ValueError(f"prefix {prefix!r}: the model never learned {word!r}")
        return tokens

    def _all_begun(self, prefixes: Sequence[str] | None, count: int) -> list[list[int]] | None:
        """The tokens that each of `count` texts is to begin with."""
        if prefixes is not None and len(prefixes) != count:
            raise ValueError(f"prefixes: {len(prefixes)} for {count} {self.inputs[0]}s; give one for each, '' for none")
        return None if prefixes is None else [self._begun(prefix) for prefix in prefixes]

    def _continued(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of tokens that are to be continued."""
        known = self.tokenizer.ids_of(tokens)
        if Tokenizer.END in known:
            raise ValueError("tokens: what is to be continued cannot hold the end")
        return known

    def _edits(
        self,
        weights: Mapping[int, Sequence[float]],
        places: int,
        layers: Sequence[int],
        heads: Sequence[int] | None,
    ) -> Edits:
        """Weights for the steps that are changed, each over all places."""
        steps = max(weights, default=-1) + 1
        table, rows = torch.zeros(1, steps, places), torch.zeros(1, steps, dtype=torch.bool)
        for step, row in weights.items():
            if step < 0:
                raise ValueError(f"weights: there is no step {step}; the first is 0")
            if len(row) != places:
                name, parts = self.inputs
                raise ValueError(f"weights: step {step} has {len(row)} numbers, the {name} has {places} {parts}")
            table[0, step], rows[0, step] = torch.tensor(row, dtype=torch.float32), True
        if not bool(torch.isfinite(table).all()) or bool((table < 0).any()):
            raise ValueError("weights: each must be a number that is not negative")
        device = self.machine.device
        return Edits(table.to(device), rows.to(device), tuple(layers), None if heads is None else tuple(heads))


def search_settings(values: Mapping[str, Any]) -> SearchSettings:
    """The settings of a search, from what stood beside the input."""
    return read_settings(SearchSettings, values, "search")
