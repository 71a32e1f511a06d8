"""Check that every engine makes the same records of an archive, whatever is killed or refused.

    python -m bench.engine_kills [--engine batch,dedupe,spark,ray] [--records 2000] [--kills 20]
        [--seed 1]

A WARC archive is made of the pages in tests/pages, of poison among them (pages that crash, hang,
raise, take all memory, are too large or no HTML), and of a damaged member. `thresher batch`
extracts it undisturbed, then each engine does, undisturbed as well, and once more with kills and
refusals: SIGKILL at random moments, by turns for a worker of the guard, for the process of a task
(that of the batch itself; a Python worker of Spark; an actor of Ray), and for all processes of the
job, at any moment since its start; it is then started again. Spark and Ray read the archive from,
and write to, a store that refuses three random requests; a batch has a disk that cannot be read
beyond a random byte once.

Each time there must be the records of the first run: the same ids, texts, metadata, verdicts and
digests. Errors are the same undisturbed, too; with kills, only which pages have one. A batch has
its records in the same order, and after each kill whole parts with some of them; one that finds
duplicates (dedupe) is compared with its own run undisturbed. Exits with 1 otherwise. Requires
Linux, the extra batch, and for Spark and Ray their extras and moto.
"""

from __future__ import annotations

import gzip
import logging
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.engine_jobs import ROOT, job_command
from bench.harness import make_kill_parser
from tests.batch.archives import response
from tests.batch.stores import FailingStore, open_store
from tests.helpers.fixture_pages import PAGES

Rows = dict[str, dict[str, Any]]
"""Id → the columns of a record."""

_POISON: Final = (
    "segfault:",
    "segfault:",
    "exit:3",
    "raise:no grain",
    "hang:",
    "eat:",
    "%PDF-1.7 no page",
    "",
    "<p>too large" + "x" * 2**20,
)
"""Bodies that crash, hang or are no pages (`tests.batch.misbehaving`)."""
_BATCHES: Final = ("batch", "dedupe")
_STORED: Final = ("spark", "ray")
_TARGETS: Final = ("worker", "task", "job")
_WORKER: Final = b"thresher.batch.worker"
_TOKEN: Final = "THRESHER_KILLS"
_LOOK_S: Final = 0.02
_N_REFUSAL: Final = 3
_REFUSED_SHARE: Final = 0.15
_MORE_RUNS: Final = 20
"""Runs of one job beyond its kills; it can fail after each refusal too, and goes on."""
_UNLIKE: Final = ("elapsed_s", "source")
"""Columns that differ from one time or place to the next."""


def write_archive(path: Path, n_record: int, chance: random.Random) -> None:
    """Write an archive with a member for each record, one of them damaged."""
    sources = [(page.folder / "page.html").read_text(encoding="utf-8") for page in PAGES.values()]
    bodies = [
        sources[number % len(sources)].replace("</p>", f" Sheaf {number}.</p>")
        for number in range(n_record)
    ]
    places = chance.sample(range(n_record), len(_POISON) + 1)
    for place, body in zip(places, _POISON, strict=False):
        bodies[place] = body
    with path.open("wb") as file:
        for number, body in enumerate(bodies):
            member = gzip.compress(response(f"https://farm.example/{number}", body), mtime=0)
            is_damaged = number == places[-1]
            file.write(member[:40] + b"chaff" + member[45:] if is_damaged else member)


def read_rows(files: Sequence[str], archive: str, system: Any = None) -> list[dict[str, Any]]:
    """Return the records in Parquet files, with the name of the archive left out.

    Those of damaged places come last: in the files they stand before pages that were still at work.
    """
    from pyarrow import parquet

    rows: list[dict[str, Any]] = []
    for file in files:
        for row in parquet.read_table(file, filesystem=system).to_pylist():
            kept = {name: value for name, value in row.items() if name not in _UNLIKE}
            for name in ("id", "error"):
                kept[name] = kept[name] and kept[name].replace(archive, "ARCHIVE")
            rows.append(kept)
    return sorted(rows, key=lambda row: "#damage" in row["id"])


def compare(
    found: Sequence[dict[str, Any]],
    expected: Sequence[dict[str, Any]],
    *,
    errors: bool,
    in_order: bool = False,
) -> str | None:
    """Describe how records differ from those expected, None if they are the same.

    Without ``errors``, it only matters which pages have one.
    """
    by_id = {row["id"]: row for row in expected}
    n_double = len(found) - len({row["id"] for row in found})
    if n_double:
        return f"{n_double} records are there twice"
    if len(found) != len(expected):
        return f"{len(found)} records for {len(expected)}"
    for place, row in enumerate(found):
        wanted = expected[place] if in_order else by_id.get(row["id"])
        if wanted is None or wanted["id"] != row["id"]:
            return f"record {place} is {row['id']}, which is not expected"
        for name, value in wanted.items():
            here, there = value, row[name]
            if name == "error" and not errors:
                here, there = here is None, there is None
            if here != there:
                return f"{name} of {row['id']} is {there!r} for {here!r}"[:400]
    return None


@dataclass(slots=True)
class Trial:
    """A job with kills and refusals, or without."""

    command: list[str]
    n_kill: int = 0
    chance: random.Random = field(default_factory=random.Random)
    usual_s: float = 0.0
    """Seconds that the work takes undisturbed."""
    check: Callable[[], str | None] = lambda: None
    """Says what is wrong after a run that was killed."""
    said: list[str] = field(default_factory=list)
    """What happened."""

    def run(self, options_of: Callable[[int], Sequence[str]] = lambda n_run: ()) -> float:
        """Run the job until it succeeds; return the seconds of work of its last run.

        ``options_of`` gives more options by the number of runs before. RuntimeError after too many,
        and if a check after one fails.
        """
        targets = list(_TARGETS)
        self.chance.shuffle(targets)
        left = [targets[number % len(targets)] for number in range(self.n_kill)]
        n_most = self.n_kill + _MORE_RUNS
        for n_run in range(n_most):
            is_done, work_s, stderr = self._run_once(left, options_of(n_run))
            if is_done and not left:
                return work_s
            if is_done:
                raise RuntimeError(f"{len(left)} kills came too late; make more records")
            if not self.n_kill:
                raise RuntimeError(stderr[-2000:])
            if fault := self.check():
                raise RuntimeError(f"{fault} ({'; '.join(self.said)})")
        raise RuntimeError(f"not done after {n_most} runs: {stderr[-2000:]}")

    def _run_once(self, left: list[str], options: Sequence[str]) -> tuple[bool, float, str]:
        """Run the job once, with the kills that are left; return success, seconds and errors."""
        token = uuid.uuid4().hex
        with TemporaryDirectory() as folder, (Path(folder) / "stderr").open("wb") as stderr:
            process = subprocess.Popen(
                [*self.command, *options],
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                cwd=ROOT,
                env={**os.environ, _TOKEN: token},
            )
            try:
                began_s = time.monotonic()
                if left[:1] != ["job"]:
                    began_s = self._wait_for_work(process, token)
                while left and process.poll() is None:
                    until_s = time.monotonic() + self.chance.uniform(0, self.usual_s / self.n_kill)
                    while time.monotonic() < until_s and process.poll() is None:
                        time.sleep(_LOOK_S)
                    if self._kill(process, token, left[0]):
                        target = left.pop(0)
                        self.said.append(f"{target} after {time.monotonic() - began_s:.1f} s")
                status = process.wait()
            finally:
                kill_all(token)
                process.wait()
            said = (Path(folder) / "stderr").read_text(encoding="utf-8", errors="replace")
        if status:
            self.said.append(f"the job ended with {status}")
        return status == 0, time.monotonic() - began_s, said

    def _wait_for_work(self, process: subprocess.Popen[bytes], token: str) -> float:
        while process.poll() is None and not find_workers(token):
            time.sleep(_LOOK_S)
        return time.monotonic()

    def _kill(self, process: subprocess.Popen[bytes], token: str, target: str) -> bool:
        """Kill once; return whether there was something at work to kill."""
        if process.poll() is not None:
            return False
        if target == "job":
            kill_all(token)
            return True
        workers = find_workers(token)
        if not workers:
            return False
        worker = self.chance.choice(workers)
        pid = worker if target == "worker" else parent_of(worker)
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            return True
        return False


def find_processes(token: str) -> Iterator[int]:
    """Yield the processes of a job: those that have its token in their environment."""
    wanted = f"{_TOKEN}={token}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    yield int(folder.name)


def find_workers(token: str) -> list[int]:
    """Return the workers of guards in a job."""
    workers = []
    for pid in find_processes(token):
        with suppress(OSError):
            if _WORKER in Path(f"/proc/{pid}/cmdline").read_bytes():
                workers.append(pid)
    return workers


def parent_of(pid: int) -> int | None:
    """Return the parent of a process; None if it is gone."""
    return int(_read_state(pid)[1]) or None


def _read_state(pid: int) -> tuple[str, str]:
    """Return the state of a process and the number of its parent; that of a dead one if gone."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        state, parent = stat.rpartition(")")[2].split()[:2]
        return state, parent
    return "X", "0"


def kill_all(token: str) -> None:
    """Kill all processes of a job, also those that start meanwhile."""
    while pids := [pid for pid in find_processes(token) if _read_state(pid)[0] not in "XZ"]:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_LOOK_S)


class Refusals:
    """Requests that the store refuses: each with some chance, until it were enough."""

    def __init__(self, chance: random.Random, n_left: int) -> None:
        self._chance = chance
        self._n_left = n_left
        self.said: list[str] = []

    def __call__(self, method: str, path: str) -> bool:
        """Return whether a request is refused."""
        hit = self._n_left > 0 and self._chance.random() < _REFUSED_SHARE
        if hit:
            self._n_left -= 1
            self.said.append(f"{method} {path.rpartition('/')[2]}")
        return hit


@dataclass(frozen=True, slots=True)
class Case:
    """What all engines extract."""

    archive: Path
    store: FailingStore | None
    """Where Spark and Ray read and write."""
    options: tuple[str, ...]
    folder: Path

    def prepare(self, engine: str, name: str) -> tuple[list[str], Callable[[], list[Any]]]:
        """Return the command of a job, and a function that reads its records."""
        if engine in _BATCHES:
            out = self.folder / name
            command = job_command(engine, str(out), [str(self.archive)], *self.options)
            return command, lambda: read_rows(
                [str(part) for part in sorted(out.glob("part-*.parquet"))], str(self.archive)
            )
        store = self.store
        assert store
        uri = store.uri(f"barn/{self.archive.name}")
        command = job_command(engine, store.uri(f"barn/{name}"), [uri], *self.options)
        return command, lambda: read_rows(_list_files(store, name), uri, store.system)


def _list_files(store: FailingStore, name: str) -> list[str]:
    from pyarrow import fs

    there = store.system.get_file_info(fs.FileSelector(f"barn/{name}"))
    return [info.path for info in there if not info.base_name.startswith("_")]


def try_engine(
    engine: str, case: Case, expected: list[Any], n_kill: int, chance: random.Random
) -> Iterator[tuple[str, int, str | None]]:
    """Yield, for a job undisturbed and one with kills: what happened, records, and a fault."""
    is_batch = engine in _BATCHES
    command, read = case.prepare(engine, f"{engine}-calm")
    calm = Trial(command)
    usual_s = calm.run()
    records = read()
    expected[:] = expected or records
    fault = compare(records, expected, errors=True, in_order=is_batch)
    yield f"undisturbed, {usual_s:.1f} s", len(records), fault
    command, read = case.prepare(engine, f"{engine}-killed")
    trial = Trial(command, n_kill, chance, usual_s)
    refusals = Refusals(chance, _N_REFUSAL)
    if is_batch:

        def check() -> str | None:
            parts = read()
            ids = {row["id"] for row in parts}
            same = [row for row in expected if row["id"] in ids]
            return compare(parts, same, errors=False, in_order=True)

        trial.check = check
        n_byte = chance.randrange(case.archive.stat().st_size)
        trial.said.append(f"the disk fails after {n_byte:,} bytes")
        trial.run(lambda n_run: () if n_run else ("--fails-after", str(n_byte)))
    elif case.store:
        case.store.refuses = refusals
        try:
            trial.run()
        finally:
            case.store.refuses = lambda method, path: False
    records = read()
    refused = [f"refused {what}" for what in refusals.said]
    happened = "; ".join([*trial.said, *refused])
    yield happened, len(records), compare(records, expected, errors=False, in_order=is_batch)


def main() -> None:
    """Kill, compare and print."""
    parser = make_kill_parser(__doc__, "records", 2000)
    engines = (*_BATCHES, *_STORED)
    parser.add_argument("--engine", default=",".join(engines), metavar="NAME,...")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    asked = set(args.engine.split(","))
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    faults = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        archive = folder / "barn.warc.gz"
        write_archive(archive, args.records, random.Random(args.seed))
        store = None
        if asked & {*_STORED}:
            store = stack.enter_context(open_store("barn"))
            with store.system.open_output_stream(
                f"barn/{archive.name}", compression=None
            ) as stream:
                stream.write(archive.read_bytes())
            asked.add("batch")  # the first, as they are compared with it
        case = Case(archive, store, ("--poison", "-j", str(args.jobs)), folder)
        of_batch: list[Any] = []
        for engine in sorted(asked, key=engines.index):
            chance = random.Random(f"{args.seed} {engine}")
            expected = [] if engine == "dedupe" else of_batch
            try:
                for happened, n_record, fault in try_engine(
                    engine, case, expected, args.kills, chance
                ):
                    faults += fault is not None
                    result = fault or "the same"
                    print(f"{engine}: {happened}: {n_record} records; {result}", flush=True)
            except RuntimeError as error:
                faults += 1
                print(f"{engine}: {error}", flush=True)
        print(f"{faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
