"""Declarations of a style attribute."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["drop_declarations"]

_DECLARATION: Final = re.compile(r"""(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+""")
"""Up to a semicolon that is in no string and no brackets (CSS Syntax Level 3, 5)."""


def drop_declarations(style: str, goes: Callable[[str], bool]) -> str | None:
    """Return a style without the declarations whose property goes; None where none does.

    ``goes`` gets the name of a property in lower case. What stays is spelled as before.
    """
    declarations = _DECLARATION.findall(style)
    kept = [each for each in declarations if not goes(each.partition(":")[0].strip().lower())]
    return None if len(kept) == len(declarations) else ";".join(kept).strip()
