"""Figures that a reader expects."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import document_of
from thresher.app.reading import keep_figures

TEXT = "Rye is sown in autumn, and stands green through the winter while others lie bare."
FIGURE = "<figure><img data-src=/rye.jpg><figcaption>The rye in May</figcaption></figure>"


def completed(html: str, *keep: str) -> str:
    """Return what is kept as HTML, once figures are added to what selectors keep."""
    selection = document_keeping(html, keep or ("p",), url="https://mill.example/").selection
    return document_of(keep_figures(selection)).html


@pytest.mark.parametrize("wrapper", ["{}", "<div><div>{}</div></div>"])
def test_a_figure_within_the_text_is_kept(wrapper: str) -> None:
    """A dropped figure between kept paragraphs is kept with its caption."""
    found = completed(f"<article><p>{TEXT}</p>{wrapper.format(FIGURE)}<p>{TEXT}</p></article>")
    assert "https://mill.example/rye.jpg" in found and "The rye in May" in found


@pytest.mark.parametrize(
    "html",
    [
        f"<article><p>{TEXT}</p></article>{FIGURE}",
        f"<article><p>{TEXT}</p><aside>{FIGURE}</aside><p>{TEXT}</p></article>",
        f"<article><p>{TEXT}</p>{FIGURE.replace('The rye in May', '<a href=/x>Oats too</a>')}"
        f"<p>{TEXT}</p></article>",
    ],
)
def test_other_figures_stay_out(html: str) -> None:
    """Figures after the text, in an aside, or that only link to other pages are not added."""
    found = completed(html)
    assert "figure" not in found and "rye.jpg" not in found


def test_a_kept_picture_keeps_its_caption() -> None:
    """The caption of a kept picture is kept, other text of the figure is not."""
    figure = FIGURE.replace("<figcaption>", "<span>Enlarge</span><figcaption>")
    found = completed(f"{figure}<p>{TEXT}</p>", "p", "img")
    assert "The rye in May" in found
    assert "Enlarge" not in found


def test_nothing_else_changes() -> None:
    """Without figures the selection is returned as it is; the reason of an added block is said."""
    plain = document_keeping(f"<p>{TEXT}</p>").selection
    assert keep_figures(plain) is plain
    selection = document_keeping(f"<div><p>{TEXT}{FIGURE}<p>{TEXT}</div>", ("p",)).selection
    reasons = [keep_figures(selection).reason(block) for block in range(4)]
    assert "a figure within kept text" == reasons[1] == reasons[2] != reasons[0]
