"""The scripts of a page that may hold text as data, and the values in them; no script is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote

from thresher.analysis.structured import JsonValue

__all__ = ["Script", "find_scripts", "read_values"]

MIN_SCRIPT_CHARS: Final = 600
"""Characters of the shortest script that is read: some hundred words."""
MAX_SCRIPT_CHARS: Final = 4_000_000
"""Characters of the longest script that is read; data is no JSON any more when it is cut."""
MAX_PAGE_CHARS: Final = 8_000_000
"""Characters of scripts that are read of one page."""
MAX_VALUES: Final = 1_000
"""Values read of one script."""
MAX_FAILURES: Final = 16
"""Brackets of one script that turn out to open no JSON; each may cost a pass over the script."""
MIN_LITERAL_CHARS: Final = 400
"""Characters of a string that is read from a script whose data is no JSON."""

_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_DATA: Final = re.compile(
    r"""JSON\.parse\(\s*(?P<uri>decodeURIComponent\(\s*)?(?P<quote>["'`])"""
    r"""|[=(,]\s*(?=[\[{]\s*["\[{])"""
)
"""What stands before data in a script: an assignment or a call, or a string of JSON."""
_STRING_STOPS: Final = {
    quote: re.compile(rf"(?:[^{quote}\\]|\\.)*+{quote}", re.DOTALL) for quote in "\"'`"
}
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROL: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_NO_VALUES: Final = ("undefined", "void 0")
_NO_JSON: Final = re.compile(r"(?<=[:,\[])\s?(?:undefined|void 0)(?=[,}\]])")
_LITERAL: Final = re.compile(rf'(?<!\\)"((?:[^"\\\n]|\\.){{{MIN_LITERAL_CHARS},}}+)"')
_STREAM: Final = "self.__next_f"
_REVIVED: Final = "__NUXT_DATA__"


class Script(NamedTuple):
    """One script element of the source."""

    tag: str
    """Its start tag, in lower case."""
    text: str

    @property
    def is_json_ld(self) -> bool:
        """Whether it holds JSON-LD."""
        return "ld+json" in self.tag


def find_scripts(source: str) -> Iterator[Script]:
    """Yield the script elements that are long enough to hold a text, in order.

    Those of a stream are yielded whatever their length, for only together they are anything.
    Looks for tags in lower case, as whatever writes data into pages spells them.
    """
    at = read_chars = 0
    while (opened := source.find("<script", at)) >= 0:
        start = source.find(">", opened) + 1
        at = source.find("</script", start)
        if not start or at < 0:
            return
        is_long = at - start >= MIN_SCRIPT_CHARS or source.startswith(_STREAM, start, at)
        if is_long and at - start <= MAX_SCRIPT_CHARS:
            read_chars += at - start
            if read_chars > MAX_PAGE_CHARS:
                return
            yield Script(source[opened:start].lower(), source[start:at])


def read_values(script: Script) -> Iterator[JsonValue]:
    """Yield the lists and objects that a script holds as data; no script makes it raise.

    A JSON script is one value. In any other, values are what is assigned or handed to a call, as
    JSON or as a string of JSON. Data that is JavaScript beyond that gives its long strings.
    """
    if "json" in script.tag or _REVIVED.lower() in script.tag:
        value = _decode(script.text, 0)
        yield _revive(value) if _REVIVED.lower() in script.tag else value
        return
    at = found = failures = 0
    while found < MAX_VALUES and failures < MAX_FAILURES:
        opened = _DATA.search(script.text, at)
        if not opened:
            break
        value, at = _read_at(script.text, opened)
        if value is None:
            failures += 1
        else:
            found += 1
            yield value
    if failures or not found:
        for literal in _LITERAL.findall(script.text):
            yield [_unescape(literal)]


def _read_at(text: str, opened: re.Match[str]) -> tuple[JsonValue, int]:
    """Read the value at a match of `_DATA`; return it, None for no JSON, and where to go on."""
    quote = opened["quote"]
    if not quote:
        try:
            return _DECODER.raw_decode(text, opened.end())
        except (ValueError, RecursionError) as error:
            place = error.pos if isinstance(error, json.JSONDecodeError) else opened.end()
            if not text.startswith(_NO_VALUES, place):
                return None, opened.end()
        mended = _NO_JSON.sub("null", text[opened.end() :])
        # Where to go on in the source is not known: there is one such value in a script.
        return _decode(mended, 0), len(text)
    stop = _STRING_STOPS[quote].match(text, opened.end())
    if not stop:
        return None, opened.end()
    literal = _unescape(text[opened.end() : stop.end() - 1])
    return _decode(unquote(literal) if opened["uri"] else literal, 0), stop.end()


def _decode(text: str, start: int) -> JsonValue:
    """Decode the first list or object of a text; None where it is no JSON."""
    brackets = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    if not brackets:
        return None
    try:
        value: JsonValue = _DECODER.raw_decode(text, min(brackets))[0]
    except (ValueError, RecursionError):
        return None
    return value


def _unescape(literal: str) -> str:
    """Undo the escapes of a string in JavaScript."""
    return _ESCAPE.sub(_unescape_one, literal) if "\\" in literal else literal


def _unescape_one(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _CONTROL.get(found[3], found[3])


def _revive(value: JsonValue) -> JsonValue:
    """Put together what Nuxt 3 writes as one flat list, in which numbers point to other entries.

    What comes out may hold one part at several places, and itself.
    """
    if not isinstance(value, list):
        return value
    whole: list[JsonValue] = [
        {} if isinstance(each, dict) else [] if isinstance(each, list) else each for each in value
    ]

    def entry(place: JsonValue) -> JsonValue:
        if isinstance(place, bool) or not isinstance(place, int):
            return None
        return whole[place] if 0 <= place < len(whole) else None

    for filled, each in zip(whole, value, strict=True):
        if isinstance(filled, dict) and isinstance(each, dict):
            filled.update((key, entry(place)) for key, place in each.items())
        elif isinstance(filled, list) and isinstance(each, list):
            filled.extend(map(entry, each))
    return whole[0] if whole else None
