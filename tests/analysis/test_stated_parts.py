"""Parts that a page's own markup states to be text or not, or free or not."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import thresher
from tests.helpers.data import cases
from tests.helpers.known import known
from thresher.algorithms import ALGORITHMS
from thresher.analysis.stated_parts import (
    apply_stated_parts,
    find_archive_parts,
    find_letter_footers,
    find_no_text,
    find_paid_parts,
    find_pleas,
    find_stated_parts,
    is_teaser,
    states_article,
)
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
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
        '<div class="speechify-ignore"><button>1.2K</button><p>Listen</p></div>{}',
        '<div class="speakable"><b>Das Korn</b> <b>Es steht.</b></div><i class=storytitle></i>{}',
        '<div class="topic-post"><div class="title">ada:</div>{}</div>',
        '<div class="skeleton">Lädt…</div>{}',
        "<nav><div><h2>Auf dieser <i>Seite</i></h2></div></nav>{}",
        '<div class="ipsComment cPost">{}<div data-role="memberSignature">Immer</div></div>',
        '<div component="post/parent"><p>Was war die Frage?</p></div>{}',
        '<h4 class="p-title-value"></h4><div class="bbCodeBlock-shrinkLink">Weniger</div>{}',
        '<h2><a href="#top_of_page"><span class="top-link">oben</span></a></h2>{}',
        '<a href="/m"><span class="viewcode-link">[Quelle]</span></a>{}<a class=viewcode-back></a>',
        '<h4 class="nocss_label">Aktionen:</h4><ul class="forumactionlinks"><li>RSS</ul>{}',
        '<div class="jw-reset jw-modal">Tasten</div><div class="vjs-control-bar">Ton</div>{}',
        '<dl class="postprofile"><dt>Ada</dl>{}<div class="signature">Immer</div>',
        '<h2 id="folders-and-files">Ordner</h2><article class="markdown-body">{}</article>',
    ],
)
def test_other_systems(html: str) -> None:
    """The same holds of other systems, of the licence around a book, and of what waits."""
    assert _read_text(html.format(_TEXT)) == "Die Möwe frisst."


@cases(__file__, "parts")
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
    stated = known(find_stated_parts(page))
    assert [True, True, True, False] == stated.always.tolist()
    assert [False, False, True, False] == stated.never.tolist()


def test_posts_of_a_forum_are_text() -> None:
    """Every post that its system marks is added to a selection of one, without remarks on it."""
    posts = '<div class="js-post-body s-prose"><p>Use a clip.</p></div>'
    heading = '<div role="button"><h2 class="mb0">1 Comment</h2></div>'
    comments = f'{heading}<ul class="comments-list"><li>Which?</ul>'
    page = parse(f"{_TEXT}{posts}{comments}<aside>Ads</aside>")
    selection = replace(thresher.select(page, "keep_all"), keep=np.arange(page.leaves.size) == 0)
    allowed = np.ones(len(page.blocks), np.bool_)
    stated = apply_stated_parts(selection, allowed)
    assert [True, True, False, False, False] == stated.block_keep.tolist()
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


_TEASER = "<p>The council met on Tuesday to decide about the store.</p>"
_PLEA = '<div class="regwall"><h2>For subscribers</h2><p>Take out a subscription.</p></div>'


def _make_page(body: str, free: object = False, selector: object = ".paid") -> Page:
    part = {"isAccessibleForFree": free, "cssSelector": selector}
    data = {"@type": "NewsArticle", "isAccessibleForFree": free, "hasPart": [part]}
    return parse(f'<script type="application/ld+json">{json.dumps(data)}</script>{body}')


def _is_teaser(page: Page) -> bool:
    return is_teaser(page, np.ones(page.leaves.size, np.bool_))


@pytest.mark.parametrize("free", [False, "False", "https://schema.org/False"])
@pytest.mark.parametrize("selector", [".paid", "#rest, .paid", [".paid"]])
def test_a_page_without_its_paid_part_is_a_teaser(free: object, selector: object) -> None:
    """It states that a part is not free, and does not have it."""
    assert _is_teaser(_make_page(_TEASER, free, selector))


def test_a_page_with_its_paid_part_is_none() -> None:
    """The text is there, whoever may read it; nor is a free page a teaser."""
    text = f'{_TEASER}<div class="paid"><p>They kept it.</p></div>'
    assert not _is_teaser(_make_page(text))
    assert not _is_teaser(_make_page(_TEASER, free=True))
    assert not _is_teaser(_make_page(_TEASER + "<p>" + "word " * 400))
    assert not _is_teaser(parse(_TEASER))


def test_microdata_states_the_same() -> None:
    """The work may be an item of the page's elements."""
    page = parse(
        f'<div itemscope itemtype="https://schema.org/Article">{_TEASER}'
        f'<meta itemprop="isAccessibleForFree" content="False">{_PLEA}</div>'
    )
    assert find_paid_parts(page) is not None
    assert _is_teaser(page)


def test_pleas_are_flagged_where_the_text_costs() -> None:
    """A wall is a plea only on such a page, and not if it is around the text."""
    page = _make_page(_TEASER + _PLEA)
    assert ["div"] == [page.name(row) for row in find_pleas(page)]
    assert [] == find_pleas(parse(_TEASER + _PLEA))
    assert [] == find_pleas(_make_page('<p class="wallpaper">Paste</p>'))
    inside = '<div class="paid"><div class="paywall"><p>They kept it.</p></div></div>'
    assert [] == find_pleas(_make_page(inside))
    assert [] == find_pleas(_make_page(f'<div class="paywall">{inside}</div>'))


def test_the_verdict_says_so() -> None:
    """A teaser has a verdict of its own."""
    document = thresher.extract(_make_page(_TEASER).utf8, method="keep_all")
    assert document.verdict is thresher.Verdict.TEASER


@pytest.mark.parametrize("value", ["x", "null", "[[[]]]", '{"cssSelector": {"a": 1}}'])
def test_odd_data_are_no_harm(value: str) -> None:
    """What is no selector selects nothing."""
    data = f'{{"isAccessibleForFree": false, "hasPart": {value}}}'
    page = parse(f'<script type="application/ld+json">{data}</script>{_TEASER}')
    assert not _is_teaser(page)


_LINKS = "<ul><li><a href=1.html>Previous</a><li><a href=3.html>Next</a></ul>"
_LETTER = (
    "<table><tr><td><table><tr><td>The roof will be mended before winter comes, says Ada.</td></tr>"
    '<tr><td>{}<br><a href="{}">Cancel</a></td></tr></table></td></tr></table>'
)


def _read_other(page: Page, flags: BoolArray) -> list[str]:
    rows = page.leaves[~page.within(flags)[page.leaves]]
    return [page.text_of(row).strip() for row in rows.tolist()]


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Knots</h1>{_LINKS}<!--beginarticle--><pre>A bend.</pre><!--endarticle-->{_LINKS}"
        "<a href=l>More of the list</a>",
        f'<h1>Knots</h1>{_LINKS}<!-- body="start" --><pre>A bend.</pre><!-- body="end" -->{_LINKS}',
        f"<!--X-TopPNI--><p>[<a href=1>Date Prev</a>]</p>{_LINKS}<!--X-TopPNI-End--><h1>Knots</h1>"
        "<!--X-Body-of-Message--><pre>A bend.</pre><!--X-Body-of-Message-End-->[<a href=1>Prev]",
    ],
)
def test_archives_are_taken_off_their_messages(html: str) -> None:
    """Head and text of a message stay, the archive's links go."""
    page = parse(html)
    assert ["Knots", "A bend."] == _read_other(page, known(find_archive_parts(page)).links)


def test_head_of_a_message_is_part_of_it() -> None:
    """Author and date are between its title and the mark of its beginning."""
    page = parse(
        f"<i>List</i><h1>Knots</h1><b>Ada</b>{_LINKS}<!--beginarticle--><pre>A<!--endarticle-->"
    )
    assert ["List", "A"] == _read_other(page, known(find_archive_parts(page)).head)


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Knots</h1>{_LINKS}<pre>A bend.</pre>",
        f"<!--beginarticle-->{_LINKS}<pre>A bend.</pre>",
        "<!--endarticle--><pre>A bend.</pre><!--beginarticle-->",
        "<!--beginarticle--><pre>A bend.</pre><!--beginarticle--><p>A knot.</p><!--endarticle-->",
    ],
)
def test_other_pages_are_no_archives(html: str) -> None:
    """Both marks are needed, each once and in order."""
    assert find_archive_parts(parse(html)) is None


@pytest.mark.parametrize("address", ["https://m.example/unsub", "/u/opt-out?id=3"])
def test_the_cell_that_cancels_a_letter_is_its_footer(address: str) -> None:
    """It is found by its link's address, in any language."""
    page = parse(_LETTER.format("Sie haben sich angemeldet.", address))
    [footer] = find_letter_footers(page)
    assert page.text_of(footer).startswith("Sie haben sich angemeldet.")


def test_other_cells_are_no_footers() -> None:
    """Not of a page of a site, without such a link, or with most of the text."""
    footer = _LETTER.format("Sie haben sich angemeldet.", "/unsub")
    assert [] == find_letter_footers(parse(f"<main>{footer}</main>"))
    assert [] == find_letter_footers(parse(_LETTER.format("Mehr", "/more")))
    assert [] == find_letter_footers(parse(_LETTER.format("word " * 60, "/unsub")))


_NOTES = '<section data-footnotes><h2 class="{}">Noten</h2><p>Eins</p></section>'
_LONG = f"<p>{'Die Möwe frisst. ' * 20}</p>"


def _is_flagged(html: str) -> bool:
    page = parse(html)
    return any(row <= page.leaves[0] < page.end[row] for row in find_no_text(page))


@pytest.mark.parametrize(
    "html",
    [
        '<div class="skeleton">Lädt…</div>',
        '<span class="is-loading"><b>Please wait ...</b></span>',
        '<div class="expand-control"><span>Klicken Sie, um zu erweitern ...</span></div>',
        '<div class="footer">© <b>Hafen</b> 2026</div>',
        "<p> &copy; Hafen</p><ul><li>Impressum</ul>",
        _NOTES.format("sr-only"),
    ],
)
def test_lines_that_are_no_text(html: str) -> None:
    """What waits for a script, rights at the end, and unseen headings of notes must be flagged."""
    assert _is_flagged(html + _TEXT)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="loading">He and the men of the crew waited…</div>',
        '<div class="spinner">Wool</div>',
        '<div class="body">Loading…</div>',
        "<p>© 2026 by Holm, who wrote down what men told him of the sea and its tides, of fish",
        "<p>The sign © is old.</p>",
        "<figure><img src=a.png><figcaption>© Holm</figcaption></figure>",
        f"<p>© Holm</p>{_LONG}",
        _NOTES.format("title"),
        '<section><h2 class="sr-only">Noten</h2></section>',
    ],
)
def test_lines_that_only_look_so(html: str) -> None:
    """Sentences, credits of pictures and what stands before a text must not be flagged."""
    assert not _is_flagged(html + _TEXT)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<button>Spielen</button><p>Radio</p>", "Radio"),
        ("<p>Der <button>Ton</button> ist laut.</p>", "Der Ton ist laut."),
        ("<h2><button>Radio</button></h2>", "Radio"),
        ("<button><h5>Radio</h5></button><p>Der Ton</p>", "Radio Der Ton"),
        ("<button aria-expanded=false>Radio</button>", "Radio"),
        (
            "<button class=dropdown-toggle aria-expanded=false>Radio</button><ul><li>Ton</ul>",
            "Ton",
        ),
        ("<table><tr><th><button>Radio</button><td>aus</table>", "Radio aus"),
        ("<button>Der Ton von dem Radio</button>", "Der Ton von dem Radio"),
    ],
    ids=[
        "alone",
        "in a sentence",
        "heading",
        "question",
        "opens something",
        "opens a menu",
        "column",
        "a card",
    ],
)
def test_a_button_alone_is_no_text(html: str, expected: str) -> None:
    """What a reader can press is not read, unless it is a word, a heading or a card."""
    assert expected == _read_text(html)
