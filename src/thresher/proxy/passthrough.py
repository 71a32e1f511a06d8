"""Pages that are left as they are: portals, search results, web applications, what is no article.

Crunch strips a portal to nothing; its authors were looking for a way to leave such pages untouched
(Gupta et al. 2003, section 4.1). Here the method's own judgement says it, and where a method has
none, how little text there is beside links.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thresher.algorithms.crunch.params import Params
from thresher.document import Document, Verdict

__all__ = ["passthrough_reason"]

_REASONS: Final[Mapping[Verdict, str]] = {
    Verdict.LISTING: "a portal, or a list of results",
    Verdict.NO_MAIN_CONTENT: "no main content was found",
    Verdict.BLOCKED: "a login, an error or a question comes first",
    Verdict.PARTIAL: "too large",
    Verdict.NEEDS_BROWSER: "a web application: its scripts write it",
}
_MIN_WORDS: Final = Params().min_content_words
"""Words outside links that a page must have, as for the method crunch."""


def passthrough_reason(document: Document) -> str | None:
    """Return why a page is to be left as it is; None for one whose content was found."""
    reason = _REASONS.get(document.verdict)
    if reason:
        return reason
    if document.page.attached:
        return _REASONS[Verdict.NEEDS_BROWSER]
    page = document.page
    words = (page.leaf_words - page.leaf_link_words)[document.selection.keep].sum()
    return _REASONS[Verdict.LISTING] if words < _MIN_WORDS else None
