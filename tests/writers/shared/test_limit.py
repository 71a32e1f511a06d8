"""Limits: the output is a prefix, within the limit, and says how much is missing."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import PAGES, FixturePage, document_keeping, random_document
from tests.helpers.trees import NASTY_PAGES, soups
from thresher import Document, UsageError, WriteOptions, extract
from thresher.chunking import estimate_tokens
from thresher.writers.formats import FormatName

CUT_FORMATS: tuple[FormatName, ...] = ("markdown", "text", "html")
pages = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
formats = pytest.mark.parametrize("format", CUT_FORMATS)

NOTE = re.compile(r"\[… ([\d,]+) of ([\d,]+) characters left out\]")
METADATA = re.compile(r"\A---\n.*?\n---(?:\n\n|\Z)|(?<=\n)<head>.*?</head>", re.DOTALL)
"""Metadata, which are shortened where they would leave no room for content."""
OPTIONS = [
    WriteOptions(),
    WriteOptions(metadata=True, title=True, removed_links=True),
    WriteOptions(links=False, images=False, title=True),
]


def kept_part(written: str) -> str:
    """Return the text before the note, without what was added at the cut."""
    kept = NOTE.split(written)[0].removesuffix("<p>")
    kept = re.sub(r"(?:</[a-z0-9]+>|\s)+$", "", kept)
    kept = (
        re.sub(r"\n[ >]*`{3,}$", "", kept) if kept.count("```") % 2 == 0 and "…\n" in kept else kept
    )
    return kept.removesuffix("…").rstrip()


def check(document: Document, format: FormatName, options: WriteOptions) -> str:
    """Check the properties of all limited output; return the kept text without metadata."""
    written = document.write(format, options)
    whole = document.write(format, replace(options, max_chars=None, max_tokens=None))
    assert len(written) <= (options.max_chars or len(written))
    assert estimate_tokens(written) <= (options.max_tokens or estimate_tokens(written))
    if written == whole:
        return METADATA.sub("", whole)
    note = NOTE.search(written)
    assert note
    left_out, total = (int(number.replace(",", "")) for number in note.groups())
    assert len(whole) == total
    kept = kept_part(written)
    assert len(kept) <= total - left_out
    content = METADATA.sub("", kept)
    assert METADATA.sub("", whole).startswith(content)
    return content


@pages
@formats
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_output_grows_with_the_limit_when_cut(
    page: FixturePage, format: FormatName, options: WriteOptions
) -> None:
    """Output must be within the limit, a prefix of the whole, and never less for a larger limit.

    Except that metadata get longer at the cost of content.
    """
    document = page.document()
    kept = ""
    for max_chars in (100, 150, 250, 400, 600, 1000, 2000, 5000, 10**6):
        before, kept = kept, check(document, format, replace(options, max_chars=max_chars))
        assert kept.startswith(before) or options.metadata
    assert METADATA.sub("", document.write(format, options)) == kept


@pages
@formats
def test_output_is_within_tokens_when_cut(page: FixturePage, format: FormatName) -> None:
    """The same must hold for tokens."""
    document = page.document()
    for max_tokens in (100, 200, 500, 10**6):
        check(document, format, WriteOptions(metadata=True, max_tokens=max_tokens))


@pages
@formats
def test_output_is_the_same_when_it_fits(page: FixturePage, format: FormatName) -> None:
    """Output as long as the limit must not be cut; with one character less it must."""
    document = page.document()
    whole = document.write(format)
    fitting = WriteOptions(max_chars=max(len(whole), 100))
    assert whole == document.write(format, fitting)
    if len(whole) > 100:
        assert whole != document.write(format, WriteOptions(max_chars=len(whole) - 1))


@given(soups(60), st.integers(0, 9), st.sampled_from(CUT_FORMATS), st.integers(100, 400))
def test_output_is_within_the_limit_when_the_page_is_soup(
    html: str, seed: int, format: FormatName, max_chars: int
) -> None:
    """The limit must hold on any tag soup, whatever options add before and after it."""
    document = random_document(html, seed)
    for options in OPTIONS:
        written = document.write(format, replace(options, max_chars=max_chars))
        whole = document.write(format, options)
        assert len(written) <= max_chars
        assert written == whole or NOTE.search(written)


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=list(NASTY_PAGES))
def test_output_is_within_the_limit_when_a_page_is_nasty(html: str) -> None:
    """No page makes the limit fail: output is the whole, or within the limit and says so."""
    document = random_document(html * 3, 1)
    for format in CUT_FORMATS:
        written = document.write(format, WriteOptions(max_chars=100))
        assert len(written) <= 100
        assert written == document.write(format) or NOTE.search(written)


@pages
def test_html_is_well_formed_when_cut(page: FixturePage) -> None:
    """Cut HTML must have all its end tags: parsing and writing it again changes nothing."""
    document = page.document()
    for max_chars in range(150, 1500, 90):
        html = document.write("html", WriteOptions(max_chars=max_chars))
        assert not re.search(r"<(ul|ol|table|tr|tbody|li|p|blockquote)>\s*</\1>", html)
        opened = [
            tag for tag in re.findall(r"<([a-z][a-z0-9]*)", html) if tag not in ("br", "hr", "img")
        ]
        assert sorted(opened) == sorted(re.findall(r"</([a-z][a-z0-9]*)", html))
        tree = turbohtml.parse_fragment(html)
        assert "left out" in tree.text or html == document.html


def test_note_is_inside_the_body_when_the_page_is_whole() -> None:
    """With metadata the note must be the last paragraph of the body."""
    document = document_keeping("<title>T</title>" + "<p>Some text here.</p>" * 50)
    html = document.write("html", WriteOptions(metadata=True, max_chars=500))
    assert html.endswith(" characters left out]</p>\n</body>\n</html>")
    assert "<p>Some text here.</p>" in html


PARAGRAPHS = "".join(f"<p>Paragraph {n} has eight words in it.</p>" for n in range(9))


def test_blocks_stay_whole_when_there_is_room_for_several() -> None:
    """Output must be cut between blocks, and the note must count exactly."""
    document = document_keeping(PARAGRAPHS)
    written = document.write("markdown", WriteOptions(max_chars=150))
    lines = written.split("\n\n")
    assert [f"Paragraph {n} has eight words in it." for n in range(3)] == lines[:-1]
    left_out = len(document.markdown) - len("\n\n".join(lines[:-1]))
    assert f"[… {left_out} of {len(document.markdown)} characters left out]" == lines[-1]


LARGE = {
    "sentence": ("<p>" + "Rye is sown. " * 40, "Rye is sown.…"),
    "word": ("<p>" + "rye " * 90, "rye…"),
    "letter": ("<p>" + "r" * 300, "rr…"),
    "lines of code": ("<pre>" + "x = 1\n" * 60, "x = 1…\n```"),
    "second block": ("<h2>Rye</h2><p>" + "Rye is sown. " * 40, "Rye is sown.…"),
}


@pytest.mark.parametrize(("html", "end"), LARGE.values(), ids=list(LARGE))
def test_block_is_cut_when_whole_ones_leave_most_unused(html: str, end: str) -> None:
    """A block much larger than the room left must be cut at a natural break, and marked."""
    written = document_keeping(html).write("markdown", WriteOptions(max_chars=200))
    assert NOTE.split(written)[0].rstrip().endswith(end)
    assert len(written) > 130


@pytest.mark.parametrize(
    ("format", "html", "start", "end"),
    [
        ("markdown", "<a href='/a/long/address/of/a/page'>to it</a>", "[to it](https", "page)"),
        ("html", "<a href='/a/long/address/of/a/page'>to it</a>", "<a ", "</a>"),
        ("markdown", "<code>&lt;b onclick=boom()&gt; by night</code>", "`<b", "night`"),
    ],
)
def test_links_and_code_are_not_cut_in_two(
    format: FormatName, html: str, start: str, end: str
) -> None:
    """A cut must never fall into a link, a tag or code, of which a half would be markup."""
    document = document_keeping(f"<p>{f'go on {html} ' * 20}")
    for max_chars in range(150, 400, 7):
        written = document.write(format, WriteOptions(max_chars=max_chars))
        assert written.count(start) == written.count(end)


def test_front_matter_has_only_a_title_when_there_is_hardly_room() -> None:
    """At the lowest limit the beginning of the title must be left, and some text."""
    document = document_keeping(f"<title>{'Long ' * 40}</title>{PARAGRAPHS}")
    written = document.write("markdown", WriteOptions(metadata=True, title=False, max_chars=100))
    assert written.startswith('---\ntitle: "Long Long Long Long Long…"\n---\n\nParagraph')


def test_json_says_what_is_cut() -> None:
    """The text must be cut, the blocks must not, and the record must say so."""
    document = document_keeping(PARAGRAPHS)
    for format in ("json", "jsonl"):
        record = json.loads(document.write(format, WriteOptions(max_chars=150)))
        assert {"chars": len(document.text), "written_chars": len(record["text"])} == record[
            "truncated"
        ]
        assert document.write("text", WriteOptions(max_chars=150)) == record["text"]
    assert json.loads(document.json())["truncated"] is None


def test_csv_is_cut_too() -> None:
    """The text of a row must be cut like any other."""
    written = document_keeping(PARAGRAPHS).write("csv", WriteOptions(max_chars=150))
    assert NOTE.search(written)


@pytest.mark.parametrize("limit", [{"max_chars": 99}, {"max_tokens": 99}])
def test_usage_error_when_a_limit_has_no_room_for_the_note(limit: dict[str, int]) -> None:
    """A limit must leave room for the note."""
    with pytest.raises(UsageError, match="100 or more"):
        WriteOptions(**limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
@pytest.mark.parametrize("limit", [{"max_chars": 600}, {"max_tokens": 250}, {"max_chars": 1000}])
def test_long_metadata_leave_room_for_the_content(
    format: FormatName, limit: dict[str, int]
) -> None:
    """Metadata longer than the limit are shortened: the title and some of the content stay."""
    about = "A very long description of this page, and of how it came to be. " * 20
    html = (
        f'<title>Bread</title><meta name=description content="{about}">'
        f'<meta property=og:image content="https://a.test/{"b" * 500}.png"><h1>Bread</h1>'
        + "<p>Bread is made of flour, water, salt and time, and nobody should hurry it.</p>"
        * 20
    )
    document = extract(html, method="keep_all")
    written = document.write(format, WriteOptions(metadata=True, **limit))  # type: ignore[arg-type]
    assert "Bread" in written
    assert "Bread is made of flour" in written
    assert "A very long description of this page" in document.write(
        format, WriteOptions(metadata=True)
    )
    assert len(written) <= limit.get("max_chars", 4 * limit.get("max_tokens", 0))
    assert f"/{'b' * 9}" not in written


def test_metadata_that_fit_are_complete() -> None:
    """Where all of the output is within the limit, its metadata are those without one."""
    html = f"<title>Bread</title><meta name=description content='{'rye ' * 90}'><p>Flour.</p>"
    document = extract(html, method="keep_all")
    whole = document.write("markdown", WriteOptions(metadata=True))
    assert whole == document.write("markdown", WriteOptions(metadata=True, max_chars=len(whole)))
