"""What a request to the API can say: the one table behind its reading and its description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.algorithms.learned import SCOPES
from thresher.errors import UsageError
from thresher.limits import ON_LIMIT
from thresher.writers import FORMATS

__all__ = ["OPTIONS", "Option", "read_options"]

Kind = Literal["string", "boolean", "integer", "number", "strings", "object", "favor", "id"]

_TRUE: Final = frozenset(("1", "true", "yes", "on"))
_FALSE: Final = frozenset(("0", "false", "no", "off"))


@dataclass(frozen=True, slots=True)
class Option:
    """One field of a request."""

    kind: Kind
    help: str
    default: object = None
    choices: tuple[str, ...] = ()
    above: float | None = None
    """A bound that a number is above."""

    def read(self, name: str, value: object) -> Any:
        """Check a value of JSON, or read its spelling in a query; UsageError where it is none."""
        match self.kind:
            case "boolean":
                read: Any = _read_boolean(value)
            case "integer" | "number":
                read = _read_number(value, whole=self.kind == "integer")
            case "strings":
                read = value.split(",") if isinstance(value, str) else value
                read = tuple(read) if isinstance(read, list) and _are_texts(read) else None
            case "object":
                read = value if isinstance(value, dict) else None
            case "id":
                is_number = isinstance(value, int) and not isinstance(value, bool)
                read = value if isinstance(value, str) or is_number else None
            case "favor":
                read = value if isinstance(value, str) else _read_number(value, whole=False)
            case _:
                read = value if isinstance(value, str) else None
        if read is None:
            raise UsageError(f"{name} is {_SAYS[self.kind]}, not {_show(value)}")
        if self.choices:
            for each in read if isinstance(read, tuple) else (read,):
                if each not in self.choices:
                    known = ", ".join(self.choices)
                    raise UsageError(f"{name}: one of {known}, not {_show(each)}")
        if self.above is not None and not read > self.above:
            raise UsageError(f"{name} is above {self.above:g}, not {_show(value)}")
        return read


_SAYS: Final[Mapping[str, str]] = {
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "strings": "a list of texts",
    "object": "an object",
    "favor": "a text or a number",
    "id": "a text or a whole number",
}

OPTIONS: Final[Mapping[str, Option]] = {
    "id": Option("id", "Yours, given back in the record."),
    "html": Option("string", "The page itself. Then nothing is fetched."),
    "url": Option("string", "Address of the page; with html, where its links start from."),
    "http_charset": Option("string", "The charset that the page's server named."),
    "method": Option("string", "How the content is found.", DEFAULT_METHOD, tuple(ALGORITHMS)),
    "params": Option("object", "Parameters of the method, by name: see /api/methods.", {}),
    "scope": Option("string", "What you are after.", "auto", SCOPES),
    "favor": Option(
        "favor",
        "precision, balanced or recall; or the beta of the F-measure, below 1 for precision.",
        "balanced",
    ),
    "formats": Option("strings", "What the content is written as.", ["markdown"], tuple(FORMATS)),
    "rules": Option("boolean", "Whether the rules of this server's user hold.", True),
    "links": Option("boolean", "Keep the targets of links.", True),
    "images": Option("boolean", "Keep images.", True),
    "metadata": Option("boolean", "Put the metadata first in what is written.", False),
    "title": Option("boolean", "Put the title first, unless it is there already.", False),
    "removed_links": Option("boolean", "List the links that were left out at the end.", False),
    "tracking": Option("boolean", "Leave in addresses what only counts visitors.", False),
    "max_chars": Option("integer", "Cut what is longer, at the end of a block.", None, (), 99),
    "max_tokens": Option("integer", "The same in tokens, as estimated.", None, (), 99),
    "max_bytes": Option("integer", "Refuse a larger page; no more than the server's.", above=0),
    "max_nodes": Option("integer", "Refuse a page of more nodes; the same.", above=0),
    "deadline_s": Option("number", "Seconds of work on the page; the same.", above=0),
    "on_limit": Option(
        "string", "Beyond a limit: an error, or a part of the page.", ON_LIMIT[0], ON_LIMIT
    ),
}
"""Every field of a request, by name, in the order of the description."""


def read_options(values: Mapping[str, object]) -> dict[str, Any]:
    """Check the fields of a request; null stands for none. UsageError names what is wrong."""
    unknown = [name for name in values if name not in OPTIONS]
    if unknown:
        raise UsageError(f"unknown: {_show(unknown[0])}; there are {', '.join(OPTIONS)}")
    return {
        name: OPTIONS[name].read(name, value) for name, value in values.items() if value is not None
    }


def _read_boolean(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _TRUE | _FALSE:
        return value.lower() in _TRUE
    return None


def _read_number(value: object, *, whole: bool) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = int(value) if whole else float(value)
        except ValueError:
            return None
    return value if isinstance(value, int if whole else int | float) else None


def _are_texts(values: list[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _show(value: object) -> str:
    """Spell a value of a stranger for a message, in short."""
    spelled = repr(value)
    return spelled if len(spelled) <= 60 else f"{spelled[:57]}..."
