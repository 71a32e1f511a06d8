"""The values in scripts of a page that may contain text as data. No script is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from thresher.analysis.script_elements import Script
from thresher.analysis.structured import Entity, JsonValue, as_list, decode_first, read_json_ld

MAX_VALUES: Final = 1_000
MAX_FAILURES: Final = 16
"""Maximum brackets per script that do not open JSON; each may cost a pass over the script."""
MIN_LITERAL_CHARS: Final = 400
"""Minimum characters of a string read from a script whose data is not JSON."""

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
_LITERAL: Final = re.compile(
    rf'(?<!\\)"(?=[^"\n]{{{MIN_LITERAL_CHARS}}}|[^"\n]*+(?<=\\)")'
    rf'((?:[^"\\\n]|\\.){{{MIN_LITERAL_CHARS}}}+(?:[^"\\\n]++|\\.)*+)"'
)
"""A long string. Most are short, which what follows the quote tells at once; and the rest of a long
one is read faster in runs."""
_REVIVED: Final = "__NUXT_DATA__"


def read_values(script: Script) -> Iterator[JsonValue]:
    """Yield the lists and objects in a script's data; never raises.

    A JSON script is one value. In any other, values are those assigned or passed to a call, as JSON
    or as a string of JSON. Of data that is JavaScript rather than JSON, long strings are read.
    """
    if "json" in script.tag or _REVIVED.lower() in script.tag:
        value = decode_first(script.text, _DECODER)
        yield _revive(value) if _REVIVED.lower() in script.tag else value
        return
    at = n_value = failures = 0
    while n_value < MAX_VALUES and failures < MAX_FAILURES:
        opened = _DATA.search(script.text, at)
        if not opened:
            break
        value, at = _read_at(script.text, opened)
        if value is None:
            failures += 1
        else:
            n_value += 1
            yield value
    if failures or not n_value:
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
        return decode_first(mended, _DECODER), len(text)
    stop = _STRING_STOPS[quote].match(text, opened.end())
    if not stop:
        return None, opened.end()
    literal = _unescape(text[opened.end() : stop.end() - 1])
    literal = unquote(literal) if opened["uri"] else literal
    return decode_first(literal, _DECODER), stop.end()


def _unescape(literal: str) -> str:
    return _ESCAPE.sub(_unescape_one, literal) if "\\" in literal else literal


def _unescape_one(escape: re.Match[str]) -> str:
    code, char = escape[1] or escape[2], escape[3]
    return chr(int(code, 16)) if code else _CONTROL.get(char, char)


def _revive(value: JsonValue) -> JsonValue:
    """Resolve the flat list of Nuxt 3, in which numbers are indices of entries; may have cycles."""
    if not isinstance(value, list):
        return value
    whole: list[JsonValue] = [
        {} if isinstance(part, dict) else [] if isinstance(part, list) else part for part in value
    ]

    def entry(place: JsonValue) -> JsonValue:
        if isinstance(place, bool) or not isinstance(place, int):
            return None
        return whole[place] if 0 <= place < len(whole) else None

    for filled, part in zip(whole, value, strict=True):
        if isinstance(filled, dict) and isinstance(part, dict):
            filled.update((key, entry(place)) for key, place in part.items())
        elif isinstance(filled, list) and isinstance(part, list):
            filled.extend(map(entry, part))
    return whole[0] if whole else None


# -- Next.js ---------------------------------------------------------------------------------------

# Calls of `self.__next_f.push` hold strings that are, put together, rows of `id:JSON` lines and of
# `id:T` texts with their length in bytes (React Server Components, "Flight"). Rows refer to others
# as `$id`.
_PUSH: Final = re.compile(r"self\.__next_f\.push\(\s*(?=\[)")
_ROW: Final = re.compile(rb"([0-9a-f]+):(?:T([0-9a-f]{1,8}),|([\[{])?)")
_REFERENCE: Final = re.compile(r"\$L?([0-9a-f]+)")
_ELEMENT: Final = "$"


def is_flight(script: str) -> bool:
    """Return whether a script is one of the calls."""
    return "self.__next_f.push" in script


def read_flight(scripts: Iterable[str]) -> JsonValue:
    """Return the rows of all calls: id → value, with references resolved.

    The result may contain shared parts and cycles.
    """
    stream = "".join(_pieces(scripts)).encode("utf-8", "replace")
    rows: dict[str, JsonValue] = {}
    at = 0
    while row := _ROW.match(stream, at):
        name, length = row[1].decode(), row[2]
        if length:
            at = row.end() + int(length, 16)
            rows[name] = stream[row.end() : at].decode("utf-8", "replace")
            continue
        line_stop = stream.find(b"\n", row.end())
        line_stop = len(stream) if line_stop < 0 else line_stop
        if row[3]:
            try:
                rows[name] = json.loads(stream[row.end() - 1 : line_stop], strict=False)
            except (ValueError, RecursionError):
                rows[name] = None
        at = line_stop + 1
    _link(rows)
    return rows


def _pieces(scripts: Iterable[str]) -> Iterator[str]:
    """Yield the strings of the calls, in order."""
    for script in scripts:
        call = _PUSH.search(script)
        if not call:
            continue
        try:
            value, _ = _DECODER.raw_decode(script, call.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
            yield value[1]


def _link(rows: dict[str, JsonValue]) -> None:
    """Replace references with rows, and elements with objects with ``type`` and ``children``."""
    waiting: list[JsonValue] = [rows]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            for key, part in value.items():
                value[key] = _resolve(part, rows)
            waiting.extend(value.values())
        elif isinstance(value, list):
            value[:] = [_resolve(part, rows) for part in value]
            waiting.extend(value)


def _resolve(part: JsonValue, rows: dict[str, JsonValue]) -> JsonValue:
    if isinstance(part, str) and part.startswith("$"):
        reference = _REFERENCE.fullmatch(part)
        if reference:
            part = rows.get(reference[1])
        else:
            return part[1:] if part.startswith("$$") else None
    if isinstance(part, list) and len(part) >= 4 and part[0] == _ELEMENT:
        kind, props = part[1], part[3]
        if isinstance(kind, str) and isinstance(props, dict):
            return {**props, "type": kind}
    return part


# -- JSON-LD ---------------------------------------------------------------------------------------

_BODY: Final = "articleBody"
_TEXTS_OF: Final[dict[str, tuple[str, ...]]] = {
    "DiscussionForumPosting": ("text",),
    "SocialMediaPosting": ("text",),
    "Product": ("description",),
    "ProductGroup": ("description",),
    "JobPosting": ("description",),
    "Recipe": ("description", "recipeIngredient", "recipeInstructions"),
}
"""Type (schema.org) → the properties that are the text of a page about such an object."""
_MAIN: Final = ("mainEntity", "mainEntityOfPage")


def read_texts(script: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield (path, text) for each object of a JSON-LD script that has a text."""
    for number, entity in enumerate(read_json_ld(script)):
        for step, candidate in _with_main(entity):
            for path, text in _texts_of(candidate):
                yield f"[{number}].{step}{path}", text


def _with_main(entity: Entity) -> Iterator[tuple[str, Entity]]:
    """Yield an object and its main entity, each with the path to it."""
    yield "", entity
    for key in _MAIN:
        main = entity.get(key)
        if isinstance(main, dict):
            yield f"{key}.", main


def _texts_of(entity: Entity) -> Iterator[tuple[str, JsonValue]]:
    body = entity.get(_BODY)
    if isinstance(body, list) and all(isinstance(part, str) for part in body):
        body = "\n\n".join(str(part) for part in body)
    if isinstance(body, str):
        yield _BODY, body
        return
    for kind in as_list(entity.get("@type")):
        names = _TEXTS_OF.get(kind, ()) if isinstance(kind, str) else ()
        parts = [part for name in names for part in _parts_of(entity.get(name), name)]
        if parts:
            yield names[0] if len(names) == 1 else ", ".join(names), parts


def _parts_of(value: JsonValue, name: str) -> Iterator[JsonValue]:
    """Yield the paragraphs or the list of a property."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        steps = [part.get("text") if isinstance(part, dict) else part for part in value]
        texts: list[JsonValue] = [step for step in steps if isinstance(step, str)]
        if texts:
            kind = "ol" if name == "recipeInstructions" else "ul"
            yield {"type": kind, "children": texts}
