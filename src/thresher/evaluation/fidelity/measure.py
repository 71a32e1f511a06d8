"""Cases written as Markdown by Thresher and by peers, scored, and tables of the scores.

A case is written twice: from the whole page, where an extractor must find the content; and from its
content only, which compares the treatment of markup, and is fair to converters that omit nothing.

``judgements.toml`` has human judgements of pages on which our output and a label differ, a table
per corpus. Under ``unlike`` it explains pages that have little in common, one sentence per page.
Under ``differ`` it says which side is right, page by page: ``["ours", why]``, ``["theirs", why]``
or ``["taste", why]``; ``both`` if each has faults.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from thresher.document import WriteOptions
from thresher.errors import InputError, ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.fidelity.cases import Case, render_markdown
from thresher.evaluation.fidelity.score import MEASURES, compare, drop_title
from thresher.evaluation.fidelity.structure import PageStructure, read_structure
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, Process, ask_each
from thresher.evaluation.metrics import score_words
from thresher.extraction import extract
from thresher.roles import ScopeName

__all__ = [
    "OURS",
    "PARTS",
    "Result",
    "list_worst",
    "measure",
    "read_judgements",
    "write_judged",
    "write_measures",
    "write_ours",
    "write_scores",
]

OURS: Final = "thresher"
PARTS: Final = ("page", "content")
"""The input: the whole page, or only its content."""
JUDGEMENTS: Final = Path(__file__).with_name("judgements.toml")
VERDICTS: Final = {
    "ours": "ours is right",
    "theirs": "theirs is right",
    "both": "each has a fault",
    "taste": "matter of taste",
    "": "not judged",
}
AGREEMENT: Final = 0.99
"""The minimum score by every measure that counts as the same."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one tool on one case."""

    tool: str
    case: str
    scores: Mapping[str, float] = field(hash=False)
    """By measure; only those that apply to the case."""
    error: str | None = None
    word_f1: float | None = None
    """Of our plain text, by `thresher.evaluation.metrics`, if the case has a text."""
    like_f1: float | None = None
    """The same, with the label's HTML converted to text by us: formulas are TeX on both sides."""


def measure(
    cases: Iterable[Case], part: str, entrants: Mapping[Entrant, Process], outputs: Outputs
) -> Iterator[Result]:
    """Convert every case and score it, ours first; ``part`` is one of `PARTS`.

    Cases without that part are skipped. Raises ThresherError if a peer cannot be started.
    """
    for case in cases:
        html = case.html if part == "page" else case.content
        if html is None:
            continue
        gold = replace(
            _read(case.gold, case),
            captions=case.captions,
            signatures=case.signatures,
            embeds=case.embeds,
        )
        markdown, text, error = write_ours(
            html, case.url, part, title=bool(gold.title), scope=case.scope
        )
        result = _score(OURS, case, gold, markdown, error)
        if case.text is not None:
            result = replace(
                result,
                word_f1=score_words(text, case.text).f1,
                like_f1=score_words(text, _label_text(case)).f1,
            )
        yield result
        page = LabelledPage("fidelity", case.id, html, case.url)
        for name, answer in ask_each(entrants, page, outputs):
            yield _score(name, case, gold, answer.found, answer.error)


def write_ours(
    html: str, url: str | None, part: str, *, title: bool = False, scope: ScopeName = "article"
) -> tuple[str, str, str | None]:
    """Return our Markdown and text of a page or of content, and the error, if any.

    With ``title`` the Markdown of a page begins with its title, as it does by default; where none
    is expected, tools may give it apart.
    """
    try:
        if part == "content":
            document = extract(html, url=url, method="keep_all")
        else:
            document = extract(html, url=url, scope=scope)
    except ThresherError as problem:  # not a page
        return "", "", str(problem)
    options = WriteOptions(title=title and part == "page")
    return document.write("markdown", options), document.text, None


def _label_text(case: Case) -> str:
    """Return the label as plain text, converted by us if it is HTML."""
    return write_ours(case.content, case.url, "content")[1] if case.content else case.text or ""


def _score(tool: str, case: Case, gold: PageStructure, markdown: str, error: str | None) -> Result:
    found = _read(render_markdown(markdown), case)
    return Result(tool, case.id, compare(found, gold), error)


def _read(html: str, case: Case) -> PageStructure:
    return drop_title(read_structure(html, case.url), case.title or "")


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


@dataclass(frozen=True, slots=True)
class Judgements:
    """The judgements of one corpus, by the id of a page."""

    unlike: Mapping[str, str] = field(default_factory=dict)
    differ: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def read_judgements(corpus: str, path: Path = JUDGEMENTS) -> Judgements:
    """Read the judgements of a corpus; InputError if the file is broken."""
    try:
        tables: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")).get(corpus, {})
        differ = {
            page: (str(who), str(why)) for page, (who, why) in tables.get("differ", {}).items()
        }
        unlike = {page: str(why) for page, why in tables.get("unlike", {}).items()}
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: {error}") from error
    if strange := {who for who, _ in differ.values()} - VERDICTS.keys():
        raise InputError(f"{path}: unknown verdict: {', '.join(sorted(strange))}")
    return Judgements(unlike, differ)


def write_judged(results: Sequence[Result], judgements: Judgements) -> str:
    """Write on how many pages ours equals the label, and which side is right on the others."""
    ours = [result for result in results if result.tool == OURS]
    other = [each for each in ours if min(each.scores.values(), default=1.0) < AGREEMENT]
    counts = Counter(judgements.differ.get(each.case, ("", ""))[0] for each in other)
    lines = ["| outcome | pages |", "|---|---:|", f"| the same | {len(ours) - len(other)} |"]
    lines += [f"| {said} | {counts[who]} |" for who, said in VERDICTS.items() if counts[who]]
    return "\n".join(lines)
