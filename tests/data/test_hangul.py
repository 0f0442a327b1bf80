"""Hangul: particles go by sound, stems by their class, numbers by their counter."""

from __future__ import annotations

import pytest

from jumok.data.hangul import (
    FINALS,
    ONSETS,
    VOWELS,
    attach,
    conjugate,
    counted,
    infinitive,
    join,
    native,
    particle,
    past,
    sino,
    split,
)


def test_every_syllable_is_split_and_joined_again() -> None:
    syllables = [join(onset, vowel, final) for onset in ONSETS for vowel in VOWELS for final in FINALS]
    assert syllables == [chr(code) for code in range(0xAC00, 0xD7A4)]
    assert all(join(*split(syllable)) == syllable for syllable in syllables)


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("집", "집을 집이 집은 집과 집으로 집이나 집이랑"),
        ("학교", "학교를 학교가 학교는 학교와 학교로 학교나 학교랑"),
        ("서울", "서울을 서울이 서울은 서울과 서울로 서울이나 서울이랑"),
        ("3", "3을 3이 3은 3과 3으로 3이나 3이랑"),
        ("2", "2를 2가 2는 2와 2로 2나 2랑"),
        ("7", "7을 7이 7은 7과 7로 7이나 7이랑"),
        ("10", "10을 10이 10은 10과 10으로 10이나 10이랑"),
        ("TV", "TV를 TV가 TV는 TV와 TV로 TV나 TV랑"),
        ("BLEU", "BLEU를 BLEU가 BLEU는 BLEU와 BLEU로 BLEU나 BLEU랑"),
        ("XML", "XML을 XML이 XML은 XML과 XML로 XML이나 XML이랑"),
    ],
)
def test_particles_go_by_sound(word: str, forms: str) -> None:
    assert " ".join(attach(word, form) for form in ("을", "이", "은", "과", "으로", "이나", "이랑")) == forms


def test_invariant_particles_stay() -> None:
    assert {particle(word, form) for word in ("집", "학교") for form in ("도", "만")} == {"도", "만"}


def test_pronouns_have_subjects_of_their_own() -> None:
    assert [attach(word, "이") for word in ("나", "저", "너", "누구")] == ["내가", "제가", "네가", "누가"]
    assert [attach("의사", form) for form in ("이다", "이었다", "이에요")] == ["의사다", "의사였다", "의사예요"]
    assert [attach("학생", form) for form in ("이다", "이었다", "이에요")] == ["학생이다", "학생이었다", "학생이에요"]


@pytest.mark.parametrize(
    ("stem", "kind", "forms"),
    [
        ("먹", "regular", "먹고 먹으면 먹어요 먹었다 먹는다 먹습니다 먹은"),
        ("가", "regular", "가고 가면 가요 갔다 간다 갑니다 간"),
        ("보", "regular", "보고 보면 봐요 봤다 본다 봅니다 본"),
        ("듣", "ㄷ", "듣고 들으면 들어요 들었다 듣는다 듣습니다 들은"),
        ("닫", "regular", "닫고 닫으면 닫아요 닫았다 닫는다 닫습니다 닫은"),
        ("줍", "ㅂ", "줍고 주우면 주워요 주웠다 줍는다 줍습니다 주운"),
        ("돕", "ㅂ/오", "돕고 도우면 도와요 도왔다 돕는다 돕습니다 도운"),
        ("잡", "regular", "잡고 잡으면 잡아요 잡았다 잡는다 잡습니다 잡은"),
        ("짓", "ㅅ", "짓고 지으면 지어요 지었다 짓는다 짓습니다 지은"),
        ("씻", "regular", "씻고 씻으면 씻어요 씻었다 씻는다 씻습니다 씻은"),
        ("부르", "르", "부르고 부르면 불러요 불렀다 부른다 부릅니다 부른"),
        ("따르", "으", "따르고 따르면 따라요 따랐다 따른다 따릅니다 따른"),
        ("푸르", "러", "푸르고 푸르면 푸르러요 푸르렀다 푸른다 푸릅니다 푸른"),
        ("쓰", "으", "쓰고 쓰면 써요 썼다 쓴다 씁니다 쓴"),
        ("빨갛", "ㅎ", "빨갛고 빨가면 빨개요 빨갰다 빨갛는다 빨갛습니다 빨간"),
        ("하얗", "ㅎ", "하얗고 하야면 하얘요 하얬다 하얗는다 하얗습니다 하얀"),
        ("만들", "ㄹ", "만들고 만들면 만들어요 만들었다 만든다 만듭니다 만든"),
        ("하", "하다", "하고 하면 해요 했다 한다 합니다 한"),
        ("마시", "regular", "마시고 마시면 마셔요 마셨다 마신다 마십니다 마신"),
        ("쉬", "regular", "쉬고 쉬면 쉬어요 쉬었다 쉰다 쉽니다 쉰"),
    ],
)
def test_conjugation_goes_by_class(stem: str, kind: str, forms: str) -> None:
    endings = ("고", "(으)면", "아/어요", "+다", "ㄴ다/는다", "ㅂ니다/습니다", "(으)ㄴ")
    made = [past(stem, kind) + ending[1:] if ending[0] == "+" else conjugate(stem, kind, ending) for ending in endings]
    assert " ".join(made) == forms


def test_ㄹ_falls_before_ㄴ_ㅂ_ㅅ_and_takes_no_으() -> None:
    made = [conjugate("살", "ㄹ", ending) for ending in ("는", "(으)시", "ㅂ니다/습니다", "(으)면", "(으)ㄹ", "(으)러")]
    assert made == ["사는", "사시", "삽니다", "살면", "살", "살러"]


def test_contraction_can_be_left_out() -> None:
    full = [("보", "regular"), ("주", "regular"), ("되", "regular"), ("하", "하다"), ("오", "regular")]
    assert [infinitive(*verb, contracted=False) for verb in full] == ["보아", "주어", "되어", "하여", "와"]


def test_an_unknown_class_is_named() -> None:
    with pytest.raises(ValueError, match="unknown conjugation class 'ㅋ'; known: regular, ㄷ"):
        conjugate("먹", "ㅋ", "고")


def test_numerals() -> None:
    assert [native(n) for n in (1, 2, 3, 4, 5, 11, 12, 20, 21, 34, 99)] == [
        *("한", "두", "세", "네", "다섯", "열한", "열두", "스무", "스물한", "서른네", "아흔아홉")
    ]
    assert [sino(n) for n in (0, 1, 10, 11, 20, 100, 365, 1000, 12345)] == [
        *("영", "일", "십", "십일", "이십", "백", "삼백육십오", "천", "만이천삼백사십오")
    ]
    assert [counted(n, c) for n, c in ((3, "시"), (3, "시간"), (20, "살"), (3, "층"), (6, "월"), (10, "월"))] == [
        *("세 시", "세 시간", "스무 살", "삼 층", "유월", "시월")
    ]
    with pytest.raises(ValueError, match="from 1 to 99, not 100"):
        native(100)
