"""Several pages are merged into one output."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.data import cases
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.extraction import extract
from thresher.merging import RepeatFilter, write_pages
from thresher.writers import JOINED_FORMATS
from thresher.writers.formats import FormatName

LEAD = "<p>All that a farmer has to know of rye, from the field to the mill.</p>"
NOTE = "<p>Ann Miller</p><p>She farms.</p>"


def documents(*htmls: str) -> list[Document]:
    """Extract all of each page, and drop what it repeats."""
    repeats = RepeatFilter()
    return [repeats.drop(extract(html, method="keep_all")) for html in htmls]


@cases(__file__, "repeats")
def test_repeats_dropped(first: str, second: str, expected: str) -> None:
    """Common prefixes, suffixes and long blocks are dropped; short ones in the middle stay."""
    repeated = documents(first, second)[1]
    assert expected == repeated.write("markdown", WriteOptions(title=False))


def test_first_page_is_left_as_it_is() -> None:
    """A page that repeats itself, and nothing before it, is not changed."""
    document = extract(f"{LEAD}<p>x</p>{LEAD}", method="keep_all")

    assert document is RepeatFilter().drop(document)


def test_repeats_of_any_earlier_page() -> None:
    """A block of the first page is dropped from the third, though the second has none."""
    last = documents(f"<p>a</p>{LEAD}<p>b", "<p>c", f"<p>d</p>{LEAD}<p>e")[2]

    assert "d\n\ne" == last.markdown


def test_repeats_have_a_reason() -> None:
    """The evidence of a block that was dropped says why, and all others keep theirs."""
    block, rest = documents(f"{LEAD}<p>Sow.", f"{LEAD}<p>Reap.")[1].blocks

    assert (False, "on an earlier page already") == (block.kept, block.reason)
    assert rest.kept
    assert rest.reason != block.reason


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("markdown", "**Sow.**\n\nReap."),
        ("text", "Sow.\n\nReap."),
        ("html", "<p><b>Sow.</b></p>\n<p>Reap.</p>"),
    ],
)
def test_write_pages(format: FormatName, expected: str) -> None:
    """Pages are joined as the format joins paragraphs."""
    assert expected == write_pages(documents("<p><b>Sow.</b>", "<p>Reap."), format)


@pytest.mark.parametrize("format", JOINED_FORMATS)
def test_write_pages_of_one(format: FormatName) -> None:
    """A single page is written as usual."""
    (document,) = documents("<title>Rye</title><p>Sow.")
    options = WriteOptions(metadata=True)

    assert document.write(format, options) == write_pages([document], format, options)


def test_write_pages_as_json() -> None:
    """JSON is the first page's object, with the objects of the others in it."""
    pages = documents("<p>Sow.", "<p>Reap.", "<p>Mill.")
    record = json.loads(write_pages(pages, "json"))

    assert [json.loads(page.json()) for page in pages[1:]] == record.pop("next_pages")
    assert json.loads(pages[0].json()) == record


def test_write_pages_as_json_lines() -> None:
    """JSON Lines have a line for each page."""
    lines = write_pages(documents("<p>Sow.", "<p>Reap."), "jsonl").splitlines()

    assert ["Sow.", "Reap."] == [json.loads(line)["text"] for line in lines]


def test_write_pages_with_metadata() -> None:
    """Metadata comes once, and an HTML page is one page."""
    pages = documents("<title>Rye</title><p>Sow.", "<title>Rye</title><p>Reap.")
    html = write_pages(pages, "html", WriteOptions(metadata=True))
    markdown = write_pages(pages, "markdown", WriteOptions(metadata=True))

    assert html.endswith("<p>Sow.</p>\n<p>Reap.</p>\n</body>\n</html>")
    assert [1, 1] == [html.count("<title>"), markdown.count("title:")]


def write_posts(*posts: str) -> str:
    """Write a page of a thread, its posts by Ann."""
    start = "<title>Sowing rye</title><h1>Sowing rye</h1>"
    kind = "itemprop=comment itemscope itemtype='https://schema.org/Comment'"
    return start + "".join(
        f"<article {kind}><b itemprop=author>Ann</b><p itemprop=text>{post}</p></article>"
        for post in posts
    )


def test_write_pages_of_a_thread() -> None:
    """The pages of a thread are one thread, under one title."""
    pages = documents(write_posts("When?", "How deep?"), write_posts("In autumn.", "Not deep."))
    written = write_pages(pages, "thread")

    assert 1 == written.count("Sowing rye")
    assert written.index("How deep?") < written.index("In autumn.") < written.index("Not deep.")
    assert 4 == written.count("## Ann")


@pytest.mark.parametrize("limit", ["max_chars", "max_tokens"])
def test_write_pages_within_a_limit(limit: str) -> None:
    """A limit applies to all pages together: once it is reached, no other page is written."""
    pages = documents("<p>" + "Sow rye. " * 400, "<p>Reap.", "<p>Mill.")
    options = [WriteOptions(**{limit: size}) for size in (200, 100_000)]  # type: ignore[arg-type]

    assert [False, True] == ["Reap." in write_pages(pages, "text", each) for each in options]
    assert len(write_pages(pages, "text", WriteOptions(max_chars=200))) <= 200


@pytest.mark.parametrize("format", ["markdown", "text", "html", "thread"])
@pytest.mark.parametrize("metadata", [False, True])
@settings(max_examples=25)
@given(st.integers(100, 900))
def test_write_pages_says_how_many_are_left_out(
    format: FormatName, metadata: bool, max_chars: int
) -> None:
    """Any limit is respected, and the pages left out are counted."""
    htmls = [f"<title>x</title><p>Page{n} begins. {'Sow rye. ' * 20}" for n in range(4)]
    pages = documents(*htmls)
    options = WriteOptions(max_chars=max_chars, metadata=metadata)
    written = write_pages(pages, format, options)

    assert len(written) <= max_chars
    missing = [n for n in range(4) if f"Page{n}" not in written]
    noted = re.search(r"\[… (\d) of 4 pages left out\]", written)
    cut = int("characters left out" in written)
    assert len(missing) - cut <= (int(noted[1]) if noted else 0) <= len(missing)
    assert missing == list(range(4 - len(missing), 4))
    whole = write_pages(pages, format, WriteOptions(metadata=metadata))
    assert (len(whole) <= max_chars) == (written == whole)


def test_write_pages_as_json_lines_says_how_many_are_left_out() -> None:
    """The last line has the number, and stays JSON."""
    pages = documents("<p>" + "Sow rye. " * 400, "<p>Reap.", "<p>Mill.")
    lines = write_pages(pages, "jsonl", WriteOptions(max_chars=200)).splitlines()

    assert [2] == [json.loads(line).get("pages_left_out") for line in lines]


def test_write_pages_in_a_format_for_one() -> None:
    """The page with boilerplate removed in place cannot hold several pages."""
    with pytest.raises(UsageError, match="inplace holds one page"):
        write_pages(documents("<p>Sow.", "<p>Reap."), "inplace")
