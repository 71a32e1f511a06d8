"""Author names in bylines and structured data, and kept blocks that only name the authors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.metadata.dates import is_month
from thresher.analysis.metadata.normalise import key_of, plain_text, words_of
from thresher.selection import Selection

_AGENCY: Final = (
    r"(?:the\s+)?(?:associated press|canadian press|press association|reuters|afp|agence"
    r" france[- ]presse|dpa|efe|ansa|xinhua|kyodo(?: news)?|tass|upi|bloomberg news)"
)
"""News agencies, whose names follow those of their reporters without a separator."""
_WHOLE_AGENCY: Final = re.compile(_AGENCY, re.IGNORECASE)
_AGENCY_TAIL: Final = re.compile(rf"(?<=\S\s){_AGENCY}$", re.IGNORECASE)
_KIND: Final = re.compile(
    r"\b(?:press|news|media|network|newsroom|staff|team|editors|editorial|desk|bureau|agency|agence"
    r"|redaktion|redazione|redacción|redação|rédaction|redactie|university|universität"
    r"|université|universidad|institute|institut|college|council|ministry|department|association"
    r"|society|foundation|journal|magazine|gazette|tribune|herald|broadcasting|communications"
    r"|publishing|company|inc|llc|ltd|gmbh|corp|hospital)\b",
    re.IGNORECASE,
)
"""Words for kinds of organisations, which are rarely names of persons."""
_CAPITALS: Final = re.compile(r"[A-Z]{2,6}|the\s.*", re.IGNORECASE)


def looks_like_organisation(name: str) -> bool:
    """Return whether a name looks like an organisation's: by its words, an article, or capitals.

    A person can be called Press, so rely on this only if there are other authors.
    """
    if _KIND.search(name) or _WHOLE_AGENCY.fullmatch(name):
        return True
    return bool(_CAPITALS.fullmatch(name)) and (name.isupper() or " " in name)


def cut_agency(name: str) -> str:
    """Cut a news agency off the end of a name: "Ada Roth The Associated Press" → "Ada Roth"."""
    if name.count(" ") < 2 or _WHOLE_AGENCY.fullmatch(name):
        return name
    return _AGENCY_TAIL.sub("", name).strip()


# -- names -----------------------------------------------------------------------------------------

MAX_NAME_CHARS: Final = 80
"""Longest name, in characters; longer texts are sentences."""
MAX_NAME_WORDS: Final = 8
_MAX_LABEL_WORDS: Final = 2
MAX_AUTHORS: Final = 100
"""Names kept; scientific papers have dozens."""
MAX_BYLINE_CHARS: Final = 4000

_PREFIX: Final = re.compile(
    r"(?:(?:(?:written|posted|published|reported|story|words|text|analysis|opinion|review|reviewed"
    r"|article|created|compiled|edited|submitted|(?:view|see|read|more)(?: all)?(?: \w+)?)\s+)?by"
    r"|von|par|por|di|door|av|af|od|przez|yazan"
    r"|authors?|autor(?:en|in|es)?|auteurs?|autore|редактор|автор|text|texte|redaktion|reporter"
    r"|著者|作者|记者|記者|文|編集|来源)\s*(?:[:：/|]\s*|(?<=\w)\s+)",
    re.IGNORECASE,
)
"""Words that introduce a name in a byline, in a dozen languages."""
_LINK_WORD: Final = r"and|und|et|y|e|en|och|og|i|ve|и|with|mit|avec"
_BETWEEN: Final = re.compile(rf"(?<!\s)\s+(?:{_LINK_WORD})\s+|(?:(?<!\s)\s+)?&\s*", re.IGNORECASE)
_FIRST_LINK: Final = re.compile(rf"^(?:{_LINK_WORD})\s+", re.IGNORECASE)
_COMMA: Final = re.compile(r"[,，]")
_LIST_MARK: Final = re.compile(r"(?:(?<!\s)\s+)?[;、|•·/]\s*|(?<!\s)\s+[–—]\s+")
_TAIL: Final = re.compile(
    r" ?(?:[(\[<{].*|,? (?:for|at|from|in|on) (?:the )?[A-Z].*"
    r"|(?<=\w)(?<!^university)(?<!^bank) of (?:the )?[A-Z].*"
    r"| (?:编辑|責任編輯|责任编辑|责编)[:：].*"
    r"| - .*|\b(?:updated|published|posted|last)\b.*| @.*| (?=\S*\d).*)",
    re.IGNORECASE,
)
"""Text that follows a name in a byline of single spaces: employer, bracketed role, section, date.
"University of Tokyo" is not cut."""
_NO_PERSON: Final = re.compile(r"(?:an?|the) .* of ", re.IGNORECASE)
"""The start of a name with an article, of which nothing is an employer: "The Bread of Rye"."""
_DATE_TAIL: Final = re.compile(r"(?:^|[\s,|•·–—-])\d.*", re.DOTALL)
"""The rest of a byline from the first number, a date: "Ada Roth on May 3, 2024"."""
_WEEKDAYS: Final = words_of(
    """
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday montag
    dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi
    dimanche lunes martes miércoles jueves viernes sábado domingo
    """
)
_WHEN: Final = _WEEKDAYS | words_of("on at am le el il den the")
"""Words that introduce a date."""
_NUMBER: Final = re.compile(r"\d")
_SIGNED_LATER: Final = re.compile(r"\bby:?\s+(?=\w)", re.IGNORECASE)
"""Introduction of a name after a date: "May 3, 2024 by Ada Roth"."""
_MARKS: Final = re.compile("[.®™]")
_REGISTERED: Final = re.compile("[A-Z]{2,6}[®™]")
"""A registered title: "Ada Roth, CFP®"."""
_BRACKETED: Final = re.compile(r"[(\[（【][^()\[\]（）【】]*[)\]）】]")
_WHOLE_BRACKETS: Final = re.compile(r"[(\[（【]([^()\[\]（）【】]*)[)\]）】]")
_ROLE: Final = re.compile(
    r"(?: |(?<=[a-z]))(?:(?:City|Staff|Senior|Sports|Political|Contributing|Associate|Deputy|Chief"
    r"|Special|Freelance|Health|Business|Science|Opinion|Guest) ){0,4}"
    r"(?:Columnist|Reporter|Correspondent|Editor|Contributor|(?:(?<=Staff )|(?<=Senior )"
    r"|(?<=Freelance )|(?<=Contributing )|(?<=Guest ))Writer)$"
)
"""A role after a name without a comma, or without a space if only markup separated them."""
_REPORTERS: Final = re.compile(r"(?:本[报報网社刊台])?(?:记者|記者|通讯员|通訊員)[ :：]+")
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff :：]+")
_CHINESE_NAME: Final = re.compile(r"(?<!\S)\S \S(?!\S)|\S+")
"""One of the names of reporters; spaces are between them, and within those of two characters."""
_AFTER_COMMA: Final = words_of(
    """
    ba bs bsc cdces ceo chief columnist contributor coo correspondent cpa cpt cscs csw dds
    director dmd do dr edd editor esq fand founder freelance ii iii iv jd jr lcsw ld ldn
    lecturer llm lmft ma mba md mph ms msc mscp msn msw np officer pa pharmd phd president
    professor psyd rd rdn registered reporter rn senior sr staff writer
    """
)
"""Words after a comma that are titles or roles, not further names."""
_NO_NAME: Final = words_of(
    """
    account admin administrator anonymous author authors bio biography by comment comments
    contributor
    contributors editor editorial editors follow guest home login moderator n/a na nobody none null
    others print profile quelle quellen root share source sources staff superuser system test
    undefined unknown user vcard view webmaster website 未知
    """
)
"""Placeholders in a field for authors."""
_URL_OR_MAIL: Final = re.compile(
    r"\S*(?:://|www\.|[^\s(]@\S|\.html?\b|\.php\b)|[@/]", re.IGNORECASE
)
_NO_BYLINE: Final = re.compile(
    r"\W*(?:view|see|read|get|learn|more|follow|show|all|about|photo|image|illustration|sponsored|contact"
    r"|编辑|責任編輯|责任编辑|责编"
    r"|(?:member|my|your) (?:account|log-?in|profile)|sign|log|share|advert\w*|subscribe)\b",
    re.IGNORECASE,
)
"""First words of other things near an author: links to a profile, credits of pictures, editors."""
_PICTURED: Final = re.compile(
    r"(?:photo(?:s|graphs?|graphy)?|images?|pictures?|illustrations?) by\b", re.IGNORECASE
)
"""Words before the maker of a picture, and before whom he works for."""
_CREDIT: Final = re.compile(
    r"(?:quellen?|sources?|fuentes?|fontes?|(?:bild|foto)(?:nachweis|quelle)?|bilder|fotos|photos?"
    r"|images?|imagen|pictures?|illustrations?|grafik|graphics?|credits?|copyright)\s*[:：]",
    re.IGNORECASE,
)
"""The words before a source, or before the maker of a picture, who wrote nothing."""
_ACCOUNT: Final = re.compile(
    r"[a-z]+(?:\.[a-z]+)*\.\d+|\d+(?:[:.]\d+)+\s*(?:[ap]\.?m\.?)?", re.IGNORECASE
)
"""Account names of social networks, `ada.roth.12`, and times of day."""
_UNFINISHED: Final = re.compile(r"\b(?:an?|and|by|for|from|of|the|to)$", re.IGNORECASE)
"""An end that no name has: "Letters to the Editor" without the role."""
_INITIAL: Final = re.compile(r"(?:^|[\s.])(?:[A-Z]|Jr|Sr)$")
"""An end that keeps its full stop."""


_OFFICE: Final = re.compile(
    r"(?:the )?(?:bureau|cent(?:er|re)|department|division|institute|ministry|office|school)"
    r" (?:for|of) [^,;|/]+",
    re.IGNORECASE,
)
"""The name of a part of an organisation, which may have two fields: "Office of Rye and Oats"."""


class AuthorStatement(NamedTuple):
    """One raw statement of authorship."""

    text: str
    is_organisation: bool = False
    is_single: bool = False
    """Whether it is known to be one name, such as a `citation_author`."""


def read_names(
    statements: Iterable[AuthorStatement], names_in: dict[AuthorStatement, list[str]] | None = None
) -> tuple[tuple[str, ...], bool]:
    """Return the distinct names and whether they are persons.

    Organisations are returned only if there is no person. A stated person whose name looks like an
    organisation's is dropped if there is another person. ``names_in`` holds the names in
    statements that were read before, and gets those of the others.
    """
    names_in = {} if names_in is None else names_in
    people: dict[str, str] = {}
    organisations: dict[str, str] = {}
    for statement in statements:
        names = organisations if statement.is_organisation else people
        if statement not in names_in:
            names_in[statement] = [*_names_in(statement)]
        for name in names_in[statement]:
            if len(names) < MAX_AUTHORS:
                names.setdefault(key_of(name), name)
    persons = [name for name in people.values() if not looks_like_organisation(name)]
    return tuple(persons or people.values() or organisations.values()), bool(people)


def _names_in(statement: AuthorStatement) -> Iterator[str]:
    text = plain_text(statement.text[:MAX_BYLINE_CHARS])
    if not statement.is_organisation:
        text = _bare_byline(text)
    if _REPORTERS.match(text) and _CHINESE.fullmatch(text):
        names = _CHINESE_NAME.findall(_REPORTERS.sub(" ", text))
        yield from filter(_is_name, [name.replace(" ", "") for name in names])
        return
    text = _without_prefix(text)
    is_plain = _has_letters_alone(text)
    if not is_plain and _URL_OR_MAIL.match(text):
        return
    is_office = " and " in text and _OFFICE.fullmatch(text) is not None
    is_organisation = statement.is_organisation or is_office
    if is_organisation:
        parts = [text]
    elif is_plain:
        parts = _split(text, statement)
    else:
        parts = [part for piece in _LIST_MARK.split(text) for part in _split(piece, statement)]
    for part in parts:
        name = _without_prefix(part).strip(" ,.:;|-–—•·*»›\"'“”")
        if not is_organisation:
            name = _bare_name(name)
        if _is_name(name):
            yield _in_normal_case(name) + "." * (bool(_INITIAL.search(name)) and f"{name}." in part)


def _bare_byline(text: str) -> str:
    """Remove brackets and dates from a byline; of "Joined: May 2024" nothing is left."""
    stated, is_dated = text, False
    if not _has_letters_alone(text):
        if whole := _WHOLE_BRACKETS.fullmatch(text):
            text = whole[1]
        # Names may be in brackets too, but only if nothing else is left.
        text = _BRACKETED.sub(" ", text).strip() or text
        number = _NUMBER.search(text)
        if number and (later := _SIGNED_LATER.search(text, number.end())):
            text = text[later.end() :]
        whole_text, text = text, _DATE_TAIL.sub("", text)
        is_dated = text != whole_text
    words = text.split()
    while len(words) > 1 and (
        words[-1].casefold() in _WHEN or (is_dated and is_month(words[-1].strip(",")))
    ):
        words.pop()
    rest = " ".join(words)
    is_cut = len(words) <= _MAX_LABEL_WORDS and not stated.endswith(rest)
    is_label = rest.endswith((":", "：")) or rest.strip(",.").casefold() in _WEEKDAYS
    return "" if is_cut and is_label else rest


def _has_letters_alone(text: str) -> bool:
    """Return whether a text, like most names, has nothing but letters and spaces."""
    return text.replace(" ", "").isalpha()


def _bare_name(name: str) -> str:
    """Cut what follows a name without a comma: a role, an agency, an employer."""
    if not _NO_PERSON.match(name):
        name = _TAIL.sub("", name).strip(" ,.:;|-–—•·")
    return cut_agency(_ROLE.sub("", name) if " " in name else name)


def _without_prefix(text: str) -> str:
    return _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text


def _split(text: str, statement: AuthorStatement) -> list[str]:
    """Split a list of names; "Last, First" and titles after a comma are not split."""
    if _PICTURED.match(text):
        return []
    parts = [part.strip() for part in _COMMA.split(text) if part.strip()]
    inverted = len(parts) == 2 and (
        statement.is_single or all(len(part.split()) == 1 for part in parts)
    )
    if inverted and not _is_title(parts[1]):
        return [f"{parts[1]} {parts[0]}"]
    split: list[str] = []
    for part in parts:
        if split and _is_title(part):
            continue
        # A word between two names has spaces around it.
        may_be_several = "&" in part or len(part.split()) > 2
        names = _BETWEEN.split(part) if may_be_several else [part]
        names = [name for name in names if name.strip()]
        # "Maria and Tom" is a pair with one byline; "Maria Roth and Tom Beck" are two authors.
        whole = len(parts) == 1 and len(names) == 2 and all(" " not in name for name in names)
        split.extend([part] if whole else names)
    return [_FIRST_LINK.sub("", name) for name in split]


def _is_title(text: str) -> bool:
    words = [_MARKS.sub("", word).casefold() for word in text.split()]
    return any(word in _AFTER_COMMA for word in words) or bool(_REGISTERED.fullmatch(text))


def _is_name(text: str) -> bool:
    if not 2 <= len(text) <= MAX_NAME_CHARS or len(text.split()) > MAX_NAME_WORDS:
        return False
    if _NO_BYLINE.match(text) or not any(map(str.isalpha, text)):
        return False
    if not _has_letters_alone(text) and (
        _URL_OR_MAIL.match(text) or _ACCOUNT.fullmatch(text) or _CREDIT.match(text)
    ):
        return False
    if " " in text and _UNFINISHED.search(text):
        return False
    return "".join(text.casefold().split()) not in _NO_NAME and not is_month(text)


def _in_normal_case(name: str) -> str:
    """Convert a name in capitals to title case, except abbreviations."""
    if " " in name and name.isupper() and name.isascii():
        return " ".join(word if len(word) <= 2 else word.title() for word in name.split())
    return name


# -- kept bylines ----------------------------------------------------------------------------------

_MAX_BYLINE_BLOCKS: Final = 12
"""Kept blocks that are looked at: a byline stands above the text."""
_MAX_BYLINE_WORDS: Final = 30
"""Words of a byline; a longer block is text, and what is below it is no byline of the page's."""


def drop_byline(selection: Selection, authors: Sequence[str]) -> Selection:
    """Return a selection without the blocks above the text that name authors and no one else."""
    keys = {key_of(name) for name in authors}
    page, blocks = selection.page, selection.page.blocks
    keep = selection.keep.copy()
    for block in np.flatnonzero(selection.block_keep)[: _MAX_BYLINE_BLOCKS if keys else 0].tolist():
        text = page.block_text(block)
        if len(text.split()) > _MAX_BYLINE_WORDS:
            break
        names, _ = read_names([AuthorStatement(text)])
        if names and keys.issuperset(map(key_of, names)):
            keep[blocks.start[block] : blocks.start[block + 1]] = False
    is_same = not keep.any() or np.array_equal(keep, selection.keep)
    return selection if is_same else replace(selection, keep=keep)
