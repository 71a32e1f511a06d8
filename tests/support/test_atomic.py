"""Files that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.support.atomic import publish, remove, save_text


def test_a_file_is_put_in_its_place(tmp_path: Path) -> None:
    """It takes the place of what was there, and its size is returned."""
    path = tmp_path / "a"
    path.write_bytes(b"before")

    def write(draft: Path) -> None:
        draft.write_bytes(b"rye")

    assert 3 == publish(path, write)
    assert b"rye" == path.read_bytes()
    assert ["a"] == [file.name for file in tmp_path.iterdir()]


def test_a_folder_is_put_in_its_place(tmp_path: Path) -> None:
    """With all in it, in place of the one before."""

    def write(draft: Path) -> None:
        draft.mkdir()
        (draft / "one").write_bytes(b"rye")
        (draft / "two").write_bytes(b"oats")

    path = tmp_path / "a"
    path.mkdir()
    (path / "old").write_bytes(b"")
    assert 7 == publish(path, write)
    assert ["one", "two"] == sorted(file.name for file in path.iterdir())


def test_a_failure_changes_nothing(tmp_path: Path) -> None:
    """A failed write must leave the old file unchanged and no draft behind."""

    def fail(draft: Path) -> None:
        draft.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    path = tmp_path / "a"
    path.write_bytes(b"before")
    with pytest.raises(OSError, match="No space"):
        publish(path, fail)
    assert b"before" == path.read_bytes()
    assert ["a"] == [file.name for file in tmp_path.iterdir()]


def test_what_is_not_there_need_not_be_removed(tmp_path: Path) -> None:
    """A link to a folder goes, the folder does not."""
    remove(tmp_path / "nothing")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    remove(tmp_path / "link")
    assert ["folder"] == [file.name for file in tmp_path.iterdir()]


def test_a_text_is_saved_through_links(tmp_path: Path) -> None:
    """A link stays one, what it leads to is replaced, and folders are made."""
    target, link = tmp_path / "far" / "a", tmp_path / "link"
    link.symlink_to(target)
    for text in ("rye", "Ähre"):
        save_text(link, text, mode=0o600)
    assert link.is_symlink()
    assert "Ähre" == target.read_text(encoding="utf-8")
    assert 0o600 == target.stat().st_mode & 0o777
    assert [target] == list(target.parent.iterdir())


def test_a_text_that_cannot_be_saved_changes_nothing(tmp_path: Path) -> None:
    """Neither the file, nor is a draft left."""
    path = tmp_path / "a"
    save_text(path, "rye")
    with pytest.raises(UnicodeEncodeError):
        save_text(path, "\ud800")
    assert "rye" == path.read_text(encoding="utf-8")
    assert [path] == list(tmp_path.iterdir())
