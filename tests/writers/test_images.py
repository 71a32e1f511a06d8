"""Finding the real address of a picture."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.parse import parse
from thresher.tags import CODE_OF
from thresher.writers.images import find_images, is_pixel, largest_of, pick_source

SETS: Final = {
    "": "",
    "a.jpg": "a.jpg",
    "a.jpg 1x, b.jpg 2x": "b.jpg",
    "a.jpg 900w,b.jpg 300w": "a.jpg",
    "a.jpg 1.5x, b.jpg": "a.jpg",
    " , a,b.jpg 2x , c.jpg 1x": "a,b.jpg",
    "data:image/gif;base64,AA 2x, a.jpg 1x": "a.jpg",
    "a.jpg 1..5x, b.jpg 0.5x": "b.jpg",
    "{{ photo }} 2x, a.jpg": "a.jpg",
}


@pytest.mark.parametrize(("source_set", "expected"), SETS.items())
def test_largest_candidate_is_taken_when_there_are_several(source_set: str, expected: str) -> None:
    """The candidate with the most pixels must win, spelled in any way the standard allows."""
    assert expected == largest_of(source_set)


SOURCES: Final[list[tuple[dict[str, str], str]]] = [
    ({"src": "a.jpg"}, "a.jpg"),
    ({"src": " a.jpg\n"}, "a.jpg"),
    ({"src": "a.jpg", "data-src": "b.jpg"}, "a.jpg"),
    ({"src": "data:image/gif;base64,AA", "data-src": "b.jpg"}, "b.jpg"),
    ({"src": "/i/blank.gif", "data-original": "b.jpg"}, "b.jpg"),
    ({"src": "/i/1x1.png?x", "data-lazy-src": "b.jpg"}, "b.jpg"),
    ({"src": "lazyload.svg", "data-srcset": "b.jpg 2x"}, "b.jpg"),
    ({"srcset": "b.jpg 2x, a.jpg"}, "b.jpg"),
    ({"src": "blankets.jpg"}, "blankets.jpg"),
    ({"src": "/loading/a.jpg"}, "/loading/a.jpg"),
    ({"src": "javascript:x", "data-src": "b.jpg"}, "b.jpg"),
    ({"src": "file:///a.jpg"}, ""),
    ({"data-src": "a-{width}.jpg"}, ""),
    ({"alt": "a"}, ""),
]


@pytest.mark.parametrize(("attrs", "expected"), SOURCES)
def test_real_picture_is_taken_when_src_is_a_placeholder(
    attrs: dict[str, str], expected: str
) -> None:
    """`src` must be taken unless it shows nothing; then what scripts would put there."""
    assert expected == pick_source(attrs)


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"width": "1"}, True),
        ({"height": "1px"}, True),
        ({"width": "0", "height": "0"}, True),
        ({"width": "10"}, False),
        ({"width": "100%"}, False),
        ({}, False),
    ],
)
def test_pixel_is_known_when_it_has_no_size(attrs: dict[str, str], expected: bool) -> None:
    """An element of one pixel counts visitors and shows nothing."""
    assert expected == is_pixel(attrs)


ROWS: Final = {
    "late, then noscript": ("<img data-src=a><noscript><img src=a></noscript>", ["a"]),
    "nothing, then noscript": ("<img src='data:,'><noscript><img src=a></noscript>", ["a"]),
    "noscript, then late": ("<noscript><img src=a></noscript><img data-src=a>", ["a"]),
    "other size in noscript": ("<img src=a-small><noscript><img src=a></noscript>", ["a-small"]),
    "the same twice, apart": ("<img src=a>text<img src=a>", ["a", "a"]),
    "two pictures": ("<img src=a><img src=b>", ["a", "b"]),
    "picture": ("<picture><source srcset='a 1x, b 2x'><img src='data:,'></picture>", ["b"]),
    "formula": (
        "<math><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></math>"
        "<img src=a alt=' x'><img src=b alt=y>",
        ["b"],
    ),
    "pixel": ("<img src=a width=1 height=1>", []),
}


@pytest.mark.parametrize(("html", "expected"), ROWS.values(), ids=list(ROWS))
def test_each_picture_counts_once_when_it_stands_twice(html: str, expected: list[str]) -> None:
    """What a page repeats for readers without scripts must be found once."""
    page = parse(f"<body>{html}")
    found = find_images(page, page.leaves)
    assert expected == list(found.values())
    assert all(page.tag[row] == CODE_OF["img"] for row in found)
