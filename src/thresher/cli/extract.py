"""`thresher extract`: pages in, their main content out."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thresher.cli.choices import read_params, read_reading
from thresher.cli.exits import Exit
from thresher.cli.inputs import (
    STDIN,
    Reading,
    describe_failure,
    load,
    show_name,
    stdin_is_piped,
)
from thresher.cli.outputs import label, one_line, plan_files, say, write_files, write_stdout
from thresher.cli.verdicts import has_content
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.extract import extract

__all__ = ["run"]


@dataclass(frozen=True, slots=True)
class _Order:
    """What to do with every input."""

    method: str
    params: Any
    reading: Reading
    format: str
    options: WriteOptions
    json_lines: bool
    """One compact object a line that names its input, instead of the writer's layout."""


@dataclass(slots=True)
class _Tally:
    """What has come of the inputs so far."""

    failed: int = 0
    without_content: int = 0


def run(args: Namespace) -> Exit:
    """Extract every input; UsageError before any is read, OSError where nothing can be written."""
    names = _read_names(args.inputs)
    paths = _read_output(args.output, names, args.format)
    order = _read_order(args, json_lines=args.format == "json" and not paths and len(names) > 1)
    tally = _Tally()
    texts = _extract_all(names, order, tally)
    if paths:
        write_files(texts, paths)
    elif len(names) > 1:
        write_stdout(texts, [label(show_name(name), args.format) for name in names])
    else:
        write_stdout(texts, [""])
    if tally.failed and len(names) > 1:
        say(f"{tally.failed} of {len(names)} inputs failed")
    if tally.failed:
        return Exit.FAILED
    return Exit.NO_CONTENT if tally.without_content == len(names) else Exit.OK


def _read_names(names: Sequence[str]) -> list[str]:
    if not names:
        if not stdin_is_piped():
            raise UsageError("no input; name a file or a URL, or pipe a page in (see --help)")
        return [STDIN]
    if names.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    return list(names)


def _read_output(output: str | None, names: Sequence[str], format: str) -> list[Path]:
    """Return a file for each input; none where the output is standard output."""
    if output is None or output == STDIN:
        return []
    path = Path(output)
    if path.is_dir() or output.endswith("/"):
        return plan_files(names, path, format)
    if len(names) == 1:
        return [path]
    if path.exists():
        raise UsageError(f"several inputs go to a folder, and {output} is a file")
    return plan_files(names, path, format)


def _read_order(args: Namespace, *, json_lines: bool) -> _Order:
    return _Order(
        method=args.method,
        params=read_params(args),
        reading=read_reading(args),
        format=args.format,
        options=WriteOptions(
            links=args.links,
            images=args.images,
            metadata=args.with_metadata,
            removed_links=args.removed_links,
        ),
        json_lines=json_lines,
    )


def _extract_all(names: Sequence[str], order: _Order, tally: _Tally) -> Iterator[tuple[int, str]]:
    """Yield each input's place and text; say why where there is none, and go on."""
    for index, name in enumerate(names):
        try:
            document = _extract_one(name, order)
            text = document.write(order.format, order.options)
        except UsageError:
            raise
        except Exception as error:  # one page never takes the others down
            tally.failed += 1
            say(f"{show_name(name)}: {describe_failure(error)}")
            continue
        tally.without_content += not has_content(name, document)
        yield index, _join_lines(name, text) if order.json_lines else text


def _extract_one(name: str, order: _Order) -> Document:
    loaded = load(name, order.reading)
    return extract(
        loaded.body,
        url=loaded.url,
        http_charset=loaded.http_charset,
        method=order.method,
        params=order.params,
    )


def _join_lines(name: str, text: str) -> str:
    named = {"input": one_line(show_name(name)), **json.loads(text)}
    return json.dumps(named, ensure_ascii=False, separators=(",", ":"))
