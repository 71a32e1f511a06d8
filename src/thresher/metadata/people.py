"""Names of authors out of bylines and structured data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from thresher.metadata.dates import is_month
from thresher.metadata.wording import key_of, plain_text, words_of

__all__ = ["Signed", "read_names"]

MAX_NAME_CHARS: Final = 80
"""Longest name, in characters; longer ones are sentences."""
MAX_NAME_WORDS: Final = 8
MAX_AUTHORS: Final = 100
"""Names kept; scientific papers have dozens."""
MAX_BYLINE_CHARS: Final = 4000

_PREFIX: Final = re.compile(
    r"(?:(?:(?:written|posted|published|reported|story|words|text|analysis|opinion|review|reviewed"
    r"|article|created|compiled|edited|submitted|(?:view|see|read|more)(?: all)?(?: \w+)?)\s+)?by"
    r"|von|par|por|di|door|av|af|od|przez|yazan"
    r"|authors?|autor(?:en|in|es)?|auteurs?|autore|редактор|автор|text|texte|redaktion|reporter"
    r"|著者|作者|记者|記者|文|編集|责任编辑|责编|来源)\s*(?:[:：/|]\s*|(?<=\w)\s+)",
    re.IGNORECASE,
)
"""What introduces a name in a byline, in a dozen languages."""
_LINK_WORD: Final = r"and|und|et|y|e|en|och|og|i|ve|и|with|mit|avec"
_BETWEEN: Final = re.compile(rf"\s+(?:{_LINK_WORD})\s+|\s*&\s*", re.IGNORECASE)
_LIST_MARK: Final = re.compile(r"\s*(?:[;、|•·/]|\s[–—]\s)\s*")
_TAIL: Final = re.compile(
    r"\s*(?:[(\[<{].*|,?\s+(?:for|of|at|from)\s+(?:the\s+)?[A-Z].*"
    r"|\s-\s.*|\b(?:updated|published|posted|last)\b.*|\s+@.*|\s+\S*\d.*)$",
    re.IGNORECASE,
)
"""What follows a name in a byline: employer, role in brackets, date."""
_AFTER_COMMA: Final = words_of(
    """
    ba bs bsc cdces ceo contributor correspondent cpa cpt cscs csw dds director dmd do dr edd editor
    esq fand founder freelance ii iii iv jd jr lcsw ld ldn llm lmft ma mba md mph ms msc mscp msn
    msw np pa pharmd phd psyd rd rdn registered reporter rn senior sr staff writer
    """
)
"""Words after a comma that are titles or roles, not further names."""
_NO_NAME: Final = words_of(
    """
    admin administrator anonymous author authors by comment comments contributor contributors editor
    editorial editors follow guest home moderator n/a na nobody none null root share staff superuser
    system test undefined unknown user view webmaster website
    """
)
"""What stands in a field for authors where there is none."""
_URL_OR_MAIL: Final = re.compile(
    r"\S*(?:://|www\.|[^\s(]@\S|\.html?\b|\.php\b)|[@/]", re.IGNORECASE
)
_NO_BYLINE: Final = re.compile(
    r"(?:view|see|read|get|more|follow|show|all|about|photo|image|illustration|sponsored|contact"
    r"|sign|log|share|advert\w*|subscribe)\b",
    re.IGNORECASE,
)
"""How other things begin that stand beside an author: links to a profile, credits of pictures."""


@dataclass(frozen=True, slots=True)
class Signed:
    """One raw statement of authorship."""

    text: str
    is_organisation: bool = False
    is_single: bool = False
    """Whether it is one name for certain, such as one `citation_author`."""


def read_names(statements: Iterable[Signed]) -> tuple[tuple[str, ...], bool]:
    """Read the names, each once, and say whether they are persons.

    Organisations are read only where there is no person.
    """
    people: dict[str, str] = {}
    organisations: dict[str, str] = {}
    for statement in statements:
        found = organisations if statement.is_organisation else people
        for name in _names_in(statement):
            if len(found) < MAX_AUTHORS:
                found.setdefault(key_of(name), name)
    return tuple((people or organisations).values()), bool(people)


def _names_in(statement: Signed) -> Iterator[str]:
    text = _without_prefix(plain_text(statement.text[:MAX_BYLINE_CHARS]))
    if _URL_OR_MAIL.match(text):
        return
    if statement.is_organisation:
        parts = [text]
    else:
        parts = [part for piece in _LIST_MARK.split(text) for part in _split(piece, statement)]
    for part in parts:
        name = _without_prefix(part).strip(" ,.:;|-–—•·*\"'“”")
        name = name if statement.is_organisation else _TAIL.sub("", name).strip(" ,.:;|-–—•·")
        if _is_name(name):
            yield _in_normal_case(name)


def _without_prefix(text: str) -> str:
    return _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text


def _split(text: str, statement: Signed) -> list[str]:
    """Split a list of names; "Last, First" is one, and so are titles behind a comma."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    inverted = len(parts) == 2 and (
        statement.is_single or all(len(part.split()) == 1 for part in parts)
    )
    if inverted and not _is_title(parts[1]):
        return [f"{parts[1]} {parts[0]}"]
    split: list[str] = []
    for part in parts:
        if split and _is_title(part):
            continue
        names = [name for name in _BETWEEN.split(part) if name.strip()]
        # "Maria and Tom" is a pair that signs as one; "Maria Roth and Tom Beck" are two.
        whole = len(parts) == 1 and len(names) == 2 and all(" " not in name for name in names)
        split.extend([part] if whole else names)
    return [re.sub(rf"^(?:{_LINK_WORD})\s+", "", name, flags=re.IGNORECASE) for name in split]


def _is_title(text: str) -> bool:
    words = [word.replace(".", "").casefold() for word in text.split()]
    return any(word in _AFTER_COMMA for word in words)


def _is_name(text: str) -> bool:
    if not 2 <= len(text) <= MAX_NAME_CHARS or len(text.split()) > MAX_NAME_WORDS:
        return False
    if _URL_OR_MAIL.match(text) or _NO_BYLINE.match(text) or not any(map(str.isalpha, text)):
        return False
    return text.casefold() not in _NO_NAME and not is_month(text)


def _in_normal_case(name: str) -> str:
    """Give a name shouted in capitals its usual letters; abbreviations stay."""
    if " " in name and name.isupper() and name.isascii():
        return " ".join(word if len(word) <= 2 else word.title() for word in name.split())
    return name
