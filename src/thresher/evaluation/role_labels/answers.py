"""Answers of labellers to reading sheets: one line a page, roles followed by block numbers.

``b03p17: kind=article lang=en navigation 0-90 title 12 body 14-40 caption 20``: later roles win
over earlier ones, so a wide range may come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.roles import NO_ROLE, ROLES
from thresher.support.quoting import quote

__all__ = ["KINDS", "PageAnswer", "read_answer", "read_answers"]

KINDS: Final = (
    *("article", "blog", "live", "transcript", "documentation", "wiki", "qa", "forum", "product"),
    *("listing", "collection", "home", "service", "company", "contact", "event", "job", "recipe"),
    *("howto", "government", "legal", "login", "video", "schedule", "error", "other"),
)
"""Kinds of page, by what a reader came for."""


class PageAnswer(NamedTuple):
    """What a labeller said of one page."""

    name: str
    """The page's name on its sheet."""
    kind: str
    lang: str
    roles: npt.NDArray[np.int8]


def read_answer(line: str, n_block_of: dict[str, int]) -> PageAnswer:
    """Read a line; ValueError if it is malformed or leaves a block without a role.

    ``n_block_of`` has the number of blocks of each page by its name.
    """
    name, _, rest = line.partition(":")
    if name not in n_block_of:
        raise ValueError(f"no page {quote(name)}")
    roles = np.full(n_block_of[name], NO_ROLE, np.int8)
    facts = {"kind": "", "lang": ""}
    code: int | None = None
    for word in rest.split():
        fact, equals, value = word.partition("=")
        if equals:
            facts[fact] = value
        elif word in ROLES:
            code = ROLES.index(word)
        else:
            first, _, last = word.partition("-")
            blocks = slice(int(first), int(last or first) + 1)
            if code is None or not 0 <= blocks.start < blocks.stop <= roles.size:
                raise ValueError(f"{name}: no block range: {quote(word)}")
            roles[blocks] = code
    if facts["kind"] not in KINDS or not facts["lang"] or len(facts) > 2:
        raise ValueError(f"{name}: kind or language is missing or unknown")
    if (roles == NO_ROLE).any():
        raise ValueError(f"{name}: block {int((roles == NO_ROLE).argmax())} has no role")
    return PageAnswer(name, facts["kind"], facts["lang"], roles)


def read_answers(folder: Path, n_block_of: dict[str, int]) -> Iterator[PageAnswer]:
    """Read all `*.ans` files of a folder; InputError for a malformed line, with its place."""
    for file in sorted(folder.glob("*.ans")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    yield read_answer(line.strip(), n_block_of)
                except ValueError as error:
                    raise InputError(f"{file}: line {number}: {error}") from error
