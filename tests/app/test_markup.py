"""Adaptation of safe HTML to the reading page, and posts of threads."""

from __future__ import annotations

import pytest

import thresher
from thresher.algorithms import MethodName
from thresher.app.markup import MAX_DEPTH, HeadingMark, ThreadMarkup, prepare_for_page, write_posts


def test_headings_are_marked_and_below_the_title() -> None:
    """The title is not repeated, if it comes first; headings are demoted, empty ones ignored."""
    html = "<h1>Rye  Bread</h1><p>a</p><h2>Soil</h2><h1>Sky</h1><h2>Wind</h2><h6>Air</h6>"
    found = prepare_for_page(html, title="rye bread")
    levels = (("Soil", 2), ("Sky", 2), ("Wind", 3), ("Air", 6))
    expected = tuple(HeadingMark(f"part-{n}", *reversed(x)) for n, x in enumerate(levels, 1))
    assert expected == found.headings
    assert found.markup.startswith('<p>a</p><h2 id="part-1">Soil</h2><h2 id="part-2">Sky</h2>')
    found = prepare_for_page("<h2>Soil</h2><h2>Rye</h2><h2> </h2>", title="Rye")
    assert ["Soil", "Rye"] == [heading.title for heading in found.headings]
    assert '<h2 id="part-1">Soil</h2><h2 id="part-2">Rye</h2> ' == found.markup


def test_images_are_described_unless_they_are_placed() -> None:
    """Images are replaced by descriptions, or loaded from the given address only."""
    html = '<p><img src="https://e.org/a.png" alt="A &lt;field" width="3"><img src="b.png"></p>'
    found = prepare_for_page(html, title="")
    assert '<p><span class="picture">A &lt;field</span></p>' == found.markup
    assert 2 == found.n_image
    placed = prepare_for_page(
        html, title="", place_image=lambda url: "/i?1&2" if url.startswith("https:") else None
    )
    expected = '<p><img src="/i?1&amp;2" alt="A &lt;field" loading="lazy" width="3"></p>'
    assert expected == placed.markup


def test_page_has_no_styles_and_can_be_reached_by_keyboard() -> None:
    """Alignment becomes a class, scrollable elements get a tab stop, and links get noreferrer.

    Links without a host, of a page without an address, would lead into the app: they are none.
    """
    html = (
        '<table><tr><td style="text-align: right">1</td></tr></table><pre>x</pre>'
        '<a href="https://e.org/?a&amp;b">out</a><a href="#fn-1">in</a><input type="checkbox">'
        '<a href="/rules">1</a><a href="label">2</a><a href="?x">3</a><a href="//e.org/">4</a>'
    )
    expected = (
        '<div class="scroll" tabindex="0"><table><tr><td class="to-right">1</td></tr></table></div>'
        '<pre tabindex="0">x</pre><a href="https://e.org/?a&amp;b" rel="noreferrer">out</a>'
        '<a href="#fn-1">in</a><input type="checkbox" aria-label="to do">'
        '<a>1</a><a>2</a><a>3</a><a href="https://e.org/" rel="noreferrer">4</a>'
    )
    assert expected == prepare_for_page(html, title="").markup


@pytest.mark.parametrize("tag", ["div", "span", "blockquote"])
def test_deep_markup_is_no_trouble(tag: str) -> None:
    """Deep markup is handled, and escaped markup in text stays escaped."""
    text = '&lt;b style="text-align: left"&gt; &amp;amp; "x"'
    html = f"<{tag}>" * 20_000 + text + f"</{tag}>" * 20_000
    assert html == prepare_for_page(html, title="").markup


POST = (
    "<div class=comment><b class=author>{0}</b> <time datetime=2026-11-0{1}>then</time>"
    "<p>{0} says that the old rye stands in any <a href=/wind>wind</a>.</p>{2}</div>"
)


def written(html: str, method: MethodName = "keep_all") -> ThreadMarkup | None:
    """Write the posts of a page."""
    return write_posts(thresher.extract(html, method=method, url="https://mill.example/t"))


def test_posts_have_their_facts_and_their_own_text() -> None:
    """A post has author, date, depth and its own clean HTML, with links as those of the page."""
    reply = POST.format("Bo", 2, "")
    html = f"<h1>Rye</h1>{POST.format('Ada', 1, reply)}{POST.format('Cy', 3, '')}<p>End."
    found = written(html)
    assert found
    assert [("Ada", "2026-11-01", 0), ("Bo", "2026-11-02", 1), ("Cy", "2026-11-03", 0)] == [
        (post.author, post.iso, post.depth) for post in found.posts
    ]
    link = '<a href="https://mill.example/wind">wind</a>'
    assert f"<p>Ada says that the old rye stands in any {link}.</p>" == found.posts[0].html
    assert "<h1>Rye</h1>" == found.before.strip()
    assert "<p>End.</p>" == found.behind.strip()
    based = written(f"<base href=/old/><body>{html.replace('/wind', 'wind')}")
    assert based and 'href="https://mill.example/old/wind"' in based.posts[0].html


def test_deep_replies_are_shown_at_the_last_level() -> None:
    """The depth is bounded, so that a phone has room for the text."""
    html = ""
    for at in range(9, 0, -1):
        html = POST.format(f"Ada{at}", at, html)
    found = written(html)
    assert found and MAX_DEPTH == max(post.depth for post in found.posts)


def test_a_page_without_a_thread_has_no_posts() -> None:
    """Articles, single posts, and posts that were not kept are no threads."""
    assert written("<p>Rye is sown in autumn.</p>") is None
    assert written(f"<h1>Rye</h1>{POST.format('Ada', 1, '')}") is None
    posts = POST.format("Ada", 1, "") + POST.format("Bo", 2, "")
    document = thresher.extract(posts, method="keep_all")
    assert write_posts(document)
    dropped = thresher.document_of(~document.selection)
    assert write_posts(dropped) is None
