"""The extraction pipeline: bytes or text in, a Document out."""

from __future__ import annotations

from collections.abc import Mapping
from re import IGNORECASE
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from thresher.algorithms import DEFAULT_METHOD, Algorithm, MethodName, Select
from thresher.algorithms.base import FavorName
from thresher.deadline import check_deadline, deadline
from thresher.document import Document
from thresher.errors import InputError, LimitError, UsageError
from thresher.limits import MAX_BYTES, MAX_NODES, Limits, OnLimit, check_bytes, cut_to_fit
from thresher.page import Page
from thresher.page.archives import unpack_archive
from thresher.page.decode import read_utf8
from thresher.page.parse import parse, parse_utf8
from thresher.page.paths import MAX_DEPTH
from thresher.page.sniff import refuse_non_html
from thresher.request import SelectRequest
from thresher.roles import ScopeName
from thresher.selection import ENOUGH_WORDS, Selection
from thresher.support.late import compile_late
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from thresher.sites import Rulebook, Site

_MAX_NAME_CHARS: Final = 4096
"""Characters: longer than any path."""
_ADDRESS: Final = compile_late(r"(?:https?|file)://[^\s<>]+", IGNORECASE)
_FILE_NAME: Final = compile_late(
    r"[^\s<>]+\.(?:html?|xhtml|shtml|mhtml?|mht|webarchive)", IGNORECASE
)


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    http_charset: str | None = None,
    method: MethodName | Select = DEFAULT_METHOD,
    params: Mapping[str, object] | Any = None,
    scope: ScopeName | None = None,
    favor: FavorName | float | None = None,
    site: Site | None = None,
    rules: Rulebook | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
    deadline_s: float | None = None,
    on_limit: OnLimit = "raise",
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
    exceeds a limit, UsageError for an unknown method or parameter, or one that is given twice, and
    for the address or file name of a page in place of its HTML.
    """
    if isinstance(html, str):
        _refuse_name(html)
    return extract_request(
        html,
        SelectRequest(method, params, scope, favor, site, rules),
        Limits(max_bytes, max_nodes, deadline_s, on_limit),
        url=url,
        http_charset=http_charset,
    )


def extract_request(
    html: str | bytes,
    request: SelectRequest,
    limits: Limits | None = None,
    *,
    url: str | None = None,
    http_charset: str | None = None,
) -> Document:
    """Extract the main content of a page as `extract` does, with its arguments gathered."""
    limits = limits or Limits()
    selection: Selection | None = None
    with deadline(limits.deadline_s):
        page, met = _read_part(html, limits, url=url, http_charset=http_charset)
        try:
            selection = select_request(page, request)
            selection = _complete_page(selection, request)
        except LimitError as error:
            if not limits.partial:
                raise
            met = met or error
        if selection is not None:
            met = met or _find_lost_depth(selection)
    if selection is None:
        reason = f"not looked at: {met}"
        selection = Selection.of_nothing(page, request.method_name, reason=reason)
    return Document(selection.page, selection, limits.deadline_s, met, limits.partial)


def _find_lost_depth(selection: Selection) -> LimitError | None:
    """Return the limit of levels if more text was left out below it than was kept.

    No page of the corpora is as deep, so what a learned method decides there means little.
    """
    page = selection.page
    if not page.depth.size or page.depth.max() <= MAX_DEPTH:
        return None
    is_lost = (page.depth[page.leaves] > MAX_DEPTH) & ~selection.keep
    is_lost &= page.hidden[page.leaves] == 0
    is_most = int(page.leaf_words[is_lost].sum()) > selection.words
    return LimitError("levels of nested elements with a text", limit=MAX_DEPTH) if is_most else None


def read_page(
    html: str | bytes,
    *,
    url: str | None = None,
    http_charset: str | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
) -> Page:
    """Decode and parse HTML into a Page; raises as `extract` does."""
    _check_types(html, url)
    check_bytes(html, max_bytes)
    if (archived := unpack_archive(html)) is not None:
        html, http_charset = archived.html, archived.charset
        url = url or archived.url
    refuse_non_html(html)
    if isinstance(html, str):
        return parse(html, url=url, max_nodes=max_nodes)
    utf8, encoding = read_utf8(html, http_charset=http_charset)
    return parse_utf8(utf8, url=url, encoding=encoding, max_nodes=max_nodes)


class _NameError(UsageError, InputError):
    """The name of a page in place of its HTML: among many pages, one that cannot be read."""


def _refuse_name(html: str) -> None:
    """Raise UsageError for a text that is nothing but the address or file name of a page."""
    name = html.strip() if len(html) <= _MAX_NAME_CHARS else ""
    if _ADDRESS.fullmatch(name):
        raise _NameError(
            f"{quote(name)} is the address of a page, not its HTML: fetch it, and pass the body of "
            "the response as html and the address as url"
        )
    if _FILE_NAME.fullmatch(name):
        raise _NameError(
            f"{quote(name)} is the name of a file, not its HTML: pass what is in it, "
            "Path(…).read_bytes()"
        )


def _check_types(html: object, url: object) -> None:
    """Raise UsageError for what is often passed by mistake: None, a response, a path."""
    if not isinstance(html, (str, bytes)):
        raise UsageError(f"html must be str or bytes, not {type(html).__name__}")
    if not isinstance(url, (str, NoneType)):
        raise UsageError(f"url must be str or None, not {type(url).__name__}")


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
    method: MethodName | Select = DEFAULT_METHOD,
    params: Mapping[str, object] | Any = None,
    *,
    scope: ScopeName | None = None,
    favor: FavorName | float | None = None,
    site: Site | None = None,
    rules: Rulebook | None = None,
) -> Selection:
    """Run one method on a page; the other arguments are those of `extract`."""
    return select_request(page, SelectRequest(method, params, scope, favor, site, rules))


def select_request(page: Page, request: SelectRequest) -> Selection:
    """Run the method of a request on a page, with the evidence and the rules of its site."""
    check_deadline()
    algorithm, params = request.resolve()
    if request.site is None:
        selection = algorithm.select(page, params).without_unseen()
    else:
        selection = _select_on(request.site, page, algorithm, params)
    if request.rules is None:
        return selection
    from thresher.sites import force

    return force(selection, request.rules.of(page.url).rules)


def _complete_page(selection: Selection, request: SelectRequest) -> Selection:
    """Complete a page that shows too little, unless it does so only because of its site."""
    completed = _complete(selection)
    if completed is selection or not request.has_site_knowledge:
        return completed
    # If little is left because of the site's evidence or rules, script data does not help.
    plain = select_request(selection.page, request.without_site())
    return selection if _complete(plain) is plain else completed


def _complete(selection: Selection) -> Selection:
    """Complete a selection from script data, as `thresher.analysis.embedded.complete` does."""
    if selection.words > ENOUGH_WORDS:
        return selection
    # Most pages show enough text, and do not need the imports.
    from thresher.analysis.script_elements import find_scripts

    if next(find_scripts(selection.page.source), None) is None:
        return selection
    from thresher.analysis.embedded import complete

    return complete(selection)


def _select_on(site: Site, page: Page, algorithm: Algorithm, params: Any) -> Selection:
    """Run a method on a page of a known site; repeated text is evidence for it, or is dropped."""
    # Most pages come without a site, and do not need the import.
    from thresher.sites import drop_repeated, explain_repeated, force, read_evidence

    evidence = read_evidence(site, page)
    if not evidence.repeated.any():
        selection = algorithm.select(page, params)
    elif select_with_repeats := algorithm.select_with_repeats:
        selection = explain_repeated(select_with_repeats(page, params, evidence.share), evidence)
    else:
        selection = drop_repeated(algorithm.select(page, params), evidence)
    return force(selection.without_unseen(), site.rules)


def document_of(selection: Selection) -> Document:
    """Return a Document of any selection, such as a combination of several."""
    return Document(selection.page, selection)
