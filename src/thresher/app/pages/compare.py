"""Compare page: two methods on one page, side by side, with differences highlighted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.app.comparison import compare
from thresher.app.context import context_of, render
from thresher.app.document_cache import DocumentKey
from thresher.app.method_form import MethodQuery, read_method_query
from thresher.app.pages.addresses import open_again, shared_query
from thresher.app.pages.document_keys import make_document_key, try_rulebook
from thresher.errors import UsageError
from thresher.sites import HostRules

__all__ = ["show_page"]

_OTHER: Final = "slope"
"""Method that the default one is compared with by default."""


async def show_page(request: Request) -> Response:
    """Compare ``?a=`` with ``?b=``; other parameters are as in Inspect."""
    if (again := await open_again(request)) is not None:
        return again
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
            chosen = read_method_query(_only(query, method))
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


def _only(query: Mapping[str, str], method: str) -> dict[str, str]:
    """Return a query for one method, whose parameters are prefixed by its name."""
    return {**{key: value for key, value in query.items() if key != "method"}, "method": method}
