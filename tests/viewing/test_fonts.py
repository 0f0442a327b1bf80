"""Fonts of printed pictures: every letter has one, or one line says which has none."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import pytest
from matplotlib.font_manager import fontManager

from jumok.viewing import AttentionMap, fonts
from jumok.viewing.fonts import Fonts

DEJAVU = next(entry.fname for entry in fontManager.ttflist if entry.name == "DejaVu Sans" and entry.style == "normal")


@pytest.fixture
def only_dejavu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has nothing but the font that comes with matplotlib."""
    monkeypatch.setattr(fonts, "_known", lambda: iter([fonts.Font("DejaVu Sans", DEJAVU)]))


@pytest.mark.usefixtures("only_dejavu")
def test_letters_that_no_font_has_are_named_once(tmp_path: Path) -> None:
    look = AttentionMap.from_arrays([[1.0]], ["사과"], ["apple"])
    with pytest.warns(UserWarning, match="no font here has 과 사; install one") as told:
        look.save(tmp_path / "look.png")
    assert len(told) == 1
    assert 'pip install "jumok[fonts]"' in str(told[0].message)
    assert "\n" not in str(told[0].message)


@pytest.mark.usefixtures("only_dejavu")
def test_letters_that_no_font_has_become_boxes_and_joiners_vanish() -> None:
    with pytest.warns(UserWarning, match="no font here has"):
        chosen = Fonts.holding(["사과 a"])
    assert chosen.of("사과 a")[0] == "□□ a"


@pytest.mark.usefixtures("only_dejavu")
def test_nothing_is_said_where_nothing_lacks(tmp_path: Path) -> None:
    AttentionMap.from_arrays([[1.0]], ["äpfel →"], ["▁яблоко"]).save(tmp_path / "look.pdf")
    assert (tmp_path / "look.pdf").is_file()


def test_no_font_of_last_resort_is_taken() -> None:
    names = {font.name for font in fonts._known()}
    assert "DejaVu Sans" in names
    assert not [name for name in names if name.startswith(("Last Resort", "LastResort", "cm"))]


def test_korean_is_drawn_where_a_font_has_it(tmp_path: Path) -> None:
    if not any("가" in fonts._letters(font.path) for font in fonts._known()):
        pytest.skip("no Korean font on this machine")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AttentionMap.from_arrays([[1.0]], ["▁사과"], ["apple 나는"], title="제목").save(tmp_path / "look.png")
        AttentionMap.from_arrays([[1.0]], ["▁사과"], ["apple 너는"], title="제목").save(tmp_path / "other.png")
    assert (tmp_path / "look.png").read_bytes() != (tmp_path / "other.png").read_bytes()  # not two empty boxes


def test_the_shipped_font_is_found_without_importing_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / fonts.SHIPPED
    (package / "fonts").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('this package changes settings')")
    (package / "fonts/NanumGothic.ttf").write_bytes(Path(DEJAVU).read_bytes())
    monkeypatch.syspath_prepend(str(tmp_path))
    assert importlib.util.find_spec(fonts.SHIPPED) is not None
    assert list(fonts._shipped()) == [fonts.Font("NanumGothic", str(package / "fonts/NanumGothic.ttf"), shipped=True)]


def test_a_shipped_font_draws_labels_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = fonts.Font("Shipped", DEJAVU, shipped=True)
    monkeypatch.setattr(fonts, "_known", lambda: iter([shipped]))
    AttentionMap.from_arrays([[1.0]], ["a"], ["b"]).save(tmp_path / "look.png")
    assert Fonts(shipped).of("ab")[1].get_file() == DEJAVU


def test_a_shipped_font_leaves_whole_labels_to_others_and_says_what_it_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped, other = fonts.Font("Shipped", "shipped", shipped=True), fonts.Font("Other", "other")
    letters = {"shipped": frozenset("가나다라마_?"), "other": frozenset("abc▁")}
    monkeypatch.setattr(fonts, "_known", lambda: iter([other, shipped]))
    monkeypatch.setattr(fonts, "_letters", letters.__getitem__)
    with pytest.warns(UserWarning, match="no font here has c;"):
        chosen = Fonts.holding(["가나다라마", "▁가", "a b", "나c"])
    assert chosen.main == shipped
    assert [chosen.of(text)[0] for text in ("▁가", "a b", "나c")] == ["_가", "a b", "나?"]
    assert chosen.of("a b")[1].get_file() == "other"


def test_a_file_that_is_no_font_has_no_letters(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"not a font")
    assert fonts._letters(str(tmp_path / "broken.ttf")) == frozenset()
