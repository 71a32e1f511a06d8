"""The benchmark of linear cost measures every part, and detects superlinear cost and failures."""

from __future__ import annotations

import pytest

import thresher
from bench import growth
from bench.growth import PARTS, Growth, measure_shape
from tests.bench.conftest import Run


@pytest.mark.slow
@pytest.mark.usefixtures("frozen_heap")
def test_every_part_is_measured() -> None:
    """Every part, method and format has a row, and none failed."""
    rows = list(measure_shape("paragraphs", divide=10_000))
    assert list(PARTS) == [row.part for row in rows]
    methods = {f"select {method}" for method in thresher.ALGORITHMS}
    assert methods | {f"write {format}" for format in thresher.FORMATS} < PARTS.keys()
    assert [] == [row for row in rows if row.failed]


def test_quadratic_cost_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that takes four times as long on a page twice as large fails."""
    monkeypatch.setattr(growth, "_time", lambda run: float(len(run.args[0].html) ** 2) / 1e9)
    (row,) = measure_shape("one word", parts=["parse"], divide=1000)
    assert row.failed
    assert 4 == pytest.approx(row.growth, rel=0.01)


def test_size_grows_until_a_part_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last page is the one whose double would exceed the time limit."""
    monkeypatch.setattr(growth, "_time", lambda run: len(run.args[0].html) / 10_000)
    (row,) = measure_shape("one word", parts=["parse"], divide=1000, max_seconds=1)
    assert 10_000 == row.n_byte
    assert not row.full
    (row,) = measure_shape("one word", parts=["parse"], divide=1000, max_seconds=10)
    assert 20_000 == row.n_byte
    assert row.full


def test_table_has_the_most_of_each_part() -> None:
    """Each part is listed with the shape that grows most and the one that costs most per byte."""
    rows = [
        Growth("paragraphs", "parse", 1_000_000, 1.0, 2.0),
        Growth("links", "parse", 1_000_000, 0.5, 2.2),
        Growth("ids", "parse", 10, 1e-6, None),
    ]
    table = growth._table(rows)
    assert "| parse | 2 shapes | 2.20 | links | 1.00 s a MB | paragraphs |" in table


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ZeroDivisionError("by design"), "ZeroDivisionError: by design"),
        (thresher.LimitError("nodes of the page", limit=1), None),
    ],
)
def test_errors_of_others_fail(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str | None
) -> None:
    """Any error that is not Thresher's own is a failure, listed with its name."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(thresher, "select", fail)
    (row,) = measure_shape("paragraphs", parts=["select slope"], divide=10_000)
    assert (said is not None, said) == (row.failed, row.error)


def test_main_exits_with_one_when_something_failed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure is printed with its shape and part, and gives status 1."""
    row = Growth("paragraphs", "parse", 10, 1.0, 3.0)
    monkeypatch.setattr(growth, "measure_shape", lambda *_, **__: iter([row]))
    assert "FAILED paragraphs | parse | 1.00 s | 3.00" in run(
        growth, "--shape", "paragraphs", status=1
    )
