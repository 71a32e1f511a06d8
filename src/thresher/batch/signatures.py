"""What of a text tells whether another is the same, or nearly so, and duplicates by that alone.

A text is the sequence of its words in lower case. Exact duplicates have the same digest. Near
duplicates share most of their five-word shingles: MinHash (Broder, "On the resemblance and
containment of documents", 1997) estimates how many, and bands of the signature find candidates
(Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", 3.4).

`thresher.batch.duplicates` marks records in the order in which they arrive. An engine has no such
order, so here the first record is that with the smallest source and id. Each record has a key for
its words, and one for each band of its signature; it is compared with the first record of each of
its keys. So the cost grows with the records, not with their pairs, and of records that are alike
the first is never a duplicate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from thresher.batch.model import FORMATS, import_pyarrow
from thresher.errors import MissingExtraError, UsageError
from thresher.support.cached import cached_property

if TYPE_CHECKING:
    import pyarrow as pa

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
_WORD: Final = re.compile(r"\w+")


Values = npt.NDArray[np.uint32]
"""The values of a signature; uint32[128]."""


class TextSignature:
    """What is compared of a text. The values are computed when they are first asked for."""

    def __init__(self, words: Sequence[str], make: Any) -> None:
        self._words = words
        self._make = make

    @cached_property
    def digest(self) -> bytes:
        """Return what is the same for the same words; 16 bytes."""
        text = " ".join(self._words).encode("utf-8", "replace")
        return blake2b(text, digest_size=16).digest()

    @cached_property
    def values(self) -> Values | None:
        """Return the signature; None for a text of too few words."""
        if len(self._words) < _MIN_WORDS:
            return None
        starts = range(len(self._words) - _N_WORD + 1)
        minhash = self._make(num_perm=_N_PERMUTATION, seed=_SEED)
        minhash.update([" ".join(self._words[at : at + _N_WORD]) for at in starts])
        return np.array(minhash.digest(), dtype="<u4")

    @property
    def bands(self) -> list[int]:
        """Return a key for each band."""
        if self.values is None:
            return []
        bands = enumerate(np.split(self.values, _N_BAND))
        return [hash_64(bytes((index,)) + band.tobytes()) for index, band in bands]


def hash_64(data: bytes) -> int:
    """Return a hash of 64 bits, signed as SQLite's integers are."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)


def make_signer() -> Callable[[str | None], TextSignature | None]:
    """Return a function from a text to its signature, None for one without words.

    Raises MissingExtraError without `rensa`.
    """
    make = _import_minhash()

    def sign(text: str | None) -> TextSignature | None:
        words = _WORD.findall(text.lower()) if text else []
        return TextSignature(words, make) if words else None

    return sign


def are_near(one: Values, other: Values) -> bool:
    """Return whether two texts are near duplicates, by the values of their signatures."""
    return bool(np.mean(one == other) >= _MIN_SIMILARITY)


def algorithm() -> str:
    """Return the version of the signatures; those of other versions are not comparable."""
    return f"rensa {_import_minhash().ALGORITHM_VERSION}"


def _import_minhash() -> Any:
    try:
        from rensa import RMinHash
    except ImportError as error:
        raise MissingExtraError("finding duplicates", "batch") from error
    return RMinHash


EXACT: Final = "exact"
NEAR: Final = "near"


def name_original(source: str | None, id: str, of_source: str | None) -> str:
    """Return what a duplicate of a source has as ``duplicate_of``: the original's id, or both."""
    return id if source == of_source else f"{source}#{id}"


def keys_schema() -> pa.Schema:
    """Return the schema of `keys_of`."""
    arrow = import_pyarrow()
    text = arrow.string()
    names = (("key", text), ("source", text), ("id", text), ("minhash", arrow.binary()))
    return arrow.schema(names)


def pairs_schema() -> pa.Schema:
    """Return the schema of `compare_pairs`."""
    text = import_pyarrow().string()
    return import_pyarrow().schema(
        [(name, text) for name in ("source", "id", "duplicate", "duplicate_of")]
    )


def keys_of(records: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Return a row for each key of each record with a text: up to seventeen.

    ``minhash`` has the values of the signature where the key is of a band. Raises UsageError where
    a column ``source`` or ``id``, or all of those of the text, are missing.
    """
    there = set(records.schema.names)
    formats = [name for name in FORMATS if name in there]
    if not {"source", "id"} <= there or not formats:
        raise UsageError(
            f"duplicates are found by source, id, and one of {', '.join(FORMATS)}, which are"
            " columns of records"
        )
    sign = make_signer()
    rows: list[dict[str, Any]] = []
    for record in records.select(["source", "id", *formats]).to_pylist():
        signature = sign(next(filter(None, map(record.get, formats)), None))
        if signature is None:
            continue
        name = {"source": record["source"], "id": record["id"]}
        rows.append({"key": f"{EXACT} {signature.digest.hex()}", **name})
        values = signature.values
        if values is not None:
            minhash = values.tobytes()
            rows += [
                {"key": f"{NEAR} {band:x}", "minhash": minhash, **name} for band in signature.bands
            ]
    return import_pyarrow().RecordBatch.from_pylist(rows, schema=keys_schema())


def compare_pairs(pairs: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
    """Return a row for each pair of records that are duplicates.

    ``pairs`` has the columns of `keys_of`, and with the prefix ``first_`` those of the first record
    with the key. ``duplicate`` and ``duplicate_of`` of a row are as in a record.
    """
    rows = []
    for pair in pairs.to_pylist():
        source, id = pair["source"], pair["id"]
        first = pair["first_source"], pair["first_id"]
        if (source, id) == first:
            continue
        minhashes = [pair[name] for name in ("minhash", "first_minhash")]
        kind = EXACT if minhashes[0] is None else NEAR
        if kind == EXACT or are_near(*(np.frombuffer(minhash, "<u4") for minhash in minhashes)):
            name = name_original(*first, source)
            rows.append({"source": source, "id": id, "duplicate": kind, "duplicate_of": name})
    return import_pyarrow().RecordBatch.from_pylist(rows, schema=pairs_schema())
