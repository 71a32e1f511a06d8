"""Kernels: numpy functions whose place a compiled step takes if there is one.

The numpy function is the definition. It runs if the extension is missing or disabled
(``THRESHER_NATIVE=0``), and for inputs that the step refuses; both have the same results. Only this
module knows which of the two runs. Each kernel looks at the clock before it begins.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

from thresher.deadline import check_deadline
from thresher.native.steps import Steps

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Protocol[P, R]):
    """A function computed by a compiled step if possible, else by its definition in numpy."""

    definition: Callable[P, R]
    """The numpy function."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute it."""


def _load() -> Steps | None:
    # Characters and names are passed as packed by numpy, in little-endian order.
    if os.environ.get("THRESHER_NATIVE") == "0" or sys.byteorder != "little":
        return None
    try:
        module: Any = import_module("thresher.native._compiled")
    except ImportError:
        return None
    # Ignore an extension compiled from older sources that was left in a working tree.
    names = (name for name in vars(Steps) if not name.startswith("_"))
    return cast(Steps, module) if all(hasattr(module, name) for name in names) else None


steps: Steps | None = _load()
"""The compiled steps; None if they are not available. Only tests replace them."""
REFUSALS: Final[Counter[str]] = Counter()
"""How many inputs the compiled step of each kernel refused in this process, by kernel."""


def kernel(definition: Callable[P, R]) -> Kernel[P, R]:
    """Let the compiled step of the same name and signature compute a numpy function.

    Steps take their arguments by position, so the kernel does too.
    """
    step, name = definition.__name__, _name_of(definition)

    @wraps(definition)
    def compute(*args: Any) -> Any:
        check_deadline()
        if steps is not None:
            result = getattr(steps, step)(*args)
            if result is not None:
                return result
            REFUSALS[name] += 1
        return cast(Any, definition)(*args)

    return _make_kernel(compute, definition)


def kernel_with(
    run_step: Callable[Concatenate[Steps, P], R | None],
) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Let ``run_step`` compute a numpy function by compiled steps; None if these refuse."""

    def replace(definition: Callable[P, R]) -> Kernel[P, R]:
        name = _name_of(definition)

        @wraps(definition)
        def compute(*args: P.args, **kwargs: P.kwargs) -> R:
            check_deadline()
            if steps is not None:
                result = run_step(steps, *args, **kwargs)
                if result is not None:
                    return result
                REFUSALS[name] += 1
            return definition(*args, **kwargs)

        return _make_kernel(compute, definition)

    return replace


def _name_of(definition: Callable[..., object]) -> str:
    return f"{definition.__module__}.{definition.__qualname__}"


def _make_kernel(compute: Callable[..., Any], definition: Callable[P, R]) -> Kernel[P, R]:
    made = cast(Any, compute)
    made.definition = definition
    return cast(Kernel[P, R], made)
