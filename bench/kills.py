"""Check that a batch that is killed at any moment, and resumed, loses and doubles no page.

    python -m bench.kills [--kills 20] [--pages 2000] [--seed 1] [-j 2]

Pages of our own, some of them the same, are first processed by `thresher batch` undisturbed. Then
the same batch is killed with SIGKILL after a random share of the time that this took, and resumed,
again and again; a batch that has ended is begun anew in another folder, until there were
``--kills`` kills. After each kill every part must be readable and have no page twice; every batch
that ends must have the records of the undisturbed one, in the same order. Exits with 1 otherwise.
"""

from __future__ import annotations

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from bench.harness import make_parser

_WORDS: Final = "rye barley oats wheat spelt millet sorghum maize teff emmer".split()
_N_WORD: Final = 300
_SAME_EVERY: Final = 7
"""Every Nth page has the text of the one before, for ``--dedupe``."""
_UNLIKE: Final = frozenset(("elapsed_s",))
"""Columns that differ from one time to the next."""
_PARTS: Final = 20
"""Parts of a batch."""

Record = Mapping[str, Any]


class Kill(NamedTuple):
    """One kill, and what was found after it."""

    after_s: float
    """Seconds after the start of the process."""
    n_record: int
    """Records in the parts that are there."""
    fault: str | None


def write_pages(path: Path, count: int, chance: random.Random) -> None:
    """Write pages as JSON Lines for a batch."""
    lines: list[str] = []
    text = ""
    for number in range(count):
        if number % _SAME_EVERY != 1:
            text = " ".join(
                f"{chance.choice(_WORDS)}{chance.randrange(999)}" for _ in range(_N_WORD)
            )
        html = f"<title>Sheaf {number}</title><h1>Sheaf {number}</h1><p>{text}.</p>"
        lines.append(json.dumps({"id": f"p{number}", "html": html}))
    path.write_text("\n".join(lines), encoding="utf-8")


def read_records(out: Path) -> list[Record]:
    """Return the records of all parts, in order, without what differs each time."""
    return list(_read_parts(out))


def _read_parts(out: Path) -> Iterator[Record]:
    for part in sorted(out.glob("part-*.jsonl*")):
        if part.suffix == ".tmp":
            continue
        raw = part.read_bytes()
        lines = gzip.decompress(raw) if part.suffix == ".gz" else raw
        for line in lines.splitlines():
            record = json.loads(line)
            yield {name: value for name, value in record.items() if name not in _UNLIKE}


def kill_often(
    folder: Path, *, n_kill: int, n_page: int, n_worker: int, chance: random.Random
) -> Iterator[Kill]:
    """Kill batches at random moments; a last row, of no kill, has what differs at an end."""
    source = folder / "pages.jsonl"
    write_pages(source, n_page, chance)
    command = [sys.executable, "-m", "thresher", "batch", str(source), "--format", "jsonl"]
    command += ["--dedupe", "--resume", "-j", str(n_worker), "--per-part", str(n_page // _PARTS)]
    start = time.monotonic()
    subprocess.run([*command, "-o", str(folder / "whole")], check=True, capture_output=True)
    whole_s = time.monotonic() - start
    expected = read_records(folder / "whole")
    n_done = n_batch = 0
    while True:
        out = folder / f"out-{n_batch}"
        last = n_done == n_kill
        after_s = chance.uniform(0, whole_s)
        process = subprocess.Popen(
            [*command, "-o", str(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        try:
            _, said = process.communicate(timeout=None if last else after_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            n_done += 1
            found = read_records(out)
            yield Kill(after_s, len(found), compare(found, expected[: len(found)]))
            continue
        found = read_records(out)
        fault = compare(found, expected) or (said[-300:] if process.returncode else None)
        if fault or last:
            yield Kill(0, len(found), fault)
        if last:
            return
        n_batch += 1


def compare(found: list[Record], expected: list[Record]) -> str | None:
    """Describe how records differ from those expected; None if they are the same."""
    ids = [record["id"] for record in found]
    if len(ids) != len({*ids}):
        return "a page is there twice"
    if found == expected:
        return None
    if len(found) != len(expected):
        return f"{len(found)} records for {len(expected)}"
    at = next(at for at, (a, b) in enumerate(zip(found, expected, strict=True)) if a != b)
    return f"record {at} is {found[at]} for {expected[at]}"[:300]


def main() -> None:
    """Kill, compare and print."""
    parser = make_parser(__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    faults = 0
    with TemporaryDirectory() as folder:
        for kill in kill_often(
            Path(folder),
            n_kill=args.kills,
            n_page=args.pages,
            n_worker=args.jobs,
            chance=random.Random(args.seed),
        ):
            faults += kill.fault is not None
            what = f"killed after {kill.after_s:5.2f} s" if kill.after_s else "ended"
            print(f"{what}: {kill.n_record} records; {kill.fault or 'none lost or double'}")
    print(f"{args.kills} kills, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
