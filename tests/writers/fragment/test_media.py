"""Addresses of images, video, audio and frames."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.data import cases
from thresher.page.parse import parse
from thresher.writers.fragment.images import find_images, is_pixel, pick_largest, pick_source
from thresher.writers.fragment.players import find_viewer_url, link_media

SETS: Final = {
    "": "",
    "a.jpg": "a.jpg",
    "a.jpg 1x, b.jpg 2x": "b.jpg",
    "a.jpg 900w,b.jpg 300w": "a.jpg",
    "a.jpg 2x, b.jpg 2x": "a.jpg",
    "a.jpg 1.5x, b.jpg": "a.jpg",
    " , a,b.jpg 2x , c.jpg 1x": "a,b.jpg",
    "data:image/gif;base64,AA 2x, a.jpg 1x": "a.jpg",
    "a.jpg 1..5x, b.jpg 0.5x": "b.jpg",
    "{{ photo }} 2x, a.jpg": "a.jpg",
}


@pytest.mark.parametrize(("source_set", "expected"), SETS.items())
def test_largest_candidate_is_taken_when_there_are_several(source_set: str, expected: str) -> None:
    """The candidate with the most pixels must win, in any syntax that the standard allows."""
    assert expected == pick_largest(source_set)


SOURCES: Final[list[tuple[dict[str, str], str]]] = [
    ({"src": "a.jpg"}, "a.jpg"),
    ({"src": " a.jpg\n"}, "a.jpg"),
    ({"src": "a.jpg", "data-src": "b.jpg"}, "b.jpg"),
    ({"src": "a.jpg", "data-src": "true", "data-original": "{b}.jpg"}, "a.jpg"),
    ({"src": "a.jpg", "srcset": "b.jpg 300w, c.jpg 900w"}, "c.jpg"),
    ({"src": "a.jpg", "srcset": "b.jpg"}, "a.jpg"),
    ({"src": "a.jpg", "srcset": "data:,x 900w"}, "a.jpg"),
    ({"src": "data:,", "data-loader": "/i/b.png?x=1"}, "/i/b.png?x=1"),
    ({"src": "data:,", "data-loader": "b", "data-text": "See b.png"}, ""),
    ({"src": "lazy-loaded.jpg"}, "lazy-loaded.jpg"),
    ({"src": "data:image/gif;base64,AA", "data-src": "b.jpg"}, "b.jpg"),
    ({"src": "/i/blank.gif", "data-original": "b.jpg"}, "b.jpg"),
    ({"src": "/i/1x1.png?x", "data-lazy-src": "b.jpg"}, "b.jpg"),
    ({"src": "lazyload.svg", "data-srcset": "b.jpg 2x"}, "b.jpg"),
    ({"src": "g.gif", "data-lazy-src": "/lazy.jpg"}, "/lazy.jpg"),
    ({"src": "g.gif", "data-echo": "b.jpg"}, "b.jpg"),
    ({"src": "g.gif", "data-ezsrc": "b.jpg"}, "b.jpg"),
    ({"src": "g.gif", "data-pagespeed-lazy-src": "b.jpg"}, "b.jpg"),
    ({"src": "g.gif", "data-src": "data:image/gif;base64,b.jpg"}, "g.gif"),
    ({"srcset": "b.jpg 2x, a.jpg"}, "b.jpg"),
    ({"srcset": "a.jpg .x, b.jpg .5x, c.jpg 1.5.2x"}, "b.jpg"),
    ({"src": "blankets.jpg"}, "blankets.jpg"),
    ({"src": "/loading/a.jpg"}, "/loading/a.jpg"),
    ({"src": "javascript:x", "data-src": "b.jpg"}, "b.jpg"),
    ({"src": "file:///a.jpg"}, ""),
    ({"data-src": "a-{width}.jpg"}, ""),
    ({"alt": "a"}, ""),
]


@pytest.mark.parametrize(("attrs", "expected"), SOURCES)
def test_real_image_is_taken_when_src_is_a_placeholder(
    attrs: dict[str, str], expected: str
) -> None:
    """The largest must be taken, then what scripts would put into `src`, then `src`."""
    assert expected == pick_source(attrs)


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"width": "1"}, True),
        ({"height": "1px"}, True),
        ({"width": "0", "height": "0"}, True),
        ({"width": "16", "height": "1"}, True),
        ({"width": "1024", "height": "0"}, False),  # as a resizing service writes it
        ({"width": "10"}, False),
        ({"width": "100%"}, False),
        ({"style": "border:0; WIDTH: 1px"}, True),
        ({"style": "max-width:1px; width:10px"}, False),
        ({"src": "https://www.facebook.com/tr?id=1"}, True),
        ({"src": "https://a.example/pixel.png"}, False),
        ({}, False),
    ],
)
def test_pixel_is_known_when_it_has_no_size(attrs: dict[str, str], expected: bool) -> None:
    """An image of one pixel is for tracking and must show nothing."""
    assert expected == is_pixel(attrs)


@cases(__file__, "rows")
def test_each_image_counts_once_when_it_occurs_twice(html: str, expected: list[str]) -> None:
    """Each picture must be found once, even if the page repeats it for readers without scripts."""
    page = parse(f"<body>{html}")
    found = find_images(page, page.leaves)
    assert expected == [image.url for image in found.values()]
    assert all(page.name(row) in ("amp-img", "img") for row in found)


@pytest.mark.parametrize(
    ("alt", "expected"),
    [
        (
            "&lt;p>The &lt;i class=x>old&lt;/i> mill&lt;br/>by night&lt;/p>",
            " The old mill by night ",
        ),
        ("a &lt; b, &lt;q>c&lt;/q>", "a < b, <q>c</q>"),
    ],
)
def test_tags_are_no_words_of_an_image(alt: str, expected: str) -> None:
    """Markup that an editor left in an alternative text must not be shown."""
    page = parse(f'<img src=a alt="{alt}">')
    assert [expected] == [image.attrs["alt"] for image in find_images(page, page.leaves).values()]


@cases(__file__, "players")
def test_page_is_found_when_a_player_is_known(url: str, expected: str) -> None:
    """The URL of a known player must become that of the page; any other stays."""
    assert expected == find_viewer_url(url)


BASE: Final = "https://a.example/b/"


@cases(__file__, "embedded")
def test_link_is_as_expected_when_something_is_embedded(html: str, expected: str) -> None:
    """An embedded resource must become a link if its address is on the web, once."""
    page = parse(f"<body>{html}", url=BASE)
    assert expected == "".join(link_media(page, page.leaves).values())
