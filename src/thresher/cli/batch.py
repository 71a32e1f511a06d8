"""`thresher batch`: extract many pages into a folder of records, with a summary."""

from __future__ import annotations

import json
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

from thresher import __version__
from thresher.batch.guard import Guard
from thresher.batch.known import KnownPages, read_known
from thresher.batch.model import SCHEMA, Settings
from thresher.batch.reporting import BatchReport, describe_report, open_watcher
from thresher.batch.run import N_PER_PART, Job, run_batch
from thresher.batch.sinks import SINKS
from thresher.batch.sources.base import COLUMNS, Place, ReadOptions
from thresher.batch.sources.plan import find_places
from thresher.cli.batch_options import READ_AGAIN
from thresher.cli.choices import read_limits, read_params, read_rules, read_sites, read_values
from thresher.cli.console import STDIN, Exit, say
from thresher.errors import InputError, UsageError
from thresher.support.files import publish, save_text
from thresher.support.quoting import quote

_STOPPED: Final = "stopped; --resume goes on"
_STDIN_FILE: Final = "stdin"
"""File that keeps standard input until the batch is complete."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_PIECE_BYTES: Final = 2**20
"""Bytes of standard input in memory at a time."""


def run(args: Namespace) -> Exit:
    """Run the batch; UsageError before any page is read, OSError where nothing can be written."""
    job = _read_job(args)
    if args.inputs.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")

    try:
        with open_watcher(say) as watcher, until_stopped() as is_stopped:
            report = run_batch(
                job,
                lambda: _find(args.inputs, args.kind, args.output),
                lambda settings, n_worker: Guard(settings, n_worker=n_worker),
                watcher,
                resume=args.resume or args.only_errors,
                is_stopped=is_stopped,
            )
            was_stopped = is_stopped()
    except KeyboardInterrupt:
        say(_STOPPED)
        raise
    for line in describe_report(report):
        say(line)
    if args.stats:
        _write_stats(args.stats, report)
    if was_stopped and not report.is_done:
        say(_STOPPED)
        return Exit.INTERRUPTED
    if report.is_done:
        (args.output / _STDIN_FILE).unlink(missing_ok=True)
    return Exit.OK if report.is_whole else Exit.FAILED


def _read_job(args: Namespace) -> Job:
    read_params(args)  # raises for invalid values
    sink = SINKS[args.format]
    contents = tuple(args.content.split(",")) if args.content else sink.contents
    if args.format == "markdown" and contents != sink.contents:
        raise UsageError("--format markdown has no --content but markdown")
    with TemporaryDirectory() as folder:  # report a missing package before the work
        sink.write([], Path(folder) / "trial")
    settings = Settings(
        method=args.method,
        params=read_values(args),
        scope=args.scope,
        favor=args.favor,
        formats=contents,
        metadata=args.metadata,
        sites=read_sites(args),
        rules=read_rules(args),
        known=_read_known(args.known),
        limits=read_limits(args),
        max_memory_bytes=args.max_memory * 2**20,
    )
    return Job(
        args.output,
        args.format,
        settings,
        _read_reading(args),
        n_worker=args.jobs,
        dedupe=args.dedupe,
        repeats=args.repeats,
        n_per_part=args.per_part or N_PER_PART,
        only_errors=args.only_errors,
        reread_changed=args.changed == READ_AGAIN,
    )


def _read_known(paths: Sequence[str]) -> KnownPages | None:
    try:
        return read_known(paths) if paths else None
    except OSError as error:  # otherwise it would be one of the output
        raise UsageError(f"--known: {error}") from error


def _read_reading(args: Namespace) -> ReadOptions:
    columns = dict(COLUMNS)
    for pair in args.column:
        name, equals, column = pair.partition("=")
        if not equals or name not in COLUMNS:
            names = ", ".join(COLUMNS)
            raise UsageError(
                f"a column is named as NAME=COLUMN, NAME one of {names}, not {quote(pair)}"
            )
        columns[name] = column
    return ReadOptions(
        max_bytes=args.max_bytes,
        columns=columns,
        timeout_s=args.timeout,
        user_agent=args.user_agent,
        allow_private=args.allow_private,
    )


def _find(inputs: Sequence[str], kind: str | None, out: Path) -> Iterator[Place]:
    for name in inputs:
        if name != STDIN:
            yield from find_places([name], kind)
            continue
        path = out / _STDIN_FILE
        publish(path, _save_stdin)
        for place in find_places([str(path)], kind):
            yield replace(place, name=_STDIN_FILE)


def _save_stdin(path: Path) -> None:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    with path.open("wb") as file:
        while piece := _read_stdin():
            file.write(piece)


def _read_stdin() -> bytes:
    try:
        return sys.stdin.buffer.read(_PIECE_BYTES)
    except OSError as error:  # otherwise it would be one of the output
        raise InputError(f"standard input cannot be read: {error.strerror or error}") from error


def _write_stats(path: Path, report: BatchReport) -> None:
    stats = {"schema": SCHEMA, "thresher": __version__, **report.as_dict()}
    save_text(path, json.dumps(stats, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def until_stopped() -> Iterator[Callable[[], bool]]:
    """Provide a function that returns whether SIGINT or SIGTERM was received.

    A second signal raises KeyboardInterrupt. Outside the main thread, which alone receives signals,
    the function always returns False.
    """
    asked = False
    if current_thread() is not main_thread():
        yield lambda: False
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        say("stopping: the pages under way are finished first")

    try:
        for number in _SIGNALS:
            signal.signal(number, stop)
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
