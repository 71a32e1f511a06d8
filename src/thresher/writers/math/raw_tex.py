r"""Detection of TeX in the text that a script of the page would render as formulas.

MathJax and KaTeX look for `\(…\)`, `\[…\]`, `$$…$$` and environments such as `\begin{align}`, and
for `$…$` where the page configures it (MathJax 3, `inlineMath`; KaTeX, `delimiters`) or where TeX
between such delimiters shows that it does. If the page names no such script, the delimiters are
literal text, unless a well-known TeX command stands between them: scripts can be bundled, and
fragments come without them. TeX can continue after a line break, which blogs insert into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import find_all, watch
from thresher.page import Page
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.late import compile_late
from thresher.writers.math.formulas import Formula

MixedText = tuple[str | Formula, ...]
"""A text split into plain strings and formulas, in order."""

_SIGNS: Final = ("\\(", "\\[", "\\begin{")
"""Opening delimiters of TeX other than dollar signs, each with a backslash."""
_SIGN: Final = re.compile(r"[$\\]")
"""The first character of every delimiter."""
_SHOWS_TEX: Final = (b"mathjax", b"MathJax", b"katex", b"KaTeX")
"""Names of scripts that render TeX in the text, as they occur in pages that load them. A
case-insensitive pattern would take as long as the rest of the writer."""
_COMMANDED: Final = compile_late(
    r"(?:\\[(\[]|\$\$)[^$]{0,300}?\\(?:alpha|begin|beta|cdot|delta|epsilon|frac|gamma|geq?|infty|int"
    r"|lambda|left|leq?|lim|math(?:bb|bf|cal|rm)|neq|omega|partial|pi|prod|quad|sigma|sqrt|sum|text"
    r"|theta|times)(?![A-Za-z])[^$]{0,300}?(?:\\[)\]]|\$\$)"
)
_SINGLE_DOLLARS: Final = compile_late(
    r"inlineMath['\"]?\s*:[^;]{0,80}?\[\s*['\"]\$['\"]|left['\"]?\s*:\s*['\"]\$['\"]"
)
"""How a page configures MathJax and KaTeX to read `$…$` as a formula."""
_UNMISTAKABLE: Final = compile_late(
    r"(?<![\\$])\$(?=[^\s$])[^$\n]{0,200}\\[A-Za-z]{2,}[^$\n]{0,200}(?<!\s)\$(?![\d$])"
)
"""TeX with a command in it: its author relies on `$…$`, wherever it is configured."""
_MAX_CHARS: Final = 2000
_MAX_MATCH: Final = 2 * _MAX_CHARS + 100
"""Characters of a match: an escape counts as one of the formula's and has two."""
_DELIMITED: Final = (
    rf"(?<!\\)\\\((?P<inline>(?:[^\\]|\\[^()]){{1,{_MAX_CHARS}}}?)\\\)"
    rf"|(?<!\\)\\\[(?P<display>(?:[^\\]|\\[^\[\]]){{1,{_MAX_CHARS}}}?)\\\]"
    rf"|(?<!\\)\$\$(?P<dollars>[^$]{{1,{_MAX_CHARS}}}?)\$\$"
    r"|\\begin\{(?P<environment>(?:equation|align|gather|multline|eqnarray)\*?)\}"
)
"""A whole formula; for an environment, only its opening."""
_TEX: Final = compile_late(_DELIMITED, re.DOTALL)
_TEX_AND_SINGLE: Final = compile_late(
    _DELIMITED + r"|(?<![\\$])\$(?P<single>(?=[^\s$])(?:\\.|[^$\\]){1,500}?(?<!\s))\$(?![\d$])",
    re.DOTALL,
)
_NEVER: Final = flags_of("code kbd listing pre samp textarea")
"""Elements in which the scripts do not look for TeX."""
_BR: Final = CODE_OF["br"]


class RawTex(NamedTuple):
    """The texts that contain TeX."""

    mixed_texts: dict[int, MixedText]
    """Row of a leaf → its text and formulas."""
    joined: list[int]
    """Leaves that continue the formula of the leaf before, with nothing between the two."""


def find_raw_tex(page: Page, keep: npt.NDArray[np.bool_]) -> RawTex:
    """Find TeX in the kept leaves, bool[n_leaf]."""
    kept = page.leaves[keep]
    if not kept.size or not _may_have_tex(page, int(kept[0]), int(kept[-1])):
        return RawTex({}, [])
    text = page.text
    # Check the kept texts first: they are few, and the source of a page is long.
    stretches = [
        leaves
        for leaves in watch(_stretches(page, keep))
        if _has_tex("\n".join(page.leaf_texts(np.array(leaves))))
    ]
    if not stretches:
        return RawTex({}, [])  # as on most pages
    if not _contains(_COMMANDED, text) and not any(name in page.utf8 for name in _SHOWS_TEX):
        return RawTex({}, [])
    is_single = _contains(_SINGLE_DOLLARS, page.source) or _contains(_UNMISTAKABLE, text)
    pattern = _TEX_AND_SINGLE if is_single else _TEX
    raw_tex = RawTex({}, [])
    for leaves in watch(stretches):
        raw_tex.joined.extend(_read(page, leaves, pattern, raw_tex.mixed_texts))
    return raw_tex


def _has_tex(text: str) -> bool:
    """Return whether a text contains a formula; one dollar sign alone delimits none."""
    may_have = "\\" in text or text.count("$") > 1
    return may_have and _contains(_TEX_AND_SINGLE, text)


def _contains(pattern: re.Pattern[str], text: str) -> bool:
    return next(find_all(pattern, text, _MAX_MATCH), None) is not None


def _may_have_tex(page: Page, first: int, last: int) -> bool:
    """Return whether the text from one row to another contains delimiters of TeX."""
    text, start, stop = page.text, int(page.text_offset[first]), int(page.text_offset[last + 1])
    # Most texts have no backslash, and a search for a single character is fast.
    return text.count("$", start, stop) > 1 or (
        text.find("\\", start, stop) >= 0
        and any(text.find(sign, start, stop) >= 0 for sign in _SIGNS)
    )


def _stretches(page: Page, keep: npt.NDArray[np.bool_]) -> Iterator[list[int]]:
    """Yield the kept texts with a TeX delimiter; those separated only by line breaks as one."""
    rows = page.leaves
    signed = _find_signed(page)
    if not keep[signed].any():
        return
    usable = keep & (page.tag[rows] == TEXT) & ~page.within(_NEVER[page.tag])[rows]
    signed = signed[usable[signed]]
    if not signed.size:
        return
    follows = np.zeros(rows.size, np.bool_)
    follows[1:] = usable[1:] & usable[:-1] & (rows[1:] - rows[:-1] == 2)
    follows[1:] &= page.tag[rows[1:] - 1] == _BR
    follows[1:] &= page.parent[rows[1:]] == page.parent[rows[:-1]]
    # The continuation is adjacent, so a stretch is a range of leaves.
    starts = np.append(np.flatnonzero(usable & ~follows), rows.size)
    stops = np.flatnonzero(usable & ~np.append(follows[1:], False)) + 1
    for place in sorted(set((starts.searchsorted(signed, side="right") - 1).tolist())):
        yield list(range(int(starts[place]), int(stops[place])))


def _find_signed(page: Page) -> npt.NDArray[np.intp]:
    """Return the leaves whose text contains a delimiter that TeX requires."""
    places = [sign.start() for sign in find_all(_SIGN, page.text, 1)]
    rows = page.text_offset.searchsorted(places, side="right") - 1
    first, stop = page.leaf_offset[rows], page.leaf_offset[rows + 1]
    return first[stop > first].astype(np.intp)


def _read(
    page: Page, leaves: list[int], pattern: re.Pattern[str], mixed_texts: dict[int, MixedText]
) -> list[int]:
    """Add the formulas of some leaves to ``mixed_texts``; return the leaves that are joined."""
    texts = page.leaf_texts(np.array(leaves))
    text = "\n".join(texts)
    formulas = list(_find_formulas(text, pattern)) if "\\" in text or "$" in text else []
    if not formulas:
        return []
    starts = np.cumsum([0, *(len(leaf_text) + 1 for leaf_text in texts)])
    parts: list[list[str | Formula]] = [[] for _ in leaves]
    joined: list[int] = []
    changed: set[int] = set()

    def put(start: int, stop: int) -> None:
        """Put plain text into its own leaf, without the line breaks between leaves."""
        for place in range(_place(starts, start), len(leaves)):
            begin = int(starts[place])
            if begin >= stop:
                break
            piece = texts[place][max(start - begin, 0) : stop - begin]
            if piece:
                parts[place].append(piece)

    done = 0
    for start, stop, formula in formulas:
        put(done, start)
        done = stop
        first, last = _place(starts, start), _place(starts, stop - 1)
        parts[first].append(formula)
        changed.update(range(first, last + 1))
        joined += leaves[first + 1 : last + 1]
    put(done, len(text))
    for place in changed:
        mixed_texts[int(page.leaves[leaves[place]])] = tuple(parts[place])
    return joined


def _place(starts: npt.NDArray[np.integer], offset: int) -> int:
    return int(np.searchsorted(starts, offset, "right")) - 1


def _find_formulas(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, Formula]]:
    """Yield start, stop and formula; an environment that is never closed is not one."""
    at = 0
    while match := next(find_all(pattern, text, _MAX_MATCH, at), None):
        at = match.end()
        groups = match.groupdict()
        inline = groups["inline"] or groups.get("single")
        tex = inline or groups["display"] or groups["dollars"] or ""
        if groups["environment"]:
            end = f"\\end{{{groups['environment']}}}"
            closed = text.find(end, at + 1, at + _MAX_CHARS + len(end))
            if closed < 0:
                continue
            at = closed + len(end)
            tex = text[match.start() : at]
        yield match.start(), at, Formula(" ".join(tex.split()), display=inline is None)
