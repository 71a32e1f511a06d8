"""Parts of one WARC archive: to share it among tasks of an engine, or to read only some records.

A part is named by its archive and its bytes there, ``PATH#bytes=FIRST-END,FIRST-END…``, a string
like the path of any archive, so that engines need to know nothing of it. Parts of a split archive
begin where a member or a record does; whatever the cuts, they have all pages, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from thresher.batch.sources.base import SourceTally
from thresher.batch.sources.files import Members, sniff_codec
from thresher.batch.sources.warc import WARC_START, find_record
from thresher.batch.stores import file_system
from thresher.errors import UsageError

Span = tuple[int, int]
"""The first byte, and the end."""

PART_BYTES: Final = 2**27
"""Bytes of a part: half a minute to a minute of a core."""
_MARK: Final = "#bytes="
_NAME: Final = re.compile(rf"(.+){_MARK}(\d+-\d+(?:,\d+-\d+)*)", re.DOTALL)


def split_archive(path: str, part_bytes: int = PART_BYTES) -> list[str]:
    """Return the names of the parts of an archive, in order, to be used like paths of archives.

    ``path`` is a local file or a URI, as for `thresher.batch.table.extract_archive`. The parts
    have about ``part_bytes`` each, as far as members (or records, without compression) permit: an
    archive that is compressed as a whole stays whole. Reads a few kilobytes for each part.

    The pages have the ids that they have in the whole archive, except that a record that occurs
    twice, in two parts, has its id twice; a damaged place is named after its part. Raises
    UsageError for ``part_bytes`` below 1, and the errors of opening and reading the archive.
    """
    if part_bytes < 1:
        raise UsageError(f"part_bytes is a number above 0, not {part_bytes}")
    system, place = file_system(path)
    with system.open_input_file(place) as file:
        size = file.size()
        starts = [0, *_starts(file, size, part_bytes)]
    if len(starts) == 1:
        return [path]
    ends = [*starts[1:], size]
    return [part_name(path, [span]) for span in zip(starts, ends, strict=True)]


def part_name(path: str, spans: Iterable[Span]) -> str:
    """Return the name of the part of an archive that has some of its members.

    ``spans`` has the first byte of each member and its end, as an index of a crawl (CDX) says:
    offset, and offset plus length. Their order is free. UsageError without any.
    """
    merged: list[list[int]] = []
    for first, end in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([first, end])
    if not merged:
        raise UsageError(f"a part of {path} has one member or more")
    return path + _MARK + ",".join(f"{first}-{end}" for first, end in merged)


def split_name(name: str) -> tuple[str, tuple[Span, ...]]:
    """Return the path of an archive, and the bytes of the part that a name stands for.

    There are none where it stands for the whole archive.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return name, ()
    spans = (span.split("-") for span in match[2].split(","))
    return match[1], tuple((int(first), int(end)) for first, end in spans)


def short_name(name: str) -> str:
    """Return a name with only the first and the last byte of the part, for people."""
    path, spans = split_name(name)
    return f"{path}{_MARK}{spans[0][0]}-{spans[-1][1]}" if spans else path


def _starts(file: BinaryIO, size: int, part_bytes: int) -> Iterator[int]:
    """Yield the places, but for the first byte, where parts begin."""
    codec = sniff_codec(file)
    members = codec and Members(file, codec, SourceTally(), name="", starts_with=WARC_START)
    at = part_bytes
    while at < size:
        start = members.find(at) if members else find_record(file, at)
        if start is None or start >= size:
            return
        yield start
        at = start + part_bytes
