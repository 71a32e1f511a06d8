"""TeX of images of formulas, taken from their alternative text or their URL."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from thresher.writers.math.tex_wrapping import unwrap_tex

__all__ = ["MAYBE_TEX", "read_tex_of_image"]

MAYBE_TEX: Final = (b"tex", b"math", b"\\", b"/render/")
"""Byte strings of which the start tag of every image of a formula contains one."""
_TEX_CLASS: Final = re.compile(
    r"(?:^|\s)(?:latex|tex|tex-image|math|mwe-math-fallback-image-\w+)\b"
)
_TEX_SERVICE: Final = re.compile(r"(?:latex\.php|latex\.codecogs\.com|/render/(?:svg|png)/)")
_CODECOGS: Final = re.compile(r"latex\.codecogs\.com/[^?]{0,100}\?(.+)")
_ENVIRONMENT: Final = re.compile(r"\\begin\s*\{")
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,}")
_ARGUMENTS: Final = "{^_"
"""Characters of which a formula has one somewhere after a command."""


def read_tex_of_image(attrs: dict[str, str]) -> str | None:
    """Return the TeX that an image shows, None for other images."""
    alt, place = attrs.get("alt", "").strip(), attrs.get("src", "")
    is_formula = _TEX_CLASS.search(attrs.get("class", "")) or _TEX_SERVICE.search(place)
    if alt and (is_formula or _is_tex(alt)):
        return unwrap_tex(" ".join(alt.split()))
    asked = _CODECOGS.search(place)
    return " ".join(unquote(asked[1]).split()) if asked and not alt else None


def _is_tex(text: str) -> bool:
    """Return whether a text is certainly TeX."""
    command = _COMMAND.search(text)
    if command and any(text.find(sign, command.end()) >= 0 for sign in _ARGUMENTS):
        return True
    return _ENVIRONMENT.search(text) is not None
