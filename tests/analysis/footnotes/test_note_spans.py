"""Elements that are notes."""

from __future__ import annotations

import pytest

from thresher.analysis.footnotes.references import find_note_span
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<li id=n>a <b>b</b>", ("li", "a b")),
        ("<p><a id=n></a>1. a b", ("p", "1. a b")),
        ("<div class=footnote><p><a id=n></a>a<p>b</div>", ("div", "ab")),
        ("<dl><dt id=n>1<dd>a b</dl>", ("dd", "1a b")),
        ("<dl><dt id=n>mill<dd>a b</dl>", None),
        ("<h5><a id=n>(1)</a></h5><p>a b</p>", ("", "(1)a b")),
        ("<h5><a id=n>(1)</a></h5><ul><li>a b</ul>", None),
        ("<h5 id=n>Mill</h5><p>a b</p>", None),
        ("<p>a <a id=n></a>b", None),
        ("<h2 id=n>a</h2>", None),
        ("<article id=n><p>a</article>", None),
        ("<div id=n><h3>a</h3><p>b</div>", None),
        ("<table id=n><tr><td>a<tr><td>b</table>", None),
        ("<p id=n></p>", None),
    ],
)
def test_note_is_the_element_that_begins_at_a_target(
    html: str, expected: tuple[str, str] | None
) -> None:
    """It is the target or the block it begins; parts of the page and headings are none."""
    page = parse(f"<body><p>x</p>{html}")
    target = next(row for row, name in page.attributes.values("id").items() if name == "n")
    span = find_note_span(page, target)
    found = span and (
        page.name(span[0]) if span[0] >= 0 else "",
        "".join(map(page.leaf_text, range(*span[1:]))),
    )
    assert expected == found
