"""Rules page: list, edit, preview and save the rules of hosts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms import ALGORITHMS
from thresher.app.comparison import RuleChange, preview
from thresher.app.context import AppContext, context_of, form_of, map_all, render
from thresher.app.engine import PageSource
from thresher.app.pages.inspect import initial_method, make_document_key, try_rulebook
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook, check_rules
from thresher.sites.rule_forms import (
    Draft,
    change_rules,
    draft_of,
    read_addition,
    read_form,
    read_rules,
    with_problem,
    with_selector,
)
from thresher.sites.rulebook import NO_RULES, VIEWS, change_rulebook
from thresher.support.files import explain_os_error
from thresher.support.hosts import readable_host

_MAX_PREVIEWED: Final = 12
"""Maximum number of cached pages on which a change is previewed, the most recently used first."""
_HERE: Final = "/rules"
_ANY: Final = HostRules(view="original")
"""Non-empty rules, so that their host has a table."""
_CHOICES: Final[Mapping[str, Any]] = {
    "views": VIEWS,
    "methods": tuple(ALGORITHMS),
    "readable": readable_host,
}
"""Values that the form of a host needs."""


async def save_rules(request: Request) -> Response:
    """Save or remove the rules of one host; what was removed is offered to be put back.

    Scripts, which send X-Part, get the form of the host alone, other clients the page.
    """
    context, form = context_of(request), form_of(request)
    is_part = request.headers.get("x-part") is not None
    draft = read_form(form)
    try:
        rules = NO_RULES if form.get("act") == "remove" else await _check(context, draft)
        before, rules = await _save(
            context, draft.host, lambda stored: change_rules(stored, draft, rules)
        )
    except UsageError as error:
        draft = with_problem(draft, error)
        return _show_part(request, draft, 400) if is_part else await show_rules(request, draft)
    if rules == NO_RULES:
        removed = draft_of(draft.host, before, was=before)
        if is_part:
            return _show_part(request, removed)
        return await show_rules(request, removed=removed)
    if not is_part:
        return RedirectResponse(f"{_HERE}?saved={draft.host}#{draft.host}", 303)
    merged = not draft.was and before != NO_RULES
    done = f"Rules for {readable_host(draft.host)} saved"
    done += ", together with those that were there." if merged else "."
    return _show_part(request, draft_of(draft.host, rules, was=rules, done=done))


async def add_rule(request: Request) -> Response:
    """Add one selector to the rules of a host, from Inspect, and redirect back."""
    context, form = context_of(request), form_of(request)
    host, kind, selector = read_addition(form)
    added = with_selector(NO_RULES, kind, selector)
    try:
        await context.work(check_rules, added.rules)
        await _save(context, host, lambda stored: with_selector(stored, kind, selector))
    except UsageError as error:
        draft = replace(draft_of(host, added, was=NO_RULES), was="", problem=str(error))
        return await show_rules(request, draft)
    back = str(form.get("back", ""))
    if not back.startswith("/inspect/"):
        return RedirectResponse(f"{_HERE}#{host}", 303)
    return RedirectResponse(f"{back}&saved={kind}", 303)


async def preview_rules(request: Request) -> Response:
    """Show the effect of a draft, or of one selector, on the cached pages of the host."""
    context, form = context_of(request), form_of(request)
    is_part = request.headers.get("x-part") is not None
    book = context.rulebook()
    draft = read_form(form)
    try:
        if "pick" in form or "kind" in form:
            host, kind, selector = read_addition(form)
            rules = with_selector(book.hosts.get(host, NO_RULES), kind, selector)
            await context.work(check_rules, rules.rules)
            draft = draft_of(host, rules, was=book.hosts.get(host, NO_RULES))
        else:
            rules = await _check(context, draft)
            if not draft.was and rules != NO_RULES:
                rules = change_rules(book.hosts.get(draft.host, NO_RULES), draft, rules)
        changes = await _preview(context, book, draft.host, rules, str(form.get("page", "")))
    except UsageError as error:
        if is_part:
            return render(request, "rules_changes.html", changes=(), problem=str(error), host="")
        return await show_rules(request, replace(draft, problem=str(error)))
    if is_part:
        name = "rules_changes.html"
        return render(request, name, changes=changes, problem=None, host=draft.host)
    return await show_rules(request, draft, changes)


async def show_rules(
    request: Request,
    draft: Draft | None = None,
    changes: tuple[tuple[str, RuleChange], ...] | None = None,
    *,
    removed: Draft | None = None,
) -> Response:
    """Show the forms of all hosts, a draft in place of the form that it comes from."""
    context = context_of(request)
    book, rules_error = try_rulebook(context)
    drafts = {host: draft_of(host, rules, was=rules) for host, rules in sorted(book.hosts.items())}
    if draft is not None and draft.was:
        drafts[draft.host] = draft
    path = context.settings.rules_path
    return render(
        request,
        "rules.html",
        status=400 if draft and draft.problem else 200,
        drafts=tuple(drafts.values()),
        new=draft if draft is not None and not draft.was else Draft(),
        about=draft,
        changes=changes,
        rules_error=rules_error,
        saved=request.query_params.get("saved"),
        removed=removed,
        rules_path=str(path),
        command=f"thresher extract --rules {shlex.quote(str(path))} URL",
        **_CHOICES,
    )


def _show_part(request: Request, draft: Draft, status: int = 200) -> Response:
    """Show the form of one host; for rules that were saved as none, the offer to put them back."""
    is_removed = not draft.problem and not draft.done
    name = "rules_removed.html" if is_removed else "rules_host.html"
    values: dict[str, Any] = {"about": None, "changes": None, **_CHOICES}
    return render(request, name, status=status, draft=draft, removed=draft, **values)


async def _check(context: AppContext, draft: Draft) -> HostRules:
    rules = read_rules(draft, ALGORITHMS)
    Rulebook().with_host(draft.host, rules)
    await context.work(check_rules, rules.rules)
    return rules


async def _preview(
    context: AppContext, book: Rulebook, host: str, rules: HostRules, first: str
) -> tuple[tuple[str, RuleChange], ...]:
    changed = book.with_host(host, rules)
    with_table = book.with_host(host, _ANY)
    cached = [
        page for page in context.page_cache.latest() if with_table.host_for(page[1].url) == host
    ]
    cached.sort(key=lambda page: page[0] != first)
    once: dict[str | None, tuple[str, PageSource]] = {}
    for name, source in cached:  # an address opened twice is cached twice
        once.setdefault(source.url, (name, source))

    async def run(page: tuple[str, PageSource]) -> tuple[str, RuleChange]:
        name, source = page
        rules_of = [rulebook.of(source.url) for rulebook in (book, changed)]
        keys = [
            make_document_key(context, source, initial_method(host_rules), host_rules)
            for host_rules in rules_of
        ]
        return name, await context.work(preview, *keys)

    try:
        return tuple(await map_all(run, list(once.values())[:_MAX_PREVIEWED]))
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def _save(
    context: AppContext, host: str, change: Callable[[HostRules], HostRules]
) -> tuple[HostRules, HostRules]:
    """Change the rules of a host in the rulebook's file; return them before and after.

    UsageError if that fails.
    """
    path = context.settings.rules_path
    try:
        books = await anyio.to_thread.run_sync(change_rulebook, path, host, change)
    except OSError as error:
        raise UsageError(
            f"the rules were not saved: {path}: {explain_os_error(error)}; what you typed is below,"
            " save it again when this is fixed"
        ) from error
    before, after = (book.hosts.get(host, NO_RULES) for book in books)
    return before, after
