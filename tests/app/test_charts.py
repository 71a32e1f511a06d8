"""Charts and the density graph: correct, accessible, and without inline styles or scripts."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
