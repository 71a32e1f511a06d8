r"""A pattern as an automaton: places that read one character each, and the ways between them.

After V. M. Glushkov, "The abstract theory of automata", Russian Mathematical Surveys 16:5, 1961. A
way may ask for the character before and the one behind it (``^``, ``\b``, looking around, what a
possessive loop leaves). What looks ahead for more than one character is a dead end of its own: it
costs what it reads, and what comes of it is not asked. Counted repeats are unrolled a few times,
for a count does not grow with the text; what may be counted beyond `_ENDLESS` is held for endless.

Sets of characters are bits of an int: a sample of Unicode, and what a pattern names itself. Two
more "characters" stand for the beginning of a text, where something before it is asked for, and for
its end, where something behind it is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from importlib import import_module
from operator import or_
from typing import Any, Final, NamedTuple

_constants: Final[Any] = import_module("re._constants")
_parser: Final[Any] = import_module("re._parser")
_SAMPLE: Final = frozenset(
    [
        *map(chr, range(256)),
        *"ſKİıµ\u2028\u3000\u200b\u4e2d\u3002\u0663\u0301\ufdd0\ufddd\U0001f600",
    ]
)
"""Every class of characters that patterns of this package name has members in and out of these."""
_CATEGORIES: Final = {
    _constants.CATEGORY_DIGIT: r"\d",
    _constants.CATEGORY_NOT_DIGIT: r"\D",
    _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S",
    _constants.CATEGORY_WORD: r"\w",
    _constants.CATEGORY_NOT_WORD: r"\W",
}
_ENDLESS: Final = 1_000
"""Repeats from which on a count is no bound worth the name."""
_UNROLLED: Final = 3
"""Copies that stand for any number of counted repeats: two to be beside each other, one between."""
_REPEATS: Final = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class Alphabet:
    """The characters of one pattern: the sample, those it names, and what is beside those."""

    def __init__(self, named: Iterable[int]) -> None:
        near = {code for name in named for code in (name - 1, name, name + 1)}
        self.chars = sorted(_SAMPLE | {chr(code) for code in near if 0 <= code <= sys.maxunicode})
        self.bit_of = {char: 1 << place for place, char in enumerate(self.chars)}
        self.all = (1 << len(self.chars)) - 1
        self.start = 1 << len(self.chars)
        """Stands before the first character of a text."""
        self.end = self.start << 1
        """Stands behind the last one."""
        self.newline = self.bit_of["\n"]
        self._matched: dict[tuple[str, int], int] = {}

    @cached_property
    def word(self) -> int:
        """Letters of words."""
        return self._matching(r"\w", 0)

    def literal(self, code: int, flags: int) -> int:
        """Return the set of one character, with its other case where case does not count."""
        return self._matching(re.escape(chr(code)), flags)

    def any(self, flags: int) -> int:
        """Return what a dot matches."""
        return self.all if flags & re.DOTALL else self.all & ~self.newline

    def members(self, items: Iterable[tuple[Any, Any]], flags: int) -> int:
        """Return the set in square brackets."""
        mask, negated = 0, False
        for kind, value in items:
            if kind is _constants.NEGATE:
                negated = True
            elif kind is _constants.LITERAL:
                mask |= self.literal(value, flags)
            elif kind is _constants.RANGE:
                low, high = map(re.escape, map(chr, value))
                mask |= self._matching(f"[{low}-{high}]", flags)
            else:
                mask |= self._matching(_CATEGORIES[value], flags)
        return self.all & ~mask if negated else mask

    def show(self, mask: int) -> str:
        """Return a character of a set, a plain one if there is one."""
        shown = [char for char, bit in self.bit_of.items() if bit & mask]
        return min(shown, key=lambda char: (not char.isalnum(), not char.isprintable(), char))

    def _matching(self, pattern: str, flags: int) -> int:
        key = pattern, flags & (re.IGNORECASE | re.ASCII)
        if key not in self._matched:
            one = re.compile(*key)
            bits = (bit for char, bit in self.bit_of.items() if one.fullmatch(char))
            self._matched[key] = reduce(or_, bits, 0)
        return self._matched[key]


_SETS: Final[Mapping[Any, Callable[[Alphabet, Any, int], int]]] = {
    _constants.LITERAL: Alphabet.literal,
    _constants.NOT_LITERAL: lambda alphabet, code, flags: (
        alphabet.all & ~alphabet.literal(code, flags)
    ),
    _constants.ANY: lambda alphabet, _, flags: alphabet.any(flags),
    _constants.IN: Alphabet.members,
}
"""Operators that read one character."""


class Gate(NamedTuple):
    """Conditions of a transition without a character: sets of `Alphabet`."""

    before: int
    behind: int

    def then(self, other: Gate) -> Gate:
        """Return what both ask for."""
        return Gate(self.before & other.before, self.behind & other.behind)

    @property
    def is_open(self) -> bool:
        """Whether anything may pass."""
        return bool(self.before and self.behind)


class Way(NamedTuple):
    """From one place to the next."""

    to: int
    gate: Gate


@dataclass(slots=True)
class Automaton:
    """Places in the order of the pattern."""

    alphabet: Alphabet
    reads: list[int] = field(default_factory=list)
    """Characters that each place reads, a set of `Alphabet`."""
    ways: list[list[Way]] = field(default_factory=list)
    """The ways that leave each place."""
    firsts: list[Way] = field(default_factory=list)
    """The ways into the pattern."""
    accepts: list[list[Gate]] = field(default_factory=list)
    """Conditions for a match to end after each place; none where more must be read."""

    def add(self, reads: int) -> int:
        """Add a place."""
        self.reads.append(reads)
        self.ways.append([])
        self.accepts.append([])
        return len(self.reads) - 1


class _Part(NamedTuple):
    """A part of a pattern: how to pass it without reading, how to enter and how to leave it."""

    passes: list[Gate]
    enters: list[Way]
    leaves: list[Way]


def build_automaton(pattern: re.Pattern[str], *, to_the_end: bool = False) -> Automaton:
    """Build the automaton of a pattern; ``to_the_end`` for what must match a whole text."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    builder = _Builder(Alphabet(_named(tree)))
    whole = builder.build(tree, tree.state.flags)
    automaton = builder.automaton
    automaton.firsts = whole.enters
    end = Gate(-1, automaton.alphabet.end) if to_the_end else builder.open
    for place, gate in whole.leaves:
        automaton.accepts[place].append(gate.then(end))
    return automaton


def _named(tree: Iterable[Any]) -> Iterator[int]:
    """Yield the characters that a pattern names."""
    for item in tree:
        if isinstance(item, tuple):
            if item[0] in (_constants.LITERAL, _constants.NOT_LITERAL):
                yield item[1]
            elif item[0] is _constants.RANGE:
                yield from item[1]
            else:
                yield from _named(item)
        elif isinstance(item, list | _parser.SubPattern):
            yield from _named(item)


class _Builder:
    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.automaton = Automaton(alphabet)
        self.groups: dict[int | None, tuple[Any, int]] = {}
        """Content of each group, and the flags that hold there."""
        edges = alphabet.all | alphabet.start | alphabet.end
        self.open = Gate(edges & ~alphabet.end, edges & ~alphabet.start)

    def build(self, tree: Iterable[tuple[Any, Any]], flags: int) -> _Part:
        part = _Part([self.open], [], [])
        for kind, value in tree:
            part = self._join(part, self._one(kind, value, flags))
        return part

    def _one(self, kind: Any, value: Any, flags: int) -> _Part:
        if kind in _SETS:
            return self._place(_SETS[kind](self.alphabet, value, flags))
        if kind in _REPEATS:
            least, most, tree = value
            return self._repeat(kind, least, most, tree, flags)
        return self._group(kind, value, flags)

    def _group(self, kind: Any, value: Any, flags: int) -> _Part:
        if kind is _constants.AT:
            part = _Part(self._edges(value, flags), [], [])
        elif kind is _constants.BRANCH:
            part = _either([self.build(branch, flags) for branch in value[1]])
        elif kind is _constants.SUBPATTERN:
            number, added, dropped, inner = value
            self.groups[number] = inner, (flags | added) & ~dropped
            part = self.build(*self.groups[number])
        elif kind is _constants.ATOMIC_GROUP:
            part = self.build(value, flags)
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            wanted = kind is _constants.ASSERT
            part = self._look(value[1], flags, ahead=value[0] > 0, wanted=wanted)
        elif kind is _constants.GROUPREF_EXISTS:
            part = _either([self.build(branch or [], flags) for branch in value[1:]])
        elif kind is _constants.GROUPREF:  # what the group could have read
            part = self.build(*self.groups[value])
        else:
            raise NotImplementedError(f"{kind} in a pattern")
        return part

    def _place(self, reads: int) -> _Part:
        way = Way(self.automaton.add(reads), self.open)
        return _Part([], [way], [way])

    def _join(self, one: _Part, other: _Part) -> _Part:
        for left in one.leaves:
            for entered in other.enters:
                self._link(left.to, Way(entered.to, left.gate.then(entered.gate)))
        passes = [a.then(b) for a in one.passes for b in other.passes]
        enters = one.enters + _through(one.passes, other.enters)
        leaves = _through(other.passes, one.leaves) + other.leaves
        return _Part(_distinct(passes), enters, leaves)

    def _link(self, place: int, way: Way) -> None:
        if way.gate.before & self.automaton.reads[place] and (
            way.gate.behind & self.automaton.reads[way.to]
        ):
            self.automaton.ways[place].append(way)

    def _repeat(self, kind: Any, least: int, most: int, tree: Any, flags: int) -> _Part:
        endless = most >= _ENDLESS
        n_needed = min(max(least, 1) if endless else least, _UNROLLED)
        n_optional = 0 if endless else min(most, _UNROLLED) - n_needed
        skipped, part = [self.open], _Part([self.open], [], [])
        # What is optional is asked for inside of what is: `a{0,2}` is `(a(a)?)?`.
        for _ in range(n_optional):
            part = self._join(self.build(tree, flags), part)
            part = part._replace(passes=_distinct([*part.passes, self.open]))
        if endless:
            first = len(self.automaton.reads)
            part = self.build(tree, flags)
            for left in part.leaves:
                for entered in part.enters:
                    self._link(left.to, Way(entered.to, left.gate.then(entered.gate)))
            if kind is _constants.POSSESSIVE_REPEAT and first + 1 == len(self.automaton.reads):
                # Of single characters: behind it stands none that it could have read.
                rest = Gate(-1, ~self.automaton.reads[first])
                leaves = [Way(left.to, left.gate.then(rest)) for left in part.leaves]
                part, skipped = part._replace(leaves=leaves), [self.open.then(rest)]
            if not least:
                part = part._replace(passes=_distinct([*part.passes, *skipped]))
        for _ in range(n_needed - endless):
            part = self._join(self.build(tree, flags), part)
        return part

    def _look(self, tree: Any, flags: int, *, ahead: bool, wanted: bool) -> _Part:
        low, high = tree.getwidth()
        inside = self.build(tree, flags)
        seen = 0
        for way in inside.enters if ahead else inside.leaves:
            seen |= self.automaton.reads[way.to]
        for gate in inside.passes:
            seen |= gate.behind if ahead else gate.before
        ways = inside.enters + inside.leaves
        if not wanted:
            # Only of a single character, or a single edge, is the opposite known.
            is_plain = low == high == 1 and all(way.gate == self.open for way in ways)
            is_plain |= high == 0 and len(inside.passes) == 1
            seen = ~seen if is_plain else -1
        edge = self.open.then(Gate(-1, seen) if ahead else Gate(seen, -1))
        return _Part([edge], inside.enters if ahead and high > 1 else [], [])

    def _edges(self, kind: Any, flags: int) -> list[Gate]:
        alphabet, multiline = self.alphabet, bool(flags & re.MULTILINE)
        word, other = alphabet.word, alphabet.all & ~alphabet.word
        if kind is _constants.AT_BEGINNING_STRING or (
            kind is _constants.AT_BEGINNING and not multiline
        ):
            return [Gate(alphabet.start, self.open.behind)]
        if kind is _constants.AT_BEGINNING:
            return [Gate(alphabet.start | alphabet.newline, self.open.behind)]
        if kind is _constants.AT_END_STRING:
            return [Gate(self.open.before, alphabet.end)]
        if kind is _constants.AT_END:
            return [Gate(self.open.before, alphabet.end | alphabet.newline)]
        if kind is _constants.AT_BOUNDARY:
            return [Gate(other | alphabet.start, word), Gate(word, other | alphabet.end)]
        return [Gate(word, word), Gate(other | alphabet.start, other | alphabet.end)]


def _through(gates: Iterable[Gate], ways: Iterable[Way]) -> list[Way]:
    """Return ways through gates; those that nothing can pass are none."""
    both = (Way(way.to, gate.then(way.gate)) for gate in gates for way in ways)
    return [way for way in both if way.gate.is_open]


def _either(parts: Iterable[_Part]) -> _Part:
    either = _Part([], [], [])
    for part in parts:
        either.passes.extend(part.passes)
        either.enters.extend(part.enters)
        either.leaves.extend(part.leaves)
    return _Part(_distinct(either.passes), either.enters, either.leaves)


def _distinct(gates: Iterable[Gate]) -> list[Gate]:
    return list(dict.fromkeys(gate for gate in gates if gate.is_open))
