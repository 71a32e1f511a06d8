"""A page beyond a limit is refused, or extracted in part with a verdict that says so."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers.clock import stop_clock
from thresher import Document, LimitError, Selection, UsageError, Verdict, extract
from thresher.algorithms import Select
from thresher.extraction import read_page, select
from thresher.limits import MAX_BYTES, limit_canonical
from thresher.page import Page
from thresher.page.parse import parse_fragment

STORY = "<p>The miller had ground the whole of the harvest by the end of the week.</p>\n"


@pytest.fixture
def dawdle(monkeypatch: pytest.MonkeyPatch) -> Select:
    """A method that takes longer than any deadline here, between two checks of the clock."""
    clock = stop_clock(monkeypatch)

    def dawdle(page: Page, params: Any) -> Selection:
        clock.advance(0.02)
        return select(page, "learned", params)

    return dawdle


@pytest.mark.parametrize("html", [STORY * 100, (STORY * 100).encode(), "\u4e2d" * 3000])
def test_extract_refuses_a_page_of_too_many_bytes(html: str | bytes) -> None:
    """The error carries limit and value; text is counted as UTF-8."""
    n_byte = len(html if isinstance(html, bytes) else html.encode())
    with pytest.raises(LimitError) as error:
        extract(html, max_bytes=n_byte - 1)
    assert (n_byte - 1, n_byte) == (error.value.limit, error.value.value)
    assert extract(html, max_bytes=n_byte).limit is None


def test_extract_refuses_a_page_of_too_many_nodes() -> None:
    """Nodes are elements and texts, implied elements among them."""
    n_node = len(read_page(STORY * 100))
    with pytest.raises(LimitError) as error:
        extract(STORY * 100, max_nodes=n_node - 1)
    assert (n_node - 1, n_node) == (error.value.limit, error.value.value)
    assert extract(STORY * 100, max_nodes=n_node).limit is None


def test_extract_stops_when_the_time_is_up(dawdle: Select) -> None:
    """The error names the seconds that were given."""
    with pytest.raises(LimitError, match="seconds of work") as error:
        extract(STORY * 100, method=dawdle, deadline_s=0.01)
    assert 0.01 == error.value.limit


@pytest.mark.parametrize("html", [STORY * 100, (STORY * 100).encode(), "\u4e2d" * 3000])
def test_extract_does_a_part_when_there_are_too_many_bytes(html: str | bytes) -> None:
    """The part before the limit is extracted like a page, and the verdict says so."""
    document = extract(html, method="keep_all", max_bytes=1000, on_limit="partial")
    assert Verdict.PARTIAL == document.verdict
    assert document.limit is not None
    assert 1000 == document.limit.limit
    whole = extract(html, method="keep_all").text
    assert whole.startswith(document.text)
    assert 100 < len(document.text) < len(whole)


def test_extract_does_a_part_when_there_are_too_many_nodes() -> None:
    """As many nodes are read as the limit allows, or a little fewer."""
    document = extract(STORY * 100, method="keep_all", max_nodes=50, on_limit="partial")
    assert Verdict.PARTIAL == document.verdict
    assert 25 <= len(document.page) <= 50


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 4])
def test_extract_ends_when_no_part_is_small_enough(max_nodes: int) -> None:
    """A limit below what any page has gives an empty document, not an endless search."""
    document = extract(STORY * 100, max_nodes=max_nodes, on_limit="partial")
    assert (Verdict.PARTIAL, "") == (document.verdict, document.text)


def test_extract_keeps_the_page_when_the_time_is_up_while_selecting(dawdle: Select) -> None:
    """Nothing is kept, every block has the reason, and all other properties work."""
    html = f"<title>Harvest</title>{STORY * 100}"
    document = extract(html, method=dawdle, deadline_s=0.01, on_limit="partial")
    assert (Verdict.PARTIAL, "") == (document.verdict, document.text)
    assert {"not looked at: seconds of work: more, the limit is 0.01"} == {
        block.reason for block in document.blocks
    }


def test_document_stops_when_writing_takes_too_long() -> None:
    """Each property of a document has the same deadline again."""
    document = extract(STORY * 20_000, method="keep_all", deadline_s=60)
    late = type(document)(document.page, document.selection, deadline_s=1e-6)
    with pytest.raises(LimitError):
        _ = late.markdown
    assert STORY[3:20] in document.markdown


@pytest.mark.parametrize(
    "ask",
    [
        lambda it: it.blocks,
        lambda it: it.chunks(),
        lambda it: it.json(),
        lambda it: it.metadata,
        lambda it: it.obstacle,
        lambda it: it.threads,
        lambda it: it.write("text"),
    ],
    ids=["blocks", "chunks", "json", "metadata", "obstacle", "threads", "text"],
)
def test_deadline_counts_for_each_thing_asked(ask: Callable[[Document], object]) -> None:
    """Each property of a document has the deadline of the extraction."""
    document = extract(STORY, method="keep_all")
    late = replace(document, page=replace(document.page), deadline_s=1e-9)
    late = replace(late, selection=replace(late.selection, page=late.page))
    with pytest.raises(LimitError, match="seconds"):
        ask(late)


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_bytes": 0},
        {"max_nodes": -1},
        {"deadline_s": 0},
        {"deadline_s": float("nan")},
        {"on_limit": "stop"},
    ],
)
def test_extract_refuses_a_limit_that_is_none(wrong: dict[str, Any]) -> None:
    """An invalid limit is a UsageError."""
    with pytest.raises(UsageError):
        extract(STORY, **wrong)


_OPEN_IN_EACH = {
    "few bytes each": "<p>" + "".join(f"<b c={i}>" for i in range(600)) + "<p>x" * 10_000,
    "many bytes each": "<p>"
    + "".join(f"<b class='{i}{'x' * 1000}'>" for i in range(500))
    + "<p>x" * 2000,
    "so few that no tree is needed": "<p>"
    + "".join(f"<b c='{i}{'x' * 500}'>" for i in range(60))
    + "<p>x" * 2000,
}


@pytest.mark.parametrize("html", _OPEN_IN_EACH.values(), ids=_OPEN_IN_EACH)
def test_formatting_that_is_opened_again_in_each_block_is_beyond_a_limit(html: str) -> None:
    """Its million elements are never created; with partial limits a shorter prefix is read."""
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match=r"nodes of the page|bytes of canonical HTML"):
            extract(html)
        assert tracemalloc.get_traced_memory()[1] < 256 * 2**20
    finally:
        tracemalloc.stop()
    document = extract(html, method="keep_all", on_limit="partial")
    assert Verdict.PARTIAL == document.verdict


def test_a_fragment_in_script_data_has_the_limits_of_a_page() -> None:
    """Markup in JSON that would grow in the same way exceeds the same limit."""
    with pytest.raises(LimitError):
        parse_fragment(_OPEN_IN_EACH["few bytes each"])


def test_formatting_that_is_opened_again_a_few_times_is_within_the_limits() -> None:
    """Old pages leave some formatting open; such moderate growth is within the limits."""
    html = "<p>" + "".join(f"<font color=c{i}>" for i in range(10)) + "<p>word" * 100
    assert html.count("<font") * 100 < len(extract(html, method="keep_all").page)


def test_too_many_nodes_are_told_before_they_are_scanned() -> None:
    """Where elements alone are too many, the error has their number."""
    with pytest.raises(LimitError) as error:
        extract("<br>" * 50_000, max_nodes=1000)
    assert 50_003 == error.value.value


def test_no_block_has_a_role_when_the_time_is_up(dawdle: Select) -> None:
    """Asking for the roles of a page that no method finished is not an error."""
    document = extract(STORY * 100, method=dawdle, deadline_s=0.01, on_limit="partial")
    assert document.selection.with_roles(("caption",)) is document.selection
    assert {None} == {block.role for block in document.blocks}


def test_elements_beyond_the_largest_limit_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading ends at the first element of a page that is too many."""
    monkeypatch.setattr("thresher.page.canonical.MAX_NODES", 100)
    with pytest.raises(LimitError, match="nodes of the page"):
        extract("<br>" * 5_000, max_nodes=50)
    assert len(read_page("<br>" * 80, max_nodes=100)) <= 100


@pytest.mark.parametrize(
    ("n_source", "n_canonical"),
    [(0, 2**16), (1000, 2**16 + 8000), (MAX_BYTES, 2**16 + MAX_BYTES * 3 // 2)],
)
def test_canonical_html_of_large_pages_grows_less(n_source: int, n_canonical: int) -> None:
    """Canonical HTML may have eight bytes per byte of the source, of the largest page 1.5."""
    assert n_canonical == limit_canonical(n_source)
    assert limit_canonical(2 * MAX_BYTES) > limit_canonical(MAX_BYTES)


@pytest.mark.parametrize("n_level", [10, 200_000])
def test_text_that_is_lost_for_its_depth_is_said_to_be(n_level: int) -> None:
    """A page whose text is deeper than any real one is read whole, or its verdict is partial."""
    words = "<p>All of the rye was in the barn by night, and then the rain came down on it."
    html = "<h1>Rye</h1>" + "<div>" * n_level + "<article>" + words * 3
    document = extract(html)
    is_whole = document.write("text").count("barn") == 3
    assert is_whole or document.verdict is Verdict.PARTIAL
    if document.verdict is Verdict.PARTIAL:
        assert "levels of nested elements" in str(document.limit)
    assert (n_level == 10) == (document.limit is None)
