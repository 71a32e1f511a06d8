r"""Removal of commands that add links or markup to a formula: `\href{javascript:…}{x}` becomes `x`.

MathJax (`\href`, `\class`, `\style`, `\cssId`, and what `\require` loads) and KaTeX (`\href`,
`\url`, `\includegraphics`, `\htmlClass` and the like) execute such commands from an untrusted page.
No formula needs them to be readable.
"""

from __future__ import annotations

from typing import Final

from thresher.support.late import compile_late

__all__ = ["drop_tex_links"]

_WITH_ADDRESS: Final = "href|html(?:Class|Data|Id|Style)|class|style|cssId|require"
"""Commands whose first argument is not displayed."""
_ALL: Final = rf"{_WITH_ADDRESS}|url|includegraphics|csname"
_MAYBE: Final = compile_late(rf"\\(?:{_ALL})(?![A-Za-z])")
_COMMAND: Final = compile_late(
    rf"\\(?:(?:{_WITH_ADDRESS})\s*\{{[^{{}}]*\}}|(?:{_ALL})(?![A-Za-z]))"
)
_MAX_ROUNDS: Final = 8
"""Rounds of removal, since removing commands can form new ones; after the last round the
backslashes go too."""


def drop_tex_links(tex: str) -> str:
    """Return TeX without commands that make links or markup, keeping their displayed content."""
    for _ in range(_MAX_ROUNDS):
        if not _MAYBE.search(tex):
            return tex
        tex = _COMMAND.sub(" ", tex)
    return tex.replace("\\", " ") if _MAYBE.search(tex) else tex
