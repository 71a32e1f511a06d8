"""Pages without a selection: portals, search results, web applications, forms, non-articles.

Crunch strips a portal to nothing; its authors were looking for a way to leave such pages untouched
(Gupta et al. 2003, section 4.1). Here the method's verdict decides, and for methods without
verdicts, the amount of text outside links.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.algorithms.crunch.params import Params
from thresher.document import Document, Verdict
from thresher.writers.shared.forms import find_forms

__all__ = ["passthrough_reason"]

_REASONS: Final[Mapping[Verdict, str]] = {
    Verdict.LISTING: "a portal or list of results",
    Verdict.NO_MAIN_CONTENT: "no main content found",
    Verdict.BLOCKED: "a login, error or consent page",
    Verdict.PARTIAL: "too large",
    Verdict.NEEDS_BROWSER: "a web application, rendered by scripts",
}
_FORM: Final = "a form"
_MIN_WORDS: Final = Params().min_content_words
"""Minimum of words outside links, as in the method crunch."""


def passthrough_reason(document: Document) -> str | None:
    """Return why nothing is to be selected on a page; None if its content was found."""
    reason = _REASONS.get(document.verdict)
    if reason:
        return reason
    if document.page.attached:
        return _REASONS[Verdict.NEEDS_BROWSER]
    page = document.page
    selection = document.selection
    if find_forms(page, selection.keep, selection.dropped_by_rule).is_purpose:
        return _FORM
    words = (page.leaf_words - page.leaf_link_words)[document.selection.keep].sum()
    return _REASONS[Verdict.LISTING] if words < _MIN_WORDS else None
