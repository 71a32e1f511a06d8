"""Inspect and Compare: a page beside its result with reasons for each block; two methods on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.annotated import MAX_BLOCKS
from thresher.app.comparison import compare
from thresher.app.context import AppContext, context_of, current_model, render
from thresher.app.engine import (
    DocumentKey,
    MethodQuery,
    PageSource,
    fields_of,
    number_in,
    read_method_query,
)
from thresher.app.inspection import GRAPHS, inspect, open_detail
from thresher.app.pages.opening import shared_query
from thresher.errors import UsageError
from thresher.sites import HostRules, Rulebook


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
    settings = context.settings
    only_selectors = HostRules(rules.rules)
    return DocumentKey(
        source, chosen, settings.limits, only_selectors, current_model(settings), settings.sites
    )


_SAVED: Final[Mapping[str, str]] = {
    "drop": "Rule saved. Matching elements are now dropped on this site.",
    "keep": "Rule saved. Matching elements are now kept on this site.",
}


async def show_inspection(request: Request) -> Response:
    """Show a page with its blocks, graph and result."""
    context = context_of(request)
    name, query = request.path_params["page"], request.query_params
    source = context.page(name)
    book, problem = try_rulebook(context)
    rules = book.of(source.url)
    try:
        chosen = read_method_query(query, initial_method(rules))
    except UsageError as error:
        problem, chosen = str(error), initial_method(rules)
    key = make_document_key(context, source, chosen, rules)
    block = number_in(query, "block")
    graph = _read_graph(query, chosen)
    shared = shared_query(source)
    link = _link_to(name, chosen, graph, shared)
    start = number_in(query, "from") or 0
    try:
        inspected, detail = await context.work(inspect, key, block, start, graph, link)
    except UsageError as error:
        # An invalid rule or value can be fixed on this page, so show it all the same.
        problem, chosen = str(error), MethodQuery(chosen.method)
        link = _link_to(name, chosen, graph, shared)
        key = make_document_key(context, source, chosen, HostRules())
        inspected, detail = await context.work(inspect, key, block, start, graph, link)
    return render(
        request,
        "inspect.html",
        page=name,
        host=book.host_for(source.url),
        inspected=inspected,
        chosen=chosen,
        methods=tuple(ALGORITHMS),
        fields=fields_of(chosen),
        graph=graph,
        graphs=GRAPHS,
        block=detail.index if detail else None,
        detail=detail,
        link=link,
        shared=shared,
        shared_url=source.url if shared else None,
        part_link=_to_part(link),
        pages=_parts(inspected.n_block, inspected.start),
        problem=problem,
        saved=_SAVED.get(query.get("saved", "")),
    )


async def show_block(request: Request) -> Response:
    """Return the details of one block as an HTML fragment, for the script of Inspect."""
    context = context_of(request)
    name = request.path_params["page"]
    source = context.page(name)
    book = context.rulebook()
    rules = book.of(source.url)
    chosen = read_method_query(request.query_params, initial_method(rules))
    key = make_document_key(context, source, chosen, rules)
    detail = await context.work(open_detail, key, request.path_params["block"])
    if detail is None:
        raise HTTPException(404, "the page has no such block")
    link = _link_to(name, chosen, _read_graph(request.query_params, chosen), shared_query(source))
    return render(
        request,
        "inspect_block.html",
        page=name,
        host=book.host_for(source.url),
        detail=detail,
        link=link,
        part_link=_to_part(link),
    )


def _link_to(name: str, chosen: MethodQuery, graph: str, shared: str) -> str:
    """Return the link to a block, up to its number; ``shared`` is the query of every view."""
    query = f"{shared}&{chosen.query}" if shared else chosen.query
    return f"/inspect/{quote(name)}?{query}&graph={graph}&block="


def _to_part(link: str) -> str:
    """Return the corresponding link to a part of the page, up to the number of its first block."""
    return link.removesuffix("block=") + "from="


def _read_graph(query: Mapping[str, str], chosen: MethodQuery) -> str:
    """Return the graph that is asked for; by default what the method itself decides by."""
    default = "score" if chosen.method == DEFAULT_METHOD else GRAPHS[0]
    graph = query.get("graph", default)
    return graph if graph in GRAPHS else default


def _parts(n_block: int, here: int) -> list[tuple[int, int, bool]]:
    return [
        (start, min(start + MAX_BLOCKS, n_block), start == here)
        for start in range(0, n_block, MAX_BLOCKS)
    ]


_OTHER: Final = "slope"
"""Method that the default one is compared with by default."""


async def show_comparison(request: Request) -> Response:
    """Compare ``?a=`` with ``?b=``; other parameters are as in Inspect."""
    context, query = context_of(request), request.query_params
    name = request.path_params["page"]
    source = context.page(name)
    book, problem = try_rulebook(context)
    rules = book.of(source.url)
    # Rules would hide differences between the methods, so they are off by default.
    with_rules = query.get("rules") == "on"
    applied = rules if with_rules else HostRules()
    first = query.get("a") or DEFAULT_METHOD
    second = query.get("b") or (_OTHER if first == DEFAULT_METHOD else DEFAULT_METHOD)
    keys: list[DocumentKey] = []
    for method in (first, second):
        try:
            chosen = read_method_query({**query, "method": method})
        except UsageError as error:
            problem, chosen = str(error), MethodQuery()
        keys.append(make_document_key(context, source, chosen, applied))
    shared = shared_query(source)
    start = f"/inspect/{quote(name)}?" + (f"{shared}&" if shared else "")
    link = f"{start}method={quote(keys[0].chosen.method)}&block="
    comparison = await context.work(compare, *keys, link)
    return render(
        request,
        "compare.html",
        page=name,
        shared=shared,
        shared_url=source.url if shared else None,
        comparison=comparison,
        left=keys[0].chosen,
        right=keys[1].chosen,
        methods=tuple(ALGORITHMS),
        has_rules=rules.rules != HostRules().rules,
        with_rules=with_rules,
        problem=problem,
    )
