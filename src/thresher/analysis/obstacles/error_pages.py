"""Detection of error pages by a status in title or headings, and by marks of error templates.

The evidence is weighed, and longer pages need more: a page about "404 Not Found" also says so in
title and heading, but has more words than an error page.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from thresher.analysis.obstacles.error_texts import ErrorText, read_error_text
from thresher.analysis.obstacles.model import Obstacle, ObstacleKind
from thresher.analysis.obstacles.page_signals import PageSignals, format_count, word
from thresher.page.tags import flags_of

__all__ = ["find_error_page"]

_CLEAR, _VAGUE, _MARKED, _HINTED, _STATED = 2, 1, 2, 1, 3
"""Weights: an unambiguous text, an ambiguous one, a mark of the whole page, a hint, and a
machine-readable status."""
_NEEDED: Final = ((30, 2), (60, 3), (150, 4), (300, 5))
"""(most words outside links, least weight); a page with more words is never an error page. Set by
reasoning: servers' own texts have 5 to 40 words, those of sites up to a few hundred with their
footers. No false positive on 2,275 pages with content."""
MAX_BLOCK_WORDS: Final = 60
"""Words outside links of the longest block; a longer paragraph is content."""
_CONFIDENCE_OF: Final = {2: 0.7, 3: 0.8, 4: 0.85, 5: 0.9}
_SURE: Final = 0.95

_PAGE: Final = flags_of("html body main")
_TEMPLATE: Final = word(
    # WordPress (body_class), Shopify, and common names of templates.
    rb"error-?_?(?:page-?)?404|page-?_?404|404-?_?page|is-?404|status-?404|template-404|path-404"
    rb"|http-?error(?:-\d{3})?|error-?page|page-?error|error-?(?:403|410|500|502|503)"
    rb"|(?:page-?)?not-?found(?:-?page)?"
)
"""Classes and ids of error templates."""
_ADDRESS: Final = re.compile(
    r"/(?:404|403|410|500|error(?:/?404)?|(?:page-?)?not-?found)(?:\.\w{2,5})?/?$", re.IGNORECASE
)
"""Addresses whose last part names an error."""
_SEPARATORS: Final = re.compile(r"\s[-–—|/]+\s|(?:(?<!\s)\s+)?[|·•»«›:]+\s*")
"""Separators between a title and the site's name."""


def find_error_page(signals: PageSignals) -> Obstacle | None:
    """Detect an error page by its texts and marks; a line adds to these, but is never enough."""
    needed = next((need for words, need in _NEEDED if signals.plain_words <= words), None)
    if needed is None or signals.longest_block_words > MAX_BLOCK_WORDS:
        return None
    texts, marks = _text_evidence(signals), _mark_evidence(signals)
    if max((weight for weight, _ in (*texts, *marks)), default=0) < _MARKED:
        return None
    evidence = [*texts, *_line_evidence(signals), *marks]
    weight = sum(weight for weight, _ in evidence)
    if weight < needed:
        return None
    what = ", ".join(each for _, each in evidence)
    return Obstacle(
        ObstacleKind.BLOCKED,
        f"An error page: {what}; {format_count(signals.plain_words, 'word')} outside links.",
        _CONFIDENCE_OF.get(weight, _SURE),
    )


def _text_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    evidence = []
    title = _first_error([signals.title, *_SEPARATORS.split(signals.title)])
    heading = _first_error(signals.headings)
    if title:
        evidence.append((_weight_of(title[1], heading), f"the title says “{title[0]}”"))
    if heading:
        evidence.append((_weight_of(heading[1], title), f"a heading says “{heading[0]}”"))
    return evidence


def _line_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    """Return what a line says if no heading says anything."""
    line = None if _first_error(signals.headings) else _first_error(signals.lines)
    return [(_VAGUE, f"a line says “{line[0]}”")] if line else []


def _first_error(texts: list[str] | tuple[str, ...]) -> tuple[str, ErrorText] | None:
    """Return the first error text, an unambiguous one if any."""
    read = [(text, error) for text in texts if (error := read_error_text(text))]
    return next((pair for pair in read if pair[1].is_clear), read[0] if read else None)


def _weight_of(error: ErrorText, other: tuple[str, ErrorText] | None) -> int:
    """Return the weight of a text; an ambiguous one counts as clear beside a clear one."""
    clear = error.is_clear or (other is not None and other[1].is_clear)
    return _CLEAR if clear else _VAGUE


def _mark_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    page = signals.page
    evidence: list[tuple[int, str]] = []
    names = [*signals.matches("class", _TEMPLATE), *signals.matches("id", _TEMPLATE)]
    if names:
        row, name = max(names, key=lambda named: bool(_PAGE[page.tag[named[0]]]))
        weight = _MARKED if _PAGE[page.tag[row]] else _HINTED
        evidence.append((weight, f"`{page.name(row)}` is marked `{name}`"))
    # docs.prerender.io, "Best practices": the status to serve to crawlers.
    for row, _ in signals.matches("name", word(b"prerender-status-code")):
        status = page.attr(row, "content") or ""
        if re.match(r"\s*[45]\d\d\b", status):
            evidence.append((_STATED, f"a meta states the status {status.strip()[:3]}"))
            break
    for row, _ in signals.matches("name", word(b"robots")):
        if "noindex" in (page.attr(row, "content") or "").lower():
            evidence.append((_HINTED, "search engines are told not to index it"))
            break
    for address in _addresses(signals):
        if _ADDRESS.search(address):
            evidence.append(
                (_HINTED, f"its address ends in {address.rpartition('/')[2] or address}")
            )
            break
    return evidence


def _addresses(signals: PageSignals) -> list[str]:
    """Return the paths of the page's own URL and the canonical one."""
    page = signals.page
    urls = [page.url or ""]
    for row, _ in signals.matches("rel", word(b"canonical")):
        urls.append(page.attr(row, "href") or "")
    paths = []
    for url in urls:
        try:
            paths.append(unquote(urlsplit(url).path))
        except ValueError:  # such as an unclosed bracket where a host should be
            continue
    return paths
