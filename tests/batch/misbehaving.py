"""Work functions that crash, hang or exhaust memory, for tests of the guard."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

from thresher.batch.model import Item, Record, Settings
from thresher.batch.work import extract_item

GOOD = "<article><h1>Barley</h1><p>The barley was cut early, and it stood in sheaves.</p></article>"
"""A page that behaves."""


def misbehave(item: Item, settings: Settings) -> Record:  # noqa: PLR0912
    """Do what the page asks for, such as crash, or extract it."""
    body = item.body if isinstance(item.body, str) else item.body.decode()
    act, _, rest = body.partition(":")
    if act == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif act == "exit":
        os._exit(int(rest))
    elif act == "raise":
        raise RuntimeError(rest)
    elif act == "hang":
        time.sleep(3600)
    elif act == "spin":
        re.match("(a*)*b", "a" * 64)  # within one call, where nothing looks at a deadline
    elif act == "die once" and not Path(rest).exists():
        Path(rest).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    elif act == "hang for good":
        threading.Event().wait()
    elif act == "eat":
        eaten = []
        while True:
            eaten.append(bytearray(2**24))
    elif act == "nap":
        time.sleep(float(rest))
    elif act == "once" and not Path(rest).exists():
        Path(rest).touch()
        raise RuntimeError("the first time")
    elif act == "kill parent" and not Path(rest).exists():
        Path(rest).touch()
        os.kill(os.getppid(), signal.SIGKILL)
    elif act == "interrupt":
        os.kill(os.getppid(), signal.SIGINT)
    elif act == "pid":
        return Record(item.id, text=str(os.getpid()))
    elif act == "environment":
        return Record(item.id, text=os.environ.get(rest))
    elif act == "junk":
        return Record(item.id, text=lambda: None)  # type: ignore[arg-type]
    return extract_item(item, settings)
