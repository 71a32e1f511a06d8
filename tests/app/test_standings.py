"""Standings computed from the results of `thresher eval --json`."""

from __future__ import annotations

from typing import Any

import pytest

from thresher.app.pages.leaderboard import build_standings, list_worst


def result(
    method: str, page: str, f1: float, kind: str | None = None, **more: Any
) -> dict[str, Any]:
    score = {"precision": f1, "recall": 1.0, "f1": f1}
    return {
        **{"corpus": "c", "page": page, "method": method, "scores": {"word": score}},
        **{"n_byte": 1000, "cpu_s": 0.002, "is_empty": False, "error": None},
        **{"page_type": kind, "url": None, **more},
    }


RESULTS = [
    result("low", "1", 0.2, "forum", url="https://a.example/", error="broken"),
    result("high", "1", 0.8, "forum"),
    result("low", "2", 0.6, is_empty=True),
    result("high", "2", 0.4, cpu_s=0.006),
    result("low", "3", 0.4, "forum"),
    result("high", "3", 0.9, "forum"),
]


def test_standings() -> None:
    """Methods are sorted by F1, with means over pages."""
    found = build_standings(RESULTS)
    assert ["high", "low"] == [row.method for row in found.rows]
    high, low = found.rows
    assert pytest.approx((0.7, 10 / 3, 0.3)) == (high.f1, high.ms_per_page, high.mb_per_s)
    assert (1, 1) == (low.n_empty, low.n_error)
    assert (("forum", "unknown"), {"forum": 2, "unknown": 1}, 3) == (
        found.types,
        found.n_of_type,
        found.n_page,
    )
    assert pytest.approx(0.85) == found.f1_of_type["high", "forum"]
    assert [("high", False), ("low", True)] == [
        (dot.name, dot.is_marked) for dot in found.dots("low")
    ]


def test_pages_of_one_kind_need_no_table() -> None:
    """Pages of a single type yield no table."""
    assert () == build_standings(RESULTS[:2]).types


def test_worst_pages() -> None:
    """The worst pages are listed first, each with its best method."""
    first, second, third = list_worst(RESULTS, "low")
    assert ("https://a.example/", 0.2, "high", 0.8, "broken") == (
        first.name,
        first.f1,
        first.best_method,
        first.best_f1,
        first.error,
    )
    assert ("3", "high", "2", "low") == (
        second.name,
        second.best_method,
        third.name,
        third.best_method,
    )
