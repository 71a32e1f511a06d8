"""Names that a package imports from its modules only when they are first asked for (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["late_names"]


def late_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that imports names when asked for them.

    ``homes`` names for each the module that defines it, as ``module``, or as ``module:name`` if it
    has another name there.
    """

    def import_name(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module, _, own_name = homes[name].partition(":")
        value = getattr(import_module(module), own_name or name)
        setattr(sys.modules[package], name, value)  # it is asked for once
        return value

    def list_names() -> list[str]:
        module = vars(sys.modules[package])
        return sorted({*module["__all__"], *(name for name in module if name.startswith("__"))})

    return import_name, list_names
