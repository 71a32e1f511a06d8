"""Sites page: the rules of single hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ThresherError, UsageError
from thresher.proxy.pages.context import context_of, form_of, go_to, render
from thresher.proxy.settings import PROFILE_SETTINGS
from thresher.sites import check_rules
from thresher.sites.model import Rules
from thresher.sites.rulebook import HostRules, normalize_host

__all__ = ["save", "show"]


@dataclass(frozen=True, slots=True)
class _SiteDraft:
    """The rules of a host as text in a form, one selector per line."""

    host: str = ""
    view: str = ""
    method: str = ""
    keep: str = ""
    drop: str = ""
    error: str = ""


async def show(request: Request) -> Response:
    """Show all hosts with rules, and a form for a new one."""
    return _answer(request, _SiteDraft(host=request.query_params.get("host", "")), "")


async def save(request: Request) -> Response:
    """Save or remove the rules of one host."""
    context, sent = context_of(request), form_of(request)
    host = sent.get("host", "").strip()
    is_removed = sent.get("act") == "remove"
    try:
        host = normalize_host(host)
        rules = HostRules() if is_removed else _read(sent)
        check_rules(rules.rules)
        if not is_removed and rules == HostRules():
            raise UsageError("choose a view or method, or enter a selector")
        context.state.replace_rules(host, rules)
    except UsageError as error:
        fields = {name: sent.get(name, "") for name in ("view", "method", "keep", "drop")}
        is_known = host in context.state.rulebook.hosts
        draft = _SiteDraft(host=host, error=str(error), **fields)
        return _answer(request, draft, host if is_known else "", status=422)
    except OSError as error:
        raise ThresherError(f"the rules cannot be saved: {error}") from error
    return go_to(f"/sites?{'removed' if is_removed else 'saved'}={quote(host)}")


def _read(sent: Mapping[str, str]) -> HostRules:
    methods = next(each.choices for each in PROFILE_SETTINGS if each.name == "method")
    method = sent.get("method") or None
    if method is not None and method not in methods:
        raise UsageError(f"method must be one of {', '.join(methods)}, not {quote(method)}")
    keep, drop = (_lines(sent.get(name, "")) for name in ("keep", "drop"))
    return HostRules(Rules(keep, drop), sent.get("view") or None, method)


def _answer(request: Request, draft: _SiteDraft, draft_of: str, status: int = 200) -> Response:
    """Show the rules, with the submitted draft in place of those of its host."""
    state = context_of(request).state
    drafts = [
        draft
        if host == draft_of
        else _SiteDraft(
            host,
            known.view or "",
            known.method or "",
            "\n".join(known.rules.keep),
            "\n".join(known.rules.drop),
        )
        for host, known in sorted(state.rulebook.hosts.items())
    ]
    view, method = PROFILE_SETTINGS
    return render(
        request,
        "sites.html",
        status=status,
        drafts=drafts,
        new=_SiteDraft() if draft_of else draft,
        views=view.choices,
        methods=method.choices,
        rules_path=state.rules_path,
        error=state.rules_error,
        saved=request.query_params.get("saved", ""),
        removed=request.query_params.get("removed", ""),
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
