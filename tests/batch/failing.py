"""Files that cannot be opened or read, as where a disk or a mount is gone for a while."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from thresher.batch.sources import base

_PIECE_BYTES = 512
"""Bytes that a file gives at a time, so that it breaks in the middle."""


def break_file(
    monkeypatch: pytest.MonkeyPatch, path: Path, code: int, after_bytes: int | None = None
) -> None:
    """Let the system refuse a file with an errno: to open it, or to read on after some bytes."""
    open_path = Path.open
    error = OSError(code, os.strerror(code), str(path))

    def open_or_refuse(self: Path, *args: Any, **options: Any) -> Any:
        if self == path and after_bytes is None:
            raise error
        return open_path(self, *args, **options)

    class Refusing(io.FileIO):
        def __init__(self, opened: Path) -> None:
            self.breaks = opened == path
            if self.breaks and after_bytes is None:
                raise error
            super().__init__(opened)

        def readinto(self, buffer: Any) -> int:
            if self.breaks and self.tell() >= (after_bytes or 0):
                raise error
            return int(super().readinto(memoryview(buffer)[:_PIECE_BYTES]))

    monkeypatch.setattr(Path, "open", open_or_refuse)
    monkeypatch.setattr(base, "FileIO", Refusing)
