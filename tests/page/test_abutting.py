"""thresher.page.abutting: spaces between abutting inline elements."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse

_CASES = {
    # A name and its parts.
    '<dt class="sig"><span>list.</span><span>append</span><span>(</span><em><span>x</span></em>'
    "<span>)</span></dt>": "list.append(x)",
    "<p><span>sorted</span><span>(</span><b><span>x</span></b>)</p>": "sorted(x)",
    '<div class="member-signature"><span>int</span> <span>size</span>'
    '<span class="parameters">(<a>Set</a>&lt;<a>T</a>&gt; s)</span></div>': "int size(Set<T> s)",
    "<p><code><span>a</span><span>B</span></code></p>": "aB",
    # A word and its letters.
    "<p><span>O</span><span>nce</span> upon</p>": "Once upon",
    "<p><span>T</span><span>HE KING</span></p>": "THE KING",
    "<p>The <span>Co</span><span>rnell</span> case</p>": "The Cornell case",
    "<p>un<a id='x'></a>seen</p>": "unseen",
    "<p><span>網絡</span><span>研究</span></p>": "網絡研究",
    # Signs that belong to one side.
    "<p><span>$</span><span>79</span></p>": "$79",
    "<p><span>5</span><span>kg</span></p>": "5kg",
    "<p>“<a>a game</a><span>” can</span></p>": "“a game” can",
    "<p>seen<sup><a>[1]</a><a>[2]</a></sup></p>": "seen[1][2]",
    "<p>ada<span></span>@<span></span>mill.example</p>": "ada@mill.example",
    "<p>seen.<a id=x></a><a>[1]</a> It</p>": "seen.[1] It",
    "<p><span>either</span><span>/</span><span>or</span></p>": "either/or",
    # Labels that style sheets set apart.
    "<p><span>By</span><span>Ada Lem</span></p>": "By Ada Lem",
    "<p><span>Ada Lem</span><time>9 May</time></p>": "Ada Lem 9 May",
    "<p><span>at sea</span><span class=photo-credit>ada lem</span></p>": "at sea ada lem",
    "<p><a>python</a><a>java</a></p>": "python java",
    '<p><span class="tag">python</span><span class="tag">java</span></p>': "python java",
    "<p><span>Author:</span><span>ada</span></p>": "Author: ada",
    "<p><span>12</span><span>comments</span></p>": "12 comments",
    '<dt class="sig"><i>f</i><span>()</span><a class="viewcode-link">[source]</a></dt>': (
        "f() [source]"
    ),
    "<p role=row><span role=cell>9 m</span><span role=cell>free</span></p>": "9 m free",
    "<p><span>A sentence.</span><span>Another</span></p>": "A sentence. Another",
}


@pytest.mark.parametrize(("markup", "expected"), _CASES.items(), ids=_CASES.values())
def test_space_is_where_a_page_shows_one_when_elements_abut(markup: str, expected: str) -> None:
    """A space parts labels, and neither the parts of a name nor the letters of a word."""
    page = parse(markup)

    (text,) = page.block_texts()

    assert expected == text
