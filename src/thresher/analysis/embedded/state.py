"""Search for the main text in an application's data: the longest prose that fits the page's title.

The data contains much else: menus, translations, other articles, terms. So a text must be prose, by
its words, and match the page: an enclosing object has a heading that is in the page's title, or
words of the title are in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from thresher.analysis.embedded.rich_text import kind_of, markup_of_text, write_rich_text
from thresher.analysis.structured import JsonValue
from thresher.deadline import watch

MIN_WORDS: Final = 60
MAX_NODES: Final = 300_000
"""Values after which no further list or object is opened; and maximum parts read of one."""
MAX_CANDIDATES: Final = 12
"""Texts of a value that are converted and compared."""
MIN_SHARE: Final = 0.8
"""Minimum share of a text's words in a part that replaces it: the rest is the surroundings of the
text on its page."""
MIN_TEXT_SHARE: Final = 0.8
"""Minimum share of a list's words in nodes that look like parts of one text."""
MIN_STRING_CHARS: Final = 16
MAX_WORD_CHARS: Final = 12
"""Maximum mean characters of a word in prose with its space; codes and addresses have more."""
WORDS_PER_CODE_SIGN: Final = 20
UNSPACED_CHARS: Final = 1.5
"""Approximate characters of a word in scripts without spaces."""
MIN_HEADING_LETTERS: Final = 8
MIN_HEADING_SHARE: Final = 0.4
"""Minimum share of a title's letters in a heading: every title contains the site's name."""
MAX_HEADING_LEVELS: Final = 5
"""Levels of data up to the object with the heading, including that of the text."""
MIN_TITLE_SHARE: Final = 0.6
"""Minimum share of the title's longer words in a text without a matching heading."""
MIN_TITLE_WORDS: Final = 3
MIN_TITLE_WORD_CHARS: Final = 4

_MARKUP: Final = re.compile(r"<[^<>]*>")
_CODE: Final = re.compile(r"[{}=;|\\]")
_NO_LETTER: Final = re.compile(r"[\W_]+")
_NO_PROSE: Final = ("http", "data:", "/", "#", "{", "[{", '["')
_HEADINGS: Final = frozenset(("title", "headline", "heading", "name", "subject", "pageTitle"))
_CARD_KEYS: Final = (*_HEADINGS, "slug", "url", "href", "link", "permalink", "question")
"""Keys of objects that are separate things, such as another article."""


@dataclass(frozen=True, slots=True)
class MainText:
    """The main text of some data."""

    path: str
    markup: str
    words: int
    """Estimated, see `estimate_words`."""


@dataclass(slots=True)
class _Node:
    value: JsonValue
    parent: int
    key: str | int
    words: int = 0


def letters_of(text: str) -> str:
    """Return only the letters and digits of a text, in lower case."""
    return _NO_LETTER.sub("", text.lower())


def strip_markup(text: str) -> str:
    """Replace each tag of a string with a space."""
    return _MARKUP.sub(" ", text) if "<" in text else text


def estimate_words(text: str) -> int:
    """Estimate the words of prose in a string; 0 if it is not prose, such as code or an address."""
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
    """Find the main text of a page in a value; None if there is none.

    ``title`` has the page's titles, one per line. Cost: a visit to at most `MAX_NODES` parts, and
    the conversion of `MAX_CANDIDATES` of them.
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
            or (words >= MIN_SHARE * best[1].words and best[0] in _self_and_ancestors(nodes, place))
        ):
            best = place, MainText(_path_of(nodes, place), markup, words)
    return best[1] if best else None


def _walk(value: JsonValue) -> list[_Node]:
    """List the parts of a value, parents first, each with the words of its subtree."""
    nodes = [_Node(value, -1, "")]
    seen: set[int] = set()
    for place, node in enumerate(nodes):  # which grows meanwhile
        if len(nodes) >= MAX_NODES:
            break
        part = node.value
        if isinstance(part, str) or id(part) in seen:
            continue
        seen.add(id(part))
        parts: list[tuple[str | int, JsonValue]] = []
        if isinstance(part, dict):
            parts = [*islice(part.items(), MAX_NODES)]
        elif isinstance(part, list):
            parts = [*islice(enumerate(part), MAX_NODES)]
        for key, child in watch(parts):
            if isinstance(child, str):
                if len(child) >= MIN_STRING_CHARS:
                    nodes.append(_Node(child, place, key, estimate_words(child)))
            elif child and isinstance(child, (dict, list)):
                nodes.append(_Node(child, place, key))
    for node in reversed(nodes[1:]):
        nodes[node.parent].words += node.words
    return nodes


def _most_words(nodes: list[_Node]) -> list[int]:
    """Return the strings and lists that may be a text, those with most words first."""
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
    """Return whether most words of a list are in strings or text nodes."""
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
    """Return whether a text matches the page's title."""
    for around in islice(_self_and_ancestors(nodes, place), MAX_HEADING_LEVELS):
        value = nodes[around].value
        headings = [value.get(key) for key in _HEADINGS] if isinstance(value, dict) else []
        if any(isinstance(heading, str) and _is_heading(heading, titles) for heading in headings):
            return True
    words = {
        word
        for word in _NO_LETTER.split(title.lower())
        if len(word) >= (MIN_TITLE_WORD_CHARS if word.isascii() else 2)
    }
    if len(words) < MIN_TITLE_WORDS:
        return False
    lower = markup.lower()
    return sum(word in lower for word in words) >= MIN_TITLE_SHARE * len(words)


def _is_heading(heading: str, titles: list[str]) -> bool:
    """Return whether a heading is a large part of a title."""
    letters = letters_of(strip_markup(heading))
    return len(letters) >= MIN_HEADING_LETTERS and any(
        letters in title and len(letters) >= MIN_HEADING_SHARE * len(title) for title in titles
    )


def _self_and_ancestors(nodes: list[_Node], place: int) -> Iterator[int]:
    while place >= 0:
        yield place
        place = nodes[place].parent


def _path_of(nodes: list[_Node], place: int) -> str:
    """Format the path of a node: ``a.b[2].c``."""
    keys = [nodes[at].key for at in _self_and_ancestors(nodes, place)][-2::-1]
    formatted = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return formatted.lstrip(".")
