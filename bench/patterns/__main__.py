"""Print the patterns that can take more than linear time, with what they take.

Of each is printed where it stands, the stretch that it reads in two ways, and the seconds that it
takes for texts made of that stretch, each twice as long as the one before. Exits with 1 where
there is any. See `bench.patterns`.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from typing import Final

from bench.patterns.ambiguity import Ambiguity, find_ambiguity
from bench.patterns.finding import Found, find_patterns

_FIRST: Final = 1_000
"""Characters of the first text."""
_LAST: Final = 256_000
_BEHIND: Final = ("", "\n", "!", "\0", " ", "a")
"""Endings of the drawn texts that prevent a match; the slowest one counts."""


def main() -> None:
    """Look at every pattern, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", action="append", default=[], help="only of these; default: all")
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of one text, then no longer one"
    )
    args = parser.parse_args()
    n_pattern = n_found = 0
    for found in find_patterns():
        if args.module and not found.place.startswith(tuple(args.module)):
            continue
        n_pattern += 1
        if ambiguity := find_ambiguity(found.pattern, found.use):
            n_found += 1
            print(f"{found.place} ({found.use}): {ambiguity.kind}, {ambiguity.stretch!r}")
            for n_char, seconds in _measure(found, ambiguity, args.seconds):
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
    start = time.process_time()
    if use == "search":
        pattern.sub("", text)
    else:
        getattr(pattern, use)(text)
    return time.process_time() - start


if __name__ == "__main__":
    main()
