"""Tokenizers: text comes back exactly, the same text gives the same tokenizer, nothing in a text is a special token."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumok.core.settings import read_settings
from jumok.data.corpora.rows import TextPair
from jumok.data.korean import Korean
from jumok.data.tokenization import Tokenizer, Tokenizers, TokenizerSettings, cached_tokenizers, train_tokenizers
from jumok.data.tokenization.sample import Sample
from jumok.data.tokenization.settings import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)
ODD = "äÖß'’-_.,!?()<>/|▁⁇ⓐ①½٣ا한ㅎᄒ中ひ" + "é\u0301\u0308\u200d\ufe0f\u3000\t\u00a0❤😀👩🏽🔬🇰🇷"
PAIRS = [TextPair(pair.source, pair.target) for pair in Korean(1).pairs(300)]
PRACTICE = [pair.target for pair in PAIRS]
TEXTS = [
    *(side for pair in PAIRS for side in pair),
    *(f"{a}{b}{a} {b}" for a, b in product(ODD, ODD[:12])),
    *("<pad> <s> </s> <unk> < pad >", "▁▁ ▁Haus <pad> Haus", "4,000 Straßen: 3rd") * 20,
]


def settings(kind: Kind, size: int = 1600, **more: object) -> TokenizerSettings:
    return read_settings(TokenizerSettings, {"kind": kind, "size": size, **more}, "tokenizer")


@pytest.fixture(scope="module")
def made() -> Callable[[Kind], Tokenizer]:
    return {kind: Tokenizer.train(TEXTS, settings(kind), "here") for kind in KINDS}.__getitem__


@pytest.mark.parametrize("kind", KINDS)
def test_every_text_that_it_learned_from_comes_back(kind: Kind, made: Callable[[Kind], Tokenizer]) -> None:
    tokenizer = made(kind)
    assert tokenizer.kind == kind
    assert len(tokenizer.tokens(range(tokenizer.size))) == tokenizer.size <= 1600
    for text, ids in zip(TEXTS, tokenizer.encode_batch(TEXTS), strict=True):
        assert tokenizer.decode(ids) == text
        assert min(ids) > Tokenizer.END


KNOWN = sorted({character for text in TEXTS for character in text} - {" "})


@given(st.lists(st.text(KNOWN, min_size=1, max_size=8), max_size=6).map(" ".join))
def test_every_text_of_known_characters_comes_back(made: Callable[[Kind], Tokenizer], text: str) -> None:
    for kind in ("bpe", "unigram", "character"):
        assert made(kind).decode(made(kind).encode(text)) == text


@given(
    st.lists(st.sampled_from(sorted({word for text in TEXTS for word in text.split(" ")})), max_size=12).map(" ".join)
)
def test_every_text_of_known_words_comes_back(made: Callable[[Kind], Tokenizer], text: str) -> None:
    assert made("word").decode(made("word").encode(text)) == text


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_whatever_the_text_the_library_reads_it_the_same_way(made: Callable[[Kind], Tokenizer], text: str) -> None:
    """Words are looked up one by one and remembered; the whole text at once gives the same ids."""
    import tokenizers as library

    for kind in KINDS:
        tokenizer = made(kind)
        whole = library.Tokenizer.from_str(tokenizer.to_json())
        ids = tokenizer.encode(text)
        assert ids == whole.encode(text).ids
        assert not {Tokenizer.PAD, Tokenizer.START, Tokenizer.END} & set(ids)
        if Tokenizer.UNKNOWN not in ids and text:
            assert tokenizer.decode(ids) == (text.removeprefix(" ") if kind == "character" else text)


@given(st.lists(st.text([*KNOWN, "Q", "🦆"], min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join))
def test_each_token_is_a_part_of_its_word(made: Callable[[Kind], Tokenizer], text: str) -> None:
    for kind in KINDS:
        tokenizer = made(kind)
        ids = tokenizer.encode(text)
        words = tokenizer.decode(ids).split(" ")
        numbers = tokenizer.words([Tokenizer.START, *ids, Tokenizer.END, Tokenizer.PAD])
        assert (numbers[0], *numbers[-2:]) == (-1, -1, -1)
        for number, word in enumerate(words):
            own = [id for id, belongs in zip(ids, numbers[1:], strict=False) if belongs == number]
            assert tokenizer.decode(own) == word


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_known_reads_as_a_question(kind: Kind, made: Callable[[Kind], Tokenizer]) -> None:
    tokenizer = made(kind)
    ids = tokenizer.encode("Haus 🦆 Haus")
    assert Tokenizer.UNKNOWN in ids
    assert tokenizer.decode(ids) == "Haus ⁇ Haus"
    assert tokenizer.decode([Tokenizer.START, *ids, Tokenizer.END, Tokenizer.PAD]) == "Haus ⁇ Haus"
    assert tokenizer.encode("") == []
    assert tokenizer.decode([]) == ""


def test_a_word_is_the_same_token_wherever_it_stands(made: Callable[[Kind], Tokenizer]) -> None:
    for kind in ("bpe", "unigram", "word"):
        first, second = (made(kind).tokens(made(kind).encode(text)) for text in ("Haus", "Haus Haus, Haus."))
        assert first == ["▁Haus"]
        assert second == ["▁Haus", "▁Haus", ",", "▁Haus", "."]


@pytest.mark.parametrize("kind", KINDS)
def test_a_tokenizer_is_saved_and_read_again(kind: Kind, made: Callable[[Kind], Tokenizer], tmp_path: Path) -> None:
    tokenizer = made(kind)
    tokenizer.save(tmp_path / "tokenizer.json")
    again = Tokenizer.load(tmp_path / "tokenizer.json")
    assert again.fingerprint() == tokenizer.fingerprint()
    assert again.encode_batch(TEXTS) == tokenizer.encode_batch(TEXTS)
    assert len({made(other).fingerprint() for other in KINDS}) == len(KINDS)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "{}", "\ud800".encode("utf-8", "surrogatepass"), '{"model": 1}']
)
def test_a_damaged_file_is_one_line(content: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=r"tokenizer\.json: is damaged, or no tokenizer of jumok") as caught:
        Tokenizer.load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9, 0.999])
def test_half_a_file_is_one_line(cut: float, made: Callable[[Kind], Tokenizer], tmp_path: Path) -> None:
    text = made("bpe").to_json()
    (tmp_path / "tokenizer.json").write_text(text[: int(len(text) * cut)], encoding="utf-8")
    with pytest.raises(ValueError, match="is damaged"):
        Tokenizer.load(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("kind", ["bpe", "unigram", "word"])
def test_a_file_with_other_content_is_one_line(kind: Kind, made: Callable[[Kind], Tokenizer], tmp_path: Path) -> None:
    whole = json.loads(made(kind).to_json())
    path = tmp_path / "tokenizer.json"
    for name in ("unk_token", "unk_id", "vocab", "type"):
        if name in whole["model"]:
            path.write_text(json.dumps({**whole, "model": {**whole["model"], name: None}}))
            with pytest.raises(ValueError, match="is damaged"):
                Tokenizer.load(path)
    if kind != "unigram":
        last = max(whole["model"]["vocab"], key=whole["model"]["vocab"].get)
        whole["model"]["vocab"][last] += 1
        path.write_text(json.dumps(whole))
        with pytest.raises(ValueError, match="have gaps"):
            Tokenizer.load(path)


def test_a_tokenizer_of_others_is_not_taken_for_ours(tmp_path: Path) -> None:
    import tokenizers as library

    theirs = library.Tokenizer(library.models.BPE({"a": 0, "b": 1}, []))
    theirs.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ValueError, match="no tokenizer of jumok"):
        Tokenizer.load(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_size_that_the_text_does_not_give_names_the_one_that_it_does(kind: Kind) -> None:
    with pytest.raises(
        ValueError, match=r"^here: tokenizer\.size is 80000, but this text gives only \d+ pieces; "
    ) as caught:
        Tokenizer.train(TEXTS, settings(kind, 80000), "here")
    most = int(str(caught.value).rsplit(" ", 1)[1])
    assert Tokenizer.train(TEXTS, settings(kind, most), "here").size == most
    with pytest.raises(ValueError, match=f"only {most} pieces"):
        Tokenizer.train(TEXTS, settings(kind, most + 1), "here")


@pytest.mark.parametrize("kind", ["word", "character"])
def test_words_and_characters_keep_the_most_frequent(kind: Kind) -> None:
    tokenizer = Tokenizer.train(["b b b", "a a", "c", "d"], settings(kind, 16), "here")
    assert tokenizer.size < 16
    few = Tokenizer.train([*"bbbaacdefghijklmnopqr"], settings(kind, 16), "here")
    assert few.size == 16
    assert [few.decode([id]) for id in range(4, 16)] == [*"bacdefghijkl"]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_rare_characters_leave_room_for_pieces(kind: Kind) -> None:
    """Where a text has more characters than half the size, the rarest are unknown, and the size is kept."""
    rare = "".join(chr(code) for code in range(0x4E00, 0x4E80))
    said: list[str] = []
    tokenizer = Tokenizer.train([*PRACTICE * 100, rare], settings(kind, 120), "here", said.append)
    assert tokenizer.size == 120
    assert Tokenizer.UNKNOWN in tokenizer.encode(rare)
    assert tokenizer.decode(tokenizer.encode("the dog and the cat")) == "the dog and the cat"
    assert "rare characters (0.0" in said[0]


def test_frequent_characters_are_known_even_where_there_are_many() -> None:
    """A Korean text has more syllables than a small tokenizer has room for; those that are used stay."""
    korean = [pair.source for pair in PAIRS]
    syllables = len({character for text in korean for character in text})
    tokenizer = Tokenizer.train(korean, settings("bpe", int(syllables * 1.3)), "here")
    unknown = sum(tokenizer.encode(text).count(Tokenizer.UNKNOWN) for text in korean)
    assert unknown <= sum(map(len, korean)) / 5_000


def test_a_text_without_words_is_one_line() -> None:
    with pytest.raises(ValueError, match="here: there is no text to learn a tokenizer from"):
        Tokenizer.train([], settings("bpe"), "here")


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"kind": "unigram", "dropout": 0.1}, "dropout needs kind: bpe; leave it out for kind: unigram"),
        ({"dropout": 1.0}, "dropout"),
        ({"size": 3}, "size"),
        ({"kind": "wordpiece"}, "kind"),
        ({"sizes": 3}, "did you mean 'size'"),
    ],
)
def test_settings_that_make_no_sense_are_one_line(values: dict[str, object], line: str) -> None:
    with pytest.raises(ValueError, match=line) as caught:
        read_settings(TokenizerSettings, values, "tokenizer")
    assert "\n" not in str(caught.value)


FINGERPRINTS = """
import sys
from pathlib import Path
from jumok.data.tokenization import Tokenizer, TokenizerSettings
texts = Path(sys.argv[1]).read_text(encoding="utf-8").split("\\n")
for kind in ("bpe", "unigram", "word", "character"):
    print(Tokenizer.train(texts, TokenizerSettings(kind=kind, size=800), "here").fingerprint())
"""


@pytest.mark.slow
def test_the_same_text_gives_the_same_tokenizer_in_every_process(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("\n".join(side for pair in PAIRS for side in pair), encoding="utf-8")
    outputs = set()
    for seed, threads, parallel in (("0", "1", "true"), ("1", "2", "true"), ("2", "7", "false"), ("3", "3", "")):
        own = {"PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": threads, "TOKENIZERS_PARALLELISM": parallel}
        done = subprocess.run(
            [sys.executable, "-c", FINGERPRINTS, str(text)],
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(set(outputs.pop().split())) == 4


FORKING = """
import os, sys
from jumok.data.tokenization import Tokenizer, TokenizerSettings
texts = ["the cat sat on the mat", "the dog sat on the cat"] * 50
tokenizer = Tokenizer.train(texts, TokenizerSettings(size=30), "here")
expected = tokenizer.encode_batch(texts)
child = os.fork()
if child == 0:
    os._exit(tokenizer.encode_batch([text + "s" for text in texts]) == expected)
sys.exit(os.waitpid(child, 0)[1] or "TOKENIZERS_PARALLELISM" in os.environ)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_processes_that_fork_later_are_not_warned() -> None:
    own = {name: value for name, value in os.environ.items() if name != "TOKENIZERS_PARALLELISM"}
    done = subprocess.run([sys.executable, "-c", FORKING], env=own, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_sample_is_spread_over_the_text_and_the_same_each_time() -> None:
    samples = [Sample(100), Sample(100)]
    for sample in samples:
        for number in range(10_000):
            sample.add(str(number))
    assert samples[0].texts == samples[1].texts
    assert 40 < len(samples[0].texts) <= 100
    assert not samples[0].whole
    taken = [int(text) for text in samples[0].texts]
    assert taken == sorted(taken)
    assert all(any(start <= number < start + 2500 for number in taken) for start in range(0, 10_000, 2500))
    assert {number % 2 for number in taken} == {0, 1}  # both sides of pairs that come by turns


def test_a_part_of_a_long_text_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jumok.data.tokenization.tokenizer.Sample", lambda: Sample(8))
    said: list[str] = []
    Tokenizer.train(["so it goes"] * 20, settings("word"), "here", said.append)
    assert len(said) == 1
    assert "of 20 sentences" in said[0]


@pytest.mark.parametrize("joint", [True, False])
def test_both_sides_are_saved_and_read_again(joint: bool, tmp_path: Path) -> None:
    made = train_tokenizers(PAIRS, settings("bpe", 800, joint=joint), "here")
    assert made.joint is joint
    made.save(tmp_path)
    again = Tokenizers.load(tmp_path)
    assert again.joint is joint
    assert [side.fingerprint() for side in again] == [side.fingerprint() for side in made]
    assert len(list(tmp_path.iterdir())) == (1 if joint else 2)
    for pair in PAIRS:
        assert again.source.decode(again.source.encode(pair.source)) == pair.source
        assert again.target.decode(again.target.encode(pair.target)) == pair.target


def test_the_side_with_too_little_text_is_named() -> None:
    pairs = [TextPair(pair.source, "a b") for pair in PAIRS]
    with pytest.raises(ValueError, match=r"here: target side: tokenizer\.size is 600, but this text gives only"):
        train_tokenizers(pairs, settings("bpe", 600, joint=False), "here")


def test_a_folder_without_tokenizers_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"there is neither tokenizer\.json nor tokenizer\.source\.json"):
        Tokenizers.load(tmp_path)


def test_a_second_run_learns_no_tokenizer(tmp_path: Path) -> None:
    first = cached_tokenizers(PAIRS, "corpus", settings("bpe", 700), tmp_path, "here")
    again = cached_tokenizers([], "corpus", settings("bpe", 700, dropout=0.1), tmp_path, "here")
    assert again.source.fingerprint() == first.source.fingerprint()
    with pytest.raises(ValueError, match="no text"):
        cached_tokenizers([], "another corpus", settings("bpe", 700), tmp_path, "here")
    (broken,) = tmp_path.rglob("tokenizer.json")
    broken.write_text("{")
    assert cached_tokenizers(islice(PAIRS, 300), "corpus", settings("bpe", 700), tmp_path, "here").joint
    assert Tokenizer.load(broken).fingerprint() == first.source.fingerprint()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_unknown_keeps_its_place_and_its_spelling(kind: Kind, made: Callable[[Kind], Tokenizer]) -> None:
    tokenizer = made(kind)
    for text in (PRACTICE[0], '"ᚠᚢ", the ᚦ. (x)', "ᚠ", "", PRACTICE[1]):
        ids, numbers, spelt = tokenizer.encode(text), tokenizer.words_of(text), tokenizer.spelt(text)
        assert len(ids) == len(numbers) == len(spelt)
        assert sorted(set(numbers)) == list(range(len(text.split(" ")) if text else 0))
        if kind in ("word", "character"):
            assert "".join(spelt).replace("▁", " ").strip() == text
        if Tokenizer.UNKNOWN not in ids:
            assert numbers == tokenizer.words(ids)
        assert [tokenizer.ids_of([token])[0] for token in tokenizer.tokens(ids)] == ids
