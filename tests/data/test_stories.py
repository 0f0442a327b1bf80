"""Stories: the format of bAbI and its faults, and practice stories whose answers follow from what is told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jumok.core.settings import read_settings
from jumok.data import Question, Stories, read_babi
from jumok.data.stories import KINDS, format_babi
from jumok.data.stories.opening import open_stories, open_story_split
from jumok.data.stories.settings import StoryDataSettings
from jumok.data.stories.tongues import TONGUES, English
from jumok.data.stories.words import StoryWords, words_of

TWO = """1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary? \tbathroom\t1
4 Mary went to the office.
5 Where is Mary?\toffice\t4
1 Ann got the milk.
2 What is Ann carrying?\tmilk
"""


def written(folder: Path, text: str, name: str = "qa1_one_train.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_question_is_about_all_sentences_before_it(tmp_path: Path) -> None:
    first, second, third = read_babi(written(tmp_path, TWO))
    assert first == Question(
        ("Mary moved to the bathroom.", "John went to the hallway."), "Where is Mary?", "bathroom", (0,), "qa1 one"
    )
    assert second.story == (*first.story, "Mary went to the office.")
    assert second.support == (2,)  # the question among the lines is no sentence of the story
    assert third == Question(("Ann got the milk.",), "What is Ann carrying?", "milk", (), "qa1 one")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    questions = read_babi(written(tmp_path, TWO))
    assert read_babi(written(tmp_path, format_babi(questions))) == questions


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    plain = read_babi(written(tmp_path, TWO))
    path = tmp_path / "qa1_one_test.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TWO.replace("\n", "\r\n").encode())
    assert read_babi(path) == plain


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("Mary moved.\n", 1, "a number and a sentence"),
        ("1 Mary moved.\n3 Where is Mary?\there\t1\n", 2, "follows line 1"),
        ("1 Mary moved.\n2 Where is Mary?\t\t1\n", 2, "no answer"),
        ("1 Mary moved.\n2 Where is Mary?\there\t2\n", 2, "supporting fact '2'"),
        ("1 Mary moved.\n2 Where is Mary?\there\tone\n", 2, "supporting fact 'one'"),
        ("1 Mary moved.\n1 John moved.\n2 Where is John?\there\t1\n", 1, "nothing is asked"),
        ("1 John moved.\n2 Where is John?\there\t1\n1 Mary moved.\n", 3, "nothing is asked"),
        ("1 \n", 1, "a number and a sentence"),
        ("1 Where is Mary?\there\n", 1, "nothing is told before this question"),
        ("1 Mary moved.\n2 ...?\there\t1\n", 2, "the question has no words"),
    ],
)
def test_a_fault_is_one_line_with_its_place(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ValueError, match=said) as caught:
        read_babi(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert "\n" not in str(caught.value)


def test_an_empty_file_has_no_question(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no question"):
        read_babi(written(tmp_path, "\n"))
    with pytest.raises(FileNotFoundError, match=r"data\.root"):
        read_babi(tmp_path / "nowhere.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(IsADirectoryError, match="is a folder, not a file"):
        read_babi(tmp_path / "folder.txt")
    (tmp_path / "bytes.txt").write_bytes(b"1 caf\xe9\n")
    with pytest.raises(ValueError, match="not UTF-8"):
        read_babi(tmp_path / "bytes.txt")


@pytest.mark.parametrize("kind", KINDS)
def test_practice_stories_follow_from_seed_kind_and_number(kind: str) -> None:
    some = list(Stories(3, kind).questions(20))
    assert Stories(3, kind).question(7) == some[7]
    assert len({question.story for question in some}) == 20
    assert some != list(Stories(4, kind).questions(20))
    assert {question.task for question in some} == {kind}


@pytest.mark.parametrize("kind", KINDS)
def test_both_languages_tell_the_same(kind: str) -> None:
    """Names and words stand for the same people, places and things, so a word of one is always one of the other."""
    pairs = [(Stories(0, kind, "en").question(n), Stories(0, kind, "ko").question(n)) for n in range(50)]
    assert all(ours.support == theirs.support for ours, theirs in pairs)
    assert all(len(ours.story) == len(theirs.story) for ours, theirs in pairs)
    answers = {ours.answer: theirs.answer for ours, theirs in pairs}
    assert all(answers[ours.answer] == theirs.answer for ours, theirs in pairs)


def told(sentence: str) -> tuple[str, str, str, str]:
    """Who did what with what, and to whom, read from an English sentence."""
    words = words_of(sentence)
    verb = "put" if words[1:3] == ["put", "down"] else words[1]
    what = {"went": "go", "walked": "go", "hurried": "go", "took": "take", "picked": "take", "grabbed": "take"}
    what |= {"put": "leave", "left": "leave", "gave": "give", "handed": "give"}
    objects = [word for word in words if word in English.places or word in English.things]
    return words[0], what[verb], objects[0], words[-1]


def held(sentences: tuple[str, ...]) -> dict[str, str]:
    """Who has what when all is told."""
    hands: dict[str, str] = {}
    for person, what, thing, receiver in map(told, sentences):
        if what in ("leave", "give"):
            assert hands.pop(thing) == person
        if what in ("take", "give"):
            assert thing not in hands
            hands[thing] = person if what == "take" else receiver
    return hands


def rooms(sentences: tuple[str, ...], person: str) -> list[str]:
    return [place for who, what, place, _ in map(told, sentences) if (who, what) == (person, "go")]


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_follows_from_the_story_and_from_its_facts_alone(kind: str) -> None:
    for question in Stories(1, kind).questions(300):
        facts = tuple(question.story[number] for number in question.support)
        asked = words_of(question.text)
        people = [word for word in asked if word.capitalize() in English.people]
        for sentences in (question.story, facts):
            if kind in ("where", "yes-no"):
                room = rooms(sentences, people[0])[-1]
                right = room if kind == "where" else "yes" if room == asked[-1] else "no"
            elif kind == "before":
                visited = rooms(sentences, people[0])
                right = visited[visited.index(asked[-1]) - 1]
                assert visited.count(asked[-1]) == 1
            elif kind == "who":
                _, what, _, receiver = told(facts[-1])
                right = (receiver if what == "give" else told(facts[-1])[0]).capitalize()
                assert held(question.story)[asked[-1]].capitalize() == right
            else:
                got: list[str] = []
                for person, what, thing, receiver in map(told, sentences):
                    if (what == "take" and person == people[0]) or (what == "give" and receiver == people[0]):
                        got.append(thing)
                    elif what in ("leave", "give") and person == people[0]:
                        got.remove(thing)
                names = ", ".join(sorted(got, key=English.things.index))
                right = ("none", "one", "two", "three")[len(got)] if kind == "count" else names or "nothing"
            assert question.answer == right, question


def test_answers_are_not_all_the_same() -> None:
    shares = {kind: Counter(question.answer for question in Stories(0, kind).questions(400)) for kind in KINDS}
    assert all(max(counts.values()) < 0.6 * 400 for counts in shares.values())


def test_every_language_has_a_word_for_everything() -> None:
    for tongue in TONGUES.values():
        for names in (tongue.people, tongue.places, tongue.things):
            assert len(set(names)) == 6


def test_particles_go_by_sound() -> None:
    sentences = {sentence for question in Stories(0, "who", "ko").questions(200) for sentence in question.story}
    words = {word.rstrip(".") for sentence in sentences for word in sentence.split()}
    assert {"지우는", "민준은", "작업실로", "부엌으로", "지도를", "우산을"} <= words
    assert not words & {"지우은", "민준는", "작업실으로", "부엌로", "지도을", "우산를"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "were"}, "did you mean 'where'"),
        ({"language": "de"}, "language"),
        ({"sentences": (3, 5)}, "sentences"),
    ],
)
def test_stories_that_cannot_be(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Stories(**wrong)  # type: ignore[arg-type]


def settings(root: Path = Path(), **values: object) -> StoryDataSettings:
    return read_settings(StoryDataSettings, {"root": str(root), **values}, "test")


def test_questions_about_one_story_are_held_out_together(tmp_path: Path) -> None:
    stories = "".join(
        f"1 Mary took thing{n}.\n2 What?\tthing{n}\t1\n3 Mary took it{n}.\n4 What?\tit{n}\t3\n" for n in range(40)
    )
    written(tmp_path, stories)
    train, validation = open_stories(settings(tmp_path, train={"file": "qa*_train.txt"}, validation={"share": 0.1}))
    assert (len(train), len(validation)) == (72, 8)
    assert not {question.story[0] for question in train} & {question.story[0] for question in validation}


def test_tasks_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        written(tmp_path, TWO, f"qa{number}_x_test.txt")
    data = settings(tmp_path, train={"file": "qa1_x_test.txt"}, test={"file": "qa*_test.txt"})
    name, questions = open_story_split(data, None)
    assert name == "test"
    assert list(dict.fromkeys(question.task for question in questions)) == ["qa1 x", "qa2 x", "qa10 x"]
    with pytest.raises(ValueError, match="did you mean 'test'"):
        open_story_split(data, "tests")


def test_a_folder_without_stories_says_what_to_set(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileNotFoundError, match=r"--set data\.root=FOLDER") as caught:
            open_stories(settings(root, train={"file": "qa*_train.txt"}))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("train", "said"),
    [
        ({"practice": ["were"], "questions": 3}, "did you mean 'where'"),
        ({"practice": ["where"], "questions": 3, "min_sentences": 9, "max_sentences": 5}, "min_sentences"),
        ({"path": "x"}, "expected {file: PATTERN}"),
    ],
)
def test_settings_that_cannot_be(train: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        settings(train=train)


def test_words_and_answers_by_number() -> None:
    words = StoryWords.of([Question(("Bill took the X-ray.",), "Who has it?", "Bill"), Question((), "What?", "a, b")])
    assert words.answers == ("a, b", "Bill")
    assert [words.words[number - 1] for number in words.answer_words] == ["a, b", "bill"]
    assert words.encode("BILL took Nothing!")[-1] == 0
    assert words.unknown("Bill took Nothing!") == ["nothing"]
    assert (words.answer("bill"), words.answer("milk")) == (1, -1)
    assert words.longest == 4
