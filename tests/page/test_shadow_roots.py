"""Declarative shadow roots are read with the contents of their slots in place."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.data import cases
from thresher import extract
from thresher.page.parse import parse

ROOT = "<x-a><template shadowrootmode=open>{}</template>{}</x-a>"


def shown(tree: str, light: str) -> str:
    """Return the content of the element with a shadow root, as it is shown."""
    html = parse(ROOT.format(tree, light)).buffer.decode()
    return html.partition('mode="open">')[2].partition("</x-a>")[0]


@cases(__file__, "slots")
def test_children_are_put_into_slots(tree: str, light: str, expected: str) -> None:
    """By name, the first slot of a name; what has no slot is in an inert template."""
    assert expected == shown(tree, light)


def test_shadow_tree_in_the_slot_of_another() -> None:
    """Each is filled from its own element, through slots that are passed on."""
    inner = ROOT.format("[<slot></slot>]", "<slot></slot>")
    page = parse(ROOT.format(f"({inner})", "word"))
    assert "([word])" == page.text
    page = parse(ROOT.format("(<slot></slot>)", ROOT.format("[<slot></slot>]", "word")))
    assert "([word])" == page.text


@pytest.mark.parametrize(
    "html",
    [
        "<b><template shadowrootmode=open>x<slot></slot></template>y</b>",
        "<div><template shadowrootmode=other>x<slot></slot></template>y</div>",
        "<div><template id=shadowrootmode=>x<slot></slot></template>y</div>",
    ],
)
def test_other_templates_are_none(html: str) -> None:
    """Elements that cannot have one, and unknown modes."""
    page = parse(html)
    assert page.in_source is None
    assert "xy" == page.text


def test_paths_are_those_of_the_source() -> None:
    """What is shown elsewhere is found where it is."""
    page = parse(ROOT.format("<p>a</p><slot></slot>", "<p>b</p>"))
    rows = np.array([row for row in range(len(page)) if page.name(row) == "p"])
    paths = [
        path.css.removeprefix("html > body > x-a:nth-of-type(1)")
        for path in page.paths(rows)
        if path
    ]
    assert [" > template:nth-of-type(1) > p:nth-of-type(1)", " > p:nth-of-type(1)"] == paths
    assert "<p>b</p>" == page.source[slice(*page.source_span(rows[1]))]  # type: ignore[misc]


def test_page_is_edited_in_place() -> None:
    """Elements that are not kept are removed where the source has them."""
    html = "<body>" + ROOT.format("<p>first words</p><slot></slot>", "<p>second words</p>")
    document = extract(html, method="keep_all")
    assert "second words" in document.write("inplace")
