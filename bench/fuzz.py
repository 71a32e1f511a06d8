"""Fuzz every stage with atheris, guided by the coverage of Thresher's own code.

    python -m bench.fuzz CORPUS_DIR [--seconds 600] [--target NAME]

Needs ``pip install atheris`` (Linux). ``CORPUS_DIR`` is read and grown: inputs that reach new code
are kept there, and the next run starts from them; the first starts from small pages of every shape
of `tests.helpers.hostile`. What must hold of any bytes: a Document, or an error of Thresher's own;
any format written, and the same on the second time. The targets app and serve send requests to the
app and to its API, proxy sends requests and responses through the proxy (in an environment with the
extra proxy): no exception may escape, and no answer may have the status 500. A crash is written
down as libFuzzer does (``crash-…``), and belongs into tests/test_regressions.py, with a name.

Of an input, the first bytes choose a method and a format, so that one input costs one run of each
and the fuzzer learns which go together. The page is the rest as it is, or spelled from a table of
words, a byte a word: so a change of one byte makes another page, where it would mostly break a tag.
"""

from __future__ import annotations

import contextlib
import gc
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Final, TypeVar

import thresher
from bench.fuzz_files import FILE_TARGETS
from bench.harness import make_parser
from tests.helpers.document_calls import CALLS
from tests.helpers.hostile import SHAPES
from tests.helpers.token_soup import ATTRIBUTES, page_of, state_of
from thresher.algorithms import MethodName
from thresher.analysis.links import resolve_link
from thresher.errors import ThresherError
from thresher.fetching.model import Fetched
from thresher.fetching.robots import Robots
from thresher.fetching.session import normalize_url
from thresher.page.decode import decode
from thresher.page.tags import NAMES
from thresher.writers.formats import CHUNKED_FORMATS

Target = Callable[[bytes], None]
_Name = TypeVar("_Name")

_MAX_LEN: Final = 2048
"""Bytes of an input: more finds less a second."""
_SEED_SIZE: Final = 3
_URL: Final = "https://site.example/2024/05/06/a?page=2"
_ASKED_METHODS: Final[tuple[MethodName, ...]] = (thresher.DEFAULT_METHOD, "keep_all")
_LIMITED: Final = ("markdown", "text", "html")
"""Formats that can be cut."""
_ARCHIVES: Final = (
    "",
    "bplist00",
    "<?xml version='1.0'?><plist><dict><key>WebMainResource</key><dict>",
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n",
)
"""Beginnings of archives."""
_SCRIPTS: Final = (
    "type=application/ld+json",
    "type=application/json id=__NEXT_DATA__",
    "type=text/javascript",
)


def run_decode(data: bytes) -> None:
    """Decode the bytes, with the first byte choosing the charset that a server sends."""
    charsets = (None, "utf-8", "shift_jis", "utf-16le", "gb18030", "iso-2022-jp", "x-user-defined")
    charset = charsets[data[0] % len(charsets)] if data else None
    decode(data[1:], http_charset=charset)


def run_extract(data: bytes) -> None:
    """Extract by one of the methods, and write one of the formats; now and then twice."""
    choice, html = data[:3].ljust(3, b"\0"), page_of(data[3:])
    method = _pick(tuple(thresher.ALGORITHMS), choice[0])
    format = _pick(thresher.FORMATS, choice[1])
    options = thresher.WriteOptions(
        links=not choice[2] & 1,
        images=not choice[2] & 2,
        metadata=bool(choice[2] & 4),
        removed_links=bool(choice[2] & 8),
        title=bool(choice[2] & 16),
        max_chars=100 + len(html) // 4 if choice[2] & 32 and format in _LIMITED else None,
    )
    rounds = 2 if choice[2] & 192 == 192 else 1
    outputs = {
        thresher.extract(html, method=method, url=_URL).write(format, options)
        for _ in range(rounds)
    }
    if len(outputs) > 1:
        raise AssertionError(f"{format} differs from one time to the next")


def run_chunks(data: bytes) -> None:
    """Cut the output into chunks, of which each must be where it says."""
    choice, html = data[:2].ljust(2, b"\0"), page_of(data[2:])
    document = thresher.extract(html, method="keep_all", url=_URL)
    format = _pick(CHUNKED_FORMATS, choice[1])
    size = 50 + choice[0]
    output = document.write(format)
    for chunk in document.chunks(size, format):
        whole = chunk.repeated + output[chunk.start : chunk.stop]
        if len(chunk.text) > size or chunk.text != whole:
            raise AssertionError(f"a chunk that is not {chunk.start}:{chunk.stop} of {format}")
    _ = document.outline


def run_asking(data: bytes) -> None:
    """Ask a document for one of all the things that it can be asked for."""
    choice, html = data[:2].ljust(2, b"\0"), page_of(data[2:])
    document = thresher.extract(html, url=_URL, method=_pick(_ASKED_METHODS, choice[1]))
    CALLS[_pick(tuple(CALLS), choice[0])](document)


def run_embedded(data: bytes) -> None:
    """Complete a page from the data in its script: JSON-LD, the state of an application, rows."""
    start = _pick(_SCRIPTS, data[0] if data else 0)
    html = f"<p>word</p><script {start}>".encode() + state_of(data[1:]) + b"</script>"
    document = thresher.extract(html, url=_URL, method="keep_all")
    _ = (document.text, document.metadata)


def run_archive(data: bytes) -> None:
    """Read an archive of a page: a property list, or MHTML."""
    _ = thresher.extract(_pick(_ARCHIVES, data[0] if data else 0).encode() + data[1:])


def run_fetch(data: bytes) -> None:
    """Read what a server may send before any page: an address to go to, and a robots.txt."""
    address, _, body = data.partition(b"\n")
    url = normalize_url(resolve_link(address.decode("utf-8", "replace"), _URL))
    if url != normalize_url(url):
        raise AssertionError(f"{url} has another spelling")
    robots = Robots(
        lambda robots_url: Fetched(robots_url, body, None, "text/plain", 200, is_public=True)
    )
    _ = (robots.allows(url), robots.delay_s(url))


def _run_late(module: str, name: str, data: bytes) -> None:
    """Run a target of a module that needs an extra."""
    getattr(import_module(f"bench.{module}"), name)(data)


TARGETS: Final[Mapping[str, Target]] = {
    "decode": run_decode,
    "extract": run_extract,
    "chunks": run_chunks,
    "asking": run_asking,
    "embedded": run_embedded,
    "archive": run_archive,
    "fetch": run_fetch,
    "app": partial(_run_late, "fuzz_app", "run_app"),
    "serve": partial(_run_late, "fuzz_app", "run_serve"),
    "proxy": partial(_run_late, "fuzz_proxy", "run_proxy"),
    **FILE_TARGETS,
}
"""Fuzz targets by name."""


def _pick(choices: Sequence[_Name], number: int) -> _Name:
    return choices[number % len(choices)]


def plant_seeds(folder: Path) -> None:
    """Write the inputs that a first run starts from."""
    for place, (name, shape) in enumerate(SHAPES.items()):
        # Two bytes that choose, two that leave the page as it is.
        seed = bytes([place, 7 * place % 256, 0, 0]) + shape.build(_SEED_SIZE).encode(
            "utf-8", "surrogatepass"
        )
        (folder / f"seed-{re.sub('[^a-z0-9]+', '-', name.lower())}").write_bytes(seed[:_MAX_LEN])


def spell_words() -> list[str]:
    """Return what the fuzzer may put in: tags, and attributes that some part of the code reads."""
    tags = [f"<{name}>" for name in NAMES if name.isalnum()] + ["</p>", "</div>", "</td>", "-->"]
    attributes = [f" {name}=" for name in ATTRIBUTES]
    return [*tags, *attributes, *"&amp; &#x202e; <!-- <![CDATA[ ]]> javascript: data:".split()]


def main() -> None:
    """Fuzz until the time is up, or something breaks."""
    parser = make_parser(__doc__)
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

    try_one(b"")  # imports what the target is about
    for value in gc.get_objects():
        if isinstance(value, FunctionType) and (value.__module__ or "").startswith("thresher"):
            atheris.instrument_func(value)
    options = [f"-max_total_time={args.seconds}", "-timeout=20", "-rss_limit_mb=4096"]
    options += [f"-max_len={_MAX_LEN}", "-len_control=0", f"-artifact_prefix={args.corpus}/"]
    options += [f"-dict={words}"]
    atheris.Setup([sys.argv[0], *options, str(args.corpus)], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
