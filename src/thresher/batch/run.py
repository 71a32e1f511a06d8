"""A batch run: from the sources through the guard to the parts of the output.

Records are collected into parts; a part is written, and then committed to the manifest together
with all bookkeeping of its records. Everything in the manifest is done; a resumed batch reads its
sources again and skips it.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from errno import EFBIG, ENOSPC
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, Protocol

from thresher.batch.duplicates import Duplicates, RepeatedBlocks
from thresher.batch.manifest import Manifest, OutputPart, PositionSet, differ, take_fingerprints
from thresher.batch.model import Item, Record, Settings
from thresher.batch.reporting import BatchReport, Stats, Watcher
from thresher.batch.signatures import algorithm
from thresher.batch.sinks import SINKS
from thresher.batch.sources.base import Place, ReadOptions, SourceTally
from thresher.batch.sources.plan import read_source
from thresher.errors import ThresherError, UsageError
from thresher.support.files import TEMPORARY, is_disk_full, publish, remove

N_PER_PART: Final = 5000
"""Records per part."""
MAX_PART_CHARS: Final = 2**27
"""Characters of content after which a part is written: until then they are in memory, and processed
again if the batch is killed."""
_PART_START: Final = "part-"
_GO_ON: Final = "go on with --resume"
_LIMITS: Final = ("limits", "max_bytes")
"""What may differ where only errors are done again."""


class Workers(Protocol):
    """What a batch needs of `thresher.batch.guard.Guard`."""

    def extract(self, items: Iterable[Item]) -> Iterator[Record]:
        """Yield one record for every item, in order."""


MakeWorkers = Callable[[Settings, int], AbstractContextManager[Workers]]
"""Settings and number of worker processes → workers."""


@dataclass(frozen=True, slots=True)
class Job:
    """The definition of a batch."""

    out: Path
    """The output folder."""
    format: str
    """One of `SINKS`."""
    settings: Settings
    read_options: ReadOptions = field(default_factory=ReadOptions)
    n_worker: int = 1
    dedupe: bool = False
    repeats: bool = False
    n_per_part: int = N_PER_PART
    only_errors: bool = False
    """Whether the pages with an error are done again on resuming, for which limits may differ."""
    reread_changed: bool = False
    """Whether a source that has changed since its first pages were read is read anew on resuming,
    and replaces their records; otherwise it is an error."""


def run_batch(
    job: Job,
    find: Callable[[], Iterable[Place]],
    make_workers: MakeWorkers,
    watcher: Watcher,
    *,
    resume: bool = False,
    is_stopped: Callable[[], bool] = lambda: False,
) -> BatchReport:
    """Run a batch, or resume one that was stopped.

    ``find`` returns the sources; it is called only for a new batch. With ``resume`` a batch in the
    folder is continued; without one a new batch is started. Once ``is_stopped`` returns True, no
    further page is started, and the report covers the pages so far.

    Raises UsageError if the folder already has a batch, if the batch to resume was started with
    other settings, if a source that it goes on with has changed (unless ``job.reread_changed``), or
    if another process is working on it; OSError if it cannot write, with the
    folder as file name; ThresherError if no worker can be started. The batch can then be resumed,
    as after a crash.
    """
    started_s = time.monotonic()
    # The manifest is looked for last: another process may be about to write it.
    if job.out.is_dir() and any(job.out.iterdir()) and not Manifest.is_in(job.out):
        raise UsageError(f"{job.out} is not empty, and contains no batch to resume")
    try:
        job.out.mkdir(parents=True, exist_ok=True)
        manifest = Manifest(job.out)
        try:
            if not manifest.is_begun():
                manifest.create(iter(find()), _describe(job))
            elif resume:
                manifest.check(_describe(job), _LIMITS if job.only_errors else ())
            else:
                raise UsageError(f"{job.out} has a batch already: --resume goes on with it")
            return _Batch(job, manifest, watcher, is_stopped).run(make_workers, started_s)
        finally:
            with suppress(sqlite3.Error):
                manifest.close()
    except sqlite3.OperationalError as error:
        is_full = "full" in str(error)
        says = f"{error}; {'make room, and ' if is_full else ''}{_GO_ON}"
        raise OSError(ENOSPC if is_full else 0, says, str(job.out)) from error
    except OSError as error:
        if is_disk_full(error) or error.errno == EFBIG:
            says = f"{error.strerror}; make room, and {_GO_ON}"
            raise OSError(error.errno, says, str(job.out)) from error
        raise


def _describe(job: Job) -> dict[str, str]:
    """Return everything that records depend on, which must not change when resuming."""
    return {
        **job.settings.describe(),
        "format": job.format,
        "columns": repr(sorted(job.read_options.columns.items())),
        "max_bytes": str(job.read_options.max_bytes),
        "dedupe": algorithm() if job.dedupe else "no",
        "repeats": "yes" if job.repeats else "no",
    }


class _Batch:
    """The state of a running batch."""

    def __init__(
        self, job: Job, manifest: Manifest, watcher: Watcher, is_stopped: Callable[[], bool]
    ) -> None:
        self._job = job
        self._manifest = manifest
        self._watcher = watcher
        self._is_stopped = is_stopped
        self._sink = SINKS[job.format]
        self._total = Stats()
        self._done: dict[int, PositionSet] = {}
        self._looks: dict[int, list[str | None]] = {}
        """Fingerprints of the files of the sources that were begun earlier."""
        self._n_part = 0
        """Number of the next part."""
        self._part: list[tuple[int, int, Record]] = []
        """Source and position of each record since the last part."""
        self._part_chars = 0
        self._ended: list[tuple[int, Place, SourceTally]] = []
        """Sources that were read completely since the last part."""
        self._unread: dict[int, SourceTally] = {}
        """Sources that could not be read to their ends."""
        self._n_byte = 0
        """Bytes of the sources before the current one."""
        self._in_flight: deque[tuple[int, int, Place, str]] = deque()
        """Source, position and id of the pages being processed."""

    def run(self, make_workers: MakeWorkers, started_s: float) -> BatchReport:
        job, manifest = self._job, self._manifest
        manifest.begin()
        self._marks = [Duplicates(manifest.database).mark] if job.dedupe else []
        self._marks += [RepeatedBlocks(manifest.database).mark] if job.repeats else []
        places = list(manifest.places())
        if job.only_errors:
            self._forget_errors()
        self._compare(places)
        self._done = manifest.done()
        self._looks = manifest.fingerprints()
        for part in manifest.parts():
            self._total.merge(part.stats)
            self._n_part = _number_of(part) + 1
        n_resumed = self._total.n_record
        self._tidy()
        n_byte = sum(place.n_byte for _, place in places)
        self._watcher.begin(len(places), n_byte, n_resumed)
        items = self._read(places, manifest.ended())
        try:
            with make_workers(job.settings, job.n_worker) as workers:
                for record in workers.extract(items):
                    number, position, place, id = self._in_flight.popleft()
                    if record.id != id:
                        raise RuntimeError(f"a record of {record.id} came for {id}")
                    self._take(number, position, replace(record, source=place.name))
        except ThresherError as error:
            # For example, no worker can be started: keep what is done so far.
            self._close_part()
            manifest.commit()
            if isinstance(error, UsageError):
                raise
            raise ThresherError(f"{error}; {_GO_ON}") from error
        self._close_part()
        manifest.commit()
        return self._report(len(places), n_resumed, time.monotonic() - started_s)

    def _compare(self, places: Sequence[tuple[int, Place]]) -> None:
        """Refuse or forget the sources to go on with that have changed since they were begun.

        Forgetting one can take records of others with it, which then are gone on with, too.
        """
        manifest = self._manifest
        while changed := self._changed(places):
            says = f"{changed[0][1].name} has changed since its first pages were read"
            if not self._job.reread_changed:
                raise UsageError(
                    f"{says}: --changed again reads it anew, and replaces their records"
                )
            if self._marks:
                raise UsageError(
                    f"{says}, and the marks of other pages (--dedupe, --repeats) depend on them: "
                    "start a batch in another folder"
                )
            for number, _ in changed:
                manifest.forget_source(number)
        manifest.commit()
        manifest.begin()

    def _forget_errors(self) -> None:
        """Replace each part with errors by one without them, whose pages are then to be done."""
        parts = list(self._manifest.parts())
        n_part = max((_number_of(part) for part in parts), default=-1) + 1
        for part in parts:
            if not part.failed:
                continue
            self._manifest.forget_part(part)
            done = {
                number: PositionSet(spans).without(set(part.failed.get(number, ())))
                for number, spans in part.done.items()
            }
            if n_good := sum(map(len, done.values())):
                path = self._path_of(n_part)
                before, stats = self._job.out / part.name, Stats()
                n_byte = publish(path, partial(self._sink.drop_errors, before))
                stats.merge(part.stats)
                stats.drop_errors()
                spans = {number: rest.pairs() for number, rest in done.items() if rest}
                self._manifest.add_part(
                    OutputPart(path.name, n_good, n_byte, spans, {}, stats.as_dict())
                )
                n_part += 1

    def _changed(self, places: Sequence[tuple[int, Place]]) -> list[tuple[int, Place]]:
        """Return the sources that have changed, of those of which some pages are done, not all."""
        done, ended = self._manifest.done(), self._manifest.ended()
        before = self._manifest.fingerprints()
        return [
            (number, place)
            for number, place in places
            if number in before
            and (number in ended or number in done)
            and not _is_complete(ended.get(number), done.get(number))
            and differ(before[number], take_fingerprints(place.paths))
        ]

    def _read(
        self, places: Sequence[tuple[int, Place]], ended: Mapping[int, SourceTally]
    ) -> Iterator[Item]:
        """Yield the remaining items; unreadable pages become records directly."""
        for number, place in places:
            done = self._done.get(number, PositionSet())
            if not _is_complete(ended.get(number), done):
                tally = SourceTally()
                yield from self._read_one(number, place, done, tally)
                if self._is_stopped():
                    return
                if tally.unread:
                    self._unread[number] = tally
                else:
                    self._ended.append((number, place, tally))
                n_byte = self._n_byte + place.n_byte
                self._watcher.advance(place.name, n_byte, self._total)
                self._watcher.end_source(place, tally)
            self._n_byte += place.n_byte

    def _read_one(
        self, number: int, place: Place, done: PositionSet, tally: SourceTally
    ) -> Iterator[Item]:
        now = take_fingerprints(place.paths)
        looks = [before or here for before, here in zip_longest(self._looks.get(number, []), now)]
        self._manifest.begin_source(number, looks)
        options = self._job.read_options
        for position, entry in read_source(place, options, tally, done.__contains__):
            self._watcher.advance(place.name, self._n_byte + tally.n_byte, self._total)
            if self._is_stopped():
                return
            if isinstance(entry, Item):
                self._in_flight.append((number, position, place, entry.id))
                yield entry
            else:
                record = entry.as_record(self._job.settings)
                self._take(number, position, replace(record, source=place.name))
        # A page that is a file of its own is read at once.
        if len(place.paths) == 1 and differ(looks, take_fingerprints(place.paths)):
            tally.unread.append(f"{place.name}: it changed while it was read")

    def _take(self, number: int, position: int, record: Record) -> None:
        for mark in self._marks:
            record = mark(record)
        self._part.append((number, position, record))
        self._total.add(record)
        self._part_chars += sum(
            len(text) for text in (record.text, record.markdown, record.html) if text
        )
        if len(self._part) >= self._job.n_per_part or self._part_chars >= MAX_PART_CHARS:
            self._close_part()

    def _close_part(self) -> None:
        """Write the part, and commit it with its bookkeeping."""
        if self._part:
            path = self._path_of(self._n_part)
            records = [record for _, _, record in self._part]
            n_byte = publish(path, partial(self._sink.write, records))
            stats = Stats()
            done: dict[int, list[int]] = {}
            failed: dict[int, list[int]] = {}
            for number, position, record in self._part:
                stats.add(record)
                done.setdefault(number, []).append(position)
                if record.error is not None:
                    failed.setdefault(number, []).append(position)
            spans = {number: PositionSet.of(those).pairs() for number, those in done.items()}
            self._manifest.add_part(
                OutputPart(path.name, len(records), n_byte, spans, failed, stats.as_dict())
            )
            self._n_part += 1
        for number, _, tally in self._ended:
            self._manifest.end_source(number, tally)
        self._manifest.commit()
        self._manifest.begin()
        self._part, self._part_chars, self._ended = [], 0, []

    def _path_of(self, n_part: int) -> Path:
        return self._job.out / f"{_PART_START}{n_part:06}{self._sink.suffix}"

    def _tidy(self) -> None:
        names = {part.name for part in self._manifest.parts()}
        for path in self._job.out.glob(f"{_PART_START}*"):
            if path.name not in names or path.name.endswith(TEMPORARY):
                remove(path)

    def _report(self, n_source: int, n_resumed: int, elapsed_s: float) -> BatchReport:
        ended, done = self._manifest.ended(), self._manifest.done()
        tallies = ended.values()
        n_unread = sum(
            max(tally.n_entry, len(done.get(number, ()))) for number, tally in self._unread.items()
        )
        parts = list(self._manifest.parts())
        skipped = sum((tally.skipped for tally in tallies), start=SourceTally().skipped)
        return BatchReport(
            n_source=n_source,
            n_read=len(tallies),
            n_entry=sum(tally.n_entry for tally in tallies) + n_unread,
            n_record=sum(part.n_record for part in parts),
            n_part=len(parts),
            missing=tuple(part.name for part in parts if not self._is_there(part)),
            skipped=dict(skipped.most_common()),
            damage=[damage for tally in tallies for damage in tally.damage],
            unread=[what for tally in self._unread.values() for what in tally.unread],
            stats=self._total,
            elapsed_s=elapsed_s,
            n_resumed=n_resumed,
        )

    def _is_there(self, part: OutputPart) -> bool:
        path = self._job.out / part.name
        files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
        return path.exists() and part.n_byte == sum(file.stat().st_size for file in files)


def _number_of(part: OutputPart) -> int:
    return int(part.name.removeprefix(_PART_START).partition(".")[0])


def _is_complete(tally: SourceTally | None, done: PositionSet | None) -> bool:
    return tally is not None and len(done or ()) >= tally.n_entry
