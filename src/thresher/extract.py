"""The extraction pipeline: bytes or text in, a Document out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, Algorithm, Select
from thresher.deadline import check_deadline, deadline
from thresher.document import Document
from thresher.errors import LimitError, UsageError
from thresher.limits import MAX_BYTES, MAX_NODES, Limits, check_bytes, cut_to_fit
from thresher.page import Page
from thresher.page.decode import read_utf8
from thresher.page.parse import parse, parse_utf8
from thresher.page.sniff import refuse_non_html
from thresher.selection import ENOUGH_WORDS, Selection

if TYPE_CHECKING:
    from thresher.sites import Rulebook, Site

__all__ = ["build_params", "document_of", "extract", "read_page", "select"]


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    http_charset: str | None = None,
    method: str | Select = DEFAULT_METHOD,
    params: Mapping[str, object] | Any = None,
    scope: str | None = None,
    favor: str | float | None = None,
    site: Site | None = None,
    rules: Rulebook | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
    deadline_s: float | None = None,
    on_limit: str = "raise",
) -> Document:
    """Extract the main content of a page.

    ``url`` is the base of relative links. ``http_charset`` is the charset of the HTTP response,
    used for bytes. ``method`` is a name of `ALGORITHMS` or any ``select(page, params) ->
    Selection``; ``params`` are its parameters, by name or as its own dataclass. ``scope``, one of
    `SCOPES`, selects what kind of content is wanted; ``favor``, one of `FAVORS` or a β, whether
    precision or recall matters more: two parameters of the method `learned` (docs/verdicts.md).

    ``site`` holds what was learned from other pages of the same site, and the user's rules for it:
    from `thresher.sites.learn`, or `read_site` (docs/sites.md). ``rules`` are the user's rules for
    all hosts, from `read_rulebook` (docs/rules.md); those for the page's URL are applied last. Only
    what they keep and drop is used here, not the method or view they name.

    A page that shows too little of a text contained in its script data is completed with that text;
    the document's page then has more rows (docs/embedded.md).

    ``max_bytes`` and ``max_nodes`` (elements and texts) limit the page, ``deadline_s`` the seconds
    until the Document is returned, and again those of each property computed from it. ``on_limit``,
    one of `ON_LIMIT`, determines what happens beyond a limit: a LimitError, or ("partial") a
    Document of the part within it, with the limit and the verdict `PARTIAL`.

    Raises InputError if the input is not a page (empty, a PDF, an image …), LimitError if it
    exceeds a limit, UsageError for an unknown method or parameter, or one that is given twice.
    """
    limits = Limits(max_bytes, max_nodes, deadline_s, on_limit)
    selection: Selection | None = None
    with deadline(deadline_s):
        page, met = _read_part(html, limits, url=url, http_charset=http_charset)
        try:
            choose = partial(select, page, method, params, scope=scope, favor=favor)
            selection = choose(site=site, rules=rules)
            completed = _complete(selection)
            # If little is left because of the site's evidence or rules, script data does not help.
            knows = site is not None or rules is not None
            if completed is not selection and (not knows or _is_completed(choose())):
                selection = completed
        except LimitError as error:
            if not limits.partial:
                raise
            met = met or error
    if selection is None:
        name = method if isinstance(method, str) else method.__name__
        selection = Selection.of_nothing(page, name, reason=f"not looked at: {met}")
    return Document(selection.page, selection, deadline_s, met)


def read_page(
    html: str | bytes,
    *,
    url: str | None = None,
    http_charset: str | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Decode and parse HTML into a Page; raises as `extract` does."""
    check_bytes(html, max_bytes)
    refuse_non_html(html)
    if isinstance(html, str):
        return parse(html, url=url, max_nodes=max_nodes)
    utf8, encoding = read_utf8(html, http_charset=http_charset)
    return parse_utf8(utf8, url=url, encoding=encoding, max_nodes=max_nodes)


def _read_part(
    html: str | bytes, limits: Limits, *, url: str | None, http_charset: str | None
) -> tuple[Page, LimitError | None]:
    """Read a page, or with ``partial`` limits, as much of it as fits within them."""
    met: LimitError | None = None
    while True:
        try:
            page = read_page(
                html,
                url=url,
                http_charset=http_charset,
                max_bytes=limits.max_bytes,
                max_nodes=limits.max_nodes,
            )
        except LimitError as error:
            if not limits.partial:
                raise
            met = met or error
            html = cut_to_fit(html, error)
            if not html:
                break
        else:
            return page, met
    return parse("", url=url), met


def select(
    page: Page,
    method: str | Select = DEFAULT_METHOD,
    params: Mapping[str, object] | Any = None,
    *,
    scope: str | None = None,
    favor: str | float | None = None,
    site: Site | None = None,
    rules: Rulebook | None = None,
) -> Selection:
    """Run one method on a page; the other arguments are those of `extract`."""
    check_deadline()
    if callable(method):
        if scope is not None or favor is not None:
            raise UsageError("pass scope and favor of a function in its params")
        chosen, built = method, params
    else:
        chosen = _find(method).select
        built = build_params(method, params, scope=scope, favor=favor)
    selection = chosen(page, built) if site is None else _select_on(site, page, chosen, built)
    if rules is None:
        return selection
    from thresher.sites import force  # noqa: PLC0415 - as below

    return force(selection, rules.of(page.url).rules)


def _complete(selection: Selection) -> Selection:
    """Complete a selection from script data, as `thresher.analysis.embedded.complete` does."""
    if selection.words > ENOUGH_WORDS:
        return selection
    # Most pages show enough text, and do not need the import.
    from thresher.analysis.embedded import complete  # noqa: PLC0415

    return complete(selection)


def _is_completed(selection: Selection) -> bool:
    return _complete(selection) is not selection


def _select_on(site: Site, page: Page, chosen: Select, params: Any) -> Selection:
    """Run a method on a page of a known site; repeated text is evidence for it, or is dropped."""
    # Most pages come without a site, and do not need the import.
    from thresher.sites import (  # noqa: PLC0415
        drop_repeated,
        explain_repeated,
        force,
        read_evidence,
    )

    evidence = read_evidence(site, page)
    known = (each for each in ALGORITHMS.values() if each.select is chosen)
    select_with_repeats = next((each.select_with_repeats for each in known), None)
    if not evidence.repeated.any():
        selection = chosen(page, params)
    elif select_with_repeats:
        selection = explain_repeated(select_with_repeats(page, params, evidence.share), evidence)
    else:
        selection = drop_repeated(chosen(page, params), evidence)
    return force(selection, site.rules)


def build_params(
    method: str,
    params: Mapping[str, object] | Any = None,
    *,
    scope: str | None = None,
    favor: str | float | None = None,
) -> Any:
    """Build the params of a method of `ALGORITHMS`; the arguments are those of `extract`.

    Scope and favor override the defaults in params. UsageError if the method has no such parameter,
    or params set it to another value.
    """
    algorithm = _find(method)
    if params is None:
        params = algorithm.params()
    is_built = isinstance(params, algorithm.params)
    built: Any = params if is_built else algorithm.build_params(params)
    pairs = (("scope", scope), ("favor", favor))
    asked = {name: value for name, value in pairs if value is not None}
    if not asked:
        return built
    for name in asked:
        if not _takes(algorithm, name):
            takers = [each for each, it in ALGORITHMS.items() if _takes(it, name)]
            raise UsageError(f"{method} has no {name}; {', '.join(takers) or 'no method'} has")
    wanted = algorithm.build_params(asked)
    for name in asked:
        new, old = getattr(wanted, name), getattr(built, name)
        # In params that are already built, defaults cannot be distinguished from set values.
        is_set = old != getattr(algorithm.params(), name) if is_built else name in (params or ())
        if is_set and new != old:
            raise UsageError(f"{name} is given twice: {new!r}, and {old!r} in params")
    changes: dict[str, Any] = {name: getattr(wanted, name) for name in asked}
    return replace(built, **changes)


def document_of(selection: Selection) -> Document:
    """Return a Document of any selection, such as a combination of several."""
    return Document(selection.page, selection)


def _find(method: str) -> Algorithm:
    if method not in ALGORITHMS:
        raise UsageError(f"unknown method {method!r}; one of {', '.join(ALGORITHMS)}")
    return ALGORITHMS[method]


def _takes(algorithm: Algorithm, name: str) -> bool:
    return any(name == parameter.name for parameter in algorithm.parameters())
