"""Links in headings to the headings themselves."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.links import find_inner_links
from thresher.page.parse import parse
from thresher.writers.outline.permalinks import find_permalinks

URL = "https://site.example/a?b"


@pytest.mark.parametrize(
    ("html", "n_leaf", "n_row"),
    [
        ("<h2>a<a href=#a>¶</a></h2>", 1, 0),
        ("<h2>a <a href=/p>🔗</a></h2>", 1, 0),
        ("<h2>a<a href=/p>&amp;</a></h2>", 0, 0),
        ("<h2>a<a href='javascript:x()'>↑</a></h2>", 1, 0),
        ("<h2>a<a class=anchor href=/p>∷</a></h2>", 1, 0),
        ("<h2>a <a class=headerlink href=#a>link</a></h2>", 1, 0),
        ("<h2><a href=#a>a</a></h2>", 0, 1),
        ("<h2><a href=/a>a</a></h2>", 0, 0),
        ("<p>a<a href=#a>¶</a></p>", 0, 0),
        ("<p id=a>a<a href=#a>¶</a></p>", 1, 0),
        ("<p><a id=a></a>a<a href=#a>#</a></p>", 1, 0),
        ("<p id=a>a</p><p><a href=#a>#</a></p>", 0, 0),
        ("<dl><dt id=a><a class=permalink href=#a>a</a><dd>b</dl>", 0, 1),
        ("<dl><dt><a class=permalink href=#b>a</a><dd id=b>b</dl>", 0, 0),
        ("<h2><a href='/a?b'>a</a></h2>", 0, 1),
        ("<h2>a <button>Copy</button></h2>", 1, 0),
        ("<h2><button>a</button></h2>", 0, 0),
    ],
)
def test_permalink_is_found_when_it_is_in_a_heading(html: str, n_leaf: int, n_row: int) -> None:
    """Signs must go, words must lose their link, and links elsewhere must stay."""
    page = parse(f"<body>{html}", url=URL)
    keep = np.ones(page.leaves.size, np.bool_)
    found = find_permalinks(page, keep, find_inner_links(page, keep))
    assert (n_leaf, n_row) == (found.leaves.size, len(found.rows))


def test_sign_of_a_signature_is_not_written_when_it_is_its_own_address() -> None:
    """A permalink beside a signature or caption shows no text of the page."""
    html = '<dl><dt id="f">f(x)<a class="headerlink" href="#f">¶</a><dd>a</dl><p id="g">§ 3'
    assert "f(x)\n: a\n\n§ 3" == document_keeping(html).markdown
