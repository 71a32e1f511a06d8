"""Regular expressions that are compiled when they are first used.

Compiling takes up to 3 ms each, a command starts in 200, and most pages need few of the large ones.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast

__all__ = ["LatePattern", "compile_late"]


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
