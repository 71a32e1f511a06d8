"""Declarations of a style attribute."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

__all__ = ["drop_declarations"]

_DECLARATION: Final = re.compile(r"""(?:[^;"'(]|"[^"]*"?|'[^']*'?|\([^)]*\)?)+""")
"""A declaration, up to a semicolon outside strings and brackets (CSS Syntax Level 3, 5)."""


def drop_declarations(style: str, goes: Callable[[str], bool]) -> str | None:
    """Return a style without the declarations to remove; None if there are none.

    ``goes`` is called with the name of a property in lower case. The rest is unchanged.
    """
    declarations = _DECLARATION.findall(style)
    kept = [each for each in declarations if not goes(each.partition(":")[0].strip().lower())]
    return None if len(kept) == len(declarations) else ";".join(kept).strip()
