"""Fuzz every stage with atheris, guided by the coverage of Thresher's own code.

    python -m bench.fuzz CORPUS_DIR [--seconds 600] [--target NAME]

Needs ``pip install atheris`` (Linux). ``CORPUS_DIR`` is read and grown: inputs that reach new code
are kept there, and the next run starts from them; the first starts from small pages of every shape
of `bench.hostile`. What must hold of any bytes: a Document, or an error of Thresher's own; every
format written, and the same on the second time. A crash is written down as libFuzzer does
(``crash-…``), and belongs into tests/test_regressions.py, with a name.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import thresher
from bench.hostile import SHAPES
from thresher.decode import decode
from thresher.errors import ThresherError
from thresher.tags import NAMES

__all__ = ["TARGETS", "main", "plant_seeds", "spell_words"]

Target = Callable[[bytes], None]

_MAX_LEN: Final = 4096
"""Bytes of an input: more finds less a second."""
_SEED_SIZE: Final = 3
_ATTRIBUTES: Final = """
aria-hidden class colspan content datetime dir hidden href id itemprop itemscope itemtype lang name
property rel role rowspan src srcset start style type value
"""


def run_decode(data: bytes) -> None:
    """Decode the bytes, with the first byte choosing the charset that a server sends."""
    charsets = (None, "utf-8", "shift_jis", "utf-16le", "gb18030", "iso-2022-jp", "x-user-defined")
    charset = charsets[data[0] % len(charsets)] if data else None
    decode(data[1:], http_charset=charset)


def run_extract(data: bytes) -> None:
    """Extract by one of the methods, and write every format."""
    methods = tuple(thresher.ALGORITHMS)
    method = methods[data[0] % len(methods)] if data else thresher.DEFAULT_METHOD
    document = thresher.extract(data[1:], method=method, url="https://site.example/a/b")
    again = thresher.extract(data[1:], method=method, url="https://site.example/a/b")
    for format in thresher.FORMATS:
        options = thresher.WriteOptions(metadata=True, removed_links=True)
        if document.write(format, options) != again.write(format, options):
            raise AssertionError(f"{format} differs from one time to the next")


def run_metadata(data: bytes) -> None:
    """Read the metadata and the blocks with their evidence."""
    document = thresher.extract(data, method="keep_all", url="https://site.example/2024/05/06/a")
    _ = (document.metadata, document.blocks, document.removed_links, document.verdict)


TARGETS: Final[Mapping[str, Target]] = {
    "decode": run_decode,
    "extract": run_extract,
    "metadata": run_metadata,
}
"""What is fuzzed, by name."""


def plant_seeds(folder: Path) -> None:
    """Write the inputs that a first run starts from."""
    for place, (name, shape) in enumerate(SHAPES.items()):
        seed = bytes([place % 256]) + shape.build(_SEED_SIZE).encode("utf-8", "surrogatepass")
        (folder / f"seed-{re.sub('[^a-z0-9]+', '-', name.lower())}").write_bytes(seed[:_MAX_LEN])


def spell_words() -> list[str]:
    """Return what the fuzzer may put in: tags, and attributes that some part of the code reads."""
    tags = [f"<{name}>" for name in NAMES if name.isalnum()] + ["</p>", "</div>", "</td>", "-->"]
    attributes = [f" {name}=" for name in _ATTRIBUTES.split()]
    return [*tags, *attributes, *"&amp; &#x202e; <!-- <![CDATA[ ]]> javascript: data:".split()]


def main() -> None:
    """Fuzz until the time is up, or something breaks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="folder of inputs, read and grown")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--target", choices=TARGETS, default="extract")
    args = parser.parse_args()
    try:
        import atheris
    except ImportError:
        raise SystemExit("needs atheris: pip install atheris") from None
    args.corpus.mkdir(parents=True, exist_ok=True)
    plant_seeds(args.corpus)
    words = args.corpus / "words.dict"
    words.write_text("".join(f'"{word}"\n' for word in spell_words()))
    run = TARGETS[args.target]

    def try_one(data: bytes) -> None:
        with contextlib.suppress(ThresherError):  # what bad input is told
            run(data)

    atheris.instrument_all()
    options = [f"-max_total_time={args.seconds}", "-timeout=20", "-rss_limit_mb=4096"]
    options += [f"-max_len={_MAX_LEN}", "-len_control=0", f"-artifact_prefix={args.corpus}/"]
    options += [f"-dict={words}"]
    atheris.Setup([sys.argv[0], *options, str(args.corpus)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
