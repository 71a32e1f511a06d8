"""The file of role labels: block ranges and roles by page, without any text of the pages.

One line per page and annotator, tab-separated: corpus, page id, SHA-256 of the HTML in UTF-8,
number of blocks, reader, kind of page, language, roles. Roles are names each followed by the blocks
that have it, ``navigation 0-14 title 15 body 16-40 42``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.roles import NO_ROLE, ROLES
from thresher.support.quoting import quote

__all__ = [
    "SHIPPED_LABELS",
    "RoleLabel",
    "RoleLabels",
    "digest_html",
    "format_roles",
    "label_of",
    "read_labels",
    "write_labels",
]

RoleCodes = npt.NDArray[np.int8]

SHIPPED_LABELS: Final = Path(__file__).parent / "labels.tsv"
"""The labels that come with Thresher; the pages are not in the repository."""
_COLUMNS: Final = ("corpus", "page", "sha256", "blocks", "reader", "kind", "lang", "roles")


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
    found: dict[tuple[str, str], tuple[RoleLabel, ...]] = {}
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
        found[key] = (*found.get(key, ()), label)
    return found


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
        cells = (
            *(label.corpus, label.page, label.sha256, str(label.roles.size), label.reader),
            *(label.kind, label.lang),
        )
        rows.append("\t".join((*cells, format_roles(label.roles))))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _read_line(line: str) -> RoleLabel:
    corpus, page, sha256, n_block, reader, kind, lang, ranges = line.split("\t")
    roles = np.full(int(n_block), NO_ROLE, np.int8)
    code: int | None = None
    for word in ranges.split():
        if word in ROLES:
            code = ROLES.index(word)
            continue
        first, _, last = word.partition("-")
        blocks = slice(int(first), int(last or first) + 1)
        if code is None or not 0 <= blocks.start < blocks.stop <= roles.size:
            raise ValueError(f"no block range: {quote(word)}")
        if (roles[blocks] != NO_ROLE).any():
            raise ValueError(f"blocks with two roles: {word}")
        roles[blocks] = code
    if (roles == NO_ROLE).any():
        raise ValueError(f"block {int((roles == NO_ROLE).argmax())} has no role")
    return RoleLabel(corpus, page, sha256, reader, roles, kind, lang)
