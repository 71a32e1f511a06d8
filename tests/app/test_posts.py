"""Posts of threads, as clean HTML."""

from __future__ import annotations

import thresher
from thresher.algorithms import MethodName
from thresher.app.markup import MAX_DEPTH, ThreadMarkup, write_posts

POST = (
    "<div class=comment><b class=author>{0}</b> <time datetime=2026-11-0{1}>then</time>"
    "<p>{0} says that the old rye stands in any <a href=/wind>wind</a>.</p>{2}</div>"
)


def written(html: str, method: MethodName = "keep_all") -> ThreadMarkup | None:
    """Write the posts of a page."""
    return write_posts(thresher.extract(html, method=method, url="https://mill.example/t"))


def test_posts_have_their_facts_and_their_own_text() -> None:
    """A post has author, date, depth and its own clean HTML, without the replies inside."""
    reply = POST.format("Bo", 2, "")
    found = written(f"<h1>Rye</h1>{POST.format('Ada', 1, reply)}{POST.format('Cy', 3, '')}<p>End.")
    assert found
    assert [("Ada", "2026-11-01", 0), ("Bo", "2026-11-02", 1), ("Cy", "2026-11-03", 0)] == [
        (post.author, post.iso, post.depth) for post in found.posts
    ]
    link = '<a href="https://mill.example/wind">wind</a>'
    assert f"<p>Ada says that the old rye stands in any {link}.</p>" == found.posts[0].html
    assert "<h1>Rye</h1>" == found.before.strip()
    assert "<p>End.</p>" == found.behind.strip()


def test_links_of_posts_follow_the_base_of_the_page() -> None:
    """Relative links in posts are resolved as those of the page are."""
    posts = POST.format("Ada", 1, "") + POST.format("Bo", 2, "")
    found = written(f"<base href=/old/><body>{posts}")
    assert found and 'href="https://mill.example/wind"' in found.posts[0].html
    found = written(f"<base href=/old/><body>{posts.replace('/wind', 'wind')}")
    assert found and 'href="https://mill.example/old/wind"' in found.posts[0].html


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
