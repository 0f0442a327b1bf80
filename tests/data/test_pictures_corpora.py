"""Pictures with captions from every kind of file: nothing is lost, and what is wrong is told with its place."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from jumok.core.settings import read_settings
from jumok.data.pictures import (
    CaptionedPicture,
    PictureCorpus,
    PictureDataSettings,
    PictureFile,
    PictureScene,
    PictureSettings,
    open_picture_split,
    open_picture_splits,
    open_pictures,
)
from jumok.data.scenes import Scenes

Image = pytest.importorskip("PIL.Image", reason="pictures are read by Pillow")

CAPTIONS = {
    "a.jpg": ("A dog runs .", "The dog is black ."),
    "b.jpg": ("Two boys\u00a0swim .",),
    "c.jpg": ("고양이가 잔다.", "A cat sleeps , and sleeps ."),
}
CLEAN = {name: tuple(caption.replace("\u00a0", " ") for caption in captions) for name, captions in CAPTIONS.items()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "photos").mkdir()
    for name in CAPTIONS:
        Image.new("RGB", (20, 16), (len(name), 7, 9)).save(tmp_path / "photos" / name)
    return tmp_path


def settings_of(values: Mapping[str, Any]) -> Any:
    return TypeAdapter(PictureSettings).validate_python(values)


def opened(values: Mapping[str, Any], root: Path, **options: Any) -> PictureCorpus:
    return open_pictures(settings_of(values), root, **options)


def told(corpus: PictureCorpus) -> dict[str, tuple[str, ...]]:
    return {entry.picture.name: entry.captions for entry in corpus}


def flickr(root: Path) -> dict[str, Any]:
    lines = [f"{name}#{n}\t{text}\n" for name, captions in CAPTIONS.items() for n, text in enumerate(captions)]
    (root / "Flickr8k.token.txt").write_text("".join(lines) + "other.jpg.1#0\tnot of this list\n", "utf-8")
    (root / "Flickr_8k.devImages.txt").write_text("".join(f"{name}\r\n" for name in CAPTIONS), "utf-8", newline="")
    (root / "photos").rename(root / "Flicker8k_Dataset")
    return {"flickr8k": ".", "split": "dev"}


def karpathy(root: Path) -> dict[str, Any]:
    images = [
        {"filename": name, "split": "val" if name == "a.jpg" else "restval", "sentences": [{"raw": t} for t in texts]}
        for name, texts in CAPTIONS.items()
    ]
    images.append({"filename": "missing.jpg", "split": "train", "sentences": [{"raw": "Never read."}]})
    (root / "dataset.json").write_text(json.dumps({"images": images, "dataset": "mine"}), "utf-8")
    return {"karpathy": "dataset.json", "images": "photos", "split": ["val", "restval"]}


def coco(root: Path) -> dict[str, Any]:
    images = [{"id": 70 + number, "file_name": name} for number, name in enumerate(CAPTIONS)]
    annotations = [
        {"image_id": 70 + number, "id": 9, "caption": text}
        for number, texts in reversed(list(enumerate(CAPTIONS.values())))
        for text in texts
    ]
    (root / "captions.json").write_text(json.dumps({"images": images, "annotations": annotations}), "utf-8")
    return {"coco": "captions.json", "images": "photos"}


def table(root: Path) -> dict[str, Any]:
    with (root / "captions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["number", "image", "caption"])
        rows.writerows([1, name, text] for name, texts in CAPTIONS.items() for text in texts)
    return {"file": "captions.csv", "images": "photos"}


def tabbed(root: Path) -> dict[str, Any]:
    lines = [f"photos/{name}\t{text}\n" for name, texts in CAPTIONS.items() for text in texts]
    (root / "captions.tsv.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return {"file": "captions.tsv.gz", "picture": 0, "caption": 1}


def json_lines(root: Path) -> dict[str, Any]:
    rows = [{"file": {"name": name}, "texts": list(texts)} for name, texts in CAPTIONS.items()]
    (root / "captions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return {"file": "captions.jsonl", "images": "photos", "picture": "file.name", "caption": "texts"}


def kaggle(root: Path) -> dict[str, Any]:
    table(root)
    (root / "captions.csv").rename(root / "captions.txt")
    return {"file": "captions.txt", "images": "photos"}


KINDS = (flickr, karpathy, coco, table, tabbed, kaggle, json_lines)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_every_picture_with_its_captions(kind: Callable[[Path], dict[str, Any]], root: Path) -> None:
    corpus = opened(kind(root), root)
    assert {name.removeprefix("photos/"): texts for name, texts in told(corpus).items()} == CLEAN
    assert [entry.picture.load().size for entry in corpus] == [(20, 16)] * 3
    assert corpus.report.lines() == ["pictures: 3 pictures, 5 captions"]
    assert len(corpus) == 3
    assert corpus[0].captions == CLEAN["a.jpg"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_that_is_not_there_is_told_or_skipped(kind: Callable[[Path], dict[str, Any]], root: Path) -> None:
    values = kind(root)
    next(root.glob("*/b.jpg")).unlink()
    with pytest.raises(ValueError, match=r"there is no such picture \(.*b\.jpg\); is data\.\S+ the folder") as caught:
        opened(values, root)
    assert "\n" not in str(caught.value)
    corpus = opened(values, root, skip=True)
    assert len(corpus) == 2
    assert corpus.report.lines()[1].startswith("pictures: 1 skipped: there is no such picture (")


def test_pictures_without_a_row_are_counted_once(root: Path) -> None:
    values = table(root)
    for name in ("more.jpg", "MORE.PNG", "notes.txt"):
        (root / "photos" / name).write_bytes(b"not looked at")
    corpus = opened(values, root)
    assert told(corpus) == CLEAN
    assert corpus.report.uncaptioned == 2
    assert "2 more in the folder of the pictures, without a caption in this table" in corpus.report.lines()[1]
    (root / "photos/b.jpg").write_bytes(b"broken")
    assert opened(values, root, skip=True).readable().report.uncaptioned == 2
    data = PictureDataSettings.model_validate({"train": values, "validation": {"share": 0.5}})
    splits = open_picture_splits(data, root)
    assert [corpus.report.uncaptioned for corpus in splits.values()] == [2, 0]
    assert opened(karpathy(root), root).report.uncaptioned == 0  # other splits have theirs


def test_splits_of_karpathy(root: Path) -> None:
    values = karpathy(root)
    assert list(told(opened(values | {"split": "val"}, root))) == ["a.jpg"]
    with pytest.raises(ValueError, match=r"unknown split 'vall': did you mean 'val'\? Known: restval, train, val"):
        opened(values | {"split": "vall"}, root)


def test_coco_names_its_folder_in_karpathys_file(root: Path) -> None:
    image = {"filepath": "photos", "filename": "a.jpg", "split": "val", "sentences": [{"raw": "Yes."}]}
    (root / "dataset.json").write_text(json.dumps({"images": [image]}), "utf-8")
    corpus = opened({"karpathy": "dataset.json", "images": ".", "split": "val"}, root)
    assert told(corpus) == {"photos/a.jpg": ("Yes.",)}


FAULTS: dict[str, tuple[str, str, str]] = {
    "an empty caption": (
        "x.csv",
        "image,caption\na.jpg,Fine.\na.jpg, \n",
        r"x\.csv:3: the caption is empty \(of a.jpg",
    ),
    "no picture": ("x.csv", "image,caption\n,Fine.\nb.jpg,Fine.\n", r"x\.csv:2: the name of the picture is empty"),
    "too few columns": ("x.tsv", "image\tcaption\na.jpg\nb.jpg\tFine.\n", r"x\.tsv:2: the row has too few columns"),
    "a number": (
        "x.jsonl",
        '{"image": "a.jpg", "caption": 3}\n{"image": "b.jpg", "caption": "Fine."}\n',
        r"x\.jsonl:1: the picture or a caption is not text \(it is a number",
    ),
    "nothing for a caption": (
        "x.jsonl",
        '{"image": "a.jpg", "caption": null}\n{"image": "b.jpg", "caption": "Fine."}\n',
        r"x\.jsonl:1: the picture or a caption is not text \(it is null",
    ),
    "nothing among captions": (
        "x.jsonl",
        '{"image": "a.jpg", "caption": ["x", null]}\n{"image": "b.jpg", "caption": "Fine."}\n',
        r"x\.jsonl:1: the picture or a caption is not text \(it is null",
    ),
    "nothing for a picture": (
        "x.jsonl",
        '{"image": null, "caption": "x"}\n{"image": "b.jpg", "caption": "Fine."}\n',
        r"x\.jsonl:1: the picture or a caption is not text \(it is null",
    ),
    "no field": (
        "x.jsonl",
        '{"image": "a.jpg", "text": "x"}\n{"image": "b.jpg", "caption": "Fine."}\n',
        r"x\.jsonl:1: there is no field 'caption' \(it has image, text\)",
    ),
    "no JSON": (
        "x.jsonl",
        '{"image": "a.jpg"\n{"image": "b.jpg", "caption": ["Fine."]}\n',
        r"x\.jsonl:1: not valid JSON",
    ),
    "no captions": (
        "x.jsonl",
        '{"image": "a.jpg", "caption": []}\n{"image": "b.jpg", "caption": ["Fine."]}\n',
        r"x\.jsonl:1: the picture has no caption \(a\.jpg\)",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_with_its_place_or_skipped(fault: str, root: Path) -> None:
    name, content, message = FAULTS[fault]
    (root / name).write_text(content, "utf-8")
    with pytest.raises(ValueError, match=message + r".*data\.on_error=skip"):
        opened({"file": name, "images": "photos"}, root)
    corpus = opened({"file": name, "images": "photos"}, root, skip=True)
    assert [text for texts in told(corpus).values() for text in texts] == ["Fine."]
    assert len(corpus.report.skipped) == 1


def test_faults_of_the_json_of_coco(root: Path) -> None:
    values = coco(root)
    path = root / "captions.json"
    content = json.loads(path.read_bytes())
    content["images"].append({"id": 1, "file_name": "untold.jpg"})
    content["annotations"] += [{"image_id": 12345, "caption": "Of nothing."}, {"image_id": 70, "bbox": [1, 2, 3, 4]}]
    path.write_text(json.dumps(content), "utf-8")
    corpus = opened(values, root, skip=True)
    assert told(corpus) == CLEAN
    assert sorted(corpus.report.skipped) == [
        "captions of a picture that is not listed",
        "not a caption with image_id and caption",
        "the picture has no caption",
    ]
    with pytest.raises(ValueError, match=r"annotations\[6\]: not a caption with image_id and caption"):
        opened(values, root)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1, 2", r"captions\.json: not valid JSON"),
        ("[1, 2]", r"there is no list 'images' \(it is a list\)"),
        ('{"categories": [], "info": 1}', r"there is no list 'images' \(it has categories, info\)"),
    ],
)
def test_json_that_is_something_else(content: str, message: str, root: Path) -> None:
    (root / "captions.json").write_text(content, "utf-8")
    for values in ({"coco": "captions.json"}, {"karpathy": "captions.json", "split": "train"}):
        with pytest.raises(ValueError, match=message):
            opened(values | {"images": "photos"}, root)


def test_files_and_folders_that_are_not_there(root: Path) -> None:
    table(root)
    with pytest.raises(
        FileNotFoundError, match=r"data\.pictures\.images: there is no folder .*did you mean 'photos'\?"
    ):
        opened({"file": "captions.csv", "images": "photo"}, root)
    with pytest.raises(
        FileNotFoundError, match=r"data\.pictures\.file: there is no file .*did you mean 'captions.csv'"
    ):
        opened({"file": "caption.csv", "images": "photos"}, root)
    with pytest.raises(ValueError, match=r"unknown kind of table '\.jpg'"):
        opened({"file": "photos/a.jpg", "images": "photos"}, root)
    with pytest.raises(FileNotFoundError, match="has no folder of photos"):
        opened({"flickr8k": ".", "split": "train"}, root)
    with pytest.raises(ValueError, match=r"unknown column 'capton': did you mean 'caption'\?"):
        opened({"file": "captions.csv", "images": "photos", "caption": "capton"}, root)


def test_a_corpus_without_any_picture_is_an_error(root: Path) -> None:
    (root / "x.csv").write_text("image,caption\nz.jpg,Gone.\n", "utf-8")
    with pytest.raises(
        ValueError, match=r"data\.test: there is not one picture with a caption: 1 skipped: there is no"
    ):
        opened({"file": "x.csv", "images": "photos"}, root, skip=True, name="test")


def test_broken_pictures_are_told_or_left_out(root: Path) -> None:
    values = table(root)
    (root / "photos/b.jpg").write_bytes((root / "photos/b.jpg").read_bytes()[:200])
    with pytest.raises(ValueError, match=r"b\.jpg: .*; mend it, or leave such pictures out with data\.on_error=skip"):
        opened(values, root).readable()
    looked: list[int] = []
    whole = opened(values, root, skip=True)
    corpus = whole.readable(looked.append)
    assert list(told(corpus)) == ["a.jpg", "c.jpg"]
    assert (corpus.report.pictures, corpus.report.captions) == (2, 4)
    assert len(corpus.report.lines()) == 2
    assert looked == [1, 2, 3]
    assert len(whole.report.lines()) == 1
    for name in ("a.jpg", "c.jpg"):
        (root / "photos" / name).write_bytes(b"")
    with pytest.raises(ValueError, match="not one picture can be read"):
        opened(values, root, skip=True).readable()


def test_the_fingerprint_is_that_of_names_and_captions(root: Path) -> None:
    one = opened(table(root), root)
    assert one.fingerprint() == opened(json_lines(root), root).fingerprint()
    assert one.fingerprint() != opened(table(root), root, lowercase=True).fingerprint()


def test_practice_pictures_are_the_scenes() -> None:
    values = {"practice": "scenes", "pictures": 7, "language": "korean", "objects": [2, 3], "seed": 5, "size": 64}
    corpus = opened(values | {"held_out": True}, Path())
    scenes = list(Scenes(5, 64).scenes(7, objects=(2, 3), held_out=True))
    assert [entry.captions for entry in corpus] == [(scene.korean,) for scene in scenes]
    entry = corpus[3]
    assert isinstance(entry.picture, PictureScene)
    assert entry.picture.scene() == scenes[3]
    assert entry.picture.load().tobytes() == scenes[3].picture().tobytes()
    assert entry.picture.load().size == (64, 64)


def test_many_practice_captions_are_kept(cache: Path) -> None:
    values = {"practice": "scenes", "pictures": 205, "seed": 77}
    first = opened(values, Path())
    kept = [path for path in cache.rglob("captions.txt") if len(path.read_text("utf-8").splitlines()) == 205]
    assert len(kept) == 1
    assert opened(values, Path()).pictures == first.pictures
    assert opened(values | {"pictures": 3}, Path()).pictures == first.pictures[:3]
    kept[0].write_text("cut off", "utf-8")
    assert opened(values, Path()).pictures == first.pictures


def test_the_content_of_a_picture_is_that_of_its_bytes(root: Path) -> None:
    first, second = (PictureFile(root / "photos", name) for name in ("a.jpg", "b.jpg"))
    assert first.content() == second.content()  # the same picture twice
    (root / "photos/c.jpg").write_bytes(b"something else")
    assert first.content() != PictureFile(root / "photos", "c.jpg").content()
    scenes = [PictureScene(0, number, (1, 4), False, size) for number in (0, 1) for size in (64, 128)]
    assert len({scene.content() for scene in scenes}) == 4
    assert {len(ref.content()) for ref in (first, *scenes)} == {16}


def test_a_share_is_held_out_by_picture(root: Path) -> None:
    rows = [{"image": f"{number}.jpg", "caption": ["One.", "Two."]} for number in range(200)]
    for row in rows:
        (root / "photos" / str(row["image"])).write_bytes(b"not looked at")
    (root / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    data = PictureDataSettings.model_validate(
        {"train": {"file": "x.jsonl", "images": "photos"}, "validation": {"share": 0.2}, "test": {"share": 0.1}}
    )
    splits = open_picture_splits(data, root)
    names = {split: set(told(corpus)) for split, corpus in splits.items()}
    assert sorted(name for part in names.values() for name in part) == sorted(str(row["image"]) for row in rows)
    assert 20 < len(names["validation"]) < 60
    assert all(len(texts) == 2 for corpus in splits.values() for texts in told(corpus).values())
    assert list(open_picture_split("train", data, root)) == list(splits["train"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"practice": "scene", "pictures": 3}, r"train\.practice: unknown 'scene'; did you mean 'scenes'\?"),
        ({"practice": "scenes"}, r"train\.pictures: is missing"),
        ({"practice": "scenes", "pictures": 3, "objects": [3, 2]}, r"train\.objects: expected \[fewest, most\]"),
        ({"practice": "scenes", "pictures": 3, "size": 8}, r"train\.size: should be greater than or equal to 32"),
        ({"flickr8k": "x", "split": "val"}, r"train\.split: unknown 'val'; .*train, dev, test"),
        ({"coco": "x.json", "image": "y"}, r"train\.image: no such field; did you mean 'images'\?"),
        ({"folder": "x"}, r"train: expected \{flickr8k: FOLDER, split: NAME\}"),
    ],
)
def test_settings_that_do_not_fit_are_one_line(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_settings(PictureDataSettings, {"train": values, "validation": {"share": 0.1}}, "my.yaml")
    assert "\n" not in str(caught.value)


def test_shares_leave_something_to_train_on() -> None:
    values = {"train": {"practice": "scenes", "pictures": 3}, "validation": {"share": 0.5}, "test": {"share": 0.5}}
    with pytest.raises(ValueError, match="nothing is left to train on"):
        read_settings(PictureDataSettings, values, "my.yaml")


def test_a_picture_with_captions_is_a_plain_record() -> None:
    entry = CaptionedPicture(PictureFile(Path("x"), "y.jpg"), ("A cat.",))
    assert entry == (PictureFile(Path("x"), "y.jpg"), ("A cat.",))
    assert hash(entry)
