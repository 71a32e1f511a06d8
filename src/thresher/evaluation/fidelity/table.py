"""Results as Markdown: a row per tool, a column per measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from thresher.evaluation.fidelity.measure import OURS, Result
from thresher.evaluation.fidelity.score import MEASURES

__all__ = ["list_worst", "write_measures", "write_scores"]


def write_measures() -> str:
    """Write the meaning of each column."""
    lines = ["| column | what is compared |", "|---|---|"]
    return "\n".join(
        [*lines, *(f"| {each.title} | {each.summary} |" for each in MEASURES.values())]
    )


def write_scores(results: Sequence[Result]) -> str:
    """Write the mean score of each tool by each measure, in per cent; best in bold.

    The last line gives the number of pages of each mean: those whose gold has the feature.
    """
    tools = list(dict.fromkeys(result.tool for result in results))
    names = [name for name in MEASURES if any(name in result.scores for result in results)]
    columns: dict[str, list[float]] = {}
    counts: list[int] = []
    for name in names:
        scores = [
            [r.scores[name] for r in results if r.tool == tool and name in r.scores]
            for tool in tools
        ]
        columns[name] = [round(fmean(each) * 100, 1) for each in scores]
        counts.append(len(scores[0]))
    head = ["tool", *(MEASURES[name].title for name in names), "errors"]
    lines = [_row(head), "|---|" + "---:|" * (len(names) + 1)]
    for place, tool in enumerate(tools):
        cells = [
            f"**{columns[name][place]:.1f}**"
            if columns[name][place] == max(columns[name])
            else f"{columns[name][place]:.1f}"
            for name in names
        ]
        n_error = sum(result.error is not None for result in results if result.tool == tool)
        lines.append(_row([tool, *cells, str(n_error)]))
    lines.append(_row(["pages", *map(str, counts), str(len(results) // len(tools))]))
    return "\n".join(lines)


def list_worst(results: Iterable[Result], below: float) -> str:
    """List the pages on which ours has a score below a bound, ignoring words."""
    lines = []
    for result in results:
        low = {name: s for name, s in result.scores.items() if s < below and name != "words"}
        if result.tool == OURS and low:
            told = ", ".join(f"{MEASURES[name].title} {s * 100:.0f}" for name, s in low.items())
            lines.append(f"- `{result.case}`: {told}")
    return "\n".join(lines) or "None."


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
