"""Filters of tags and attributes, and of overlays that cover a page."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.filters.filtering import body_of, run
from thresher.filters.attributes import drop_declarations

CASES: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "pictures in no link": (
        {"images": True},
        "<p>a<img src=x><svg></svg><a href=/><img src=y></a></p>",
        '<p>a<a href="/"><img src="y"></a></p>',
    ),
    "links with a picture": (
        {"image_links": True},
        "<p>a<img src=x><a href=/><b><img src=y></b>c</a><a href=/>d</a></p>",
        '<p>a<img src="x"><a href="/">d</a></p>',
    ),
    "links without": (
        {"text_links": True},
        "<p>a<a href=/>b</a><a name=c>c</a><a href=/><img src=y></a></p>",
        '<p>a<a name="c">c</a><a href="/"><img src="y"></a></p>',
    ),
    "alternative text of a picture": (
        {"images": True, "alternative_texts": True},
        '<p>a <img src=x alt=" b&lt;c "> <img src=y alt=""></p>',
        "<p>a b&lt;c </p>",
    ),
    "alternative texts of a link": (
        {"image_links": True, "alternative_texts": True},
        "<p><a href=/><img src=x alt=b><img src=x alt=c>d</a></p>",
        "<p>b c</p>",
    ),
    "scripts": (
        {"scripts": True},
        "<p onclick=f() id=on>a<script>f()</script><a href='java\nscript:f()'>b</a></p>"
        "<script type=application/ld+json>{}</script><noscript><i>c</i></noscript>",
        '<p id="on">a<a>b</a></p><script type="application/ld+json">{}</script><i>c</i>',
    ),
    "styles": (
        {"styles": True},
        "<style>p{}</style>a<svg><style>p{}</style></svg>",
        "a<svg><style>p{}</style></svg>",
    ),
    "style sheets elsewhere": (
        {"external_styles": True},
        "a<link rel='alternate stylesheet' href=x><link rel=preload as=style><link rel=icon>",
        'a<link rel="icon">',
    ),
    "forms": ({"forms": True}, "a<form><p>b<input></form>", "a"),
    "fields": (
        {"inputs": True},
        "a<form><input><input type=hidden><input type=submit><select></select><textarea>",
        'a<form><input type="hidden"><input type="submit"></form>',
    ),
    "buttons": (
        {"buttons": True},
        "a<form><input><input type='Submit '><button>b</button><input type=image></form>",
        "a<form><input></form>",
    ),
    "objects": ({"objects": True}, "a<object>b</object><embed><applet></applet>", "a"),
    "media": ({"media": True}, "a<audio></audio><video>b</video>", "a"),
    "frames within": ({"iframes": True}, "a<iframe src=x></iframe>", "a"),
    "refreshes": (
        {"refreshes": True},
        "a<meta http-equiv=Refresh content=5><meta name=refresh>",
        'a<meta name="refresh">',
    ),
}


@pytest.mark.parametrize(("values", "html", "expected"), CASES.values(), ids=list(CASES))
def test_tags_are_removed(values: dict[str, Any], html: str, expected: str) -> None:
    """Each switch must remove what it says, and nothing else."""
    assert expected == body_of(html, **values)


def test_the_head_is_filtered() -> None:
    """Refreshes and scripts of the head, and what fetches these ahead, go; the rest stays."""
    html = "<head><meta http-equiv=refresh content='0;url=/x'><title>t</title></head>a"
    assert "<head><title>t</title></head>" in run(html, refreshes=True).html
    html = "<head><script src=x></script><link rel=modulepreload href=x><link as=script></head>a"
    assert "<head></head>" in run(html, scripts=True).html


EDITED: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "fixed widths of tables": (
        {"fixed_widths": True},
        "<table width=600><tbody><tr><td width=50% style='width: 9px; top: 0'>a<td width=30 id=b>b"
        "</table><hr width=5>",
        '<table><tbody><tr><td width="50%" style="top: 0">a</td><td id="b">b</td></tr></tbody>'
        '</table><hr width="5">',
    ),
    "backgrounds": (
        {"backgrounds": True},
        "<p bgcolor=red background=x.gif style='background:url(a;b);color:red'>a</p>",
        '<p style="color:red">a</p>',
    ),
    "styles, but for what they hide": (
        {"style_attributes": True},
        "<p style='color:red'>a</p><p style='color:red;display:none'>b</p>",
        '<p>a</p><p style="display:none">b</p>',
    ),
    "several of one style": (
        {"fixed_widths": True, "backgrounds": True},
        "<table style='width:1px;background:red;top:0'></table>",
        '<table style="top:0"></table>',
    ),
    "addresses that count clicks": (
        {"tracking_parameters": True},
        "<a href='/x?utm_source=a&amp;b=1' ping=/p>a</a><a href='?fbclid=1'>b</a><a href=y>c</a>",
        '<a href="/x?b=1">a</a><a href="?">b</a><a href="y">c</a>',
    ),
    "not inside templates": (
        {"backgrounds": True},
        "<template><p bgcolor=red>a</p></template>",
        '<template><p bgcolor="red">a</p></template>',
    ),
}


@pytest.mark.parametrize(("values", "html", "expected"), EDITED.values(), ids=list(EDITED))
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

OVERLAYS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a banner by its name": (
        {"consent": True},
        "<div id=my-cookie-banner>Fine?<button>Yes</button>",
    ),
    "a box of a service": ({"consent": True}, "<div id=onetrust-consent-sdk><div>We use</div>"),
    "a dialog by its words": ({"consent": True}, "<div role=dialog><p>Cookies, please.</p></div>"),
    "a dialog that is open": ({"consent": True}, "<dialog open>Ihre Einwilligung</dialog>"),
    "a fixed box": (
        {"consent": True},
        "<div style='position : fixed'>This site uses cookies.</div>",
    ),
    "its backdrop": (
        {"consent": True},
        "<div class=modal-backdrop></div><div aria-modal=true>Cookies?</div>",
    ),
    "a letter by its name": (
        {"newsletters": True},
        "<div class='x newsletter-popup y'>Join!</div>",
    ),
    "a letter the other way": ({"newsletters": True}, "<div class=modal-newsletter>Join!</div>"),
    "a letter by its words": ({"newsletters": True}, "<div role=dialog>Our newsletter</div>"),
    "scripts of services": (
        {"consent_scripts": True},
        "<script src=https://consent.cookiebot.com/uc.js></script>",
    ),
}


@pytest.mark.parametrize(("values", "html"), OVERLAYS.values(), ids=list(OVERLAYS))
def test_overlay_is_removed(values: dict[str, Any], html: str) -> None:
    """Each of these lies in front of a page, and goes whole."""
    assert TEXT == body_of(TEXT + html, **values)


STAYS: Final[dict[str, str]] = {
    "a text on cookies": "<div class=cookies><h2>Cookies</h2><p>Take butter.</p></div>",
    "a sign-up in the text": "<section class=newsletter-signup>Our newsletter</section>",
    "a dialog on something else": "<div role=dialog>Choose a size</div>",
    "a login": "<div role=dialog>Sign up for cookies<input type=password></div>",
    "a dialog that a click opens": "<div role=dialog hidden>Our newsletter</div>",
    "a wrapper of the page": "<div class=has-cookie-banner><main>a</main></div>",
    "a backdrop of nothing": "<div class=modal-backdrop></div>",
    "a script of another site": "<script src=https://cookiebot.example/uc.js></script>",
}


@pytest.mark.parametrize("html", STAYS.values(), ids=list(STAYS))
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
