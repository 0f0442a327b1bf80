"""The forms of requests and answers, as the API's document shows them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from jumok.studio.limits import Limits

LIMITS = Limits()


class Asked(BaseModel):
    """A request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class Searched(Asked):
    """How words are searched for."""

    model: str | None = Field(default=None, max_length=200)
    """The model's name; the first that can do it where none is given."""
    beam: int = Field(default=5, ge=1, le=LIMITS.beam)
    """Hypotheses that are followed at once; 1 is greedy."""
    n_best: int = Field(default=1, ge=1, le=LIMITS.beam)
    """How many come back, the best first."""

    @model_validator(mode="after")
    def _fits(self) -> Searched:
        if self.n_best > self.beam:
            raise ValueError(f"n_best: {self.n_best} hypotheses cannot come from a beam of {self.beam}")
        return self

    @property
    def search(self) -> dict[str, int]:
        """What goes beside the text."""
        return {"beam": self.beam, "n_best": self.n_best}


class Translate(Searched):
    """Texts to be translated."""

    texts: list[str] = Field(min_length=1, max_length=LIMITS.texts)
    """The texts; an empty one comes back empty."""
    prefixes: list[str] | None = Field(default=None, max_length=LIMITS.texts)
    """How each translation begins; one for each text."""
    attention: bool = True
    """Whether what was looked at comes back, too."""

    @model_validator(mode="after")
    def _bounded(self) -> Translate:
        _bounded(*self.texts, *(self.prefixes or ()))
        if self.prefixes is not None and len(self.prefixes) != len(self.texts):
            raise ValueError(f"prefixes: {len(self.prefixes)} for {len(self.texts)} texts; give one for each")
        return self


class Stream(Searched):
    """A text to be translated while one watches."""

    text: str
    prefix: str = ""
    """How the translation begins."""

    @model_validator(mode="after")
    def _bounded(self) -> Stream:
        _bounded(self.text, self.prefix)
        return self


class Edit(Searched):
    """A translation whose attention is changed by hand."""

    text: str
    tokens: list[str] = Field(default=[], max_length=2000)
    """The first tokens of the translation, which stay."""
    weights: dict[int, list[float]] = Field(default={}, max_length=2000)
    """For each step that is changed, a weight for each column of the map."""

    @model_validator(mode="after")
    def _bounded(self) -> Edit:
        _bounded(self.text, *self.tokens)
        if any(step < 0 or step > 4000 or len(row) > 4000 for step, row in self.weights.items()):
            raise ValueError("weights: steps and columns are counted from 0 to 4000")
        return self


class Ask(Asked):
    """A question about a story."""

    model: str | None = Field(default=None, max_length=200)
    story: list[str] = Field(min_length=1, max_length=500)
    """Its sentences."""
    question: str

    @model_validator(mode="after")
    def _bounded(self) -> Ask:
        _bounded(*self.story, self.question)
        return self


class Found(BaseModel):
    """One output with what it looked at; the map has the form of `AttentionMap.to_dict`."""

    source: str
    text: str
    score: float
    rank_score: float
    finished: bool
    tokens: list[str]
    token_scores: list[float]
    unknown: list[str]
    """Words of the source that the model never learned."""
    attention: dict[str, Any] | None


class Several(BaseModel):
    """For each input its outputs, the best first."""

    model: str
    results: list[list[Found]]


class Like(BaseModel):
    """Whether a picture is like those of a captioner's training."""

    model: str
    unlike: bool | None
    """None where the training pictures are not here."""
    distance: float | None
    """To the nearest training picture."""
    usual: float | None
    """How far a picture of that kind is, at most."""


class Answered(BaseModel):
    """An answer, and hop by hop what was looked at."""

    model: str
    question: str
    answer: str
    probability: float
    candidates: dict[str, float]
    story: list[str]
    unknown: list[str]
    attention: dict[str, Any]


class Served(BaseModel):
    """A model that is served."""

    name: str
    kind: str
    domain: str
    """What it was trained on."""
    attention: bool
    """Whether it has any."""
    plane: Literal["dot", "general"] | None
    """Its score, where /api/plane can draw its queries."""


class Failed(BaseModel):
    """A folder that could not be opened."""

    name: str
    reason: str


class Models(BaseModel):
    """All models."""

    models: list[Served]
    refused: list[Failed]


class Stages(BaseModel):
    """Looks, stage by stage: for each query a list over the keys."""

    scores: list[list[float]]
    allowed: list[list[bool]]
    """Where it may look at all."""
    probabilities: list[list[float]]
    weights: list[list[float]]
    weighted: list[list[list[float]]]
    """The values times their weights."""
    context: list[list[float]]
    choice: list[int] | None
    """The key of each query that was drawn last; -1 where there was none to draw."""
    counts: list[list[int]] | None
    """How often each key was drawn."""


class Turned(BaseModel):
    """A step of a translation in the plane of its query; the first axis is that of the turned one."""

    token: str
    query: tuple[float, float] | None
    """As the decoder asks; none where keys have another size."""
    turned: tuple[float, float]
    """What W makes of it; the query itself where there is no W."""
    keys: list[tuple[float, float]]
    scores: list[float]
    """Of the turned query and each key."""
    raw_scores: list[float] | None
    """Of the query itself and each key."""
    weights: list[float]


class Plane(BaseModel):
    """Queries and keys of a translation, step by step."""

    model: str
    score: str
    text: str
    columns: list[str]
    steps: list[Turned]


class Sentence(BaseModel):
    """A sentence of the practice language, and its translation."""

    source: str
    target: str


class Fitting(BaseModel):
    """Words that fit in place of those from `first` to before `end`."""

    first: int
    end: int
    words: list[str]


class Placed(BaseModel):
    """A thing in a practice picture."""

    english: str
    korean: str
    x: float
    y: float
    box: list[float]
    """Left, top, right, bottom."""


class Drawn(BaseModel):
    """A practice picture."""

    scene: dict[str, Any]
    """What POST /api/scene takes."""
    picture: str
    """PNG, in base 64."""
    english: str
    korean: str
    things: list[Placed]


class ByLength(BaseModel):
    """A score of sentences of like length."""

    length: str
    sentences: int
    bleu: float
    low: float | None
    high: float | None


class Compared(BaseModel):
    """Models side by side, and the chart of it."""

    data: str
    sentences: int
    svg: str
    rows: dict[str, list[ByLength]]


class Node(BaseModel):
    """What a node is said to be, and what it is known to be."""

    name: str
    label: str
    probability: float
    known: str | None


class Graph(BaseModel):
    """A graph, or a part of it, drawn."""

    svg: str
    layers: int
    names: list[str]
    """Of all nodes, of at most 3,000."""
    accuracy: float | None
    nodes: list[Node]
    """Those that are drawn."""


class Health(BaseModel):
    """That the server lives, and how many wait."""

    status: str
    version: str
    waiting: int


class Learning(BaseModel):
    """Which demo is running, if one is."""

    learning: str | None


class Wrong(BaseModel):
    """What is wrong, in one line."""

    error: str


def _bounded(*texts: str) -> None:
    count = sum(map(len, texts))
    if count > LIMITS.characters:
        raise ValueError(f"{count:,} characters are too many; at most {LIMITS.characters:,} at once")
