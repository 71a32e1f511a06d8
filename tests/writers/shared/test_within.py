"""What can be operated, plays or warns stays within the content of a page written in place."""

from __future__ import annotations

import re

import pytest

import thresher
from tests.proxy.scripted_pages import CASES
from thresher.filters import Filters, filter_page
from thresher.sites import Rulebook, Rules
from thresher.sites.rulebook import HostRules
from thresher.writers.inplace import keep_in_place

BATTERY = (CASES / "battery.html").read_text()
PARTS = {
    name: part.rpartition("</div>")[0]
    for name, part in re.findall(
        r'<div class=w id="w-([\w-]+)">(.*?)(?=\n<p>[A-Z]|\Z)', BATTERY, re.DOTALL
    )
}
CLUTTER = ("adlabel", "breadcrumb", "newsletter", "promo", "related", "share")
STORY = "".join(
    f"<p>{number}. The harbour office keeps a log of each vessel that enters the bay, with its "
    "draught, its cargo and the hour at which it passed the light on the old stone mole.</p>"
    for number in range(6)
)


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
    html = (CASES / f"{name}.html").read_text()
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
