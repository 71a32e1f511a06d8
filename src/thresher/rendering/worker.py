"""The process that renders one page: ``python -m thresher.rendering.worker``.

A thread waits for the end of standard input, which comes when whoever started this process closes
it or dies, however that happens. Then, or when the time is long over, it ends the browser and this
process, whatever the other threads do.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from threading import Lock, Thread, Timer
from typing import BinaryIO, Final, NoReturn

from thresher.errors import ThresherError
from thresher.rendering.browsing import browse
from thresher.rendering.order import Order, write_answer
from thresher.rendering.processes import kill_descendants

__all__ = ["main"]

_GRACE_S: Final = 2.0
"""Seconds after the deadline until the process ends by force, below that of `process`."""


class _Ending:
    """Ends this process with its browser and the browser's files, once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._lock = Lock()

    def end(self) -> NoReturn:
        self._lock.acquire()  # never released
        kill_descendants(os.getpid())
        shutil.rmtree(self._folder, ignore_errors=True)
        os._exit(0)


def main() -> NoReturn:
    """Read an order from standard input, write the answer to standard output, and end."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    order = Order.read(source.readline())
    # The browser's profile goes there, and does not outlive it.
    folder = tempfile.mkdtemp(prefix="thresher-browser-")
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    ending = _Ending(folder)
    Thread(target=_watch, args=(source, ending), daemon=True).start()
    timer = Timer(order.timeout_s + _GRACE_S, ending.end)
    timer.daemon = True
    timer.start()
    try:
        answer = write_answer(asyncio.run(browse(order)))
    except TimeoutError:
        answer = write_answer(order.too_late())
    except ThresherError as error:
        answer = write_answer(error)
    except Exception as error:  # whatever it is, the caller has to know
        says = str(error).strip().partition("\n")[0]
        answer = write_answer(ThresherError(f"the browser failed: {type(error).__name__}: {says}"))
    sink.write(answer)
    sink.flush()
    ending.end()


def _watch(source: BinaryIO, ending: _Ending) -> None:
    while source.read1(1):  # type: ignore[attr-defined]
        pass
    ending.end()


if __name__ == "__main__":
    main()
