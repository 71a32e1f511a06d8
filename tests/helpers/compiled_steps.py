"""The compiled steps exchanged, switched off, or called alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import numpy as np

from thresher.native import REFUSED, compiled
from thresher.page.xml_syntax import close_empty

__all__ = ["canonicalise_by_step", "with_steps", "without_compiled_steps"]


@contextmanager
def with_steps(steps: object) -> Iterator[None]:
    """Let every module use other compiled steps."""
    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("thresher.") and "compiled" in vars(module):
                stack.enter_context(patch.object(module, "compiled", steps))
        yield


@contextmanager
def without_compiled_steps() -> Iterator[None]:
    """Let every module do without the compiled steps, as if they had not been built."""
    with with_steps(None):
        yield


def canonicalise_by_step(html: str) -> bytes | None:
    """Canonicalise a page with the compiled step alone; None where it refuses."""
    assert compiled is not None, "the steps are not compiled"
    utf8 = close_empty(html).html.encode()
    room = np.empty(2 * len(utf8) + 4096, np.uint8)
    size = compiled.canonicalise(utf8, room, 0)
    return None if size == REFUSED else room[:size].tobytes()
