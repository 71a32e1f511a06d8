"""The command `thresher`: a thin shell over the library.

`arguments` parses the command line and selects the command's module, which reads and writes with
`console`. Here exceptions become exit statuses.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from thresher.cli.arguments import build_parser
from thresher.cli.console import Exit, say
from thresher.errors import ThresherError, UsageError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on arguments (default: ``sys.argv``'s) and return its exit status."""
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()  # help and version are still in its buffer
    except UsageError as error:
        say(str(error))
        return Exit.USAGE
    except ThresherError as error:
        say(str(error))
        return Exit.FAILED
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return Exit.OK
    except OSError as error:
        _abandon_stdout()
        say(f"cannot write {error.filename or 'the output'}: {error.strerror or error}")
        return Exit.FAILED
    return status


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = build_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed help or an error
        return Exit.USAGE if stop.code else Exit.OK
    status: Exit = args.run(args)
    return status


def _abandon_stdout() -> None:
    """Discard what is left in the buffer, which the interpreter flushes once more at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
