"""The tools: whole pages, outlines and chunks, as text for a language model.

Results begin with the facts known about the page. Pages are cached for a while, so that an agent
that reads several chunks requests a page once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from thresher.chunking import Chunk, Heading
from thresher.document import Document, WriteOptions
from thresher.errors import UsageError
from thresher.extraction import extract_request
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.roles import ScopeName
from thresher.support.bounded_cache import ByteCache
from thresher.writers.formats import FormatName

EXTRACT_CHARS: Final = 20_000
"""Default maximum characters of a page: about 5,000 tokens of English."""
CHUNK_CHARS: Final = 4_000
"""Default maximum characters of a chunk: about 1,000 tokens of English."""
MAX_CHARS: Final = 200_000
"""Largest number of characters that can be requested."""
CACHED_PAGES: Final = 8
CACHE_S: Final = 600.0
"""Seconds: as long as an agent may take to read a page, short enough for news to be current."""


@dataclass(slots=True)
class Tools:
    """The tools and their page cache. Only public addresses are fetched.

    Each tool takes the address of a page or its HTML, and raises ThresherError.
    """

    timeout_s: float = TIMEOUT_S
    limits: Limits = field(default_factory=Limits)
    user_agent: str = USER_AGENT
    clock_s: Callable[[], float] = time.monotonic
    _cache: ByteCache[Document] = field(init=False)

    def __post_init__(self) -> None:
        # Bounded in pages: each counts one.
        self._cache = ByteCache(
            CACHED_PAGES, lambda document: 1, max_age_s=CACHE_S, clock=self.clock_s
        )

    def extract(
        self,
        url: str | None = None,
        html: str | None = None,
        format: FormatName = "markdown",
        scope: ScopeName = "auto",
        max_chars: int = EXTRACT_CHARS,
    ) -> str:
        """Return the main content, after front matter with metadata and verdict."""
        document = self._read(url, html, scope)
        return document.write(format, WriteOptions(metadata=True, max_chars=max_chars))

    def outline(
        self,
        url: str | None = None,
        html: str | None = None,
        scope: ScopeName = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return the facts known about the page, its length, and each heading with its chunk."""
        document = self._read(url, html, scope)
        chunks = document.chunks(max_chars)
        lines = [
            *_describe(document),
            f"{len(document.markdown):,} characters of Markdown in {len(chunks)} chunks of at most"
            f" {max_chars:,}",
        ]
        headings = list(_list_headings(document.outline, chunks))
        return "\n".join([*lines, "", *(headings or ["(no headings)"])])

    def chunk(
        self,
        index: int,
        url: str | None = None,
        html: str | None = None,
        scope: ScopeName = "auto",
        max_chars: int = CHUNK_CHARS,
    ) -> str:
        """Return one chunk, after a line with its number and the headings it is under."""
        chunks = self._read(url, html, scope).chunks(max_chars)
        if not chunks:
            raise UsageError("nothing was found in this page, so it has no chunks")
        if not 0 <= index < len(chunks):
            raise UsageError(f"there is no chunk {index}; the last is {len(chunks) - 1}")
        chunk = chunks[index]
        where = " > ".join(chunk.headings)
        return f"[chunk {index} of 0 to {len(chunks) - 1}{where and f': {where}'}]\n\n{chunk.text}"

    def _read(self, url: str | None, html: str | None, scope: ScopeName) -> Document:
        if url is None and html is None:
            raise UsageError("give the url of a page, or its html")
        name = repr((url, html, scope))
        document = self._cache.get(name)
        if document is None:
            document = self._extract(url, html, scope)
            self._cache.put(document, name)
        return document

    def _extract(self, url: str | None, html: str | None, scope: ScopeName) -> Document:
        body: str | bytes | None = html
        http_charset = None
        if body is None:
            # Imported late, as importing urllib3 takes longer than everything else.
            from thresher.fetching.fetch import fetch

            assert url is not None
            fetched = fetch(
                url,
                timeout_s=self.timeout_s,
                max_bytes=self.limits.max_bytes,
                user_agent=self.user_agent,
                allow_private=False,
            )
            body, url, http_charset = fetched.body, fetched.url, fetched.http_charset
        request = SelectRequest(scope=scope)
        return extract_request(body, request, self.limits, url=url, http_charset=http_charset)


def _describe(document: Document) -> list[str]:
    facts = {
        "title": document.metadata.title.value if document.metadata.title else None,
        "url": document.page.url,
        "verdict": document.verdict.value,
        "evidence": document.obstacle.evidence if document.obstacle else None,
    }
    return [f"{name}: {' '.join(value.split())}" for name, value in facts.items() if value]


def _list_headings(headings: Iterable[Heading], chunks: tuple[Chunk, ...]) -> list[str]:
    """Return an indented line for each heading, with the number of the chunk it is in."""
    chunk_of: dict[int, int] = {}
    for index, chunk in enumerate(chunks):
        for block in chunk.blocks:
            chunk_of.setdefault(block, index)
    lines = []
    waiting = [(heading, 0) for heading in reversed(tuple(headings))]
    while waiting:
        heading, depth = waiting.pop()
        lines.append(f"{'  ' * depth}- {heading.title} (chunk {chunk_of.get(heading.block, 0)})")
        waiting += [(child, depth + 1) for child in reversed(heading.children)]
    return lines
