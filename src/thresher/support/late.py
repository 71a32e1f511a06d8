"""What is loaded when it is first used: names that a package exports, and regular expressions.

A command starts in 200 ms. Compiling a large expression takes up to 3 of them, importing a module
often more, and most pages need few of either.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, AnyStr, Generic, cast


def late_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return a package's ``__getattr__`` and ``__dir__``, which import names when asked (PEP 562).

    ``modules`` has by module the names that it defines, separated by spaces, and as ``name:own``
    where it has another name there.
    """
    homes = {}
    for module, names in modules.items():
        for public, _, own in (name.partition(":") for name in names.split()):
            homes[public] = module, own or public

    def import_name(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        home, own_name = homes[name]
        value = getattr(import_module(home), own_name)
        setattr(sys.modules[package], name, value)  # it is asked for once
        return value

    def list_names() -> list[str]:
        module = vars(sys.modules[package])
        return sorted({*module["__all__"], *(name for name in module if name.startswith("__"))})

    return import_name, list_names


class LatePattern(Generic[AnyStr]):
    """Stands for a pattern, and has its methods; each is looked up once."""

    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self._args: tuple[AnyStr, int] = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self.compile(), name)
        setattr(self, name, value)
        return value

    def compile(self) -> re.Pattern[AnyStr]:
        """Return the pattern itself."""
        return re.compile(*self._args)


def compile_late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` does, for methods of patterns; re.error only when first used."""
    return cast("re.Pattern[AnyStr]", LatePattern(pattern, flags))
