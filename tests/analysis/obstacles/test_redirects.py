"""Pages that only lead to another address."""

from __future__ import annotations

import pytest

from tests.analysis.obstacles.pages import page
from thresher.analysis.obstacles.absence import find_frames, find_redirect
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse


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
    found = find_redirect(look("", f'<meta http-equiv="REFRESH" content="{content}">'))
    assert found is not None
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


@pytest.mark.parametrize(
    ("html", "is_found"),
    [
        ("<frameset><frame src=a></frameset>", True),
        ("<iframe src=/app></iframe>", True),
        ("<iframe src=//www.googletagmanager.com/ns.html></iframe>", False),
        ("<iframe src=/app style='display:none'></iframe>", False),
        ("<iframe></iframe>", False),
        ("<iframe src=/app></iframe><img>", False),
        ("<iframe src=/app></iframe><p>It shows the mill at work.", False),
    ],
)
def test_frames_count_when_they_are_all_there_is(html: str, is_found: bool) -> None:
    """A frameset, or a visible frame on a page without anything else, has the text."""
    assert is_found is (find_frames(PageSignals(parse(html))) is not None)
