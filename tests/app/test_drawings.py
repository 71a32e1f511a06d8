"""Charts, the density graph and the annotated page, without any markup of the page itself."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import read_data
from tests.helpers.trees import soups
from thresher.app.annotated import MAX_BLOCKS, BlockStyle, annotate, draw_page, window_of
from thresher.app.charts import (
    MAX_BARS,
    Bar,
    CurvePoint,
    Dot,
    Threshold,
    draw_curve,
    draw_graph,
    draw_scatter,
)
from thresher.errors import LimitError
from thresher.limits import Limits
from thresher.page import Page
from thresher.page.parse import parse


def test_curve() -> None:
    """Each point is a labelled dot, and the first is the shipped model."""
    points = [CurvePoint(0, 0.9, 0.02), CurvePoint(5, 0.91, 0.02), CurvePoint(10, 0.95, 0.01)]
    drawn = ET.fromstring(draw_curve(points))
    assert "0.900 with the shipped weights, 0.950 after 10" in drawn.attrib["aria-label"]
    circles = [each for each in drawn if each.tag == "circle"]
    assert ["shipped: F1 0.900 ± 0.020", "5: F1 0.910 ± 0.020", "10: F1 0.950 ± 0.010"] == [
        each[0].text for each in circles
    ]
    heights = [float(each.attrib["cy"]) for each in circles]
    assert sorted(heights, reverse=True) == heights


def test_scatter() -> None:
    """Faster methods are further right, better ones higher, and one is marked."""
    dots = [Dot("slow", 20, 0.9, is_marked=True), Dot("fast", 1, 0.7), Dot("<b>", 3, 0.5)]
    drawn = ET.fromstring(draw_scatter(dots))
    circles = {str(each[0].text).split(":")[0]: each.attrib for each in drawn if len(each)}
    assert float(circles["slow"]["cx"]) < float(circles["<b>"]["cx"]) < float(circles["fast"]["cx"])
    assert float(circles["slow"]["cy"]) < float(circles["fast"]["cy"]) < float(circles["<b>"]["cy"])
    assert ["dot marked", "dot", "dot"] == [each["class"] for each in circles.values()]


@given(
    st.lists(
        st.builds(
            Dot,
            st.text(st.characters(categories=["L"]), min_size=1, max_size=20),
            st.floats(0, 1e5),
            st.floats(0, 1),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_dots_stay_inside(dots: list[Dot]) -> None:
    """Every dot is within the chart for any values."""
    drawn = ET.fromstring(draw_scatter(dots))
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    circles = [each.attrib for each in drawn if each.tag == "circle"]
    assert len(dots) == len(circles)
    assert all(0 <= float(each["cx"]) <= width for each in circles)
    assert all(0 <= float(each["cy"]) <= height for each in circles)


@given(st.lists(st.builds(CurvePoint, st.integers(0, 999), st.floats(0, 1), st.floats(0, 0.5))))
def test_curves_of_any_points(points: list[CurvePoint]) -> None:
    """Every point is drawn for any values; without points, no chart is."""
    assert len(points) == draw_curve(points).count("<circle")
    assert "" == draw_curve([]) == draw_scatter([])


def draw(
    values: list[float], threshold: Threshold | None = None, kept: set[int] | None = None
) -> str:
    """Draw bars of some values."""
    bars = [
        Bar(index, value, index in (kept or ()), "in", f'<{index}> & "quotes"')
        for index, value in enumerate(values)
    ]
    return draw_graph(
        bars,
        format_value=lambda value: f"{value:g}",
        link=lambda block: f"/x?a=1&block={block}",
        about='of "all" <blocks>',
        threshold=threshold,
    )


def heights(graph: str) -> list[float]:
    """Return the height of each bar."""
    return [
        float(each.attrib["height"])
        for each in ET.fromstring(graph).iter("rect")
        if each.attrib["class"] == "in"
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2.0, 4.0, 1.0], [50.0, 100.0, 25.0]),
        ([], []),
        ([0.0], [0.6]),
        ([0.0, 0.0], [0.6, 0.6]),
        ([-3.0], [100.0]),
    ],
)
def test_bars_are_as_high_as_their_values(values: list[float], expected: list[float]) -> None:
    """Bar heights are proportional to the values, if there are any."""
    assert expected == heights(draw(values))


def test_the_graph_is_well_formed_and_plain() -> None:
    """The graph is escaped, without styles or scripts, and has the threshold at its value."""
    graph = draw([0.0, 8.0], Threshold(2.0, "here"))
    root = ET.fromstring(graph)
    assert '<1> & "quotes"' in [each.text for each in root.iter("title")]
    assert "/x?a=1&block=1" in [each.get("href") for each in root.iter("a")]
    assert not re.search(r"\bstyle=|\bon\w+=|<script", graph)
    assert {"zero": "100.0", "limit": "75.0"} == {
        each.attrib["class"]: each.attrib["y1"] for each in root.iter("line")
    }


def test_kept_neighbours_are_one_region() -> None:
    """Adjacent kept blocks form one region."""
    regions = [
        (each.attrib["x"], each.attrib["width"])
        for each in ET.fromstring(draw([1.0] * 6, kept={0, 1, 4})).iter("rect")
        if each.attrib["class"] == "region"
    ]
    assert [("0", "2"), ("4", "1")] == regions


def test_of_many_blocks_the_highest_stands_for_its_neighbours() -> None:
    """With too many blocks, the highest of adjacent bars is drawn."""
    values = [1.0] * 30_000
    values[12_345] = 9.0
    root = ET.fromstring(draw(values))
    bars = list(root.iter("a"))
    assert len(bars) <= MAX_BARS
    (peak,) = (each for each in bars if each.attrib["data-b"] == "12345")
    assert int(peak.attrib["data-from"]) <= 12_345 <= int(peak.attrib["data-to"])
    assert "29999" == bars[-1].attrib["data-to"]


def test_one_outlier_leaves_room_for_the_rest() -> None:
    """An outlier is cut, and the axis label shows it."""
    graph = draw([-100.0, 1.0, 2.0], Threshold(0.0, ""))
    assert "≤ -12" in graph
    assert heights(graph)[2] > 10


CLASSES = re.compile(r"[a-z0-9 ]+")
HOSTILE = read_data("hostile-attributes.html")


class Reader(HTMLParser):
    """Parser that fails on any markup not generated by us."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.blocks: list[int] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("div", "span", "a", "br", "hr")
        for name, value in attrs:
            assert name in ("class", "id", "href", "aria-label", "data-b")
            if name == "class":
                assert CLASSES.fullmatch(value or "")
            if name == "href":
                assert re.fullmatch(r"/x\?y=1&block=\d+#block", value or "")
            if name == "id":
                self.blocks.append(int((value or "")[1:]))
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def shown(page: Page, start: int = 0, stop: int | None = None) -> tuple[str, Reader]:
    """Write blocks of a page and parse the result."""
    stop = len(page.blocks) if stop is None else stop
    styles = [BlockStyle("kept hi9", f"Block {index + 1}") for index in range(start, stop)]
    keep = page.leaf_words > 0
    markup = annotate(page, keep, styles, start, "/x?y=1&block=")
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open
    return markup, reader


def test_nothing_of_a_hostile_page_is_markup() -> None:
    """A hostile page contributes text only, no elements, attributes or addresses."""
    markup, reader = shown(parse(HOSTILE))
    assert "&lt;script&gt;alert(7)" in markup
    assert "<svg onload" not in markup
    assert "alert(1)" not in markup
    assert "image: " in "".join(reader.text)


@given(soups())
def test_every_block_is_shown_once_and_in_order(html: str) -> None:
    """Each block has one number, and all text is present."""
    page = parse(html)
    _, reader = shown(page)
    assert list(range(len(page.blocks))) == reader.blocks
    letters = re.sub(r"\s", "", "".join(reader.text))
    for leaf in range(page.leaves.size):
        assert re.sub(r"\s", "", page.leaf_text(leaf)) in letters


def test_a_part_of_a_long_page_is_within_its_own_elements() -> None:
    """A part of a page keeps its ancestors."""
    page = parse("<nav><ul>" + "".join(f"<li>Item {n}" for n in range(50)) + "</ul></nav><p>End.")
    markup, reader = shown(page, 20, 30)
    assert list(range(20, 30)) == reader.blocks
    assert markup.startswith('<div class="area nav"><div class="ul"><div class="li">')
    text = "".join(reader.text)
    assert "Item 20" in text
    assert "Item 19" not in text
    assert "Item 30" not in text


def test_deep_nesting_is_flat_to_the_eye() -> None:
    """Very deep nesting is flattened."""
    page = parse("<div>" * 100_000 + "<blockquote>" * 500 + "deep")
    markup, reader = shown(page)
    assert "deep" in "".join(reader.text)
    assert markup.count("<div") < 100


@pytest.mark.parametrize(
    ("n_block", "block", "expected"),
    [
        (0, 0, (0, 0)),
        (5, 99, (0, 5)),
        (2 * MAX_BLOCKS, MAX_BLOCKS, (MAX_BLOCKS, 2 * MAX_BLOCKS)),
        (MAX_BLOCKS + 1, MAX_BLOCKS, (MAX_BLOCKS, MAX_BLOCKS + 1)),
    ],
)
def test_a_block_is_in_its_part(n_block: int, block: int, expected: tuple[int, int]) -> None:
    """All blocks of a part yield the same range."""
    assert expected == window_of(n_block, block)
    assert "" == annotate(parse(""), parse("").leaf_words > 0, [], 0, "")


def test_every_text_knows_its_block_and_nothing_can_be_followed() -> None:
    """The page's own links and scripts are not in the drawing; limits hold."""
    html = "<h1>Rye</h1><p>It <a href=/in>is in</a>.<script>alert(1)</script><p hidden>Oats"
    drawn = draw_page(html, "https://field.example/", 0, Limits())
    assert (drawn.start, drawn.stop, drawn.n_block) == (0, 3, 3)
    assert drawn.markup.count('data-b="1"') == 3
    assert "<a" not in drawn.markup
    assert "alert" not in drawn.markup
    with pytest.raises(LimitError):
        draw_page("<p>rye" * 50, None, 0, Limits(max_nodes=20))


def test_long_pages_are_drawn_in_stretches() -> None:
    """The stretch has the block that was asked for, or the last one."""
    html = "<p>rye" * (MAX_BLOCKS + 5)
    drawn = draw_page(html, None, MAX_BLOCKS + 2, Limits())
    assert (drawn.start, drawn.stop, drawn.n_block) == (MAX_BLOCKS, MAX_BLOCKS + 5, MAX_BLOCKS + 5)
    assert draw_page(html, None, 10**6, Limits()).start == MAX_BLOCKS
