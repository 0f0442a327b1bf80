"""Text scores: they are sacreBLEU's, with its intervals, and their signatures say how they were made."""

from __future__ import annotations

import math
import random
import sys

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from jumok.evaluation import Metric, Score, bleu, chrf, compare, language_of, paper_bleu, perplexity, ter
from jumok.evaluation.paper import moses
from jumok.evaluation.resampling import resampled

WORDS = (
    "the",
    "a",
    "dog",
    "cat",
    "man",
    "runs",
    "sees",
    "over",
    "old,",
    "house.",
    "it's",
    "don't",
    "(so)",
    "3.5",
    "Then",
)
METRICS = {"bleu": (bleu, BLEU), "chrf": (chrf, CHRF), "ter": (ter, TER)}
PEERS = pytest.mark.parametrize(("metric", "peer"), METRICS.values(), ids=METRICS)


def sentences(count: int, seed: int = 0) -> list[str]:
    dice = random.Random(seed)
    return [" ".join(dice.choice(WORDS) for _ in range(dice.randint(1, 25))) for _ in range(count)]


def worse(texts: list[str], share: float, seed: int = 1) -> list[str]:
    """The texts without a share of their words."""
    dice = random.Random(seed)
    return [" ".join(word for word in text.split() if dice.random() > share) for text in texts]


@PEERS
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.95, 1.0])
def test_scores_are_those_of_sacrebleu(metric: Metric, peer: type, share: float) -> None:
    references = sentences(60)
    outputs = worse(references, share)
    theirs = peer()
    assert metric(outputs, references).value == pytest.approx(theirs.corpus_score(outputs, [references]).score)
    assert metric(outputs, references).signature == str(theirs.get_signature())


@PEERS
def test_short_and_empty_sentences(metric: Metric, peer: type) -> None:
    for outputs, references in (
        ([""], ["a b"]),
        (["a"], [""]),
        (["a b"], ["c d"]),
        (["a b c"], ["a b c"]),
        ([""], [""]),
    ):
        assert metric(outputs, references).value == pytest.approx(peer().corpus_score(outputs, [references]).score)


@PEERS
def test_several_references_and_different_numbers_of_them(metric: Metric, peer: type) -> None:
    first, second = sentences(40), sentences(40, seed=5)
    outputs = worse(first, 0.3)
    both = [list(pair) for pair in zip(first, second, strict=True)]
    theirs = peer()
    assert metric(outputs, both).value == pytest.approx(theirs.corpus_score(outputs, [first, second]).score)
    assert metric(outputs, both).signature.startswith("nrefs:2|")
    some = [texts[:1] if number % 3 else texts for number, texts in enumerate(both)]
    streams = [first, [texts[1] if len(texts) > 1 else None for texts in some]]
    assert metric(outputs, some).value == pytest.approx(peer().corpus_score(outputs, streams).score)
    assert metric(outputs, some).signature.startswith("nrefs:var|")


@PEERS
def test_the_interval_is_sacrebleus(metric: Metric, peer: type) -> None:
    references = sentences(100)
    outputs = worse(references, 0.2)
    ours, bootstrapped = metric(outputs, references, interval=True), peer()
    theirs = bootstrapped.corpus_score(outputs, [references], n_bootstrap=1000)
    assert ours.low is not None
    assert ours.high is not None
    assert ours.low < ours.value < ours.high
    assert (ours.high - ours.low) / 2 == pytest.approx(theirs._ci, rel=0.02)
    assert ours.signature == str(bootstrapped.get_signature())


@PEERS
def test_more_sentences_are_surer(metric: Metric, peer: type) -> None:
    references = sentences(800)
    outputs = worse(references, 0.2)

    def width(count: int) -> float:
        score = metric(outputs[:count], references[:count], interval=True)
        assert score.low is not None
        assert score.high is not None
        return score.high - score.low

    assert width(800) < 0.5 * width(100)


@PEERS
def test_the_order_of_sentences_changes_nothing(metric: Metric, peer: type) -> None:
    references = sentences(50)
    outputs = worse(references, 0.3)
    pairs = list(zip(outputs, references, strict=True))
    random.Random(3).shuffle(pairs)
    mixed = metric([output for output, _ in pairs], [reference for _, reference in pairs])
    assert mixed.value == pytest.approx(metric(outputs, references).value)


def test_resamples_are_sums_over_drawn_sentences() -> None:
    counts = np.arange(30.0).reshape(10, 3)
    drawn = np.random.default_rng(7).choice(10, size=(50, 10))
    np.testing.assert_allclose(resampled(counts, resamples=50, seed=7), counts[drawn].sum(1))


def test_resamples_of_many_sentences_are_made_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(0).random((100, 2))
    at_once = resampled(counts)
    monkeypatch.setattr("jumok.evaluation.resampling._AT_ONCE", 730)
    np.testing.assert_allclose(resampled(counts), at_once)


def test_comparing_a_system_with_a_worse_one() -> None:
    references = sentences(300)
    good, bad, alike = worse(references, 0.1), worse(references, 0.3), worse(references, 0.1, seed=9)
    found = compare(good, bad, references)
    assert found.difference == pytest.approx(bleu(good, references).value - bleu(bad, references).value)
    assert 0 < found.low < found.difference < found.high
    assert found.p < 0.01
    back = compare(bad, good, references)
    assert (back.difference, back.low, back.high, back.p) == pytest.approx(
        (-found.difference, -found.high, -found.low, found.p)
    )
    even = compare(good, alike, references)
    assert even.low < 0 < even.high
    assert even.p > 0.05
    assert compare(good, good, references).p == 1.0
    assert compare(good, bad, references, metric=ter).difference < 0


@pytest.mark.parametrize(
    ("text", "language", "tokenizer"),
    [
        ("나는 어제 공원에서 고양이를 봤다.", "ko", "char"),
        ("昨日、公園で猫を見た。", "ja", "char"),
        ("我昨天在公园看见了一只猫。", "zh", "zh"),
        ("เมื่อวานฉันเห็นแมว", "th", "char"),
        ("Gestern sah ich eine Katze.", None, "13a"),
        ("1 2 3 4 5", None, "13a"),
    ],
)
def test_the_tokenizer_follows_the_language(
    text: str, language: str | None, tokenizer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jumok.evaluation.languages.find_spec", lambda name: None)  # no MeCab
    assert language_of([text]) == language
    assert f"|tok:{tokenizer}|" in bleu([text], [text]).signature
    assert "|tok:char|" in bleu(["x"], ["y"], "kor").signature
    assert bleu([text], [text]).value == pytest.approx(100)


def test_mecab_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    from jumok.evaluation.languages import tokenizer_for

    monkeypatch.setattr("jumok.evaluation.languages.find_spec", lambda name: object())
    assert [tokenizer_for(language) for language in ("ko", "ja")] == ["ko-mecab", "ja-mecab"]


def test_korean_without_mecab_is_scored_by_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumok.evaluation.languages.find_spec", lambda name: None)
    outputs, references = ["나는 고양이를 봤다."], ["나는 어제 고양이를 보았다."]
    theirs = BLEU(tokenize="char").corpus_score(outputs, [references])
    assert bleu(outputs, references).value == pytest.approx(theirs.score)


def test_chinese_ter_counts_characters() -> None:
    assert ter(["我昨天看见猫"], ["我昨天看见狗"]).value == pytest.approx(100 / 6)
    assert "asian:yes" in ter(["我"], ["我"]).signature


def test_paper_bleu_is_of_lower_case_tokenized_text() -> None:
    pytest.importorskip("sacremoses")
    outputs, references = ["Ein Hund läuft, „schnell“ & weit."], ['ein Hund läuft , "schnell" &  weit .']
    assert moses("de")("Ein Hund & ein „T-Shirt“.") == "ein hund &amp; ein &quot; t-shirt &quot; ."
    score = paper_bleu(outputs, references, "de")
    assert score.value == pytest.approx(100)
    assert bleu(outputs, references, "de").value < 60
    assert "|case:lc|" in score.signature
    assert "|tok:moses-de|" in score.signature
    assert "|sacremoses:" in score.signature
    assert paper_bleu(sentences(20), sentences(20, seed=4), "en", interval=True).low is not None


def test_paper_bleu_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="paper BLEU needs the target language"):
        paper_bleu(["ein Hund"], ["ein Hund"])
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    with pytest.raises(ValueError, match=r"pip install sacremoses$"):
        paper_bleu(["ein Hund"], ["ein Hund"], "de")


@pytest.mark.parametrize(
    ("outputs", "references", "said"),
    [
        ([], [], "no outputs"),
        (["a", "b"], ["a"], "2 outputs, but 1 references"),
        (["a"], [[]], "sentence 1 has no reference"),
        (["a", 3], ["a", "b"], "sentence 2: output and references must be text"),
        ("abc", ["a"], "must be lists"),
        (["a"], "a", "must be lists"),
    ],
)
def test_bad_input_is_one_line(outputs: list[str], references: list[str], said: str) -> None:
    for metric in (bleu, chrf, ter):
        with pytest.raises(ValueError, match=said) as error:
            metric(outputs, references)
        assert "\n" not in str(error.value)


def test_a_language_is_a_code() -> None:
    with pytest.raises(ValueError, match="language 'Korean': give a code"):
        bleu(["a"], ["a"], "Korean")


def test_perplexity() -> None:
    assert perplexity(-10 * math.log(5), 10) == pytest.approx(5)
    assert perplexity(0.0, 3) == 1.0
    assert perplexity(-math.inf, 3) == math.inf
    assert perplexity(-1e9, 1) == math.inf
    with pytest.raises(ValueError, match="0 tokens"):
        perplexity(-1.0, 0)
    with pytest.raises(ValueError, match="a loss has the other sign"):
        perplexity(12.0, 3)
    with pytest.raises(ValueError, match="nan"):
        perplexity(math.nan, 3)


def test_a_score_as_text_and_as_plain_values() -> None:
    assert str(Score("BLEU", 12.3456)) == "BLEU 12.35"
    assert str(Score("BLEU", 12.3456, "x", 11, 13)) == "BLEU 12.35 (11.00 to 13.00)"
    assert Score("perplexity", math.inf).to_dict() == {"name": "perplexity", "value": None, "signature": ""}
    assert Score("BLEU", 1.5, "x", 1.0, 2.0).to_dict()["high"] == 2.0
