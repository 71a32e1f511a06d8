"""Error pages: a status said in the title and the headings, and marks of templates for them.

The signs are weighed, and the more text a page has the more it takes: a page about "404 Not Found"
says so in title and heading too, but in more words than an error page has.
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
"""Weights: a text that can be nothing else, one that could, a mark of the whole page, a hint, and
a status stated for machines."""
_NEEDED: Final = ((30, 2), (60, 3), (150, 4), (300, 5))
"""Up to so many words outside links, so much weight is needed; above, no page is an error page.
Set by reason: the texts servers ship have 5 to 40 words, those of sites up to a few hundred with
their footers. On 2,275 pages with content it let none through."""
MAX_BLOCK_WORDS: Final = 60
"""Words outside links of the longest block; a paragraph of more is about something."""
_CONFIDENCE_OF: Final = {2: 0.7, 3: 0.8, 4: 0.85, 5: 0.9}
_SURE: Final = 0.95

_PAGE: Final = flags_of("html body main")
_TEMPLATE: Final = word(
    # WordPress (body_class), Shopify, and the names most templates choose.
    rb"error-?_?(?:page-?)?404|page-?_?404|404-?_?page|is-?404|status-?404|template-404|path-404"
    rb"|http-?error(?:-\d{3})?|error-?page|page-?error|error-?(?:403|410|500|502|503)"
    rb"|(?:page-?)?not-?found(?:-?page)?"
)
"""Classes and ids of templates for errors."""
_ADDRESS: Final = re.compile(
    r"/(?:404|403|410|500|error(?:/?404)?|(?:page-?)?not-?found)(?:\.\w{2,5})?/?$", re.IGNORECASE
)
"""The last part of an address that names an error."""
_SEPARATORS: Final = re.compile(r"\s[-–—|/]+\s|(?:(?<!\s)\s+)?[|·•»«›:]+\s*")
"""What separates a title from the site's name."""


def find_error_page(signals: PageSignals) -> Obstacle | None:
    """Tell an error page by its texts and marks."""
    needed = next((need for words, need in _NEEDED if signals.plain_words <= words), None)
    if needed is None or signals.longest_block_words > MAX_BLOCK_WORDS:
        return None
    signs = [*_text_signs(signals), *_mark_signs(signals)]
    weight = sum(weight for weight, _ in signs)
    if weight < needed or max((weight for weight, _ in signs), default=0) < _MARKED:
        return None
    what = ", ".join(sign for _, sign in signs)
    return Obstacle(
        ObstacleKind.BLOCKED,
        f"An error page: {what}; {format_count(signals.plain_words, 'word')} outside links.",
        _CONFIDENCE_OF.get(weight, _SURE),
    )


def _text_signs(signals: PageSignals) -> list[tuple[int, str]]:
    signs = []
    title = _first_error([signals.title, *_SEPARATORS.split(signals.title)])
    heading = _first_error(signals.headings)
    if title:
        signs.append((_weight_of(title[1], heading), f"the title says “{title[0]}”"))
    if heading:
        signs.append((_weight_of(heading[1], title), f"a heading says “{heading[0]}”"))
    else:
        line = _first_error(signals.lines)
        if line:
            signs.append((_VAGUE, f"a line says “{line[0]}”"))
    return signs


def _first_error(texts: list[str] | tuple[str, ...]) -> tuple[str, ErrorText] | None:
    """Return the first text that says an error: a clear one if any."""
    read = [(text, error) for text in texts if (error := read_error_text(text))]
    return next((pair for pair in read if pair[1].is_clear), read[0] if read else None)


def _weight_of(error: ErrorText, other: tuple[str, ErrorText] | None) -> int:
    """Weigh a text; a vague one becomes clear beside one that is."""
    clear = error.is_clear or (other is not None and other[1].is_clear)
    return _CLEAR if clear else _VAGUE


def _mark_signs(signals: PageSignals) -> list[tuple[int, str]]:
    page = signals.page
    signs: list[tuple[int, str]] = []
    names = [*signals.matches("class", _TEMPLATE), *signals.matches("id", _TEMPLATE)]
    if names:
        row, name = max(names, key=lambda named: bool(_PAGE[page.tag[named[0]]]))
        weight = _MARKED if _PAGE[page.tag[row]] else _HINTED
        signs.append((weight, f"`{page.name(row)}` is marked `{name}`"))
    # docs.prerender.io, "Best practices": the status that a crawler is to be given.
    for row, _ in signals.matches("name", word(b"prerender-status-code")):
        status = page.attr(row, "content") or ""
        if re.match(r"\s*[45]\d\d\b", status):
            signs.append((_STATED, f"a meta states the status {status.strip()[:3]}"))
            break
    for row, _ in signals.matches("name", word(b"robots")):
        if "noindex" in (page.attr(row, "content") or "").lower():
            signs.append((_HINTED, "search engines are told not to index it"))
            break
    for address in _addresses(signals):
        if _ADDRESS.search(address):
            signs.append((_HINTED, f"its address ends in {address.rpartition('/')[2] or address}"))
            break
    return signs


def _addresses(signals: PageSignals) -> list[str]:
    """Return the paths of the page's own addresses: its URL and the canonical one."""
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
