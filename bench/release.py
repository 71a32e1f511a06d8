"""The measured pages of a release, all made again from the weights that ship: one command.

    python -m bench.release CORPUS… --folds DIR [--only leaderboard.md,measures.md]

Each row of `PAGES` is a page of bench/results with the commands that make it, one after the other;
what only prints is quoted below its command. ``--folds`` is the folder that `thresher train` wrote
with the shipped weights: pages of training corpora are read by weights that never saw their site.
It takes some hours on two cores, so a page that fails is reported at the end, and ``--only`` makes
it again. Other extractors are installed into environments of their own as they are needed.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from bench.harness import make_parser, named_corpora
from thresher.cli.console import Exit

RESULTS: Final = Path(__file__).parent / "results"
_OWN: Final = "keep_all,prune_shake_purify,slope,learned"
"""Thresher's methods that are compared with other extractors."""
_BOARD: Final = (
    f"thresher.evaluation.leaderboard --method {_OWN} --variant 'learned scope=article'"
    " --without-title --folds FOLDS -o PAGE"
)


class Result(NamedTuple):
    """A page of results."""

    title: str
    """Its first line, if its commands only print; otherwise they write the page."""
    commands: tuple[str, ...]
    """Modules with their arguments; CORPORA, FOLDS, PAGE and names of corpora stand for paths."""


PAGES: Final[Mapping[str, Result]] = {
    "leaderboard.md": Result(
        "", (f"{_BOARD} CORPORA --metric word,lcsequence --role train,measure --pages 200",)
    ),
    "leaderboard-wcxb.md": Result(
        "", (f"{_BOARD} wcxb_dev --metric word --speed-pages 0 --note 'Of one corpus.'",)
    ),
    "metadata-scores.md": Result("", ("thresher.evaluation.metadata_scores CORPORA -o PAGE",)),
    "measures.md": Result(
        "What readers see",
        (
            "thresher eval CORPORA --method learned --metric word --by-blocks --without-title"
            " --folds FOLDS --jobs 2",
            "thresher.evaluation.role_labels CORPORA --folds FOLDS",
            "thresher.evaluation.structures --peer none",
            "bench.rules CORPORA --folds FOLDS",
        ),
    ),
    "performance.md": Result(
        "", ("bench.speed newspaper4k_424 fundus_tests wcxb_dev postlight pages_web -o PAGE",)
    ),
}


def main() -> None:
    """Make the pages; exit with 1 if one failed."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--folds", type=Path, required=True, metavar="DIR")
    parser.add_argument("--only", default="", metavar="PAGE,…", help="make only these pages")
    args = parser.parse_args()
    wanted = [name for name in args.only.split(",") if name] or list(PAGES)
    if unknown := set(wanted) - PAGES.keys():
        parser.error(f"no such page: {', '.join(sorted(unknown))}; pages: {', '.join(PAGES)}")
    corpora = {corpus.name: str(corpus.path) for corpus in named_corpora(args.corpora)}
    paths = {"CORPORA": [str(path) for path in args.corpora], "FOLDS": [str(args.folds)]}
    paths |= {name: [path] for name, path in corpora.items()}
    failed = [name for name in wanted if not make_page(name, paths, RESULTS)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def make_page(name: str, paths: Mapping[str, Sequence[str]], folder: Path) -> bool:
    """Run the commands of a page; return whether all succeeded. Others leave the page as it was.

    ``paths`` says which paths the words of a command stand for.
    """
    title, commands = PAGES[name]
    stands_for = {**paths, "PAGE": [str(folder / name)]}
    parts = [f"# {title}", f"{date.today().isoformat()}."]
    for command in commands:
        words = shlex.split(command)
        arguments = [path for word in words for path in stands_for.get(word, [word])]
        print(f"{name}: {command}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", *arguments], stdout=subprocess.PIPE, text=True, check=False
        )
        # Of the command, status 1 says that a page failed, such as one that is no HTML.
        ends = {0, Exit.FAILED} if words[0] == "thresher" and done.stdout else {0}
        if done.returncode not in ends:
            print(f"{name}: the command ended with {done.returncode}", file=sys.stderr)
            return False
        said = "\n".join(f"    {line}".rstrip() for line in done.stdout.strip().splitlines())
        shown = command if words[0] == "thresher" else f"python -m {command}"
        parts += [f"## `{shown}`", said]
    if title:
        (folder / name).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return True


if __name__ == "__main__":
    main()
