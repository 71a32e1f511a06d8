"""What headings and signatures belong to, and bars of links."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.algorithms.learned.masks import flags_of, shown
from thresher.algorithms.learned.landmarks import find_landmarks
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.sections import (
    find_announced_parts,
    find_bare_headings,
    find_bars,
    find_section_headings,
    find_signatures,
)
from thresher.features import compute_features
from thresher.page import Page
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye from early in the morning.</p>"
LIST = "<ul><li>rye<li>oats</ul>"
PICTURES = "<ul><li><img src=a><li><img src=b></ul>"
LINKS = "<ul><li><a href=/a>rye</a><li><a href=/b>oats</a></ul>"


@pytest.mark.parametrize(
    ("part", "n_block", "probability", "is_found"),
    [
        (LIST, 2, 0.3, True),
        ("<pre>grind --fine</pre>", 1, 0.3, True),
        ("<div><pre>grind --fine</pre></div>", 1, 0.3, True),
        ("<table><tr><td>rye<td>12</table>", 2, 0.3, True),
        (LINKS, 2, 0.3, False),
        (PICTURES, 2, 0.3, True),
        (PICTURES, 2, 0.1, False),
        (LIST, 2, 0.1, False),
        ("<p>rye</p>", 1, 0.3, False),
    ],
)
def test_part_is_kept_directly_after_its_heading(
    part: str, n_block: int, probability: float, is_found: bool
) -> None:
    """Code, tables and lists that a kept heading announces are kept, unless unlikely or links."""
    page = parse(f"{STORY}<h2>Tools</h2>{part}<h2>Yield</h2>{STORY}")
    keep = flags_of(f"11{'0' * n_block}11")
    features = compute_features(page)
    landmarks = find_landmarks(page, features)
    found = find_announced_parts(page, features, landmarks, keep, np.full(keep.size, probability))
    assert f"00{str(int(is_found)) * n_block}00" == shown(found)


def find_bare(page: Page, keep: str, probability: float, types: np.ndarray[Any, Any]) -> str:
    """Return the headings to be dropped, each block as 1 or 0."""
    features = compute_features(page)
    landmarks, likely = find_landmarks(page, features), np.full(len(keep), probability)
    flags = flags_of(keep)
    return shown(find_bare_headings(page, features, landmarks, flags, likely, types=types))


@pytest.mark.parametrize(
    ("kind", "probability", "keep", "expected"),
    [
        ("article", 0.6, "111011", "001000"),
        ("article", 0.8, "111011", "000000"),
        ("collection", 0.6, "111011", "000000"),
        ("article", 0.6, "111111", "000000"),
        ("article", 0.6, "111001", "001000"),
        ("article", 0.6, "110011", "000000"),
    ],
)
def test_heading_is_dropped_when_all_under_it_is(
    kind: str, probability: float, keep: str, expected: str
) -> None:
    """A doubtful heading of a story goes with its section; names of things for sale stay."""
    html = f"{STORY}{STORY}<h2>Related</h2><p>Oats are in.</p><h2>Rye</h2>{STORY}"
    page = parse(html)
    types = np.array([float(name == kind) for name in PAGE_TYPES])
    assert expected == find_bare(page, keep, probability, types)


def test_heading_of_a_kept_subsection_stays() -> None:
    """What is kept below a lower heading is under the higher one too."""
    page = parse(f"<h2>Mills</h2><p>All.</p><h3>Rye</h3>{STORY}<h2>More</h2>")
    types = np.array([1.0, *[0.0] * 6])
    assert "00000" == find_bare(page, "10111", 0.6, types)


@pytest.mark.parametrize(
    ("heading", "list_", "expected"),
    [
        ("Similar mills", LINKS, "0010000"),
        ("Similar mills", LIST, "0000000"),
        ("The seventh mill is one that grinds oats for all horses", LINKS, "0000000"),
    ],
    ids=["links", "no links", "sentence"],
)
@pytest.mark.parametrize("kind", ["article", "collection"])
def test_heading_is_dropped_when_it_is_above_dropped_links(
    kind: str, heading: str, list_: str, expected: str
) -> None:
    """However probable, on whatever page, a short heading announces other pages."""
    page = parse(f"{STORY}{STORY}<h2>{heading}</h2>{list_}<h2>Rye</h2>{STORY}")
    types = np.array([float(name == kind) for name in PAGE_TYPES])
    assert expected == find_bare(page, "1110011", 0.9, types)


@pytest.mark.parametrize(
    ("signature", "is_found"),
    [
        ("<p class=src>grind :: Grain -> Flour</p>", True),
        ("<div class=method><h4 class=code-header>fn grind(grain)</h4></div>", True),
        ("<pre class=synopsis>GRIND [ ALL ] grain</pre>", True),
        ("<div class=code-header><button>Copy</button></div>", False),
        ("<p class=source>From the mill</p>", False),
        ("<p>grind</p>", False),
    ],
)
def test_signature_is_kept_when_its_description_is(signature: str, is_found: bool) -> None:
    """A dropped signature directly before kept text is kept, with any generator's class."""
    page = parse(f"<div>{STORY}</div><div>{signature}<div>{STORY}</div></div>")
    found = find_signatures(page, compute_features(page), flags_of("101"), np.full(3, 0.2))
    assert f"0{int(is_found)}0" == shown(found)


def test_term_is_kept_when_its_definition_is() -> None:
    """A definition without its term explains nothing."""
    page = parse("<dl><dt>rye<dd>a grain<dt>oats<dd>a grain for horses</dl>")
    features = compute_features(page)
    keep = flags_of("0101")
    assert "1010" == shown(find_signatures(page, features, keep, np.full(4, 0.2)))
    assert "0000" == shown(find_signatures(page, features, keep, np.full(4, 0.05)))


@pytest.mark.parametrize(
    ("kind", "probability", "keep", "expected"),
    [
        ("documentation", 0.3, "001", "010"),
        ("documentation", 0.1, "001", "000"),
        ("documentation", 0.3, "000", "000"),
        ("article", 0.3, "001", "000"),
    ],
)
def test_heading_of_kept_text_is_kept_in_documentation(
    kind: str, probability: float, keep: str, expected: str
) -> None:
    """A manual's short headings, such as Name, belong to the text below them."""
    page = parse(f"{STORY}<div><h2>Name</h2>{STORY}</div>")
    types = np.array([float(name == kind) for name in PAGE_TYPES])
    features = compute_features(page)
    likely = np.full(3, probability)
    found = find_section_headings(page, features, flags_of(keep), likely, types)
    assert expected == shown(found)


@pytest.mark.parametrize(
    ("bar", "is_found"),
    [
        ("<p>Next: <a href=/b rel=next>Sieves</a>, Up: <a href=/ rel=up>Mills</a></p>", True),
        ("<p><a accesskey=p href=/a>Prev</a> <a accesskey=n href=/b>Next</a></p>", True),
        (
            "<p>How to sieve is told on <a href=/b rel=next>the next page</a> here.</p>",
            False,
        ),
        ("<p><a rel=nofollow href=/b>A mill in the north</a></p>", False),
    ],
)
def test_links_to_neighbouring_pages_are_dropped(bar: str, is_found: bool) -> None:
    """A bar of such links goes, a sentence with one stays."""
    page = parse(f"{bar}{STORY}")
    features = compute_features(page)
    found = find_bars(page, features, find_landmarks(page, features), flags_of("11"))
    assert f"{int(is_found)}0" == shown(found)
