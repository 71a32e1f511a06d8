"""A long page is parsed in pieces, between which the deadline is checked."""

from __future__ import annotations

import random
import time

import pytest
import turbohtml

from tests.helpers.drawn_markup import draw_markup
from tests.helpers.hostile import SHAPES
from thresher import LimitError
from thresher.deadline import deadline
from thresher.page import html_parser
from thresher.page.html_parser import parse_html


def describe(tree: turbohtml.Document) -> list[tuple[str, str]]:
    """Return the name and the places of the tags of each element."""
    return [(element.tag, repr(element.source_location)) for element in tree.iter_elements()]


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_parser, "_PIECE_CHARS", 7)


@pytest.mark.usefixtures("short_pieces")
def test_pieces_give_the_tree_of_the_whole() -> None:
    """Tree and positions are those of the page parsed at once, wherever a piece ends."""
    pages = [draw_markup(random.Random(seed)) for seed in range(300)]
    pages += [shape.build(9) for shape in SHAPES.values()]
    pages += ["<div><template ShadowRootMode=open><p>x</template>y", "shadowrootmode" * 9]
    for html in pages:
        whole = turbohtml.parse(
            html, positions=True, source_locations=True, allow_declarative_shadow_roots=False
        )
        pieces = parse_html(html, positions=True)
        assert whole.serialize() == pieces.serialize(), html
        assert describe(whole) == describe(pieces), html


@pytest.mark.slow
def test_deadline_is_kept_while_a_long_page_is_parsed() -> None:
    """The parser does not read the rest of the page when the time is up."""
    html = "<p a=1>w" * 1_500_000
    start = time.thread_time()
    with deadline(0.05), pytest.raises(LimitError, match="seconds of work"):
        parse_html(html, positions=True)
    assert time.thread_time() - start < 0.5


@pytest.mark.usefixtures("short_pieces")
def test_very_long_page_with_a_shadow_root_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a page can only be parsed as a whole, which takes too long."""
    monkeypatch.setattr(html_parser, "_MAX_WHOLE_CHARS", 100)
    with pytest.raises(LimitError, match="shadow roots"):
        parse_html("<template shadowrootmode=open>" + "x" * 100, positions=False)
