"""Locks between processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from thresher.support.file_lock import lock_file

_ADD = """
import sys
from pathlib import Path
from thresher.support.atomic import save_text
from thresher.support.file_lock import lock_file

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
