"""Properties and views that are computed once, when first asked for, without a lock.

In Python 3.11 the standard library's property holds one lock for all objects of a class while it
computes: threads wait for each other, whatever page each works on, and a process forked meanwhile
waits forever. Here two threads may both compute; the first value stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

__all__ = ["cached_lookup", "cached_property", "cached_view"]

_Owner = TypeVar("_Owner")
_View = TypeVar("_View")
_Key = TypeVarTuple("_Key")

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801 – a drop-in replacement for the standard library's
        """Compute an attribute with a method, and keep it in the object's ``__dict__``."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self._compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self._compute(instance))


def cached_view(compute: Callable[[_Owner], _View]) -> Callable[[_Owner], _View]:
    """Make a function of one object compute once for each object.

    The result is kept in the object's ``__dict__``, like that of a cached property, so it is freed
    with the object. Use it for views that the object's own class may not import.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def view(owner: _Owner) -> _View:
        kept = owner.__dict__
        if name not in kept:
            kept.setdefault(name, compute(owner))
        result: _View = kept[name]
        return result

    return view


def cached_lookup(compute: Callable[[_Owner, *_Key], _View]) -> Callable[[_Owner, *_Key], _View]:
    """Make a function or method of one object compute once for each object and other arguments.

    These are hashable and given by position. As by `cached_view`, the results are kept in the
    object's ``__dict__``.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def look_up(owner: _Owner, *key: *_Key) -> _View:
        views: dict[tuple[*_Key], _View] | None = owner.__dict__.get(name)
        if views is None:
            views = owner.__dict__.setdefault(name, {})
        if key in views:
            return views[key]
        return views.setdefault(key, compute(owner, *key))

    return look_up
