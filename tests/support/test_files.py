"""Files are written whole or not at all, and read with errors that name them."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import UsageError
from thresher.support.array_files import ArraySpec, check_arrays, read_arrays
from thresher.support.databases import explain_sqlite_error, migrate_database, open_database
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
from thresher.support.toml_files import format_value, read_toml


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


TEXTS = st.text(st.characters(codec="utf-8"))
VALUES = st.booleans() | st.integers(-(2**60), 2**60) | TEXTS | st.lists(TEXTS, max_size=3)


@given(VALUES)
def test_formatted_values_read_back_equal(value: object) -> None:
    """Any supported value must be read back equal after it is formatted."""
    assert {"x": value} == tomllib.loads(f"x = {format_value(value)}")


def test_lone_surrogates_become_question_marks() -> None:
    """A lone surrogate becomes a question mark."""
    assert {"x": "a?"} == tomllib.loads(f"x = {format_value(chr(97) + chr(0xD800))}")


def test_a_file_is_read() -> None:
    """With its version, and the tables that may be there."""
    text = "version = 2\n[host.a]\nx = 1\n"
    assert {"version": 2, "host": {"a": {"x": 1}}} == read_toml(text, version=2, tables={"host"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version =", "Invalid value"),
        ("", "the line version = 1 is missing"),
        ("version = 2", "version must be 1, not 2"),
        ("version = 1\n[b]\n[c]\n[a]", "unknown: b, c"),
        ("version = 1\nx = " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    """As an error of the call."""
    with pytest.raises(UsageError, match=message):
        read_toml(text, version=1, tables={"a"})


TABLE = {
    "first": ArraySpec("float32", ("n", "h"), -1, 1),
    "second": ArraySpec("float32", ("h + 1", "2 * n"), -1, 1),
}


def test_sizes_are_learned_from_the_first_array(tmp_path: Path) -> None:
    """The others must agree with them."""
    first = np.zeros((2, 3), np.float32)
    np.savez(tmp_path / "a.npz", first=first, second=np.zeros((4, 4), np.float32))
    arrays = read_arrays(tmp_path / "a.npz")
    sizes: dict[str, int] = {}
    check_arrays(arrays, TABLE, sizes)
    assert {"n": 2, "h": 3} == sizes
    assert not arrays["first"].flags.writeable
    wrong = arrays | {"second": np.zeros((4, 3), np.float32)}
    with pytest.raises(UsageError, match=r"second has the shape \(4, 3\), not \(4, 4\)"):
        check_arrays(wrong, TABLE, {})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1.5, -1.5])
def test_values_are_bounded(value: float) -> None:
    """What is no number is beyond any bound."""
    arrays = {"first": np.full((2, 3), value, np.float32)}
    with pytest.raises(UsageError, match="first has values that are not from -1 to 1"):
        check_arrays(arrays, TABLE, {})


def test_no_file_is_no_archive(tmp_path: Path) -> None:
    """A missing file, a folder and a text are errors of ours."""
    (tmp_path / "text").write_text("rye")
    for name in ("gone", ".", "text"):
        with pytest.raises(UsageError):
            read_arrays(tmp_path / name)


OLD = ("CREATE TABLE sack (id INTEGER PRIMARY KEY)",)
NEW = (*OLD, "ALTER TABLE sack ADD COLUMN grain TEXT NOT NULL DEFAULT 'rye'")


def test_older_files_are_migrated(tmp_path: Path) -> None:
    """What an older version wrote is there after the migration; the older one rejects the file."""
    path = tmp_path / "new" / "sacks.sqlite"
    migrate_database(path, OLD, "sacks")
    with open_database(path) as db:
        db.execute("INSERT INTO sack DEFAULT VALUES")
    migrate_database(path, NEW, "sacks")
    with open_database(path) as db:
        assert [(1, "rye")] == [tuple(row) for row in db.execute("SELECT * FROM sack")]
        assert "wal" == db.execute("PRAGMA journal_mode").fetchone()[0]
    with pytest.raises(UsageError, match="newer version"):
        migrate_database(path, OLD, "sacks")


def test_number_that_cannot_be_stored_is_a_usage_error(tmp_path: Path) -> None:
    """A number beyond 64 bits, as an address can hold, raises an error of our own."""
    path = tmp_path / "sacks.sqlite"
    migrate_database(path, OLD, "sacks")
    with pytest.raises(UsageError, match="too large"), open_database(path) as db:
        db.execute("SELECT * FROM sack WHERE id = ?", (10**30,))


def test_full_database_is_named(tmp_path: Path) -> None:
    """SQLite's error for a file that cannot grow is a full disk."""
    db = sqlite3.connect(tmp_path / "a.sqlite")
    db.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as error:
        db.execute("CREATE TABLE a AS SELECT randomblob(100000)")
    db.close()
    assert "the disk is full" == explain_sqlite_error(error.value)
