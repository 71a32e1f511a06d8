"""Cases written as Markdown by Thresher and by peers, scored, and tables of the scores.

A case is written twice: from the whole page, where an extractor must find the content; and from its
content only, which compares the treatment of markup, and is fair to converters that omit nothing.

Python peers are installed and run as on the leaderboard; `loaders` asks them for Markdown. Those on
Node.js have a folder each, filled by npm, and a worker of their own.

``judgements.toml`` has human judgements of pages on which our output and a label differ, a table
per corpus. Under ``unlike`` it explains pages that have little in common, one sentence per page.
Under ``differ`` it says which side is right, page by page: ``["ours", why]``, ``["theirs", why]``
or ``["taste", why]``; ``both`` if each has faults.

The metrics of WebMainBench are for whoever has its file, whose JSON lines have a page (``html``,
``url``, ``track_id``) and its content as Markdown (``convert_main_content``, or
``groundtruth_content``). Each metric but TEDS is 1 minus the Levenshtein distance over the length
of the longer text: of the whole Markdown, of all code, of all formulas, and of the cells of all
tables, a row a line. TEDS compares the tables in order. A metric applies where either side has what
it compares; the overall score of a page is the mean of those that apply, that of a tool the mean
over pages. Code, formulas and tables are what a CommonMark library reads as such; the benchmark's
own program looks for them by patterns, so its figures may differ a little.
"""

from __future__ import annotations

import json
import tomllib
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from thresher.document import WriteOptions
from thresher.errors import InputError, ThresherError
from thresher.evaluation.command import write_table
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.fidelity.cases import Case, render_markdown
from thresher.evaluation.fidelity.score import (
    MEASURES,
    compare,
    drop_title,
    score_teds,
    text_similarity,
)
from thresher.evaluation.fidelity.structure import PageStructure, read_structure
from thresher.evaluation.leaderboard.peer_runs import (
    Entrant,
    Outputs,
    Process,
    ask_each,
    gather,
    run_peer,
)
from thresher.evaluation.leaderboard.peers import Environment, Peer, by_name, prepare, run_step
from thresher.evaluation.metrics import score_words
from thresher.evaluation.summary import group_by
from thresher.extraction import extract
from thresher.roles import ScopeName

PACKAGES: Final = {"defuddle": ("defuddle", "linkedom@0.18.12")}
"""Peer → packages to install with npm. Defuddle needs a document: linkedom is what it is tested
with, in the last version before it took a dependency that not every mirror has."""
_WORKER: Final = Path(__file__).with_name("worker.mjs")
LOADERS: Final = Path(__file__).with_name("loaders.py")
MARKDOWN_PEERS: Final = by_name(
    Peer(
        "trafilatura",
        "trafilatura",
        'extract(html, url, output_format="markdown", include_formatting=True, include_links=True,'
        " include_images=True, include_tables=True, include_comments=False)",
    ),
    Peer("defuddle", "defuddle", "Defuddle(document, url, {markdown: true, useAsync: false})"),
    Peer("markitdown", "markitdown", "MarkItDown().convert_stream(html)"),
    Peer("html-to-markdown", "html-to-markdown", "convert(html).content"),
)
"""Every peer by name. The last two convert the whole page: they omit nothing."""


def prepare_node(peer: Peer, folder: Path, *, install: bool = True) -> Environment:
    """Return where a peer's packages are below a folder; install them if necessary.

    The environment's ``python`` is its `package.json`. Raises ThresherError if Node.js or the
    package is missing and cannot, or must not, be installed.
    """
    place = folder / peer.package
    about = place / "node_modules" / peer.package / "package.json"
    if not about.exists():
        if not install:
            raise ThresherError("not installed")
        place.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(place)]
        run_step([*command, *PACKAGES[peer.package]], "cannot be installed")
    node = run_step(["node", "--version"], "no Node.js").strip().removeprefix("v")
    try:
        version = json.loads(about.read_text(encoding="utf-8"))["version"]
    except (OSError, ValueError, LookupError) as error:
        raise ThresherError(f"installed, but not found: {error}") from error
    return Environment(place / "package.json", version, f"Node.js {node}")


def prepare_any(peer: Peer, folder: Path, *, python: str, install: bool) -> Environment:
    """Prepare a peer below a folder of environments; ThresherError if that fails."""
    if peer.package in PACKAGES:
        return prepare_node(peer, folder, install=install)
    return prepare(peer, folder, python=python, install=install)


def start(entrant: Entrant, *, deadline_s: float) -> Process:
    """Return the process that answers with a peer's Markdown; it starts with the first request."""
    if entrant.peer.package in PACKAGES:
        folder = entrant.environment.python.parent
        return Process(["node", str(_WORKER), str(folder)], deadline_s=deadline_s)
    return run_peer(entrant, deadline_s=deadline_s, loaders=LOADERS)


def gather_markdown_peers(
    stack: ExitStack, names: Iterable[str], args: Namespace, kept: Path, say: Callable[[str], None]
) -> dict[Entrant, Process]:
    """Prepare peers of `MARKDOWN_PEERS` as `gather` does; ``say`` tells which are missing."""
    return gather(
        stack,
        map(MARKDOWN_PEERS.__getitem__, names),
        args,
        kept,
        lambda peer, problem: say(f"{peer.name}: {problem}"),
        prepare=prepare_any,
        start=start,
    )


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
    structure = _read(render_markdown(markdown), case)
    return Result(tool, case.id, compare(structure, gold), error)


def _read(html: str, case: Case) -> PageStructure:
    return drop_title(read_structure(html, case.url), case.title or "")


def write_measures() -> str:
    """Write the meaning of each column."""
    rows = [[column.title, column.summary] for column in MEASURES.values()]
    return write_table(["column", "what is compared"], rows, n_text=2)


def write_scores(results: Sequence[Result]) -> str:
    """Write the mean score of each tool by each measure, in per cent; best in bold.

    The last line gives the number of pages of each mean: those whose gold has the feature.
    """
    by_tool = group_by(results, lambda result: result.tool)
    names = [name for name in MEASURES if any(name in result.scores for result in results)]
    means = {
        (tool, name): _format_mean([result.scores for result in own], name)
        for tool, own in by_tool.items()
        for name in names
    }
    best = {name: max((means[tool, name] for tool in by_tool), key=float) for name in names}
    rows = []
    for tool, own in by_tool.items():
        cells = ((means[tool, name], best[name]) for name in names)
        n_error = sum(result.error is not None for result in own)
        marked = (f"**{mean}**" if mean == most else mean for mean, most in cells)
        rows.append([tool, *marked, str(n_error)])
    first = next(iter(by_tool.values()))
    counts = [sum(name in result.scores for result in first) for name in names]
    rows.append(["pages", *map(str, counts), str(len(first))])
    return write_table(["tool", *(MEASURES[name].title for name in names), "errors"], rows)


def list_worst(results: Iterable[Result], below: float) -> str:
    """List the pages on which ours has a score below a bound, ignoring words."""
    lines = []
    for result in results:
        low = {name: s for name, s in result.scores.items() if s < below and name != "words"}
        if result.tool == OURS and low:
            told = ", ".join(f"{MEASURES[name].title} {s * 100:.0f}" for name, s in low.items())
            lines.append(f"- `{result.case}`: {told}")
    return "\n".join(lines) or "None."


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
    other = [result for result in ours if min(result.scores.values(), default=1.0) < AGREEMENT]
    counts = Counter(judgements.differ.get(result.case, ("", ""))[0] for result in other)
    rows = [["the same", str(len(ours) - len(other))]]
    rows += [[said, str(counts[who])] for who, said in VERDICTS.items() if counts[who]]
    return write_table(["outcome", "pages"], rows)


METRICS: Final = ("text", "code", "formula", "table", "TEDS")
_MARKDOWN: Final = ("convert_main_content", "groundtruth_content")
"""Fields that hold the expected Markdown."""


def read_pages(file: Path, count: int | None = None) -> Iterator[LabelledPage]:
    """Read the first ``count`` pages of a file of JSON lines; InputError if it is not one.

    Their ``gold_html`` is the expected Markdown.
    """
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(islice(filter(str.strip, lines), count)):
                yield _read_page(json.loads(line), number)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{file}: not a file of WebMainBench: {error}") from error


def _read_page(fields: Any, number: int) -> LabelledPage:
    if not isinstance(fields, dict):
        raise ValueError("a line is no object")
    markdown = next((fields[name] for name in _MARKDOWN if fields.get(name)), "")
    return LabelledPage(
        "webmainbench",
        str(fields.get("track_id") or fields.get("id") or number),
        str(fields["html"]),
        fields.get("url") or None,
        gold_html=str(markdown),
    )


def score_markdown(found: str, gold: str) -> dict[str, float]:
    """Score Markdown by each metric that applies, and ``overall``; 0 to 1."""
    first, second = (read_structure(render_markdown(markdown)) for markdown in (found, gold))
    pairs = {
        "text": (found, gold),
        "code": (_join_code(first), _join_code(second)),
        "formula": ("\n".join(first.formulas), "\n".join(second.formulas)),
        "table": (_join_cells(first), _join_cells(second)),
    }
    scores = {name: text_similarity(*pair) for name, pair in pairs.items() if any(pair)}
    if "table" in scores:
        tables = zip_longest(first.tables, second.tables)
        scores["TEDS"] = fmean(score_teds(a, b) if a and b else 0.0 for a, b in tables)
    scores["overall"] = fmean(scores.values()) if scores else 1.0
    return scores


def write_bench(
    pages: Iterable[LabelledPage], entrants: Mapping[Entrant, Process], outputs: Outputs
) -> str:
    """Convert and score every page; return a table with a row per tool, in per cent.

    Raises ThresherError if a peer cannot be started.
    """
    results: dict[str, list[dict[str, float]]] = {OURS: []}
    for page in pages:
        markdown, _, _ = write_ours(page.html, page.url, "page")
        gold = page.gold_html or ""
        results[OURS].append(score_markdown(markdown, gold))
        for name, answer in ask_each(entrants, page, outputs):
            results.setdefault(name, []).append(score_markdown(answer.found, gold))
    names = ("overall", *METRICS)
    rows = [
        [tool, *(_format_mean(scores, name) for name in names), str(len(scores))]
        for tool, scores in results.items()
    ]
    return write_table(["tool", *names, "pages"], rows)


def _format_mean(scores: Sequence[Mapping[str, float]], name: str) -> str:
    values = [page_scores[name] for page_scores in scores if name in page_scores]
    return f"{fmean(values) * 100:.1f}" if values else "–"


def _join_code(structure: PageStructure) -> str:
    return "\n".join(code.text for code in structure.code)


def _join_cells(structure: PageStructure) -> str:
    return "\n".join(" ".join(row) for grid in structure.tables for row in grid)
