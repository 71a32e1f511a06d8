"""thresher.page.style: declarations that hide."""

from __future__ import annotations

import pytest

from thresher.page.style import hides, shrinks


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "VISIBILITY : Hidden",
        "text-indent: -9999px",
        "position:absolute;left:-999em",
        "clip: rect(0px, 0px, 0px, 0px)",
        "clip-path: inset(50%)",
        "width:1px;height:1px;overflow:hidden",
        "max-height:0; overflow:hidden",
        "position:absolute; opacity:0",
    ],
)
def test_hides(style: str) -> None:
    """What is not displayed, cut away, off the page or without area is hidden."""
    assert hides(style.encode())


@pytest.mark.parametrize(
    "style",
    [
        "backface-visibility:hidden",
        "opacity:0; transition: opacity 1s",
        "opacity:0",
        "visibility:hidden; animation-name:none",
        "left:-120px",
        "height:0;overflow:hidden;padding-bottom:56%",
        "clip:rect(0, 200px, 200px, 0)",
        "width:1px",
        "font-size:0.9em",
    ],
)
def test_does_not_hide(style: str) -> None:
    """What is faded in by a script, moved or cut a little is shown."""
    assert not hides(style.encode()) and not shrinks(style.encode())


def test_shrinks() -> None:
    """A font size of nothing makes letters invisible."""
    assert shrinks(b"color:#fff; font-size:0")
