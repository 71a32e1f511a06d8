"""The exact text of code."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.code.lines import find_fragments, read_code
from thresher.writers.outline.outline import outline_page

CASES: Final = {
    "an empty line of a no-break space": ("<pre><b>a</b>\n&nbsp;\n<b>b</b></pre>", "a\n\xa0\nb"),
    "blanks in elements": (
        "<pre><b>$ </b>make<i> </i>-j<i> </i>4<i>\n</i>\tls  -a</pre>",
        "$ make -j 4\n\tls  -a",
    ),
    "lines in divs": ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
    "line ends between divs": ("<pre><div>a</div>\n<div>b</div></pre>", "a\nb"),
    "indented markup": ("<pre><b>x</b>\n  <div>a</div>\n  <div>b</div>\n</pre>", "x\na\nb\n"),
    "indented markup at the start": ("<pre>\n\n <div>a</div></pre>", "a"),
    "an empty div": ("<pre><div>a</div><div></div><div>b</div></pre>", "a\n\nb"),
    "a div of a line end": ("<pre><div>a</div><div>\n</div><div>b</div></pre>", "a\n\nb"),
    "a div of a break": ("<pre><div>a</div><div><br></div><div>b</div></pre>", "a\n\nb"),
    "an item a line": ("<pre><ol><li>a</li><li>b</li></ol></pre>", "a\nb"),
    "breaks": ("<pre>a<br>b<br><br>c</pre>", "a\nb\n\nc"),
    "spans of lines": ("<pre><i class=line>a</i><i class=line>b</i></pre>", "a\nb"),
    "spans of lines with ends": ("<pre><i class=line>a</i>\n<i class=line>b</i></pre>", "a\nb"),
    "a span of a line in a line": ("<pre>a<i class=line>b</i>c</pre>", "abc"),
    "lines by attribute": ("<pre><i data-line>a</i><i data-line>b</i></pre>", "a\nb"),
    "lines in code": ("<pre><code>a</code><code>b</code></pre>", "a\nb"),
    "code in other elements": ("<pre><code>&gt; </code><b><code>a\n</code></b>b</pre>", "> a\nb"),
    "code in a line": ("<pre><p class=line><code>a</code> <code>b</code></p></pre>", "a b"),
    "white space around code": ("<pre> \n <code>a\n</code>\n </pre>", "a\n"),
    "numbers": (
        "<pre><i class=lineno>1</i>a\n<i class=lineno>2</i>\n<i class=lineno>3</i>  b</pre>",
        "a\n\n  b",
    ),
    "numbers in divs": (
        "<pre><div><i class=ln>8</i><b>a</b></div><div><i class=ln>9</i></div>"
        "<div><i class=ln>10</i><b>b</b></div></pre>",
        "a\n\nb",
    ),
    "numbers without a name": (
        "<pre><div><i>1</i><div>a</div></div><div><i>2</i><div>b</div></div></pre>",
        "a\nb",
    ),
    "numbers with line ends": ("<pre><i>1</i>a<i>\n2</i>b</pre>", "a\nb"),
    "a column of numbers": (
        "<pre><div class=gutter><i>1</i><br><i>2</i></div><code>a\nb</code></pre>",
        "\na\nb",
    ),
    "numbers in a table": (
        "<pre><table><tr><td class=lineno>1</td> <td>a</td></tr>\n<tr><td class=lineno>2</td>"
        "<td></td></tr><tr><td class=lineno>3</td><td> b</td></tr></table></pre>",
        "a\n\n b",
    ),
    "numbers that are the code": ("<pre class=line-numbers>1\n2\n3</pre>", "1\n2\n3"),
    "numbers that do not count": ("<pre><b>1</b>a\n<b>3</b>b</pre>", "1a\n3b"),
    "a button": ("<pre><button> Copy </button><code>a</code></pre>", "a"),
    "a bar above": ("<pre><div>C<button>Run</button></div><code>a</code></pre>", "a"),
    "a word above that is no language": ("<pre><div>Tea</div><code>a</code></pre>", "Tea\na"),
    "code with breaks and no pre": ("<p><code>a  a<br>\n b</code></p>", "a a\nb"),
    "code with lines and no pre": ("<p><code class=hljs>a\n  b</code></p>", "a\n  b"),
    "a table of code": (
        "<table><tr><td class=blob-num></td>\n<td class=blob-code>a</td></tr>\n"
        "<tr><td></td><td class=blob-code>\n</td></tr><tr><td></td><td>  b</td></tr></table>",
        "a\n\n  b",
    ),
    "a field": ("<textarea>a\n  b</textarea>", "a\n  b"),
}


def written(html: str, keep: list[bool] | None = None) -> str:
    """Return the text written for the first preformatted element of a page."""
    page = parse(f"<body>{html}")
    flags = np.ones(page.leaves.size, np.bool_) if keep is None else np.array(keep)
    outline = outline_page(page, flags)
    kept = np.zeros(len(page), np.bool_)
    kept[page.leaves[outline.kept]] = True
    pre = int(np.flatnonzero(outline.preformatted)[0])
    return "".join(part.text for part in read_code(page, kept, outline.gutters, pre))


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_code_is_exact_when_highlighters_cut_it(html: str, expected: str) -> None:
    """Each character of the code must be written once, and nothing that is not code."""
    assert expected == written(html)


def test_white_space_goes_with_its_line_when_a_line_is_dropped() -> None:
    """A dropped line must be dropped with its line end."""
    html = "<pre><b>a</b>\n<b>b</b>\n<b>c</b></pre>"
    assert "a\nc" == written(html, [True, False, True])
    assert "b\n" == written(html, [False, True, False])


def test_texts_are_exact_when_they_are_unchanged() -> None:
    """Only a text whose white space was changed must be marked as inexact."""
    page = parse("<body><p><code>a <br>\n b</code></p>")
    outline = outline_page(page, np.ones(page.leaves.size, np.bool_))
    kept = np.zeros(len(page), np.bool_)
    kept[page.leaves] = True
    pre = int(np.flatnonzero(outline.preformatted)[0])
    texts = read_code(page, kept, outline.gutters, pre)
    assert [("a ", True), ("\n", False), ("b", False)] == [(t.text, t.is_exact) for t in texts]
    assert [False, True, False] == [text.is_end for text in texts]


LINE = "<div class='line'>a</div>"


@pytest.mark.parametrize(
    ("html", "n_found"),
    [
        (f"<div class=fragment>{LINE}{LINE}</div>", 1),
        (f"<div class='x fragment'>{LINE}</div><div class=fragment>{LINE}</div>", 2),
        ("<div class=fragment><p>a slide</p></div>", 0),
        (f"<div class=fragment><section>{LINE}</section></div>", 0),
        (f"<div class=fragments>{LINE}</div>", 0),
        (f"<p>fragment{LINE}", 0),
        ("<div><div class=cm-line>a</div><div class=cm-line>b</div></div>", 1),
        ("<table><td><div class='line number1'><code>a</code></div>", 1),
        ("<div><div class=code-line>a</div><p>b</div>", 0),
        ("<body class=vscode><p class=code-line>a", 0),
        ("<pre><div class=token-line>a</div></pre>", 0),
        ("<div class=enlighter><div><div>a</div><div>b</div></div></div>", 1),
        ("<div style='font: 9px Menlo, monospace; white-space: pre;'><div>a</div></div>", 1),
        ("<div style='font-family: monospace; white-space: pre-wrap;'>a</div>", 0),
    ],
)
def test_fragments_hold_lines(html: str, n_found: int) -> None:
    """Only elements whose own children are lines, or that are displayed as code, are some."""
    assert n_found == find_fragments(parse(html)).size
