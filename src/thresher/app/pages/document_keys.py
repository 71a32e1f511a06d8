"""Helpers of Inspect, Compare and Rules: the rulebook, the initial method, the document key."""

from __future__ import annotations

from thresher.algorithms import ALGORITHMS
from thresher.app.context import AppContext
from thresher.app.document_cache import DocumentKey
from thresher.app.method_form import MethodQuery
from thresher.app.models import current_model
from thresher.app.opened_pages import PageSource
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook

__all__ = ["initial_method", "make_document_key", "try_rulebook"]


def try_rulebook(context: AppContext) -> tuple[Rulebook, str | None]:
    """Read the user's rules; if their file is invalid, return no rules and the error message."""
    try:
        return context.rulebook(), None
    except UsageError as error:
        return Rulebook(), str(error)


def initial_method(rules: HostRules) -> MethodQuery:
    """Return the user's method for the host, else the default."""
    return (
        MethodQuery(rules.method) if rules.method and rules.method in ALGORITHMS else MethodQuery()
    )


def make_document_key(
    context: AppContext, source: PageSource, chosen: MethodQuery, rules: HostRules
) -> DocumentKey:
    """Build the key by which a worker extracts and caches a page."""
    model = current_model(context.settings)
    return DocumentKey(
        source,
        chosen,
        context.settings.limits,
        HostRules(rules.rules),
        model or None,
        context.settings.sites,
    )
