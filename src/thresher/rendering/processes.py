"""Ends processes with all their children.

Chromium runs in a process group of its own, so ending the group of the worker would leave it.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

__all__ = ["find_descendants", "kill_descendants"]


def find_descendants(pid: int) -> list[int]:
    """Return the processes below one, as far as ``/proc`` tells; nothing where there is none."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            # The name before the last bracket may contain anything.
            fields = entry.read_text("latin-1").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def kill_descendants(pid: int) -> None:
    """Kill the processes below one, but not the process itself."""
    if os.name != "posix":
        return  # there Chromium ends when its pipe to Playwright closes
    for each in find_descendants(pid):
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)
