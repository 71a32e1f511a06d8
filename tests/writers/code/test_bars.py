"""Bars beside code."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.code.gutters import find_bar

CASES: Final[dict[str, tuple[str, list[str]]]] = {
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


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_button_and_language_are_found_beside_code(html: str, expected: list[str]) -> None:
    """What copies code must be found, with a language but not with other texts."""
    page = parse(f"<body>{html}")
    (pre,) = np.flatnonzero(page.tag == CODE_OF["pre"]).tolist()
    assert expected == [page.text_of(row) for row in find_bar(page, pre)]
