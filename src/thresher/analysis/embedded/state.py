"""The main text in the data of an application: the longest prose in it that the page's title fits.

Data of a page holds much else: menus, translations, other articles, terms. So a text must be
prose, by its words, and the page must speak for it: an object around the text has a heading that
is in the page's title, or words of the title are in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from thresher.analysis.embedded.rich_text import kind_of, markup_of_text, write_rich_text
from thresher.analysis.structured import JsonValue

__all__ = ["MainText", "estimate_words", "find_main_text", "letters_of", "strip_markup"]

MIN_WORDS: Final = 60
"""Words of the shortest text that is found."""
MAX_NODES: Final = 300_000
"""Values above which no further list or object is opened; and parts looked at of one."""
MAX_CANDIDATES: Final = 12
"""Texts of a value that are written out and compared."""
MIN_SHARE: Final = 0.8
"""Share of a text's words that a part of it must have to be taken in its place: the rest is what
stands around a text on its page."""
MIN_TEXT_SHARE: Final = 0.8
"""Share of a list's words that must be in nodes that look like parts of one text."""
MIN_STRING_CHARS: Final = 16
MAX_WORD_CHARS: Final = 12
"""Mean characters of a word in prose, its space included; codes and addresses have longer ones."""
WORDS_PER_CODE_SIGN: Final = 20
UNSPACED_CHARS: Final = 1.5
"""Characters of a word in scripts without spaces, about."""
MIN_HEADING_LETTERS: Final = 8
MIN_HEADING_SHARE: Final = 0.4
"""Share of a title's letters that a heading in it must have: a site's name is in each title."""
MAX_HEADING_LEVELS: Final = 5
"""Levels of data up to the object whose heading it is, that of the text included."""
MIN_TITLE_SHARE: Final = 0.6
"""Share of the title's longer words that a text must have, where no heading speaks for it."""
MIN_TITLE_WORDS: Final = 3
MIN_TITLE_WORD_CHARS: Final = 4

_MARKUP: Final = re.compile(r"<[^<>]*>")
_CODE: Final = re.compile(r"[{}=;|\\]")
_NO_LETTER: Final = re.compile(r"[\W_]+")
_NO_PROSE: Final = ("http", "data:", "/", "#", "{", "[{", '["')
_HEADINGS: Final = frozenset(("title", "headline", "heading", "name", "subject", "pageTitle"))
_CARD_KEYS: Final = (*_HEADINGS, "slug", "url", "href", "link", "permalink", "question")
"""What objects have that stand for something of their own, such as another article."""


@dataclass(frozen=True, slots=True)
class MainText:
    """A text in data."""

    path: str
    markup: str
    words: int
    """About how many; see `estimate_words`."""


@dataclass(slots=True)
class _Node:
    value: JsonValue
    parent: int
    key: str | int
    words: int = 0


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case, and nothing between."""
    return _NO_LETTER.sub("", text.lower())


def strip_markup(text: str) -> str:
    """Put a space in the place of each tag of a string."""
    return _MARKUP.sub(" ", text) if "<" in text else text


def estimate_words(text: str) -> int:
    """Return about how many words of prose a string has, 0 for what is none: code, an address."""
    if len(text) < MIN_STRING_CHARS or text.startswith(_NO_PROSE):
        return 0
    text = strip_markup(text)
    spaced = len(text.split())
    if text.isascii() or spaced * MAX_WORD_CHARS > len(text):
        words = spaced
    else:
        words = int(len(text) / UNSPACED_CHARS)
    if words < 2 or len(text) > words * MAX_WORD_CHARS:
        return 0
    has_code = len(_CODE.findall(text)) * WORDS_PER_CODE_SIGN > words
    return 0 if has_code else words


def find_main_text(value: JsonValue, title: str) -> MainText | None:
    """Find the main text of a page in a value; None where there is none.

    ``title`` is the page's title; of several, each is a line.

    Cost: one look at each of at most `MAX_NODES` parts, and writing out `MAX_CANDIDATES` of them.
    """
    nodes = _walk(value)
    titles = [letters_of(line) for line in title.splitlines()]
    best: tuple[int, MainText] | None = None
    for place in _most_words(nodes):
        node = nodes[place]
        is_text = isinstance(node.value, str)
        markup = markup_of_text(str(node.value)) if is_text else write_rich_text(node.value)
        words = estimate_words(markup)
        if words < MIN_WORDS or not _fits(nodes, place, markup, title, titles):
            continue
        if (
            best is None
            or words > best[1].words / MIN_SHARE
            or (words >= MIN_SHARE * best[1].words and _is_inside(nodes, place, best[0]))
        ):
            best = place, MainText(_path_of(nodes, place), markup, words)
    return best[1] if best else None


def _walk(value: JsonValue) -> list[_Node]:
    """List the parts of a value, each after what it is in, with the words of all they hold."""
    nodes = [_Node(value, -1, "")]
    seen: set[int] = set()
    at = 0
    while at < len(nodes) < MAX_NODES:
        part = nodes[at].value
        if isinstance(part, dict | list) and id(part) not in seen:
            seen.add(id(part))
            keys: Iterable[str | int] = part if isinstance(part, dict) else range(len(part))
            parts = part.values() if isinstance(part, dict) else part
            for key, each in islice(zip(keys, parts, strict=True), MAX_NODES):
                if isinstance(each, str):
                    if len(each) >= MIN_STRING_CHARS:
                        nodes.append(_Node(each, at, key, estimate_words(each)))
                elif each and isinstance(each, dict | list):
                    nodes.append(_Node(each, at, key))
        at += 1
    for node in reversed(nodes[1:]):
        nodes[node.parent].words += node.words
    return nodes


def _most_words(nodes: list[_Node]) -> list[int]:
    """Return the strings and lists of nodes that may be a text, those with most words first."""
    long = [place for place, node in enumerate(nodes) if node.words >= MIN_WORDS]
    long.sort(key=lambda place: -nodes[place].words)
    children: dict[int, list[_Node]] = {}
    wanted = set(long)
    for node in nodes:
        if node.parent in wanted and isinstance(nodes[node.parent].value, list):
            children.setdefault(node.parent, []).append(node)
    texts = (
        place
        for place in long
        if isinstance(nodes[place].value, str) or _is_one_text(children.get(place, []))
    )
    return list(islice(texts, MAX_CANDIDATES))


def _is_one_text(parts: list[_Node]) -> bool:
    """Say whether most words of a list are in strings, or in nodes of a text."""
    if len(parts) < 2:
        return False
    fitting = sum(part.words for part in parts if _is_text_node(part.value))
    return fitting >= MIN_TEXT_SHARE * sum(part.words for part in parts) > 0


def _is_text_node(value: JsonValue) -> bool:
    if isinstance(value, dict):
        is_card = any(isinstance(value.get(key), str) and value[key] for key in _CARD_KEYS)
        return bool(kind_of(value)) and not is_card
    return isinstance(value, str)


def _fits(nodes: list[_Node], place: int, markup: str, title: str, titles: list[str]) -> bool:
    """Say whether the page's title speaks for a text."""
    for around in islice(_ancestors(nodes, place), MAX_HEADING_LEVELS):
        value = nodes[around].value
        for key in _HEADINGS if isinstance(value, dict) else ():
            heading = value.get(key) if isinstance(value, dict) else None
            if isinstance(heading, str) and _is_heading(heading, titles):
                return True
    words = {word for word in _NO_LETTER.split(title.lower()) if len(word) >= _min_chars(word)}
    if len(words) < MIN_TITLE_WORDS:
        return False
    lower = markup.lower()
    return sum(word in lower for word in words) >= MIN_TITLE_SHARE * len(words)


def _is_heading(heading: str, titles: list[str]) -> bool:
    """Say whether a heading is most of a title."""
    letters = letters_of(strip_markup(heading))
    return len(letters) >= MIN_HEADING_LETTERS and any(
        letters in title and len(letters) >= MIN_HEADING_SHARE * len(title) for title in titles
    )


def _min_chars(word: str) -> int:
    return MIN_TITLE_WORD_CHARS if word.isascii() else 2


def _ancestors(nodes: list[_Node], place: int) -> Iterator[int]:
    """Yield a node and all it is in, from the inside."""
    while place >= 0:
        yield place
        place = nodes[place].parent


def _is_inside(nodes: list[_Node], place: int, other: int) -> bool:
    return other in _ancestors(nodes, place)


def _path_of(nodes: list[_Node], place: int) -> str:
    """Spell where a node is: ``a.b[2].c``."""
    keys = [nodes[at].key for at in _ancestors(nodes, place)][-2::-1]
    spelled = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return spelled.lstrip(".")
