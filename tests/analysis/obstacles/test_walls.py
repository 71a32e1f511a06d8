"""Logins and consent forms."""

from __future__ import annotations

import pytest

from tests.analysis.obstacles.pages import SENTENCE, page
from thresher.analysis.obstacles.absence import consent_rows, find_consent_wall, find_login_wall
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse

PASSWORD = "<form><input type=password></form>"


def look(body: str) -> PageSignals:
    return PageSignals(parse(page(body)))


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (PASSWORD, True),
        (PASSWORD + "<p>rye and oats</p>" * 26, True),
        (PASSWORD + "<p>rye and oats</p>" * 27, False),
        (PASSWORD + "<p>" + "rye " * 31, False),
        (PASSWORD + "<a>rye and oats</a> " * 67, False),
        (f"{PASSWORD}<noscript><p>{'rye ' * 81}</noscript>", False),
        (f"<div hidden>{PASSWORD}</div>", False),
        (f"<template>{PASSWORD}</template>", False),
        ("<form><input type=search></form>", False),
        ("<p type=password>no field", False),
    ],
)
def test_login_counts_when_there_is_little_else(body: str, is_found: bool) -> None:
    """A login is a wall where no paragraph, no list of links and no hidden text is beside it."""
    assert is_found is (find_login_wall(look(body)) is not None)


@pytest.mark.parametrize(
    ("box", "is_box"),
    [
        ("id=onetrust-consent-sdk", True),
        ("id=CybotCookiebotDialog", True),
        ("id=sp_message_container_1355822", True),
        ("id=cookie-banner", True),
        ("id=my-cookie_notice", True),
        ("class='fixed cookieBanner open'", True),
        ("class=gdpr-modal", True),
        ("class=age-verification", True),
        ("class=cookie-policy", False),
        ("class=cookie-recipe", False),
        ("id=page-banner", False),
        ("class=image-overlay", False),
    ],
)
def test_consent_box_told_by_its_name(box: str, is_box: bool) -> None:
    """Boxes of consent managers and those named for what they are; no cookies to eat."""
    signals = look(f"<div {box}><p>{SENTENCE}</p></div>")
    assert is_box is bool(consent_rows(signals).any())
    assert is_box is (find_consent_wall(signals) is not None)


@pytest.mark.parametrize(
    ("inside", "beside", "is_found"),
    [
        (SENTENCE * 3, "", True),
        (SENTENCE * 3, "rye " * 15, True),
        (SENTENCE * 3, "rye " * 16, False),
        (SENTENCE, "rye " * 9, False),
        ("Yes, cookies.", "", False),
    ],
)
def test_consent_box_counts_when_there_is_nothing_else(
    inside: str, beside: str, is_found: bool
) -> None:
    """With a few words beside it, it is all; with more, it only lies over the page."""
    found = find_consent_wall(look(f"<div id=cookie-box><p>{inside}</p></div><p>{beside}"))
    assert is_found is (found is not None)


def test_consent_form_counts_with_more_text() -> None:
    """A form that only consent pages have is enough, up to the words those have."""
    form = "<form action=https://consent.youtube.com/save></form>"
    assert find_consent_wall(look(f"<p>{SENTENCE * 26}</p>{form}")) is not None
    assert find_consent_wall(look(f"<p>{SENTENCE * 27}</p>{form}")) is None
