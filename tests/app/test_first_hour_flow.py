"""The first hour of a new user, as the guide shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.first_hour import PICTURES, WIDTHS_PX, Walk, file_of

DOCS = Path(__file__).parents[2] / "docs"
NAMES = {file_of(name, width) for name in PICTURES for width in WIDTHS_PX}


def test_the_guide_shows_the_pictures_that_are_made() -> None:
    """Every picture is shown in the guide and there is a file of it, and no other."""
    guide = (DOCS / "guides" / "first-hour.md").read_text(encoding="utf-8")
    assert set(re.findall(r"images/first-hour/([\w.-]+)", guide)) == NAMES
    assert {path.name for path in (DOCS / "images" / "first-hour").iterdir()} == NAMES


@pytest.mark.slow
def test_every_step_works_and_twenty_labels_are_a_gain(tmp_path: Path) -> None:
    """The walk ends with a model that is better, and has taken its pictures on the way."""
    walk = Walk(tmp_path, tmp_path / "pictures")
    walk.go()
    assert "your model is better than the shipped weights by" in walk.outcome
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == NAMES
