"""Inline elements in Markdown: marks in the texts of a tree, and what they become when rendered.

Whether a delimiter is read as one depends on the text around it (`emphasis`), so inline elements
become marks in the text (`marks`), which the renderer treats as letters, and are replaced once the
text around them is known.

The renderer's own hook for this, a converter for each element, loses words: in turbohtml 1.15 a
line break before or inside one converted element can cut off the end of a later one.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Node, Text

from thresher.deadline import watch
from thresher.writers.inline.emphasis import find_runs, join_emphasis, replace_emphasis
from thresher.writers.inline.marks import (
    APART,
    CODE,
    DISPLAY,
    FORMULA,
    MARKS_OF,
    REPLACEMENTS,
    SCRIPTS,
)
from thresher.writers.inline.quotes import choose_quotation_marks
from thresher.writers.inline.scripts import format_script
from thresher.writers.inline.texts import adapt_texts
from thresher.writers.math.dollars import mark_dollars, replace_dollar_marks
from thresher.writers.math.formulas import TEX

__all__ = ["mark_inline", "replace_inline_marks"]

_LITERAL: Final = re.compile(
    r"(?<!`)`+ ?([\ufdd6\ufdd8\ufdda])([^\ufdd6-\ufddb]*)[\ufdd7\ufdd9\ufddb] ?`+"
)
"""Marked code as the renderer writes it."""
_BACKTICKS: Final = re.compile("`+")
_CODE_TAGS: Final = ("code", "kbd", "samp")
_MARKED_TAGS: Final = (*_CODE_TAGS, *SCRIPTS, "math", "pre", "q", "rt", "summary")
_BOLD_ALREADY: Final = "strong, b, h1, h2, h3, h4, h5, h6, p, div, br"
"""Elements that already emphasise a summary, or that emphasis cannot enclose."""
_PLAIN: Final = (
    "abbr, bdi, bdo, cite, dfn, ins, mark, q, rb, rt, rtc, ruby, small, span, sub, sup, time, u,"
    " var"
)
"""Elements without Markdown syntax."""
_STRIPPED: Final = f"{_PLAIN}, {', '.join(MARKS_OF)}"


def mark_inline(tree: Element, *, has_dollars: bool = True, adapts_texts: bool = True) -> None:
    """Convert the inline elements of a tree to marks in its text, in place.

    ``has_dollars`` says whether there may be dollar signs, ``adapts_texts`` whether texts may have
    to be adapted.
    """
    if next(iter(tree.iter_elements(_MARKED_TAGS)), None) is not None:
        _mark_special(tree)
    if has_dollars:
        mark_dollars(tree)
    for element in watch(reversed(list(tree.iter_elements(MARKS_OF)))):
        _mark_emphasis(element)
    # Inside them turbohtml 1.15 does not see that a text begins a line: `<sup>1. </sup>` would
    # start a list.
    tree.strip_tags(_STRIPPED)
    tree.normalize()
    if adapts_texts:
        adapt_texts(tree)


def _mark_special(tree: Element) -> None:
    """Convert the inline elements other than emphasis to marks or characters."""
    for pre in tree.find_all("pre"):
        pre.strip_tags(_STRIPPED)
    for code in watch(list(tree.iter_elements(_CODE_TAGS))):
        _mark_code(code)
    for script in watch(tree.find_all(list(SCRIPTS))):
        _mark_script(script)
    for summary in tree.find_all("summary"):
        if summary.text.strip() and not summary.select(_BOLD_ALREADY):
            summary.wrap_children(Element("strong"))
    for reading in tree.find_all("rt"):
        _enclose(reading, "(", ")")
    for quote in tree.find_all("q"):
        opening, closing = choose_quotation_marks(quote.text)
        _enclose(quote, opening, closing)
    for formula in watch(tree.find_all("math")):
        _mark_formula(formula)


def _format_marked(tex: str, *, is_display: bool) -> list[Element | Text]:
    """Return a formula as marked code, separated from its neighbours."""
    # Readers without support for formulas must find neither HTML nor a link in it.
    tex = " ".join(tex.split()).replace("<", "\\lt ").replace("](", "] (")
    opening, closing = DISPLAY if is_display else FORMULA
    return [
        Text(APART),
        Element("code", children=[Text(f"{opening}{tex}{closing}")]),
        Text(APART),
    ]


def _mark_formula(formula: Element) -> None:
    for note in formula.find_all("annotation"):
        if note.text.strip() and note.attr("encoding") == TEX:
            is_display = formula.attr("display") == "block"
            formula.replace_with(*_format_marked(note.text, is_display=is_display))
            return


def _mark_code(code: Element) -> None:
    """Mark code, merged with code directly after it: backticks could not separate the two."""
    parent = code.parent
    if not isinstance(parent, Element) or parent.tag == "pre":
        return
    while isinstance(behind := code.next_sibling, Element) and behind.tag in _CODE_TAGS:
        code.extend(list(behind.children))
        behind.extract()
    _move_spaces_out(code)
    for script in code.find_all(list(SCRIPTS)):
        before = script.previous_sibling
        last = before.text[-1:] if isinstance(before, Element | Text) else ""
        script.set_text(format_script(script.text, raised=script.tag == "sup", before=last))
    for line_break in code.find_all("br"):
        line_break.replace_with(Text(" "))
    if code.find("a") is not None:
        _split_at_links(code)
    elif text := " ".join(code.text.split()):
        code.set_text(f"{CODE[0]}{text}{CODE[1]}")


def _split_at_links(code: Element) -> None:
    """Replace code that contains links by code before, inside and after each link."""
    pieces: list[Node] = []
    pending = ""
    code.strip_tags(_STRIPPED)
    code.normalize()
    for child in list(code.children):
        if isinstance(child, Element) and child.tag == "a":
            inside = _mark_piece(child.text)
            child.clear()
            child.extend(inside)
            pieces += [*_mark_piece(pending), child]
            pending = ""
        else:
            pending += child.text
    code.replace_with(*pieces, *_mark_piece(pending))


def _mark_piece(text: str) -> list[Node]:
    """Return a part of code as marked code, with the spaces at its edges outside."""
    words = " ".join(text.split())
    if not words:
        return [Text(" ")] if text else []
    marked: list[Node] = [Element("code", children=[Text(f"{CODE[0]}{words}{CODE[1]}")])]
    before: list[Node] = [Text(" ")] if text[0].isspace() else []
    after: list[Node] = [Text(" ")] if text[-1].isspace() else []
    return [*before, *marked, *after]


def _mark_script(script: Element) -> None:
    """Mark superscript or subscript text unless it is only a link, which is clear enough."""
    _move_spaces_out(script)
    linked = "".join(link.text for link in script.find_all("a"))
    text = script.text.strip()
    if text and text != linked.strip():
        _enclose(script, *SCRIPTS[script.tag])


def _enclose(element: Element, opening: str, closing: str) -> None:
    if element.text.strip():
        element.insert(0, Text(opening))
        element.append(Text(closing))


def _mark_emphasis(element: Element) -> None:
    _move_spaces_out(element)
    if element.text.strip() or element.find("img") is not None:
        opening, closing = MARKS_OF[element.tag]
        element.insert(0, Text(opening))
        element.append(Text(closing))


def _move_spaces_out(element: Element) -> None:
    """Move the white space at the edges of an inline element out of it."""
    children = list(element.children)
    for child in children[:1]:
        if isinstance(child, Text) and child.data[:1].isspace():
            child.data = child.data.lstrip()
            element.insert_before(Text(" "))
    for child in children[-1:]:
        if isinstance(child, Text) and child.data[-1:].isspace():
            child.data = child.data.rstrip()
            element.insert_after(Text(" "))


def replace_inline_marks(marked: str) -> str:
    """Replace the marks in rendered Markdown by delimiters, or by nothing."""
    runs = find_runs(marked)
    replaced = replace_dollar_marks(join_emphasis(marked, runs), FORMULA[0] + DISPLAY[0])
    if replaced is not marked:
        runs = find_runs(replaced)
    if runs:
        replaced = replace_emphasis(replaced, runs)
    if "`" in replaced:
        replaced = _LITERAL.sub(_format_literal, replaced)
    for mark, sign in REPLACEMENTS.items():
        replaced = replaced.replace(mark, sign)
    return replaced


def _format_literal(found: re.Match[str]) -> str:
    """Write TeX between dollar signs, code between backticks (CommonMark 0.31.2, 6.1)."""
    mark, text = found[1], found[2]
    if mark == FORMULA[0]:
        return f"${text}$"
    if mark == DISPLAY[0]:
        return f"$${text}$$"
    runs = set(_BACKTICKS.findall(text))
    fence = "`"
    while fence in runs:
        fence += "`"
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"
