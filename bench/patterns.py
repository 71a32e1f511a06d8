"""Print the patterns that can take more than linear time, with what they take.

    python -m bench.patterns [--module NAME]… [--seconds 2]

Every pattern of the package is told from the pattern itself (`bench.pattern_ambiguity`). Of each is
printed where it stands, the stretch that it reads in two ways, and the seconds that it takes for
texts made of that stretch, each twice as long as the one before. Exits with 1 where there is any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Final, NamedTuple

import thresher
from bench.harness import cpu_seconds, make_parser
from bench.pattern_ambiguity import Ambiguity, find_ambiguity
from thresher.support.late import LatePattern

_OPTIONAL: Final = frozenset(
    "certifi datatrove duckdb feedparser haystack itemadapter langchain_core llama_index lxml mcp"
    " mitmproxy pandas playwright polars pyspark ray scrapy torch".split()
)
"""Packages that some modules need and that are not always installed."""
_SEARCHES: Final = frozenset(("findall", "finditer", "search", "split", "sub", "subn"))
_ANCHORED: Final = frozenset(("fullmatch", "match"))
_LOOKED_AT: Final = frozenset(("flags", "groupindex", "groups", "items", "pattern", "values"))
"""Attributes of a pattern that start no search."""
_FIRST: Final = 1_000
"""Characters of the first text."""
_LAST: Final = 256_000
_BEHIND: Final = ("", "\n", "!", "\0", " ", "a")
"""Endings of the drawn texts that prevent a match; the slowest one counts."""


class Found(NamedTuple):
    """A pattern and the hardest use that is made of it."""

    place: str
    pattern: re.Pattern[str]
    use: str
    """``search``, ``match`` or ``fullmatch``."""


def find_patterns() -> Iterator[Found]:
    """Find the patterns of all modules: in their globals, to any depth, and in calls of `re`."""
    sources: dict[str, ast.Module] = {}
    modules: list[ModuleType] = []
    for info in walk_packages(thresher.__path__, "thresher."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = import_module(info.name)
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in _OPTIONAL or find_spec(error.name or ""):
                raise
            continue
        modules.append(module)
        if (file := module.__file__) and file.endswith(".py"):
            sources[info.name] = ast.parse(Path(file).read_text("utf-8"))
    uses = _find_uses(sources)
    seen: set[tuple[re.Pattern[str], str]] = set()
    for module in modules:
        for name, value in vars(module).items():
            for pattern in _patterns_in(value):
                use = _hardest(uses.get((module.__name__, name), frozenset()))
                if (pattern, use) not in seen:
                    seen.add((pattern, use))
                    yield Found(f"{module.__name__}.{name}", pattern, use)
        if module.__name__ in sources:
            yield from _find_calls(module.__name__, sources[module.__name__])


def _patterns_in(value: object, depth: int = 6) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value: its items, keys and fields."""
    if isinstance(value, LatePattern):
        value = value.compile()
    if isinstance(value, re.Pattern):
        yield _of_text(value)
    elif depth and isinstance(value, dict):
        for key, item in value.items():
            yield from _patterns_in(key, depth - 1)
            yield from _patterns_in(item, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _patterns_in(item, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns_in(getattr(value, field.name, None), depth - 1)


def _of_text(pattern: re.Pattern[str] | re.Pattern[bytes]) -> re.Pattern[str]:
    """Return a pattern of bytes as one of text, a character a byte."""
    if isinstance(pattern.pattern, str):
        return re.compile(pattern.pattern, pattern.flags)  # the same one; now its type is known
    return re.compile(pattern.pattern.decode("latin-1"), pattern.flags | re.ASCII)


def _find_uses(sources: dict[str, ast.Module]) -> dict[tuple[str, str], frozenset[str]]:
    """Find by module and name of a global which of its attributes are asked for.

    A name that stands alone, as what is handed on does, has the use ``search``.
    """
    uses: dict[tuple[str, str], set[str]] = {}
    for module, tree in sources.items():
        home = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        held, drawn = _find_drawn(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                value = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                if isinstance(value, ast.Name) and id(value) not in held:
                    held.add(id(value))
                    for owner in (value.id, *drawn.get(value.id, ())):
                        key = home.get(owner, (module, owner))
                        uses.setdefault(key, set()).add(node.attr)
        called = {key for key, attributes in uses.items() if attributes & (_SEARCHES | _ANCHORED)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or id(node) in held:
                continue
            if isinstance(node.ctx, ast.Load):
                # What is drawn beside a pattern, such as its name, goes where it likes.
                owners = drawn.get(node.id, set()) if (module, node.id) in called else set()
                for owner in (node.id, *owners):
                    uses.setdefault(home.get(owner, (module, owner)), set()).add("search")
    return {key: frozenset(attributes) for key, attributes in uses.items()}


def _find_drawn(tree: ast.Module) -> tuple[set[int], dict[str, set[str]]]:
    """Find the tables that loops draw from: their uses, and the names of what is drawn."""
    held: set[int] = set()
    drawn: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and (table := _table_of(node.iter)):
            held.add(id(table))
            for name in ast.walk(node.target):
                if isinstance(name, ast.Name):
                    drawn.setdefault(name.id, set()).add(table.id)
    return held, drawn


def _table_of(iterated: ast.expr) -> ast.Name | None:
    """Return the name of the table that a loop is over, or over the values of which."""
    if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Attribute):
        if iterated.func.attr not in ("items", "values"):
            return None
        iterated = iterated.func.value
    return iterated if isinstance(iterated, ast.Name) else None


def _hardest(uses: frozenset[str]) -> str:
    calls = uses - _LOOKED_AT
    if not calls or calls - _ANCHORED:
        return "search"
    return "match" if "match" in calls else "fullmatch"


def _find_calls(module: str, tree: ast.Module) -> Iterator[Found]:
    """Find the patterns that functions of `re` are called with, where they are spelled there."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        whose, name = node.func.value, node.func.attr
        if not (isinstance(whose, ast.Name) and whose.id == "re"):
            continue
        if name not in _SEARCHES | _ANCHORED or not isinstance(node.args[0], ast.Constant):
            continue
        value = node.args[0].value
        if isinstance(value, str | bytes):
            use = name if name in _ANCHORED else "search"
            yield Found(f"{module}:{node.lineno}", _of_text(re.compile(value)), use)


def main() -> None:
    """Look at every pattern, and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--module", action="append", default=[], help="only of these; default: all")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of one text, then no longer one"
    )
    args = parser.parse_args()
    n_pattern = n_found = 0
    for candidate in find_patterns():
        if args.module and not candidate.place.startswith(tuple(args.module)):
            continue
        n_pattern += 1
        if ambiguity := find_ambiguity(candidate.pattern, candidate.use):
            n_found += 1
            print(f"{candidate.place} ({candidate.use}): {ambiguity.kind}, {ambiguity.stretch!r}")
            for n_char, seconds in _measure(candidate, ambiguity, args.seconds):
                print(f"  {n_char:8,} characters {seconds:8.3f} s", flush=True)
    print(f"{n_pattern} patterns, {n_found} of them may take more than linear time")
    sys.exit(1 if n_found else 0)


def _measure(found: Found, ambiguity: Ambiguity, most: float) -> Iterator[tuple[int, float]]:
    n_char = _FIRST if ambiguity.kind != "exponential" else len(ambiguity.stretch) * 4
    seconds = 0.0
    while n_char <= _LAST and 2 * seconds < most:
        text = ambiguity.before + ambiguity.stretch * (n_char // len(ambiguity.stretch))
        seconds = max(_time(found.pattern, found.use, text + behind) for behind in _BEHIND)
        yield n_char, seconds
        n_char *= 2


def _time(pattern: re.Pattern[str], use: str, text: str) -> float:
    search = partial(pattern.sub, "") if use == "search" else getattr(pattern, use)
    return cpu_seconds(partial(search, text))


if __name__ == "__main__":
    main()
