"""Removal of delimiters that only mark a text as TeX."""

from __future__ import annotations

import re
from typing import Final

from thresher.support.late import compile_late

__all__ = ["unwrap_tex"]

_WRAPPED: Final = compile_late(
    r"(?:\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\]|\{\\(?:display|text)style(.*)\})",
    re.DOTALL,
)
"""TeX inside delimiters that only mark it as TeX."""
_MAX_WRAPPINGS: Final = 8
"""Pairs of delimiters that are removed; pages put one or two around a formula."""


def unwrap_tex(tex: str) -> str:
    """Remove the delimiters that only mark a text as TeX."""
    for _ in range(_MAX_WRAPPINGS):
        if not (found := _WRAPPED.fullmatch(tex)):
            break
        inner = next(group for group in found.groups() if group is not None).strip()
        if not inner or not _is_balanced(inner):
            break
        tex = inner
    return tex


def _is_balanced(tex: str) -> bool:
    """Return whether no brace closes before it opens, so that the outer two were a pair."""
    depth = -1 if "$" in tex else 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        if depth < 0:
            break
        depth += 1 if brace == "{" else -1
    return depth >= 0
