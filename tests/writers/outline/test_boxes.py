"""thresher.writers.outline.boxes: what boxes of a page are written as."""

from __future__ import annotations

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.outline.boxes import BoxParts, unmark

PAGE = parse("<main><div><h2>a b</h2></div><p>c <a href=d>e f</a></p></main>")
ROW = {PAGE.name(row): row for row in range(len(PAGE))}


def test_heading_in_a_box_is_written_as_its_text() -> None:
    """Headings and paragraphs around a leaf in a box must lose their tag, those above keep it."""
    parts = BoxParts()
    unmark(PAGE, parts, ROW["main"], 0)
    assert {ROW["h2"]: CODE_OF["div"]} == parts.tags
    unmark(PAGE, parts, ROW["p"], 2)
    assert ROW["p"] not in parts.tags
