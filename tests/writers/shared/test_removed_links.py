"""The removed link retainer: removed links can still be followed."""

from __future__ import annotations

import json

import pytest

import thresher
from thresher import Document, WriteOptions
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

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


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        (
            "markdown",
            "\n---\n\n- [All news](https://site.test/news)\n- [&lt;x>](https://site.test/x?a=1&b=2)",
        ),
        (
            "text",
            "\n- All news <https://site.test/news>\n- <x> <https://site.test/x?a=1&b=2>\n",
        ),
        ("html", '<a href="https://site.test/x?a=1&amp;b=2">&lt;x&gt;</a>'),
    ],
)
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
