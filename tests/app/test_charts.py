"""Charts, with accessible labels."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from thresher.app.charts import CurvePoint, Dot, draw_curve, draw_scatter


def test_curve() -> None:
    """Each point is a labelled dot, and the first is the shipped model."""
    points = [CurvePoint(0, 0.9, 0.02), CurvePoint(5, 0.91, 0.02), CurvePoint(10, 0.95, 0.01)]
    drawn = ElementTree.fromstring(draw_curve(points))
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
    drawn = ElementTree.fromstring(draw_scatter(dots))
    circles = {str(each[0].text).split(":")[0]: each.attrib for each in drawn if len(each)}
    assert float(circles["slow"]["cx"]) < float(circles["<b>"]["cx"]) < float(circles["fast"]["cx"])
    assert float(circles["slow"]["cy"]) < float(circles["fast"]["cy"]) < float(circles["<b>"]["cy"])
    assert ["dot marked", "dot", "dot"] == [each["class"] for each in circles.values()]


def test_nothing_to_draw() -> None:
    """Without points, no chart is drawn."""
    assert "" == draw_curve([]) == draw_scatter([])


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
    drawn = ElementTree.fromstring(draw_scatter(dots))
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    circles = [each.attrib for each in drawn if each.tag == "circle"]
    assert len(dots) == len(circles)
    assert all(0 <= float(each["cx"]) <= width for each in circles)
    assert all(0 <= float(each["cy"]) <= height for each in circles)


@given(st.lists(st.builds(CurvePoint, st.integers(0, 999), st.floats(0, 1), st.floats(0, 0.5))))
def test_curves_of_any_points(points: list[CurvePoint]) -> None:
    """Every point is drawn for any values."""
    drawn = draw_curve(points)
    assert len(points) == drawn.count("<circle")
