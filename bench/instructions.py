"""Instructions that a page takes from bytes to Markdown, counted by callgrind: where they are.

    python -m bench.instructions [PAGE…] [--peer]

Times on a shared machine vary by a half, counts of instructions by a thousandth. Each page is
extracted once to warm up and then once, or twice: what the second adds is the cost of a page, by
the library that spends it. Without a PAGE the ones of tests/pages are read. ``--peer`` counts
resiliparse's extraction to text of the same pages as well. Needs valgrind (``apt install
valgrind``).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.harness import make_parser, make_resiliparse

_ROOT: Final = Path(__file__).parents[1]
_PAGES: Final = "tests/pages/*/page.html"
_MILLION: Final = 1e6
_PARTS: Final = {
    "thresher/native": "our compiled steps",
    "turbohtml": "the parser",
    "resiliparse": "resiliparse",
    "numpy": "numpy",
    "openblas": "numpy",
    "python": "the interpreter",
}
"""Part of a library's path → what the table calls it; all others are the C library."""


def main() -> None:
    """Count and print."""
    parser = make_parser(__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="default: tests/pages")
    parser.add_argument("--peer", action="store_true", help="count resiliparse's, too")
    parser.add_argument("--child", choices=_EXTRACTORS, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=1, help=argparse.SUPPRESS)
    args = parser.parse_args()
    pages = args.pages or pages_of_tests()
    if args.child:
        _extract(args.child, pages, args.rounds)
        return
    if not has_valgrind():
        sys.exit("valgrind is not installed")
    for name in ("thresher", *(("resiliparse",) if args.peer else ())):
        counts = count_instructions(pages, name)
        print(f"{name}: {sum(counts.values()) / _MILLION:.1f} million instructions a page")
        for part, count in sorted(counts.items(), key=lambda item: -item[1]):
            print(f"{count / _MILLION:8.2f}  {part}")


def pages_of_tests() -> list[Path]:
    """Return the pages of tests/pages."""
    return sorted(_ROOT.glob(_PAGES))


def has_valgrind() -> bool:
    """Return whether instructions can be counted here."""
    return shutil.which("valgrind") is not None


def count_instructions(pages: Sequence[Path], name: str = "thresher") -> Mapping[str, float]:
    """Return the instructions a page that an extractor takes, by the part that spends them."""
    once, twice = (_run(pages, name, rounds) for rounds in (1, 2))
    return {part: (twice[part] - once[part]) / len(pages) for part in twice}


def _extract(name: str, paths: Sequence[Path], rounds: int) -> None:
    extract = _EXTRACTORS[name]()
    pages = [path.read_bytes() for path in paths]
    for _ in range(1 + rounds):
        for page in pages:
            extract(page)


def _run(pages: Sequence[Path], name: str, rounds: int) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "callgrind.out")
        tool = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}")
        child = ("-m", "bench.instructions", "--child", name, "--rounds", str(rounds))
        done = subprocess.run(
            [*tool, sys.executable, *child, *(str(page.resolve()) for page in pages)],
            cwd=_ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(done.stderr)
        return _sum_by_part(profile)


def _sum_by_part(profile: Path) -> Counter[str]:
    """Sum the costs of a profile by library.

    Format: https://valgrind.org/docs/manual/cl-format.html, sections 3.1.5 and 3.1.7. A line
    ``ob=`` names the library of those that follow, a line after ``calls=`` has the cost of what was
    called, which is counted there.
    """
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    part, is_call = "", False
    with profile.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            key, _, name = line.strip().partition("=")
            if key in ("ob", "cob"):
                number, _, path = name.partition(" ")
                library = names.setdefault(number, path)
                part = _part_of(library) if key == "ob" else part
            elif key == "calls":
                is_call = True
            elif line[0].isdigit() or line[0] in "+-*":
                if not is_call:
                    counts[part] += int(line.split()[1])
                is_call = False
    return counts


def _part_of(library: str) -> str:
    return next((label for key, label in _PARTS.items() if key in library), "the C library")


def _make_thresher() -> Callable[[bytes], object]:
    import thresher

    return lambda page: thresher.extract(page).markdown


def _make_resiliparse() -> Callable[[bytes], object]:
    read = make_resiliparse()
    return lambda page: read(page.decode("utf-8", "replace"))


_EXTRACTORS: Final[Mapping[str, Callable[[], Callable[[bytes], object]]]] = {
    "thresher": _make_thresher,
    "resiliparse": _make_resiliparse,
}


if __name__ == "__main__":
    main()
