"""Filters of tags and attributes, and of overlays that cover a page."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.filters.filtering import body_of, run
from tests.helpers.data import cases
from thresher.filters.attributes import drop_declarations


@cases(__file__, "tags")
def test_tags_are_removed(values: dict[str, Any], html: str, expected: str) -> None:
    """Each switch must remove what it says, and nothing else."""
    assert expected == body_of(html, **values)


def test_the_head_is_filtered() -> None:
    """Refreshes and scripts of the head, and what fetches these ahead, go; the rest stays."""
    html = "<head><meta http-equiv=refresh content='0;url=/x'><title>t</title></head>a"
    assert "<head><title>t</title></head>" in run(html, refreshes=True).html
    html = "<head><script src=x></script><link rel=modulepreload href=x><link as=script></head>a"
    assert "<head></head>" in run(html, scripts=True).html


@cases(__file__, "attributes")
def test_attributes_are_edited(values: dict[str, Any], html: str, expected: str) -> None:
    """Each switch must edit what it says, and nothing else; an element counts once."""
    assert expected == body_of(html, **values)
    twice = "<table width=9 style='width: 9px'><tr><td>a"
    assert {"fixed_widths": 1} == dict(run(twice, fixed_widths=True).removed)


def test_page_scrolls_again_without_its_overlay() -> None:
    """A scroll lock is removed together with its overlay, and only then."""
    html = (
        "<html class='js no-scroll'><body class=modal-open style='overflow: hidden; top: 1px'>"
        f"{'word ' * 40}<div role=dialog>Cookies?</div>"
    )
    written = run(html, consent=True, unlock_scrolling=True).html
    assert written.startswith('<html class="js"><body style="top: 1px">')
    html = "<html class=no-scroll><body style='overflow:hidden'>a"
    assert {} == dict(run(html, consent=True, unlock_scrolling=True).removed)


def test_pictures_with_fixed_widths_fit_a_narrow_window() -> None:
    """A picture keeps its width where there is room, and its other styles."""
    fit = "min-width:0;max-width:100%;height:auto"
    html = "<p>Rye</p><img src=a width=900><img src=b style='color:red;width: 80em' width=50%>"
    assert f'<img src=a width=900 style="{fit}">' in run(html, fixed_widths=True).html
    html = "<p>Rye</p><img src=a style='background:red;width:900px'>"
    done = run(html, fixed_widths=True, backgrounds=True)
    assert f'style="width:900px;{fit}"' in done.html


@pytest.mark.parametrize(
    ("style", "left"),
    [
        ("width: 3px; color: red", "color: red"),
        ("color: red; WIDTH:3px", "color: red"),
        ("width:3px", ""),
        ("max-width: 3px; color: red", None),
        ("color: red", None),
        ("", None),
        ('background: url(data:a;b"c); width: 3px', 'background: url(data:a;b"c)'),
        ("content: 'a;width:3px'; width: 4px", "content: 'a;width:3px'"),
    ],
)
def test_width_is_dropped(style: str, left: str | None) -> None:
    """Only the property named goes; semicolons in strings and brackets end nothing."""
    assert left == drop_declarations(style, lambda name: name == "width")


@given(st.text())
def test_nothing_is_invented(style: str) -> None:
    """Only whole declarations may be dropped from a style, and None must mean that none was."""
    assert drop_declarations(style, lambda name: False) is None
    left = drop_declarations(style, lambda name: "a" in name)
    assert left is None or all(part in style for part in left.split(";"))


@pytest.mark.parametrize(
    ("html", "goes"),
    [
        ("<img src=https://t.example/p width=1 height=1>", True),
        ("<img src=//t.example/p width=0px height=' 0 '>", True),
        ("<img src=https://t.example/p style='width: 1px; HEIGHT:1px !important'>", True),
        ("<img src=https://t.example/p width=1 style='height:0'>", True),
        ("<iframe src=https://t.example/p width=0 height=0></iframe>", True),
        ("<noscript><img src='https://t.example/p?id=1' width=1 height=1></noscript>", True),
        ("<img src='/count?id=1' width=1 height=1>", True),
        ("<img src=/spacer.gif width=1 height=1>", False),
        ("<img src=https://img.site.example/spacer.gif width=1 height=1>", False),
        ("<img src=https://t.example/line.gif width=1 height=300>", False),
        ("<img src=https://t.example/p width=2 height=2>", False),
        ("<img src=https://t.example/p width=1>", False),
        ("<img src=https://t.example/p width=100% height=1>", False),
        ("<img src='data:image/gif;base64,R0?' width=1 height=1>", False),
        ("<div data=https://t.example/p style='width:1px;height:1px'></div>", False),
    ],
)
def test_pixels_are_removed(html: str, goes: bool) -> None:
    """Elements of an invisible size, a setting, that report to another site or a counter go."""
    assert ("a" if goes else body_of(f"a{html}")) == body_of(f"a{html}", tracking_pixels=True)
    large = "a<img src=https://t.example/p width=3 height=2>"
    assert "a" == body_of(large, tracking_pixels=True, pixel_size=3)


TEXT: Final = f"<p>{'word ' * 30}</p>"


@cases(__file__, "overlays")
def test_overlay_is_removed(values: dict[str, Any], html: str) -> None:
    """Each of these lies in front of a page, and goes whole."""
    assert TEXT == body_of(TEXT + html, **values)


@cases(__file__, "no_overlays")
def test_no_overlay_is_removed(html: str) -> None:
    """Elements that only resemble an overlay must stay."""
    switches: dict[str, Any] = {"consent": True, "consent_scripts": True, "newsletters": True}
    assert body_of(TEXT + html) == body_of(TEXT + html, **switches)


@pytest.mark.parametrize(
    "html",
    [
        "<div id=cookie-wall>We use cookies.<button>Yes</button></div>",
        f"<div class=cookie-box>{TEXT}{TEXT}{TEXT}</div>{TEXT}",
    ],
)
def test_box_of_the_whole_page_stays(html: str) -> None:
    """A page that is nothing but its question, or a box of most of it, is left as it is."""
    assert {} == dict(run(html, consent=True).removed)
