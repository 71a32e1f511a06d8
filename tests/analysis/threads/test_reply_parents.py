"""Parents of posts."""

from __future__ import annotations

import pytest

from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.read import find_parents
from thresher.page.parse import parse


def parents(html: str, above: list[int] | None = None) -> list[int]:
    """Find the parents of the `article` elements of a page."""
    page = parse(html)
    rows = [row for row in range(len(page)) if page.name(row) == "article"]
    stops = [int(page.end[row]) for row in rows]
    return find_parents(MarkupHints(page), rows, stops, above or [-1] * len(rows))


@pytest.mark.parametrize(
    "attributes",
    [
        ["data-depth=0", "data-depth=1", "data-depth=2", "data-depth=1"],
        ["class=depth-1", "class=depth-2", "class=depth-3", "class=depth-2"],
        ["aria-level=1", "aria-level=2", "aria-level=3", "aria-level=2"],
        *(
            [f"style='{name}-left: {px}px'" for px in (0, 20, 40, 20)]
            for name in ("margin", "padding")
        ),
    ],
)
def test_depth_is_read_however_it_is_stated(attributes: list[str]) -> None:
    """Attributes, classes and indentation all say how deep a post is."""
    html = "".join(f"<article {each}>x</article>" for each in attributes)
    assert [-1, 0, 1, 0] == parents(html)


def test_depth_is_the_width_of_a_spacer() -> None:
    """Old boards push replies to the right with a picture."""
    html = "".join(
        f"<article><img src=/i/s.gif height=1 width={width}>x</article>" for width in (0, 40, 80, 0)
    )
    assert [-1, 0, 1, -1] == parents(html)


def test_nesting_counts_before_indentation() -> None:
    """Posts inside posts answer them, whatever the margins."""
    html = (
        "<article style='margin-left:9px'>x<article style='margin-left:3px'>y</article></article>"
    )
    assert [-1, 0] == parents(html, [-1, 0])


def test_lists_beside_posts_hold_their_replies() -> None:
    """A list behind a post, in an element with no other post before it, is of replies."""
    html = (
        "<ul><li><article>a</article><ul><li><article>b</article></li></ul></li>"
        "<li><article>c</article></li></ul>"
    )
    assert [-1, 0, -1] == parents(html)


def test_first_post_is_not_answered_by_all() -> None:
    """A first post placed above the container of the others must not become their parent."""
    html = "<main><article>a</article><div><article>b</article><article>c</article></div></main>"
    assert [-1, -1, -1] == parents(html)
