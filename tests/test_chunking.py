"""Chunks: coverage, cuts and attributes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import PAGES, FixturePage, document_keeping, random_document
from tests.helpers.trees import soups
from thresher import Document, UsageError, WriteOptions
from thresher.chunking import (
    MIN_CHUNK_CHARS,
    QUARTERS,
    Chunk,
    Heading,
    OutputLayout,
    estimate_tokens,
    find_headings,
    outline_of,
    paths_of,
    split,
    token_offsets,
)
from thresher.page import Page, Span
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF
from thresher.writers.formats import ChunkedName

FORMATS = ("markdown", "text")
pages = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
formats = pytest.mark.parametrize("format", FORMATS)

BETWEEN = re.compile(r"(?:\s|^[ >]*(?:---)?[ >]*$)*", re.MULTILINE)
"""What may stand between two chunks: white space, quote signs, rules."""


def check(
    document: Document, format: ChunkedName, max_chars: int | None, max_tokens: int | None = None
) -> tuple[Chunk, ...]:
    """Check what holds of all chunks; return them."""
    chunks = document.chunks(max_chars, format, max_tokens=max_tokens)
    source, utf8 = document.page.source, document.page.utf8
    output = document.write(format)
    done = 0
    for chunk in chunks:
        assert 0 < len(chunk.text) <= (max_chars or len(chunk.text))
        assert estimate_tokens(chunk.text) <= (max_tokens or len(chunk.text) * 2)
        ends = [offset for span in chunk.spans for offset in span]
        assert chunk.source == (Span(min(ends), max(ends)) if ends else None)
        for span, in_bytes in zip(chunk.spans, chunk.byte_spans, strict=True):
            assert source[slice(*span)].encode() == utf8[slice(*in_bytes)]
        assert chunk.repeated + output[chunk.start : chunk.stop] == chunk.text
        assert chunk.repeated in output[: chunk.start]
        assert BETWEEN.fullmatch(output[done : chunk.start])
        done = chunk.stop
    assert BETWEEN.fullmatch(output[done:])
    begun = [chunk.blocks[0] for chunk in chunks if chunk.blocks]
    assert sorted(begun) == begun
    covered = {block for chunk in chunks for block in chunk.blocks}
    assert covered <= set(np.flatnonzero(document.selection.block_keep).tolist())
    return chunks


@pages
@formats
@pytest.mark.parametrize("limits", [(MIN_CHUNK_CHARS,), (1000,), (10**6,), (None, 20), (200, 60)])
def test_chunks_cover_the_output_when_joined(
    page: FixturePage, format: ChunkedName, limits: tuple[int | None, ...]
) -> None:
    """Chunks are spans of the output in order, within the limits, with nothing lost between."""
    check(page.document(), format, *limits)


@pages
def test_chunks_of_text_cover_every_block_once_when_none_is_cut(page: FixturePage) -> None:
    """Every block that is written is in exactly one chunk, if it fits into one."""
    document = page.document()
    covered = [block for chunk in document.chunks(10_000, "text") for block in chunk.blocks]
    page_, selection = document.page, document.selection
    # What numbers the lines of code is left out of it.
    in_code = page_.within(page_.tag == CODE_OF["pre"])[page_.leaves]
    written = page_.blocks.sums(page_.leaf_chars * (selection.keep & ~in_code))
    assert sorted(set(covered)) == covered
    assert set(np.flatnonzero(written).tolist()) <= set(covered)


@given(soups(), st.integers(0, 9), st.sampled_from(FORMATS), st.integers(MIN_CHUNK_CHARS, 99))
def test_chunks_cover_the_output_when_the_page_is_soup(
    html: str, seed: int, format: ChunkedName, max_chars: int
) -> None:
    """The same holds of any tag soup."""
    check(random_document(html, seed), format, max_chars)


SECTIONS = (
    "<h1>Grain</h1><p>All that grows in the field.</p>"
    f"<h2>Rye</h2><p>{'Rye stands tall. ' * 8}</p><h3>Sown</h3><p>{'In autumn. ' * 8}</p>"
    f"<h2>Oat</h2><p>{'Oat stands low. ' * 8}</p><p>{'It is cut late. ' * 4}</p>"
)


def test_chunks_begin_at_headings_when_sections_fit() -> None:
    """Output is cut before the highest headings, not where it fits, and never behind a heading."""
    document = document_keeping(SECTIONS)
    chunks = document.chunks(260)
    assert ["# Grain", "## Rye", "## Oat"] == [chunk.text.partition("\n")[0] for chunk in chunks]
    assert [("Grain",), ("Grain", "Rye"), ("Grain", "Oat")] == [chunk.headings for chunk in chunks]
    assert [document.markdown] == [chunk.text for chunk in document.chunks(5_000)]
    last_lines = [chunk.text.splitlines()[-1] for chunk in document.chunks(150)]
    assert not [line for line in last_lines if line.startswith("#")]


ROWS = "".join(f"<tr><td>{n}<td>{'grain ' * 3}" for n in range(20))
WHOLES = {
    "rows": f"<table><tr><th>No<th>What{ROWS}</table>",
    "items": f"<ul>{''.join(f'<li>{n} {chr(97 + n) * 30}' for n in range(20))}</ul>",
    "code": f"<p>{'Before. ' * 12}</p><pre>{'x = 1' + chr(10) * 2}{'y = 2' + chr(10)}</pre>",
}


def own_lines(chunk: Chunk) -> list[str]:
    """Return the lines of a chunk without those it repeats."""
    return chunk.text.removeprefix(chunk.repeated).splitlines()


@pytest.mark.parametrize("html", WHOLES.values(), ids=list(WHOLES))
def test_rows_items_and_code_stay_whole_when_they_fit(html: str) -> None:
    """Every line of a table or list is in one chunk, and all of a code block."""
    document = document_keeping(html)
    lines = [line for chunk in document.chunks(120) for line in own_lines(chunk)]
    assert [line for line in document.markdown.splitlines() if line] == [x for x in lines if x]
    fences = [chunk.text.count("```") % 2 for chunk in document.chunks(120)]
    assert not any(fences)


GRAINS = "".join(f"<tr><td>{grain}<td>{n}" for n, grain in enumerate(("rye", "oats", "wheat") * 8))


@pytest.mark.parametrize(
    ("html", "format", "head"),
    [
        (f"<table><tr><th>A<th>B{GRAINS}</table>", "markdown", "| A | B |\n| --- | --- |\n"),
        (f"<table><tr><th>Grain<th>Sacks{GRAINS}</table>", "text", "Grain\tSacks\n"),
        (f"<table>{GRAINS}</table>", "markdown", "| rye | 0 |\n| --- | --- |\n"),
        (f"<table>{GRAINS}</table>", "text", ""),
        (f"<table><caption>All</caption><tr><th>A<th>B{GRAINS}</table>", "text", "A\tB\n"),
    ],
)
def test_head_is_repeated_when_a_table_goes_on(html: str, format: ChunkedName, head: str) -> None:
    """Each chunk of a table is a table; Markdown has none without a head, in text rows may."""
    document = document_keeping(f"<p>{'Grain is sown. ' * 3}</p>{html}")
    chunks = check(document, format, 80)
    inside = [chunk for chunk in chunks if "\t19" in chunk.text or "| 19" in chunk.text]
    assert [head] == [chunk.repeated for chunk in inside]
    assert inside[0].text.startswith(head)
    assert "" == chunks[0].repeated


def test_head_is_not_repeated_when_it_would_fill_the_chunk() -> None:
    """A head of more than half of a chunk, and parts of a row, stand alone."""
    long = "Sacks of all that was ever grown here "
    document = document_keeping(f"<table><tr><th>Grain<th>{long}{GRAINS}</table>")
    assert {""} == {chunk.repeated for chunk in check(document, "text", 60)}
    document = document_keeping(f"<table><tr><th>A<th>B<tr><td>{long * 3}<td>c</table>")
    assert {""} == {chunk.repeated for chunk in check(document, "text", 60)}


def test_item_stays_whole_when_it_has_several_paragraphs() -> None:
    """A list is cut between its items before one of them is."""
    item = f"<li><p>{'a' * 40}</p><p>{'b' * 40}</p></li>"
    chunks = document_keeping(f"<ul>{item * 3}</ul>").chunks(100)
    assert [f"- {'a' * 40}\n\n  {'b' * 40}"] * 3 == [chunk.text for chunk in chunks]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One two three. " * 9, ("One two three. " * 3).strip()),
        ("word " * 30, ("word " * 10).strip()),
        ("x" * 120, "x" * 50),
        ("大麦。" * 40, "大麦。" * 16),
    ],
)
def test_block_is_cut_where_it_reads_well_when_too_large(text: str, first: str) -> None:
    """A block that is too large is cut after a sentence, else a word, else anywhere."""
    assert first == document_keeping(f"<p>{text}").chunks(50, "text")[0].text


def test_source_is_where_the_blocks_are_from() -> None:
    """A chunk's source runs from the first kept character of its blocks to the last."""
    html = f"<nav>Menu</nav><p>{'First. ' * 8}</p><aside>x</aside><p>{'Then. ' * 9}</p>"
    first, then = document_keeping(html, drop=["nav", "aside"]).chunks(60, "text")
    assert first.source is not None
    assert then.source is not None
    assert "First. " * 8 == html[slice(*first.source)]
    assert "Then. " * 9 == html[slice(*then.source)]
    assert isinstance(first.source, Span)


def test_spans_leave_out_what_was_left_out() -> None:
    """Dropped blocks and scripts between blocks are in no span; a little markup between them is."""
    html = (
        "<p>Grün ist die Gerste.</p>\n<p>Rye is taller.</p><aside>An offer.</aside><p>Oats last."
        f"</p><script>{'x' * 999}</script><p>Wheat."
    )
    document = document_keeping(html, drop=["aside"])
    [chunk] = document.chunks()
    assert ["Grün ist die Gerste.</p>\n<p>Rye is taller.", "Oats last.", "Wheat."] == [
        html[slice(*span)] for span in chunk.spans
    ]
    [first, *_] = chunk.byte_spans
    assert "Grün ist die Gerste.</p>\n<p>Rye is taller." == html.encode()[slice(*first)].decode()


def test_spans_of_a_large_row_are_one_in_each_of_its_chunks() -> None:
    """Each chunk of a row has all its blocks; a list of spans would grow with their square."""
    cells = "".join(f"<td data-x='{'x' * 300}'>{n}" for n in range(300))
    document = document_keeping(f"<table><tr><th>a<th>b<tr>{cells}<tr><td>c<td>d</table>")
    assert {1} == {len(chunk.spans) for chunk in document.chunks(50)}


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_notes_before_other_content_are_chunks_of_their_own(format: ChunkedName) -> None:
    """A note is written last, wherever the page has it: its chunk has its block and its span."""
    html = (
        "<body><p>Rye is sown in the autumn<sup><a href=#n>1</a></sup>.</p>"
        "<p id=n>1 In the north earlier.</p><h2>Oats</h2><p>Oats are sown in spring.</p>"
    )
    chunks = document_keeping(html).chunks(50, format)
    assert [(0,), (2, 3), (1,)] == [chunk.blocks for chunk in chunks]
    assert "In the north earlier." in chunks[-1].text
    [span] = chunks[-1].spans
    assert "In the north earlier." == html[slice(*span)].removeprefix("1 ")
    assert ((), ("Oats",)) == (chunks[0].headings, chunks[1].headings)


@formats
def test_chunks_have_no_blocks_when_they_are_of_removed_links(format: ChunkedName) -> None:
    """Options count: the list of removed links comes in chunks too, which are from no block."""
    html = "<p>Kept.</p>" + "".join(f"<a href=/{n}>Elsewhere {n}</a> " for n in range(9))
    document = document_keeping(f"<body>{html}", keep=["p"])
    chunks = document.chunks(80, format, WriteOptions(removed_links=True))
    assert "Elsewhere 8" in chunks[-1].text
    assert ((), None, ()) == (chunks[-1].blocks, chunks[-1].source, chunks[-1].headings)


def test_there_are_no_chunks_when_nothing_is_kept() -> None:
    """A page without kept blocks has no chunks."""
    document = document_keeping("<p>a", [])
    assert () == document.chunks()
    assert () == split(OutputLayout("", ()), document.selection, 100)


def test_usage_error_when_a_format_has_no_chunks() -> None:
    """HTML cannot be cut into valid HTML."""
    with pytest.raises(UsageError, match='no chunks of "html"'):
        document_keeping("<p>a").chunks(format="html")  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [49, "500", 500.5, True])
def test_usage_error_when_the_size_of_chunks_is_no_whole_number(size: Any) -> None:
    """A chunk has room for a sentence; whole numbers are sizes, those of numpy included."""
    document = document_keeping("<p>a")
    with pytest.raises(UsageError, match="50 or more"):
        document.chunks(size)
    assert document.chunks(50) == document.chunks(np.int64(50))  # type: ignore[arg-type]


def test_chunks_come_when_a_page_is_very_long() -> None:
    """More sections than Python has levels must neither fail nor hang."""
    document = document_keeping("<h2>a</h2><p>b</p>" * 2_500)
    assert 2_500 == sum(chunk.text.count("## a") for chunk in document.chunks(200))


def test_source_is_asked_for_once_when_a_block_is_cut_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A block in many chunks costs no more than one in a single chunk."""
    asked: list[int] = []
    find_source_spans = Page.find_source_spans

    def count(page: Page, rows: IntArray) -> list[Span | None]:
        asked.extend(rows.tolist())
        return find_source_spans(page, rows)

    document = document_keeping("<p>" + "<i>some words</i> and others " * 100, ["p"])
    monkeypatch.setattr(Page, "find_source_spans", count)
    chunks = document.chunks(MIN_CHUNK_CHARS, "text")
    assert len(chunks) > 40
    assert len(asked) == document.page.leaves.size


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("rye and barley", 3),
        ("1847", 2),
        ("[a](b)", 3),
        ("Körner", 2),
        ("рожь", 2),
        ("大麦", 2),
        ("نخل", 3),
        ("\U0001f33e", 2),
        ("a\n", 1),
    ],
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    """Each script has the weight listed in docs/agents.md; the total is rounded up."""
    assert tokens == estimate_tokens(text)


@given(st.text(), st.text())
def test_offsets_are_those_of_any_beginning(text: str, more: str) -> None:
    """The offset at a character is the estimate of what is before it, whatever is behind."""
    offsets = token_offsets(text + more)
    assert len(text + more) + 1 == offsets.size
    assert estimate_tokens(text) == -(-int(offsets[len(text)]) // QUARTERS)
    assert (np.diff(offsets) >= 0).all()


PAGE = (
    "<h1>Grain</h1><p>a<h3>Rye</h3><p>b<h2>Oat <b>and</b> <i>spelt</i></h2><h3> </h3>"
    "<h3>Sown</h3><div><h2><div>Wheat</div><div>(soft)</div></h2></div><nav><h2>More</h2></nav>"
)


def test_headings_are_listed_when_kept() -> None:
    """Every kept heading with text is listed with its level, and the first block it is from."""
    found = find_headings(document_keeping(PAGE, drop=["nav"]).selection)
    assert (
        Heading(1, "Grain", 0),
        Heading(3, "Rye", 2),
        Heading(2, "Oat and spelt", 4),
        Heading(3, "Sown", 5),
        Heading(2, "Wheat (soft)", 6),
    ) == found


def test_headings_are_a_tree_when_arranged() -> None:
    """A heading contains the following ones of lower rank, even if ranks are skipped."""
    outline = document_keeping(PAGE, drop=["nav"]).outline
    assert ["Grain"] == [heading.title for heading in outline]
    assert ["Rye", "Oat and spelt", "Wheat (soft)"] == [each.title for each in outline[0].children]
    assert (Heading(3, "Sown", 5),) == outline[0].children[1].children


def test_tree_has_several_roots_when_ranks_rise() -> None:
    """A page that begins with a low heading has it as a root beside a later, higher one."""
    headings = [Heading(3, "a", 0), Heading(1, "b", 1), Heading(1, "c", 2)]
    assert tuple(headings) == outline_of(headings)


def test_paths_end_in_the_heading_itself() -> None:
    """A heading's path has those it is under, the highest first."""
    headings = find_headings(document_keeping(PAGE, drop=["nav"]).selection)
    assert [
        ("Grain",),
        ("Grain", "Rye"),
        ("Grain", "Oat and spelt"),
        ("Grain", "Oat and spelt", "Sown"),
        ("Grain", "Wheat (soft)"),
    ] == paths_of(headings)


def test_no_heading_is_listed_when_there_is_none() -> None:
    """A page without headings has an empty outline."""
    assert () == document_keeping("<p>a").outline
