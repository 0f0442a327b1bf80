"""A model as a diagram, drawn from its settings: what reads, what is looked at, what writes, and what feeds what."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from jumok.models.recurrent_decoder import RecurrentDecoderSettings
from jumok.models.settings import ModelSettings
from jumok.models.text_encoder import RecurrentEncoderSettings
from jumok.models.transformer import TransformerSettings
from jumok.viewing.palettes import ACCENT
from jumok.viewing.scene import Item, Places, Scene, Shape, Words, box

WIDTH, HEIGHT = 800.0, 452.0
READS, LOOKS, WRITES = "#eef3f9", "#dbe8f6", "#f6f0e4"
"""The colours of what reads, of what is looked at, and of what writes."""
SOURCE = (78.0, 170.0, 262.0, 354.0)
"""Where the states of four words stand."""
STEPS = (532.0, 690.0)
"""Where two steps of the decoder stand."""
STATE, OUTPUT, WEIGHTS, SUM = 330.0, 178.0, 236.0, 138.0
"""How deep states, output layers, weights and their sum stand."""
SHARES = (0.1, 0.55, 0.25, 0.1)
"""Weights as an example."""

_KOREAN = {
    "encoder": "인코더",
    "decoder": "디코더",
    "attention": "어텐션",
    "both ways": "양방향",
    "layers": "층",
    "heads": "헤드",
    "context": "컨텍스트 벡터",
    "query": "쿼리",
    "the last state": "마지막 상태",
    "summary": "요약",
    "draws one": "하나를 뽑음",
    "gate": "게이트",
    "output": "출력층",
    "self-attention": "셀프 어텐션",
    "feed-forward": "순방향 층",
    "masked self-attention": "셀프 어텐션 (앞만 봄)",
    "keys, values": "키, 값",
    "words": "단어",
    "words so far": "지금까지의 단어",
    "next word": "다음 단어",
}


def diagram(settings: ModelSettings, title: str = "", language: str = "en") -> Scene:
    """The model as a picture. Full lines carry vectors; the dashed one is the query.

    title: what stands above; by default the preset's name. language: en or ko.

    >>> from jumok.viewing.saving import write_scene
    >>> write_scene(diagram(ModelSettings(preset="bahdanau")), path)  # doctest: +SKIP
    """
    if language not in ("en", "ko"):
        raise ValueError(f"language {language!r}: give en or ko")
    title = title or settings.preset or "encoder-decoder"
    items: list[Item] = [Words(title, 24, 34, 17, bold=True)]
    if isinstance(settings.decoder, TransformerSettings):
        items.extend(_Transformer(settings, language).items())
    else:
        items.extend(_Recurrent(settings, settings.decoder, language).items())
    return Scene(WIDTH, HEIGHT, f"{title}: a diagram of the model", tuple(items))


class _Drawing:
    """What both kinds of diagrams are made of."""

    def __init__(self, settings: ModelSettings, language: str) -> None:
        self.settings = settings
        self._language = language

    def says(self, text: str) -> str:
        return _KOREAN.get(text, text) if self._language == "ko" else text

    def reading(self) -> Iterator[Item]:
        """The encoder: a state for each word."""
        encoder = self.settings.encoder
        yield Shape(box(30, 286, 372, 88), fill=READS)
        for number, x in enumerate(SOURCE):
            yield from _state(x, STATE, f"h{_low(number + 1)}")
            yield Words(f"x{_low(number + 1)}", x, 412, 15, anchor="middle")
            yield from _arrow(((x, 396), (x, STATE + 20)))
        yield Words(self._encoder_name(encoder), 30, 440, 13, "soft")
        if isinstance(encoder, RecurrentEncoderSettings):
            ways = (-7.0, 7.0) if encoder.bidirectional else (0.0,)
            for left, right in pairwise(SOURCE):
                for way in ways:
                    ends = ((left + 25, STATE + way), (right - 25, STATE + way))
                    yield from _arrow(ends if way <= 0 else ends[::-1])

    def _encoder_name(self, encoder: Any) -> str:
        name = self.says("encoder")
        if isinstance(encoder, TransformerSettings):
            return f"{name}: {self.says('self-attention')}, {encoder.layers} {self.says('layers')}"
        both = f", {self.says('both ways')}" if encoder.bidirectional else ""
        several = f", {encoder.layers} {self.says('layers')}" if encoder.layers > 1 else ""
        return f"{name}: {encoder.cell.upper()}{both}{several}"


class _Recurrent(_Drawing):
    def __init__(self, settings: ModelSettings, decoder: RecurrentDecoderSettings, language: str) -> None:
        super().__init__(settings, language)
        self.decoder = decoder

    def items(self) -> Iterator[Item]:
        yield from self.reading()
        yield Shape(box(470, 286, 292, 88), fill=WRITES)
        yield from self._writing()
        if self.decoder.attention is None:
            yield from self._summed_up()
        else:
            yield from self._looking(self.decoder.attention)

    def _writing(self) -> Iterator[Item]:
        decoder = self.decoder
        output = {"state": "softmax", "attentional": "tanh", "deep": "tanh", "maxout": "maxout"}[decoder.output]
        plain = decoder.attention is None  # what it gets to know enters at the first step, so these are the first two
        names = (("₁", "₀"), ("₂", "₁")) if plain else (("ₜ₋₁", "ₜ₋₂"), ("ₜ", "ₜ₋₁"))
        for number, (x, (at, before)) in enumerate(zip(STEPS, names, strict=True)):
            yield from _state(x, STATE, f"s{at}")
            if decoder.feed_word:
                yield Words(f"y{before}", x, 412, 15, anchor="middle")
                yield from _arrow(((x, 396), (x, STATE + 20)))
            yield Shape(box(x - 34, OUTPUT - 16, 68, 32), stroke="frame", fill="paper")
            yield Words(output, x, OUTPUT + 5, 13, anchor="middle")
            yield from _arrow(((x, STATE - 20), (x, OUTPUT + 17)))
            yield from _arrow(((x, OUTPUT - 17), (x, 112)))
            yield Words(f"y{at}", x, 102, 15, anchor="middle", bold=number == 1)
        yield from _arrow(((STEPS[0] + 27, STATE), (STEPS[1] - 27, STATE)))
        if decoder.input_feeding:
            yield from _arrow(((STEPS[0] + 35, OUTPUT), (596, OUTPUT), (622, STATE - 12), (STEPS[1] - 27, STATE - 10)))
            yield Words("õₜ₋₁", 590, OUTPUT - 8, 13, "soft")
        several = f", {decoder.layers} {self.says('layers')}" if decoder.layers > 1 else ""
        yield Words(f"{self.says('decoder')}: {decoder.cell.upper()}{several}", 470, 440, 13, "soft")

    def _summed_up(self) -> Iterator[Item]:
        """Without attention one vector is all that the decoder gets to know."""
        every = self.decoder.summary == "every"
        yield Words(f"{self.says('the last state')} = c", 330, 276, 13, ACCENT, "end")
        yield from _arrow(((SOURCE[-1] + 25, STATE), (STEPS[0] - 27, STATE)), ACCENT, 2.5)
        if not every:
            return
        yield from _arrow(
            ((SOURCE[-1] + 10, STATE - 20), (400, 254), (640, 254), (STEPS[1] - 14, STATE - 20)), ACCENT, 2.5
        )
        if self.decoder.context in ("output", "both"):
            for x in STEPS:
                yield from _arrow(((x - 70, 254), (x - 70, OUTPUT), (x - 35, OUTPUT)), ACCENT, 2.0)

    def _looking(self, attention: Mapping[str, Any]) -> Iterator[Item]:
        decoder = self.decoder
        middle = sum(SOURCE) / len(SOURCE)
        yield Shape(box(30, WEIGHTS - 28, 372, 62), fill=LOOKS)
        yield Words(_attention_name(attention, self.says), 30, 96, 13, ACCENT)
        for number, (x, share) in enumerate(zip(SOURCE, SHARES, strict=True)):
            yield from _arrow(((x, STATE - 20), (x, WEIGHTS + 34)), "soft", 1.0)
            yield Shape(box(x - 26, WEIGHTS + 20 - 40 * share, 10, 40 * share), fill=ACCENT)
            yield Words(f"α{_low(number + 1)}", x - 8, WEIGHTS + 18, 14)
            yield from _arrow(((x, WEIGHTS - 28), (middle + (x - middle) * 0.12, SUM + 17)), ACCENT, 0.8 + 5 * share)
        yield Shape(_round(middle, SUM, 17), stroke=ACCENT, width=1.5, fill="paper")
        yield Words("Σ", middle, SUM + 6, 17, ACCENT, "middle")
        asks = STEPS[0] if decoder.query == "before" else STEPS[1]
        foot = asks - 14, STATE - 20
        yield from _arrow((foot, (foot[0] - 10, WEIGHTS + 6), (403, WEIGHTS + 6)), "ink", 1.3, dashes=(5, 4))
        yield Words(self.says("query"), 412, WEIGHTS, 12, "soft")
        yield from self._context(middle)

    def _context(self, middle: float) -> Iterator[Item]:
        decoder = self.decoder
        into, turn = STEPS[1], 642.0
        gate = f" · {self.says('gate')}" if decoder.gate else ""
        yield Words(f"{self.says('context')} cₜ{gate}", 340, SUM - 8, 13, ACCENT)
        yield Shape(((middle + 18, SUM), (turn, SUM)), stroke=ACCENT, width=2.5)
        if decoder.context in ("output", "both"):
            yield from _arrow(((turn, SUM), (turn, OUTPUT), (into - 35, OUTPUT)), ACCENT, 2.5)
        if decoder.context in ("cell", "both"):
            yield from _arrow(((turn, SUM), (turn, 268), (into - 12, STATE - 20)), ACCENT, 2.5)


class _Transformer(_Drawing):
    def items(self) -> Iterator[Item]:
        encoder, decoder = self.settings.encoder, self.settings.decoder
        assert isinstance(decoder, TransformerSettings)
        if isinstance(encoder, TransformerSettings):
            yield from self._stack(60, ("self-attention", "feed-forward"), encoder, "encoder", READS)
        else:
            yield from self.reading()
        yield from self._stack(470, ("masked self-attention", "attention", "feed-forward"), decoder, "decoder", WRITES)
        yield Words(self.says("next word"), 590, 62, 15, anchor="middle")
        yield from _arrow(((590, 96), (590, 72)))
        from_x, from_y = (300.0, 214.0) if isinstance(encoder, TransformerSettings) else (SOURCE[-1], STATE - 20)
        yield from _arrow(((from_x, from_y), (385, 214), (478, 214)), ACCENT, 2.5)
        yield Words(self.says("keys, values"), 392, 204, 13, ACCENT)

    def _stack(
        self, x: float, parts: tuple[str, ...], settings: TransformerSettings, name: str, colour: str
    ) -> Iterator[Item]:
        top = 96.0 if len(parts) == 3 else 150.0
        yield Shape(box(x, top, 240, 364 - top), fill=colour)
        for number, part in enumerate(parts):
            y = 300 - 86 * number
            is_look = part != "feed-forward"
            yield Shape(box(x + 8, y, 224, 42), stroke="frame", fill=LOOKS if is_look else "paper")
            heads = f" · {settings.heads} {self.says('heads')}" if is_look else ""
            yield Words(self.says(part) + heads, x + 120, y + 25, 12, anchor="middle")
            if number:
                yield from _arrow(((x + 120, y + 86), (x + 120, y + 43)))
        below = self.says("words" if name == "encoder" else "words so far")
        yield Words(below, x + 120, 412, 15, anchor="middle")
        yield from _arrow(((x + 120, 396), (x + 120, 343)))
        yield Words(f"{self.says(name)}: {settings.layers} {self.says('layers')}", x, 440, 13, "soft")


def _attention_name(attention: Mapping[str, Any], says: Any) -> str:
    """Score, window, normaliser and selector, in a few words."""

    def named(part: Any) -> str:
        return str(part["name"] if isinstance(part, Mapping) else part)

    parts = [named(attention["score"]), named(attention.get("normalize", "softmax"))]
    if attention.get("window"):
        parts.append(named(attention["window"]).replace("_", "-"))
    select = named(attention.get("select", "soft"))
    if select != "soft":
        parts.append(says("draws one") if select == "hard" else select)
    return f"{says('attention')}: {', '.join(parts)}"


def _state(x: float, y: float, name: str) -> Iterator[Item]:
    yield Shape(box(x - 25, y - 19, 50, 38), stroke="frame", fill="paper")
    yield Words(name, x, y + 5, 15, anchor="middle")


def _low(number: int) -> str:
    """A number as it stands below a letter."""
    return chr(0x2080 + number)


def _round(x: float, y: float, radius: float) -> Places:
    turns = (2 * math.pi * number / 36 for number in range(36))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def _arrow(places: Places, colour: str = "soft", width: float = 1.3, dashes: tuple[float, ...] = ()) -> Iterator[Item]:
    """A line with a head at its end."""
    (x, y), (to_x, to_y) = places[-2:]
    long = math.hypot(to_x - x, to_y - y) or 1.0
    ahead, aside = ((to_x - x) / long, (to_y - y) / long), ((to_y - y) / long, (x - to_x) / long)
    size = 6 + width
    foot = to_x - ahead[0] * size, to_y - ahead[1] * size
    half = 0.42 * size
    head = (
        (to_x, to_y),
        (foot[0] + aside[0] * half, foot[1] + aside[1] * half),
        (foot[0] - aside[0] * half, foot[1] - aside[1] * half),
    )
    yield Shape((*places[:-1], foot), stroke=colour, width=width, dashes=dashes)
    yield Shape(head, fill=colour)
