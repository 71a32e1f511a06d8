"""Detection of pages that scripts would have to write."""

from __future__ import annotations

import pytest

from tests.analysis.obstacles.pages import ENABLE, NAV, SENTENCE, page
from thresher.analysis.obstacles.absence import find_empty_root, find_script_prose, find_unwritten
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.page.parse import parse

SCRIPT = "<script src=/a.js></script>"


def look(body: str, head: str = "") -> PageSignals:
    return PageSignals(parse(page(body, "Mill", head)))


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ("<div id=root></div>", "div#root"),
        ("<div id=react-root></div>", "div#react-root"),
        ("<section id=App></section>", "section#app"),
        ("<div id=app-container></div>", "div#app-container"),
        ("<div id=___gatsby></div>", "div#___gatsby"),
        ("<app-root></app-root>", "app-root"),
        ("<main></main>", "main"),
        ("<main></main><div id=__next></div>", "div#__next"),
        ("<div id=root><p>Loading …</p><svg></svg></div>", "div#root"),
        ("<div id=root><noscript>Turn scripts on, please, for this.</noscript></div>", "div#root"),
    ],
)
def test_empty_root_named(root: str, name: str) -> None:
    """The evidence must name the application's root, be it empty or only showing a loading sign."""
    found = find_empty_root(look(root))
    assert found is not None
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
