"""Drawing of a page on the labelling desk."""

from __future__ import annotations

import pytest

from thresher.app.annotated import MAX_BLOCKS, draw_page
from thresher.errors import LimitError
from thresher.limits import Limits


def test_every_text_knows_its_block_and_nothing_can_be_followed() -> None:
    """The page's own links and scripts are not in the drawing, and blocks are no links."""
    html = "<h1>Rye</h1><p>It <a href=/in>is in</a>.<script>alert(1)</script><p hidden>Oats"
    drawn = draw_page(html, "https://field.example/", 0, Limits())
    assert (drawn.start, drawn.stop, drawn.n_block) == (0, 3, 3)
    assert drawn.markup.count('data-b="1"') == 3
    assert "<a" not in drawn.markup
    assert "alert" not in drawn.markup


def test_long_pages_are_drawn_in_stretches() -> None:
    """The stretch has the block that was asked for, or the last one."""
    html = "<p>rye" * (MAX_BLOCKS + 5)
    drawn = draw_page(html, None, MAX_BLOCKS + 2, Limits())
    assert (drawn.start, drawn.stop, drawn.n_block) == (MAX_BLOCKS, MAX_BLOCKS + 5, MAX_BLOCKS + 5)
    assert draw_page(html, None, 10**6, Limits()).start == MAX_BLOCKS


def test_limits_hold() -> None:
    """A page that exceeds a limit raises what extracting it does."""
    with pytest.raises(LimitError):
        draw_page("<p>rye" * 50, None, 0, Limits(max_nodes=20))
