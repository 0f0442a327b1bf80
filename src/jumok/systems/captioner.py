"""A trained captioner: pictures in, captions out, with what was looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import torch
from torch import Tensor

from jumok.core.abreast import Stopped, abreast
from jumok.core.settings import read_settings
from jumok.data import Tokenizer
from jumok.data.corpora.normalizing import normalize
from jumok.decoding import Hypothesis, Machine, Search, SearchSettings, force
from jumok.models import Encoded, EncoderDecoder, PictureModelSettings, RegionEncoder
from jumok.systems.folders import CONFIG, load_model, read_config
from jumok.systems.prediction import Prediction
from jumok.systems.seeing import Seen, seen_as, shown
from jumok.systems.writer import Gone, Writer, search_settings
from jumok.training.devices import choose
from jumok.viewing import AttentionMap

if TYPE_CHECKING:
    from jumok.systems.seeing import Picture

AT_ONCE = 32
"""Pictures that are captioned together."""
LONGEST = 60
"""Tokens of a caption, unless `max_length` says otherwise."""
TOKENIZER = "tokenizer.json"


class Captioner(Writer):
    """Says what is in a picture, and where it looked.

    Calling it with a picture (a path, the bytes of a file, or a Pillow image) gives a `Prediction`, with a list of them
    a list. Settings of the search (`beam`, `n_best`, ...: see `jumok.decoding.SearchSettings`) go beside it.

    machine: the model, or several that decide together. tokenizer: of captions. lowercase: whether they are lowered.
    """

    system = "captioning"
    inputs = ("picture", "regions")

    def __init__(self, machine: Machine, tokenizer: Tokenizer, lowercase: bool = False) -> None:
        super().__init__(machine, tokenizer, lowercase)

    @classmethod
    def load(cls, *folders: str | Path, device: str = "auto") -> Captioner:
        """The captioner in a model folder; of several folders, an ensemble, whose tokenizers must be the same."""
        if not folders:
            raise ValueError("load: give the folder of a trained model")
        loaded = [_load(Path(folder), choose(device)) for folder in folders]
        _, tokenizer, lowercase = loaded[0]
        for folder, (model, other, _) in zip(folders[1:], loaded[1:], strict=True):
            if other.fingerprint() != tokenizer.fingerprint():
                raise ValueError(
                    f"{folder}: cuts captions into other tokens than {folders[0]}; they cannot decide together"
                )
            if _regions_of(model).pictures.grid != _regions_of(loaded[0][0]).pictures.grid:
                raise ValueError(f"{folder}: sees other regions than {folders[0]}; they cannot decide together")
        captioner = cls(Machine(*(model for model, *_ in loaded)), tokenizer, lowercase)
        captioner.origin = Path(folders[0])
        return captioner

    def _save_tokenizers(self, folder: Path) -> dict[str, int]:
        self.tokenizer.save(folder / TOKENIZER)
        return {"target": self.tokenizer.size}

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the regions that it looks at."""
        return self._encoders[0].pictures.grid

    @overload
    def __call__(self, picture: Picture, *, prefix: str | None = None, **search: Any) -> Prediction: ...
    @overload
    def __call__(self, picture: Sequence[Picture], **search: Any) -> list[Prediction]: ...
    def __call__(
        self, picture: Picture | Sequence[Picture], *, prefix: str | None = None, **search: Any
    ) -> Prediction | list[Prediction]:
        """The best caption of a picture, or of each of several.

        prefix: how the caption begins; those of several are `prefixes`.
        """
        if isinstance(picture, Sequence) and not isinstance(picture, str | bytes):
            if prefix is not None:
                raise ValueError("prefix: is of one picture; of several give prefixes, one for each")
            return [best for best, *_ in self.n_best(picture, **search)]
        if prefix is not None:
            search["prefixes"] = [prefix]
        return self.n_best([picture], **search)[0][0]

    def n_best(
        self,
        pictures: Sequence[Picture],
        *,
        prefixes: Sequence[str] | None = None,
        first: int = 0,
        gone: Gone | None = None,
        **search: Any,
    ) -> list[list[Prediction]]:
        """The best captions of each picture, as many as `n_best` says.

        prefixes: how each caption begins. first: the number of the first picture, for drawing. gone: asked after every
        step for the places of pictures that nobody waits for any more.
        """
        self._several(pictures, "n_best")
        settings, starts = search_settings(search), self._all_begun(prefixes, len(pictures))

        def found(start: int, stopped: Stopped) -> list[list[Prediction]]:
            seen = [seen_as(picture) for picture in pictures[start : start + AT_ONCE]]
            begun = None if starts is None else starts[start : start + AT_ONCE]
            numbers = torch.arange(first + start, first + start + len(seen), device=self.machine.device)
            searching = self.search(self._encode(seen), settings, prefixes=begun, numbers=numbers)
            for _ in searching:
                if stopped():
                    break
                if gone is not None:
                    searching.drop(place - start for place in gone())
            pairs = zip(seen, searching.hypotheses(), strict=True)
            return [self._told(one, hypotheses) for one, hypotheses in pairs]

        parts = range(0, len(pictures), AT_ONCE)
        return [each for part in abreast(found, parts, self.machine.lanes) for each in part]

    def stream(self, picture: Picture, *, prefix: str = "", **search: Any) -> Iterator[Prediction]:
        """The best caption so far, after every step; the last one is that of a call."""
        one = seen_as(picture)
        searching = self.search(self._encode([one]), search_settings(search), prefixes=[self._begun(prefix)])
        yield from self._streamed(searching, one.name)
        yield self._told(one, searching.hypotheses()[0])[0]

    def score(self, pictures: Sequence[Picture], captions: Sequence[str]) -> list[Prediction]:
        """How likely given captions are, and what each of their words would look at.

        Where several captions are of one picture, give it several times in a row; it is then read once.
        """
        if len(pictures) != len(captions):
            raise ValueError(f"{len(captions)} captions of {len(pictures)} pictures; give one for each")
        targets = [[*self.tokenizer.encode(normalize(text, self.lowercase)), Tokenizer.END] for text in captions]
        results: list[Prediction] = []
        for start in range(0, len(targets), AT_ONCE):
            seen, places = _each_once(pictures[start : start + AT_ONCE])
            rows = torch.tensor(places, device=self.machine.device)
            encoded = [one.keep(rows) for one in self._encode(seen)]
            forced = force(self.machine, encoded, targets[start : start + AT_ONCE])
            for number, one in enumerate(seen):
                results += self._told(one, [its for place, its in zip(places, forced, strict=True) if place == number])
        return results

    def edited(
        self,
        picture: Picture,
        weights: Mapping[int, Sequence[float]],
        *,
        tokens: Sequence[str] = (),
        layers: Sequence[int] = (-1,),
        heads: Sequence[int] | None = None,
        **search: Any,
    ) -> Prediction:
        """The caption when attention is changed by hand.

        weights: for each step that is changed (a row of the map, from 0), a weight for each region, row by row.
        tokens: the first tokens of the caption, which stay as they are; as `Prediction.tokens` has them.
        layers, heads: whose attention it is that changes; by default all heads of the last layer.
        """
        one = seen_as(picture)
        encoded = self._encode([one])
        edits = self._edits(weights, encoded[0].states.shape[1], layers, heads)
        begun = [self._continued(tokens)]
        found = self.search(encoded, search_settings(search), prefixes=begun, edits=edits).run()[0]
        return self._told(one, found)[0]

    def encode_inputs(self, inputs: Sequence[Tensor]) -> list[Encoded]:
        """What each model makes of the inputs of its own image encoder, `(B, ...)` each."""
        with torch.no_grad():
            return [
                encoder(given.to(self.machine.device)) for encoder, given in zip(self._encoders, inputs, strict=True)
            ]

    def search(self, encoded: Sequence[Encoded], settings: SearchSettings, **more: Any) -> Search:
        """A search for captions of encoded pictures; `more` is what `Search` takes."""
        rows = len(encoded[0].states)
        limits = torch.full(
            (rows,), settings.max_length or max(LONGEST, settings.min_length), device=self.machine.device
        )
        return Search(self.machine, encoded, limits, settings, **more)

    @property
    def _encoders(self) -> list[RegionEncoder]:
        return [_regions_of(model) for model in self.machine.models]

    def _encode(self, seen: Sequence[Seen]) -> list[Encoded]:
        images = [one.image for one in seen]
        return self.encode_inputs(
            [torch.stack([encoder.pictures.prepare(image) for image in images]) for encoder in self._encoders]
        )

    def _told(self, one: Seen, hypotheses: Sequence[Hypothesis]) -> list[Prediction]:
        """What was found for one picture, of which only what is shown behind looks stays: its pixels are many."""
        looks = any(hypothesis.attention is not None for hypothesis in hypotheses)
        picture = shown(one.image, self._encoders[0].pictures) if looks else b""
        return [
            Prediction(
                self.tokenizer.decode(hypothesis.tokens),
                one.name,
                self.tokenizer.tokens(hypothesis.tokens),
                hypothesis.score,
                hypothesis.rank_score,
                hypothesis.finished,
                hypothesis.token_scores,
                (),
                None if hypothesis.attention is None else partial(self._map, picture, hypothesis),
            )
            for hypothesis in hypotheses
        ]

    def _map(self, picture: bytes, hypothesis: Hypothesis) -> AttentionMap:
        return AttentionMap.over_picture(
            hypothesis.attention,
            self.tokenizer.tokens(hypothesis.tokens),
            self.grid,
            picture,
            row_words=self.tokenizer.words(hypothesis.tokens),
        )


def _each_once(pictures: Sequence[Picture]) -> tuple[list[Seen], list[int]]:
    """The pictures, of the same one after the other only the first, and which of them each is."""
    seen: list[Seen] = []
    places: list[int] = []
    for number, picture in enumerate(pictures):
        if number == 0 or picture is not pictures[number - 1]:
            seen.append(seen_as(picture))
        places.append(len(seen) - 1)
    return seen, places


def _regions_of(model: EncoderDecoder) -> RegionEncoder:
    assert isinstance(model.encoder, RegionEncoder)
    return model.encoder


def _load(folder: Path, device: torch.device) -> tuple[EncoderDecoder, Tokenizer, bool]:
    config = read_config(folder)
    if config.system != "captioning":
        raise ValueError(f"{folder}: holds a model for {config.system}, not for captioning")
    settings = read_settings(PictureModelSettings, config.model, str(folder / CONFIG))
    try:
        words = int(config.words["target"])
        lowercase = bool(config.inputs["lowercase"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / CONFIG}: damaged ({error!r}); copy the folder again") from None
    if not (folder / TOKENIZER).exists():
        raise FileNotFoundError(f"{folder}: there is no {TOKENIZER}; is this a model's folder?")
    tokenizer = Tokenizer.load(folder / TOKENIZER)
    if words != tokenizer.size:
        raise ValueError(f"{folder}: its tokenizer is not the one that its model learned with; copy the folder again")
    model = EncoderDecoder(settings, 0, words)
    load_model(model, folder)
    return model.to(device).eval(), tokenizer, lowercase
