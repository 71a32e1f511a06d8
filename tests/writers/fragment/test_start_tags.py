"""Start tags."""

from __future__ import annotations

from thresher.page.parse import parse
from thresher.writers.fragment.slices import format_start_tag, keep_attributes


def test_only_allowed_attributes_stay_when_a_tag_is_formatted() -> None:
    """Attributes must be those of clean HTML, escaped, and never the page's own id."""
    page = parse("<body><li id=a class=b lang='&quot;' value=3>c")
    row = int(page.parent[page.leaves[0]])
    assert '<li lang="&quot;" value="3">' == format_start_tag(
        "li", keep_attributes(page, row, "li")
    )
