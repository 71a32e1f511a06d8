"""Pictures of the app in the docs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.app.pictures import PICTURES

DOCS = Path(__file__).parents[2] / "docs"


def test_the_docs_show_the_pictures_that_are_made() -> None:
    """Every picture is shown in the docs and there is a file of it, and no other."""
    texts = [path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")]
    shown = {name for text in texts for name in re.findall(r"images/app/([\w.-]+)", text)}
    made = {picture.file_name for picture in PICTURES}
    assert made == shown
    assert made == {path.name for path in (DOCS / "images" / "app").iterdir()}
