"""Code without a `pre`."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse
from thresher.writers.code.lines import find_fragments

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
