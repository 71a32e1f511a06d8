"""Choices that a fuzzer makes with the bytes of an input, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

__all__ = ["Choices"]

_T = TypeVar("_T")

_ODD: Final = (
    *(
        b"",
        b"\0",
        b"\xff",
        b"\x80",
        b" ",
        b"\t",
        b",",
        b";",
        b"=",
        b'"',
        b"%",
        b"%zz",
        b"%00",
        b"*",
    ),
    *(
        b"-1",
        b"0",
        b"1e999",
        b"nan",
        b"99999999999999999999",
        b"../..",
        b"\xed\xa0\x80",
        b"\xc3\xa4",
    ),
    *(
        b"http://[",
        b"//",
        b"javascript:1",
        b"http://a@b:c/",
        b"xn--",
        b"?",
        b"#",
        b"&",
        b"<",
        b"[]",
    ),
)
"""Values that parsers stumble over."""


class Choices:
    """Reader of an input; beyond its end all bytes are 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def number(self, count: int) -> int:
        """Return a number below ``count``, at most 256."""
        self._place += 1
        return self._data[self._place - 1] % count if self._place <= len(self._data) else 0

    def pick(self, choices: Sequence[_T]) -> _T:
        """Return one of some values."""
        return choices[self.number(len(choices))]

    def flag(self) -> bool:
        """Return whether a bit is set."""
        return bool(self.number(2))

    def take(self, max_bytes: int = 255) -> bytes:
        """Return some bytes of the input as they are."""
        n = self.number(max_bytes + 1) if max_bytes < 256 else self.number(256) * max_bytes // 256
        start, self._place = self._place, self._place + n
        return self._data[start : self._place]

    def value(self, known: Sequence[bytes]) -> bytes:
        """Return one of some values, an odd one, one of both, or bytes of the input."""
        match self.number(6):
            case 0 | 1:
                return self.pick(known)
            case 2:
                return self.pick(_ODD)
            case 3:
                return self.pick(known) + self.pick(_ODD)
            case 4:
                return self.pick(_ODD) + self.pick(known)
            case _:
                return self.take()

    def rest(self) -> bytes:
        """Return all bytes that are left."""
        start, self._place = self._place, len(self._data)
        return self._data[start:]

    def pieces(self, body: bytes) -> list[bytes]:
        """Cut a body into a few pieces, some of them empty."""
        found = []
        for _ in range(self.number(5)):
            cut = len(body) * self.number(256) // 255
            found.append(body[:cut])
            body = body[cut:]
        return [*found, body]
