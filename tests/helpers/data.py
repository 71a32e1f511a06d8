"""Pages, scripts and other texts that tests read: the files of tests/data."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["DATA", "read_data"]

DATA: Final = Path(__file__).parents[1] / "data"


def read_data(name: str) -> str:
    """Return the text of a file of tests/data."""
    return (DATA / name).read_text(encoding="utf-8")
