"""Fuzz the compiled steps under the address and undefined-behaviour sanitizers.

    python -m bench.native_fuzz [--seconds 120] [--seed 0]

Needs gcc with its sanitizers (Linux). The sources are compiled anew into a temporary folder, and
this program starts itself once more with them. Each round draws a page
(`tests.helpers.token_soup`, or a shape of `tests.helpers.hostile`), compares every kernel with its
definition on it, repeats the calls of compiled steps with altered arguments, and calls steps with
arguments drawn from their table: sizes that fit and that do not, other types, strides, read-only
arrays. No step may read or write outside its arrays. The number of the round that fails is printed;
with it as ``--seed`` the run begins there.
"""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.harness import make_parser

_MODULE: Final = "thresher.native._compiled"
_SOURCES: Final = Path(__file__).parents[1] / "src/thresher/native"
_SANITIZED: Final = "THRESHER_SANITIZED"
"""Names the compiled module to the program that runs with it."""
_FLAGS: Final = (
    *("-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fwrapv", "-DPy_LIMITED_API=0x030B0000"),
    *(
        "-fsanitize=address,undefined,float-cast-overflow",
        "-fno-sanitize-recover=all",
        "-fno-omit-frame-pointer",
    ),
)
_ROUND: Final = "round"
"""File beside the compiled module that holds the number of the round."""
_SHOWN_S: Final = 10
"""Seconds from one line of progress to the next."""


def main() -> None:
    """Compile and start anew, or be the program that was started."""
    parser = make_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0, help="number of the first round")
    args = parser.parse_args()
    if _SANITIZED in os.environ:
        _fuzz(args.seconds, args.seed)
        return
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "_compiled.abi3.so")
        include = f"-I{sysconfig.get_paths()['include']}"
        sources = sorted(map(str, _SOURCES.rglob("*.c")))
        subprocess.run(["gcc", *_FLAGS, include, *sources, "-o", str(module)], check=True)
        libraries = [
            subprocess.run(
                ["gcc", f"-print-file-name={name}.so"], check=True, capture_output=True, text=True
            ).stdout.strip()
            for name in ("libasan", "libubsan")
        ]
        environment = os.environ | {
            _SANITIZED: str(module),
            "LD_PRELOAD": " ".join(libraries),
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONMALLOC": "malloc",
        }
        done = subprocess.run(
            [sys.executable, "-m", "bench.native_fuzz", *sys.argv[1:]], env=environment, check=False
        )
        if done.returncode:
            print(f"round {module.with_name(_ROUND).read_text()} breaks")
    raise SystemExit(done.returncode)


def _fuzz(seconds: float, first: int) -> None:
    spec = importlib.util.spec_from_file_location(_MODULE, os.environ[_SANITIZED])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Before anything of Thresher's looks for it.
    sys.modules[_MODULE] = module
    from bench.native_rounds import play_round

    rounds = Path(os.environ[_SANITIZED]).with_name(_ROUND).open("wb", buffering=0)
    stop, shown, n_round = time.monotonic() + seconds, 0.0, first
    while time.monotonic() < stop:
        if time.monotonic() > shown:
            shown = time.monotonic() + _SHOWN_S
            print(f"round {n_round}", flush=True)
        # A sanitizer ends the program at once, so the number must stand somewhere before.
        rounds.seek(0)
        rounds.write(b"%d" % n_round)
        play_round(random.Random(n_round))
        n_round += 1
    print(f"{n_round - first} rounds, nothing found")


if __name__ == "__main__":
    main()
