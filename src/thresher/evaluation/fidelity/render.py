"""Rendering of Markdown as HTML, with an independent CommonMark library (markdown-it-py).

CommonMark 0.31 with raw HTML, GFM's tables and strikethrough, footnotes ``[^1]``, formulas between
dollar signs, and description lists as in PHP Markdown Extra. Formulas become MathML with only their
TeX, and the marks of footnotes leave no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any, Final

from thresher.errors import MissingExtraError

__all__ = ["render_markdown"]

_ALERT: Final = re.compile(
    r"<blockquote>\n<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:\n|(</p>\n?))",
    re.IGNORECASE,
)
"""The beginning of an alert, which the library takes for text."""


def render_markdown(markdown: str) -> str:
    """Return the HTML that a reader of the Markdown would see; raises MissingExtraError."""
    return _renderer()(markdown)


@cache
def _renderer() -> Callable[[str], str]:
    try:
        from markdown_it import MarkdownIt  # noqa: PLC0415
        from mdit_py_plugins.deflist import deflist_plugin  # noqa: PLC0415
        from mdit_py_plugins.dollarmath import dollarmath_plugin  # noqa: PLC0415
        from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("reading Markdown", "eval") from error
    # Pages have no limit on nesting depth; the library's default is 20.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 200})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin).use(deflist_plugin)
    parser.use(dollarmath_plugin, renderer=_render_formula, allow_space=False, allow_digits=False)
    for rule in ("footnote_ref", "footnote_anchor"):
        parser.add_render_rule(rule, _render_nothing)
    return lambda markdown: _ALERT.sub(_render_alert, str(parser.render(markdown)))


def _render_alert(found: re.Match[str]) -> str:
    opened = f'<blockquote data-callout="{found[1].lower()}">\n'
    return opened if found[2] else f"{opened}<p>"


def _render_formula(tex: str, options: dict[str, Any]) -> str:
    display = "block" if options["display_mode"] else "inline"
    noted = f'<annotation encoding="application/x-tex">{escape(tex.strip())}</annotation>'
    return f'<math display="{display}"><semantics>{noted}</semantics></math>'


def _render_nothing(*_: object) -> str:
    return ""
