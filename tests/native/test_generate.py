"""The generated files follow from the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher import native
from thresher.native.generate import generate


@pytest.mark.parametrize("name", ["generated.h", "generated.c", "steps.py"])
def test_generated_files_are_up_to_date(name: str) -> None:
    """Run `python -m thresher.native.generate` after a change of steps.txt."""
    written = Path(native.__file__).with_name(name).read_text(encoding="utf-8")
    assert generate()[name] == written
