"""Scripts of a page that are long enough to contain a text as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

MIN_SCRIPT_CHARS: Final = 600
"""Minimum characters of a script that is read: some hundred words."""
MAX_SCRIPT_CHARS: Final = 4_000_000
"""Maximum characters of a script that is read; truncated data would not be valid JSON."""
MAX_PAGE_CHARS: Final = 8_000_000
"""Maximum characters of scripts read per page."""
_STREAM: Final = "self.__next_f"


class Script(NamedTuple):
    """One script element of the source."""

    tag: str
    """Its start tag, in lower case."""
    text: str

    @property
    def is_json_ld(self) -> bool:
        """True if the script contains JSON-LD."""
        return "ld+json" in self.tag


def find_scripts(source: str) -> Iterator[Script]:
    """Yield the script elements that are long enough to contain a text, in order.

    Those of a stream are yielded whatever their length, because they are parts of one whole. Tags
    are searched in lower case, as generators of data write them.
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
