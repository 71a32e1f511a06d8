"""Document: a page, what was selected of it, its metadata and a verdict; what writers read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final, NamedTuple

from thresher.errors import UsageError
from thresher.hidden import Hidden
from thresher.links import Link, removed_links
from thresher.metadata import Metadata, read_metadata
from thresher.obstacles import Obstacle, find_obstacle
from thresher.page import Page, Span
from thresher.paths import Path
from thresher.selection import Selection

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions", "Writer"]

_LISTING_TYPES: Final = frozenset(("listing", "collection"))
"""Page types whose content is their items."""
_MIN_LISTING_PROBABILITY: Final = 0.5
"""From which on a page is more likely a listing than all else together."""


class Verdict(Enum):
    """What came of extracting a page."""

    CONTENT = "content"
    LISTING = "listing only"
    """There is no one main text: what was kept are items that lead to pages of their own."""
    NO_MAIN_CONTENT = "no main content"
    """Nothing was kept."""
    BLOCKED = "blocked or error page"
    """Something else was sent in place of the page; what was kept is of that."""
    NEEDS_BROWSER = "needs a browser"
    """The content is not in the HTML: scripts would fetch or write it, or it is elsewhere."""


class PageType(NamedTuple):
    """What kind of page it most probably is."""

    name: str
    probability: float


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
        """What came of the extraction.

        An obstacle counts first, then whether anything was kept, then, where the method judges
        pages, whether this one is a listing.
        """
        if self.obstacle:
            return Verdict(self.obstacle.kind.value)
        if not self.selection.keep.any():
            return Verdict.NO_MAIN_CONTENT
        kind = self.page_type
        if kind and kind.name in _LISTING_TYPES and kind.probability >= _MIN_LISTING_PROBABILITY:
            return Verdict.LISTING
        return Verdict.CONTENT

    @cached_property
    def obstacle(self) -> Obstacle | None:
        """What stands between a reader and the content; None for ordinary pages.

        Told from the page alone, whatever the method.
        """
        return find_obstacle(self.page)

    @cached_property
    def page_type(self) -> PageType | None:
        """The most probable kind of page; None where the method does not judge pages."""
        judgement = self.selection.judgement
        return PageType(*judgement.page_types[0]) if judgement and judgement.page_types else None

    @cached_property
    def confidence(self) -> float | None:
        """The word F1 to be expected of the selection, 0 to 1; None where the method has no idea.

        It is about what was kept of this page. Whether this is the page that was asked for, the
        verdict tells.
        """
        judgement = self.selection.judgement
        return judgement.confidence if judgement else None

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
