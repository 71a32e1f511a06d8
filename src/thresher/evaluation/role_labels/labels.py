"""Role labels of blocks: what careful readers said that each block of a page is.

The file of labels has no text of the pages. It has one line per page and annotator, tab-separated:
corpus, page id, SHA-256 of the HTML in UTF-8, number of blocks, reader, kind of page, language,
roles. Roles are names each followed by the blocks that have it, ``navigation 0-14 title 15 body
16-40 42``.

Labellers answer reading sheets in the same form, one line a page: ``b03p17: kind=article lang=en
navigation 0-90 title 12 body 14-40 caption 20``. There later roles win over earlier ones, so a wide
range may come first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.roles import NO_ROLE, ROLES
from thresher.support.quoting import quote

RoleCodes = npt.NDArray[np.int8]
SHIPPED_LABELS: Final = Path(__file__).parent / "labels.tsv"
"""The labels that come with Thresher; the pages are not in the repository."""
_COLUMNS: Final = ("corpus", "page", "sha256", "blocks", "reader", "kind", "lang", "roles")
KINDS: Final = """
article blog live transcript documentation wiki qa forum product listing collection home service
company contact event job recipe howto government legal login video schedule error other
""".split()
"""Kinds of page, by what a reader came for."""


@dataclass(frozen=True, slots=True, eq=False)
class RoleLabel:
    """The roles one annotator gave to the blocks of one page."""

    corpus: str
    page: str
    sha256: str
    reader: str
    roles: RoleCodes
    """Code of each block's role; int8[n_block]."""
    kind: str = ""
    """Kind of the page, such as article or forum, as its reader saw it; empty if unknown."""
    lang: str = ""
    """Language of the main text, a code of two letters; empty if unknown."""


RoleLabels = Mapping[tuple[str, str], tuple[RoleLabel, ...]]
"""Labels by corpus and page id; the first of a page is used for training."""


def read_labels(path: Path = SHIPPED_LABELS) -> RoleLabels:
    """Read a file of labels; InputError if it is malformed."""
    labels: dict[tuple[str, str], tuple[RoleLabel, ...]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from error
    for number, line in enumerate(lines[1:], 2):
        try:
            label = _read_line(line)
        except ValueError as error:
            raise InputError(f"{path}: line {number}: {error}") from error
        key = label.corpus, label.page
        labels[key] = (*labels.get(key, ()), label)
    return labels


def label_of(labels: RoleLabels, page: LabelledPage, n_block: int) -> RoleLabel | None:
    """Return the label of a page; None without one, or if page or blocks have changed."""
    for label in labels.get((page.corpus, page.id), ()):
        if label.roles.size == n_block and label.sha256 == digest_html(page.html):
            return label
    return None


def digest_html(html: str) -> str:
    """Return the SHA-256 that identifies a page in labels."""
    return hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest()


def format_roles(roles: RoleCodes) -> str:
    """Format the roles of blocks as in a line of the file."""
    ranges: dict[str, list[str]] = {}
    for code, run in groupby(range(roles.size), key=lambda block: int(roles[block])):
        blocks = list(run)
        span = str(blocks[0]) if len(blocks) == 1 else f"{blocks[0]}-{blocks[-1]}"
        ranges.setdefault(ROLES[code], []).append(span)
    return " ".join(f"{role} {' '.join(spans)}" for role, spans in ranges.items())


def write_labels(labels: Iterable[RoleLabel], path: Path) -> None:
    """Write a file of labels."""
    rows = ["\t".join(_COLUMNS)]
    for label in labels:
        page = (label.corpus, label.page, label.sha256, str(label.roles.size))
        said = (label.reader, label.kind, label.lang, format_roles(label.roles))
        rows.append("\t".join(page + said))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _read_line(line: str) -> RoleLabel:
    corpus, page, sha256, n_block, reader, kind, lang, ranges = line.split("\t")
    roles = _read_ranges(ranges.split(), int(n_block), later_wins=False)
    return RoleLabel(corpus, page, sha256, reader, roles, kind, lang)


def _read_ranges(words: Iterable[str], n_block: int, *, later_wins: bool) -> RoleCodes:
    """Read roles with the ranges of their blocks; ValueError unless each block has one."""
    roles = np.full(n_block, NO_ROLE, np.int8)
    code: int | None = None
    for word in words:
        if word in ROLES:
            code = ROLES.index(word)
            continue
        first, _, last = word.partition("-")
        blocks = slice(int(first), int(last or first) + 1)
        if code is None or not 0 <= blocks.start < blocks.stop <= n_block:
            raise ValueError(f"no block range: {quote(word)}")
        if not later_wins and (roles[blocks] != NO_ROLE).any():
            raise ValueError(f"blocks with two roles: {word}")
        roles[blocks] = code
    if (roles == NO_ROLE).any():
        raise ValueError(f"block {int((roles == NO_ROLE).argmax())} has no role")
    return roles


class PageAnswer(NamedTuple):
    """What a labeller said of one page."""

    name: str
    """The page's name on its sheet."""
    kind: str
    lang: str
    roles: RoleCodes


def _read_answer(line: str, n_block_of: Mapping[str, int]) -> PageAnswer:
    name, _, rest = line.partition(":")
    if name not in n_block_of:
        raise ValueError(f"no page {quote(name)}")
    words = rest.split()
    facts = {"kind": "", "lang": "", **dict(w.split("=", 1) for w in words if "=" in w)}
    if facts["kind"] not in KINDS or not facts["lang"] or len(facts) > 2:
        raise ValueError(f"{name}: kind or language is missing or unknown")
    ranges = [word for word in words if "=" not in word]
    try:
        roles = _read_ranges(ranges, n_block_of[name], later_wins=True)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    return PageAnswer(name, facts["kind"], facts["lang"], roles)


def read_answers(folder: Path, n_block_of: Mapping[str, int]) -> Iterator[PageAnswer]:
    """Read all `*.ans` files of a folder; InputError for a malformed line, with its place.

    ``n_block_of`` has the number of blocks of each page by its name on the sheets.
    """
    for file in sorted(folder.glob("*.ans")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    yield _read_answer(line.strip(), n_block_of)
                except ValueError as error:
                    raise InputError(f"{file}: line {number}: {error}") from error


@dataclass(frozen=True, slots=True)
class RoleAgreement:
    """Confusion matrix of two annotators over the blocks of some pages."""

    n_page: int
    pairs: npt.NDArray[np.int64]
    """Blocks by the role of the first annotator and of the second; int64[role, role]."""

    @property
    def kappa(self) -> float:
        """Cohen's κ (1960): agreement beyond chance, at most 1."""
        total = max(int(self.pairs.sum()), 1)
        agreed = float(np.trace(self.pairs)) / total
        chance = float((self.pairs.sum(axis=0) * self.pairs.sum(axis=1)).sum()) / total**2
        return (agreed - chance) / (1 - chance) if chance < 1 else 1.0

    def f1_of(self, role: str) -> float:
        """Return the F1 of one annotator against the other, which is symmetric."""
        code = ROLES.index(role)
        said = int(self.pairs[code].sum() + self.pairs[:, code].sum())
        return 2 * float(self.pairs[code, code]) / said if said else 1.0


def measure_agreement(labels: RoleLabels) -> RoleAgreement:
    """Compare the first two annotators of every page annotated at least twice."""
    readings: dict[str, list[RoleLabel]] = {}
    for label in chain.from_iterable(labels.values()):
        readings.setdefault(label.sha256, []).append(label)
    twice = [of_page[:2] for of_page in readings.values() if len(of_page) > 1]
    return count_pairs((first.roles, second.roles) for first, second in twice)


def count_pairs(pages: Iterable[tuple[RoleCodes, RoleCodes]]) -> RoleAgreement:
    """Count pairs of roles over pages; each page is a pair of int8[n_block]."""
    pairs, n_page = np.zeros((len(ROLES), len(ROLES)), np.int64), 0
    for first, second in pages:
        np.add.at(pairs, (first.astype(int), second.astype(int)), 1)
        n_page += 1
    return RoleAgreement(n_page, pairs)


def write_table(told: RoleAgreement, readers: RoleAgreement) -> str:
    """Return a Markdown table of the accuracy of each role, and of the annotators' agreement.

    ``told`` pairs annotators' roles with those of a method.
    """
    lines = [
        "| role | blocks | precision | recall | F1 | two readers |",
        "|---|---|---|---|---|---|",
    ]
    for code, role in enumerate(ROLES):
        hit = int(told.pairs[code, code])
        n_said, n_told = int(told.pairs[code].sum()), int(told.pairs[:, code].sum())
        precision, recall = hit / max(n_told, 1), hit / max(n_said, 1)
        lines.append(
            f"| {role} | {n_said:,} | {precision:.2f} | {recall:.2f} | {told.f1_of(role):.2f}"
            f" | {readers.f1_of(role):.2f} |"
        )
    return "\n".join(lines)
