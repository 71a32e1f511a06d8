"""What Inspect, Compare and Rules begin with: the user's rules, a method, and the look itself."""

from __future__ import annotations

from thresher.algorithms import ALGORITHMS
from thresher.app.context import Context
from thresher.app.document_cache import DocumentKey
from thresher.app.method_form import MethodQuery
from thresher.app.models import current_model
from thresher.app.page_cache import Source
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook

__all__ = ["initial_method", "make_document_key", "try_rulebook"]


def try_rulebook(context: Context) -> tuple[Rulebook, str | None]:
    """Read the user's rules; where their file is none, return no rules and what is wrong."""
    try:
        return context.rulebook(), None
    except UsageError as error:
        return Rulebook(), str(error)


def initial_method(rules: HostRules) -> MethodQuery:
    """Return the method that the user set for the host, else the default."""
    return (
        MethodQuery(rules.method) if rules.method and rules.method in ALGORITHMS else MethodQuery()
    )


def make_document_key(
    context: Context, source: Source, chosen: MethodQuery, rules: HostRules
) -> DocumentKey:
    """Say to a worker how a page is to be looked at."""
    model = current_model(context.settings)
    return DocumentKey(
        source,
        chosen,
        context.settings.limits,
        HostRules(rules.rules),
        model or None,
        context.settings.sites,
    )
