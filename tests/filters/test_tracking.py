"""Pictures nobody sees, and links that count clicks."""

from __future__ import annotations

import pytest

from tests.filters.filtering import body_of


@pytest.mark.parametrize(
    "html",
    [
        "<img src=https://t.example/p width=1 height=1>",
        "<img src=//t.example/p width=0px height=' 0 '>",
        "<img src=https://t.example/p style='width: 1px; HEIGHT:1px !important'>",
        "<img src=https://t.example/p width=1 style='height:0'>",
        "<iframe src=https://t.example/p width=0 height=0></iframe>",
        "<noscript><img src='https://t.example/p?id=1' width=1 height=1></noscript>",
        "<img src='/count?id=1' width=1 height=1>",
    ],
)
def test_pixels_are_removed(html: str) -> None:
    """Invisible elements that report the visit to another site or a counter must go."""
    assert "a" == body_of(f"a{html}", tracking_pixels=True)


@pytest.mark.parametrize(
    "html",
    [
        "<img src=/spacer.gif width=1 height=1>",
        "<img src=https://img.site.example/spacer.gif width=1 height=1>",
        "<img src=https://t.example/line.gif width=1 height=300>",
        "<img src=https://t.example/p width=2 height=2>",
        "<img src=https://t.example/p width=1>",
        "<img src=https://t.example/p width=100% height=1>",
        "<img src='data:image/gif;base64,R0?' width=1 height=1>",
        "<div data=https://t.example/p style='width:1px;height:1px'></div>",
    ],
)
def test_other_pictures_stay(html: str) -> None:
    """Visible images and local spacers must stay."""
    assert body_of(f"a{html}") == body_of(f"a{html}", tracking_pixels=True)


def test_size_is_a_setting() -> None:
    """The largest size that counts as invisible must be a setting."""
    html = "a<img src=https://t.example/p width=3 height=2>"
    assert "a" == body_of(html, tracking_pixels=True, pixel_size=3)
