"""Human judgements of pages on which our output and a label differ, read from a file.

``judgements.toml`` has a table per corpus. Under ``unlike`` it explains pages that have little in
common, one sentence per page. Under ``differ`` it says which side is right, page by page:
``["ours", why]``, ``["theirs", why]`` or ``["taste", why]``; ``both`` if each has faults.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from thresher.errors import InputError
from thresher.evaluation.fidelity.measure import OURS, Result

__all__ = ["AGREEMENT", "JUDGEMENTS", "VERDICTS", "Judgements", "read_judgements", "write_judged"]

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
    """Write on how many pages ours equals the label, which side is right on the others, and why."""
    ours = [result for result in results if result.tool == OURS]
    other = [each for each in ours if min(each.scores.values(), default=1.0) < AGREEMENT]
    verdicts = {each.case: judgements.differ.get(each.case, ("", "")) for each in other}
    counts = Counter(who for who, _ in verdicts.values())
    lines = ["| outcome | pages |", "|---|---:|", f"| the same | {len(ours) - len(other)} |"]
    lines += [f"| {said} | {counts[who]} |" for who, said in VERDICTS.items() if counts[who]]
    lines += ["", "| page | outcome | why |", "|---|---|---|"]
    lines += [
        f"| {page} | {VERDICTS[who]} | {why} |" for page, (who, why) in verdicts.items() if why
    ]
    return "\n".join(lines)
