"""`jumok demo`: two translators learn in front of the user, one with attention and one without."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, NamedTuple

import torch
import typer
from rich.table import Table

from jumok.cli.speaking import Page, locale_language
from jumok.core.files import write_whole
from jumok.data import TextPair
from jumok.data.korean import Korean, Pair
from jumok.evaluation import LengthRow, bleu, by_length, length_chart, length_table, word_counts
from jumok.recipes.changing import changes_of
from jumok.recipes.loading import load as load_recipe
from jumok.recipes.running import KEPT
from jumok.recipes.writing import dump
from jumok.systems import Translation, Translator, load
from jumok.systems.translation import TranslationTask
from jumok.training import Evaluation, Progress, Report
from jumok.training.folder import new_run_folder
from jumok.training.progress import on_terminal
from jumok.viewing import AttentionMap, save_film, save_html

EDGES = (10, 20, 30)


class Size(NamedTuple):
    """How much a demo learns and shows."""

    pairs: int
    updates: int
    looks: int  # how often the alignment is drawn while it learns
    scored: int  # sentences that are translated for the score


WHOLE = Size(pairs=96_000, updates=3000, looks=10, scored=300)
FAST = Size(pairs=20_000, updates=800, looks=8, scored=120)


def translation_demo(out: Path, language: str | None, fast: bool, again: bool) -> None:
    """Train both, draw what they look at, and compare them."""
    page = Page(language or locale_language())
    size = FAST if fast else WHOLE
    out.mkdir(parents=True, exist_ok=True)
    shown = _sentences()
    _begin(page, shown)
    attending, plain = out / "with-attention", out / "without-attention"
    with _Beside(plain, size, again) as beside:
        _learn(page, attending, size, again, shown[0], out, beside)
        _learn_plain(page, plain, size, again, beside)
    _compare(page, attending, plain, size, out)
    _look(page, load(attending), shown, out)
    _next(page, attending, out)


def _sentences() -> list[Pair]:
    """Three sentences that no model has learned from, short enough to be drawn."""
    made = Korean(3).pairs(40, min_words=8, max_words=11, held_out=True)
    return sorted(made, key=lambda pair: (len(pair.source.split()) > 8, -len(pair.target.split())))[:3]


def _begin(page: Page, shown: Sequence[Pair]) -> None:
    page.title("jumok 주목: a translator learns where to look", "jumok 주목: 번역기가 어디를 볼지 배웁니다")
    page.say(
        "Two small models learn Korean to English from practice sentences, such as:",
        "작은 모델 두 개가 연습용 문장으로 한영 번역을 배웁니다. 예를 들면 이런 문장입니다.",
    )
    table = Table.grid(padding=(0, 2))
    for pair in shown:
        table.add_row(pair.source, pair.target)
    page.draw(table)
    page.say(
        "\nOne may look back at the Korean words while it writes (attention), the other must keep the whole sentence in"
        " one vector. Nobody tells them which words belong together.",
        "\n하나는 영어를 쓰는 동안 한국어 단어를 다시 볼 수 있고(어텐션), 다른 하나는 문장 전체를 벡터 하나에 담아야"
        " 합니다. 어떤 단어끼리 짝인지는 아무도 알려 주지 않습니다.",
    )


def _recipe(size: Size, attention: bool) -> Any:
    """What is learned; with two threads or more each model gets half of them, for both learn at once."""
    changes: dict[str, Any] = {
        "data.train.pairs": size.pairs,
        "data.validation.pairs": 100,
        "data.test": None,
        "training.updates": size.updates,
        "training.evaluate_every": max(1, size.updates // size.looks),
        "training.threads": max(1, torch.get_num_threads() // 2),
    }
    if not attention:
        changes["model.preset"] = "plain-first"
        changes["training.learning_rate"] = 0.002  # the recipe's 0.005 is too high for it: 72 % of the words, not 82
    return load_recipe("korean", changes_of(changes)).settings


def _learn(page: Page, folder: Path, size: Size, again: bool, pair: Pair, out: Path, beside: _Beside) -> None:
    """Train the model with attention in front of the user, and start the other once its sentences are there."""
    page.title("1. with attention", "1. 어텐션 있음")
    if _has_learned(folder, again):
        _say_learned(page, folder)
        return
    settings = _new_run(folder, _recipe(size, attention=True))
    film: list[AttentionMap] = []
    outcome = Translation.train(settings, folder, listen=lambda task: _Watching(page, task, pair, film, beside))
    if film:
        save_film(film, out / "learning.gif")
    if not outcome.finished:
        raise typer.Exit(130)


def _learn_plain(page: Page, folder: Path, size: Size, again: bool, beside: _Beside) -> None:
    """Tell how the model without attention learned beside the other, or train it where it did not."""
    page.title("2. without", "2. 어텐션 없음")
    if beside.child is None and _has_learned(folder, again):
        _say_learned(page, folder)
        return
    with page.console.status(page.choose("learning", "학습 중")):
        learned = beside.finished()
    if not learned and not Translation.train(_new_run(folder, _recipe(size, attention=False)), folder).finished:
        raise typer.Exit(130)
    if learned:
        page.say(
            "It learned from the same sentences, beside the other.", "앞의 모델과 나란히, 같은 문장으로 배웠습니다."
        )
        for line in (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines():
            noted = json.loads(line)
            if "evaluation" in noted:
                page.say(_learned_so_far(page, noted["update"], noted["evaluation"]["accuracy"]))


class _Beside:
    """The model without attention, learning in a process of its own, which does not outlive the block.

    Two small models learn sooner side by side, with half of the threads each, than one after the other with all.
    """

    def __init__(self, folder: Path, size: Size, again: bool) -> None:
        self.folder, self.recipe = folder, _recipe(size, attention=False)
        self.wanted = torch.get_num_threads() > 1 and not _has_learned(folder, again)
        self.child: SpawnProcess | None = None

    def start(self) -> None:
        if self.wanted:
            asked = self.recipe, self.folder
            self.child = multiprocessing.get_context("spawn").Process(target=_learn_quietly, args=asked, daemon=True)
            self.child.start()

    def finished(self) -> bool:
        """Wait for it; whether it was started and has learned to the end."""
        if self.child is None:
            return False
        self.child.join()
        return self.child.exitcode == 0 and _has_learned(self.folder, again=False)

    def __enter__(self) -> _Beside:
        return self

    def __exit__(self, *problem: object) -> None:
        if self.child is not None:
            self.child.terminate()
            self.child.join()


def _learn_quietly(settings: Any, folder: Path) -> None:
    Translation.train(_new_run(folder, settings), folder, quiet=True)


def _has_learned(folder: Path, again: bool) -> bool:
    return (folder / "README.md").exists() and not again


def _say_learned(page: Page, folder: Path) -> None:
    page.say(
        f"It has learned before; --again trains it anew: {folder}",
        f"이미 학습했습니다(다시 학습하려면 --again): {folder}",
    )


def _new_run(folder: Path, settings: Any) -> Any:
    """Take away what an earlier demo left, the files of a model and nothing else, and keep the recipe of a new run."""
    if (folder / KEPT).exists():
        shutil.rmtree(folder)
    new_run_folder(folder)
    write_whole(folder / KEPT, dump(settings))
    return settings


def _learned_so_far(page: Page, update: int, share: float) -> str:
    return page.choose(
        f"after {update:,} updates it finds {share:.1%} of the next words",
        f"{update:,}번 학습한 뒤: 다음 단어를 맞힌 비율 {share:.1%}",
    )


class _Watching(Report):
    """Shows the progress, and after every evaluation what one sentence's words look at."""

    def __init__(
        self, page: Page, task: TranslationTask, pair: Pair, film: list[AttentionMap], beside: _Beside
    ) -> None:
        self.page, self.task, self.pair, self.film, self.beside = page, task, pair, film, beside
        self.inner = on_terminal()

    def began(self, update: int, last: int | None) -> None:
        self.beside.start()
        self._look(update)
        self.inner.began(update, last)

    def updated(self, progress: Progress) -> None:
        self.inner.updated(progress)

    def evaluated(self, evaluation: Evaluation) -> None:
        self.inner.said(_learned_so_far(self.page, evaluation.update, evaluation.figures["accuracy"]))
        self.page.draw(self._look(evaluation.update).without_special().draw())

    def said(self, line: str) -> None:
        self.inner.said(line)

    def ended(self) -> None:
        self.inner.ended()

    def _look(self, update: int) -> AttentionMap:
        """What each word of the translation looks at now."""
        model = self.task.model
        learning = model.training
        model.eval()
        assert self.task.scoring is not None
        look = self.task.scoring.translator.score([self.pair.source], [self.pair.target])[0].attention
        model.train(learning)
        assert look is not None
        title = self.page.choose(f"after {update:,} updates", f"{update:,}번 학습한 뒤")
        self.film.append(replace(look.words(), title=title))
        return self.film[-1]


def _compare(page: Page, attending: Path, plain: Path, size: Size, out: Path) -> None:
    page.title("3. The longer the sentence, the more attention helps", "3. 문장이 길수록 어텐션이 더 큰 도움이 됩니다")
    made = Korean(5).pairs(size.scored, min_words=3, max_words=30, held_out=True)
    pairs = [TextPair(pair.source, pair.target) for pair in made]
    names = {attending: page.choose("with attention", "어텐션 있음"), plain: page.choose("without", "어텐션 없음")}
    rows: dict[str, list[LengthRow]] = {}
    for folder, name in names.items():
        outputs = [found.text for found in load(folder)([pair.source for pair in pairs], beam=1)]
        references = [pair.target for pair in pairs]
        rows[name] = by_length(outputs, references, word_counts(references), EDGES, bleu)
    page.say(
        f"BLEU (100 is perfect) on {len(pairs)} sentences that neither has seen. They learned from sentences of up to"
        " 20 words; those above are longer than any that they know.",
        f"둘 다 본 적 없는 문장 {len(pairs)}개의 BLEU입니다(100이 만점). 학습 문장은 20단어까지라서, 그보다 긴 문장은"
        " 처음 보는 길이입니다.",
    )
    page.draw(length_table(rows, page.choose("words", "단어 수"), page.choose("sentences", "문장 수")))
    title = page.choose("{score} by length", "문장 길이별 {score}")
    length_chart(rows, page.choose("words of the translation", "번역문의 단어 수"), title).save(out / "by-length.svg")


def _look(page: Page, translator: Translator, shown: Sequence[Pair], out: Path) -> None:
    page.title("4. What it looks at", "4. 무엇을 보는가")
    found = translator([pair.source for pair in shown])
    maps = []
    for number, prediction in enumerate(found, start=1):
        page.say(f"{prediction.source}\n→ {prediction.text}\n")
        if prediction.attention is not None:
            look = prediction.attention.words()
            page.draw(replace(look, title="").without_special().draw())
            page.say("")
            look.save(out / f"alignment-{number}.png")
            maps.append(prediction.attention)
    save_html(maps, out / "alignments.html")


def _next(page: Page, attending: Path, out: Path) -> None:
    page.title("5. What to try next", "5. 더 해 보기")
    page.say(
        f"Open {out / 'alignments.html'} in a browser; {out / 'learning.gif'} shows how the looks settled,"
        f" {out / 'by-length.svg'} the scores.",
        f"브라우저로 {out / 'alignments.html'} 파일을 열어 보세요. {out / 'learning.gif'}에는 시선이 자리 잡는 과정이,"
        f" {out / 'by-length.svg'}에는 점수가 있습니다.",
    )
    page.code(f'jumok translate {attending} "어제 나는 공원에서 고양이를 봤다." --attention look.html', prompt="$")
    page.code(f"jumok evaluate {attending} --split validation --by-length", prompt="$")
    page.code("jumok train korean --set model.preset=bahdanau --out runs/bahdanau", prompt="$")
    page.code("jumok new translation --source train.ko --target train.en", prompt="$")
    page.say("")
    page.say(
        "The mechanism itself, step by step: jumok tour",
        "어텐션의 원리를 한 걸음씩: jumok tour --language ko",
    )
