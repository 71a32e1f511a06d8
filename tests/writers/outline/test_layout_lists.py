"""Lists that only lay out the sections of a page."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.outline.lists import drop_layout_lists

TEXT = "<p>" + "The mill grinds rye. " * 12 + "</p>"
SECTION = "<section><h3>Rye</h3><p>A grain.</p></section>"


@pytest.mark.parametrize(
    ("html", "is_layout"),
    [
        ("<ul><li><h2>Rye</h2><p>A grain.</p></li></ul>", True),
        (f"<ul><li>{SECTION}</li><li>{SECTION}</li></ul>", True),
        (
            f"<ol><li><h2>Rye</h2>{TEXT}</li><li><time>9:15</time><h2>Oats</h2>{TEXT}</li></ol>",
            True,
        ),
        ("<ul><li><h2>Rye</h2><p>A grain.</p></li><li><h2>Oats</h2></li></ul>", False),
        (f"<ul><li><h2>Rye</h2>{TEXT}</li><li>{TEXT}</li></ul>", False),
        (f"<ul><li>{SECTION}</li><li>{SECTION}<p>Oats</p></li></ul>", False),
        ("<h2>Rye</h2><ul><li>A grain</li></ul>", False),
    ],
)
def test_list_is_dropped_when_its_items_are_sections(html: str, is_layout: bool) -> None:
    """One item with a heading, items of a section each, or long ones with headings are no list."""
    page = parse(f"<body>{html}")
    tag = drop_layout_lists(page, page.tag, np.ones(len(page), np.bool_))
    changed = tag != page.tag
    assert is_layout == bool(changed.any())
    assert {"li", "ol", "ul"} >= {page.name(row) for row in np.flatnonzero(changed).tolist()}
