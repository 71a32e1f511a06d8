"""What Inspect, Compare and Rules begin with: the user's rules, a method, and the look itself."""

from __future__ import annotations

from thresher.algorithms import ALGORITHMS
from thresher.app.context import Context
from thresher.app.kept import Source
from thresher.app.looking import Look
from thresher.app.method_form import Chosen
from thresher.app.models import current_model
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook

__all__ = ["begin_with", "look_of", "try_rulebook"]


def try_rulebook(context: Context) -> tuple[Rulebook, str | None]:
    """Read the user's rules; where their file is none, return no rules and what is wrong."""
    try:
        return context.rulebook(), None
    except UsageError as error:
        return Rulebook(), str(error)


def begin_with(rules: HostRules) -> Chosen:
    """Return the method that the user set for the host, else the default."""
    return Chosen(rules.method) if rules.method and rules.method in ALGORITHMS else Chosen()


def look_of(context: Context, source: Source, chosen: Chosen, rules: HostRules) -> Look:
    """Say to a worker how a page is to be looked at."""
    model = current_model(context.settings)
    return Look(
        source,
        chosen,
        context.settings.limits,
        HostRules(rules.rules),
        model or None,
        context.settings.sites,
    )
