"""Density graph: correct bars, and no inline styles or scripts."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from thresher.app.charts import MAX_BARS, Bar, Threshold, draw_graph


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


def test_bars_are_as_high_as_their_values() -> None:
    """Bar heights are proportional to the values."""
    assert [50.0, 100.0, 25.0] == heights(draw([2.0, 4.0, 1.0]))


def test_the_graph_is_well_formed_and_plain() -> None:
    """The graph is well-formed, escaped and without styles or scripts."""
    graph = draw([1.0, -1.0], Threshold(0.5, "here"))
    root = ET.fromstring(graph)
    assert '<1> & "quotes"' in [each.text for each in root.iter("title")]
    assert "/x?a=1&block=1" in [each.get("href") for each in root.iter("a")]
    assert not re.search(r"\bstyle=|\bon\w+=|<script", graph)


def test_the_threshold_is_a_line_at_its_value() -> None:
    """The threshold is a line at its value."""
    lines = ET.fromstring(draw([0.0, 8.0], Threshold(2.0, ""))).iter("line")
    assert {"zero": "100.0", "limit": "75.0"} == {
        each.attrib["class"]: each.attrib["y1"] for each in lines
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


@pytest.mark.parametrize("values", [[], [0.0], [0.0, 0.0], [-3.0]])
def test_pages_without_anything_to_draw(values: list[float]) -> None:
    """Graphs without values are valid."""
    assert len(values) == len(heights(draw(values)))
