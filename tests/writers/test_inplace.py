"""The page with the boilerplate removed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import numpy as np
import pytest

import thresher
from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from tests.proxy.scripted_pages import CASES as SCRIPTED_PAGES
from tests.writers.fragment.test_posts import forum
from thresher.document import Document
from thresher.filters import Filters, filter_page
from thresher.selection import DROPPED_BY_RULE
from thresher.sites import Rulebook, Rules
from thresher.sites.rulebook import HostRules
from thresher.writers.inplace import keep_heads, keep_in_place

CASES: Final[dict[str, tuple[str, list[str], str]]] = {
    "an element goes": ("<p>a</p><nav>b</nav>", ["p"], "<p>a</p>"),
    "an element without leaves stays": (
        "<p>a</p><div id=x></div>",
        ["p"],
        '<p>a</p><div id="x"></div>',
    ),
    "a text goes": ("<div>x<p>a</p>y</div>", ["p"], "<div><p>a</p></div>"),
    "a text cut by a comment goes": (
        "<div><p>a</p>y<!-- -->z</div>",
        ["p"],
        "<div><p>a</p><!-- --></div>",
    ),
    "a text with a twin stays": ("<p>a</p>", ["p"], "<p>a</p>"),
    "a picture goes": ("<p>a</p><img src=x>", ["p"], "<p>a</p>"),
    "a cell stays, empty": (
        "<table><tbody><tr><td>x<td id=a>a</table>",
        ["#a"],
        '<table><tbody><tr><td></td><td id="a">a</td></tr></tbody></table>',
    ),
    "scripts and styles stay": (
        "<p>a</p><script>if (a<b) c()</script><style>p{}</style>",
        ["p"],
        "<p>a</p><script>if (a<b) c()</script><style>p{}</style>",
    ),
    "a template keeps its part": (
        "<p>z</p><template>x<p>a</p></template>",
        ["template p"],
        "<template><p>a</p></template>",
    ),
    "plain text is closed": ("<plaintext>a", ["pre"], "<pre>a</pre>"),
    "all goes": ("<p>a</p>b", [], ""),
}


@pytest.mark.parametrize(("html", "keep", "expected"), CASES.values(), ids=list(CASES))
def test_body_is_as_expected_when_written(html: str, keep: list[str], expected: str) -> None:
    """Each case must be written as its table says."""
    written = document_keeping(f"<body>{html}", keep, url=None).write("inplace")
    assert f"<html><head></head><body>{expected}</body></html>" == written


@cases(__file__, "base")
def test_base_is_set_when_the_page_has_none_that_counts(
    head: str, url: str | None, expected: str
) -> None:
    """A page without an absolute base must get one, if its URL is known and on the web."""
    written = document_keeping(f"<head>{head}</head><p>a", url=url).write("inplace")
    assert f"<html><head>{expected}</head><body><p>a</p></body></html>" == written


def test_doctype_stays_when_written() -> None:
    """The doctype decides how a browser lays the page out, so it must stay."""
    document = document_keeping("<!DOCTYPE html><p>a", url=None)
    assert document.write("inplace").startswith("<!DOCTYPE html><html>")


def with_posts_only(document: Document) -> Document:
    """Return a forum of which nothing is kept but what posts say."""
    keep = np.zeros_like(document.selection.keep)
    for post in document.threads[0].posts:
        keep[post.leaves] = True
    return replace(document, selection=replace(document.selection, keep=keep))


def texts_of(document: Document, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    """Return the texts that are kept."""
    leaves = np.flatnonzero(keep).tolist()
    return "\n".join(document.page.leaf_text(leaf) for leaf in leaves)


def test_names_and_dates_of_posts_are_kept() -> None:
    """A reader sees who wrote each post and when."""
    document = with_posts_only(forum())
    before = texts_of(document, document.selection.keep)
    after = texts_of(document, keep_heads(document).keep)
    for post in document.threads[0].posts:
        assert post.author and post.author not in before
        assert post.author in after
        assert post.date and post.date.raw in after


def test_what_rules_drop_stays_dropped() -> None:
    """A name that the user's rules drop is not restored."""
    document = with_posts_only(forum())
    selection = document.selection
    code = np.ones_like(selection.reason_code)
    less = replace(selection, reason_code=code, reasons=("", DROPPED_BY_RULE))
    dropped = replace(document, selection=less)
    assert np.array_equal(selection.keep, keep_heads(dropped).keep)


BATTERY = (SCRIPTED_PAGES / "battery.html").read_text()
PARTS = {
    name: part.rpartition("</div>")[0]
    for name, part in re.findall(
        r'<div class=w id="w-([\w-]+)">(.*?)(?=\n<p>[A-Z]|\Z)', BATTERY, re.DOTALL
    )
}
CLUTTER = ("adlabel", "breadcrumb", "newsletter", "promo", "related", "share")
PARAGRAPH = (
    "The harbour office keeps a log of each vessel that enters the bay, with its draught, its cargo"
    " and the hour at which it passed the light on the old stone mole."
)
STORY = "".join(f"<p>{number}. {PARAGRAPH}</p>" for number in range(6))


def in_place(html: str, rules: Rules | None = None) -> str:
    """Return a page in place, with the default filters."""
    url = "https://site.example/2026/page"
    book = Rulebook({"site.example": HostRules(rules)}) if rules else None
    document = thresher.extract(html, url=url, rules=book)
    selection = keep_in_place(document)
    dropped = selection.dropped_by_rule
    return filter_page(document.page, Filters(), keep=selection.keep, dropped=dropped).html


@pytest.fixture(scope="module")
def battery() -> str:
    """Return an article with parts of every kind, in place."""
    # Without its script everything that goes is cut, not hidden.
    return in_place(BATTERY.replace("<script src=/x.js></script>", ""))


@pytest.mark.parametrize("name", sorted(set(PARTS) - set(CLUTTER)))
def test_a_part_with_a_function_stays(battery: str, name: str) -> None:
    """What a person reads, presses, plays, fills in, downloads or is warned by is whole."""
    assert PARTS[name] in battery


@pytest.mark.parametrize("name", CLUTTER)
def test_a_part_for_another_purpose_goes(battery: str, name: str) -> None:
    """Advertisements, requests to subscribe and lists of other pages are not in it."""
    assert PARTS[name] not in battery


@pytest.mark.parametrize("name", ["button", "invoice", "svg"])
def test_nothing_that_works_is_lost(name: str) -> None:
    """Buttons without a form, tables to fill in and drawings stay."""
    html = (SCRIPTED_PAGES / f"{name}.html").read_text()
    before, after = (re.findall("<(?:button|input|svg)", each) for each in (html, in_place(html)))
    assert before == after


def test_an_alert_above_the_article_stays() -> None:
    """A warning is seen wherever it stands."""
    alert = "<div role=alert>This version is no longer maintained.</div>"
    html = f"<body>{alert}<div><a href=/1>One</a></div><main><h1>Log</h1>{STORY}</main></body>"
    assert alert in in_place(html)


def test_controls_after_the_text_stay_but_not_what_they_share() -> None:
    """Of what follows an article, only what is operated there stays."""
    more, share = "<button>Show more</button>", "<button>Share this</button>"
    teaser = "<div><h3>The quay</h3><p>What became of the old quay, and who paid for it.</p></div>"
    html = f"<main><h1>The log</h1>{STORY}{more}{share}{teaser}</main>"
    done = in_place(html)
    assert more in done
    assert share not in done


@pytest.mark.parametrize(
    "call", ["document.getElementById('Price')", 'document.querySelector("#Price")', "$('#Price')"]
)
def test_what_a_script_changes_stays(call: str) -> None:
    """A price that a button changes stays; an advertisement goes, whatever changes it."""
    price, advert = (
        "<p>From <b id=Price>189.00</b>",
        "<p class=ad-label>From <b id=Price>the shop</b>",
    )
    script = f"<script>{call}.focus()</script>"
    html = f"<main><p class=k>{PARAGRAPH}{price}{advert}<p>From 12.00</p>{{}}</main>"
    for scripts, expected in ((script, {"From 189.00"}), ("", set())):
        document = document_keeping(html.format(scripts), [".k"])
        page, kept = document.page, keep_in_place(document).block_keep
        texts = {
            text for text, keeps in zip(page.block_texts(), kept.tolist(), strict=True) if keeps
        }
        assert expected == {text for text in texts if text.startswith("From")}


def test_a_table_at_the_end_has_all_rows() -> None:
    """No row of a table is lost for being the last thing on the page."""
    table = "".join(f"<tr><td>{year}<td>{year % 17}</tr>" for year in range(1990, 1994))
    head = "<tr><th><button>Year</button><th><button>Boats</button></tr>"
    html = f"<main><h1>The log</h1>{STORY}<table>{head}{table}</table></main>"
    assert html.count("<tr") == in_place(html).count("<tr")


def test_what_rules_drop_goes() -> None:
    """A rule of the user takes precedence over every function."""
    html = f"<main><h1>The log</h1>{STORY}<button>Show the tide</button>{STORY}</main>"
    assert "<button" in in_place(html)
    assert "<button" not in in_place(html, Rules(drop=("button",)))
