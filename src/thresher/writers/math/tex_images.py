"""Pictures of formulas: the TeX is their description, or in their address."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from thresher.writers.math.tex_wrapping import unwrap_tex

__all__ = ["MAYBE_TEX", "read_tex_of_image"]

MAYBE_TEX: Final = (b"tex", b"math", b"\\", b"/render/")
"""What is in the start tag of every picture of a formula."""
_TEX_CLASS: Final = re.compile(
    r"(?:^|\s)(?:latex|tex|tex-image|math|mwe-math-fallback-image-\w+)\b"
)
_TEX_SERVICE: Final = re.compile(r"(?:latex\.php|latex\.codecogs\.com|/render/(?:svg|png)/)")
_CODECOGS: Final = re.compile(r"latex\.codecogs\.com/[^?]{0,100}\?(.+)")
_ENVIRONMENT: Final = re.compile(r"\\begin\s*\{")
_COMMAND: Final = re.compile(r"\\[A-Za-z]{2,}")
_ARGUMENTS: Final = "{^_"
"""What stands behind a command in a formula, sooner or later."""


def read_tex_of_image(attrs: dict[str, str]) -> str | None:
    """Return the TeX that a picture shows, None for pictures of anything else."""
    alt, place = attrs.get("alt", "").strip(), attrs.get("src", "")
    is_formula = _TEX_CLASS.search(attrs.get("class", "")) or _TEX_SERVICE.search(place)
    if alt and (is_formula or _is_tex(alt)):
        return unwrap_tex(" ".join(alt.split()))
    asked = _CODECOGS.search(place)
    return " ".join(unquote(asked[1]).split()) if asked and not alt else None


def _is_tex(text: str) -> bool:
    """Say whether a text can only be TeX."""
    command = _COMMAND.search(text)
    if command and any(text.find(sign, command.end()) >= 0 for sign in _ARGUMENTS):
        return True
    return _ENVIRONMENT.search(text) is not None
