"""Run the tests of trafilatura or readability-lxml against `thresher.compat`, and cost the shims.

    pip download --no-deps --no-binary :all: trafilatura && tar xf trafilatura-*.tar.gz
    python -m bench.compat_tests trafilatura-*/tests       their tests, by outcome
    python -m bench.compat_tests --cost CORPUS             seconds of the shims over extract's

Their packages must be installed. Only tests that call a replaced function are counted: the others
are about parts that have no counterpart here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import thresher
from bench.harness import cpu_seconds, make_parser, named_corpora
from thresher.compat import readability as our_readability
from thresher.compat import trafilatura as our_trafilatura


class Replacements:
    """A plugin of pytest: puts the shims in place, and notes which tests call them."""

    def __init__(self) -> None:
        self.has_called = False
        self.outcomes: dict[str, str] = {}

    def replace(self) -> None:
        """Put the shims in the place of the functions and the class of the same names."""
        import readability
        import trafilatura
        import trafilatura.core

        for name in ("extract", "bare_extraction", "extract_with_metadata"):
            ours = self._noted(getattr(our_trafilatura, name))
            setattr(trafilatura, name, ours)
            setattr(trafilatura.core, name, ours)
        readability.Document = self._noted(our_readability.Document)

    def _noted(self, replacement: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(replacement, updated=())
        def call(*arguments: Any, **options: Any) -> Any:
            self.has_called = True
            return replacement(*arguments, **options)

        return call

    def pytest_runtest_setup(self) -> None:
        """Begin with a test that has called nothing."""
        self.has_called = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a test that called a shim."""
        if report.when == "call" and self.has_called:
            self.outcomes[report.nodeid] = report.outcome


def run_tests(folder: str, arguments: list[str]) -> None:
    """Run the tests in a folder with the shims in place, and print what became of each."""
    plugin = Replacements()
    plugin.replace()
    options = "-p no:cacheprovider -p no:xdist -q --tb=line -c /dev/null".split()
    options.append("--continue-on-collection-errors")
    files = ["-o", "python_files=*test*.py", "--rootdir", folder]
    pytest.main([folder, *options, *files, *arguments], plugins=[plugin])
    for name, outcome in plugin.outcomes.items():
        print(f"{outcome}\t{name}")
    passed = sum(outcome == "passed" for outcome in plugin.outcomes.values())
    print(f"{passed} of {len(plugin.outcomes)} tests that call the shims pass")


def time_shims(corpus: Path, n_page: int, rounds: int) -> None:
    """Print the least processor seconds of some rounds over pages, of `extract` and the shims."""
    pages = [page.html for page in islice(named_corpora([corpus])[0].pages(), n_page)]
    plain = thresher.WriteOptions(images=False, title=False)
    calls: dict[str, tuple[Callable[[str], object], Callable[[str], object]]] = {
        "trafilatura.extract": (lambda html: thresher.extract(html).text, our_trafilatura.extract),
        "readability.Document.summary": (
            lambda html: thresher.extract(html).write("html", plain),
            lambda html: our_readability.Document(html).summary(),
        ),
    }
    for name, pair in calls.items():
        # Page by page in turns, and the least of the rounds: what else the machine does hits both.
        least = [_least_seconds(pair, html, rounds) for html in pages]
        base, shim = map(sum, zip(*least, strict=True))
        print(f"{name}: {base:.3f} s, {shim:.3f} s ({shim / base - 1:+.1%})")


def _least_seconds(
    calls: tuple[Callable[[str], object], ...], html: str, rounds: int
) -> list[float]:
    """Call each in turns; return the least processor seconds of each."""
    least = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            least[place] = min(least[place], cpu_seconds(partial(call, html)))
    return least


def main(arguments: list[str]) -> None:
    """Run the command."""
    parser = make_parser(__doc__)
    parser.add_argument("folder", metavar="TESTS", nargs="?")
    parser.add_argument("--cost", type=Path, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options, others = parser.parse_known_args(arguments)
    if options.cost:
        time_shims(options.cost, options.pages, options.rounds)
    if options.folder:
        run_tests(options.folder, others)


if __name__ == "__main__":
    main(sys.argv[1:])
