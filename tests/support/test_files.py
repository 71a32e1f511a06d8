"""Files that are whole or not there, locks, stamps, reasons of failures, and a user's folders."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from thresher.support.files import (
    cache_folder,
    config_folder,
    data_folder,
    explain_os_error,
    is_disk_full,
    lock_file,
    publish,
    remove,
    save_text,
    stamp_of,
)


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


_ADD = """
import sys
from pathlib import Path
from thresher.support.files import lock_file, save_text

path = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for _ in range(20):
    with lock_file(path, wait_s=60.0):
        save_text(path, str(int(path.read_text()) + 1))
"""


def test_processes_change_a_file_in_turn(tmp_path: Path) -> None:
    """Of the changes of two processes at the same time none is lost."""
    path = tmp_path / "count"
    path.write_text("0")
    command = [sys.executable, "-c", _ADD, str(path)]
    pipe = subprocess.PIPE
    adders = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(2)]
    for adder in adders:
        assert adder.stdout
        adder.stdout.readline()
    for adder in adders:
        adder.communicate("go\n")
    assert "40" == path.read_text()


def test_a_lock_that_is_held_is_reported(tmp_path: Path) -> None:
    """Who waits in vain is told which file it is about, and gets the lock once it is free."""
    path = tmp_path / "new" / "settings"
    with (
        lock_file(path),
        pytest.raises(TimeoutError, match="another process") as caught,
        lock_file(path, wait_s=0.0),
    ):
        pass
    assert str(path) == caught.value.filename
    with lock_file(path, wait_s=0.0):
        assert path.with_name("settings.lock").exists()


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    """Other contents, another time or another file of the name have another stamp."""
    path = tmp_path / "a"
    assert stamp_of(path) is None
    assert stamp_of(None) is None
    path.write_text("a")
    first = stamp_of(path)
    assert first == stamp_of(path)
    path.write_text("ab")
    second = stamp_of(path)
    os.utime(path, (1, 1))
    assert 3 == len({first, second, stamp_of(path)})


def test_full_disk_is_named() -> None:
    """ENOSPC means a full disk; other errors keep their own reason."""
    full, denied = OSError(errno.ENOSPC, "No space left"), OSError(errno.EACCES, "Denied")
    assert (True, False) == (is_disk_full(full), is_disk_full(denied))
    assert ("the disk is full", "Denied") == (explain_os_error(full), explain_os_error(denied))


@pytest.mark.parametrize(
    ("find", "variable", "below_home"),
    [
        (config_folder, "XDG_CONFIG_HOME", ".config"),
        (data_folder, "XDG_DATA_HOME", ".local/share"),
        (cache_folder, "XDG_CACHE_HOME", ".cache"),
    ],
)
def test_folders_follow_the_environment(
    find: Callable[[], Path], variable: str, below_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An absolute variable counts; an empty, relative or missing one is none."""
    monkeypatch.setenv(variable, "/somewhere")
    assert Path("/somewhere/thresher") == find()
    for named in ("", "here"):
        monkeypatch.setenv(variable, named)
        assert Path.home() / below_home / "thresher" == find()
    monkeypatch.delenv(variable)
    assert Path.home() / below_home / "thresher" == find()
