"""thresher.writers.outline.captions: labels of captions."""

from __future__ import annotations

import pytest

import thresher
from thresher.writers.formats import FormatName


def _write(html: str, format: FormatName = "markdown") -> str:
    return thresher.extract(f"<p>before</p>{html}<p>after", method="keep_all").write(format)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="figure-caption"><h4>Figure 2. </h4><p>The slope.</p></div>',
        "<figure><figcaption><div><b>Figure 2.</b></div><div>The slope.</div>"
        "</figcaption></figure>",
        '<div class="caption"><p>Figure 2.</p><p>The slope.</p></div>',
    ],
)
def test_label_begins_the_caption(html: str) -> None:
    """A label in a block of its own must be the beginning of the caption."""
    assert "before\n\nFigure 2. The slope.\n\nafter" == _write(html).replace("*", "")
    assert "Figure 2. The slope." in _write(html, "text")
    assert "<h4>" not in _write(html, "html")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<div class="caption"><h4>The slope</h4><p>In May.</p></div>',
            "#### The slope\n\nIn May.",
        ),
        ('<div class="caption"><h4>Figure 2</h4><ul><li>a</ul></div>', "#### Figure 2\n\n- a"),
        ('<div class="text"><h4>Part 2</h4><p>In May.</p></div>', "#### Part 2\n\nIn May."),
    ],
)
def test_heading_stays_when_it_is_no_label(html: str, expected: str) -> None:
    """A heading without a number, over something else than text, or in no caption is one."""
    assert f"before\n\n{expected}\n\nafter" == _write(html)
