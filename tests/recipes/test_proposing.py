"""A recipe is written for a corpus after a look at it, and can be trained as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from jumok.data.corpora.looking import look
from jumok.data.corpora.rows import TextPair
from jumok.data.corpora.settings import PairFiles, TableFile
from jumok.data.korean import Korean
from jumok.models import PRESETS, ModelSettings
from jumok.models.settings import RecurrentDecoderSettings
from jumok.recipes import load, proposing
from jumok.recipes.estimating import measured_speed, minutes, operations
from jumok.recipes.proposing import Proposal, guessed_encoding
from jumok.systems import TranslationRecipe


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_corpus(folder: Path, encoding: str = "utf-8", pairs: int = 600) -> PairFiles:
    folder.mkdir(exist_ok=True)
    made = list(Korean(1).pairs(pairs, min_words=3, max_words=12))
    (folder / "a.ko").write_text("".join(f"{pair.source}\n" for pair in made), encoding=encoding)
    (folder / "a.en").write_text("".join(f"{pair.target}\n" for pair in made), encoding=encoding)
    return PairFiles(source=str(folder / "a.ko"), target=str(folder / "a.en"))


def propose(corpus: PairFiles | TableFile, folder: Path, preset: str = "bahdanau") -> Proposal:
    return proposing.propose(corpus, None, folder, preset, "mine.yaml", speed=lambda: 1e11)


def written(proposal: Proposal, path: Path) -> TranslationRecipe:
    path.write_text(proposal.text, encoding="utf-8")
    settings = load(path).settings
    assert isinstance(settings, TranslationRecipe)
    return settings


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_can_be_read(folder: Path, preset: str) -> None:
    corpus = write_corpus(folder)
    recipe = written(propose(corpus, folder, preset), folder / "mine.yaml")
    assert recipe.model.preset == preset
    assert recipe.data.train == PairFiles(source="a.ko", target="a.en")
    assert recipe.data.root == str(folder)
    assert not recipe.tokenizer.joint  # two scripts


def test_luongs_models_learn_all_steps_at_once(folder: Path) -> None:
    recipe = written(propose(write_corpus(folder), folder, "luong-general"), folder / "mine.yaml")
    assert isinstance(recipe.model.decoder, RecurrentDecoderSettings)
    assert not recipe.model.decoder.input_feeding


def test_every_line_fits_and_comments_line_up(folder: Path) -> None:
    text = propose(write_corpus(folder), folder).text
    assert max(map(len, text.splitlines())) <= 120
    comments = {
        line.index(" # ") for line in text.splitlines() if " # " in line and not line.startswith(("#", "  root"))
    }
    assert len(comments) == 1


@pytest.mark.parametrize(("inside", "root"), [("data", "data"), (".", ".")])
def test_files_inside_of_the_recipes_folder_are_named_from_there(folder: Path, inside: str, root: str) -> None:
    text = propose(write_corpus(folder / inside), folder).text
    assert f"  root: {root} " in text
    assert str(folder) not in text


def test_files_elsewhere_are_named_in_full(folder: Path) -> None:
    corpus = write_corpus(folder / "data")
    (folder / "recipes").mkdir()
    recipe = written(propose(corpus, folder / "recipes"), folder / "recipes" / "x.yaml")
    assert recipe.data.root == str(folder / "data")


def test_a_table_is_proposed_as_well(folder: Path) -> None:
    pairs = Korean(1).pairs(600, min_words=3, max_words=12)
    (folder / "a: b.tsv").write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in pairs), encoding="utf-8")
    corpus = TableFile(file="a: b.tsv", source=0, target=1)
    assert written(propose(corpus, folder, "hard"), folder / "x.yaml").data.train == corpus


def test_the_encoding_is_guessed_and_written_down(folder: Path) -> None:
    corpus = write_corpus(folder, "cp949")
    assert guessed_encoding([Path("a.ko"), Path("a.en"), Path("missing")]) == "cp949"
    assert written(propose(corpus, folder), folder / "x.yaml").data.encoding == "cp949"


def test_few_bad_lines_are_skipped_and_many_are_an_error(folder: Path) -> None:
    corpus = write_corpus(folder)
    lines = Path("a.en").read_text(encoding="utf-8").splitlines()
    lines[4] = ""
    Path("a.en").write_text("\n".join(lines), encoding="utf-8")
    proposal = propose(corpus, folder)
    assert "on_error: skip                   # 1 lines are no pairs" in proposal.text
    assert written(proposal, folder / "x.yaml").data.on_error == "skip"
    Path("a.en").write_text("\n".join(["", *lines[1:300]]), encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.en:1: the target is empty"):
        propose(corpus, folder)


def test_an_unknown_preset_is_named(folder: Path) -> None:
    with pytest.raises(ValueError, match="unknown preset 'hart': did you mean 'hard'"):
        propose(write_corpus(folder), folder, "hart")


def test_the_arithmetic_is_that_of_the_weights() -> None:
    """Without attention, twice the tokens take twice the operations; the output layer counts once a target token."""
    model = ModelSettings.model_validate({"preset": "plain-first", "embedding_size": 8})
    more = operations(model, 200, 0.0, 1.0) - operations(model, 100, 0.0, 1.0)
    assert more == 6 * 100 * (512 + 1)
    assert operations(model, 100, 0, 20) == 2 * operations(model, 100, 0, 10)
    tied = ModelSettings.model_validate({"preset": "transformer", "embedding_size": 64})
    assert operations(tied, 200, 0, 1) - operations(tied, 100, 0, 1) == pytest.approx(6 * 100 * 64, rel=0.02)


def test_the_estimate_follows_the_corpus_and_the_machine() -> None:
    seen = look([TextPair("one two three", "eins zwei drei")] * 100)
    model = ModelSettings.model_validate({"preset": "bahdanau"})
    once = minutes(seen, model, "bpe", 1000, 1, 1e9)
    assert minutes(seen, model, "bpe", 1000, 3, 1e9) == pytest.approx(3 * once)
    assert minutes(seen, model, "bpe", 1000, 1, 2e9) == pytest.approx(once / 2)
    assert minutes(seen, model, "character", 1000, 1, 1e9) > 2 * once
    assert measured_speed(size=64, times=3) > 1e6
