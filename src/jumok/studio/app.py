"""The server: its routes, and what it says when something is wrong."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import Body, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import jumok
from jumok.data.korean import Korean
from jumok.data.scenes import Scenes
from jumok.studio import asking
from jumok.studio.alternatives import others
from jumok.studio.comparing import Compare, compared
from jumok.studio.graphs import Graphs
from jumok.studio.guarding import LOCAL, Guard
from jumok.studio.likeness import Likeness
from jumok.studio.limits import Busy, Limits
from jumok.studio.mechanism import Mechanism, stages
from jumok.studio.pages import add_pages
from jumok.studio.picturing import Move, drawn
from jumok.studio.plane import Turn, turned
from jumok.studio.room import Left, Room, Wanted
from jumok.studio.shelf import Shelf
from jumok.studio.teaching import Teach, Teacher

WRONG: dict[int | str, dict[str, Any]] = {
    status: {"model": asking.Wrong, "description": text}
    for status, text in {
        400: "the input does not fit the model",
        404: "there is no such model",
        408: "the request came too slowly",
        413: "the request is too large",
        422: "a field is missing or wrong",
        503: "too many wait; come back after Retry-After seconds",
        504: "it took too long",
    }.items()
}
TOO_LONG = "it took too long; give less at once"
MODEL = Query(max_length=200, description="The model's name; the first that can do it without.")
BEAM = Query(ge=1, le=asking.LIMITS.beam, description="Hypotheses that are followed at once.")
BEST = Query(ge=1, le=asking.LIMITS.beam, description="How many come back, the best first.")


def create_app(
    shelf: Shelf,
    *,
    limits: Limits | None = None,
    hosts: Iterable[str] | None = LOCAL,
    token: str | None = None,
    demo: Path = Path("jumok-demo"),
) -> FastAPI:
    """The studio's server for some models; see `Guard` for hosts and token. demo: where its own models go."""
    limits = limits or Limits()
    room, teacher = Room(shelf, limits), Teacher(shelf, demo)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        yield
        await teacher.close()
        room.close()

    app = FastAPI(
        title="jumok studio",
        version=jumok.__version__,
        description="Translate, caption and answer, each with what was looked at.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=living,
    )
    app.state.room = room
    _say_what_is_wrong(app)
    _about(app, room)
    _translating(app, room)
    _captioning(app, room)
    _answering(app, room)
    _learning(app, room)
    _comparing(app, room)
    _teaching(app, teacher)
    add_pages(app)
    app.add_middleware(Guard, limits=limits, hosts=hosts, token=token)
    return app


def _about(app: FastAPI, room: Room) -> None:
    @app.get("/api/health", response_model=asking.Health, summary="Whether the server lives")
    async def health() -> Any:
        return {"status": "ok", "version": jumok.__version__, "waiting": room.waiting}

    @app.get("/api/models", response_model=asking.Models, summary="The models that are served")
    async def models() -> Any:
        refused = [one._asdict() for one in room.shelf.refused]
        return {"models": [held.to_dict() for held in room.shelf], "refused": refused}


def _translating(app: FastAPI, room: Room) -> None:
    @app.post(
        "/api/translate",
        response_model=asking.Several,
        responses=WRONG,
        summary="Translate texts, n-best, with attention",
    )
    async def translate(request: Request, asked: asking.Translate) -> Any:
        held = room.shelf.get(asked.model, "translate")
        search = tuple(asked.search.items())
        prefixes = asked.prefixes or [""] * len(asked.texts)
        wanted = [Wanted(text, prefix, search) for text, prefix in zip(asked.texts, prefixes, strict=True)]
        found = await room.unless_left(request, room.batcher(held).ask(wanted))
        return {"model": held.name, "results": [[one.to_dict(asked.attention) for one in each] for each in found]}

    @app.post("/api/translate/stream", responses=WRONG, summary="Translate one text, told step by step")
    async def stream(asked: asking.Stream) -> StreamingResponse:
        """Server-sent events: `step` with the best text so far, which may replace an earlier one, then `done`; or
        `wrong` where it took too long."""
        held = room.shelf.get(asked.model, "translate")
        steps = room.streamed(lambda: held.model.stream(asked.text, prefix=asked.prefix, beam=asked.beam))
        first = await anext(steps)  # what is wrong is told before the answer begins

        async def events() -> AsyncIterator[str]:
            last = first
            try:
                async for step in steps:
                    yield _event("step", {"text": last.text, "tokens": list(last.tokens)})
                    last = step
                yield _event("done", last.to_dict())
            except TimeoutError:
                yield _event("wrong", {"error": TOO_LONG})

        return StreamingResponse(events(), media_type="text/event-stream")

    @app.post(
        "/api/translate/edit", response_model=asking.Several, responses=WRONG, summary="Translate with edited attention"
    )
    async def edit(request: Request, asked: asking.Edit) -> Any:
        """Tokens at the beginning stay as they are; weights replace those of the map for the steps that are named."""
        held = room.shelf.get(asked.model, "translate")
        if not held.looks and asked.weights:
            raise ValueError(f"model {held.name} has no attention to edit")
        work = room.stoppable(1, held.model.edited, asked.text, asked.weights, tokens=asked.tokens, beam=asked.beam)
        found = await room.unless_left(request, work)
        return {"model": held.name, "results": [[found.to_dict()]]}


def _captioning(app: FastAPI, room: Room) -> None:
    content = {"image/*": {"schema": {"type": "string", "format": "binary"}}}

    @app.post(
        "/api/caption",
        response_model=asking.Several,
        responses=WRONG,
        summary="Describe a picture: the body is the file",
        openapi_extra={"requestBody": {"required": True, "content": content}},
    )
    async def caption(
        request: Request,
        model: Annotated[str | None, MODEL] = None,
        beam: Annotated[int, BEAM] = 5,
        n_best: Annotated[int, BEST] = 1,
        prefix: Annotated[str, Query(max_length=2000, description="How the caption begins.")] = "",
    ) -> Any:
        held = room.shelf.get(model, "caption")
        if n_best > beam:
            raise ValueError(f"n_best: {n_best} hypotheses cannot come from a beam of {beam}")
        picture = await request.body()
        wanted = Wanted(picture, prefix, (("beam", beam), ("n_best", n_best)))
        (found,) = await room.unless_left(request, room.batcher(held).ask([wanted]))
        return {"model": held.name, "results": [[one.to_dict() for one in found]]}

    likeness = Likeness()

    @app.post(
        "/api/likeness",
        response_model=asking.Like,
        responses=WRONG,
        summary="Whether a picture is like those of a captioner's training: the body is the file",
        openapi_extra={"requestBody": {"required": True, "content": content}},
    )
    async def like(request: Request, model: Annotated[str | None, MODEL] = None) -> Any:
        held = room.shelf.get(model, "caption")
        return await room.unless_left(request, room.called(likeness.of, held, await request.body()))


def _answering(app: FastAPI, room: Room) -> None:
    @app.post("/api/answer", response_model=asking.Answered, responses=WRONG, summary="Answer a question about a story")
    async def answer(request: Request, asked: Annotated[asking.Ask, Body()]) -> Any:
        held = room.shelf.get(asked.model, "answer")
        found = await room.unless_left(request, room.called(held.model, asked.story, asked.question))
        return {"model": held.name, **found.to_dict()}


def _learning(app: FastAPI, room: Room) -> None:
    @app.post("/api/mechanism", response_model=asking.Stages, responses=WRONG, summary="Looks, stage by stage")
    async def mechanism(request: Request, asked: Mechanism) -> Any:
        return await room.unless_left(request, room.called(stages, asked))

    @app.post(
        "/api/plane", response_model=asking.Plane, responses=WRONG, summary="Queries and keys in the plane: the map W"
    )
    async def plane(request: Request, asked: Turn) -> Any:
        held = room.shelf.get(asked.model, "translate")
        return await room.unless_left(request, room.called(turned, held, asked.text))

    @app.get("/api/sentence", response_model=asking.Sentence, summary="A fresh sentence of the practice language")
    async def sentence(
        words: Annotated[int, Query(ge=3, le=40, description="How many words, at most.")] = 9,
        seed: Annotated[int, Query(ge=0, lt=2**31, description="Which one.")] = 0,
    ) -> Any:
        pair = await room.called(Korean(seed).pair, 0, min(words, 5), words)
        return {"source": pair.source, "target": pair.target}

    @app.get(
        "/api/others", response_model=asking.Fitting, responses=WRONG, summary="Other words for a practice sentence"
    )
    async def fitting(
        text: Annotated[str, Query(max_length=1000, description="The sentence.")],
        word: Annotated[int, Query(ge=0, le=500, description="The word's place, from 0.")],
    ) -> Any:
        return (await room.called(others, text, word))._asdict()

    @app.get("/api/scene", response_model=asking.Drawn, responses={422: WRONG[422]}, summary="A fresh practice picture")
    async def scene(
        seed: Annotated[int, Query(ge=0, lt=2**31, description="Which one.")] = 0,
        objects: Annotated[int, Query(ge=1, le=4, description="How many things, at most.")] = 3,
    ) -> Any:
        return await room.called(lambda: drawn(Scenes(seed).scene(0, objects=(1, objects))))

    @app.post(
        "/api/scene", response_model=asking.Drawn, responses=WRONG, summary="A practice picture with a thing moved"
    )
    async def move(asked: Move) -> Any:
        return await room.called(lambda: drawn(asked.made()))


def _comparing(app: FastAPI, room: Room) -> None:
    graphs = Graphs()

    @app.post(
        "/api/compare", response_model=asking.Compared, responses=WRONG, summary="BLEU by length of several models"
    )
    async def compare(request: Request, asked: Compare) -> Any:
        held = [room.shelf.get(name, "translate") for name in dict.fromkeys(asked.models)]
        return await room.unless_left(request, room.stoppable(asked.sentences, compared, held, asked))

    @app.get("/api/graph", response_model=asking.Graph, responses=WRONG, summary="A graph, and whom its nodes look at")
    async def graph(
        request: Request,
        model: Annotated[str | None, MODEL] = None,
        node: Annotated[str | None, Query(max_length=200, description="Only what is near this node.")] = None,
        layer: Annotated[int, Query(ge=-64, le=64, description="From 0; -1 is the last.")] = -1,
        steps: Annotated[int, Query(ge=1, le=3, description="How far around the node.")] = 1,
    ) -> Any:
        held = room.shelf.get(model, "graph")
        return await room.unless_left(request, room.called(graphs.seen, held, node, layer, steps))


def _teaching(app: FastAPI, teacher: Teacher) -> None:
    @app.get("/api/demo", response_model=asking.Learning, summary="Whether the demo's models are being trained")
    async def learning() -> Any:
        return {"learning": teacher.learning}

    @app.post("/api/demo", responses=WRONG, summary="Train the demo's models, told line by line")
    async def demo(asked: Teach) -> StreamingResponse:
        """Server-sent events: `line` with what the demo says, then `done`; or `wrong` with what is wrong.

        It goes on when its listener leaves; whoever asks for the same then hears it from its beginning.
        """
        if teacher.learning not in (None, asked.what):
            raise Busy
        lines = teacher.lines(asked)

        async def events() -> AsyncIterator[str]:
            try:
                async for line in lines:
                    yield _event("line", {"text": line})
                yield _event("done", {})
            except ValueError as error:
                yield _event("wrong", {"error": str(error)})

        return StreamingResponse(events(), media_type="text/event-stream")


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _say_what_is_wrong(app: FastAPI) -> None:
    def line(status: int, text: str, **headers: str) -> JSONResponse:
        return JSONResponse({"error": " ".join(text.split())}, status, headers)

    @app.exception_handler(ValueError)
    async def does_not_fit(_: Request, error: ValueError) -> Response:
        return line(400, str(error))

    @app.exception_handler(LookupError)
    async def not_there(_: Request, error: LookupError) -> Response:
        return line(404, str(error.args[0] if error.args else error))

    @app.exception_handler(RequestValidationError)
    async def wrong_field(_: Request, error: RequestValidationError) -> Response:
        found = error.errors()[0]
        where = ".".join(str(part) for part in found["loc"] if part != "body")
        return line(422, f"{where or 'body'}: {found['msg']}")

    @app.exception_handler(HTTPException)
    async def no_such_page(_: Request, error: HTTPException) -> Response:
        return line(error.status_code, str(error.detail), **(error.headers or {}))

    @app.exception_handler(Busy)
    async def busy(_: Request, __: Busy) -> Response:
        return line(503, "too many wait; come back in a moment", **{"retry-after": "1"})

    @app.exception_handler(TimeoutError)
    async def too_long(_: Request, __: TimeoutError) -> Response:
        return line(504, TOO_LONG)

    @app.exception_handler(Left)
    async def left(_: Request, __: Left) -> Response:
        return Response(status_code=499)
