"""The files that the pages speak of, small and real: sentences of the practice language, practice pictures."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from jumok.data import Stories
from jumok.data.graphs import karate, save_npz
from jumok.data.korean import Korean
from jumok.data.scenes import Scenes

GERMAN = str.maketrans("aeiouy", "eiuaoü")  # as good as German to a model that hardly learns
STORY = (
    "Nora went to the attic.",
    "Owen went to the cellar.",
    "Hana went to the library.",
    "Nora picked up the map.",
    "Nora gave the map to Hana.",
    "Nora went to the library.",
)


def lay(folder: Path) -> None:
    """Put all of them into a folder."""
    _sentences(folder)
    _tables(folder)
    _pictures(folder)
    _graphs(folder)
    text(folder / "story.txt", STORY)
    for name, seed in (("train", 0), ("test", 1)):
        text(folder / f"qa1_{name}.txt", _babi(Stories(seed=seed, kind="where")))


def text(path: Path, lines: Iterable[str], encoding: str = "utf-8") -> None:
    """A file with these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding)


def triples(count: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """Sentences in Korean, in English, and in something like German."""
    pairs = Korean(seed).pairs(count, max_words=8)
    return [(pair.source, pair.target, pair.target.translate(GERMAN)) for pair in pairs]


def _sentences(folder: Path) -> None:
    train, held_out = triples(300), triples(20, seed=1)
    for number, language in enumerate(("ko", "en", "de")):
        text(folder / f"test.{language}", (row[number] for row in held_out))
        for place in (folder / "corpus", folder / "FOLDER"):
            text(place / f"train.{language}", (row[number] for row in train))
            for name in ("val", "test_2016_flickr"):
                text(place / f"{name}.{language}", (row[number] for row in held_out))
    lost = ("달린다.", "Front stroke swimming race roped off lap areas.", "@@")
    for number, language in enumerate(("ko", "en", "de")):
        text(folder / f"train.{language}", (row[number] for row in (*train, lost, lost)))
    text(folder / "korean.txt", (row[0] for row in held_out[:3]))
    text(folder / "test.tsv", ("\t".join(row[1:]) for row in held_out))


def _tables(folder: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = triples(200)
    text(folder / "pairs.tsv", (f"{english}\t{korean}" for korean, english, _ in rows))
    with gzip.open(folder / "pairs.csv.gz", "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("korean", "english", "german"), *rows])
    nested = [{"translation": dict(zip(("ko", "en", "de"), row, strict=True))} for row in rows]
    with gzip.open(folder / "pairs.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in nested)
    table = pyarrow.table({"ko": [row[0] for row in rows], "en": [row[1] for row in rows]})
    pyarrow.parquet.write_table(table, folder / "pairs.parquet")
    text(
        folder / "owner/name/train.jsonl", map(json.dumps, nested)
    )  # to `datasets` a folder is what a name on the Hub is
    text(folder / "table.csv", ["number,text", "1,비가 왔다.", "2,나는 갔다."])
    text(folder / "reviews.csv", ["text,label", *(f"{row[1]},{('bad', 'good')[n % 2]}" for n, row in enumerate(rows))])


def _pictures(folder: Path) -> None:
    scenes = list(Scenes(seed=3, size=64).scenes(12, objects=(1, 1)))
    first = scenes[0].picture()
    first.save(folder / "picture.png")
    first.save(folder / "photo.jpg")
    names = [f"{number}.jpg" for number in range(len(scenes))]
    flickr = folder / "path/to/flickr8k"
    for place in (flickr / "images", folder / "photos/files", folder / "photos/others"):
        place.mkdir(parents=True)
        for name, scene in zip(names, scenes, strict=True):
            scene.picture().save(place / name)
    captions = [scene.english for scene in scenes]
    text(flickr / "Flickr8k.token.txt", (f"{name}#0\t{said}" for name, said in zip(names, captions, strict=True)))
    for split, some in (("train", names[:9]), ("dev", names[9:])):
        text(flickr / f"Flickr_8k.{split}Images.txt", some)
    with (folder / "photos/captions.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("image", "caption"), *zip(names, captions, strict=True)])


def _graphs(folder: Path) -> None:
    for name in ("graph.npz", "cora.npz"):
        save_npz(karate(), folder / name)


def _babi(stories: Stories, count: int = 20) -> Iterable[str]:
    """Stories as the bAbI tasks have them."""
    for number in range(count):
        asked = stories.question(number)
        for place, sentence in enumerate(asked.story, start=1):
            yield f"{place} {sentence}"
        facts = " ".join(str(place + 1) for place in asked.support)
        yield f"{len(asked.story) + 1} {asked.text}\t{asked.answer}\t{facts}"


def columns(table: Sequence[str]) -> dict[str, list[str]]:
    """Files that stand beside each other, by the names above them."""
    cut = table[0].index("nodes.csv")
    sides = [[line[:cut].strip() for line in table], [line[cut:].strip() for line in table]]
    return {side[0]: [line for line in side[1:] if line] for side in sides}
