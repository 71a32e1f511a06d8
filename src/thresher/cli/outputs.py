"""Output to standard output, or to files that never overwrite one another."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from thresher.cli.inputs import STDIN, is_url
from thresher.support.quoting import one_line, without_controls
from thresher.writers import FORMATS

__all__ = ["label", "plan_files", "say", "write_files", "write_stdout"]

_MAX_STEM_CHARS: Final = 60
"""Characters. File systems allow 255 bytes: four per character, and a number against clashes."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")


def say(message: str) -> None:
    """Print one line on standard error, prefixed with the command's name."""
    with suppress(OSError):  # standard error is closed
        if sys.stderr is not None:  # which print would take for standard output
            print(f"thresher: {one_line(message)}", file=sys.stderr)


def label(name: str, format: str) -> str:
    """Return the line that names an input among several on standard output.

    Empty if the output contains the name itself.
    """
    line = FORMATS[format].name_line
    if line is None:
        return ""
    name = one_line(name)
    is_comment = line.startswith("<!--")
    return line.format(name.replace(">", "&gt;") if is_comment else name)


def write_stdout(
    texts: Iterable[tuple[int, str]], labels: Sequence[str], *, raw: bool = False
) -> None:
    """Write texts, each after the label of its input, in UTF-8 in every locale.

    On a terminal, control characters are written visibly unless ``raw``: the texts are those of
    strangers. Raises OSError if standard output cannot be written.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    out = sys.stdout.buffer
    show = without_controls if sys.stdout.isatty() and not raw else str
    first = True
    for index, text in texts:
        if labels[index]:
            out.write(_encode(show(labels[index] if first else f"\n{labels[index]}")))
        first = False
        out.write(_encode(show(text)))
        out.flush()


def write_files(texts: Iterable[tuple[int, str]], paths: Sequence[Path]) -> None:
    """Write each text to its path, creating folders as needed; OSError as for `open`."""
    for index, text in texts:
        paths[index].parent.mkdir(parents=True, exist_ok=True)
        paths[index].write_bytes(_encode(text))


def plan_files(names: Sequence[str], folder: Path, format: str) -> list[Path]:
    """Return a path in a folder for each input: its stem, the format's suffix, a number if taken.

    Names differing only in case clash (file systems differ), and the inputs' own files are taken.
    """
    suffix = FORMATS[format].suffix
    taken = {_fold(Path(name)) for name in names if name != STDIN and not is_url(name)}
    count: dict[str, int] = {}
    paths = []
    for name in names:
        stem = _stem_of(name)
        path = folder / f"{stem}{suffix}"
        while _fold(path) in taken:
            # Numbering continues: a thousand index.html must not take a million tries.
            number = count[stem] = count.get(stem, 1) + 1
            path = folder / f"{stem}-{number}{suffix}"
        taken.add(_fold(path))
        paths.append(path)
    return paths


def _encode(text: str) -> bytes:
    ended = text if not text or text.endswith("\n") else f"{text}\n"
    return ended.encode("utf-8", "replace")


def _fold(path: Path) -> str:
    return os.path.realpath(path).casefold()


def _stem_of(name: str) -> str:
    """Return the file name of an input: a safe form of the last step of its path, or its host."""
    if name == STDIN:
        return "stdin"
    if is_url(name):
        host, path = _split(name)
        name = unquote(path.rstrip("/").rpartition("/")[2])
        stem = Path(name).stem if name else host
    else:
        stem = Path(name).stem
    return _UNSAFE.sub("-", stem).strip("-.")[:_MAX_STEM_CHARS] or "page"


def _split(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # it will fail as an input, but needs a name until then
        return "", ""
    return parts.netloc, parts.path
