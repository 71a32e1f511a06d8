"""SourceTags: where the tags of elements are in the source, without another parse."""

from __future__ import annotations

import pickle

import pytest

from thresher.page.canonical import canonicalise

PLACES = {
    "explicit": ("<p>a</p>", 3, "<p>", "</p>"),
    "without an end": ("<p>a", 3, "<p>", ""),
    "ended by another": ("<div><p>a</div>", 4, "<p>", ""),
    "implied": ("<table><tr><td>a</table>", 4, "", ""),
    "reopened": ("<p><b>a</p>c</b>", 5, "", ""),
    "beyond ASCII": ("é<p title='\U0001f600'>a</p>", 3, "<p title='\U0001f600'>", "</p>"),
    "line ends": ("a\r\n<p\r\nid=b>a</p\r\n>", 3, "<p\r\nid=b>", "</p\r\n>"),
    "closed as XML": ("é<title/>b<p>a</p>", 4, "<p>", "</p>"),
    "itself closed as XML": ("<title/>b", 2, "<title/>", ""),
    "second end of the body": ("<body>a</body></body >", 2, "<body>", "</body >"),
    "script": ("<script>a<b</script >", 2, "<script>", "</script >"),
}
"""Markup, an element by its index, and its start and end tags."""


@pytest.mark.parametrize("is_compiled", [True, False])
@pytest.mark.parametrize(("html", "index", "start", "end"), PLACES.values(), ids=PLACES)
def test_tags_are_where_the_source_has_them(
    html: str, index: int, start: str, end: str, is_compiled: bool
) -> None:
    """In characters of the source; what is not there has no place."""
    written = canonicalise if is_compiled else canonicalise.definition
    places = written(html.encode()).tags.places[index].tolist()
    spans = zip(places[::2], places[1::2], strict=True)
    assert [start, end] == [html[at:stop] if at >= 0 else "" for at, stop in spans]


@pytest.mark.parametrize("html", [html for html, *_ in PLACES.values()], ids=PLACES)
def test_places_survive_pickling(html: str) -> None:
    """Without source and tree; they stay read-only."""
    tags = canonicalise(html.encode()).tags
    again = pickle.loads(pickle.dumps(tags))
    assert again == tags
    assert not again.places.flags.writeable


def test_tree_is_freed_once_it_is_read() -> None:
    """The places are kept instead of it."""
    tags = canonicalise.definition(b"<p>a").tags
    assert tags._found is not None
    assert tags.places is tags.places
    assert tags._found is None
