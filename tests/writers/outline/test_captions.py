"""thresher.writers.outline.boxes: labels of captions and of fields."""

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


_FIELDS = '<div><span class="label">Ort</span><span class="value">Kiel</span></div>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (_FIELDS * 2, "Ort: Kiel\n\nOrt: Kiel"),
        (
            '<ul><li><div class="spec__key"><p>Height:</p></div> <div class="spec__value"><p>'
            "<b>30</b> cm</p></div><li><p class=key>Size (l)</p><p class=spec__value>2</p></ul>",
            "- Height: **30** cm\n- Size (l): 2",
        ),
        (_FIELDS, "Ort Kiel"),
        ('<p><b class="value">1911</b> <b class="label">Founded</b></p>' * 2, None),
        ('<p><b class="value">1911</b> in <b class="value">May</b></p>' * 2, None),
        ('<pre><div><b class="key">a</b> <b class="value">1</b></div></pre>' * 2, None),
        ('<div><h3 class="title">Kiel</h3><p class="value">Rain</p></div>' * 2, None),
    ],
)
def test_label_is_set_off_from_its_value(html: str, expected: str | None) -> None:
    """Label and value of fields must be one line with a colon, unless a sign is there."""
    written = _write(html)
    if expected is None:
        assert ":" not in written
    else:
        assert f"before\n\n{expected}\n\nafter" == written
