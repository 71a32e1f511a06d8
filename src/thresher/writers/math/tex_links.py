r"""TeX without what makes links, or markup, of a formula: `\href{javascript:…}{x}` is `x`.

MathJax (`\href`, `\class`, `\style`, `\cssId`, and what `\require` loads) and KaTeX (`\href`,
`\url`, `\includegraphics`, `\htmlClass` and the like) follow such commands of whoever wrote the
page. No formula needs them to be read.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["drop_tex_links"]

_WITH_ADDRESS: Final = "href|html(?:Class|Data|Id|Style)|class|style|cssId|require"
"""Commands whose first argument no reader sees."""
_ALL: Final = rf"{_WITH_ADDRESS}|url|includegraphics|csname"
_MAYBE: Final = re.compile(rf"\\(?:{_ALL})(?![A-Za-z])")
_COMMAND: Final = re.compile(rf"\\(?:(?:{_WITH_ADDRESS})\s*\{{[^{{}}]*\}}|(?:{_ALL})(?![A-Za-z]))")
_MAX_ROUNDS: Final = 8
"""Times that commands are taken out which taking others out has made; beyond them the signs that
begin commands go."""


def drop_tex_links(tex: str) -> str:
    """Return TeX without commands that make links or markup; what they show stays."""
    for _ in range(_MAX_ROUNDS):
        if not _MAYBE.search(tex):
            return tex
        tex = _COMMAND.sub(" ", tex)
    return tex.replace("\\", " ") if _MAYBE.search(tex) else tex
