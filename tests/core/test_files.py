"""Files and folders that are whole or not there."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from jumok.core.files import folder_beside, remove_leftovers, sha256_of, write_whole, written_beside


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "하나")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_file_stays_as_it_was_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "one")
    with pytest.raises(ZeroDivisionError), written_beside(path) as beside:
        beside.write_text(f"half {1 / 0}")
    assert path.read_text() == "one"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_file_has_the_rights_that_others_would_get(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    write_whole(tmp_path / "whole", "")
    assert (tmp_path / "whole").stat().st_mode == plain.stat().st_mode


def test_a_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with pytest.raises(ZeroDivisionError), folder_beside(path) as beside:
        (beside / "half").write_text(f"half {1 / 0}")
    assert os.listdir(tmp_path) == []
    with folder_beside(path) as beside:
        (beside / "inner").mkdir()
        (beside / "inner/file").write_text("whole")
        assert not path.exists()
    assert (path / "inner/file").read_text() == "whole"
    assert os.listdir(tmp_path) == ["folder"]


def test_a_folder_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    (path / "mine").write_text("mine")
    with pytest.raises(OSError, match="folder"), folder_beside(path) as beside:
        (beside / "other").write_text("other")
    assert os.listdir(path) == ["mine"]
    assert os.listdir(tmp_path) == ["folder"]


def test_leftovers_of_a_name_are_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in (".model.x1", ".other.x1", "model", ".hidden"):
        (tmp_path / name).write_text("")
    (tmp_path / ".model.x2").mkdir()
    (tmp_path / ".model.x2/inner").write_text("")
    remove_leftovers(tmp_path, "model")
    assert sorted(os.listdir(tmp_path)) == [".hidden", ".other.x1", "model"]
    remove_leftovers(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [".hidden", "model"]


@pytest.mark.parametrize("size", [0, 5, 3 << 20])
def test_the_sha256_is_that_of_the_content(tmp_path: Path, size: int) -> None:
    content = bytes(range(256)) * (size // 256 + 1)
    (tmp_path / "file").write_bytes(content[:size])
    assert sha256_of(tmp_path / "file") == hashlib.sha256(content[:size]).hexdigest()
