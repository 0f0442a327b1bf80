"""The translator: text in, text out, with what was looked at; folders that are whole, or one clear line."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.systems.trained import train

import jumok
from jumok.data import Tokenizer
from jumok.data.korean import Korean
from jumok.decoding import Hypothesis
from jumok.systems import Prediction, Translator
from jumok.systems.hub import FILES, brought
from jumok.systems.protecting import PATTERNS, Protection
from jumok.systems.translator import LONGEST_SOURCE

TEXTS = [pair.source for pair in Korean(9).pairs(7, max_words=8)]


def test_a_text_gives_a_prediction_and_a_list_gives_a_list(translator: Translator) -> None:
    one, several = translator(TEXTS[0]), translator(TEXTS)
    assert isinstance(one, Prediction)
    assert [type(each) for each in several] == [Prediction] * len(TEXTS)
    assert one.text == several[0].text == str(one)
    assert one.source == TEXTS[0]
    assert one.score == pytest.approx(sum(one.token_scores), abs=1e-4)


def test_its_attention_is_that_of_its_words(translator: Translator) -> None:
    prediction = translator(TEXTS[1])
    look = prediction.attention
    assert look is prediction.attention
    assert look is not None
    assert look.rows == prediction.tokens
    assert look.columns[-1] == "<end>"
    np.testing.assert_allclose(look.weights.sum(-1), 1, rtol=1e-5)
    words = look.words().without_special()
    assert " ".join(words.columns) == TEXTS[1]
    assert " ".join(words.rows) == prediction.text
    assert json.loads(json.dumps(prediction.to_dict()))["attention"]["version"] == 1


def test_the_n_best_begin_with_the_best(translator: Translator) -> None:
    lists = translator.n_best(TEXTS, beam=4, n_best=3)
    for text, found in zip(TEXTS, lists, strict=True):
        assert len(found) == 3
        assert found[0].text == translator(text, beam=4).text
        ranks = [each.rank_score for each in found if each.finished]
        assert ranks == sorted(ranks, reverse=True)


def test_empty_texts_stay_in_their_places(translator: Translator) -> None:
    found = translator(["", TEXTS[0], "   ", TEXTS[1]])
    assert [bool(each.text) for each in found] == [False, True, False, True]
    assert found[0].attention is None
    assert found[1].text == translator(TEXTS[0]).text


def test_scoring_a_translation_gives_its_score_back(translator: Translator) -> None:
    found = translator(TEXTS)
    for prediction, again in zip(found, translator.score(TEXTS, [each.text for each in found]), strict=True):
        if prediction.finished:
            assert again.score == pytest.approx(prediction.score, abs=1e-3)
            assert again.attention is not None
            assert prediction.attention is not None
            np.testing.assert_allclose(again.attention.weights, prediction.attention.weights, atol=1e-4)
    with pytest.raises(ValueError, match="text 2 is empty"):
        translator.score([TEXTS[0], ""], ["a", "b"])


def test_a_stream_ends_with_what_a_call_gives(translator: Translator) -> None:
    steps = list(translator.stream(TEXTS[2]))
    assert steps[-1].text == translator(TEXTS[2]).text
    assert steps[-1].attention is not None
    assert len(steps) > 2
    assert all(not each.finished for each in steps[:-1])
    assert [each.text for each in translator.stream("")] == [""]


def test_a_prefix_begins_the_translation(translator: Translator) -> None:
    found = translator.n_best(TEXTS[:2], prefixes=["The student", ""])
    assert found[0][0].text.startswith("The student")
    assert found[1][0].text == translator(TEXTS[1]).text
    with pytest.raises(ValueError, match="the model never learned 'zxcv'"):
        translator.n_best(TEXTS[:1], prefixes=["The zxcv"])
    with pytest.raises(ValueError, match="prefixes: 1 for 2 texts"):
        translator.n_best(TEXTS[:2], prefixes=["a"])


def test_one_text_where_several_are_asked_for_is_not_taken_letter_by_letter(translator: Translator) -> None:
    with pytest.raises(ValueError, match="n_best: give a list"):
        translator.n_best(TEXTS[0])
    with pytest.raises(ValueError, match="score: give a list"):
        translator.score(TEXTS[0], "It rained.")


def test_edited_attention_changes_what_follows(translator: Translator) -> None:
    plain = translator(TEXTS[3], beam=2)
    assert plain.attention is not None
    places = len(plain.attention.columns)
    own = {row: plain.attention.matrix[row].tolist() for row in range(len(plain.tokens))}
    same = translator.edited(TEXTS[3], own, beam=2)
    assert same.text == plain.text
    elsewhere = [0.0] * (places - 1) + [1.0]
    edited = translator.edited(TEXTS[3], {1: elsewhere}, tokens=plain.tokens[:1], beam=2)
    assert edited.tokens[0] == plain.tokens[0]
    assert edited.attention is not None
    np.testing.assert_allclose(edited.attention.matrix[0], plain.attention.matrix[0], atol=1e-5)
    np.testing.assert_allclose(edited.attention.matrix[1], elsewhere)
    for weights, complaint in (
        ({0: [1.0]}, "step 0 has 1 numbers"),
        ({-1: elsewhere}, "there is no step -1"),
        ({0: [-1.0, *elsewhere[1:]]}, "not negative"),
    ):
        with pytest.raises(ValueError, match=complaint):
            translator.edited(TEXTS[3], weights)
    assert translator.edited("  ", {}).text == translator("  ").text == ""
    with pytest.raises(ValueError, match="step 0 has 2 numbers"):
        translator.edited("", {0: [0.5, 0.5]})
    with pytest.raises(ValueError, match="no token 'zzz'"):
        translator.edited(TEXTS[3], {}, tokens=["zzz"])


def test_unknown_words_are_named_and_replaced(translator: Translator) -> None:
    text = "zxcv는 사과를 먹었다."
    found = translator(text)
    assert "zxcv는" in found.unknown
    assert translator(TEXTS[0]).unknown == () or set(translator(TEXTS[0]).unknown) <= set(TEXTS[0].split())
    target = translator.tokenizers.target
    assert target.decode([1, 1], ["one", "two"]) == "one two"


def told(translator: Translator, text: str, tokens: list[int], looks: list[list[float]], **more: Any) -> str:
    """What is written for these tokens, each of which looked so at the source's tokens and its end."""
    source = translator.tokenizers.source.encode(text.lower())
    weights = torch.tensor(looks, dtype=torch.float32)[None, None]
    hypothesis = Hypothesis(tokens, 0.0, 0.0, True, [0.0] * len(tokens), weights)
    protected = Protection(more.pop("kinds", ())).taken_from(text)
    return translator._told(protected, source, hypothesis, **more).text


def test_an_unknown_word_is_the_one_that_was_looked_at(translator: Translator) -> None:
    unknown, end = Tokenizer.UNKNOWN, Tokenizer.END
    stop = translator.tokenizers.target.encode("zxcv.")[-1]
    text = "나는 zxcv, qwer."  # tokens: 나는, zxcv, the comma, qwer, the full stop; then the end
    first, second, comma = [0, 1, 0, 0, 0, 0], [0.1, 0, 0, 0.2, 0, 0.7], [0, 0, 1, 0, 0, 0]
    at_end, at_stop = [0, 0, 0, 0, 0, 1.0], [0, 0, 0, 0, 1, 0]
    for looks, wanted in (
        ([first, at_stop, at_end], "zxcv."),
        ([second, at_stop, at_end], "qwer."),
        ([comma, at_stop, at_end], "zxcv."),
        ([at_stop, at_stop, at_end], "qwer."),
        ([at_end, at_stop, at_end], "⁇."),
    ):
        assert told(translator, text, [unknown, stop, end], looks, replace_unknown=True) == wanted
        assert told(translator, text, [unknown, stop, end], looks) == "⁇."
    two = told(translator, text, [unknown, unknown, end], [second, first, at_end], replace_unknown=True)
    assert two == "qwer zxcv"
    assert told(translator, "... .", [unknown, end], [[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]], replace_unknown=True) == "."


def test_what_is_copied_is_as_it_was_written_though_the_model_reads_lower_case(translator: Translator) -> None:
    lower = Translator(translator.machine, translator.tokenizers, lowercase=True)
    tokens, looks = [Tokenizer.UNKNOWN, Tokenizer.END], [[0.9, 0, 0.1], [0, 0, 1.0]]
    assert told(lower, "Kim은 McCoy", tokens, looks, replace_unknown=True) == "Kim은"
    assert told(lower, "{Name} McCoy", tokens, [[1.0, 0, 0, 0, 0]] * 2, kinds=["placeholders"]) == "{Name}"
    assert lower("Kim은 왔다.").source == "kim은 왔다."


@pytest.mark.parametrize(
    "text", ["Ђурђевак и ђак", "ბავშვი თამაშობს", "😀 🎉😀", "漢字、カナ。", "สวัสดี", "\u0301\u0301", "\u200d a"]
)
def test_text_in_a_script_that_it_never_saw_is_translated_to_something(translator: Translator, text: str) -> None:
    plain, replaced = translator(text), translator(text, replace_unknown=True, protection=Protection(PATTERNS))
    assert plain.tokens
    assert plain.attention is not None
    assert plain.attention.columns[-1] == "<end>"
    assert set(plain.unknown) <= set(plain.source.split(" "))
    assert "\n" not in replaced.text
    assert [one.tokens for one in translator([text, TEXTS[0]])] == [plain.tokens, translator(TEXTS[0]).tokens]


def test_numbers_come_through_the_whole_translator(translator: Translator, plain: Path) -> None:
    text, kinds = "나는 3개를 5시에 50% {name}님과 3번 봤다.", Protection(["numbers", "placeholders"])
    for each in (translator, jumok.load(plain)):
        (found,) = each.n_best([text], protection=kinds)[0]
        held = Counter(one.text for one in kinds.taken_from(found.text).held)
        assert not Counter(["3", "5", "50%", "{name}", "3"]) - held


@pytest.mark.parametrize("more", [{}, {"draw": {"seed": 1}}, {"beam": 1}])
def test_something_is_returned_when_nothing_may_follow(translator: Translator, more: dict[str, Any]) -> None:
    found = translator(TEXTS[0], block_ngrams=1, min_length=5000, max_length=6000, **more)
    assert not found.finished
    assert len(set(found.tokens)) == translator.tokenizers.target.size - 3  # all but padding, start and end


def test_what_is_no_text_is_one_line(translator: Translator) -> None:
    for call, complaint in (
        (lambda: translator(5), "give a text or a list of texts, not 5"),
        (lambda: translator([TEXTS[0], 5]), "text 2 is 5, and no text"),
        (lambda: translator(b"a"), "text 1 is b'a', and no text"),
        (lambda: translator.n_best(None), "n_best: give a list, not None"),
        (lambda: translator.score([TEXTS[0]], [None]), "text 1 is None, and no text"),
        (lambda: translator.edited(5, {}), "text 1 is 5, and no text"),
        (lambda: list(translator.stream(5)), "text 1 is 5, and no text"),
        (lambda: translator.n_best(TEXTS[:1], prefixes=[5]), "prefix 5: is no text"),
    ):
        with pytest.raises(ValueError, match=complaint) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_ensembles_need_one_tokenizer(attending: Path, plain: Path, tmp_path: Path) -> None:
    same = Translator.load(attending, attending)
    assert same(TEXTS[0]).text == jumok.load(attending)(TEXTS[0]).text
    assert jumok.load(attending, plain)(TEXTS[0]).attention is not None  # the same data, so the same tokenizers
    other = train(tmp_path / "other", data__train__pairs=80, training__updates=1)
    with pytest.raises(ValueError, match="cuts text into other tokens"):
        Translator.load(attending, other)


def test_a_model_without_attention_translates(plain: Path) -> None:
    found = jumok.load(plain)(TEXTS)
    assert all(each.attention is None for each in found)
    assert any(each.text for each in found)


def test_what_is_too_long_is_refused(translator: Translator) -> None:
    with pytest.raises(ValueError, match=f"text 2 has .* at most {LONGEST_SOURCE:,}"):
        translator([TEXTS[0], "사과 " * (LONGEST_SOURCE + 1)])


def test_a_saved_model_is_the_same(translator: Translator, tmp_path: Path) -> None:
    translator.save_pretrained(tmp_path / "again")
    again = Translator.from_pretrained(tmp_path / "again")
    assert [each.text for each in again(TEXTS)] == [each.text for each in translator(TEXTS)]
    both = Translator.load(tmp_path / "again", tmp_path / "again")
    with pytest.raises(ValueError, match="ensemble cannot be saved"):
        both.save_pretrained(tmp_path / "both")


def test_what_is_known_of_a_model_goes_with_it(attending: Path, tmp_path: Path) -> None:
    """Its recipe and figures are in the card of every copy, and stay in its own folder; unless its weights changed."""
    own = tmp_path / "own"
    shutil.copytree(attending, own)
    files = ("README.md", "recipe.yaml", "scores.json")
    before = [(own / name).read_text("utf-8") for name in files]
    translator = Translator.load(own)
    for folder in (own, tmp_path / "copy"):
        translator.save_pretrained(folder)
        after = [(folder / name).read_text("utf-8") for name in files]
        assert after == [text.replace("attending", folder.name) for text in before]
    Translator.load(tmp_path / "copy").save_pretrained(tmp_path / "third")
    assert "| accuracy |" in (tmp_path / "third" / "README.md").read_text("utf-8")
    with torch.no_grad():
        next(translator.machine.models[0].parameters()).add_(1)
    translator.save_pretrained(own)
    card = (own / "README.md").read_text("utf-8")
    assert "preset: bahdanau" in card
    assert "accuracy" not in card.split("## Recipe")[0]
    made = Translator(translator.machine, translator.tokenizers)
    made.save_pretrained(tmp_path / "made")
    assert "## Recipe" not in (tmp_path / "made" / "README.md").read_text("utf-8")


def test_what_is_sent_to_the_hub_is_a_model_folder(
    translator: Translator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client is the Hub's own; here it is only seen what it is told to send."""
    import huggingface_hub

    seen: dict[str, Any] = {}

    def upload(self: Any, *, repo_id: str, folder_path: str, **more: Any) -> None:
        shutil.copytree(folder_path, tmp_path / "sent")
        seen.update(more, repo_id=repo_id)

    monkeypatch.setattr(huggingface_hub.HfApi, "create_repo", lambda self, name, **more: f"hub/{name}")
    monkeypatch.setattr(huggingface_hub.HfApi, "upload_folder", upload)
    assert translator.push_to_hub("me/mine") == "hub/me/mine"
    assert seen["repo_id"] == "me/mine"
    assert seen["allow_patterns"] == list(FILES)
    assert Translator.load(tmp_path / "sent")(TEXTS[0]).text == translator(TEXTS[0]).text
    card = (tmp_path / "sent" / "README.md").read_text("utf-8")
    assert "# me/mine\n" in card
    assert 'Translator.from_pretrained("me/mine")' in card
    assert "jumok.load" not in card
    assert "| accuracy |" in card
    assert "preset: bahdanau" in card


def test_a_folder_that_is_no_model_is_one_line(attending: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such folder"):
        jumok.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match=r"there is no config\.json"):
        jumok.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such folder, and a model of the Hub is named owner/name"):
        brought("nothing-like-it")

    def damaged(name: str, content: bytes) -> Path:
        folder = tmp_path / f"bad-{name}-{hash(content)}"
        shutil.copytree(attending, folder)
        (folder / name).write_bytes(content)
        return folder

    config = json.loads((attending / "config.json").read_text("utf-8"))
    weights = (attending / "model.safetensors").read_bytes()

    def sized(size: int) -> bytes:
        return json.dumps(config | {"model": config["model"] | {"embedding_size": size}}).encode()

    for folder, complaint in (
        (damaged("config.json", b"{"), "damaged"),
        (damaged("config.json", json.dumps(config | {"format": 99}).encode()), "newer than this one; update jumok"),
        (damaged("config.json", b'{"format": 2, "jumok": "9.1"}'), "was written by jumok 9.1, newer than this one"),
        (damaged("config.json", b"[]"), "damaged"),
        (damaged("config.json", b"[" * 100_000), "damaged"),
        (damaged("config.json", json.dumps(config | {"model": None}).encode()), "damaged .model is None"),
        (damaged("config.json", json.dumps(config | {"system": ["x"]}).encode()), "damaged .system is .'x'."),
        (damaged("config.json", json.dumps(config | {"words": 3}).encode()), "damaged .words is 3"),
        (damaged("config.json", sized(10**5)), "damaged .its network has"),
        (damaged("config.json", sized(10**9)), "damaged .its network has"),
        (damaged("config.json", sized(10**15)), "damaged"),
        (damaged("config.json", json.dumps(config | {"system": "tea"}).encode()), "unknown system 'tea'"),
        (damaged("config.json", json.dumps(config | {"words": {}}).encode()), "damaged"),
        (damaged("config.json", json.dumps(config | {"model": {"preset": "x"}}).encode()), "model|preset"),
        (damaged("model.safetensors", weights[: len(weights) // 2]), "is damaged"),
        (damaged("model.safetensors", b""), "is damaged"),
        (damaged("tokenizer.source.json", b"{}"), "is damaged"),
    ):
        with pytest.raises((ValueError, OSError), match=complaint) as caught:
            jumok.load(folder)
        assert "\n" not in str(caught.value)
        assert str(folder) in str(caught.value)


def test_a_run_writes_a_card(attending: Path) -> None:
    card = (attending / "README.md").read_text("utf-8")
    assert "| accuracy |" in card
    assert "preset: bahdanau" in card
    assert "parameters" in card
