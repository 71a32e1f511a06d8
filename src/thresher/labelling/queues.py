"""Queues of several labellers: a page is dealt to one of them, every so many pages to two.

The pages labelled by two show how far labellers agree (`decisions`). Until pages are dealt, every
page is in everyone's queue. A page that someone has labelled already is dealt to nobody.

Pages are dealt in the order of their digests. It is the same for everyone, and independent of the
order of addition, in which pages of one site often follow each other.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from thresher.errors import UsageError
from thresher.labelling.store import LabelStore
from thresher.support.databases import open_database
from thresher.support.quoting import quote

MAX_NAME_CHARS: Final = 40
"""Characters of a labeller's name, which lists and buttons show."""
_QUEUES: Final = """
    SELECT labeller.name, count(*), count(keep), count(label.id) - count(keep)
    FROM assignment JOIN labeller ON labeller.id = assignment.labeller
    JOIN listed ON listed.id = assignment.page
    LEFT JOIN label ON label.id = (
        SELECT max(id) FROM label AS own WHERE own.page = assignment.page
        AND own.labeller = assignment.labeller AND undone = 0
    )
    GROUP BY labeller.id ORDER BY labeller.name
"""
_UNDEALT: Final = """
    FROM listed WHERE NOT EXISTS (SELECT 1 FROM assignment WHERE page = listed.id)
    AND NOT EXISTS (SELECT 1 FROM label WHERE page = listed.id AND undone = 0)
"""
_LEFT: Final = """
    SELECT assignment.page, assignment.labeller
    FROM assignment JOIN listed ON listed.id = assignment.page
    WHERE NOT EXISTS (
        SELECT 1 FROM label WHERE label.page = assignment.page
        AND label.labeller = assignment.labeller AND undone = 0
    )
    ORDER BY digest
"""
_HOLDERS: Final = """
    SELECT labeller FROM assignment WHERE page = :page
    UNION SELECT labeller FROM label WHERE page = :page AND undone = 0
"""
_SHARED: Final = """
    SELECT a.labeller, b.labeller FROM assignment AS a
    JOIN assignment AS b ON b.page = a.page AND b.labeller > a.labeller
"""
_DEALT_TO: Final = """
    SELECT DISTINCT name, labeller.id FROM assignment JOIN labeller ON labeller.id = labeller
"""
_ASSIGNED: Final = """
    SELECT page, name FROM assignment JOIN labeller ON labeller.id = labeller
    WHERE page IN (SELECT id FROM listed) ORDER BY page, name
"""


@dataclass(frozen=True, slots=True)
class Queue:
    """A labeller's queue."""

    labeller: str
    n_dealt: int
    n_labelled: int
    n_skipped: int

    @property
    def n_done(self) -> int:
        """Pages that the labeller has been through."""
        return self.n_labelled + self.n_skipped

    @property
    def n_left(self) -> int:
        """Pages that the labeller has not been through."""
        return self.n_dealt - self.n_done


@dataclass(slots=True)
class Dealing:
    """What was dealt at once."""

    pages: Counter[str] = field(default_factory=Counter)
    """Labeller → pages that they got."""
    n_page: int = 0
    n_twice: int = 0
    """Pages of these that were dealt to two labellers."""
    n_untaken: int = 0
    """Pages that no labeller could take, because they have them already."""

    def add(self, labellers: Sequence[str | None]) -> None:
        """Count a page that was dealt to some labellers, or to None."""
        takers = [labeller for labeller in labellers if labeller is not None]
        self.n_page += bool(takers)
        self.n_twice += len(takers) > 1
        self.n_untaken += not takers
        self.pages.update(takers)


def read_labeller(text: str) -> str:
    """Return a labeller's name as it is stored; UsageError if it is empty or too long."""
    name = " ".join(text.split())
    if not name or len(name) > MAX_NAME_CHARS:
        raise UsageError(f"a labeller's name has 1 to {MAX_NAME_CHARS} characters, not {len(name)}")
    return name


def deal_pages(store: LabelStore, labellers: Sequence[str], *, every: int | None = 10) -> Dealing:
    """Deal the pages that nobody has: every ``every``-th to two labellers, the others to one.

    None: all to one. Everyone gets so many that all have as many left. UsageError without a
    labeller, and where every page should go to two of one labeller.
    """
    names = _read_labellers(labellers)
    if every == 1 and len(names) == 1:
        raise UsageError("every page twice needs two labellers")
    dealing = Dealing()
    with open_database(store.path) as db:
        hands = _Hands(db, names)
        n_known = db.execute("SELECT count(DISTINCT page) FROM assignment").fetchone()[0]
        pages = [row[0] for row in db.execute(f"SELECT id {_UNDEALT} ORDER BY digest")]
        twice = pages[every - 1 - n_known % every :: every] if every and len(names) > 1 else []
        for page in twice:  # first, so that the others even out what everyone has
            dealing.add([hands.deal(page), hands.deal(page)])
        once = set(pages).difference(twice)
        for page in filter(once.__contains__, pages):
            dealing.add([hands.deal(page)])
    return dealing


def deal_again(store: LabelStore, absent: str, labellers: Sequence[str]) -> Dealing:
    """Deal the pages that a labeller has left to others.

    What they have labelled or skipped stays theirs. UsageError if nothing was dealt to them.
    """
    absent, names = read_labeller(absent), _read_labellers(labellers)
    if absent in names:
        raise UsageError(f"{absent} cannot both give pages away and get them")
    dealing = Dealing()
    with open_database(store.path) as db:
        hands = _Hands(db, names)
        dealt_to = dict(db.execute(_DEALT_TO).fetchall())
        if absent not in dealt_to:
            names_known = ", ".join(sorted(dealt_to)) or "nobody"
            raise UsageError(f"no page was dealt to {quote(absent)}, only to {names_known}")
        left = [page for page, who in db.execute(_LEFT).fetchall() if who == dealt_to[absent]]
        for page in left:
            drop = "DELETE FROM assignment WHERE page = ? AND labeller = ?"
            db.execute(drop, (page, dealt_to[absent]))
            dealing.add([hands.deal(page)])
    return dealing


def list_queues(store: LabelStore) -> list[Queue]:
    """Return the queue of everyone to whom pages were dealt, by name; none until then."""
    with open_database(store.path) as db:
        return [Queue(*row) for row in db.execute(_QUEUES)]


def list_assignments(store: LabelStore) -> dict[int, list[str]]:
    """Return the labellers to whom each page was dealt, by page."""
    with open_database(store.path) as db:
        of_page: dict[int, list[str]] = {}
        for page, name in db.execute(_ASSIGNED):
            of_page.setdefault(page, []).append(name)
        return of_page


def count_undealt(store: LabelStore) -> int:
    """Return the number of pages that were dealt to nobody, and nobody has labelled."""
    with open_database(store.path) as db:
        return int(db.execute(f"SELECT count(*) {_UNDEALT}").fetchone()[0])


class _Hands:
    """The labellers to whom pages are dealt, in one transaction."""

    def __init__(self, db: sqlite3.Connection, names: Sequence[str]) -> None:
        # Takes the write lock, so that nobody can deal or label the pages meanwhile.
        add = "INSERT OR IGNORE INTO labeller (name) VALUES (?)"
        db.executemany(add, [(name,) for name in names])
        numbers = dict(db.execute("SELECT name, id FROM labeller").fetchall())
        self._db = db
        self._names = {numbers[name]: name for name in names}
        self._n_left = Counter(who for _, who in db.execute(_LEFT).fetchall())
        self._n_shared: Counter[tuple[int, int]] = Counter()
        for a, b in db.execute(_SHARED).fetchall():
            self._n_shared[a, b] += 1

    def deal(self, page: int) -> str | None:
        """Deal a page to one more labeller; None if all have it, or have labelled it, already.

        It is whoever shares the fewest pages with those that have it, so that all pairs share about
        as many, and has the fewest left.
        """
        holders = [row[0] for row in self._db.execute(_HOLDERS, {"page": page})]
        able = [number for number in self._names if number not in holders]
        if not able:
            return None

        def rank(number: int) -> tuple[int, int]:
            n_shared = sum(self._n_shared[_pair(number, other)] for other in holders)
            return n_shared, self._n_left[number]

        taker = min(able, key=rank)
        add = "INSERT INTO assignment (page, labeller, dealt_at) VALUES (?, ?, ?)"
        self._db.execute(add, (page, taker, time.time()))
        self._n_left[taker] += 1
        for other in holders:
            self._n_shared[_pair(taker, other)] += 1
        return self._names[taker]


def _pair(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)


def _read_labellers(labellers: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(map(read_labeller, labellers)))
    if not names:
        raise UsageError("name the labellers to whom pages are dealt")
    return names
