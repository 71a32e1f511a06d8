"""Peak memory of one extraction over the bytes of its HTML, as the operating system counts it.

    python -m bench.memory CORPUS… [--min-bytes 1000000] [--pages N] [--format markdown]
    python -m bench.memory --shape paragraphs --size 15000
    python -m bench.memory --every-shape [--max-bytes 1000000]

Every page is extracted and written by an interpreter of its own that has done a small page before,
so that what is loaded once is not counted. The peak is the growth of the resident set (Linux,
``VmHWM``), the parser's own tree included. Prints the ratio for every page and their maximum.

``--every-shape`` measures every shape of `tests.helpers.hostile` at a size, with all of it kept, in
every format, each in a fork of one such interpreter, and prints the most of each format; also of
those that end in a LimitError.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path

import thresher
from bench.harness import make_parser, named_corpora
from tests.helpers.hostile import SHAPES, Shape
from thresher.algorithms import MethodName
from thresher.writers.formats import FormatName

_SAMPLE = 1000
"""Size at which a shape is built to find the one that is wanted."""
_WARM_UP = "<p>The grain was cut before the rain, and the barn was full by night.</p>" * 20


def main() -> None:
    """Measure and print."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--min-bytes", type=int, default=1_000_000, help="of the smallest page")
    parser.add_argument("--pages", type=int, help="only the first so many such pages")
    parser.add_argument("--format", choices=thresher.FORMATS, default="markdown")
    parser.add_argument("--shape", choices=SHAPES, metavar="NAME", help="a page made to hurt")
    parser.add_argument("--size", type=int, help="of the shape; default: its full size")
    parser.add_argument("--every-shape", action="store_true", help="all of them in every format")
    parser.add_argument("--max-bytes", type=int, default=1_000_000, help="of each of these")
    args = parser.parse_args()
    if args.every_shape:
        _measure_shapes(args.max_bytes)
        return
    if args.shape:
        shape = SHAPES[args.shape]
        source = shape.build(args.size or shape.full).encode()
        print(f"{len(source) / 1e6:.2f} MB {measure_peak(source, args.format) / len(source):.1f} ×")
        return
    sized = (
        (page, source)
        for corpus in named_corpora(args.corpora)
        for page in corpus.pages()
        if len(source := page.html.encode("utf-8", "surrogatepass")) >= args.min_bytes
    )
    ratios = []
    for page, source in islice(sized, args.pages):
        peak = measure_peak(source, args.format)
        ratios.append(peak / len(source))
        print(f"{page.corpus:16} {page.id:40.40} {len(source) / 1e6:6.2f} MB {ratios[-1]:6.1f} ×")
    if not ratios:
        raise SystemExit("no page is that large")
    middle = sorted(ratios)[len(ratios) // 2]
    print(f"{len(ratios)} pages: median {middle:.1f} ×, most {max(ratios):.1f} × the HTML")


def measure_peak(source: bytes, format: FormatName) -> int:
    """Return the bytes by which memory grows at most while a page is extracted and written.

    In a new interpreter: what this one has freed, a copy of it would be given again.
    """
    code = f"from bench.memory import measure_here; measure_here({format!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], input=source, check=False, stdout=subprocess.PIPE
    )
    if done.returncode:
        raise SystemExit("a process that measured died")
    return int(done.stdout)


def _measure_shapes(n_byte: int) -> None:
    """Print for each format the shape that takes the most memory, with those of other parts."""
    for format in thresher.FORMATS:
        thresher.extract(_WARM_UP).write(format)
    most: dict[FormatName, tuple[float, str]] = {}
    for name, shape in SHAPES.items():
        size = max(_SAMPLE * n_byte // len(shape.build(_SAMPLE).encode(errors="replace")), 1)
        ratios = {
            format: measure_in_fork(shape, size, format) / n_byte for format in thresher.FORMATS
        }
        print(f"{name:36}", *(f"{format} {ratio:.0f}" for format, ratio in ratios.items()))
        sys.stdout.flush()
        for format, ratio in ratios.items():
            most[format] = max(most.get(format, (0.0, "")), (ratio, name))
    for format, (ratio, name) in most.items():
        print(f"{format}: at most {ratio:.0f} × the HTML, {name}")


def measure_in_fork(shape: Shape, size: int, format: FormatName) -> int:
    """Return the bytes by which the memory of a fork of this process grows, as `measure_peak`."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        source = shape.build(size).encode("utf-8", "replace")
        os.write(writing, str(_measure(source, format, "keep_all")).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as result:
        measured = result.read()
    os.waitpid(child, 0)
    if not measured:
        raise SystemExit("a process that measured died")
    return int(measured)


def measure_here(format: FormatName) -> None:
    """Measure the page that is read from standard input, and print the bytes."""
    thresher.extract(_WARM_UP).write(format)
    source = sys.stdin.buffer.read()
    print(_measure(source, format))


def _measure(source: bytes, format: FormatName, method: MethodName = "learned") -> int:
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    with suppress(thresher.LimitError):
        thresher.extract(source, method=method).write(format)
    return max(_status("VmHWM") - before, 0)


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"/proc/self/status has no {field}")


if __name__ == "__main__":
    if sys.platform != "linux":
        raise SystemExit("needs Linux")
    main()
