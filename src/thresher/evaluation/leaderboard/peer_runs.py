"""Running peers on labelled pages: each is asked once about a page, and its outputs are kept.

A peer gets the HTML as text, the URL, and the language: that of the label, otherwise the one
declared in the page's metadata or detected in its text. HTML output of any peer is converted to
text in the same way, by our `keep_all`, outside the peer's time.

A peer is a process: asked page by page, with a deadline, and restarted when it dies. The deadline
is in processor seconds, enforced by the worker: on a busy machine a peer must not lose pages
because of other processes. For a worker that waits, or cannot measure, there is a wall-clock limit.

Outputs are kept in one SQLite file, by peer, version and page. So an interrupted run resumes, and a
run with a new method of ours takes only that method's time. Errors are kept too; delete the file to
ask again.
"""

from __future__ import annotations

import hashlib
import json
import signal
import sqlite3
import zlib
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from thresher.errors import InputError, ThresherError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.evaluate import Found
from thresher.evaluation.leaderboard.peers import Environment, Peer, prepare
from thresher.extraction import extract
from thresher.support.workers import Worker

START_TIMEOUT_S: Final = 300.0
"""Seconds a peer may take to load: some take five, and many more on a busy machine."""
WALL_SECONDS: Final = 10.0
"""Seconds to wait for each processor second of the deadline."""
_OUT_OF_TIME: Final = -int(getattr(signal, "SIGPROF", 0))
"""Exit status of a worker that was ended at its deadline."""
_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS outputs (
        peer TEXT, version TEXT, page BLOB, found BLOB, cpu_s REAL, error TEXT,
        PRIMARY KEY (peer, version, page)
    )
"""
_BUSY_TIMEOUT_S: Final = 60.0
_WORKER: Final = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class PeerAnswer:
    """A peer's answer for a page."""

    found: str
    cpu_s: float
    """Processor seconds; the deadline if it was missed, 0 if the process died."""
    error: str | None = None


class Process:
    """A worker process that answers requests, one JSON object per line.

    Use it in a ``with`` statement; it starts with the first request.
    """

    def __init__(self, command: Sequence[str], *, deadline_s: float) -> None:
        self._command = list(command)
        self._deadline_s = deadline_s
        self._worker: Worker | None = None

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, request: Mapping[str, Any]) -> PeerAnswer:
        """Send one request and wait for its answer; a hang or a crash becomes the answer's error.

        Raises ThresherError if the worker cannot be started.
        """
        worker = self._worker or self._start()
        try:
            worker.send(json.dumps(request).encode("ascii") + b"\n")
            line = worker.receive(self._deadline_s * WALL_SECONDS)
        except TimeoutError:
            self.stop()
            return self._missed()
        except OSError:
            line = b""
        try:
            fields = json.loads(line)
            return PeerAnswer(fields["found"], fields["cpu_s"], fields["error"])
        except (ValueError, LookupError, TypeError):
            status = self.stop()
            if status and status == _OUT_OF_TIME:
                return self._missed()
            return PeerAnswer("", 0.0, f"the process died (status {status})")

    def stop(self) -> int | None:
        """End the process, if there is one, and return its exit status."""
        worker, self._worker = self._worker, None
        return worker.end(patience_s=1.0) if worker else None

    def _missed(self) -> PeerAnswer:
        return PeerAnswer("", self._deadline_s, f"no answer in {self._deadline_s:g} s")

    def _start(self) -> Worker:
        try:
            self._worker = worker = Worker(self._command)
        except OSError as error:
            raise ThresherError(f"cannot be started: {error}") from error
        try:
            problem = json.loads(worker.receive(START_TIMEOUT_S))["error"]
        except TimeoutError:
            problem = f"not loaded in {START_TIMEOUT_S:g} s"
        except (ValueError, LookupError, TypeError):
            problem = "the process died"
        if problem:
            self.stop()
            raise ThresherError(f"cannot be started: {problem}")
        return worker


class Outputs:
    """The answers of peers in a file; InputError if the file is not such a database.

    Use it in a ``with`` statement, and from one thread.
    """

    def __init__(self, path: Path) -> None:
        self._file = connect(path, _TABLE)

    def get(self, peer: str, version: str, page: bytes) -> PeerAnswer | None:
        """Return a peer's answer for the page with this key, None if it was not asked."""
        row = self._file.execute(
            "SELECT found, cpu_s, error FROM outputs WHERE peer = ? AND version = ? AND page = ?",
            (peer, version, page),
        ).fetchone()
        if row is None:
            return None
        packed, cpu_s, error = row
        return PeerAnswer(zlib.decompress(packed).decode("utf-8", "surrogatepass"), cpu_s, error)

    def put(self, peer: str, version: str, page: bytes, answer: PeerAnswer) -> None:
        """Store a peer's answer for a page; it is on disk when this returns."""
        packed = zlib.compress(answer.found.encode("utf-8", "surrogatepass"))
        with self._file:
            self._file.execute(
                "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?)",
                (peer, version, page, packed, answer.cpu_s, answer.error),
            )

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def connect(path: Path, table: str) -> sqlite3.Connection:
    """Open a database file, creating it if necessary; InputError as `Outputs`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        file = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)
        try:
            file.execute(table)
        except sqlite3.Error:
            file.close()
            raise
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}") from error
    return file


def key_of(page: LabelledPage) -> bytes:
    """Return the digest of a page's request to peers."""
    parts = (page.html, page.url or "", page.lang or "")
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A peer that takes part; it finds on a page what is in the file of outputs."""

    peer: Peer
    environment: Environment
    outputs: Path

    @property
    def name(self) -> str:
        """Its name in tables."""
        return self.peer.name

    @property
    def key(self) -> tuple[str, str]:
        """The settings and the version under which its outputs are kept."""
        return f"{self.peer.name}: {self.peer.call}", self.environment.version

    def find(self, page: LabelledPage) -> Found:
        """Return what the peer found; ThresherError if it was not asked."""
        with Outputs(self.outputs) as outputs:
            answer = outputs.get(*self.key, key_of(page))
        if answer is None:
            raise ThresherError("the peer was not asked")
        return Found(answer.found, answer.cpu_s, not answer.found.strip(), answer.error)


def run_peer(entrant: Entrant, *, deadline_s: float, loaders: Path | None = None) -> Process:
    """Return the process that runs a peer in its environment; it starts with the first request.

    ``deadline_s`` is the processor time it has per page. ``loaders`` is a file that asks peers for
    something other than the text, see `worker`.
    """
    command = [str(entrant.environment.python), "-I", str(_WORKER), entrant.peer.name]
    command += [str(deadline_s), *([str(loaders)] if loaders else [])]
    return Process(command, deadline_s=deadline_s)


def open_outputs(stack: ExitStack, cache: Path | None) -> tuple[Path, Outputs]:
    """Open the file of peer outputs: the cache, or without one a temporary file for this run."""
    path = cache or Path(stack.enter_context(TemporaryDirectory())) / "kept"
    return path, stack.enter_context(Outputs(path))


def gather(
    stack: ExitStack,
    peers: Iterable[Peer],
    args: Namespace,
    kept: Path,
    on_absent: Callable[[Peer, str], object],
    *,
    prepare: Callable[..., Environment] = prepare,
    start: Callable[..., Process] = run_peer,
) -> dict[Entrant, Process]:
    """Prepare peers, each with the process that runs it; report those that are not available.

    ``args`` has the options of `add_running`, ``kept`` is the file of outputs.
    """
    entrants: dict[Entrant, Process] = {}
    for peer in peers:
        try:
            place = prepare(peer, args.environment, python=args.python, install=args.install)
        except ThresherError as error:
            on_absent(peer, str(error))
            continue
        entrant = Entrant(peer, place, kept)
        entrants[entrant] = stack.enter_context(start(entrant, deadline_s=args.deadline))
    return entrants


def ask_all(
    entrants: Mapping[Entrant, Process],
    pages: Iterable[LabelledPage],
    outputs: Outputs,
    *,
    n_job: int = 1,
) -> tuple[int, dict[Entrant, str]]:
    """Ask each peer about each page for which it has no answer yet, and store the answers.

    ``n_job`` peers work at the same time. A peer that cannot be started is not asked again. Returns
    the number of new answers, and the peers that could not be started with the reason.
    """
    n_answer = 0
    problems: dict[Entrant, str] = {}
    with ThreadPoolExecutor(n_job) as threads:
        for page in pages:
            key = key_of(page)
            waiting = [
                entrant
                for entrant in entrants
                if entrant not in problems and outputs.get(*entrant.key, key) is None
            ]
            request = request_of(page) if waiting else {}
            asked = [
                threads.submit(_ask, entrant, entrants[entrant], request) for entrant in waiting
            ]
            for entrant, answer in zip(waiting, asked, strict=True):
                try:
                    outputs.put(*entrant.key, key, answer.result())
                    n_answer += 1
                except ThresherError as error:
                    problems[entrant] = str(error)
    return n_answer, problems


def ask_each(
    entrants: Mapping[Entrant, Process], page: LabelledPage, outputs: Outputs
) -> Iterator[tuple[str, PeerAnswer]]:
    """Yield the name of each peer and its answer for a page, as `ask_all` asks for it.

    Raises ThresherError if a peer cannot be started.
    """
    _, problems = ask_all(entrants, [page], outputs)
    for entrant in entrants:
        if entrant in problems:
            raise ThresherError(f"{entrant.name}: {problems[entrant]}")
        answer = outputs.get(*entrant.key, key_of(page))
        assert answer is not None
        yield entrant.name, answer


def request_of(page: LabelledPage) -> dict[str, Any]:
    """Return the request that peers get for a page."""
    return {"html": page.html, "url": page.url, "lang": _language_of(page)}


def _ask(entrant: Entrant, process: Process, request: Mapping[str, Any]) -> PeerAnswer:
    answer = process.ask(request)
    if not entrant.peer.gives_html or not answer.found.strip():
        return answer
    try:
        return PeerAnswer(extract(answer.found, method="keep_all").text, answer.cpu_s, answer.error)
    except ThresherError as error:  # its output is not HTML
        return PeerAnswer("", answer.cpu_s, str(error))


def _language_of(page: LabelledPage) -> str | None:
    """Return the language as a code of two letters, or of three if it has none of two."""
    tag = page.lang
    if not tag:
        try:
            language = extract(page.html, url=page.url, method="keep_all").metadata.language
        except ThresherError:  # not a page
            return None
        tag = language.value if language else None
    return tag.split("-")[0].lower() if tag else None
