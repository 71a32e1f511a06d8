"""References are those that serialising writes, and nothing is replaced twice."""

from __future__ import annotations

import html

from hypothesis import given
from hypothesis import strategies as st

from thresher.page.parse import parse
from thresher.page.text import unescape

_TEXTS = st.text(st.sampled_from("&;#x27ampltgquonbs<>\"'\xa0é "), max_size=40)


@given(_TEXTS)
def test_unescaping_undoes_escaping(text: str) -> None:
    """What `html.escape` wrote becomes the text that it was given."""
    assert unescape(html.escape(text)) == text


@given(_TEXTS)
def test_attributes_of_a_page_are_those_of_the_standard_library(text: str) -> None:
    """Canonical HTML has no other references, whatever its source has."""
    page = parse(f"<p title='{text.replace(chr(39), '')}'>x</p>")
    (value,) = page.attributes.values("title").values()
    entry = page.attributes.named("title")[0]
    written = page.buffer[page.attributes.start[entry] : page.attributes.stop[entry]].decode()
    assert value == html.unescape(written)
