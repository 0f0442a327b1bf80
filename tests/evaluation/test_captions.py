"""Caption scores: they are pycocoevalcap's, whose values stand beside in `captions.json`."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from jumok.evaluation import (
    CaptionBleu,
    CiderD,
    DocumentFrequencies,
    caption_bleu,
    caption_scores,
    cider_d,
    compare,
    meteor,
    ptb_tokens,
    rouge_l,
)

KNOWN: dict[str, Any] = json.loads((Path(__file__).parent / "captions.json").read_text("utf-8"))
OUTPUTS = [picture["output"] for picture in KNOWN["pictures"]]
REFERENCES = [picture["references"] for picture in KNOWN["pictures"]]


def test_text_is_cut_as_the_challenge_cuts_it() -> None:
    for picture in KNOWN["pictures"]:
        texts = [picture["output"], *picture["references"]]
        assert [" ".join(ptb_tokens(text)) for text in texts] == picture["words"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He can't, won't and SHOULDN'T!", "he ca n't wo n't and should n't"),
        ("the kids' dog's o'clock", "the kids dog 's o'clock"),
        ("black/white, well-known; A & B: 1,000 at 5:30", "black/white well-known a & b 1,000 at 5:30"),
        ("(small) [big]", "-lrb- small -rrb- -lsb- big -rsb-"),
        ("“don’t” …", "do n't"),
        ("Texas A&amp;M in the U.S. at 7 a.m.", "texas a&m in the u.s. at 7 a.m."),
        ("wait!! really?!", "wait !! really ?!"),
        ("빨간 공이, 집 왼쪽에 있다.", "빨간 공이 집 왼쪽에 있다"),
        ("", ""),
    ],
)
def test_contractions_and_marks(text: str, words: str) -> None:
    assert " ".join(ptb_tokens(text)) == words


def test_scores_are_those_of_pycocoevalcap() -> None:
    scores = {score.name: score for score in caption_scores(OUTPUTS, REFERENCES)}
    for name, value in KNOWN["values"].items():
        if name != "METEOR":
            assert scores[name].value == pytest.approx(100 * value, abs=1e-6)
    assert scores["BLEU-4 without brevity penalty"].value > scores["BLEU-4"].value
    assert scores["length ratio"].value < 100
    assert all(score.signature.startswith("nrefs:var|case:lc|tok:ptb") for score in scores.values())


def test_marks_count_as_words_if_asked() -> None:
    outputs, references = ["a dog runs ."], [["a dog jumps .", "a cat, runs ."]]
    assert CaptionBleu(1)(outputs, references).value == pytest.approx(100)
    assert CaptionBleu(2)(outputs, references).value == pytest.approx(100 * (1 / 2) ** (1 / 2))  # a dog
    counted = CaptionBleu(2, marks=True)(outputs, references)
    assert counted.value == pytest.approx(100 * (2 / 3) ** (1 / 2))  # a dog, runs .
    assert counted.name == "BLEU-2, marks counted"
    assert counted.signature == "nrefs:2|case:lc|tok:space|order:2|brevity:yes"
    whole = CaptionBleu(4, marks=True)(["a dog runs"], ["a dog runs ."])
    assert whole.value < caption_bleu(["a dog runs fast"], ["a dog runs fast ."]).value == pytest.approx(100)


def test_one_metric_alone_gives_the_same() -> None:
    together = {score.name: score for score in caption_scores(OUTPUTS, REFERENCES, interval=True)}
    for metric in (*(CaptionBleu(order, brevity) for order in (1, 4) for brevity in (True, False)), rouge_l, cider_d):
        alone = metric(OUTPUTS, REFERENCES, interval=True)
        assert alone == together[alone.name]
        assert alone.low is not None
        assert alone.high is not None
        assert alone.low <= alone.value <= alone.high


def test_a_reference_scores_highest_and_an_empty_caption_nothing() -> None:
    right = [texts[0] for texts in REFERENCES]
    for metric in (caption_bleu, rouge_l, cider_d):
        assert metric(right, REFERENCES).value > metric(OUTPUTS, REFERENCES).value
        assert metric([""] * len(right), REFERENCES).value == pytest.approx(0, abs=1e-6)
    assert rouge_l(right, REFERENCES).value == pytest.approx(100)
    assert caption_bleu(right, REFERENCES).value == pytest.approx(100)
    assert cider_d(right, [[text] for text in right]).value == pytest.approx(1000)
    assert compare(right, OUTPUTS, REFERENCES, metric=cider_d).low > 0


def test_the_order_of_pictures_changes_nothing() -> None:
    back = caption_scores(OUTPUTS[::-1], REFERENCES[::-1])
    for one, other in zip(caption_scores(OUTPUTS, REFERENCES), back, strict=True):
        assert one.value == pytest.approx(other.value)


def test_frequencies_are_kept(tmp_path: Path) -> None:
    frequencies = DocumentFrequencies.of(REFERENCES)
    frequencies.save(tmp_path / "idf.json")
    kept = DocumentFrequencies.load(tmp_path / "idf.json")
    assert (kept.pictures, dict(kept.counts)) == (frequencies.pictures, dict(frequencies.counts))
    assert CiderD(kept)(OUTPUTS, REFERENCES).value == cider_d(OUTPUTS, REFERENCES).value
    alone = CiderD(kept)(OUTPUTS[:1], REFERENCES[:1])
    assert alone.value > 10 > cider_d(OUTPUTS[:1], REFERENCES[:1]).value
    assert "idf:12-pictures" in alone.signature
    for content in ("{}", "[]", "not JSON", '{"jumok": "document-frequencies", "version": 2}'):
        (tmp_path / "bad.json").write_text(content)
        with pytest.raises(ValueError, match=r"bad.json: no document frequencies"):
            DocumentFrequencies.load(tmp_path / "bad.json")
    with pytest.raises(ValueError, match="no references"):
        DocumentFrequencies.of([])


def test_bad_input_is_one_line() -> None:
    with pytest.raises(ValueError, match="order must be from 1 to 4, not 5"):
        CaptionBleu(5)
    with pytest.raises(ValueError, match="2 outputs, but 1 references"):
        caption_scores(["a", "b"], [["a"]])


def test_meteor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install pycocoevalcap$"):
        meteor(["a"], ["a"])


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for Java and for the package, whose answers the test writes."""

    class Found:
        submodule_search_locations = (str(tmp_path),)

    (tmp_path / "meteor").mkdir()
    program = tmp_path / "java"
    monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: Found())
    monkeypatch.setattr("jumok.evaluation.java_meteor.shutil.which", lambda name: str(program))
    return program


def answer(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


def test_meteor_shows_the_error_of_java(java: Path) -> None:
    answer(java, "echo 'Could not reserve enough space' >&2; exit 3")
    with pytest.raises(ValueError, match=r"METEOR failed \(Java's exit code 3\): Could not reserve enough space"):
        meteor(["a dog"], [["a dog", "the dog"]])


def test_meteor_asks_with_words_and_reads_the_last_line(java: Path) -> None:
    answer(java, f"tee -a {java.parent}/asked | sed 's/^SCORE.*/1 2 3/; s/^EVAL.*/0.25\\n0.5/'")
    score = meteor(["A dog."], [["A dog runs!", "The dog"]])
    assert score.value == 50
    asked = (java.parent / "asked").read_text().splitlines()
    assert asked == ["SCORE ||| a dog runs ||| the dog ||| a dog", "EVAL ||| 1 2 3"]
    score = meteor(["A dog ."], [["A ||| dog", "The dog"]], marks=True)
    assert (score.name, score.signature) == ("METEOR, marks counted", "nrefs:2|case:lc|tok:space|version:1.5")
    asked = (java.parent / "asked").read_text().splitlines()
    assert asked[2:] == ["SCORE ||| a | dog ||| the dog ||| a dog .", "EVAL ||| 1 2 3"]


@pytest.mark.slow
def test_meteor_is_that_of_pycocoevalcap() -> None:
    pytest.importorskip("pycocoevalcap")
    assert meteor(OUTPUTS, REFERENCES).value == pytest.approx(100 * KNOWN["values"]["METEOR"], abs=1e-6)
