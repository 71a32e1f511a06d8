"""A property that is computed once, when first asked for, and takes no lock for it.

That of the standard library holds one lock in Python 3.11, for all objects of a class, while it
computes: threads wait for each other whatever page each is at, and a process that is forked while
one of them computes waits forever. Here two threads may both compute; the first value stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 – it is used as the standard library's
        """Computes an attribute with a method, and keeps it in the object's ``__dict__``."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self._compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._compute(instance))
