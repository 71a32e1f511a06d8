"""Gutters in code."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.code.gutters import find_gutters

CASES: Final[dict[str, tuple[str, list[str]]]] = {
    "no code": ("<p class=lineno>1</p><button>Copy</button>", []),
    "a number by its class": ("<pre><b class=lineno>1</b>a</pre>", ["1"]),
    "a class that is on more": ("<pre><b class=gutter>1 a</b>a</pre>", []),
    "numbers in a row of a table": (
        "<table><tr><td><pre>1\n2</pre><td><pre>a</pre></table>",
        ["1\n2"],
    ),
    "numbers beside as many lines": ("<div><pre>7\n8</pre><pre>a\nb\n</pre></div>", ["7\n8"]),
    "numbers beside fewer lines": ("<div><pre>1\n2\n3</pre><pre>a</pre></div>", []),
    "numbers before a text": ("<div><pre>1\n2</pre>x<pre>a\nb</pre></div>", []),
    "numbers that do not count": ("<div><pre>1\n5</pre><pre>a\nb</pre></div>", []),
    "numbers in a list": ("<div><ol><li>1<li>2</ol><pre>a\nb</pre></div>", ["1", "2"]),
    "numbers in a cell": (
        "<table><tr><td><p>8<p>9<td><div><p class=code-line>a<p class=code-line>b</div></table>",
        ["8", "9"],
    ),
    "a number in a cell": ("<table><tr><td>1<td><pre>a</pre></table>", []),
    "a list of numbers": ("<div><ol><li>1<li>2</ol><pre>a\nb\nc</pre></div>", []),
    "numbers alone": ("<pre>1\n2</pre>", []),
    "numbers that begin lines": ("<pre><b>1</b> a\n<b>2</b> b</pre>", ["1", "2"]),
    "one number": ("<pre><b>1</b> a\nb</pre>", []),
    "numbers in some lines": ("<pre><b>1</b> a\n<b>2</b> b\n<i>c</i></pre>", []),
    "a button": ("<pre><button>Copy</button>a</pre>", ["Copy"]),
    "what copies": ("<pre><a class='btn-copy'>Copy</a>a</pre>", ["Copy"]),
    "a language above code": ("<pre><div>Python</div><code>a</code></pre>", ["Python"]),
    "a language above, no code": ("<pre><div>Python</div><div>a</div></pre>", []),
    "a language in code": ("<pre><code><div>python</div><div>a</div></code></pre>", []),
    "a language in the line": ("<pre><b>python</b><code> -m a</code></pre>", []),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_gutters_are_found_when_code_has_them(html: str, expected: list[str]) -> None:
    """Line numbers, buttons and labels added to code must be flagged, and the code must not."""
    page = parse(f"<body>{html}")
    found = np.flatnonzero(find_gutters(page, np.ones(page.leaves.size, np.bool_)))
    assert expected == [page.leaf_text(leaf) for leaf in found.tolist()]


def test_nothing_is_found_when_it_is_dropped_anyway() -> None:
    """Only kept leaves must be flagged."""
    page = parse("<body><pre><b class=lineno>1</b>a</pre>")
    assert not find_gutters(page, np.array([False, True])).any()
