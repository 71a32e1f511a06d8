"""Line numbers, buttons and languages beside code."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.code.gutters import (
    LANGUAGE_LABELS,
    LANGUAGES,
    find_bar,
    find_gutters,
    find_language,
)

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


BARS: Final[dict[str, tuple[str, list[str]]]] = {
    "a bar above": (
        "<div><div><b>Python</b><i>mill.py</i><button>Copy</button></div><pre>a</pre></div>",
        ["Python", "Copy"],
    ),
    "a bar of other buttons": ("<div><p>html<button>Run</button></p><pre>a</pre></div>", []),
    "a text above": ("<div><p>Copy</p><pre>a</pre></div>", []),
    "a bar and a text": ("<div><button>Copy</button><pre>a</pre><p>b</p></div>", ["Copy"]),
    "a bar and more": ("<div><button>Copy</button><pre>a</pre>" + 4 * "<p>b</p>" + "</div>", []),
    "slots": ("<x-code><pre>a</pre><i slot=copy>Kopiér</i><i slot=wrap>W</i></x-code>", ["Kopiér"]),
    "a tooltip": (
        "<div><i class=tooltip>Copied!</i><pre>a</pre><button>Copy</button></div>",
        ["Copied!", "Copy"],
    ),
    "words that copy": ("<div><pre>a</pre><p>Copied from b.</p></div>", []),
}


@pytest.mark.parametrize(("html", "expected"), BARS.values(), ids=list(BARS))
def test_button_and_language_are_found_beside_code(html: str, expected: list[str]) -> None:
    """What copies code must be found, with a language but not with other texts."""
    page = parse(f"<body>{html}")
    (pre,) = np.flatnonzero(page.tag == CODE_OF["pre"]).tolist()
    assert expected == [page.text_of(row) for row in find_bar(page, pre)]


LANGUAGE_CASES: Final = {
    '<pre class="language-Py">x': "py",
    '<pre><code class="hljs language-c++">x': "c++",
    '<pre class="lang-js prettyprint">x': "js",
    '<pre class="brush: bash; gutter: false">x': "bash",
    '<pre class="sourceCode haskell">x': "haskell",
    '<div class="highlight highlight-source-rust"><pre>x': "rust",
    '<div class="highlight-default"><div class="highlight"><pre>x': "",
    '<pre data-lang="go">x': "go",
    '<pre data-syntaxhighlighter-params="brush: bash; gutter: true">x': "bash",
    '<figure data-language="sql"><pre>x': "sql",
    '<div class="language-py"><div><div><div><pre>x': "",
    '<pre class="language-none">x': "",
    '<pre class="my-language-py">x': "",
    '<pre class="language-<script>">x': "",
    "<pre>x": "",
    '<div class="highlighter-rouge"><pre>x': "",
    '<div class="language-ruby highlighter-rouge"><pre>x': "ruby",
    '<pre class="lang:php decode:true">x': "php",
    '<pre class="lang:default">x': "",
    "<pre class=EnlighterJSRAW data-enlighter-language=java>x": "java",
    "<pre class=EnlighterJSRAW data-enlighter-language=generic>x": "",
    '<div class="enlighter-v-standard enlighter-l-sql"><pre>x': "sql",
    '<div class="syntaxhighlighter php"><pre>x': "php",
    '<pre class="python">x': "python",
    '<pre class="panel python">x': "",
    '<pre><code class="hljs rust">x': "rust",
    '<pre class="rust item-decl"><code>x': "rust",
    '<figure class="highlight cpp"><table><tr><td><pre>1<td><pre class=code>x': "cpp",
    '<code class="highlight-wrap"><pre>x': "",
    '<pre><button>Copy</button><code class="lang-go">x': "go",
    "<pre><div>TypeScript</div><code>x": "typescript",
    "<pre><div>Plain text</div><code>x": "",
}


@pytest.mark.parametrize(("html", "expected"), LANGUAGE_CASES.items())
def test_language_is_found_when_a_highlighter_names_it(html: str, expected: str) -> None:
    """The language must be found in the markup of each common highlighter, and nothing else."""
    page = parse(f"<body>{html}")
    pre = int(np.flatnonzero(page.tag == CODE_OF["pre"])[-1])
    assert expected == find_language(page, pre)


def test_labels_name_a_language_or_none_when_they_are_looked_up() -> None:
    """Every label must map to a known name, and no label may itself be a name."""
    assert LANGUAGES >= set(LANGUAGE_LABELS.values()) - {""}
    assert LANGUAGES.isdisjoint(LANGUAGE_LABELS)
    assert all(name == name.lower() for name in LANGUAGES | LANGUAGE_LABELS.keys())
