"""The stretches of text that a pattern can read in two ways, and a text that is made of one.

Python's engine backtracks. A pattern takes more than linear time where one stretch of text can be
read in two ways: by two of its loops, one after the other (``a*a*b``), by one loop in two ways
(``(a*)*b``), or, of a pattern that is searched for, by a loop that may begin at every character
(``a+b`` in ``aaaa…``). That is the ambiguity of automata, which can be decided.

N. Weideman et al., "Analyzing matching time behavior of backtracking regular expression matchers
by using ambiguity of NFA", CIAA 2016: the time is exponential where one stretch leads from a place
back to itself in two ways, and polynomial where one leads from a place to itself, from there to a
second place, and from that to itself. Nothing is lost where a match may end on the way from the
second place to itself, for then little is tried again. What is searched for has one more place, in
front, that reads anything: the search begins again behind each character.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from bench.pattern_automaton import Automaton, Way, build_automaton

_MAX_STATES: Final = 400_000
"""States of one search: beyond, a pattern is too large to be told linear, and is refused."""
_State = tuple[int, ...]
"""Places that are held at once, and the letter read last."""


class Ambiguity(NamedTuple):
    """Why a pattern may take more than linear time."""

    kind: str
    before: str
    """Text that leads to the stretch."""
    stretch: str
    """Text that can be repeated, and then be read in two ways."""


def find_ambiguity(pattern: re.Pattern[str], use: str) -> Ambiguity | None:
    """Find a stretch that a pattern reads in two ways; None where its time is linear.

    ``use`` is ``search``, ``match`` or ``fullmatch``; of several the first of these is the hardest.
    ValueError for a pattern that is too large to tell.
    """
    automaton = build_automaton(pattern, to_the_end=use == "fullmatch")
    places = _Places(automaton, searched=use == "search")
    for loop in places.loops:
        if loop[0] != places.front and (stretch := places.find_fork(loop[0])):
            return Ambiguity("exponential", places.lead_to(loop[0]), stretch)
    loops = [place for loop in places.loops for place in loop]
    for second in loops:
        if second == places.front:
            continue
        for first in loops:
            if first != second and (stretch := places.find_passage(first, second)):
                kind = "anywhere" if first == places.front else "polynomial"
                return Ambiguity(kind, places.lead_to(first), stretch)
    return None


class _Places:
    """The places of an automaton with, if it is searched for, one in front that reads anything."""

    def __init__(self, automaton: Automaton, *, searched: bool) -> None:
        self.automaton, self.alphabet = automaton, automaton.alphabet
        self.reads, self.ways = list(automaton.reads), [list(ways) for ways in automaton.ways]
        self.front = len(self.reads) if searched else -1
        if searched:
            everything = self.alphabet.all
            self.reads.append(everything)
            gate = Way(0, automaton.firsts[0].gate).gate if automaton.firsts else None
            self.ways.append(list(automaton.firsts))
            if gate is not None:
                self.ways[-1].append(Way(self.front, gate._replace(before=-1, behind=-1)))
        self.letters = self._part_alphabet()
        self._known_steps: dict[tuple[int, int, int], list[int]] = {}
        self.loop_of: dict[int, int] = {}
        self.loops: list[list[int]] = []
        self.components = self._components()
        for component in self.components:
            if len(component) > 1 or any(way.to == component[0] for way in self.ways[component[0]]):
                self.loop_of |= dict.fromkeys(component, len(self.loops))
                self.loops.append(component)
        self.reach = self._find_reach()

    def may_end(self, place: int, read: int, letter: int) -> bool:
        """Say whether a match may end between two letters, the first of which a place has read."""
        return place < len(self.automaton.accepts) and any(
            gate.before & read and gate.behind & letter for gate in self.automaton.accepts[place]
        )

    def find_fork(self, place: int) -> str | None:
        """Find what leads from a place back to itself in two ways."""
        loop = self.loop_of[place]

        def follow(state: _State) -> Iterator[tuple[int, _State]]:
            one, other, is_forked, read = state
            for letter in self.letters:
                if self.may_end(one, read, letter):
                    continue
                for i, left in enumerate(self._steps(one, read, letter)):
                    if self.loop_of.get(left) != loop:
                        continue
                    for k, right in enumerate(self._steps(other, read, letter)):
                        if self.loop_of.get(right) == loop:
                            forked = is_forked or one != other or i != k
                            yield letter, (left, right, int(forked), letter)

        for letter in self._read_by(place):
            begun, done = (place, place, 0, letter), (place, place, 1, letter)
            if stretch := self._search(begun, done, follow):
                return stretch
        return None

    def find_passage(self, first: int, second: int) -> str | None:
        """Find what leads from each of two places to itself, and from the first to the second."""
        if second not in self.reach[first] or not self.reads[first] & self.reads[second]:
            return None
        mine, theirs = self.loop_of[first], self.loop_of[second]

        def follow(state: _State) -> Iterator[tuple[int, _State]]:
            stays, passes, ends, read = state
            for letter in self.letters:
                if self.may_end(ends, read, letter):
                    continue
                ended = [
                    place
                    for place in self._steps(ends, read, letter)
                    if self.loop_of.get(place) == theirs
                ]
                if not ended:
                    continue
                stayed = [
                    place
                    for place in self._steps(stays, read, letter)
                    if self.loop_of.get(place) == mine
                ]
                if not stayed:
                    continue
                for passed in set(self._steps(passes, read, letter)):
                    if second in self.reach[passed] or passed == second:
                        for one in set(stayed):
                            for other in set(ended):
                                yield letter, (one, passed, other, letter)

        for letter in self._read_by(second):
            if letter & self.reads[first]:
                begun, done = (first, first, second, letter), (first, second, second, letter)
                if stretch := self._search(begun, done, follow):
                    return stretch
        return None

    def lead_to(self, place: int) -> str:
        """Return a text that leads to a place."""
        if place == self.front:
            return ""
        paths = deque(
            (way.to, letter, self.alphabet.show(letter))
            for way in self.automaton.firsts
            for letter in self.letters
            if letter & way.gate.behind & self.reads[way.to]
        )
        seen: set[int] = set()
        while paths:
            at, read, text = paths.popleft()
            if at == place:
                return text
            if at in seen:
                continue
            seen.add(at)
            for letter in self.letters:
                paths += [
                    (to, letter, text + self.alphabet.show(letter))
                    for to in self._steps(at, read, letter)
                ]
        return ""

    def _search(
        self, begun: _State, done: _State, follow: Callable[[_State], Iterable[tuple[int, _State]]]
    ) -> str | None:
        """Find the letters that lead from one state to another; ValueError beyond `_MAX_STATES`."""
        came: dict[_State, tuple[_State, int]] = {}
        waiting = deque([begun])
        while waiting:
            state = waiting.popleft()
            for letter, after in follow(state):
                if after in came:
                    continue
                came[after] = (state, letter)
                if after == done:
                    return self._spell(came, begun, done)
                if len(came) > _MAX_STATES:
                    raise ValueError("too large to tell")
                waiting.append(after)
        return None

    def _spell(self, came: dict[_State, tuple[_State, int]], begun: _State, done: _State) -> str:
        text, state = "", done
        while True:
            state, letter = came[state]
            text = self.alphabet.show(letter) + text
            if state == begun:
                return text

    def _steps(self, place: int, read: int, letter: int) -> list[int]:
        """Return where a place leads that read one letter, reading another; one for each way."""
        steps = self._known_steps.get((place, read, letter))
        if steps is None:
            steps = self._known_steps[place, read, letter] = [
                way.to
                for way in self.ways[place]
                if way.gate.before & read and way.gate.behind & self.reads[way.to] & letter
            ]
        return steps

    def _read_by(self, place: int) -> list[int]:
        return [letter for letter in self.letters if letter & self.reads[place]]

    def _part_alphabet(self) -> list[int]:
        """Return one set for all characters that nothing in the pattern tells apart.

        Of each, a single character stands for all.
        """
        masks = set(self.reads)
        for ways in (*self.ways, self.automaton.firsts):
            for way in ways:
                masks |= {way.gate.before, way.gate.behind}
        told: dict[tuple[bool, ...], int] = {}
        order = tuple(masks)
        for bit in self.alphabet.bit_of.values():
            key = tuple(bool(bit & mask) for mask in order)
            told[key] = told.get(key, 0) | bit
        return [self.alphabet.bit_of[self.alphabet.show(mask)] for mask in told.values()]

    def _components(self) -> list[list[int]]:
        """Return the places in groups of which each leads to all others (R. Tarjan, 1972)."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        on_stack: set[int] = set()
        stack: list[int] = []
        groups: list[list[int]] = []
        for root in range(len(self.reads)):
            if root in index:
                continue
            work = [(root, iter(self.ways[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                place, ways = work[-1]
                for way in ways:
                    if way.to not in index:
                        index[way.to] = low[way.to] = len(index)
                        stack.append(way.to)
                        on_stack.add(way.to)
                        work.append((way.to, iter(self.ways[way.to])))
                        break
                    if way.to in on_stack:
                        low[place] = min(low[place], index[way.to])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[place])
                    if low[place] == index[place]:
                        group: list[int] = []
                        while not group or group[-1] != place:
                            group.append(stack.pop())
                            on_stack.discard(group[-1])
                        groups.append(group)
        return groups

    def _find_reach(self) -> list[frozenset[int]]:
        """Return the places in loops that each place leads to."""
        reach: list[frozenset[int]] = [frozenset()] * len(self.reads)
        for component in self.components:  # those that a place leads to come before it
            places = {place for place in component if place in self.loop_of}
            places.update(*(reach[way.to] for place in component for way in self.ways[place]))
            for place in component:
                reach[place] = frozenset(places)
        return reach
