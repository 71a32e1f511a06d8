"""Decide page: two labels of a page side by side, and what holds where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

import anyio.to_thread
import numpy as np
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.app.context import AppContext, context_of, describe, form_of, render
from thresher.app.engine import excerpt, number_in
from thresher.app.labels import fits, shown_of, store_of
from thresher.app.pages.visitors import labeller_in, labeller_of
from thresher.errors import StorageError, UsageError
from thresher.labelling.decisions import find_decision, list_decisions, pair_up, save_decision
from thresher.labelling.model import (
    Label,
    LabelDecision,
    RoleCodes,
    StoredPage,
    find_role_conflicts,
    merge_roles,
)
from thresher.labelling.reading import ShownPage, text_of
from thresher.labelling.store import LabelConflictError, LabelStore
from thresher.roles import NO_ROLE, ROLES

_SIDES: Final = ("a", "b")
_MAX_CHARS: Final = 1_200
"""Characters of a block that are shown."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A page with two labels that differ, and the decision that holds, if any."""

    page: StoredPage
    labels: tuple[Label, Label]
    shown: ShownPage | None
    """The blocks of the page; None if the labels are of other blocks."""
    decision: LabelDecision | None

    @property
    def held(self) -> LabelDecision | None:
        """The decision, if it is about these very labels."""
        decision, (first, second) = self.decision, self.labels
        return decision if decision and decision.versions == (first.id, second.id) else None


async def show_choice(request: Request) -> Response:
    """Show the labels of ``?a=`` and ``?b=`` side by side."""
    return await _show(request, request.query_params, {})


async def save_choice(request: Request) -> Response:
    """Save what holds: one of the labels, or what was chosen for each block; then the next page."""
    form = form_of(request)
    context, number = context_of(request), int(request.path_params["page"])
    store = store_of(context)
    case = await _case_of(context, store, number, form)
    chosen = {key: str(value) for key, value in form.items()}
    who = labeller_in(form) or labeller_of(request)
    try:
        decision = _read_decision(case, form, who)
        save = partial(save_decision, store, decision, version=number_in(form, "version") or 0)
        await anyio.to_thread.run_sync(save)
    except UsageError as error:
        return await _show(request, form, chosen, str(error), HTTPStatus.BAD_REQUEST)
    except LabelConflictError as error:
        return await _show(request, form, chosen, str(error), HTTPStatus.CONFLICT)
    except StorageError as error:
        message = str(describe(error)["message"])
        return await _show(request, form, chosen, message, HTTPStatus.INSUFFICIENT_STORAGE)
    pair = [label.labeller for label in case.labels]
    following = await anyio.to_thread.run_sync(_next_open, store, *pair)
    query = urlencode(dict(zip(_SIDES, pair, strict=True)))
    where = f"/label/{following}/decide" if following else "/label/pages"
    return RedirectResponse(f"{where}?{query}", 303)


async def _show(
    request: Request,
    asked: Mapping[str, Any],
    chosen: Mapping[str, str],
    problem: str | None = None,
    status: int = 200,
) -> Response:
    """Render the page with what was chosen in its form, else with the decision that holds."""
    context = context_of(request)
    case = await _case_of(context, store_of(context), int(request.path_params["page"]), asked)
    kinds = [label.page_type or "" for label in case.labels]
    decided = (case.held and case.held.page_type) or ""
    agreed = kinds[0] if kinds[0] == kinds[1] else decided
    return render(
        request,
        "decide.html",
        status=status,
        problem=problem,
        case=case,
        pair=[label.labeller for label in case.labels],
        who=labeller_of(request),
        blocks=_list_blocks(case, chosen),
        kinds=kinds,
        page_type=chosen.get("page_type", agreed),
        page_types=PAGE_TYPES,
    )


async def _case_of(
    context: AppContext, store: LabelStore, number: int, asked: Mapping[str, Any]
) -> _Case:
    """Return the page and the labels of the labellers asked for; 404 if they do not differ."""
    pair = [str(asked.get(side, "")) for side in _SIDES]
    page = await anyio.to_thread.run_sync(store.page, number)
    labels = await anyio.to_thread.run_sync(store.labels)
    labels_of_pair = pair_up(labels, *pair).get(number)
    if page is None or labels_of_pair is None:
        raise HTTPException(404, "these two do not disagree on this page")
    shown = await shown_of(context, store, number)
    is_same = shown is not None and all(fits(label, shown) for label in labels_of_pair)
    decision = await anyio.to_thread.run_sync(find_decision, store, number)
    return _Case(page, labels_of_pair, shown if is_same else None, decision)


def _list_blocks(case: _Case, chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the blocks with both marks, and what was chosen: keep, drop or nothing yet."""
    if case.shown is None:
        return []
    first, second = (label.keep for label in case.labels)
    assert first is not None and second is not None
    role_names = _name_both_roles(case)
    decided = case.held.keep if case.held else None
    listed = []
    for place, block in enumerate(case.shown.blocks):
        a, b = bool(first[place]), bool(second[place])
        before = bool(decided[place]) if decided is not None else (a if a == b else None)
        typed = {"keep": True, "drop": False}.get(chosen.get(f"block{place}", ""))
        text = "[image]" if block.kind == "picture" else excerpt(block.text, _MAX_CHARS)
        block_values = {"text": text, "a": a, "b": b, "roles": role_names.get(place)}
        block_values["chosen"] = before if typed is None else typed
        block_values["role"] = chosen.get(f"role{place}") or _decided_role(case, place)
        listed.append(block_values)
    return listed


def _name_both_roles(case: _Case) -> dict[int, tuple[str, str]]:
    first, second = (label.roles for label in case.labels)
    if first is None or second is None:
        return {}
    return {
        block: (ROLES[first[block]], ROLES[second[block]])
        for block in find_role_conflicts(*(label.roles for label in case.labels)).tolist()
    }


def _decided_role(case: _Case, block: int) -> str:
    roles = case.held.roles if case.held else None
    return "" if roles is None or roles[block] == NO_ROLE else ROLES[roles[block]]


def _choose_roles(case: _Case, form: FormData) -> RoleCodes | None:
    """Return the roles that either label gives and, where they differ, those that were chosen."""
    merged = merge_roles(*(label.roles for label in case.labels))
    names = _name_both_roles(case)
    if merged is None or not names:
        return merged
    merged = merged.copy()
    for block, both in names.items():
        choice = str(form.get(f"role{block}", ""))
        if choice not in both:
            raise UsageError(f"the role of block {block + 1} is not decided yet")
        merged[block] = ROLES.index(choice)
    return merged


def _read_decision(case: _Case, form: FormData, who: str) -> LabelDecision:
    """Parse the form; UsageError if a block is left open or the page has changed."""
    versions = (number_in(form, "first") or 0, number_in(form, "second") or 0)
    kind = str(form.get("page_type", ""))
    act = str(form.get("do", ""))
    if act in _SIDES:
        label = case.labels[_SIDES.index(act)]
        assert label.keep is not None
        keep, text, kind = label.keep, label.text or "", label.page_type or ""
        roles = label.roles
    elif case.shown is None or form.get("blocks") != case.shown.digest():
        raise UsageError("the blocks of this page have changed; take one of the two labels")
    else:
        n_block = len(case.shown.blocks)
        choices = [str(form.get(f"block{place}", "")) for place in range(n_block)]
        n_open = sum(choice not in ("keep", "drop") for choice in choices)
        if n_open:
            what = "1 block is" if n_open == 1 else f"{n_open} blocks are"
            raise UsageError(f"{what} not decided yet: choose keep or drop")
        keep = np.array([choice == "keep" for choice in choices], np.bool_)
        text = text_of(case.shown, keep)
        roles = _choose_roles(case, form)
    page_type = kind if kind in PAGE_TYPES else None
    return LabelDecision(case.page.id, who, versions, keep, text, page_type, roles=roles)


def _next_open(store: LabelStore, a: str, b: str) -> int | None:
    decisions = list_decisions(store)
    for page, (first, second) in pair_up(store.labels(), a, b).items():
        decision = decisions.get(page)
        if decision is None or decision.versions != (first.id, second.id):
            return page
    return None
