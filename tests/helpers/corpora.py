"""Small corpora for tests."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from pathlib import Path


def write_corpus(folder: Path, name: str, pages: Iterable[object]) -> Path:
    """Write pages as a corpus, compressed as those that are shared; returns its file.

    A string is a line as it is.
    """
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines(
            f"{page if isinstance(page, str) else json.dumps(page)}\n" for page in pages
        )
    return path
