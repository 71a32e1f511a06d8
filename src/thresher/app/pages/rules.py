"""Rules page: list, edit, preview and save the rules of hosts."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

import anyio
import anyio.to_thread
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms import ALGORITHMS
from thresher.app.context import Context, context_of, form_of, render
from thresher.app.page_cache import Source
from thresher.app.pages.document_keys import initial_method, make_document_key, try_rulebook
from thresher.app.rule_preview import Change, preview
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook, Rules, check_rules, save_rulebook
from thresher.sites.rulebook import NO_RULES, VIEWS

__all__ = ["add_rule", "preview_rules", "save_rules", "show_rules"]

_MAX_PREVIEWED: Final = 12
"""Maximum of cached pages on which a change is previewed, the most recently used first."""
_MAX_SELECTOR_CHARS: Final = 2_000
_MAX_SELECTORS: Final = 500
_HERE: Final = "/rules"
_ANY: Final = HostRules(view="original")
"""Non-empty rules, so that their host has a table."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """Rules of a host as text in a form."""

    host: str
    keep: str
    drop: str
    view: str
    method: str
    was: str
    """Digest of the rules that the form was built from."""
    problem: str | None = None


async def show_rules(request: Request) -> Response:
    """List the rules of all hosts, each in a form."""
    return _show(request)


async def save_rules(request: Request) -> Response:
    """Save or remove the rules of one host."""
    context, form = context_of(request), form_of(request)
    draft = _draft_of(form)
    try:
        book = context.rulebook()
        is_removed = form.get("act") == "remove"
        rules = NO_RULES if is_removed else await _read_rules(context, draft)
        if draft.was and draft.was != _digest(book.hosts.get(draft.host, NO_RULES)):
            raise UsageError("these rules were changed elsewhere in the meantime; reload the page")
        await _save(context, book.with_host(draft.host, rules))
    except UsageError as error:
        return _show(request, replace(draft, problem=str(error)))
    done = "removed" if rules == NO_RULES else "saved"
    return RedirectResponse(f"{_HERE}?{done}={draft.host}#{draft.host}", 303)


async def add_rule(request: Request) -> Response:
    """Add one selector to the rules of a host, from Inspect, and redirect back."""
    context, form = context_of(request), form_of(request)
    host, kind, selector = _read_addition(form)
    book = context.rulebook()
    rules = _with_selector(book.hosts.get(host, NO_RULES), kind, selector)
    await context.work(check_rules, rules.rules)
    await _save(context, book.with_host(host, rules))
    back = str(form.get("back", ""))
    if not back.startswith("/inspect/"):
        return RedirectResponse(f"{_HERE}#{host}", 303)
    return RedirectResponse(f"{back}&saved={kind}", 303)


async def preview_rules(request: Request) -> Response:
    """Show the effect of a draft, or of one selector, on the cached pages of the host."""
    context, form = context_of(request), form_of(request)
    is_part = request.headers.get("x-part") is not None
    book = context.rulebook()
    draft = _draft_of(form)
    try:
        if "pick" in form or "kind" in form:
            host, kind, selector = _read_addition(form)
            rules = _with_selector(book.hosts.get(host, NO_RULES), kind, selector)
            book.with_host(host, rules)
            await context.work(check_rules, rules.rules)
            draft = _make_draft(host, rules, was=book.hosts.get(host, NO_RULES))
        else:
            rules = await _read_rules(context, draft)
        changes = await _preview(context, book, draft.host, rules, str(form.get("page", "")))
    except UsageError as error:
        if is_part:
            return render(request, "rules_changes.html", changes=(), problem=str(error), host="")
        return _show(request, replace(draft, problem=str(error)))
    if is_part:
        name = "rules_changes.html"
        return render(request, name, changes=changes, problem=None, host=draft.host)
    return _show(request, draft, changes)


def _show(
    request: Request,
    draft: _Draft | None = None,
    changes: tuple[tuple[str, Change], ...] | None = None,
) -> Response:
    context = context_of(request)
    book, rules_error = try_rulebook(context)
    drafts = {
        host: _make_draft(host, rules, was=rules) for host, rules in sorted(book.hosts.items())
    }
    new = _Draft("", "", "", "", "", "")
    if draft is not None and draft.host in drafts:
        drafts[draft.host] = draft
    elif draft is not None:
        new = draft
    path = context.settings.rules_path
    query = request.query_params
    return render(
        request,
        "rules.html",
        status=400 if draft and draft.problem else 200,
        drafts=tuple(drafts.values()),
        new=new,
        about=draft.host if draft else None,
        changes=changes,
        rules_error=rules_error,
        saved=query.get("saved"),
        removed=query.get("removed"),
        rules_path=str(path),
        command=f"thresher extract --rules {shlex.quote(str(path))} URL",
        views=VIEWS,
        methods=tuple(ALGORITHMS),
    )


async def _read_rules(context: Context, draft: _Draft) -> HostRules:
    """Parse a draft; UsageError for invalid values."""
    keep, drop = (_read_selectors(text) for text in (draft.keep, draft.drop))
    if draft.method and draft.method not in ALGORITHMS:
        raise UsageError(f"unknown method {draft.method!r}; one of {', '.join(ALGORITHMS)}")
    rules = HostRules(Rules(keep, drop), draft.view or None, draft.method or None)
    Rulebook().with_host(draft.host, rules)
    await context.work(check_rules, rules.rules)
    return rules


def _read_selectors(text: str) -> tuple[str, ...]:
    """Parse one selector per line, without duplicates."""
    lines = [line.strip() for line in text.splitlines()]
    selectors = tuple(dict.fromkeys(line for line in lines if line))
    if len(selectors) > _MAX_SELECTORS:
        raise UsageError(f"a host can have at most {_MAX_SELECTORS} selectors")
    if any(len(each) > _MAX_SELECTOR_CHARS for each in selectors):
        raise UsageError(f"a selector can have at most {_MAX_SELECTOR_CHARS} characters")
    return selectors


def _read_addition(form: FormData) -> tuple[str, str, str]:
    host, kind = str(form.get("host", "")), str(form.get("kind", ""))
    selector = str(form.get("pick", "")) or str(form.get("selector", ""))
    if kind not in ("keep", "drop"):
        raise HTTPException(400, "a rule must be keep or drop")
    found = _read_selectors(selector)
    if len(found) != 1:
        raise UsageError("choose or enter a selector")
    return host, kind, found[0]


def _with_selector(known: HostRules, kind: str, selector: str) -> HostRules:
    """Return rules with one more selector, replacing a previous rule for it."""
    keep = [each for each in known.rules.keep if each != selector]
    drop = [each for each in known.rules.drop if each != selector]
    (keep if kind == "keep" else drop).append(selector)
    return HostRules(Rules(tuple(keep), tuple(drop)), known.view, known.method)


async def _preview(
    context: Context, book: Rulebook, host: str, rules: HostRules, first: str
) -> tuple[tuple[str, Change], ...]:
    """Preview rules on the cached pages of a host; return the id and change of each."""
    changed = book.with_host(host, rules)
    with_table = book.with_host(host, _ANY)
    cached = [
        page for page in context.page_cache.latest() if with_table.host_for(page[1].url) == host
    ]
    cached.sort(key=lambda page: page[0] != first)
    once: dict[str | None, tuple[str, Source]] = {}
    for name, source in cached:  # an address opened twice is cached twice
        once.setdefault(source.url, (name, source))
    pages = list(once.values())[:_MAX_PREVIEWED]
    found: dict[str, Change] = {}

    async def run(name: str, source: Source) -> None:
        rules_of = [each.of(source.url) for each in (book, changed)]
        keys = [make_document_key(context, source, initial_method(each), each) for each in rules_of]
        found[name] = await context.work(preview, *keys)

    try:
        async with anyio.create_task_group() as group:
            for name, source in pages:
                group.start_soon(run, name, source)
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return tuple((name, found[name]) for name, _ in pages)


async def _save(context: Context, book: Rulebook) -> None:
    """Write the rulebook; UsageError if that fails."""
    try:
        await anyio.to_thread.run_sync(save_rulebook, book, context.settings.rules_path)
    except OSError as error:
        raise UsageError(f"{context.settings.rules_path}: {error.strerror or error}") from error


def _draft_of(form: FormData) -> _Draft:
    values = {name: str(form.get(name, "")) for name in ("keep", "drop", "view", "method", "was")}
    return _Draft(host=str(form.get("host", "")).strip().lower().rstrip("."), **values)


def _make_draft(host: str, rules: HostRules, *, was: HostRules) -> _Draft:
    """Return rules as a form, with a digest of the rules it was built from."""
    return _Draft(
        host,
        "\n".join(rules.rules.keep),
        "\n".join(rules.rules.drop),
        rules.view or "",
        rules.method or "",
        _digest(was),
    )


def _digest(rules: HostRules) -> str:
    return sha256(repr(rules).encode("utf-8", "replace")).hexdigest()[:16]
