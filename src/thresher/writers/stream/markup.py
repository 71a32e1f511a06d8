"""The tags and texts of a fragment, from which the events of every renderer are made.

The markup is our own (`thresher.writers.fragment`): tags and texts in document order, attributes in
double quotes, `<` escaped in texts. So no parser is needed, only a loop over its tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from thresher.deadline import watch
from thresher.page.references import unescape

__all__ = [
    "LANGUAGE_CLASS",
    "REMOVED",
    "RENAMED",
    "read_align",
    "read_attributes",
    "read_markup",
    "read_text_align",
]

_TAG: Final = re.compile(r'<([^"=>]*+(?:(?:(?<! )="[^"]*+"|["=])[^"=>]*+)*+)>')
"""A tag; between two there is a text, or nothing. Names of attributes may contain quotes."""
_ATTRIBUTE: Final = re.compile(r'([^ ][^ =]*+)(?:="([^"]*+)")?+')
REMOVED: Final = frozenset(("annotation-xml", "script", "style", "svg", "title"))
"""Elements whose content is not text of the page, should they get this far."""
RENAMED: Final = {
    "acronym": "abbr",
    "dir": "ul",
    "menu": "ul",
    "strike": "s",
    "tt": "code",
}
"""Obsolete names, and `menu` → their equivalents."""
_NAMES: Final = {
    f"{slash}{name}": f"{slash}{ours}" for name, ours in RENAMED.items() for slash in ("", "/")
}
LANGUAGE_CLASS: Final = re.compile(r"language-([a-z0-9+#.-]+)")
"""The class of a code block that names its language."""

_ALIGNMENTS: Final = ("left", "center", "right")
_TEXT_ALIGN: Final = re.compile(
    r"(?:^|;)\s*text-align\s*:\s*(left|center|right)\s*(?:;|!|$)", re.IGNORECASE
)


def read_markup(markup: str) -> Iterator[tuple[str, str]]:
    """Yield tags, each as its name and its attributes, and texts, each with an empty name.

    The names of end tags begin with a slash.
    """
    is_text = False
    removed: list[str] = []
    for part in watch(_TAG.split(markup)):
        is_text = not is_text
        if removed:
            if not is_text:
                _pass_over(part, removed)
        elif is_text:
            if part:
                yield "", unescape(part) if "&" in part else part
        else:
            name, _, attributes = part.partition(" ")
            if name in REMOVED:
                removed.append(name)
            else:
                yield _NAMES.get(name, name), attributes


def _pass_over(tag: str, removed: list[str]) -> None:
    """Pass over a tag in elements whose content is removed."""
    name = tag.partition(" ")[0]
    if name == f"/{removed[-1]}":
        removed.pop()
    elif name in REMOVED:
        removed.append(name)


def read_attributes(markup: str) -> dict[str, str]:
    """Read the attributes of a tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(markup)}


def read_align(value: str) -> str:
    """Return the alignment that an `align` attribute states, "" for none."""
    return value.lower() if value.lower() in _ALIGNMENTS else ""


def read_text_align(style: str) -> str:
    """Return the alignment that a `style` attribute states, "" for none."""
    found = _TEXT_ALIGN.search(style)
    return found[1].lower() if found else ""
