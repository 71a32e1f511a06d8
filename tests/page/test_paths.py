"""Paths lead back to the row they were made for."""

from __future__ import annotations

import dataclasses
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import NASTY_PAGES, PLAIN_PAGE, soups
from thresher.page import Page
from thresher.page.canonical import source_tree
from thresher.page.parse import parse
from thresher.page.paths import MAX_DEPTH, ROOT, Path, nth_of_type
from thresher.page.scan import Columns, scan
from thresher.page.tags import CODE_OF, TEXT, flags_of

PAGES = {
    "plain": PLAIN_PAGE,
    "siblings": "<p>a<div>b<div>c<p>d</div></div><p>e",
    "custom elements": "<x-y><b>a</b></x-y><x-y>b</x-y><z-z>c</z-z><x-y>d",
    "drawing": "<p><svg><g><path/><path/></g><a><title>x</title></a><clipPath/></svg><svg><g>",
    "html in a drawing": "<svg><foreignObject><p>a</p><p>b</p></foreignObject></svg><p>c",
    "formula": "<math><mi>x</mi><mi>y</mi><mo>=</mo></math><math>",
    **NASTY_PAGES,
}


def check_paths(html: str) -> int:
    """Resolve both spellings of every element's path; return how many were resolved."""
    page = parse(html)
    tree = source_tree(html)
    rows = np.flatnonzero(page.tag != TEXT).tolist()
    in_template = page.below(page.tag == CODE_OF["template"])
    n_resolved = 0
    for row, element in zip(rows, tree.iter_elements(), strict=True):
        path = page.path(row)
        if path is None or in_template[row]:
            continue
        assert [element] == tree.select(path.css), path
        assert [element] == tree.xpath(path.xpath), path
        n_resolved += 1
    return n_resolved


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_paths_resolve_to_their_element(html: str) -> None:
    """The parser's own selectors find the one element, by CSS and by XPath."""
    assert check_paths(parse(html).source) >= 2


@given(soups())
def test_paths_of_soup_resolve(html: str) -> None:
    """Paths of any soup find their element."""
    assert check_paths(html) >= 2


def test_path_of_a_text_is_its_parents() -> None:
    """A text has no path of its own."""
    page = parse("<p>a<b>c</b>")
    assert page.path(3) == page.path(4)
    assert Path("html > body > p:nth-of-type(1)", "/html[1]/body[1]/p[1]") == page.path(4)


def test_path_of_a_drawing_goes_by_place() -> None:
    """In a drawing XPath names no element: browsers would ask for its namespace."""
    page = parse("<p><i></i><svg><a></a><a></a></svg>")
    expected = Path(
        "html > body > p:nth-of-type(1) > :nth-child(2) > :nth-child(2)",
        "/html[1]/body[1]/p[1]/*[2]/*[2]",
    )
    assert expected == page.path(len(page) - 1)


def deep_page(n_level: int) -> Page:
    """Return a page nested deeper than the parser lets any be."""
    buffer = b"<html>" + b"<div>" * n_level + b"x" + b"</div>" * n_level + b"</html>"
    columns = scan(buffer)
    return dataclasses.replace(
        parse(""), buffer=buffer, **{name: getattr(columns, name) for name in Columns.__slots__}
    )


def test_path_below_the_deepest_level() -> None:
    """There is a path down to MAX_DEPTH and none below."""
    page = deep_page(MAX_DEPTH + 1)
    path = page.path(MAX_DEPTH)
    assert path is not None
    assert MAX_DEPTH == path.css.count(" > ")
    assert [None, None] == [page.path(MAX_DEPTH + 1), page.path(MAX_DEPTH + 2)]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([("html", 1, 1)], Path("html", "/html[1]")),
        ([("html", 1, 1), ("head", 1, 1)], Path("html > head", "/html[1]/head[1]")),
        (
            [("html", 1, 1), ("body", 1, 2), ("a<b", 1, 3)],
            Path("html > body > :nth-child(3)", "/html[1]/body[1]/*[3]"),
        ),
        ([("svg", 1, 1), ("g", 2, 3)], Path(":root > :nth-child(3)", "/*[1]/*[3]")),
    ],
)
def test_path_of_steps(steps: list[tuple[str, int, int]], expected: Path) -> None:
    """Plain names are spelled with their place among their like, others with their place."""
    path = ROOT
    for step in steps:
        path = path.add(*step)
    assert expected == Path(path.css, path.xpath)


@pytest.mark.parametrize("name", ["div", f"x-{'y' * 100}"])
def test_paths_of_many_deep_rows_are_left_out(name: str) -> None:
    """Rows whose paths would outgrow the page many times have none together, but each has one."""
    page = parse(f"<{name}>" * 60 + "<p>w" * 3_000)
    rows = page.rows_of(flags_of("p"))
    assert {None} == set(page.paths(rows))
    assert None not in page.paths(rows[:3])


@given(soups(), st.randoms(use_true_random=False))
def test_several_paths_are_those_of_each(html: str, random: Random) -> None:
    """Paths that are spelled together are those spelled one by one, in whatever order."""
    page = parse(html)
    rows = random.choices(range(len(page)), k=9)
    assert [page.path(row) for row in rows] == page.paths(np.array(rows))


def test_nth_of_type_counts_within_parent_and_name() -> None:
    """Places start at 1 for each name below each parent."""
    parent = np.array([-1, 0, 0, 2, 0, 2], np.int32)
    name_id = np.array([9, 5, 6, 5, 5, 5], np.int32)
    assert [1, 1, 1, 1, 2, 2] == nth_of_type(parent, name_id).tolist()
