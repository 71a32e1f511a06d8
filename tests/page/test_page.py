"""The page: views of its columns, and queries about rows."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import NASTY_PAGES, PLAIN_PAGE, rows_of, soups
from thresher.page import Page, Span
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF, TEXT
from thresher.support.cached import cached_property

BYTES_PER_ROW = 32
"""Seven int32 columns and one int16 are 30."""
OVERHEAD_BYTES = 3_000
"""Most bytes that pickle adds for names, types and array headers."""

VIEWS = sorted(name for name, view in vars(Page).items() if isinstance(view, cached_property))

BoolArray = npt.NDArray[np.bool_]


def plain(view: object) -> object:
    """Return a view as values that compare with ``==``."""
    if isinstance(view, np.ndarray):
        return view.tolist()
    if isinstance(view, tuple):
        return [plain(part) for part in view]
    if is_dataclass(view):
        return [plain(getattr(view, part.name)) for part in fields(view)]
    return view


def views_of(page: Page, names: list[str]) -> dict[str, object]:
    """Compute views in the order given."""
    return {name: plain(getattr(page, name)) for name in names}


def flag_rows(page: Page, seed: int) -> BoolArray:
    """Flag some rows at random, the same for the same seed: none for 0, all for 1."""
    share = {0: 0.0, 1: 1.0}.get(seed, 0.3)
    return np.random.default_rng(seed).random(len(page)) < share


def chain_of(page: Page, row: int) -> list[int]:
    """Return a row and its ancestors, from the row up."""
    chain = []
    while row >= 0:
        chain.append(row)
        row = int(page.parent[row])
    return chain


def naive_within(page: Page, rows: BoolArray) -> list[bool]:
    return [any(rows[at] for at in chain_of(page, row)) for row in range(len(page))]


def naive_below(page: Page, rows: BoolArray) -> list[bool]:
    return [any(rows[at] for at in chain_of(page, row)[1:]) for row in range(len(page))]


def naive_nearest(page: Page, rows: BoolArray) -> list[int]:
    chains = (chain_of(page, row) for row in range(len(page)))
    return [next((at for at in chain if rows[at]), -1) for chain in chains]


def naive_subtree_sums(page: Page, rows: BoolArray) -> list[int]:
    sums = [0] * len(page)
    for row in np.flatnonzero(rows).tolist():
        for at in chain_of(page, row):
            sums[at] += row
    return sums


@pytest.mark.parametrize(
    ("reach", "naive"),
    [
        (Page.within, naive_within),
        (Page.below, naive_below),
        (Page.nearest, naive_nearest),
        (lambda page, rows: page.subtree_sums(rows * np.arange(len(page))), naive_subtree_sums),
    ],
    ids=["within", "below", "nearest", "subtree_sums"],
)
@given(html=soups(), seed=st.integers(0, 9))
def test_reaching_over_rows(
    reach: Callable[[Page, BoolArray], npt.NDArray[np.generic]],
    naive: Callable[[Page, BoolArray], list[int]],
    html: str,
    seed: int,
) -> None:
    """Reaching up or down by arithmetic finds what a walk from each row finds."""
    page = parse(html)
    rows = flag_rows(page, seed)
    assert naive(page, rows) == reach(page, rows).tolist()


@given(soups())
def test_text_of_a_subtree_is_that_of_its_texts(html: str) -> None:
    """A row's text is the texts in it, in order, and counts add up the same way."""
    page = parse(html)
    own = [page.text_of(row) if page.tag[row] == TEXT else "" for row in range(len(page))]
    for row in range(len(page)):
        assert "".join(own[row : page.end[row]]) == page.text_of(row)
    assert page.text == page.text_of(0)
    for offset in (page.text_offset, page.words_before, page.chars_before, page.link_words_before):
        assert len(page) + 1 == offset.size
        assert (np.diff(offset) >= 0).all()
        assert not np.diff(offset)[page.tag != TEXT].any()
    assert (page.link_words_before <= page.words_before).all()
    assert (page.chars_before <= page.text_offset).all()


@given(soups())
def test_leaves_and_their_groups(html: str) -> None:
    """Leaves are in order; blocks and lines part them without a gap, lines within blocks."""
    page = parse(html)
    n_leaf = page.leaves.size
    assert (np.diff(page.leaves) > 0).all()
    assert n_leaf == page.leaf_offset[-1]
    assert list(range(n_leaf)) == page.leaf_offset[page.leaves].tolist()
    for runs in (page.blocks, page.lines):
        assert (0, n_leaf) == (runs.start[0], runs.start[-1])
        assert (np.diff(runs.start) > 0).all()
        assert (
            np.repeat(np.arange(len(runs)), np.diff(runs.start)).tolist() == runs.of_leaf.tolist()
        )
    assert np.isin(page.blocks.start, page.lines.start).all()
    assert (page.block_row >= 0).all()
    assert (page.leaf_link_words <= page.leaf_words).all()
    assert page.leaf_words.tolist() == [
        int(page.words_before[row + 1] - page.words_before[row])
        if page.tag[row] == TEXT
        else int(page.tag[row] == CODE_OF["math"])
        * int(page.words_before[page.end[row]] - page.words_before[row])
        for row in page.leaves.tolist()
    ]


@given(html=soups(), order=st.permutations(VIEWS))
def test_views_do_not_depend_on_their_order(html: str, order: list[str]) -> None:
    """Views are the same in whatever order they are computed, and no column changes."""
    page, again = parse(html), parse(html)
    before = rows_of(page)
    assert views_of(again, VIEWS) == {**views_of(page, order)}
    assert before == rows_of(page)


def arrays_of(view: object) -> list[npt.NDArray[np.generic]]:
    """Return the arrays in a view."""
    if isinstance(view, np.ndarray):
        return [view]
    names = [part.name for part in fields(view)] if is_dataclass(view) else []
    parts = view if isinstance(view, tuple) else [getattr(view, name) for name in names]
    return [part for part in parts if isinstance(part, np.ndarray)]


def test_views_are_read_only() -> None:
    """No array that a page hands out can be written to."""
    page = parse(PLAIN_PAGE)
    writeable = [
        name
        for name in [*VIEWS, *vars(page)]
        for array in arrays_of(getattr(page, name))
        if array.flags.writeable
    ]
    assert not writeable


@pytest.mark.parametrize("html", [PLAIN_PAGE, *NASTY_PAGES.values()], ids=["plain", *NASTY_PAGES])
def test_pickle_round_trip(html: str) -> None:
    """A page comes back equal, read-only, and pickles small, without the views it had."""
    page = parse(html, url="https://example.org/a")
    fresh = pickle.dumps(page)
    views = views_of(page, VIEWS)
    pickled = pickle.dumps(page)
    assert fresh == pickled
    again = pickle.loads(pickled)
    limit = len(page.source.encode()) + len(page.buffer) + BYTES_PER_ROW * len(page)
    assert limit + OVERHEAD_BYTES >= len(pickled)
    assert rows_of(page) == rows_of(again)
    assert views == views_of(again, VIEWS)
    assert (page.source, page.url) == (again.source, again.url)
    assert not any(array.flags.writeable for array in arrays_of(tuple(vars(again).values())))


def test_page_is_frozen() -> None:
    """No attribute of a page can be assigned."""
    page = parse(PLAIN_PAGE)
    with pytest.raises(AttributeError, match="url"):
        page.url = "https://example.org"  # type: ignore[misc]


def test_row_questions() -> None:
    """Name, attributes, markup and text of single rows."""
    page = parse('<p id=a title="1 &lt; 2">x &amp; <x-y>y</x-y><br></p>')
    assert ["html", "head", "body", "p", "#text", "x-y", "#text", "br"] == [
        page.name(row) for row in range(len(page))
    ]
    assert {"id": "a", "title": "1 < 2"} == page.attrs(3)
    assert ("a", None) == (page.attr(3, "id"), page.attr(3, "class"))
    assert {} == page.attrs(4)
    assert b"<x-y>y</x-y>" == page.markup(5)
    assert b"x &amp; " == page.markup(4)
    assert b"<br>" == page.markup(7)
    assert "x & y" == page.text_of(3)


def test_repr_says_what_page_it_is() -> None:
    """A page shows its URL and its size, not its arrays."""
    page = parse("<p>x", url="https://example.org/a")
    assert "<Page https://example.org/a 5 rows, 4 bytes>" == repr(page)


def test_title_of_a_drawing_is_not_that_of_the_page() -> None:
    """The title of the page is found behind those of drawings, however deep; −1 without one."""
    drawing = "<svg><g><title>Sickle</title></g></svg>"
    page = parse(f"{drawing}<title>Rye</title><p>x")
    assert "Rye" == page.text_of(page.title_row)
    assert -1 == parse(f"{drawing}<p>x").title_row


def test_leaves_of_a_page() -> None:
    """Texts that show something and replaced elements are leaves; a drawing is one."""
    page = parse(
        "<title>t</title><p>a <img> <iframe>f</iframe><svg><text>s</text></svg>"
        "<math><mi>x</mi><mi>y z</mi></math><video>v</video><script>c</script><rp>r</rp>&nbsp;"
    )
    assert ["#text", "img", "iframe", "svg", "math", "video", "#text"] == [
        page.name(row) for row in page.leaves.tolist()
    ]
    assert ["a ", "", "", "", "xy z", "", "v"] == [page.leaf_text(leaf) for leaf in range(7)]
    assert [1, 0, 0, 0, 3, 0, 1] == page.leaf_words.tolist()
    assert [1, 0, 0, 0, 3, 0, 1] == page.leaf_chars.tolist()


def test_words_in_links() -> None:
    """A leaf's words count as link words inside `a`, however deep."""
    page = parse("<p>one two <a>three <b>four five</b></a> six")
    assert [2, 1, 2, 1] == page.leaf_words.tolist()
    assert [0, 1, 2, 0] == page.leaf_link_words.tolist()
    assert 3 == page.link_words_before[-1]


def test_source_span_is_a_slice_of_the_source() -> None:
    """A source span must have its start and stop, and implied elements must have no span."""
    page = parse("<p>a</p>")
    assert Span(start=0, stop=8) == page.source_span(3)
    assert [None, None, None] == [page.source_span(row) for row in range(3)]


def test_views_of_a_very_large_page() -> None:
    """Views are linear: 200,000 rows below a hundred levels are no trouble."""
    n_link = 100_000
    page = parse("<div>" * 100 + "<a>x</a>" * n_link)
    assert [n_link, n_link] == [page.leaf_words.sum(), page.leaf_link_words.sum()]
    assert not page.hidden.any()
    assert [1, 1] == [len(page.blocks), len(page.lines)]
    assert [n_link, n_link] == [page.nth_of_type.max(), page.nth_child.max()]
    path = page.path(len(page) - 1)
    assert path is not None
    assert path.css.endswith(f" > a:nth-of-type({n_link})")
    assert Span(len(page.source) - 8, len(page.source)) == page.source_span(len(page) - 2)


@pytest.mark.parametrize(
    ("html", "keep", "text"),
    [
        ("<p>a<i>b</i>c", [True, False, True], "a c"),
        ("<p>a<i>b</i>, c", [True, False, True], "a, c"),
        ("<p>a<br>b<br>c", [True, False, True], "a\nc"),
        ("<p>a<i>b</i>c", [True, True, False], "ab"),
    ],
)
def test_words_stay_apart_when_what_stood_between_is_left_out(
    html: str, keep: list[bool], text: str
) -> None:
    """Leaving a leaf out of a block does not glue the words around it."""
    assert text == parse(html).block_text(0, np.array(keep))


def test_page_is_shown_as_table_of_blocks() -> None:
    """In Jupyter: each block with its element, path and text, escaped; of very many the first."""
    shown = parse("<nav>Home</nav><p>1 &lt; 2")._repr_html_()
    assert "2 blocks</caption>" in shown
    assert "<td>1</td><td>p</td><td>html &gt; body &gt; p" in shown
    assert "1 &lt; 2</td></tr>" in shown
    many = parse("<p>x" * 300)._repr_html_()
    assert "300 blocks, the first 200 of them" in many
    assert 201 == many.count("<tr>")


@given(soups())
def test_texts_of_all_blocks_are_those_of_each(html: str) -> None:
    """The texts of all blocks are those that each block has alone."""
    page = parse(html)
    assert [page.block_text(block) for block in range(len(page.blocks))] == list(page.block_texts())
