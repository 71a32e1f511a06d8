"""Links to video, audio and frames."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.page.parse import parse
from thresher.writers.fragment.media import link_media

BASE: Final = "https://a.example/b/"
AMP: Final = "<script async src=https://cdn.ampproject.org/v0.js></script>"
CASES: Final = {
    "film": (
        "<video src=c.mp4>",
        '<a href="https://a.example/b/c.mp4">c.mp4</a>',
    ),
    "source": (
        "<video><source src=c><source src=d></video>",
        '<a href="https://a.example/b/c">https://a.example/b/c</a>',
    ),
    "title": (
        '<iframe src="/c" title=" A &lt;film> ">',
        '<a href="https://a.example/c">A &lt;film&gt;</a>',
    ),
    "late frame": (
        "<iframe data-src=//c.example/>",
        '<a href="https://c.example/">https://c.example/</a>',
    ),
    "object": ("<object data=c>", '<a href="https://a.example/b/c">https://a.example/b/c</a>'),
    "player": (
        "<iframe src=//www.youtube.com/embed/abcdefghijk title=Tides></iframe>",
        '<a href="https://www.youtube.com/watch?v=abcdefghijk">Tides</a>',
    ),
    "video of AMP": (
        f"<amp-youtube data-videoid=abc123XYZ></amp-youtube>{AMP}",
        '<a href="https://www.youtube.com/watch?v=abc123XYZ">'
        "https://www.youtube.com/watch?v=abc123XYZ</a>",
    ),
    "frame of AMP": (
        "<amp-iframe src=/c width=1 height=1><amp-img placeholder src=d></amp-img></amp-iframe>"
        f"{AMP}",
        '<a href="https://a.example/c">https://a.example/c</a>',
    ),
    "name of a video in a frame": ("<iframe data-videoid=abc></iframe>", ""),
    "no name of a video": (f"<amp-vimeo data-videoid='1/2'></amp-vimeo>{AMP}", ""),
    "no address": ("<video></video>", ""),
    "empty address": ("<iframe src=' '>", ""),
    "script": ("<iframe src=javascript:x>", ""),
    "nothing": ("<iframe src=about:blank>", ""),
    "counter": ("<iframe src=c width=0 height=0>", ""),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_link_is_as_expected_when_something_is_embedded(html: str, expected: str) -> None:
    """An embedded resource must become a link if its address is on the web."""
    page = parse(f"<body>{html}")
    assert expected == link_media(page, int(page.leaves[0]), BASE)
