"""Inspect: the page beside its result, and for each block why it was kept or dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from thresher.algorithms import ALGORITHMS
from thresher.app.annotated import MAX_BLOCKS
from thresher.app.context import Context, context_of, render
from thresher.app.details import look_at
from thresher.app.inspection import GRAPHS, inspect
from thresher.app.kept import Source
from thresher.app.looking import Look
from thresher.app.method_form import Chosen, fields_of, read_chosen
from thresher.app.models import current_model
from thresher.errors import ThresherError, UsageError
from thresher.sites import HostRules, Rulebook

__all__ = ["begin_with", "look_of", "open_page", "show_block", "show_page"]

_SAVED: Final[Mapping[str, str]] = {
    "drop": "The rule is saved: what it names is dropped on this site from now on.",
    "keep": "The rule is saved: what it names is kept on this site from now on.",
}


async def open_page(request: Request) -> Response:
    """Ask for an address, or fetch the one that is given, and inspect it."""
    url = request.query_params.get("url", "").strip()
    problem = None
    if url:
        context = context_of(request)
        try:
            source = await context.fetch(url if "://" in url else f"https://{url}")
        except ThresherError as error:
            problem = str(error)
        else:
            return RedirectResponse(f"/inspect/{context.kept.put(source)}", 303)
    return render(
        request, "inspect_open.html", url=url, problem=problem, status=502 if problem else 200
    )


async def show_page(request: Request) -> Response:
    """Show a page with its blocks, its graph and its result."""
    context = context_of(request)
    name, query = request.path_params["page"], request.query_params
    source = context.page(name)
    problem, book = None, Rulebook()
    try:
        book = context.rulebook()
    except UsageError as error:
        problem = str(error)
    rules = book.of(source.url)
    try:
        chosen = read_chosen(query, begin_with(rules))
    except UsageError as error:
        problem, chosen = str(error), begin_with(rules)
    look = look_of(context, source, chosen, rules)
    block = _read_block(query.get("block"))
    graph = query.get("graph", GRAPHS[0])
    graph = graph if graph in GRAPHS else GRAPHS[0]
    link = _link_to(name, chosen, graph)
    first = block if block is not None else _read_block(query.get("from")) or 0
    try:
        seen = await context.work(inspect, look, first, graph, link)
    except UsageError as error:
        # A rule that is no selector, or a value that is none, can be mended here.
        problem, chosen = str(error), Chosen(chosen.method)
        link = _link_to(name, chosen, graph)
        look = look_of(context, source, chosen, HostRules())
        seen = await context.work(inspect, look, first, graph, link)
    detail = await context.work(look_at, look, block) if block is not None else None
    return render(
        request,
        "inspect.html",
        page=name,
        host=book.host_for(source.url),
        seen=seen,
        chosen=chosen,
        methods=tuple(ALGORITHMS),
        fields=fields_of(chosen),
        graph=graph,
        graphs=GRAPHS,
        block=detail.index if detail else None,
        detail=detail,
        link=link,
        part_link=link.replace("block=", "from="),
        pages=_parts(seen.n_block, seen.start),
        problem=problem,
        saved=_SAVED.get(query.get("saved", "")),
    )


async def show_block(request: Request) -> Response:
    """Show what is known of one block: a part of a page, for the script of Inspect."""
    context = context_of(request)
    name = request.path_params["page"]
    source = context.page(name)
    book = context.rulebook()
    rules = book.of(source.url)
    chosen = read_chosen(request.query_params, begin_with(rules))
    look = look_of(context, source, chosen, rules)
    detail = await context.work(look_at, look, request.path_params["block"])
    if detail is None:
        raise HTTPException(404, "the page has no such block")
    graph = request.query_params.get("graph", GRAPHS[0])
    link = _link_to(name, chosen, graph if graph in GRAPHS else GRAPHS[0])
    values: dict[str, Any] = {"page": name, "host": book.host_for(source.url), "detail": detail}
    part_link = link.replace("block=", "from=")
    return render(request, "inspect_block.html", link=link, part_link=part_link, **values)


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


def begin_with(rules: HostRules) -> Chosen:
    """Return the method that the user set for the host, else the default."""
    return Chosen(rules.method) if rules.method and rules.method in ALGORITHMS else Chosen()


def _link_to(name: str, chosen: Chosen, graph: str) -> str:
    return f"/inspect/{quote(name)}?{chosen.query}&graph={graph}&block="


def _read_block(value: str | None) -> int | None:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 9 else None


def _parts(n_block: int, here: int) -> list[tuple[int, int, bool]]:
    """Return from where to where the parts of a page reach, and which one is shown."""
    return [
        (start, min(start + MAX_BLOCKS, n_block), start == here)
        for start in range(0, n_block, MAX_BLOCKS)
    ]
