"""The baseline."""

from __future__ import annotations

import thresher
from thresher.page.parse import parse


def test_everything_kept_when_page_has_boilerplate() -> None:
    """Every leaf of the page is kept, navigation too; not what nothing on the page shows."""
    page = parse("<nav><a href=/>Home</a></nav><p>Text</p><p hidden>More</p><img src=a>")
    assert [True, True, False, True] == thresher.select(page, "keep_all").keep.tolist()
