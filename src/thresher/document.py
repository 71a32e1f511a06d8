"""Document: a page, what was selected of it, its metadata and a verdict; what writers read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, NamedTuple

from thresher.analysis.links import Link, removed_links
from thresher.analysis.metadata import Metadata, read_metadata
from thresher.analysis.obstacles import Obstacle, find_obstacle
from thresher.analysis.threads import Thread, read_threads
from thresher.chunking import MIN_CHUNK_CHARS, Chunk, Heading, find_headings, outline_of, split
from thresher.deadline import deadline, watch
from thresher.errors import LimitError, UsageError
from thresher.page import Origin, Page, Span
from thresher.page.hidden import Hidden
from thresher.page.paths import Path
from thresher.page.tags import flags_of
from thresher.roles import ROLES, read_roles
from thresher.selection import Selection
from thresher.support.cached import cached_property
from thresher.support.settings import setting, validate

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions"]

_LISTING_TYPES: Final = frozenset(("listing", "collection"))
"""Page types whose content is their items."""
_MIN_LISTING_PROBABILITY: Final = 0.5
"""From which on a page is more likely a listing than all else together."""

_WORDLESS: Final = flags_of("audio img image math video")
"""Elements that are content without a word. A frame or a drawing may be anything."""

_HIDDEN: Final = tuple(map(Hidden, range(2 ** len(Hidden))))
"""Every combination of flags; making one anew for each block takes long."""
_MIN_CHARS: Final = 100
_MIN_TOKENS: Final = 100
"""Characters and tokens that suffice, in every format, for the note on what was left out."""


class Verdict(Enum):
    """What came of extracting a page."""

    CONTENT = "content"
    LISTING = "listing only"
    """There is no one main text: what was kept are items that lead to pages of their own."""
    NO_MAIN_CONTENT = "no main content"
    """Nothing was kept: no word, no picture, no formula, no sound and no video."""
    BLOCKED = "blocked or error page"
    """Something else was sent in place of the page; what was kept is of that."""
    PARTIAL = "partial"
    """The page is beyond a limit: what was kept is of the part before it."""
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
    role: str | None
    """What it is, one of `thresher.roles.ROLES`; None where the method tells no roles."""
    hidden: Hidden
    path: Path | None
    source: Span | None
    """Characters of the source that its leaves came from."""
    origin: Origin
    """What it was read from: the page's markup, or data in its scripts."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How a document is written; UsageError for an invalid option.

    No option changes what is selected. `thresher.roles.ROLES` are the roles, `thresher.analysis`'s
    ``tracking`` lists the tracking parameters, and `thresher.chunking.estimate_tokens` counts
    tokens.
    """

    links: bool = setting(True, "keep the targets of links; their text is always kept")
    images: bool = setting(True, "keep images")
    metadata: bool = setting(
        False,
        "put the metadata first: as YAML front matter in Markdown and text, as <meta> in HTML",
    )
    removed_links: bool = setting(
        False, "list the text links that were left out, after the content"
    )
    title: bool = setting(
        False, "put the title first as a heading, unless the content begins with it"
    )
    tracking: bool = setting(
        False, "keep tracking parameters, such as utm_source, in the addresses of links"
    )
    max_chars: int | None = setting(
        None,
        "cut the output at the end of a block to at most this many characters",
        unit="characters",
        low=_MIN_CHARS,
    )
    max_tokens: int | None = setting(
        None,
        "cut the output at the end of a block to at most this many tokens of a language model,"
        " as estimated",
        unit="tokens",
        low=_MIN_TOKENS,
    )
    keep: Sequence[str] = setting(
        (),
        "write the blocks of these roles even if they were not selected; only for methods that"
        " predict roles",
        choices=ROLES,
    )

    def __post_init__(self) -> None:
        read_roles(self.keep)
        validate(self)

    @property
    def is_limited(self) -> bool:
        """Whether the output may have to be cut."""
        return self.max_chars is not None or self.max_tokens is not None


@dataclass(frozen=True, eq=False)
class Document:
    """The result of an extraction. What it offers is computed when asked for, and kept."""

    page: Page
    selection: Selection
    deadline_s: float | None = None
    """Seconds that each thing asked of the document may take."""
    limit: LimitError | None = None
    """The limit that the page is beyond, where a part of it had to do."""

    def write(self, format: str = "markdown", options: WriteOptions | None = None) -> str:
        """Write the document; UsageError for a format that is not in `thresher.FORMATS`."""
        # Writers read documents, so they can be imported only late.
        from thresher.writers import FORMATS  # noqa: PLC0415

        if format not in FORMATS:
            raise UsageError(f"unknown format {format!r}; one of {', '.join(FORMATS)}")
        options = options or WriteOptions()
        with deadline(self.deadline_s):
            return FORMATS[format].write(self._with_roles(options), options)

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

    def chunks(
        self,
        max_chars: int = 2000,
        format: str = "markdown",
        options: WriteOptions | None = None,
    ) -> tuple[Chunk, ...]:
        """Split what `write` makes of the document, with all its offsets, into chunks.

        Each has at most ``max_chars`` characters, and the headings it is under. Limits in
        ``options`` do not count. Raises UsageError for a format that has no chunks.
        """
        from thresher.writers import CHUNKED_FORMATS, FORMATS  # noqa: PLC0415 - as above

        if format not in CHUNKED_FORMATS:
            raise UsageError(f"no chunks of {format!r}; only of {', '.join(CHUNKED_FORMATS)}")
        if max_chars < MIN_CHUNK_CHARS:
            raise UsageError(f"max_chars must be {MIN_CHUNK_CHARS} or more, not {max_chars!r}")
        unlimited = replace(options or WriteOptions(), max_chars=None, max_tokens=None)
        with deadline(self.deadline_s):
            document = self._with_roles(unlimited)
            layout = FORMATS[format].lay_out(document, unlimited)
            return split(layout, document.selection, max_chars)

    def _with_roles(self, options: WriteOptions) -> Document:
        """Return the document with what of it is to be written besides."""
        if not options.keep:
            return self
        return replace(self, selection=self.selection.with_roles(read_roles(options.keep)))

    @cached_property
    def outline(self) -> tuple[Heading, ...]:
        """The kept headings as a tree."""
        with deadline(self.deadline_s):
            return outline_of(find_headings(self.selection))

    @cached_property
    def verdict(self) -> Verdict:
        """What came of the extraction.

        A limit counts first, then an obstacle, then whether words, a picture, a formula, sound or a
        video were kept, then, where the method judges pages, whether this one is a listing.
        """
        if self.limit:
            return Verdict.PARTIAL
        if self.obstacle:
            return Verdict(self.obstacle.kind.value)
        if not self._has_content:
            return Verdict.NO_MAIN_CONTENT
        kind = None if self.page.attached else self.page_type
        if kind and kind.name in _LISTING_TYPES and kind.probability >= _MIN_LISTING_PROBABILITY:
            return Verdict.LISTING
        return Verdict.CONTENT

    @cached_property
    def _has_content(self) -> bool:
        """Whether what was kept has words, or tells something without any."""
        selection = self.selection
        if selection.words:
            return True
        kept = self.page.leaves[selection.keep]
        return bool(_WORDLESS[self.page.tag[kept]].any())

    @cached_property
    def obstacle(self) -> Obstacle | None:
        """What stands between a reader and the content; None for ordinary pages.

        Told from the page alone, whatever the method.
        """
        with deadline(self.deadline_s):
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
        verdict tells. None, too, where nothing was kept, and for a page that was completed with a
        text of its scripts, which no method has judged.
        """
        is_judged = self._has_content and not self.page.attached
        judgement = self.selection.judgement if is_judged else None
        return judgement.confidence if judgement else None

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, each with its source and a confidence."""
        with deadline(self.deadline_s):
            return read_metadata(self.page)

    @cached_property
    def next_url(self) -> str | None:
        """Where the article, thread or list goes on, if it does; the page's address must be known.

        Absolute, of the same site, and never the page itself.
        """
        # Most callers want text alone.
        from thresher.analysis.pagination.next_page import find_next_url  # noqa: PLC0415

        with deadline(self.deadline_s):
            return find_next_url(self.page)

    @cached_property
    def removed_links(self) -> tuple[Link, ...]:
        """The text links of which nothing was kept, in document order."""
        with deadline(self.deadline_s):
            return removed_links(self.selection)

    @cached_property
    def threads(self) -> tuple[Thread, ...]:
        """Forum posts, comments, questions and answers, in document order, kept or not."""
        with deadline(self.deadline_s):
            return read_threads(self.page)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page in order, kept or not, with its evidence."""
        with deadline(self.deadline_s):
            return tuple(watch(self._read_blocks()))

    def _read_blocks(self) -> Iterator[Block]:
        page, selection = self.page, self.selection
        last = page.leaves.take(page.blocks.start[1:] - 1).tolist()
        first, rows = page.block_leaf.tolist(), page.block_row.tolist()
        spans = page.find_source_spans([*first, *last])
        columns = zip(
            page.block_texts(),
            map(page.name, rows),
            selection.block_keep.tolist(),
            selection.score.tolist(),
            selection.reason_code.tolist(),
            page.hidden.take(first).tolist(),
            page.paths(rows),
            spans[: len(first)],
            spans[len(first) :],
            map(page.origin, first),
            strict=True,
        )
        for index, (
            text, tag, kept, score, reason, hidden, path, start, stop, origin
        ) in enumerate(columns):  # fmt: skip
            yield Block(
                index=index,
                text=text,
                tag=tag,
                kept=kept,
                score=score,
                reason=selection.reasons[reason],
                role=selection.role(index),
                hidden=_HIDDEN[hidden],
                path=path,
                source=Span(start.start, max(start.stop, stop.stop)) if start and stop else None,
                origin=origin,
            )
