"""What options add: metadata, the title, removed links."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers import judged
from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import FORBIDDEN_CHARS
from thresher import Document, WriteOptions
from thresher.analysis.metadata import Field, Metadata
from thresher.extraction import extract
from thresher.page.parse import parse
from thresher.sites import parse_rulebook
from thresher.writers.formats import ChunkedName, FormatName
from thresher.writers.shared.added import (
    MissingTitle,
    find_metadata_room,
    find_missing_title,
    format_value,
    shorten_values,
    write_front_matter,
)


def test_values_are_read_back_from_the_front_matter() -> None:
    """Each has a line, whatever its signs."""
    document, value = document_keeping("<p>a"), '- "a: b" # c\n\\{茶}\u2028\x85\''
    known = Metadata(title=Field(value, "test", 1.0), tags=Field((value, "b"), "test", 1.0))
    # A cached property keeps its value in the instance's dict.
    document.__dict__["metadata"] = known
    lines = write_front_matter(document).split("\n")
    assert ["---", "---", "", ""] == [lines[0], *lines[4:]]
    assert value == json.loads(lines[1].removeprefix("title: "))
    assert [value, "b"] == json.loads(lines[2].removeprefix("tags: "))


def test_front_matter_is_the_verdict_when_nothing_else_is_known() -> None:
    """Without metadata, and with a method that does not judge, there must be only a verdict."""
    document = document_keeping("<p>a")
    document.__dict__["metadata"] = Metadata()
    assert '---\nverdict: "content"\n---\n\n' == write_front_matter(document)


def test_front_matter_ends_with_the_judgement_when_there_is_one() -> None:
    """The method's judgement of the page must come last, the confidence with two digits."""
    document = extract("<p>a", method=judged.select, params=judged.Params())
    document.__dict__["metadata"] = Metadata(title=Field("Rye", "test", 1.0))
    assert [
        "---",
        'title: "Rye"',
        'verdict: "content"',
        'page_type: "article"',
        "confidence: 0.88",
        "---",
        "",
        "",
    ] == write_front_matter(document).split("\n")


SIGNS = "]([:`<\\\"'\x00\x7f\x85\u2028\ud800\ufeff\uffff"


@given(st.text(st.characters(codec=None) | st.sampled_from(SIGNS)))
def test_value_is_read_back_and_has_no_markup(text: str) -> None:
    """Any text comes back from one line without tags, code and links, in characters of YAML."""
    written = format_value([text])
    assert [text] == json.loads(written)
    assert not re.search(f"[<`\n{FORBIDDEN_CHARS}]|\\][(\\[:]", written)


TITLE = "<title>Rye &amp; oat</title><meta property=og:title content='Rye &amp; oat'>"
WITH = WriteOptions(title=True)


@pytest.mark.parametrize(
    ("format", "title", "text"),
    [
        ("markdown", "# Rye & oat\n\n", "Text."),
        ("text", "Rye & oat\n\n", "Text."),
        ("html", "<h1>Rye &amp; oat</h1>\n", "<p>Text.</p>"),
    ],
)
def test_title_comes_first_when_requested(format: FormatName, title: str, text: str) -> None:
    """Markdown and HTML must begin with the title unless it is left out, text only on request."""
    document = document_keeping(f"{TITLE}<p>Text.")
    assert title + text == document.write(format, WITH)
    assert (text if format == "text" else title + text) == document.write(format)
    assert text == document.write(format, WriteOptions(title=False))


def test_title_is_not_written_by_default_when_nothing_is_kept() -> None:
    """A page without content must stay empty."""
    assert "" == document_keeping(f"{TITLE}<p>Text.", []).markdown


@pytest.mark.parametrize(
    "heading",
    [
        "<h1>Rye &amp; oat<a class=headerlink href=#rye>¶</a></h1>",
        "<h1>Rye &amp; oat <a class=hash-link href=#rye>Link to this heading</a></h1>",
        "<p>Farming</p><h1>Rye &amp; oat</h1>",
        "<h1>Rye: oat and more</h1>",
        "<div class=title>RYE & OAT</div>",
        "<h2>RYE & <i>oat</i></h2>",
    ],
)
def test_title_is_written_once_when_its_heading_is_kept(heading: str) -> None:
    """A permalink, another place or other words must not bring the heading twice."""
    document = document_keeping(f"{TITLE}{heading}<p>Text.")
    for format in ("markdown", "text", "html"):
        assert document.write(format, WITH) == document.write(format, WriteOptions(title=False))


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_title_is_part_of_the_first_chunk(format: ChunkedName) -> None:
    """Chunks must hold the title that is written, though it is none of the kept blocks."""
    document = document_keeping(f"{TITLE}<p>{'One. ' * 30}<p>{'Two. ' * 30}")
    first, second = document.chunks(200, format, WITH)
    assert first.text.lstrip("# ").startswith("Rye & oat\n\nOne.")
    assert second.text.startswith("Two.")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Text.", None),
        (f"{TITLE}<h2>Sown</h2>", "Rye & oat"),
        # The caption of an infobox that is the title does not stand for it.
        (
            f"{TITLE}<table><caption>Rye &amp; oat</caption><tr><th>Sown<td>March</table><p>Text.",
            "Rye & oat",
        ),
        # Far down it is that of a recipe, and in a box that of the box.
        (f"{TITLE}<p>{'One. ' * 40}</p><h2>Rye &amp; oat</h2>", "Rye & oat"),
        (f"{TITLE}<p>{'One. ' * 40}</p><h2>Rye and oats</h2>", "Rye & oat"),
        (
            f"{TITLE}<aside><h2>Rye &amp; oat</h2>Grain</aside><p>Text about both, not short.",
            "Rye & oat",
        ),
        # But a layout table holds all of the text, or nothing but the headline.
        (f"{TITLE}<table><tr><td><td><h2>Rye &amp; oat</h2></table><p>Text about both.", None),
        (f"{TITLE}<table><tr><td><h2>Rye &amp; oat</h2><td>Text.</table>", None),
        (f"{TITLE}<p>Grain</p><h2>Rye &amp; oat</h2>", None),
        # A picture above is no text, its caption no headline.
        (f"{TITLE}<img src=a.png><div>Rye &amp; oat</div><p>Text.", None),
        (
            f"{TITLE}<figure><img src=a.png><figcaption>Rye &amp; oat</figure><p>Text.",
            "Rye & oat",
        ),
        # What begins the text says it in other words, unless it is a sentence.
        (f"{TITLE}<h2>Sown oat, rye</h2><p>Text.", None),
        (f"{TITLE}<h2>Sown oat, rye.</h2><p>Text.", "Rye & oat"),
        (f"{TITLE}<h2>Sown, mown oat, rye</h2><p>Text.", "Rye & oat"),
        (f"{TITLE}<p>Grain</p><h2>Sown oat, rye</h2>", "Rye & oat"),
        # The title of a file of a book is not put above the heading of its chapter.
        (f'{TITLE}<section epub:type="chapter"><h2>The mill</h2><p>Text.</section>', None),
    ],
)
def test_title_is_missing_when_no_heading_says_it(html: str, expected: str | None) -> None:
    """Another heading or the name of a table is none; a page without a title misses none."""
    document = extract(html, method="keep_all")
    assert (expected and MissingTitle(expected, 1)) == find_missing_title(document)
    assert document.write("markdown", WITH).startswith("# Rye") == (expected is not None)


@pytest.mark.parametrize(
    ("heading", "written"),
    [
        ("<h2>Oats &amp; barley</h2>", "## Oats & barley"),
        ("<h1>Oats &amp;amp; barley</h1>", "# Oats &amp;amp; barley"),
        ("<p>Oats &amp; barley</p>", "# Oats & barley"),
    ],
)
def test_missing_title_is_written_as_its_heading_shows_it(heading: str, written: str) -> None:
    """A heading with the words of the title that is not kept is written as it is on the page."""
    html = f"<title>Oats &amp; barley</title><header>{heading}</header><p>Text."
    document = document_keeping(html, drop=("header",))
    assert document.markdown.splitlines() == [written, "", "Text."]


def test_title_follows_front_matter_when_both_are_requested() -> None:
    """Front matter must come first."""
    options = WriteOptions(title=True, metadata=True)
    written = document_keeping(f"{TITLE}<p>Text.").write("markdown", options)
    assert written.endswith("---\n\n# Rye & oat\n\nText.")


def test_title_that_a_rule_drops_stays_away() -> None:
    """Nothing may bring back what a rule of the user drops."""
    rules = parse_rulebook('version = 1\n[host."site.example"]\ndrop = ["h1"]\n')
    html = f"{TITLE}<h1>Rye & oat</h1><p>{'Rye is sown before oat, and cut after it. ' * 9}"
    document = extract(html, url="https://site.example/rye", rules=rules)
    assert "Rye &" not in document.write("markdown", WITH)


FIELDS = {
    "title": "On bread",
    "description": "word " * 100,
    "tags": ["rye"] * 300,
    "image": f"https://a.test/{'b' * 300}",
    "canonical_url": "https://a.test/b",
    "verdict": "content",
    "confidence": 0.93,
}


def test_long_values_are_cut_first() -> None:
    """Short values stay whole, lists lose items, and addresses are never cut; the title is last."""
    assert FIELDS == shorten_values(FIELDS, 5_000, 5)
    shorter = shorten_values(FIELDS, 400, 5)
    assert FIELDS["title"] == shorter["title"]
    assert FIELDS["canonical_url"] == shorter["canonical_url"]
    assert str(shorter["description"]).endswith("…")
    assert {"rye"} == set(shorter["tags"])  # type: ignore[call-overload]
    assert "image" not in shorter
    assert len(str(shorter)) < 500
    for room, left in ((20, ["title"]), (40, ["title", "verdict"]), (10, [])):
        assert left == list(shorten_values(FIELDS, room, 5))


def test_metadata_have_half_of_the_lower_limit() -> None:
    """A token is counted as a character."""
    assert 500 == find_metadata_room(WriteOptions(max_chars=1000))
    assert 100 == find_metadata_room(WriteOptions(max_chars=1000, max_tokens=200))


HTML = (
    "<nav><a href=/news>All <b>news</b></a> <a href=/news>All news</a> <a href=#top>top</a>"
    "<a href='/x?a=1&amp;b=2'>&lt;x&gt;</a></nav><p>The story has <a href=/in>a link</a>.</p>"
)
LISTED = WriteOptions(removed_links=True)


def document_of(html: str) -> Document:
    """Keep all but navigation."""
    page = parse(html, url="https://site.test/")
    keep = ~page.within(page.tagged(["nav"]))[page.leaves]
    everything = thresher.select(page, "keep_all")
    selection = thresher.Selection(
        page, "test", keep, everything.score, everything.reason_code, everything.reasons
    )
    return thresher.document_of(selection)


@cases(__file__, "links")
def test_links_are_listed_after_the_content_when_requested(
    format: FormatName, expected: str
) -> None:
    """Each removed link must be listed once, absolute, after all kept content."""
    document = document_of(HTML)
    plain, listed = document.write(format), document.write(format, LISTED)
    assert plain.strip() in listed
    assert expected in listed.replace(plain.strip(), "", 1)
    assert 1 == listed.count("site.test/news")


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
def test_nothing_is_added_when_no_link_was_removed(format: FormatName) -> None:
    """A page whose links are all kept must be written as without the option."""
    document = document_of("<p>The story has <a href=/in>a link</a>.")
    assert document.write(format) == document.write(format, LISTED)


def test_links_are_listed_when_written_as_json() -> None:
    """JSON must list the removed links whatever the options, each with its block."""
    told = json.loads(document_of(HTML).json())["removed_links"]
    assert {"text": "All news", "url": "https://site.test/news", "block": 0} == told[0]
    assert 3 == len(told)


def test_listed_links_are_safe_when_the_page_is_hostile() -> None:
    """The text and the URL of a removed link must be sanitised like everything else."""
    html = '<nav><a href="https://a.test/&quot;onclick=x">&lt;script&gt;1</a></nav><p>kept'
    written = document_of(html).write("html", LISTED)
    assert "<script" not in written
    assert 'onclick="' not in written


TRACKED = (
    "<nav><a href='/n?utm_source=x&amp;a=1'>n</a> <a href='/n?a=1&amp;fbclid=2'>n</a></nav>"
    "<p>s <a href='/t?gclid=1'>gbraid=3</a></p>"
)


@pytest.mark.parametrize("format", ["markdown", "text", "html", "json"])
def test_addresses_are_clean_when_tracking_is_off(format: FormatName) -> None:
    """Tracking parameters must go unless requested; the texts of links stay."""
    document = document_of(TRACKED)
    clean = document.write(format, LISTED)
    assert 0 == sum(clean.count(name) for name in ("utm_source", "gclid", "fbclid"))
    assert "gbraid=3" in clean
    assert "https://site.test/n?a=1" in clean
    tracked = document.write(format, WriteOptions(removed_links=True, tracking=True))
    assert "https://site.test/n?utm_source=x" in tracked
    assert 1 == tracked.count("fbclid=2")


def test_link_leads_to_the_page_when_its_url_only_tracks() -> None:
    """A link whose URL has nothing else must stay a link."""
    document = document_of("<p><a href='?utm_source=x'>a</a></p>")
    assert "[a](https://site.test/)" == document.markdown
