"""Document: a page, what was selected of it, and its metadata; what writers read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from thresher.errors import UsageError
from thresher.hidden import Hidden
from thresher.links import Link, removed_links
from thresher.metadata import Metadata, read_metadata
from thresher.page import Page, Span
from thresher.paths import Path
from thresher.selection import Selection

__all__ = ["Block", "Document", "Verdict", "WriteOptions", "Writer"]


class Verdict(Enum):
    """What came of extracting a page."""

    CONTENT = "content"
    NO_MAIN_CONTENT = "no main content"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page, kept or not, and where it came from."""

    index: int
    text: str
    tag: str
    """The innermost block-level element around it."""
    kept: bool
    """Whether any of its leaves is kept."""
    score: float
    reason: str
    hidden: Hidden
    path: Path | None
    source: Span | None
    """Characters of the source that its leaves came from."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How a document is written. No option changes what is selected."""

    links: bool = True
    """Keep the targets of links; their text stays in any case."""
    images: bool = True
    """Keep images."""
    metadata: bool = False
    """Put the metadata first: YAML front matter in Markdown and text, `<meta>` in HTML."""
    removed_links: bool = False
    """List the text links that were left out behind the content."""


Writer = Callable[["Document", WriteOptions], str]
"""Writes a document in one format."""


@dataclass(frozen=True, eq=False)
class Document:
    """The result of an extraction. What it offers is computed when asked for, and kept."""

    page: Page
    selection: Selection
    writers: Mapping[str, Writer]
    """How to write the document, by format; the glue passes its table in."""

    def write(self, format: str = "markdown", options: WriteOptions | None = None) -> str:
        """Write the document; UsageError for a format that is not in `thresher.FORMATS`."""
        if format not in self.writers:
            raise UsageError(f"unknown format {format!r}; one of {', '.join(self.writers)}")
        return self.writers[format](self, options or WriteOptions())

    @cached_property
    def markdown(self) -> str:
        """The main content as CommonMark with GFM tables."""
        return self.write("markdown")

    @cached_property
    def text(self) -> str:
        """The main content as plain text."""
        return self.write("text")

    @cached_property
    def html(self) -> str:
        """The main content as clean HTML, safe to show."""
        return self.write("html")

    def json(self) -> str:
        """Everything known of the page as JSON: metadata, and every block with its evidence."""
        return self.write("json")

    @cached_property
    def verdict(self) -> Verdict:
        """Whether there is any main content."""
        return Verdict.CONTENT if self.selection.keep.any() else Verdict.NO_MAIN_CONTENT

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, each with its source and a confidence."""
        return read_metadata(self.page)

    @cached_property
    def removed_links(self) -> tuple[Link, ...]:
        """The text links of which nothing was kept, in document order."""
        return removed_links(self.selection)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page in order, kept or not, with its evidence."""
        return tuple(self._block(index) for index in range(len(self.page.blocks)))

    def _block(self, index: int) -> Block:
        page, selection = self.page, self.selection
        row = int(page.block_row[index])
        first, last = page.leaves[page.blocks.start[index : index + 2] - (0, 1)].tolist()
        start, stop = page.source_span(first), page.source_span(last)
        return Block(
            index=index,
            text=page.block_text(index),
            tag=page.name(row),
            kept=bool(selection.block_keep[index]),
            score=float(selection.score[index]),
            reason=selection.reason(index),
            hidden=Hidden(int(page.hidden[first])),
            path=page.path(row),
            source=Span(start.start, max(start.stop, stop.stop)) if start and stop else None,
        )
