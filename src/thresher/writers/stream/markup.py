"""The tags and texts of a fragment, from which the events of every renderer are made.

The markup is our own (`thresher.writers.fragment`): tags and texts in document order, attributes in
double quotes, `<` escaped in texts. So no parser is needed, only a loop over its tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from thresher.analysis.links import ADDRESS_BREAKS, clean_address, resolve_link
from thresher.deadline import check_deadline, watch
from thresher.page.text import unescape

# -- marks -------------------------------------------------------------------------------------
#
# They are noncharacters, which Unicode reserves for internal use; `drop_marks` removes them from
# the input first. Renderers replace them once the text around them is known.

STRONG, EMPHASIS, STRUCK = (("\ufdd0", "\ufdd1"), ("\ufdd2", "\ufdd3"), ("\ufdd4", "\ufdd5"))
SCRIPTS: Final = {"sub": ("\U0003ffff", "\U0004fffe"), "sup": ("\U0004ffff", "\U0005fffe")}
HIGHLIGHTED: Final = ("\U0006ffff", "\U0007fffe")
"""Opening and closing marks."""
AS_ELEMENTS: Final = {**SCRIPTS, "mark": HIGHLIGHTED}
"""Element that Markdown has only as such → its marks."""
COLON: Final = "\U0006fffe"
"""Mark of the line break and the colon before a definition."""
DOLLAR: Final = "\U0005ffff"
"""Mark of a literal dollar sign, which is none of a formula."""
ANY_MARK: Final = (
    *(mark for pair in (STRONG, EMPHASIS, STRUCK, *AS_ELEMENTS.values()) for mark in pair),
    *(COLON, DOLLAR),
)
_ENCODED: Final = ((b"\xef", b"\xb7"), (b"\xbf", b"\xbe"), (b"\xbf", b"\xbf"))
"""Two adjacent bytes of which every mark contains a pair in UTF-8, and few other characters do."""


def drop_marks(utf8: bytes) -> bytes:
    """Remove the characters that serve as marks from a text."""
    # Searching for one byte takes a fraction of the time that searching for two takes.
    if any(one in utf8 and one + other in utf8 for one, other in _ENCODED):
        for mark in ANY_MARK:
            utf8 = utf8.replace(mark.encode(), b"")
    return utf8


# -- addresses ---------------------------------------------------------------------------------

SCHEMES: Final = frozenset("ftp ftps http https irc ircs mailto tel".split())
"""Schemes of addresses that are safe to follow."""
_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_MAYBE_SCHEME: Final = re.compile(r"&|[^/?#\\&][^/?#\\&]*+[\\&]")
"""The beginning of a relative address, which unescaped once too often could become a scheme."""
_IGNORED: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u200b\ufeff]+")
"""Characters that browsers ignore before or in a scheme, and that could hide one."""
_USUAL: Final = ("https://", "http://")
_UNUSUAL: Final = re.compile(r'[\t\n\r "<>`]')
_PERCENT_ENCODED: Final = {ord(char): f"%{ord(char):02X}" for char in ' "<>`'}
"""Characters that they percent-encode (URL Standard, 1.3), and that would break Markdown."""


def clean_link_url(url: str, base: str | None, *, tracking: bool) -> str | None:
    """Return `clean_url` of a link, without tracking unless asked for."""
    cleaned = clean_url(url, base)
    if not cleaned or tracking:
        return cleaned
    # A URL of nothing but tracking points to the page itself.
    return clean_address(cleaned) or base or "#"


def encode_url(url: str) -> str:
    """Return an address as a browser would send it."""
    url = url.strip()
    return ADDRESS_BREAKS.sub("", url).translate(_PERCENT_ENCODED) if _UNUSUAL.search(url) else url


def clean_url(url: str, base: str | None) -> str | None:
    """Return an address made absolute, and as a browser would send it; None if it is not safe."""
    check_deadline()
    resolved = resolve_link(url, base) if base is not None else url
    check_deadline()
    encoded = encode_url(resolved)
    check_deadline()
    if encoded.startswith(_USUAL):
        return encoded
    # Only up to the colon, for the rest can be long.
    start, colon, _ = resolved.partition(":")
    scheme = _SCHEME.match(_IGNORED.sub("", start) + colon) if colon else None
    if scheme is None:
        return f"./{encoded}" if _MAYBE_SCHEME.match(encoded) else encoded or None
    return encoded if encoded and scheme[1].lower() in SCHEMES else None


# -- tags and texts ----------------------------------------------------------------------------

_TAG: Final = re.compile(r'<([^"=>]*+(?:(?:(?<! )="[^"]*+"|["=])[^"=>]*+)*+)>')
"""A tag; between two there is a text, or nothing. Names of attributes may contain quotes."""
_ATTRIBUTE: Final = re.compile(r'([^ ][^ =]*+)(?:="([^"]*+)")?+')
REMOVED: Final = frozenset(("annotation-xml", "script", "style", "svg", "title"))
"""Elements whose content is not text of the page, should they get this far."""
RENAMED: Final = {"acronym": "abbr", "dir": "ul", "menu": "ul", "strike": "s", "tt": "code"}
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


def read_language(attributes: str) -> str:
    """Return the language that the attributes of a block's `code` name, "" for none."""
    match = LANGUAGE_CLASS.fullmatch(read_attributes(attributes).get("class", ""))
    return match[1] if match else ""


def read_align(value: str) -> str:
    """Return the alignment that an `align` attribute states, "" for none."""
    return value.lower() if value.lower() in _ALIGNMENTS else ""


def read_text_align(style: str) -> str:
    """Return the alignment that a `style` attribute states, "" for none."""
    match = _TEXT_ALIGN.search(style)
    return match[1].lower() if match else ""
