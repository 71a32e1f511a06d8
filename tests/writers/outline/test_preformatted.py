"""Elements whose white space is significant."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.writers.outline.runs import group_kept
from thresher.writers.outline.styles import find_preformatted

CASES: Final[dict[str, tuple[str, list[str]]]] = {
    "pre": ("<pre><code>a</code></pre>", ["pre"]),
    "pre in pre": ("<pre><div><pre>a</pre></div></pre>", ["pre"]),
    "obsolete": ("<listing>a</listing><xmp>b</xmp>", ["listing", "pre"]),
    "empty": ("<pre></pre><textarea></textarea>", []),
    "code in a sentence": ("<p>a <code>b<br>c</code></p>", []),
    "code alone": ("<p><code>b</code></p>", []),
    "code alone with breaks": ("<p><code>b<br>c</code></p>", ["code"]),
    "code around a pre": ("<code><pre>a<br>b</pre></code>", ["pre"]),
    "code with line ends": ("<p><code>a\nb</code></p>", []),
    "code with line ends and a class": ("<p><code class=language-c>a\nb</code></p>", ["code"]),
    "code with line ends and a style": ('<p><code style="white-space:pre">a\nb</code>', ["code"]),
    "a table of lines": ("<table><tr><td class=blob-code>a</table>", ["table"]),
    "fragment of Doxygen": ("<div class=fragment><div class=line>a</div></div>", ["div"]),
    "a table with a pre": ("<table><tr><td><pre>a</pre></table>", ["pre"]),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_code_is_found_when_its_white_space_is_significant(html: str, expected: list[str]) -> None:
    """The outermost elements with lines of code must be found."""
    page = parse(f"<body><p>x</p>{html}")
    kept = group_kept(page, np.ones(page.leaves.size, np.bool_), page.blocks.of_leaf)
    found = np.flatnonzero(find_preformatted(page, kept))
    assert expected == [page.name(row) for row in found.tolist()]
