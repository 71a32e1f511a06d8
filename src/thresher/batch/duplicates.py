"""Marks of records that repeat earlier ones: duplicates, and blocks on many pages of a host.

A text is the sequence of its words in lower case. Exact duplicates have the same digest. Near
duplicates share most of their five-word shingles: MinHash (Broder, "On the resemblance and
containment of documents", 1997) estimates how many, and bands of the signature find candidates
(Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", 3.4). Blocks are leftover menus,
notices and subscription prompts. They are counted as pages arrive, so the first pages of a host are
compared with fewer pages than later ones.

Earlier pages and counts are in the database of the manifest, so they take no memory and survive a
crash like the records.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.batch.model import Record
from thresher.errors import MissingExtraError
from thresher.support.hosts import host_of

_MIN_SIMILARITY: Final = 0.8
"""Share of common shingles from which texts are near duplicates; the usual value for web
corpora."""
_N_WORD: Final = 5
"""Words of a shingle."""
_MIN_WORDS: Final = 20
"""Words below which only exact duplicates are detected, as the estimate is meaningless."""
_N_PERMUTATION: Final = 128
"""Values of a signature. The standard deviation of the estimate is 0.035 at 0.8."""
_N_BAND: Final = 16
"""Bands of eight values each. A pair with similarity 0.8 shares a band with a probability of 0.95,
one with 0.5 with 0.06."""
_SEED: Final = 1
_MAX_CANDIDATES: Final = 64
"""Candidates per band, the first of many similar texts."""
_WORD: Final = re.compile(r"\w+")

_TABLES: Final = """
create table if not exists texts (
    number integer primary key, digest blob not null unique, signature blob,
    id text not null, source text
);
create table if not exists bands (key integer not null, number integer not null);
create index if not exists bands_by_key on bands (key);
"""


@dataclass(frozen=True, slots=True)
class _Known:
    id: str
    source: str | None


class Duplicates:
    """Marks records as duplicates of earlier ones, within the transaction of a part."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._make = _import_minhash()
        for statement in _TABLES.split(";\n"):
            database.execute(statement)

    @staticmethod
    def algorithm() -> str:
        """Return the version of the signatures; those of other versions are not comparable."""
        return f"rensa {_import_minhash().ALGORITHM_VERSION}"

    def mark(self, record: Record) -> Record:
        """Return the record with the record it duplicates, if any.

        A page is compared only with pages that are not duplicates themselves, so all copies refer
        to the same one.
        """
        text = record.text or record.markdown or record.html
        words = _WORD.findall(text.lower()) if text else []
        if not words:
            return record
        digest = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=16).digest()
        known = self._find_exact(digest)
        if known:
            return _marked(record, known, "exact")
        signature = self._sign(words)
        keys = _band_keys(signature) if signature is not None else []
        if signature is not None:
            known = self._find_near(signature, keys)
            if known:
                return _marked(record, known, "near")
        self._learn(record, digest, signature, keys)
        return record

    def _sign(self, words: Sequence[str]) -> npt.NDArray[np.uint32] | None:
        if len(words) < _MIN_WORDS:
            return None
        shingles = [" ".join(words[at : at + _N_WORD]) for at in range(len(words) - _N_WORD + 1)]
        minhash = self._make(num_perm=_N_PERMUTATION, seed=_SEED)
        minhash.update(shingles)
        return np.array(minhash.digest(), dtype="<u4")

    def _find_exact(self, digest: bytes) -> _Known | None:
        row = self._database.execute(
            "select id, source from texts where digest = ?", (digest,)
        ).fetchone()
        return _Known(*row) if row else None

    def _find_near(self, signature: npt.NDArray[np.uint32], keys: Sequence[int]) -> _Known | None:
        numbers = sorted(
            {
                number
                for key in keys
                for (number,) in self._database.execute(
                    "select number from bands where key = ? limit ?", (key, _MAX_CANDIDATES)
                )
            }
        )
        for number in numbers:
            blob, id, source = self._database.execute(
                "select signature, id, source from texts where number = ?", (number,)
            ).fetchone()
            other = np.frombuffer(blob, dtype="<u4")
            if np.mean(other == signature) >= _MIN_SIMILARITY:
                return _Known(id, source)
        return None

    def _learn(
        self,
        record: Record,
        digest: bytes,
        signature: npt.NDArray[np.uint32] | None,
        keys: Sequence[int],
    ) -> None:
        blob = None if signature is None else signature.tobytes()
        number = self._database.execute(
            "insert into texts (digest, signature, id, source) values (?, ?, ?, ?)",
            (digest, blob, record.id, record.source),
        ).lastrowid
        self._database.executemany(
            "insert into bands values (?, ?)", [(key, number) for key in keys]
        )


def _marked(record: Record, known: _Known, how: str) -> Record:
    name = known.id if known.source == record.source else f"{known.source}#{known.id}"
    return replace(record, duplicate_of=name, duplicate=how)


def _band_keys(signature: npt.NDArray[np.uint32]) -> list[int]:
    """Return a signed 64-bit key for each band, as SQLite integers are signed."""
    return [
        int.from_bytes(
            blake2b(bytes((index,)) + band.tobytes(), digest_size=8).digest(), "little", signed=True
        )
        for index, band in enumerate(np.split(signature, _N_BAND))
    ]


def _import_minhash() -> Any:
    try:
        from rensa import RMinHash
    except ImportError as error:
        raise MissingExtraError("finding duplicates", "batch") from error
    return RMinHash


_MIN_PAGES: Final = 10
"""Pages of a host on which a block must occur to count as repeated."""

_TABLE: Final = """
create table if not exists repeats (key integer primary key, n_page integer not null)
"""
_COUNT: Final = """
insert into repeats values (?, 1) on conflict (key) do update set n_page = n_page + 1
returning n_page
"""


class RepeatedBlocks:
    """Counts blocks by host, within the transaction of a part."""

    def __init__(self, database: sqlite3.Connection, min_pages: int = _MIN_PAGES) -> None:
        self._database = database
        self._min_pages = min_pages
        database.execute(_TABLE)

    def mark(self, record: Record) -> Record:
        """Return the record with the number of its blocks that are on many pages of its host.

        A block is the text between line breaks, with white space normalised. Without text or URL
        the record is unchanged.
        """
        text = record.text or record.markdown or record.html
        host = host_of(record.url)
        if not text or not host:
            return record
        blocks = {" ".join(line.split()) for line in text.splitlines()} - {""}
        n_page = [
            self._database.execute(_COUNT, (_key(host, block),)).fetchone()[0] for block in blocks
        ]
        return replace(record, n_repeated=sum(count >= self._min_pages for count in n_page))


def _key(host: str, block: str) -> int:
    text = f"{host}\n{block}".encode("utf-8", "replace")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little", signed=True)
