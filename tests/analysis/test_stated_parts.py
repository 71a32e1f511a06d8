"""thresher.analysis.stated_parts: parts that a page's own markup states to be text or not."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from thresher.algorithms import ALGORITHMS
from thresher.analysis.stated_parts import (
    apply_stated_parts,
    find_stated_parts,
    states_article,
)
from thresher.page.parse import parse
from thresher.selection import Selection

_EDIT = '<span class="mw-editsection">[<a href="/e">ändern</a>]</span>'
_TEXT = "<p>Die Möwe frisst.</p>"


def _keep_all(html: str) -> Selection:
    page = parse(html)
    selection = ALGORITHMS["keep_all"].select(page, None)
    return apply_stated_parts(selection, np.ones(len(page.blocks), np.bool_))


def _read_text(html: str) -> str:
    selection = _keep_all(html)
    page = selection.page
    return " ".join(page.text_of(row).strip() for row in page.leaves[selection.keep].tolist())


@pytest.mark.parametrize(
    "part",
    [
        f'<div class="mw-heading"><h2>Nahrung</h2>{_EDIT}</div>',
        f"<h2>Nahrung{_EDIT}</h2>",
        '<h2>Nahrung</h2><div id="toc"><h2>Inhalt</h2><ul><li>1 Nahrung</ul></div>',
        '<h2>Nahrung</h2><div role="navigation"><table><tr><td>Vögel</table></div>',
        '<div id="siteSub">aus Wikipedia</div><h2>Nahrung</h2><table class="ambox metadata"><tr>'
        "<td>Belege fehlen</table>",
        '<h2>Nahrung<sup class="noprint">[aktualisieren]</sup></h2>',
    ],
)
def test_what_a_wiki_adds_is_not_text(part: str) -> None:
    """Links of editors, notices and navigation are never text, in any language."""
    page = f'<div class="mw-parser-output">{part}{_TEXT}</div>'
    assert _read_text(page) == "Nahrung Die Möwe frisst."


def test_names_of_a_system_mean_nothing_elsewhere() -> None:
    """Other pages may use the same names, and keep what they name."""
    assert find_stated_parts(parse(f'<div class="mw-100 metadata">Es ist so.</div>{_TEXT}')) is None
    assert find_stated_parts(parse(f'<div role="navigation">Es ist so.</div>{_TEXT}')) is None


@pytest.mark.parametrize(
    "html",
    [
        '<div class="dokuwiki"><div id="dw__toc">Inhalt</div>{}<div class="secedit">'
        "<button>Bearbeiten</button></div></div>",
        '<section class="pg-boilerplate pgheader">Free for anyone</section>{}'
        '<section class="pg-boilerplate pgfooter">The licence</section>',
        '<article class="ltx_document ltx_authors_1line"><div class="ltx_authors">A. Holm</div>{}'
        '</article><footer class="ltx_page_footer">LaTeXML</footer>',
        '{}<div class="kg-card kg-button-card kg-align-center"><a href="/buy">Buy</a></div>',
        '{}<div class="subscription-widget-wrap"><div class="subscription-widget">Join us</div>',
        '<div class="speechify-ignore"><button>1.2K</button><p>Listen</p></div>{}',
        '<div class="topic-post"><div class="title">ada:</div>{}</div>',
        '<div class="skeleton">Lädt…</div>{}',
    ],
)
def test_other_systems(html: str) -> None:
    """The same holds of other systems, of the licence around a book, and of what waits."""
    assert _read_text(html.format(_TEXT)) == "Die Möwe frisst."


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<article class="ltx_document"><h6>Theorem 1.</h6>{}</article>', True),
        ('<article class="page sans"><div class="page-body"><h6>Crew</h6>{}</div>', True),
        ('<div id="main-content" class="wiki-content"><h6>Steps</h6>{}</div>', True),
        ('<div class="kg-card kg-toggle-card"><h6>How?</h6></div>{}', True),
        ('<div class="page-body"><h6>Crew</h6>{}</div>', False),
        ('<div class="card"><h6>How?</h6></div>{}', False),
    ],
)
def test_what_a_system_sets_in_a_text_is_text(html: str, expected: bool) -> None:
    """All that papers, notes, wikis and blogs mark as their text is stated to be, not elsewhere."""
    stated = find_stated_parts(parse(html.format(_TEXT)))
    assert expected == (stated is not None and bool(stated.always[0]))


def test_a_chapter_is_text() -> None:
    """Every line of a book's chapter is stated to be text, but for its table of contents."""
    page = parse(
        '<section epub:type="chapter"><h2>III</h2><p>Is it lit?</p>'
        '<nav epub:type="toc">III</nav></section><p>Home'
    )
    stated = find_stated_parts(page)
    assert stated is not None
    assert [True, True, True, False] == stated.always.tolist()
    assert [False, False, True, False] == stated.never.tolist()


def test_posts_of_a_forum_are_text() -> None:
    """Every post that its system marks is added to a selection of one, without remarks on it."""
    posts = '<div class="js-post-body s-prose"><p>Use a clip.</p></div>'
    page = parse(f'{_TEXT}{posts}<ul class="comments-list"><li>Which?</ul><aside>Ads</aside>')
    selection = thresher.select(
        page,
        lambda page, _: Selection.of_rows(
            page,
            "first",
            np.arange(len(page)) == page.leaves[0],
            score=np.zeros(len(page)),
            reason_code=np.zeros(len(page), np.int16),
            reasons=("first",),
        ),
    )
    allowed = np.ones(len(page.blocks), np.bool_)
    stated = apply_stated_parts(selection, allowed)
    assert [True, True, False, False] == stated.block_keep.tolist()
    assert stated.reason(1) == "part of the text, as the page's markup states"
    assert not apply_stated_parts(selection, ~allowed).block_keep[1]


def test_reasons_say_what_the_page_states() -> None:
    """A block that is dropped for it says so, others keep their reasons."""
    selection = _keep_all(f'<div class="mw-body"><h2>Nahrung</h2>{_EDIT}{_TEXT}</div>')
    reasons = [selection.reason(block) for block in range(3)]
    assert reasons[1] == "no part of the text, as the page's markup states"
    assert reasons[0] == reasons[2] != reasons[1]


def test_nothing_is_added_to_nothing() -> None:
    """A selection of nothing stays one."""
    page = parse(f'<div class="mw-body"><h2>Nahrung</h2>{_EDIT}</div>')
    nothing = Selection.of_nothing(page, "none", reason="none")
    assert apply_stated_parts(nothing, np.ones(len(page.blocks), np.bool_)) is nothing


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('{"@type": "Article"}', True),
        ('[{"@type": ["NewsArticle"]}, {"@type": "WebSite"}]', True),
        ('[{"@type": "BlogPosting"}, {"@type": "BlogPosting"}]', False),
        ('[{"@type": "Article"}, {"@type": "CollectionPage"}]', False),
        ('{"@type": "WebPage"}', False),
    ],
)
def test_a_page_states_that_it_is_an_article(data: str, expected: bool) -> None:
    """It has one article of schema.org, and no list of them."""
    page = parse(f'<script type="application/ld+json">{data}</script><ul><li>Möwe')
    assert expected == states_article(page)
