"""Walls, redirects, frames, and content that is only in scripts."""

from __future__ import annotations

import json

import pytest

from tests.analysis.obstacles.pages import ENABLE, NAV, SENTENCE, page
from tests.helpers.data import cases
from tests.helpers.known import known
from thresher.analysis.obstacles.absence import (
    CONSENT_BOXES,
    count_script_words,
    find_consent_wall,
    find_empty_root,
    find_frames,
    find_login_wall,
    find_redirect,
    find_script_prose,
    find_unwritten,
    inline_scripts,
)
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse


@cases(__file__, "scripts")
def test_scripts_found_as_far_as_they_are_closed(html: str, scripts: list[str]) -> None:
    """Every script with content is given, in order."""
    assert scripts == list(inline_scripts(html))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (json.dumps({"text": SENTENCE}), 15),
        (json.dumps(json.dumps({"text": f"<p>{SENTENCE}</p>"})), 15),
        (json.dumps({"text": "Zwölf Mühlen mahlen für neun Dörfer am Fluß Hafer und Gerste."}), 11),
        (json.dumps({"text": "河边的磨坊为周围的九个村庄磨黑麦、燕麦和大麦。" * 3}), 63),
        (json.dumps([SENTENCE] * 9), 15),
        (json.dumps({"a": "rye and oats"} | {str(i): i for i in range(99)}), 0),
        ("function grind(rye) { return rye.map((grain) => grain.split(' ')); }" * 9, 0),
        (f"var data = '{'a1b2c3d4e5f6' * 99}';", 0),
    ],
    ids=["JSON", "JSON in JSON", "escapes", "Chinese", "repeated", "short", "code", "encoded"],
)
def test_words_counted_when_they_are_prose(script: str, words: int) -> None:
    """Sentences count however they are escaped, each once; code and encoded data do not."""
    assert words == count_script_words(f"<script>{script}</script>")


PASSWORD = "<form><input type=password></form>"


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
        ("id=sp_message_container_1355822", True),
        ("id=cookie-banner", True),
        ("id=my-cookie_notice", True),
        ("class='fixed cookieBanner open'", True),
        ("class=gdpr-modal", True),
        ("class=cookie-policy", False),
        ("class=cookie-recipe", False),
        ("class=image-overlay", False),
    ],
)
def test_consent_box_told_by_its_name(box: str, is_box: bool) -> None:
    """Boxes of consent managers and those named for what they are; no cookies to eat."""
    signals = look(f"<div {box}><p>{SENTENCE}</p></div>")
    assert is_box is bool(signals.marked(CONSENT_BOXES).any())
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


def look(body: str, head: str = "") -> PageSignals:
    return PageSignals(parse(page(body, "Mill", head)))


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/new", "/new"),
        (" 0.5 ;  URL = '/a b' ", "/a b"),
        ("5, https://mill.test/", "https://mill.test/"),
        ("3 /x", "/x"),
    ],
)
def test_refresh_told_with_its_target(content: str, target: str) -> None:
    """Every form of a refresh that browsers follow is read."""
    found = known(find_redirect(look("", f'<meta http-equiv="REFRESH" content="{content}">')))
    assert f"It refreshes to {target}; 0 words outside links." == found.evidence


@pytest.mark.parametrize(
    "html",
    [
        "<meta http-equiv=refresh content=30>",
        "<meta http-equiv=refresh>",
        "<noscript><meta http-equiv=refresh content='0;url=/n'></noscript>",
        "<p http-equiv=refresh content='0;url=/n'>x",
        "<meta http-equiv=refresh content='0;url=/n'>" + "<p>rye" * 41,
    ],
)
def test_refresh_counts_when_it_leads_readers_on(html: str) -> None:
    """One to the page itself, for browsers without scripts, or under a text leads nobody on."""
    assert find_redirect(look("", html)) is None


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("<script>location='/new'</script>", True),
        ('<script>window.top.location.href = "/new"</script>', True),
        ("<script>document.location.replace('/new')</script>", True),
        ("<script>if (location.href == '/new') go()</script>", False),
        ("<script>var allocation = 'x'</script>", False),
        ("<pre>location='/new'</pre>", False),
        ("<script>location='/new'</script>" + "<p>rye" * 16, False),
        (f"<script>location='/new'/*{'x' * 10_000}*/</script>", False),
    ],
)
def test_script_counts_when_it_is_all_there_is(body: str, is_found: bool) -> None:
    """A small page with no text and a script that sets the address leads on."""
    assert is_found is (find_redirect(look(body)) is not None)


@cases(__file__, "frames")
def test_frames_count_when_they_are_all_there_is(html: str, is_found: bool) -> None:
    """A frameset, or a visible frame on a page without anything else, has the text."""
    assert is_found is (find_frames(PageSignals(parse(html))) is not None)


SCRIPT = "<script src=/a.js></script>"


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ("<div id=root></div>", "div#root"),
        ("<section id=App></section>", "section#app"),
        ("<app-root></app-root>", "app-root"),
        ("<main></main>", "main"),
        ("<main></main><div id=__next></div>", "div#__next"),
        ("<div id=root><p>Loading …</p><svg></svg></div>", "div#root"),
        ("<div id=root><noscript>Turn scripts on, please, for this.</noscript></div>", "div#root"),
    ],
)
def test_empty_root_named(root: str, name: str) -> None:
    """The evidence must name the application's root, be it empty or only showing a loading sign."""
    found = known(find_empty_root(look(root)))
    assert found.evidence.startswith(f"The application's root `{name}` is empty")


@pytest.mark.parametrize(
    "body",
    [
        "<div id=approach></div><div id=roots></div>",
        "<div id=root><p>Open from nine to five on weekdays.</p></div>",
        "<div id=root><img><img><img></div>",
        "<template><div id=root></div></template>",
        f"<div id=root></div><p>{SENTENCE * 9}</p>",
        "<div id=root></div>" + NAV * 12,
        f"<div id=root></div><noscript><p>{SENTENCE * 5}</noscript>",
    ],
    ids=["no root", "text", "pictures", "template", "text beside", "links", "for no scripts"],
)
def test_root_is_none_when_there_is_anything_to_read(body: str) -> None:
    """A root that is filled, or that stands beside content, keeps nothing back."""
    assert find_empty_root(look(body)) is None


def test_root_surer_with_more_signs() -> None:
    """Few words, a message for browsers without scripts and data in scripts make it surer."""
    root = "<div id=root></div>"
    bodies = (f"{root}<p>{SENTENCE * 2}", root, root + ENABLE, root + ENABLE + "<p>__NUXT__")
    found = [find_empty_root(look(body)) for body in bodies]
    assert [0.7, 0.8, 0.9, 0.95] == [one.confidence for one in found if one]


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (ENABLE, True),
        (SCRIPT * 5, True),
        (SCRIPT * 4 + "<p>Mill", False),
        (f"<p>Mill<script>{'x' * 20_000}</script>", True),
        (f"<p>Mill<style>{'x' * 20_000}</style>", False),
        (SCRIPT, True),
        (SCRIPT + "<img>", False),
        (SCRIPT * 5 + "<img>" * 3, False),
        (SCRIPT * 5 + "<p>" + "rye " * 21, False),
        (f"{SCRIPT * 5}<noscript><p>{SENTENCE * 5}</noscript>", False),
        ("", False),
    ],
)
def test_unwritten_when_scripts_have_to_fill_the_page(body: str, is_found: bool) -> None:
    """Hardly a word, and scripts that are asked for, many, long, or alone."""
    assert is_found is (find_unwritten(look(body)) is not None)


@pytest.mark.parametrize(
    ("body", "in_scripts", "is_found"),
    [
        ("", SENTENCE * 7, True),
        ("", SENTENCE * 6, False),
        (f"<p>{SENTENCE * 3}", SENTENCE * 9, True),
        (f"<p>{SENTENCE * 3}", SENTENCE * 8, False),
        (f"<p>{SENTENCE * 4}", SENTENCE * 90, False),
        (NAV * 4, SENTENCE * 90, False),
        (f"<noscript><p>{SENTENCE * 5}</noscript>", SENTENCE * 90, False),
    ],
)
def test_script_prose_counts_beside_little_text(body: str, in_scripts: str, is_found: bool) -> None:
    """Text in scripts is missed where it is much more than the page shows."""
    html = f'{body}<script type="application/json">{{"text": "{in_scripts}"}}</script>'
    assert is_found is (find_script_prose(look(html)) is not None)
