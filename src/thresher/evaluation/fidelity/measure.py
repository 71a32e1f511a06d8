"""Cases written as Markdown by Thresher and by peers, and scored.

A case is written twice: from the whole page, where an extractor must find the content; and from its
content only, which compares the treatment of markup, and is fair to converters that omit nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from thresher.document import WriteOptions
from thresher.errors import ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.fidelity.cases import Case
from thresher.evaluation.fidelity.render import render_markdown
from thresher.evaluation.fidelity.score import compare, drop_title
from thresher.evaluation.fidelity.structure import read_structure
from thresher.evaluation.fidelity.structure_model import PageStructure
from thresher.evaluation.leaderboard.outputs import Outputs, key_of
from thresher.evaluation.leaderboard.peer_runs import Entrant, ask_all
from thresher.evaluation.leaderboard.process import Process
from thresher.evaluation.metrics import score_words
from thresher.extraction import extract
from thresher.roles import ScopeName

__all__ = ["OURS", "PARTS", "Result", "measure", "write_ours"]

OURS: Final = "thresher"
PARTS: Final = ("page", "content")
"""The input: the whole page, or only its content."""


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
        asked = ask_all(entrants, [page], outputs)
        for entrant in entrants:
            if entrant in asked.problems:
                raise ThresherError(f"{entrant.name}: {asked.problems[entrant]}")
            answer = outputs.get(*entrant.key, key_of(page))
            assert answer is not None
            yield _score(entrant.name, case, gold, answer.found, answer.error)


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
