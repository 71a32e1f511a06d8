"""Background runs of the command line, each in its own process, with state in files.

A run is a folder with ``run.json`` (its description), ``events.jsonl`` (`thresher.training.events`)
and the output of the command. So runs survive closed pages and restarts of the server. Their pages
follow them by server-sent events.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shlex
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from thresher.app.context import AppContext, context_of
from thresher.errors import UsageError
from thresher.training.events import read_events

EVENTS: Final = "events.jsonl"
_RUN: Final = "run.json"
_LOG: Final = "log.txt"
_ENDED: Final = "ended.json"
_PID: Final = "pid"
_MAX_LOG_CHARS: Final = 4000
_NICENESS: Final = "10"
"""Lowers the priority, so that pages are served first."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """Description of a run of one command."""

    id: str
    kind: str
    """``train`` or ``measure``."""
    command: tuple[str, ...]
    """Arguments of `thresher`."""
    made_at: str
    """ISO 8601, in UTC."""
    about: dict[str, Any] = field(default_factory=dict)
    """Values of the form."""

    @property
    def command_line(self) -> str:
        """The command as it is typed into a shell."""
        return shlex.join(["thresher", *self.command])


@dataclass(slots=True)
class State:
    """State of a run."""

    is_running: bool = False
    is_cancelled: bool = False
    progress: dict[str, Any] | None = None
    said: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None
    problem: str | None = None
    """Why the run ended without a result."""


class RunFolder:
    """A folder of runs; only one can be active."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def plan(self, kind: str) -> Path:
        """Create the folder of a new run; UsageError while another one is active."""
        busy = [run for run in self.find() if self.state(run.id).is_running]
        if busy:
            raise UsageError(f"another run is active: {busy[0].id}; wait for it or cancel it")
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        folder = self.folder / f"{kind}-{stamp}-{secrets.token_hex(2)}"
        folder.mkdir(parents=True)
        return folder

    async def start(
        self, folder: Path, command: Sequence[str], about: dict[str, Any]
    ) -> CommandRun:
        """Start the command in a process; it must name a file in the run's folder."""
        kind = folder.name.partition("-")[0]
        made_at = datetime.now(UTC).isoformat(timespec="seconds")
        run = CommandRun(folder.name, kind, tuple(command), made_at, about)
        (folder / _RUN).write_text(json.dumps(asdict(run)), encoding="utf-8")
        nice = shutil.which("nice")
        prefix = [nice, "-n", _NICENESS] if nice else []
        with (folder / _LOG).open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *prefix,
                *(sys.executable, "-m", "thresher", *command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=log,
            )
        (folder / _PID).write_text(str(process.pid), encoding="ascii")
        task = asyncio.create_task(_wait(process, folder))
        _WAITING.add(task)
        task.add_done_callback(_WAITING.discard)
        return run

    def cancel(self, name: str) -> None:
        """Stop a run if it is active."""
        folder = self._find(name)
        if self.state(name).is_running:
            (folder / "cancelled").touch()
            with suppress(OSError, ValueError):
                os.kill(int((folder / _PID).read_text()), signal.SIGTERM)

    def find(self, kind: str | None = None) -> list[CommandRun]:
        """Return the runs, newest first."""
        runs = []
        for path in self.folder.glob(f"*/{_RUN}"):
            with suppress(OSError, ValueError, TypeError):
                run = _read_run(path)
                if kind in (None, run.kind):
                    runs.append(run)
        return sorted(runs, key=lambda run: (run.made_at, run.id), reverse=True)

    def earlier(self, kind: str) -> list[tuple[CommandRun, State]]:
        """Return the latest runs of a kind with their states, newest first."""
        return [(run, self.state(run.id)) for run in self.find(kind)[:_MAX_EARLIER]]

    def run(self, name: str) -> CommandRun | None:
        """Return a run; None if it does not exist."""
        try:
            return _read_run(self._find(name) / _RUN)
        except (OSError, ValueError, TypeError, UsageError):
            return None

    def file(self, name: str, file: str) -> Path:
        """Return the path of a file in a run's folder."""
        return self._find(name) / file

    def state(self, name: str) -> State:
        """Read the state of a run."""
        folder = self._find(name)
        state = State(is_cancelled=(folder / "cancelled").exists())
        for event in read_events(folder / EVENTS)[0]:
            match event["event"]:
                case "progress":
                    state.progress = event
                case "said":
                    state.said.append(event["text"])
                case "result":
                    state.result = event
                case "failed":
                    state.problem = event["text"]
        ended = (folder / _ENDED).exists()
        state.is_running = not ended and _is_alive(folder)
        if not state.is_running and state.result is None and not state.is_cancelled:
            state.problem = state.problem or _last_words(folder)
        return state

    def _find(self, name: str) -> Path:
        folder = self.folder / name
        if folder.parent != self.folder or name in ("", ".", ".."):
            raise UsageError("no such run")
        return folder


_WAITING: Final[set[asyncio.Task[None]]] = set()
"""Tasks that wait for a process; the event loop holds only weak references to them."""


async def _wait(process: asyncio.subprocess.Process, folder: Path) -> None:
    status = await process.wait()
    ended = {"status": status, "at": time.time()}
    with suppress(OSError):
        (folder / _ENDED).write_text(json.dumps(ended), encoding="ascii")


def _read_run(path: Path) -> CommandRun:
    values = json.loads(path.read_text(encoding="utf-8"))
    return CommandRun(**values | {"command": tuple(values["command"])})


def _is_alive(folder: Path) -> bool:
    """Return whether the process of a run is alive; its PID may have been reused."""
    try:
        number = int((folder / _PID).read_text())
        os.kill(number, 0)
    except (OSError, ValueError):
        return False
    try:
        arguments = Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return True
    return not arguments or folder.name.encode() in arguments


def _last_words(folder: Path) -> str:
    try:
        log = (folder / _LOG).read_text(encoding="utf-8", errors="replace")[-_MAX_LOG_CHARS:]
    except OSError:
        log = ""
    lines = [line for line in log.splitlines() if line.strip()]
    return lines[-1].removeprefix("thresher: ") if lines else "it ended without a message"


_LOOK_S: Final = 0.4
"""Seconds between checks of the run's files."""
_MAX_S: Final = 3600.0
"""Seconds after which the stream ends, and the browser reconnects."""


async def follow_run(
    request: Request, *, kind: str, describe: Callable[[State], dict[str, Any]]
) -> StreamingResponse:
    """Send the description of a run whenever it changes, and ``ended`` at the end."""
    runs, name = runs_of(context_of(request)), run_of(request, kind).id

    async def send() -> AsyncIterator[bytes]:
        last = ""
        with anyio.move_on_after(_MAX_S):
            while True:
                state = await anyio.to_thread.run_sync(runs.state, name)
                sent = json.dumps(describe(state))
                if sent != last:
                    last = sent
                    yield f"data: {sent}\n\n".encode()
                if not state.is_running:
                    yield b"event: ended\ndata: {}\n\n"
                    return
                await anyio.sleep(_LOOK_S)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(send(), media_type="text/event-stream", headers=headers)


async def cancel_run(request: Request, *, kind: str) -> Response:
    """Cancel a run, and return to its page."""
    runs_of(context_of(request)).cancel(run_of(request, kind).id)
    return RedirectResponse(request.url.path.removesuffix("/cancel"), 303)


_MAX_EARLIER: Final = 20


def runs_of(context: AppContext) -> RunFolder:
    """Return the runs of this server."""
    return RunFolder(context.settings.data_dir / "runs")


def run_of(request: Request, kind: str) -> CommandRun:
    """Return the run in a request's path; 404 if there is none of this kind."""
    run = runs_of(context_of(request)).run(str(request.path_params["run"]))
    if run is None or run.kind != kind:
        raise HTTPException(404, "there is no such run")
    return run


def format_amount(progress: Mapping[str, Any], counted: str) -> str:
    """Return how much is done, such as ``3 of 11 models``; ``3 models`` if the total is unknown."""
    done, total = progress.get("done", 0), progress.get("total", 0)
    return f"{done:,} of {total:,} {counted}" if total else f"{done:,} {counted}"


def describe_progress(state: State, words: str, chart: str = "") -> dict[str, Any]:
    """Return the progress of a run for its page and script."""
    progress = state.progress or {}
    return {
        "words": words,
        "done": progress.get("done", 0),
        "total": progress.get("total", 0),
        "chart": chart,
        "said": state.said,
        "is_running": state.is_running,
    }
