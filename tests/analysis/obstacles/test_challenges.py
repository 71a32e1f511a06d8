"""Pages sent in place of others, and the tables of their signatures."""

from __future__ import annotations

import re

import pytest

from tests.analysis.obstacles.pages import ORDINARY, SENTENCE, page
from tests.helpers.data import cases
from tests.helpers.known import known
from thresher.analysis.obstacles import challenges
from thresher.analysis.obstacles.absence import CONSENT_BOXES, CONSENT_FORMS
from thresher.analysis.obstacles.challenges import (
    find_captcha,
    find_challenge,
    find_guarded,
    find_parking,
)
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse

MARKS = [
    *challenges.CHALLENGES,
    *challenges.GUARDS,
    *challenges.CAPTCHAS,
    *challenges.PARKING,
    *CONSENT_FORMS,
    *CONSENT_BOXES,
]


def test_marks_can_be_looked_for() -> None:
    """A pattern compiles, has no capital letter, and does not match where there is nothing."""
    for mark in MARKS:
        assert re.search(mark.pattern, b"\0\0") is None, mark
        assert not re.search(rb"(?<!\\)[A-Z]", mark.pattern), mark
        assert mark.attribute == mark.attribute.lower(), mark


TITLES = challenges.TITLES | challenges.DEFAULT_TITLES | challenges.VAGUE_TITLES


def test_tables_have_no_row_twice() -> None:
    """Each signature stands in one row, and each title in one table."""
    assert len(MARKS) == len({(mark.attribute, mark.pattern) for mark in MARKS})
    assert len(challenges.INLINE) == len(dict(challenges.INLINE))
    tables = (challenges.TITLES, challenges.DEFAULT_TITLES, challenges.VAGUE_TITLES)
    assert len(TITLES) == sum(map(len, tables))


def test_titles_are_written_as_they_are_looked_for() -> None:
    """Titles are compared in lower case, on one line, with straight apostrophes."""
    assert [] == [
        title for title in TITLES if " ".join(title.lower().replace("’", "'").split()) != title
    ]


@pytest.mark.parametrize("html", ORDINARY.values(), ids=ORDINARY)
def test_no_mark_of_its_own_on_ordinary_pages(html: str) -> None:
    """No signature matches an ordinary page, however short."""
    signals = PageSignals(parse(html))
    assert signals.find_mark(challenges.CHALLENGES) is None
    assert signals.find_mark(challenges.PARKING) is None
    assert signals.title.lower() not in TITLES


WIDGET = "<div class=g-recaptcha></div>"
GUARD = "<script src='https://x.token.awswaf.com/y/challenge.js'></script>"


def look(body: str, title: str = "") -> PageSignals:
    return PageSignals(parse(page(body, title)))


@cases(__file__, "challenges")
def test_challenge_told_by_what_gave_it_away(body: str, title: str, evidence: str) -> None:
    """The evidence states the service and the mark, name, text or title found."""
    assert f"{evidence} outside links." == known(find_challenge(look(body, title))).evidence


def test_name_shown_is_no_evidence() -> None:
    """A page whose text has the name of a script's variable is about it."""
    script = "<script>window._cf_chl_opt={}</script>"
    assert find_challenge(look(f"<code>_cf_chl_opt</code>{script}")) is None
    assert find_challenge(look(script)) is not None


@pytest.mark.parametrize(
    ("title", "n_sentence", "is_found"),
    [
        ("Radware Captcha Page", 19, True),
        ("Radware Captcha Page", 21, False),
        ("Security check", 5, True),
        ("Security check", 6, False),
        ("Security checks compared", 0, False),
    ],
)
def test_title_needs_little_text(title: str, n_sentence: int, is_found: bool) -> None:
    """The vaguer a title, the less text a page may have; and it must be the whole title."""
    found = find_challenge(look(f"<p>{SENTENCE * n_sentence}", title))
    assert is_found is (found is not None)


@pytest.mark.parametrize(
    ("form", "is_found"),
    [
        (WIDGET, True),
        (f"<form><input type=hidden name=a><input type=submit>{WIDGET}</form>", True),
        (f"{WIDGET}<textarea name=g-recaptcha-response></textarea>", True),
        (f"<form><input name=email>{WIDGET}</form>", False),
        (f"<form><textarea name=text></textarea>{WIDGET}</form>", False),
        (f"<p>{SENTENCE * 6}{WIDGET}", False),
        ("<p>No widget here.", False),
    ],
)
def test_captcha_counts_when_it_is_all_there_is(form: str, is_found: bool) -> None:
    """A captcha beside anything else to fill in, or beside text, guards a form and no page."""
    assert is_found is (find_captcha(look(form)) is not None)


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (GUARD, True),
        (f"<p>Wait.</p>{GUARD}", True),
        (f"<p>Six words are more than enough.</p>{GUARD}", False),
        (GUARD + "<script src=/app.js></script>" * 4, False),
        (f"{GUARD}<!--{'x' * 20_000}-->", False),
    ],
)
def test_guard_counts_when_it_stands_alone(body: str, is_found: bool) -> None:
    """The script of a guard is on ordinary pages too: it must be nearly all of the page."""
    assert is_found is (find_guarded(look(body)) is not None)


def test_parking_needs_little_text() -> None:
    """A link to a sales page in an article is not evidence."""
    link = "<a href=https://www.afternic.com/forsale/mill.test>Buy</a>"
    assert find_parking(look(link)) is not None
    assert find_parking(look(f"<p>{SENTENCE * 14}</p>{link}")) is None
