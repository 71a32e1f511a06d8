"""Reading of the texts in a page's script data."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.analysis.embedded import json_ld
from thresher.analysis.embedded.flight import is_flight, read_flight
from thresher.analysis.embedded.model import Embedded
from thresher.analysis.embedded.rich_text import markup_of_text, write_rich_text
from thresher.analysis.embedded.scripts import read_values
from thresher.analysis.embedded.state import MainText, estimate_words, find_main_text
from thresher.analysis.json_ld import JsonValue
from thresher.analysis.script_elements import Script, find_scripts
from thresher.page import Origin, Page
from thresher.page.tags import CODE_OF

__all__ = ["MIN_WORDS", "read_embedded"]

MIN_WORDS: Final = 60
"""Least words of a text that is returned."""
MAX_TITLE_CHARS: Final = 400
_TITLES: Final = (CODE_OF["title"], CODE_OF["h1"])
_JSON_LD_MARKS: Final = ("articleBody", '"description"', '"text"')


def read_embedded(page: Page, *, min_words: int = MIN_WORDS) -> tuple[Embedded, ...]:
    """Read the texts in a page's script data, those with most words first.

    JSON-LD gives a text only if exactly one object has one: of several, none is the page's. The
    state of an application gives its main text. Never raises and runs no script. Cost: a search for
    scripts; then parsing the JSON of those that may contain text.
    """
    scripts = list(find_scripts(page.source))
    texts: dict[str, Embedded] = {}
    state: list[MainText] = []
    title = _title_of(page) if scripts else ""
    for script in scripts:
        if script.is_json_ld:
            texts.update(_read_json_ld(script, min_words))
        elif not is_flight(script.text):
            found = (find_main_text(value, title) for value in read_values(script))
            state += [each for each in found if each]
    flight = [script.text for script in scripts if is_flight(script.text)]
    if flight:
        main = find_main_text(read_flight(flight), title)
        state += [main] if main else []
    embedded = list(texts.values()) if len(texts) == 1 else []
    if state:
        best = max(state, key=lambda each: each.words)
        if best.words >= min_words:
            embedded.append(Embedded(Origin.STATE, best.markup, best.path, best.words))
    return tuple(sorted(embedded, key=lambda each: -each.words))


def _read_json_ld(script: Script, min_words: int) -> dict[str, Embedded]:
    """Return the distinct texts of a JSON-LD script, by markup."""
    if not any(mark in script.text for mark in _JSON_LD_MARKS):
        return {}
    found: dict[str, Embedded] = {}
    for path, text in json_ld.read_texts(script.text):
        markup = _markup_of(text)
        words = estimate_words(markup)
        if words >= min_words:
            found[markup] = Embedded(Origin.JSON_LD, markup, path, words)
    return found


def _markup_of(text: JsonValue) -> str:
    return markup_of_text(text) if isinstance(text, str) else write_rich_text(text)


def _title_of(page: Page) -> str:
    """Return the page's titles and top headings, one per line."""
    rows = np.flatnonzero(np.isin(page.tag, _TITLES))[:4].tolist()
    texts = [page.text_of(row)[:MAX_TITLE_CHARS] for row in rows]
    values = page.attributes.values("property") if rows else {}
    texts += [
        (page.attr(row, "content") or "")[:MAX_TITLE_CHARS]
        for row, value in values.items()
        if value.lower() == "og:title"
    ]
    return "\n".join(" ".join(text.split()) for text in texts)
