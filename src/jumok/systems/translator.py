"""A trained translator: text in, text out, with what was looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, overload

import torch

from jumok.core.settings import read_settings
from jumok.data import Tokenizer, Tokenizers
from jumok.data.corpora.normalizing import normalize
from jumok.decoding import Edits, Hypothesis, Machine, Search, SearchSettings, decode, force_all, padded
from jumok.models import EncoderDecoder, ModelSettings
from jumok.systems.folders import CONFIG, built, read_config
from jumok.systems.prediction import Prediction
from jumok.systems.protecting import Protected, Protection
from jumok.systems.restoring import around
from jumok.systems.writer import Gone, Writer, search_settings
from jumok.training.devices import choose
from jumok.viewing import AttentionMap

LONGEST_SOURCE = 2000
"""Tokens of a source; a longer one is refused, since the time for it grows with its square."""


class RefusedText(ValueError):
    """A text that cannot be translated: its place among the others, from 0, and why."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(f"text {place + 1} {reason}")
        self.place, self.reason = place, reason


class Translator(Writer):
    """Translates, and says what it looked at.

    Calling it with a text gives a `Prediction`, with a list of texts a list of them. Settings of the search
    (`beam`, `n_best`, `length_penalty`, ...: see `jumok.decoding.SearchSettings`) go beside the text.

    machine: the model, or several that decide together. tokenizers: of both sides. lowercase: whether text is lowered.
    """

    system = "translation"
    inputs = ("text", "tokens")

    def __init__(self, machine: Machine, tokenizers: Tokenizers, lowercase: bool = False) -> None:
        super().__init__(machine, tokenizers.target, lowercase)
        self.tokenizers = tokenizers

    @classmethod
    def load(cls, *folders: str | Path, device: str = "auto") -> Translator:
        """The translator in a model folder; of several folders, an ensemble, whose tokenizers must be the same."""
        if not folders:
            raise ValueError("load: give the folder of a trained model")
        loaded = [_load(Path(folder), choose(device)) for folder in folders]
        _, tokenizers, lowercase = loaded[0]
        for folder, (_, others, lowers) in zip(folders[1:], loaded[1:], strict=True):
            if [side.fingerprint() for side in others] != [side.fingerprint() for side in tokenizers]:
                raise ValueError(
                    f"{folder}: cuts text into other tokens than {folders[0]}; they cannot decide together"
                )
            if lowers != lowercase:
                raise ValueError(f"{folder}: writes lower case, and {folders[0]} does not, or the other way round")
        translator = cls(Machine(*(model for model, *_ in loaded)), tokenizers, lowercase)
        translator.origin = Path(folders[0])
        return translator

    def _save_tokenizers(self, folder: Path) -> dict[str, int]:
        self.tokenizers.save(folder)
        return {"source": self.tokenizers.source.size, "target": self.tokenizers.target.size}

    @overload
    def __call__(self, text: str, **search: Any) -> Prediction: ...
    @overload
    def __call__(self, text: Sequence[str], **search: Any) -> list[Prediction]: ...
    def __call__(self, text: str | Sequence[str], **search: Any) -> Prediction | list[Prediction]:
        """The best translation of a text, or of each of several."""
        if isinstance(text, str | bytes):
            return self.n_best([text], **search)[0][0]
        if not isinstance(text, Collection):
            raise ValueError(f"give a text or a list of texts, not {text!r}")
        return [best for best, *_ in self.n_best(text, **search)]

    def n_best(
        self,
        texts: Sequence[str],
        *,
        prefixes: Sequence[str] | None = None,
        replace_unknown: bool = False,
        protection: Protection | None = None,
        first: int = 0,
        gone: Gone | None = None,
        **search: Any,
    ) -> list[list[Prediction]]:
        """The best translations of each text, as many as `n_best` says; an empty text gives one that is empty.

        prefixes: how each translation begins. replace_unknown: write the source's word where the model only knows that
        there is one, by its attention. protection: what is to come through unchanged. first: the number of the first
        text, for drawing. gone: asked after every step for the places of texts that nobody waits for any more.
        """
        self._several(texts, "n_best")
        settings = search_settings(search)
        starts = self._all_begun(prefixes, len(texts))
        protection = protection or Protection()
        protected = [protection.taken_from(_written(text, place)) for place, text in enumerate(texts, first)]
        sources = [self._encoded(one.text, place) for place, one in enumerate(protected, first)]
        there = [place for place, source in enumerate(sources) if source]
        begun = None if starts is None else [starts[place] for place in there]
        results = [[Prediction("", text)] for text in texts]
        away = None if gone is None else lambda: {number for number, place in enumerate(there) if place in gone()}
        wanted = [sources[place] for place in there]
        found = decode(self.machine, wanted, settings, prefixes=begun, first=first, gone=away)
        for number, hypotheses in found:
            place = there[number]
            told = partial(self._told, protected[place], sources[place], replace_unknown=replace_unknown)
            results[place] = [told(hypothesis) for hypothesis in hypotheses]
        return results

    def stream(self, text: str, *, prefix: str = "", **search: Any) -> Iterator[Prediction]:
        """The best translation so far, after every step; the last one is that of a call."""
        settings, written = search_settings(search), _written(text, 0)
        source = self._encoded(written, 0)
        if not source:
            yield Prediction("", text)
            return
        searching = self._searching(source, settings, self._begun(prefix))
        yield from self._streamed(searching, text)
        yield self._told(Protected(written), source, searching.hypotheses()[0][0])

    def score(self, texts: Sequence[str], translations: Sequence[str]) -> list[Prediction]:
        """How likely given translations are, and what each of their words would look at."""
        self._several(texts, "score")
        self._several(translations, "score")
        if len(texts) != len(translations):
            raise ValueError(f"{len(translations)} translations of {len(texts)} texts; give one for each")
        written = [_written(text, place) for place, text in enumerate(texts)]
        sources = [self._encoded(text, place) for place, text in enumerate(written)]
        for place, source in enumerate(sources):
            if not source:
                raise ValueError(f"text {place + 1} is empty: there is nothing to score")
        wanted = [self._read(_written(translation, place)) for place, translation in enumerate(translations)]
        targets = [[*self.tokenizers.target.encode(text), Tokenizer.END] for text in wanted]
        forced = dict(force_all(self.machine, sources, targets))
        return [self._told(Protected(text), sources[place], forced[place]) for place, text in enumerate(written)]

    def edited(
        self,
        text: str,
        weights: Mapping[int, Sequence[float]],
        *,
        tokens: Sequence[str] = (),
        layers: Sequence[int] = (-1,),
        heads: Sequence[int] | None = None,
        gone: Gone | None = None,
        **search: Any,
    ) -> Prediction:
        """The translation when attention is changed by hand.

        weights: for each step that is changed (a row of the map, from 0), a weight for each column of the map.
        tokens: the first tokens of the translation, which stay as they are; as `Prediction.tokens` has them.
        layers, heads: whose attention it is that changes; by default all heads of the last layer.
        gone: asked after every step; where it names the text (0), nobody waits for it any more.
        """
        written = _written(text, 0)
        source = self._encoded(written, 0)
        edits = self._edits(weights, len(source) + 1, layers, heads)
        settings, begun = search_settings(search), self._continued(tokens)
        if not source:
            return Prediction("", text)
        searching = self._searching(source, settings, begun, edits)
        for _ in searching:
            if gone is not None:
                searching.drop(gone())
        return self._told(Protected(written), source, searching.hypotheses()[0][0])

    def _searching(
        self, source: list[int], settings: SearchSettings, prefix: list[int], edits: Edits | None = None
    ) -> Search:
        encoded = self._encode(source)
        limits = settings.limits(encoded[0].mask.sum(1))
        return Search(self.machine, encoded, limits, settings, prefixes=[prefix], edits=edits)

    def _encode(self, source: list[int]) -> Any:
        with torch.no_grad():
            return self.machine.encode(*padded([[*source, Tokenizer.END]], self.machine.device))

    def _read(self, text: str) -> str:
        """The text as the model reads it; its words are those of the text as it was written."""
        return normalize(text, self.lowercase)

    def _encoded(self, text: str, place: int) -> list[int]:
        source = self.tokenizers.source.encode(self._read(text))
        if len(source) > LONGEST_SOURCE:
            raise RefusedText(
                place,
                f"has {len(source):,} tokens, and at most {LONGEST_SOURCE:,} can be translated at once: cut it into"
                " sentences",
            )
        return source

    def _told(
        self, protected: Protected, source: list[int], hypothesis: Hypothesis, replace_unknown: bool = False
    ) -> Prediction:
        target, text = self.tokenizers.target, self._read(protected.text)
        words, of_words = text.split(" "), self.tokenizers.source.words_of(text)
        unknown: list[str] = []
        if replace_unknown and hypothesis.attention is not None:
            written = protected.text.split(" ")
            unknown = _looked_at(hypothesis, [written[word] for word in of_words])
        said = target.decode(hypothesis.tokens, unknown)
        if protected.held:
            look = None if hypothesis.attention is None else self._map(text, hypothesis)
            said = protected.put_into(said, {} if look is None else dict(look.words().without_special().links()))
        missing = sorted({word for word, token in zip(of_words, source, strict=True) if token == Tokenizer.UNKNOWN})
        return Prediction(
            said,
            text,
            target.tokens(hypothesis.tokens),
            hypothesis.score,
            hypothesis.rank_score,
            hypothesis.finished,
            hypothesis.token_scores,
            [words[word] for word in missing],
            None if hypothesis.attention is None else partial(self._map, text, hypothesis),
        )

    def _map(self, text: str, hypothesis: Hypothesis) -> AttentionMap:
        end = [Tokenizer.END]
        return AttentionMap.from_arrays(
            hypothesis.attention,
            self.tokenizers.target.tokens(hypothesis.tokens),
            [*self.tokenizers.source.spelt(text), *self.tokenizers.source.tokens(end)],
            row_words=self.tokenizers.target.words(hypothesis.tokens),
            column_words=[*self.tokenizers.source.words_of(text), *self.tokenizers.source.words(end)],
            title=self.tokenizers.target.decode(hypothesis.tokens),
        )


def _written(text: str, place: int) -> str:
    """A text as it was written, in plain letters and blanks."""
    if not isinstance(text, str):
        raise RefusedText(place, f"is {text!r}, and no text")
    try:
        return normalize(text)
    except ValueError as error:
        raise RefusedText(place, f"is not valid Unicode ({error})") from None


def _looked_at(hypothesis: Hypothesis, words: Sequence[str]) -> list[str]:
    """For each unknown token, the word that it looked at most; ⁇ stays where it looked at none.

    words: of each source token, the word that it is a part of; punctuation around it is not copied.
    """
    assert hypothesis.attention is not None
    looks = hypothesis.attention[-1].mean(0)  # (tokens, source and its end)
    found = []
    for row in [row for row, token in enumerate(hypothesis.tokens) if token == Tokenizer.UNKNOWN]:
        weight, place = looks[row, : len(words)].max(0)
        word = words[int(place)] if float(weight) > 0 else "⁇"
        found.append(around(word)[1] or word)
    return found


def _load(folder: Path, device: torch.device) -> tuple[EncoderDecoder, Tokenizers, bool]:
    config = read_config(folder)
    if config.system != "translation":
        raise ValueError(f"{folder}: holds a model for {config.system}, not for translation")
    settings = read_settings(ModelSettings, config.model, str(folder / CONFIG))
    try:
        sizes = int(config.words["source"]), int(config.words["target"])
        lowercase = bool(config.inputs["lowercase"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / CONFIG}: damaged ({error!r}); copy the folder again") from None
    tokenizers = Tokenizers.load(folder)
    if sizes != (tokenizers.source.size, tokenizers.target.size):
        raise ValueError(f"{folder}: its tokenizers are not those that its model learned with; copy the folder again")
    model = built(folder, lambda: EncoderDecoder(settings, *sizes))
    return model.to(device).eval(), tokenizers, lowercase
