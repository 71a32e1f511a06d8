"""The harness of linear cost measures every part, and notices what grows too fast or breaks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import thresher
from bench import growth
from bench.growth import Growth, measure_shape


def test_every_part_is_measured() -> None:
    """One row for parsing, each method, each format and the metadata, none of them failed."""
    rows = list(measure_shape("paragraphs", divide=10_000))
    assert len(rows) == 2 + len(thresher.ALGORITHMS) + len(thresher.FORMATS)
    assert [] == [row for row in rows if row.failed]


def test_quadratic_cost_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that takes four times as long on twice the page breaks the promise."""
    sizes: Sequence[int] = (1, 2, 4)
    seconds = iter([size**2 for size in sizes for _ in range(2)] * 3)
    monkeypatch.setattr(growth, "_time", lambda run: float(next(seconds)))
    (row,) = measure_shape("paragraphs", parts=["parse"], divide=10_000)
    assert row.failed
    assert 4 == row.growth


def test_errors_of_others_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no error of Thresher's own is a failure, with its name."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(thresher, "select", fail)
    (row,) = measure_shape("paragraphs", parts=["select slope"], divide=10_000)
    assert row.failed
    assert "ZeroDivisionError: by design" == row.error


def test_refusals_do_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A LimitError is an answer."""

    def refuse(*_: object) -> None:
        raise thresher.LimitError("nodes of the page", limit=1)

    monkeypatch.setattr(thresher, "select", refuse)
    (row,) = measure_shape("paragraphs", parts=["select slope"], divide=10_000)
    assert not row.failed


def test_main_exits_with_one_when_something_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is printed with shape and part, and is the exit status."""
    row = Growth("paragraphs", "parse", 10, 1.0, 3.0)
    monkeypatch.setattr(growth, "measure_shape", lambda *_, **__: iter([row]))
    monkeypatch.setattr("sys.argv", ["growth", "--shape", "paragraphs"])
    with pytest.raises(SystemExit) as stop:
        growth.main()
    assert 1 == stop.value.code
    assert "FAILED paragraphs | parse | 1.00 s | 3.00" in capsys.readouterr().out
