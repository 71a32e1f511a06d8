"""`thresher chunk` and `explain`: the content of pages in chunks, and a report on one page."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from thresher.chunking import CHUNK_CHARS, CHUNK_TOKENS, Chunk
from thresher.cli.choices import extract_loaded, has_content, read_reading, read_request
from thresher.cli.console import (
    STDIN,
    Exit,
    describe_failure,
    load,
    naming_failures,
    read_names,
    say,
    show_name,
    write_files,
    write_output,
    write_stdout,
)
from thresher.cli.options import read_write_options
from thresher.document import Document
from thresher.errors import UsageError
from thresher.support.quoting import one_line


def run(args: Namespace) -> Exit:
    """Chunk every input; UsageError before any is read, OSError where nothing can be written."""
    names = read_names(args.inputs)
    for limit in (CHUNK_CHARS, CHUNK_TOKENS):
        given = getattr(args, limit.name)
        if given is not None and given < (limit.low or 0):
            raise UsageError(f"--{limit.option} must be {limit.low} or more, not {given}")
    request, reading = read_request(args), read_reading(args)

    def extract_one(name: str) -> Document:
        return extract_loaded(load(name, reading), request, reading)

    outcomes: list[bool | None] = []
    lines = _chunk_all(names, args, extract_one, outcomes)
    if args.output is None or args.output == STDIN:
        write_stdout(lines, raw=args.raw)
    else:
        write_files([(Path(args.output), "".join(lines))])
    failed = outcomes.count(None)
    if failed and len(names) > 1:
        say(f"{failed} of {len(names)} inputs failed")
    if failed:
        return Exit.FAILED
    return Exit.OK if any(outcomes) else Exit.NO_CONTENT


def _chunk_all(
    names: Sequence[str],
    args: Namespace,
    extract_one: Callable[[str], Document],
    outcomes: list[bool | None],
) -> Iterator[str]:
    """Yield a line for each chunk; note whether each input has content, None if it failed."""
    options = read_write_options(args, "links", "images")
    for name in names:
        try:
            document = extract_one(name)
            chunks = document.chunks(
                args.max_chars, args.format, options, max_tokens=args.max_tokens
            )
        except UsageError:
            raise
        except Exception as error:  # one page must not stop the others
            outcomes.append(None)
            say(f"{show_name(name)}: {describe_failure(error)}")
            continue
        outcomes.append(has_content(name, document))
        for index, chunk in enumerate(chunks):
            yield _write_line(name, document, index, len(chunks), chunk)


def _write_line(name: str, document: Document, index: int, count: int, chunk: Chunk) -> str:
    record = {
        "input": one_line(show_name(name)),
        "url": document.page.url,
        "index": index,
        "count": count,
        "headings": chunk.headings,
        "text": chunk.text,
        "blocks": chunk.blocks,
        "start": chunk.start,
        "stop": chunk.stop,
        "repeated": chunk.repeated,
        "source": chunk.source,
        "spans": chunk.spans,
        "byte_spans": chunk.byte_spans,
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def run_explain(args: Namespace) -> Exit:
    """Explain one page; UsageError before it is read, OSError where nothing can be written."""
    from thresher.explain.explanation import explain
    from thresher.explain.page import write_explanation

    (name,) = read_names([args.input] if args.input else [])
    request, reading = read_request(args), read_reading(args)
    with naming_failures(name):
        document = extract_loaded(load(name, reading), request, reading)
        report = write_explanation(explain(document, request.params))
    write_output(args, report)
    return Exit.OK if has_content(name, document) else Exit.NO_CONTENT
