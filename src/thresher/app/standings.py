"""Standings of the leaderboard, computed from the results of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from thresher.app.charts import Dot
from thresher.evaluation.metrics import standard_error

__all__ = ["Standing", "Standings", "WorstPage", "build_standings", "list_worst"]

_METRIC: Final = "word"
_MS_PER_S: Final = 1000
_BYTES_PER_MB: Final = 1e6
_NO_TYPE: Final = "unknown"
N_WORST: Final = 25


@dataclass(frozen=True, slots=True)
class Standing:
    """Results of one method."""

    method: str
    precision: float
    recall: float
    f1: float
    error: float
    """Standard error of F1."""
    ms_per_page: float
    """Mean CPU time per page."""
    mb_per_s: float
    n_empty: int
    n_error: int


@dataclass(frozen=True, slots=True)
class WorstPage:
    """Page with a low score of a method."""

    corpus: str
    page: str
    name: str
    f1: float
    best_method: str
    best_f1: float
    error: str | None


@dataclass(frozen=True, slots=True)
class Standings:
    """All methods, the best first."""

    rows: tuple[Standing, ...]
    types: tuple[str, ...]
    """Page types, the most frequent first; empty if there are fewer than two."""
    n_of_type: dict[str, int]
    f1_of_type: dict[tuple[str, str], float]
    """(method, type) → mean F1."""
    n_page: int

    def dots(self, marked: str) -> list[Dot]:
        """Return the dots of the scatter plot, with one method marked."""
        return [Dot(row.method, row.ms_per_page, row.f1, row.method == marked) for row in self.rows]


def build_standings(results: Sequence[dict[str, Any]]) -> Standings:
    """Compute the standings from the results of `thresher eval --json`."""
    by_method: dict[str, list[dict[str, Any]]] = {}
    by_type: dict[tuple[str, str], list[float]] = {}
    pages: dict[tuple[str, str], str] = {}
    for result in results:
        by_method.setdefault(result["method"], []).append(result)
        kind = result["page_type"] or _NO_TYPE
        by_type.setdefault((result["method"], kind), []).append(_f1(result))
        pages[result["corpus"], result["page"]] = kind
    kinds = list(pages.values())
    n_of_type = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    types = sorted(n_of_type, key=lambda kind: -n_of_type[kind])
    rows = sorted((_stand(*item) for item in by_method.items()), key=lambda row: -row.f1)
    return Standings(
        tuple(rows),
        tuple(types) if len(types) > 1 else (),
        n_of_type,
        {key: fmean(values) for key, values in by_type.items()},
        len(pages),
    )


def list_worst(results: Sequence[dict[str, Any]], method: str) -> list[WorstPage]:
    """Return the pages with the lowest scores of a method, each with its best method."""
    best: dict[tuple[str, str], dict[str, Any]] = {}
    for result in results:
        key = result["corpus"], result["page"]
        if key not in best or _f1(result) > _f1(best[key]):
            best[key] = result
    mine = sorted((each for each in results if each["method"] == method), key=_f1)
    worst = []
    for each in mine[:N_WORST]:
        other = best[each["corpus"], each["page"]]
        worst.append(
            WorstPage(
                each["corpus"],
                each["page"],
                each["url"] or each["page"],
                _f1(each),
                other["method"],
                _f1(other),
                each["error"],
            )
        )
    return worst


def _stand(method: str, results: Sequence[dict[str, Any]]) -> Standing:
    scores = [result["scores"][_METRIC] for result in results]
    f1 = [_f1(result) for result in results]
    seconds = sum(result["cpu_s"] for result in results)
    return Standing(
        method,
        fmean(score["precision"] for score in scores),
        fmean(score["recall"] for score in scores),
        fmean(f1),
        standard_error(f1),
        seconds / len(results) * _MS_PER_S,
        sum(result["n_byte"] for result in results) / _BYTES_PER_MB / max(seconds, 1e-9),
        sum(result["is_empty"] for result in results),
        sum(result["error"] is not None for result in results),
    )


def _f1(result: dict[str, Any]) -> float:
    return float(result["scores"][_METRIC]["f1"])
