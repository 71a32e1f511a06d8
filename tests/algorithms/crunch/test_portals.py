"""Pages that consist of links."""

from __future__ import annotations

from typing import Any

import pytest

from thresher.algorithms.crunch import Params, select
from thresher.page.parse import parse

LINKS = "<ul>" + "<li><a href=u>A headline of some length</a>" * 30 + "</ul>"
LETTERS = "<p>" + "12345 " * 39
"""39 words of five letters: 30 links over them are 0.77 links a word."""


@pytest.mark.parametrize(
    ("html", "params", "is_portal"),
    [
        (LINKS, {}, True),
        (LINKS + LETTERS, {}, True),
        (LINKS + LETTERS + "12345", {}, False),
        (LINKS + LETTERS + "12345", {"min_content_words": 41.0}, True),
        (LINKS, {"keep_portals": False}, False),
        (LINKS, {"min_content_words": 0.0}, False),
        ("<p>Nothing here yet.", {}, False),
        ("", {}, False),
    ],
)
def test_page_left_as_it_is_when_it_is_a_portal(
    html: str, params: dict[str, Any], is_portal: bool
) -> None:
    """A page with more links than words, and few words, is kept completely, with a reason."""
    selection = select(parse(html), Params(**params))
    blocks = range(len(selection.page.blocks))
    reasons = {selection.reason(block) for block in blocks}
    assert is_portal == (reasons == {"the page is nothing but links: left as it is"})
    assert not is_portal or selection.keep.all()
