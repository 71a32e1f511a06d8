"""Bounds on the number of elements of a tree, computed before it is built."""

from __future__ import annotations

from itertools import pairwise
from unittest.mock import patch

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from thresher.page import reopening
from thresher.page.reopening import is_within

N_FORMAT = 100
"""Formatting elements that are open at once."""
N_BLOCK = 5000

_OPEN = "".join(f"<b c={i}>" for i in range(N_FORMAT))
_CLOSED = "".join(f"<b c={i}>w</b>" for i in range(N_FORMAT))
_NAMES = (
    *("a", "b", "i", "font", "nobr", "code", "p", "div", "li", "table", "tr", "td", "caption"),
    *("object", "template", "select", "option", "svg", "title", "foreignObject", "math", "mi"),
    *("noscript", "style", "textarea", "span", "h1", "button"),
)
_PIECES = (
    *(b"<b>", b"<strike ", b"<i class=x", b"<STRONG", b'<nobr a="', b"<big\n", b"<b/>", b"</b>"),
    *(b"<div>", b"<", b">", b"\n", b"word"),
)
_MARKUP = st.one_of(
    st.builds("<{} c={}>".format, st.sampled_from(_NAMES), st.integers(0, 9)),
    st.builds("<{}>".format, st.sampled_from(_NAMES)),
    st.builds("</{}>".format, st.sampled_from(_NAMES)),
    st.sampled_from(("x", "<!--", "-->", "<![CDATA[", "]]>", "<p a='", "'>", "<svg/>")),
)

ALWAYS_OPEN = {
    "paragraphs": _OPEN + "<p>x" * N_BLOCK,
    "one more each": "".join(f"<p><b c={i}>" for i in range(N_BLOCK)),
    "ended in a cell": f"{_OPEN}<table><tr><td>{'</b>' * N_FORMAT}</table>{'<p>x' * N_BLOCK}",
    "ended in an object": f"{_OPEN}<object>{'</b>' * N_FORMAT}</object>{'<p>x' * N_BLOCK}",
    "ended in a script": f"{_OPEN}<script>{'</b>' * N_FORMAT}</script>{'<p>x' * N_BLOCK}",
    "ended in a value": f"{_OPEN}<i title='{'</b>' * N_FORMAT}'></i>{'<p>x' * N_BLOCK}",
    "ended in CDATA": f"{_OPEN}<svg><![CDATA[>{'</b>' * N_FORMAT}]]></svg>{'<p>x' * N_BLOCK}",
    "ended in a caption of a drawing": f"{_OPEN}<svg><title><p></svg>{'</b>' * N_FORMAT}</p>"
    f"</title></svg>{'<p>x' * N_BLOCK}",
    "ended behind a comment": f"{_OPEN}<noscript><!-- </noscript>{'</b>' * N_FORMAT}-->"
    f"</noscript>{'<p>x' * N_BLOCK}",
    "opened in a noscript": f"<noscript>{_OPEN}</noscript>{'<p>x' * N_BLOCK}",
    "opened in a style of a drawing": f"<svg><style>{_OPEN}</style></svg>{'<p>x' * N_BLOCK}",
}
ALWAYS_ENDED = {
    "in order": _CLOSED + "<p>x" * N_BLOCK,
    "in cells": f"<table>{f'<tr><td>{_CLOSED}<td>y' * 50}</table>{'<p>x' * N_BLOCK}",
    "by their cells": f"<table>{''.join(f'<tr><td><font c={i}>y' for i in range(N_BLOCK))}</table>",
    "in a noscript": f"<noscript>{_CLOSED}</noscript>{'<p>x' * N_BLOCK}",
    "around drawings": "<p><b class=icon><svg><path d=m /></svg>x</b>" * N_BLOCK,
    "by one another": "".join(f"<p><a href={i}>x" for i in range(N_BLOCK)),
    "being alike": "<p><font size=2>x" * N_BLOCK,
}


def _nested(html: str) -> str:
    """Put formatting in a paragraph that the next one ends."""
    return f"<p>{html}"


@pytest.mark.parametrize("html", ALWAYS_OPEN.values(), ids=ALWAYS_OPEN)
def test_what_is_opened_in_every_block_counts_in_every_block(html: str) -> None:
    """A hundred elements in each of five thousand blocks are half a million, well hidden or not."""
    assert not is_within(_nested(html).encode(), N_FORMAT * (N_BLOCK - 1))


@pytest.mark.parametrize("html", ALWAYS_ENDED.values(), ids=ALWAYS_ENDED)
def test_what_is_ended_does_not_count(html: str) -> None:
    """Pages that end what they open are far from such numbers, whatever their length."""
    n_element = sum(1 for _ in turbohtml.parse(_nested(html)).iter_elements())
    assert is_within(_nested(html).encode(), 12 * n_element)


@given(st.lists(_MARKUP, max_size=60), st.integers(1, 30))
def test_no_tree_has_more(pieces: list[str], n_time: int) -> None:
    """The estimate for any tag soup must not fall short of the elements that its tags create."""
    html = "".join(pieces) * n_time
    n_element = sum(1 for _ in turbohtml.parse(html).iter_elements())
    # An <html>, a <head>, a <body>; and what tables and end tags of paragraphs bring with them.
    n_implied = 3 + 2 * html.count("<t") + html.count("</p") + html.count("<c")
    assert not is_within(html.encode(), n_element - n_implied - 1)


def test_the_number_of_tags_alone_may_be_beyond() -> None:
    """A page of far more start tags is not read on."""
    assert is_within(b"<p>" * 20_000, 20_000)
    assert not is_within(b"<p>" * 20_000, 19_999)
    assert not is_within(b"<p>" * 20_000, 100)


@pytest.mark.parametrize("piece", [b"<div>w", b"<b>w", b"<b ", b"<div ", b"<"])
def test_the_clock_is_looked_at_in_every_part_of_a_page(
    piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether or not there are tags to find, and whether or not one of them ends."""
    looks: list[None] = []
    monkeypatch.setattr(reopening, "check_deadline", lambda: looks.append(None))
    utf8 = piece * (2**20 // len(piece))
    reopening._count_kinds(utf8)
    if piece != b"<b ":  # which is one tag
        assert len(looks) >= 2**20 // reopening._SEARCHED_BYTES


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map(b"".join), st.integers(9, 60))
def test_tags_are_found_in_pieces_as_they_are_in_the_whole(utf8: bytes, n_byte: int) -> None:
    """Wherever the pieces that are searched between two looks at the clock end."""
    with patch.object(reopening, "_SEARCHED_BYTES", n_byte):
        found = list(reopening._find_formatting(utf8))
    assert reopening._FORMATTING_TAG.findall(utf8) == found


def test_the_answer_does_not_depend_on_how_it_is_found() -> None:
    """A page within a limit must be within every higher limit, also if its length alone decides."""
    html = _nested(_OPEN + "<p>x" * 20)
    answers = [is_within(html.encode(), n) for n in (100, 2_000, 4_000, 50_000, 5_000_000)]
    assert all(before <= after for before, after in pairwise(answers))
