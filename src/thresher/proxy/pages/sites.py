"""Sites page: the rules of single hosts."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.filters.switches import switch_filters
from thresher.proxy.pages.context import context_of, form_of, go_to, not_saved, render
from thresher.proxy.settings import PROFILE_SETTINGS
from thresher.sites import check_rules
from thresher.sites.rule_forms import (
    Draft,
    change_rules,
    draft_of,
    read_form,
    read_rules,
    with_problem,
)
from thresher.sites.rulebook import NO_RULES, Rulebook
from thresher.support.hosts import readable_host

__all__ = ["save", "show"]


async def show(request: Request) -> Response:
    """Show all hosts with rules, and a form for a new one."""
    return _answer(request, Draft(host=request.query_params.get("host", "")))


async def save(request: Request) -> Response:
    """Save or remove the rules of one host; rules of the form for a new one join those it has."""
    context, sent = context_of(request), form_of(request)
    draft = read_form(sent)
    is_removed = sent.get("act") == "remove"
    try:
        rules = NO_RULES
        if not is_removed:
            rules = read_rules(draft, PROFILE_SETTINGS[1].choices)
            Rulebook().with_host(draft.host, rules)
            check_rules(rules.rules)
            switch_filters(Filters(), rules.filters)
        context.state.change_rules(draft.host, lambda known: change_rules(known, draft, rules))
    except UsageError as error:
        return _answer(request, with_problem(draft, error), status=422)
    except OSError as error:
        problem = not_saved("rules", context.state.rules_path, error)
        return _answer(request, with_problem(draft, problem), status=422)
    return go_to(f"/sites?{'removed' if is_removed else 'saved'}={quote(draft.host)}")


def _answer(request: Request, draft: Draft, status: int = 200) -> Response:
    """Show the rules, with the submitted draft in place of the form that it comes from."""
    state = context_of(request).state
    hosts = sorted(state.rulebook.hosts.items())
    drafts = {host: draft_of(host, rules, was=rules) for host, rules in hosts}
    if draft.was:
        drafts[draft.host] = draft
    view, method = PROFILE_SETTINGS
    return render(
        request,
        "sites.html",
        status=status,
        drafts=tuple(drafts.values()),
        new=Draft() if draft.was else draft,
        readable=readable_host,
        views=view.choices,
        methods=method.choices,
        rules_path=state.rules_path,
        error=state.rules_error,
        saved=request.query_params.get("saved", ""),
        removed=request.query_params.get("removed", ""),
    )
