"""`jumok demo captioning`: a captioner learns in front of the user to say what is in drawn pictures."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from jumok.cli.speaking import Page, locale_language

if TYPE_CHECKING:
    from jumok.data.scenes import Scene
    from jumok.systems import Captioner, Prediction


class Size(NamedTuple):
    """How much the demo learns and shows."""

    pictures: int
    updates: int
    scored: int


WHOLE, FAST = Size(8000, 600, 100), Size(4000, 300, 60)
OBJECTS = (1, 1)
"""One object in a picture, so that it learns soon."""
SHOWN, LONGEST = 3, 30
"""Pictures that are shown, and the tokens of a caption at most."""


def caption_demo(out: Path, language: str | None = None, fast: bool = False, again: bool = False) -> None:
    """Train a captioner on practice pictures, score it, and draw where it looks."""
    from jumok.data.scenes import Scenes

    page = Page(language or locale_language())
    size = FAST if fast else WHOLE
    out.mkdir(parents=True, exist_ok=True)
    told = "korean" if page.korean else "english"
    scenes = list(Scenes(seed=11, size=192).scenes(size.scored, objects=OBJECTS))
    _begin(page, scenes[:SHOWN], told, out)
    captioner = _learn(page, out / "captioner", size, told, again)
    found = captioner([scene.picture() for scene in scenes], beam=3, max_length=LONGEST)
    _score(page, found, scenes, told)
    _look(page, found, scenes, told, out)
    _next(page, out)


def _begin(page: Page, scenes: Sequence[Scene], told: str, out: Path) -> None:
    page.title(
        "jumok 주목: a captioner learns where to look", "jumok 주목: 그림을 설명하는 모델이 어디를 볼지 배웁니다"
    )
    page.say(
        "It sees drawn pictures and reads what is in them, such as:",
        "그림을 보고 그 설명을 읽으며 배웁니다. 예를 들면 이런 설명입니다.",
    )
    for number, scene in enumerate(scenes, start=1):
        scene.picture().save(out / f"picture-{number}.png")
        page.say(f"  picture-{number}.png  {_gold(scene, told)}", f"  picture-{number}.png  {_gold(scene, told)}")
    page.say(
        "\nEach picture is 12 x 12 regions to it. For every word it chooses what to look at; nobody tells it which word"
        " belongs to which region.",
        "\n모델에게 그림은 가로세로 12칸입니다. 단어를 쓸 때마다 어느 칸을 볼지 스스로 정합니다. 어느 단어가 어느 칸에"
        " 해당하는지는 아무도 알려 주지 않습니다.",
    )


def _learn(page: Page, folder: Path, size: Size, told: str, again: bool) -> Captioner:
    from jumok.recipes.running import KEPT, train
    from jumok.systems import Captioner

    page.title("1. It learns", "1. 학습")
    if (folder / "README.md").exists() and not again and _speaks(folder, told):
        page.say(
            f"It has learned before; --again trains it anew: {folder}",
            f"이미 학습했습니다(다시 학습하려면 --again): {folder}",
        )
        return Captioner.load(folder)
    if (folder / KEPT).exists():
        shutil.rmtree(folder)
    data: dict[str, Any] = {"practice": "scenes", "objects": list(OBJECTS), "language": told, "size": 96}
    changes = {
        "data.train": {**data, "pictures": size.pictures},
        "data.validation": {**data, "pictures": 100, "seed": 1},
        "data.test": None,
        "model.encoder.size": data["size"],
        "training.optimiser": "muon",  # learns far sooner; AdamW's looks, which are sharper, come with more updates
        "training.learning_rate": 0.004,
        "training.updates": size.updates,
        "training.evaluate_every": max(1, size.updates // 4),
    }
    if not train("scenes", folder, set=changes).outcome.finished:
        raise typer.Exit(130)
    return Captioner.load(folder)


def _speaks(folder: Path, told: str) -> bool:
    """Whether the model of an earlier demo writes the language that is wanted now."""
    from jumok.recipes.running import kept_recipe

    return getattr(kept_recipe(folder).data.train, "language", None) == told


def _score(page: Page, found: Sequence[Prediction], scenes: Sequence[Scene], told: str) -> None:
    from jumok.evaluation import contents

    shares = contents([one.text for one in found], scenes, told)
    page.title("2. What it gets right", "2. 얼마나 맞히는가")
    page.say(
        f"Of {len(scenes)} pictures that it has not seen: objects {shares.objects:.0%}, colours and sizes"
        f" {shares.colours:.0%}, relations {shares.relations:.0%}, every word {shares.right:.0%}.",
        f"본 적 없는 그림 {len(scenes)}장 가운데: 사물 {shares.objects:.0%}, 색과 크기 {shares.colours:.0%},"
        f" 위치 관계 {shares.relations:.0%}, 모든 단어 {shares.right:.0%}.",
    )


def _look(page: Page, found: Sequence[Prediction], scenes: Sequence[Scene], told: str, out: Path) -> None:
    from jumok.viewing import save_html
    from jumok.viewing.panels import save_panels

    page.title("3. Where it looks", "3. 어디를 보는가")
    maps = []
    for number, (prediction, scene) in enumerate(zip(found[:SHOWN], scenes, strict=False), start=1):
        page.say(f"  picture-{number}.png\n    {prediction.text}", f"  picture-{number}.png\n    {prediction.text}")
        if prediction.text != (gold := _gold(scene, told)):
            page.say(f"    (it should say: {gold})", f"    (정답: {gold})")
        if prediction.attention is not None:
            maps.append(replace(prediction.attention, title=f"picture-{number}"))
            save_panels(prediction.attention, out / f"look-{number}.png")
            prediction.attention.save(out / f"look-{number}.gif")
    save_html(maps, out / "looks.html")


def _next(page: Page, out: Path) -> None:
    page.say("")
    page.say(
        f"Open {out / 'looks.html'} in a browser; {out / 'look-1.png'} has a panel for each word, {out / 'look-1.gif'}"
        " follows the words.",
        f"브라우저로 {out / 'looks.html'} 파일을 열어 보세요. {out / 'look-1.png'}에는 단어마다 한 칸씩,"
        f" {out / 'look-1.gif'}에는 단어를 따라가는 모습이 있습니다.",
    )
    page.code(f"jumok caption {out / 'captioner'} {out / 'picture-1.png'} --attention look.html", prompt="$")
    page.code("jumok train scenes", prompt="$")
    page.code("jumok train scenes-hard --set init=runs/scenes", prompt="$")


def _gold(scene: Scene, told: str) -> str:
    return scene.korean if told == "korean" else scene.english
