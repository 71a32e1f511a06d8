"""`thresher explain`: write a report on the result of a method on one page."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from thresher.cli.choices import extract_loaded, read_reading, read_request
from thresher.cli.exits import Exit
from thresher.cli.inputs import STDIN, describe_failure, load, show_name, stdin_is_piped
from thresher.cli.outputs import say, write_files, write_stdout
from thresher.cli.verdicts import has_content
from thresher.errors import UsageError
from thresher.explain.explanation import explain
from thresher.explain.page import write_explanation

__all__ = ["run"]


def run(args: Namespace) -> Exit:
    """Explain one page; UsageError before it is read, OSError where nothing can be written."""
    name = args.input
    if name is None and not stdin_is_piped():
        raise UsageError("no input; name a file or a URL, or pipe a page in (see --help)")
    name = name or STDIN
    request, reading = read_request(args), read_reading(args)
    try:
        document = extract_loaded(load(name, reading), request, reading)
        report = write_explanation(explain(document, request.params))
    except UsageError:
        raise
    except Exception as error:
        say(f"{show_name(name)}: {describe_failure(error)}")
        return Exit.FAILED
    if args.output is None or args.output == STDIN:
        write_stdout([(0, report)], [""], raw=args.raw)
    else:
        write_files([(0, report)], [Path(args.output)])
    return Exit.OK if has_content(name, document) else Exit.NO_CONTENT
