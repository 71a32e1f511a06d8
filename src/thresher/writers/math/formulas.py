"""Detection of formulas, with their TeX and their duplicate representations.

Pages show formulas as MathML (with or without an annotation holding the original TeX), as images
with the TeX as alternative text, and as letters positioned by scripts, mostly with MathML alongside
for screen readers. Each formula is written once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT
from thresher.writers.code.lines import PREFORMATTED
from thresher.writers.math.mathml import convert_mathml
from thresher.writers.math.tex import (
    MAYBE_TEX,
    find_forms,
    find_marked_texts,
    is_script,
    read_script,
    read_tex_of_image,
    unwrap_tex,
)

_CODE, _IMG, _MATH, _TR = (CODE_OF[name] for name in "code img math tr".split())
FORMULA_TAGS: Final = frozenset(
    (
        "annotation maction maligngroup malignmark math menclose merror mfenced mfrac mi mlabeledtr"
        " mlongdiv mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries"
        " mscarry msgroup msline mspace msqrt msrow mstack mstyle msub msubsup msup mtable mtd"
        " mtext mtr munder munderover none semantics"
    ).split()
)
"""Elements of Presentation MathML 3 (section 3.1.9), and those that annotate it."""
TEX: Final = "application/x-tex"
"""The `encoding` of an `annotation` that holds TeX (MathML Core, 6)."""
_TEX_ENCODINGS: Final = frozenset((TEX, "application/x-latex", "latex", "tex", "text/x-tex"))
_WRAPPERS: Final = frozenset(
    ("katex", "MathJax", "MathJax_CHTML", "MathJax_SVG", "mwe-math-element", "mjx-container")
)
"""Classes, and one tag name, of elements that hold one formula in several representations (KaTeX,
MathJax 2 and 3, MediaWiki)."""
_DISPLAYS: Final = frozenset(("katex-display", "MathJax_Display", "math-block", "math-display"))
"""Classes of elements around a display formula."""
_DISPLAY_STYLE: Final = "\\displaystyle"
"""How a part of a displayed formula begins that has an element of its own."""
_LEVELS_UP: Final = 6
"""Ancestors of a `math` element that are searched for the wrapper."""
_TEX_ATTRIBUTES: Final = ("data-math", "data-tex", "data-latex")
"""Attributes that hold the TeX of an element's content."""


class Formula(NamedTuple):
    """One formula of a page."""

    tex: str
    display: bool
    """Whether it is a display formula, not an inline one."""
    parts: tuple[int, ...] = ()
    """The rows of the `math` elements that it is made of, where these are several."""


@dataclass(frozen=True, slots=True)
class _Formulas:
    """The formulas of the kept content."""

    keep: BoolArray
    """Flags the kept leaves, with either all or no leaves of each formula; bool[n_leaf]."""
    tex: dict[int, Formula]
    """Row of a leaf → the formula it shows, where its TeX is known."""
    repeated: dict[int, int]
    """Leaf → the leaf that shows the same formula and is written instead."""
    wrappers: tuple[int, ...]
    """Rows of elements that hold one formula in several representations."""


def find_formulas(page: Page, keep: BoolArray) -> _Formulas:
    """Find the formulas among the kept leaves, bool[n_leaf].

    If any representation of a formula was selected, all are kept, and the MathML is the one written
    where there is one: they are equivalent, so it does not matter which one was selected.
    """
    tag = page.tag[page.leaves]
    formulas: dict[int, Formula] = {}
    repeated: dict[int, int] = {}
    wrappers: list[int] = []
    maths = page.leaves[tag == _MATH].tolist()
    if maths:
        keep = keep.copy()
        repeated, wrappers = _take_maths(page, keep, maths, formulas)
        repeated |= _join_rows(page, keep, formulas)
    pictures = keep & (tag == _IMG)
    if repeated:
        pictures[list(repeated)] = False
    for row in watch(page.leaves[pictures].tolist()):
        if any(map(page.start_tag(row).__contains__, MAYBE_TEX)):
            attrs = page.attrs(row)
            if image_tex := read_tex_of_image(attrs):
                formulas[row] = Formula(image_tex, "display" in attrs.get("class", ""))
    for name in _TEX_ATTRIBUTES:
        entries = page.attributes.named(name)
        if not entries.size:
            continue
        keep = keep.copy()
        rows = page.attributes.row[entries]
        for row in watch(rows[~page.within(PREFORMATTED[page.tag])[rows]].tolist()):
            repeated |= _take_annotated(page, keep, row, name, formulas)
            wrappers.append(row)
    for row, (tex, display) in find_marked_texts(page, keep).items():
        formulas.setdefault(row, Formula(tex, display))
        if page.tag[page.parent[row]] == _CODE:
            wrappers.append(int(page.parent[row]))
    return _Formulas(keep, formulas, repeated, tuple(wrappers))


def _take_maths(
    page: Page, keep: BoolArray, maths: list[int], formulas: dict[int, Formula]
) -> tuple[dict[int, int], list[int]]:
    """Add the formulas of `math` elements to ``formulas``; return duplicates and wrappers."""
    repeated: dict[int, int] = {}
    wrappers: list[int] = []
    scripts = [row for row in watch(maths) if is_script(page, row)]
    for row in watch(scripts):
        forms = find_forms(page, row)
        repeated |= _keep_forms(page, keep, forms, row)
        wrappers += forms
        noted = read_script(page, row)
        if noted is not None and keep[page.leaf_offset[row]]:
            formulas[row] = Formula(*noted)
    done = {*scripts, *page.leaves[list(repeated)].tolist()}
    wrapper_of = {row: _find_wrapper(page, row) for row in watch(maths) if row not in done}
    for row, (wrapper, display) in watch(wrapper_of.items()):
        tex = read_math(page, row)
        if tex is None:
            continue
        if wrapper >= 0:
            repeated |= _keep_wrapper(page, keep, wrapper, row)
            wrappers.append(wrapper)
        if keep[page.leaf_offset[row]]:
            formulas[row] = Formula(tex, display)
    return repeated, wrappers


def _join_rows(page: Page, keep: BoolArray, formulas: dict[int, Formula]) -> dict[int, int]:
    """Join the formulas of each row of an equation, kept if any is; return later leaves → first."""
    joined: dict[int, int] = {}
    for leaves in _find_formula_rows(page):
        rows: list[int] = page.leaves[leaves].tolist()
        if not keep[leaves].any() or not formulas.keys() >= set(rows):
            continue
        keep[leaves] = True
        parts = [formulas.pop(row).tex for row in rows]
        tex = " ".join(part.removeprefix(_DISPLAY_STYLE).lstrip() for part in parts)
        formulas[rows[0]] = Formula(tex, display=True, parts=tuple(rows) if len(rows) > 1 else ())
        joined |= dict.fromkeys(leaves[1:], leaves[0])
    return joined


def read_math(page: Page, row: int) -> str | None:
    """Return the TeX of a `math` element, annotated or converted; None if it is empty."""
    noted = find_annotated_tex(page, row)
    if noted is None:
        stated = " ".join((page.attr(row, "alttext") or "").split())
        noted = stated if re.search(r"[\\^_]", stated) else convert_mathml(page, row)
    return unwrap_tex(noted) if noted else None


def find_annotated_tex(page: Page, row: int) -> str | None:
    """Return the TeX annotation of a `math` element, None if it has none."""
    for part in watch(range(row + 1, int(page.end[row]))):
        if page.name(part) == "annotation":
            encoding = (page.attr(part, "encoding") or "").lower()
            if encoding in _TEX_ENCODINGS:
                return " ".join(page.text_of(part).split()) or None
    return None


def format_parts(page: Page, formula: Formula) -> str:
    """Return the MathML of a formula of several elements, their rows; its TeX if some is unsafe."""
    if not all(is_plain_formula(page, row) for row in formula.parts):
        return format_mathml(formula, shown=True)
    inside = (page.buffer[page.open_stop[row] : page.close_start[row]] for row in formula.parts)
    rows = (f"<mrow>{markup.decode()}</mrow>" for markup in inside)
    return f'<math display="block">{"".join(rows)}</math>'


def is_plain_formula(page: Page, row: int) -> bool:
    """Return whether a `math` element is safe to write unchanged: it holds only MathML elements."""
    rows = range(row + 1, int(page.end[row]))
    return all(
        page.name(part) in FORMULA_TAGS
        if page.tag[part] != TEXT
        else page.parent[part] != row or not page.text_of(part).strip()
        for part in watch(rows)
    )


def format_mathml(formula: Formula, *, shown: bool) -> str:
    """Return MathML annotated with the TeX; with ``shown`` the TeX is also its visible content."""
    display = ' display="block"' if formula.display else ""
    tex = escape(formula.tex)
    text = f"<mtext>{tex}</mtext>" if shown else ""
    noted = f'<annotation encoding="{TEX}">{tex}</annotation>'
    return f"<math{display}><semantics>{text}{noted}</semantics></math>"


def _find_wrapper(page: Page, row: int) -> tuple[int, bool]:
    """Return the wrapper of a formula, −1 for none, and whether the formula is displayed."""
    display = page.attr(row, "display") == "block"
    wrapper, at = -1, int(page.parent[row])
    for _ in range(_LEVELS_UP):
        if at < 0:
            break
        attrs = page.attrs(at)
        names = {page.name(at), *attrs.get("class", "").split()}
        if names & _WRAPPERS:
            wrapper = at
            display |= attrs.get("display") == "true"
        display |= bool(names & _DISPLAYS)
        at = int(page.parent[at])
    return wrapper, display


def _keep_wrapper(page: Page, keep: BoolArray, wrapper: int, row: int) -> dict[int, int]:
    """Keep all leaves of a wrapper if any is kept, in place; return the others → ``row``'s."""
    inside = slice(*page.leaf_span(wrapper))
    leaf = int(page.leaf_offset[row])
    n_math = np.count_nonzero(page.tag[page.leaves[inside]] == _MATH)
    if n_math == 1 and keep[inside].any():
        keep[inside] = True
        return {other: leaf for other in range(inside.start, inside.stop) if other != leaf}
    return {}


def _keep_forms(page: Page, keep: BoolArray, forms: list[int], row: int) -> dict[int, int]:
    """Keep a script and its rendered forms if any is kept, in place; return their leaves → its."""
    leaf = int(page.leaf_offset[row])
    shown = [leaf for form in forms for leaf in range(*page.leaf_span(form))]
    if not keep[[leaf, *shown]].any():
        return {}
    keep[[leaf, *shown]] = True
    return dict.fromkeys(shown, leaf)


def _take_annotated(
    page: Page, keep: BoolArray, row: int, name: str, formulas: dict[int, Formula]
) -> dict[int, int]:
    """Add the formula annotated on an element as its first text; return the other leaves → it."""
    inside = np.arange(*page.leaf_span(row))
    rows = page.leaves[inside[keep[inside]]]
    attrs = page.attrs(row)
    tex = unwrap_tex(" ".join(attrs[name].split()))
    if not rows.size or not tex or (page.tag[rows] != TEXT).any():
        return {}
    keep[inside] = True
    first = int(page.leaf_offset[rows[0]])
    formulas[int(rows[0])] = Formula(tex, bool(_DISPLAYS & set(attrs.get("class", "").split())))
    return {leaf: first for leaf in inside.tolist() if leaf != first}


# -- rows of equations -------------------------------------------------------------------------
#
# `<tr class="ltx_eqn_row">` has a cell for each part between two alignment marks, with a formula
# of its own, and one for the number. A reader sees one formula.

_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_ROW: Final = rb"(?<![\w-])ltx_eqn_row(?![\w-])"
_ROW_TAG: Final = "ltx_tag"
"""Part of the class of a number."""


def find_equation_rows(page: Page) -> IntArray:
    """Return the rows of these elements."""
    rows = page.attributes.rows_classed(_LATEXML, _ROW)
    return np.asarray(rows[page.tag[rows] == _TR])


def _find_formula_rows(page: Page) -> list[list[int]]:
    """Return the leaves of each such row that has formulas and a number, and nothing else."""
    formula_rows: list[list[int]] = []
    for row in watch(find_equation_rows(page).tolist()):
        leaves = np.arange(*page.leaf_span(row))
        is_math = page.tag[page.leaves[leaves]] == _MATH
        others = page.parent[page.leaves[leaves[~is_math]]].tolist()
        if is_math.any() and all(
            _ROW_TAG in (page.attr(parent, "class") or "") for parent in others
        ):
            formula_rows.append(leaves[is_math].tolist())
    return formula_rows
