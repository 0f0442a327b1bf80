"""The studio's API on a real port: what it answers, and that nothing brings it down."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import shutil
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image
from tests.systems.trained import train

import jumok
from jumok.data.korean import Korean
from jumok.studio import Limits, Shelf
from jumok.studio.batching import Batcher
from jumok.studio.limits import Busy
from jumok.studio.room import Room
from jumok.viewing import AttentionMap
from studio.conftest import Client, Start

TEXTS = [pair.source for pair in Korean(9).pairs(6, max_words=7)]


def picture(width: int = 40, height: int = 30) -> bytes:
    content = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (height, width, 3), np.uint8)).save(content, "PNG")
    return content.getvalue()


def test_it_says_what_it_serves(client: Client) -> None:
    assert client.ask("/api/health").json["status"] == "ok"
    served = client.ask("/api/models").json["models"]
    assert [(one["name"], one["kind"], one["attention"]) for one in served] == [
        ("attending", "translate", True),
        ("plain", "translate", False),
        ("captioner", "caption", True),
        ("answerer", "answer", True),
        ("classifier", "graph", True),
    ]
    assert served[0]["domain"] == "practice: korean"


def test_a_translation_is_that_of_the_library(client: Client, models: dict[str, Path]) -> None:
    expected = [
        [one.to_dict() for one in best] for best in jumok.load(models["attending"]).n_best(TEXTS, beam=3, n_best=2)
    ]
    found = client.ask("/api/translate", {"texts": TEXTS, "beam": 3, "n_best": 2}).json
    assert found["model"] == "attending"
    assert [[one["text"] for one in best] for best in found["results"]] == [
        [one["text"] for one in best] for best in expected
    ]
    look = AttentionMap.from_dict(found["results"][0][0]["attention"])
    np.testing.assert_allclose(look.weights, AttentionMap.from_dict(expected[0][0]["attention"]).weights, atol=1e-4)


def test_empty_texts_prefixes_and_models_without_attention(client: Client) -> None:
    found = client.ask("/api/translate", {"texts": ["", TEXTS[0]], "model": "plain"}).json["results"]
    assert found[0][0]["text"] == ""
    assert found[1][0]["attention"] is None
    begun = client.ask("/api/translate", {"texts": [TEXTS[0]], "prefixes": ["I"]}).json["results"]
    assert begun[0][0]["tokens"][0] == "▁I"
    unseen = client.ask("/api/translate", {"texts": ["쀍 " + TEXTS[0]], "attention": False}).json["results"]
    assert "쀍" in unseen[0][0]["unknown"]


def test_words_come_as_they_are_decoded(client: Client) -> None:
    reply = client.ask("/api/translate/stream", {"text": TEXTS[0], "beam": 2})
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [block.split("\n") for block in reply.body.decode().strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    assert names == ["step"] * (len(names) - 1) + ["done"]
    last = json.loads(events[-1][1].removeprefix("data: "))
    assert last["text"] == client.ask("/api/translate", {"texts": [TEXTS[0]], "beam": 2}).json["results"][0][0]["text"]
    assert last["attention"]["jumok"] == "attention-map"


def test_attention_is_edited(client: Client) -> None:
    first = client.ask("/api/translate", {"texts": [TEXTS[0]], "beam": 1}).json["results"][0][0]
    columns = len(first["attention"]["columns"])
    weights = {"1": [1.0] + [0.0] * (columns - 1)}
    asked = {"text": TEXTS[0], "tokens": first["tokens"][:1], "weights": weights, "beam": 1}
    found = client.ask("/api/translate/edit", asked).json["results"][0][0]
    assert found["tokens"][0] == first["tokens"][0]
    assert found["attention"]["weights"][0][0][1] == weights["1"]
    assert client.ask("/api/translate/edit", asked | {"weights": {"0": [1.0]}}).status == 400
    assert client.ask("/api/translate/edit", asked | {"model": "plain"}).status == 400


def test_a_picture_is_described(client: Client) -> None:
    found = client.ask("/api/caption?beam=2&n_best=2", body=picture()).json["results"][0]
    assert len(found) == 2
    assert found[0]["attention"]["grid"]
    assert "not a picture" in client.ask("/api/caption", body=b"nothing").json["error"]
    assert client.ask("/api/caption", body=picture(1, 1)).status == 400
    assert client.ask("/api/caption", body=b"").status == 400
    bomb = Image.new("1", (30000, 30000))
    content = io.BytesIO()
    bomb.save(content, "PNG")
    assert client.ask("/api/caption", body=content.getvalue()).status == 400


def test_a_question_is_answered(client: Client) -> None:
    story = ["Nora went to the attic.", "Owen went to the cellar."]
    found = client.ask("/api/answer", {"story": story, "question": "Where is Nora?"}).json
    assert found["answer"] in found["candidates"]
    assert found["attention"]["columns"][:2] == story
    assert "none of its words" in client.ask("/api/answer", {"story": story, "question": "쀍?"}).json["error"]


def test_a_graph_is_drawn_whole_and_around_a_node(client: Client) -> None:
    whole = client.ask("/api/graph").json
    assert (len(whole["nodes"]), whole["layers"], whole["svg"][:4]) == (34, 2, "<svg")
    part = client.ask("/api/graph?node=9&layer=0").json
    assert {"9", "3"} <= {one["name"] for one in part["nodes"]}
    assert len(part["nodes"]) < 34
    assert client.ask("/api/graph?node=nobody").status == 400
    assert client.ask("/api/graph?layer=7").status == 400


def test_models_are_compared_by_length_on_the_same_sentences(client: Client) -> None:
    found = client.ask("/api/compare", {"models": ["attending", "plain"], "sentences": 9}).json
    assert found["sentences"] == 9
    assert [row["length"] for row in found["rows"]["plain"]] == [row["length"] for row in found["rows"]["attending"]]
    assert found["svg"].count("attending") >= 1
    assert client.ask("/api/compare", {"models": ["captioner"]}).status == 404


def test_one_look_is_computed_stage_by_stage(client: Client) -> None:
    asked = {"queries": [[1.0, 0.0]], "keys": [[1.0, 0.0], [0.0, 1.0]], "values": [[2.0], [4.0]]}
    found = client.ask("/api/mechanism", asked).json
    first = np.e / (np.e + 1)
    assert found["scores"] == [[1.0, 0.0]]
    np.testing.assert_allclose(found["weights"], [[first, 1 - first]], rtol=1e-5)
    np.testing.assert_allclose(found["context"], [[2 * first + 4 * (1 - first)]], rtol=1e-5)
    assert client.ask("/api/mechanism", asked | {"queries": [[1.0]]}).status == 400
    assert client.ask("/api/mechanism", asked | {"values": [[1.0]]}).status == 422
    assert "never negative" in client.ask("/api/mechanism", asked | {"normalize": "sum"}).json["error"]


def test_each_query_looks_through_its_own_window(client: Client) -> None:
    asked = {"queries": [[1.0], [1.0]], "keys": [[1.0]] * 4, "values": [[1.0], [2.0], [3.0], [4.0]], "width": 1}
    near = client.ask("/api/mechanism", asked | {"window": "local_m"}).json
    assert near["allowed"] == [[True, True, False, False], [True, True, True, False]]
    np.testing.assert_allclose(near["weights"], [[1 / 2, 1 / 2, 0, 0], [1 / 3, 1 / 3, 1 / 3, 0]], rtol=1e-6)
    guessed = client.ask("/api/mechanism", asked | {"window": "local_p"}).json
    for allowed, weights in zip(guessed["allowed"], guessed["weights"], strict=True):
        assert [weight > 0 for weight in weights] == allowed
    best = client.ask("/api/mechanism", asked | {"select": "top_k", "k": 1}).json
    assert best["weights"] == [[1.0, 0.0, 0.0, 0.0]] * 2


@pytest.mark.parametrize("select", ["hard", "straight_through", "gumbel"])
def test_drawn_looks_near_their_probabilities_and_one_more_keeps_those_before(client: Client, select: str) -> None:
    asked = {"queries": [[1.0, 0.0]], "keys": [[1.0, 0.0], [0.0, 1.0]], "values": [[2.0], [4.0]], "select": select}
    many = client.ask("/api/mechanism", asked | {"draws": 1000}).json
    assert many["counts"][0][0] / 1000 == pytest.approx(np.e / (np.e + 1), abs=0.05)
    assert sum(many["weights"][0]) == pytest.approx(1.0)
    few, more = (client.ask("/api/mechanism", asked | {"draws": draws}).json["counts"][0] for draws in (20, 21))
    assert sorted(now - before for before, now in zip(few, more, strict=True)) == [0, 1]


def test_in_the_plane_of_the_queries_scores_are_true(start: Start, tmp_path: Path) -> None:
    folder = train(tmp_path / "general", model__preset="luong-general", model__decoder__output="attentional")
    model = jumok.load(folder)
    client = start(folder)
    assert [one["plane"] for one in client.ask("/api/models").json["models"]] == ["general"]
    found = client.ask("/api/plane", {"text": TEXTS[0]}).json
    assert found["score"] == "general"
    look = model(TEXTS[0]).attention
    for step, weights in zip(found["steps"], look.weights[-1].mean(0), strict=False):
        np.testing.assert_allclose(step["weights"], weights, atol=1e-4)
        np.testing.assert_allclose(np.array(step["keys"]) @ step["turned"], step["scores"], atol=1e-3)
        scores = np.exp(np.array(step["scores"]) - max(step["scores"]))
        np.testing.assert_allclose(scores / scores.sum(), step["weights"], atol=1e-3)
        if step["query"] is not None:
            np.testing.assert_allclose(np.array(step["keys"]) @ step["query"], step["raw_scores"], atol=1e-3)


def test_other_scores_have_no_plane(client: Client) -> None:
    assert "dot or general" in client.ask("/api/plane", {"model": "attending", "text": TEXTS[0]}).json["error"]
    assert client.ask("/api/plane", {"model": "captioner", "text": TEXTS[0]}).status == 404


def test_a_picture_unlike_the_training_is_told_from_one_like_it(client: Client) -> None:
    scene = base64.b64decode(client.ask("/api/scene?seed=5&objects=1").json["picture"])
    noise = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)).save(noise, "PNG")
    like, unlike = (client.ask("/api/likeness", body=body).json for body in (scene, noise.getvalue()))
    assert unlike["unlike"] is True
    assert like["distance"] < unlike["distance"] / 2
    assert client.ask("/api/likeness", body=b"no picture").status == 400


def test_practice_sentences_and_pictures_are_drawn_by_their_seed(client: Client) -> None:
    one, same, other = (client.ask(f"/api/sentence?seed={seed}").json for seed in (1, 1, 2))
    assert one == same != other
    scene = client.ask("/api/scene?seed=3").json
    assert Image.open(io.BytesIO(base64.b64decode(scene["picture"]))).size == (256, 256)
    moved = client.ask("/api/scene", {"scene": scene["scene"], "thing": 0, "x": 0.0, "y": 1.0}).json
    assert moved["things"][0]["x"] < 0.5 < moved["things"][0]["y"]
    assert moved["picture"] != scene["picture"]
    for wrong in ({"thing": 3}, {"scene": {}}, {"scene": {"setting": 3}}, {"x": 2}):
        asked = {"scene": scene["scene"], "thing": 0, "x": 0.5, "y": 0.5} | wrong
        assert client.ask("/api/scene", asked).status in (400, 422), wrong


def test_other_words_fit_and_none_are_made_up(client: Client) -> None:
    def others(text: str, word: int) -> Any:
        return client.ask(f"/api/others?{urlencode({'text': text, 'word': word})}").json

    found = others("나는 어제 시장에서 사과를 샀다.", 3)
    assert (found["first"], found["end"]) == (3, 4)
    assert found["words"]
    assert all(word.endswith(("을", "를")) for word in found["words"])
    assert others("형은 체스를 둘 것이다.", 2)["end"] == 4
    assert others("나는 어제 시장에서 사과를 샀다.", 1)["words"] == []
    assert "there is no word 9" in others("나는 왔다.", 9)["error"]


def test_the_page_and_its_parts_are_served_and_nothing_else(client: Client) -> None:
    page = client.ask("/").body.decode()
    parts = [part.split('"')[0] for part in page.split('="/page/')[1:]]
    assert parts
    for part in (*parts, "colours.js", "words.js"):
        assert client.ask(f"/page/{part}").status == 200, part
    for path in ("/page/../app.py", "/page/%2e%2e%2fapp.py", "/page/app.py", "/page/"):
        assert client.ask(path).status == 404, path


@pytest.mark.parametrize(
    ("path", "data", "status", "line"),
    [
        ("/api/translate", {"texts": []}, 422, "texts"),
        ("/api/translate", {"texts": ["a"], "beam": 0}, 422, "beam"),
        ("/api/translate", {"texts": ["a"], "n_best": 9}, 422, "cannot come from a beam"),
        ("/api/translate", {"texts": ["a"], "file": "/etc/passwd"}, 422, "file"),
        ("/api/translate", {"texts": ["a"], "model": "attendign"}, 404, "did you mean 'attending'"),
        ("/api/translate", {"texts": ["a"], "model": "../../etc"}, 404, "unknown model"),
        ("/api/translate", {"texts": ["가" * 20_001]}, 422, "too many"),
        ("/api/translate", {"texts": ["가 " * 2_500]}, 400, "at most 2,000"),
        ("/api/translate", {"texts": ["a"] * 65}, 422, "texts"),
        ("/api/translate", {"texts": [3]}, 422, "texts.0"),
        ("/api/translate", ["a"], 422, "body"),
        ("/api/translate/stream", {"text": "가 " * 2_500}, 400, "at most 2,000"),
        ("/api/translate/edit", {"text": "a", "weights": {"-1": [1]}}, 422, "weights"),
        ("/api/translate/edit", {"text": "a", "tokens": ["<end>"]}, 400, "end"),
        ("/api/answer", {"story": [" "], "question": "Where is Nora?"}, 400, "empty"),
        ("/api/nothing", {}, 404, "Not Found"),
    ],
)
def test_bad_input_is_one_line(client: Client, path: str, data: Any, status: int, line: str) -> None:
    reply = client.ask(path, data)
    assert (reply.status, line in reply.json["error"]) == (status, True), reply
    assert "\n" not in reply.json["error"]
    assert client.ask("/api/health").status == 200


def test_bodies_that_are_no_json_or_too_large_or_never_end(start: Start) -> None:
    client = start("attending", limits=Limits(body_bytes=1000, body_seconds=0.5))
    assert client.ask("/api/translate", body=b"{").status == 422
    assert client.ask("/api/translate", body=b"\xff\xfe", **{"content-type": "application/json"}).status in (400, 422)
    assert client.ask("/api/translate", body=b" " * 2000).status == 413
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as long:
        chunk = b"258\r\n" + b" " * 600 + b"\r\n"
        long.sendall(
            b"POST /api/translate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + 2 * chunk
        )
        assert long.recv(4096).startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as half:
        half.sendall(b"POST /api/translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{")
        assert half.recv(4096).startswith(b"HTTP/1.1 408")
    assert client.ask("/api/health").status == 200


def test_only_pages_of_its_own_may_ask(client: Client) -> None:
    assert client.ask("/api/health", host="evil.example").status == 421
    assert client.ask("/api/health", origin="http://evil.example").status == 403
    assert client.ask("/api/health", origin=f"http://127.0.0.1:{client.port}").status == 200
    reply = client.ask("/api/health")
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_with_a_token_nobody_asks_without_it(start: Start) -> None:
    client = start("attending", token="secret")
    assert client.ask("/api/health").status == 401
    assert client.ask("/api/health?token=wrong").status == 401
    assert client.ask("/api/health?token=secret").status == 200
    assert client.ask("/api/health", authorization="Bearer secret").status == 200
    assert client.ask("/api/health", cookie="a=b; jumok-token=secret").status == 200


def test_many_at_once_go_together_and_each_gets_its_own(client: Client, models: dict[str, Path]) -> None:
    expected = dict(zip(TEXTS, (one.text for one in jumok.load(models["plain"])(TEXTS, beam=1)), strict=True))

    def ask(text: str) -> tuple[str, str]:
        found = client.ask("/api/translate", {"texts": [text], "model": "plain", "beam": 1, "attention": False}).json
        return text, found["results"][0][0]["text"]

    with ThreadPoolExecutor(24) as pool:
        for text, found in pool.map(ask, TEXTS * 20):
            assert found == expected[text]
    sizes = client.room.batcher(client.room.shelf.get("plain", "translate")).sizes  # type: ignore[attr-defined]
    assert max(sizes) > 3


def test_when_too_many_wait_the_next_are_sent_away(start: Start) -> None:
    client = start("attending", limits=Limits(waiting=4))
    reply = client.ask("/api/translate", {"texts": TEXTS})
    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert client.ask("/api/translate", {"texts": TEXTS[:4]}).status == 200


def test_who_hangs_up_stops_the_decoding(client: Client) -> None:
    text = " ".join(TEXTS * 8)
    data = json.dumps({"texts": [text], "beam": 16, "n_best": 16}).encode()
    with socket.create_connection(("127.0.0.1", client.port)) as asker:
        head = "POST /api/translate HTTP/1.1", "Host: localhost", "Content-Type: application/json"
        asker.sendall("\r\n".join((*head, f"Content-Length: {len(data)}", "", "")).encode() + data)
        time.sleep(0.3)
    assert client.ask("/api/translate", {"texts": TEXTS[:1]}).status == 200


@pytest.mark.slow
def test_the_demo_runs_from_the_page_and_its_models_are_served(
    start: Start, models: dict[str, Path], tmp_path: Path
) -> None:
    """Models of an earlier demo are not trained again, so that it is soon over."""
    for name, made in (("attending", "with-attention"), ("plain", "without-attention")):
        shutil.copytree(models[name], tmp_path / made)
    client = start(demo=tmp_path)
    assert client.ask("/api/translate", {"texts": TEXTS[:1]}).status == 404
    events = client.ask("/api/demo", {"what": "translation", "fast": True}).body.decode()
    assert "It has learned before" in events
    assert events.rstrip().endswith("event: done\ndata: {}")
    assert [one["name"] for one in client.ask("/api/models").json["models"]] == ["with-attention", "without-attention"]
    assert client.ask("/api/translate", {"texts": TEXTS[:1]}).status == 200


def test_work_beside_the_batches_is_bounded_and_stops_where_its_asker_leaves() -> None:
    async def both() -> tuple[bool, int]:
        room = Room(Shelf(), Limits(calls=1))
        steps = 0

        def work(gone: Any) -> None:
            nonlocal steps
            while not gone():
                steps += 1
                time.sleep(0.005)

        task = asyncio.create_task(room.stoppable(1, work))
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await room.called(int)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0.05)
        until = steps
        await asyncio.sleep(0.1)
        room.close()
        return steps == until, await Room(Shelf(), Limits(calls=1)).called(int)

    assert asyncio.run(both()) == (True, 0)


def test_a_stream_that_takes_too_long_says_so(start: Start, models: dict[str, Path]) -> None:
    client = start("attending", limits=Limits(seconds=0.3))
    slow = client.room.shelf.get(None, "translate").model  # type: ignore[attr-defined]
    quick = slow.stream

    def stream(*given: Any, **named: Any) -> Any:
        for step in quick(*given, **named):
            time.sleep(0.2)
            yield step

    slow.stream = stream
    events = client.ask("/api/translate/stream", {"text": TEXTS[0]}).body.decode()
    assert events.rstrip().endswith('event: wrong\ndata: {"error": "it took too long; give less at once"}')


def test_the_document_of_the_api_names_every_route(client: Client) -> None:
    document = client.ask("/api/openapi.json").json
    assert set(document["paths"]) == {
        "/api/health",
        "/api/models",
        "/api/translate",
        "/api/translate/stream",
        "/api/translate/edit",
        "/api/caption",
        "/api/answer",
        "/api/graph",
        "/api/compare",
        "/api/mechanism",
        "/api/plane",
        "/api/likeness",
        "/api/sentence",
        "/api/scene",
        "/api/others",
        "/api/demo",
    }


def test_a_batch_waits_for_company_and_one_bad_item_spoils_no_other() -> None:
    batches: list[list[int]] = []

    def run(items: Any, gone: Any) -> list[int]:
        batches.append(list(items))
        if 13 in items:
            raise ValueError("unlucky")
        return [2 * item for item in items]

    async def several() -> list[Any]:
        with ThreadPoolExecutor(1) as pool:
            batcher: Batcher[int, int] = Batcher(run, pool, Limits(together=8, waiting=10))
            asked = [batcher.ask([item]) for item in (1, 13, 5)]
            found = await asyncio.gather(*asked, return_exceptions=True)
            with pytest.raises(Busy):
                await batcher.ask(list(range(11)))
            batcher.close()
            return found

    found = asyncio.run(several())
    assert (found[0], found[2]) == ([2], [10])
    assert str(found[1]) == "unlucky"
    assert batches[0] == [1, 13, 5]


def test_whoever_is_cancelled_is_told_to_the_work() -> None:
    seen: list[set[int]] = []

    def run(items: Any, gone: Any) -> list[int]:
        deadline = time.monotonic() + 5
        while not gone() and time.monotonic() < deadline:
            time.sleep(0.01)
        seen.append(set(gone()))
        return list(items)

    async def cancelled() -> list[int]:
        with ThreadPoolExecutor(1) as pool:
            batcher: Batcher[int, int] = Batcher(run, pool)
            stays, leaves = (asyncio.create_task(batcher.ask([item])) for item in (1, 2))
            await asyncio.sleep(0.1)
            leaves.cancel()
            found = await stays
            batcher.close()
            return found

    assert asyncio.run(cancelled()) == [1]
    assert seen == [{1}]
