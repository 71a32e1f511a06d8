"""Excerpts of pages with threads."""

from __future__ import annotations

from thresher import extract
from thresher.writers.thread import find_excerpts, rearrange

POST = (
    "<div class=comment><b class=author>{0}</b> <time>2026-11-0{1}</time><p>{0} says so.</p></div>"
)
POSTS = POST.format("Ada", 1) + POST.format("Bo", 2)
PAGE = f"<title>Rye</title><h1>Rye</h1><p>Before.</p>{POSTS}<p>End."


def test_excerpts_are_what_is_before_the_posts_and_the_rest() -> None:
    """Only the excerpts of posts must have a heading, which the caller provides."""
    document = extract(PAGE, method="keep_all")
    found = find_excerpts(document, lambda post, number: f"{number} {post.author}")
    assert [None, "1 Ada", "2 Bo", None] == [each.heading for each in found]
    assert [] == list(find_excerpts(extract("<p>Rye."), lambda post, number: ""))


def test_a_rearranged_document_knows_what_the_page_said() -> None:
    """Metadata, verdict and confidence are those of the original."""
    document = extract(PAGE, method="keep_all", url="https://mill.example/")
    found = rearrange(document, find_excerpts(document, lambda post, number: "A post"))
    assert document.metadata == found.metadata
    assert document.verdict == found.verdict
    assert 2 == found.html.count("<h2>A post</h2>")


def test_relative_links_keep_their_base() -> None:
    """A base in the head, which no excerpt contains, still holds."""
    html = PAGE.replace("says so", "<a href=x>says so</a>").replace("<h1>", "<base href=/old/><h1>")
    document = extract(html, method="keep_all", url="https://mill.example/")
    assert 2 == document.write("thread").count("(https://mill.example/old/x)")
