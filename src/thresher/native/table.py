"""The table of compiled steps, steps.txt, read: names, arguments and results of each step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

_FILE: Final = Path(__file__).with_name("steps.txt")
_STEP: Final = re.compile(r"(\w+)\((.*)\) -> (.*)")
_CONSTANT: Final = re.compile(r"constant (\w+) = (\d+)")
_ARGUMENT: Final = re.compile(r"(?:(inout|scratch) )?(\w+): (\w+)(?:\[([^\]]*)\])?")
_SEPARATOR: Final = re.compile(r", (?![^\[]*\])")
_SIZE: Final = re.compile(r"(count of )?(?:(\d+)|(\w+)(?: \+ (\d+))?)")

ITEM_BYTES: Final = {
    **{"bool": 1, "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8},
    **{"f32": 4, "f64": 8},
}
"""The types of array items, and their sizes in bytes."""


@dataclass(frozen=True, slots=True)
class Size:
    """One dimension of an array: ``name + plus``, or ``plus`` alone."""

    name: str
    plus: int
    is_count: bool = False
    """Whether the returned number of entries is kept."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument or a result of a step."""

    name: str
    type: str
    """A key of ITEM_BYTES for arrays; "int", "float" or "clock"."""
    role: Literal["input", "inout", "scratch", "result"]
    sizes: tuple[Size, ...]

    @property
    def is_array(self) -> bool:
        """True if the value is an array."""
        return self.type in ITEM_BYTES

    @property
    def is_cut(self) -> bool:
        """True if only the returned number of entries is kept."""
        return any(size.is_count for size in self.sizes)


@dataclass(frozen=True, slots=True)
class Step:
    """A compiled step."""

    name: str
    arguments: tuple[Argument, ...]
    results: tuple[Argument, ...]
    summary: str

    @property
    def given(self) -> tuple[Argument, ...]:
        """The arguments that callers pass."""
        return tuple(argument for argument in self.arguments if argument.role != "scratch")


@cache
def read_constants() -> dict[str, int]:
    """Read the named constants of the table."""
    matches = (_CONSTANT.fullmatch(line) for line in _FILE.read_text("utf-8").splitlines())
    return {match[1]: int(match[2]) for match in matches if match}


@cache
def read_steps() -> tuple[Step, ...]:
    """Read the steps of the table; ValueError if an entry is malformed."""
    lines = _FILE.read_text("utf-8").splitlines()
    return tuple(_read_step(paragraph) for paragraph in _split_paragraphs(lines))


def _split_paragraphs(lines: list[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in (*lines, ""):
        if line and not line.startswith(("#", "constant ")):
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []


def _read_step(lines: list[str]) -> Step:
    """Read a signature, whose further lines are indented twice, and its summary."""
    head = " ".join(line.strip() for line in lines if line.startswith("        ") or line[0] != " ")
    summary = " ".join(line.strip() for line in lines if re.match(r" {4}\S", line))
    match = _STEP.fullmatch(head)
    if not match:
        raise ValueError(f"not a step: {head}")
    return Step(
        match[1],
        tuple(_read_argument(text, "input") for text in _SEPARATOR.split(match[2])),
        tuple(_read_argument(text, "result") for text in _SEPARATOR.split(match[3])),
        summary,
    )


def _read_argument(text: str, role: Literal["input", "result"]) -> Argument:
    match = _ARGUMENT.fullmatch(text)
    if not match or (match[3] in ITEM_BYTES) != bool(match[4]):
        raise ValueError(f"not an argument: {text}")
    sizes = tuple(_read_size(size) for size in match[4].split(", ")) if match[4] else ()
    special: Literal["inout", "scratch"] | None = match[1]  # type: ignore[assignment]
    return Argument(match[2], match[3], special or role, sizes)


def _read_size(text: str) -> Size:
    match = _SIZE.fullmatch(text)
    if not match:
        raise ValueError(f"not a size: {text}")
    name, plus = match[3] or "", int(match[2] or match[4] or 0)
    if name in read_constants():
        name, plus = "", read_constants()[name] + plus
    return Size(name, plus, is_count=bool(match[1]))
