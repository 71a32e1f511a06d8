"""The values in scripts of a page that may contain text as data. No script is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from thresher.analysis.json_ld import JsonValue
from thresher.analysis.script_elements import Script

__all__ = ["read_values"]

MAX_VALUES: Final = 1_000
"""Most values read per script."""
MAX_FAILURES: Final = 16
"""Most brackets per script that turn out not to open JSON; each may cost a pass over the script."""
MIN_LITERAL_CHARS: Final = 400
"""Least characters of a string read from a script whose data is not JSON."""

_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
_DATA: Final = re.compile(
    r"""JSON\.parse\(\s*(?P<uri>decodeURIComponent\(\s*)?(?P<quote>["'`])"""
    r"""|[=(,]\s*(?=[\[{]\s*["\[{])"""
)
"""Code that precedes data in a script: an assignment or a call, or a string of JSON."""
_STRING_STOPS: Final = {
    quote: re.compile(rf"(?:[^{quote}\\]|\\.)*+{quote}", re.DOTALL) for quote in "\"'`"
}
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROL: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": ""}
_NO_VALUES: Final = ("undefined", "void 0")
_NO_JSON: Final = re.compile(r"(?<=[:,\[])\s?(?:undefined|void 0)(?=[,}\]])")
_LITERAL: Final = re.compile(rf'(?<!\\)"((?:[^"\\\n]|\\.){{{MIN_LITERAL_CHARS},}}+)"')
_REVIVED: Final = "__NUXT_DATA__"


def read_values(script: Script) -> Iterator[JsonValue]:
    """Yield the lists and objects in a script's data; never raises.

    A JSON script is one value. In any other, values are those assigned or passed to a call, as JSON
    or as a string of JSON. Of data that is JavaScript rather than JSON, long strings are read.
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
    """Read the value at a match of `_DATA`; return it (None if not JSON) and where to continue."""
    quote = opened["quote"]
    if not quote:
        try:
            return _DECODER.raw_decode(text, opened.end())
        except (ValueError, RecursionError) as error:
            place = error.pos if isinstance(error, json.JSONDecodeError) else opened.end()
            if not text.startswith(_NO_VALUES, place):
                return None, opened.end()
        mended = _NO_JSON.sub("null", text[opened.end() :])
        # The end in the source is unknown: assume one such value per script.
        return _decode(mended, 0), len(text)
    stop = _STRING_STOPS[quote].match(text, opened.end())
    if not stop:
        return None, opened.end()
    literal = _unescape(text[opened.end() : stop.end() - 1])
    return _decode(unquote(literal) if opened["uri"] else literal, 0), stop.end()


def _decode(text: str, start: int) -> JsonValue:
    """Decode the first list or object of a text; None if it is not JSON."""
    brackets = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    if not brackets:
        return None
    try:
        value: JsonValue = _DECODER.raw_decode(text, min(brackets))[0]
    except (ValueError, RecursionError):
        return None
    return value


def _unescape(literal: str) -> str:
    """Undo the escapes of a JavaScript string."""
    return _ESCAPE.sub(_unescape_one, literal) if "\\" in literal else literal


def _unescape_one(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _CONTROL.get(found[3], found[3])


def _revive(value: JsonValue) -> JsonValue:
    """Resolve the flat list of Nuxt 3, in which numbers are indices of other entries.

    The result may contain shared parts and cycles.
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
