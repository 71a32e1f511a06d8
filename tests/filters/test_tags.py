"""The filters that ignore whole tags."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.filters.filtering import body_of, run

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
