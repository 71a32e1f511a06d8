"""Document: a page with its selection, metadata and verdict; the input of writers."""

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
from thresher.support.quoting import quote
from thresher.support.settings import setting, validate

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions"]

_LISTING_TYPES: Final = frozenset(("listing", "collection"))
"""Page types whose content is their items."""
_MIN_LISTING_PROBABILITY: Final = 0.5
"""Probability from which a page is more likely a listing than anything else."""

_WORDLESS: Final = flags_of("audio img image math video")
"""Elements that count as content without words. A frame or a drawing may be anything."""

_HIDDEN: Final = tuple(map(Hidden, range(2 ** len(Hidden))))
"""Every combination of flags; precomputed because constructing flags is slow."""
_MIN_CHARS: Final = 100
_MIN_TOKENS: Final = 100
"""Characters and tokens that suffice, in every format, for the note on what was left out."""


class Verdict(Enum):
    """Outcome of an extraction."""

    CONTENT = "content"
    LISTING = "listing only"
    """There is no single main text: the kept items link to pages of their own."""
    NO_MAIN_CONTENT = "no main content"
    """Nothing was kept: no words, pictures, formulas, audio or video."""
    BLOCKED = "blocked or error page"
    """A block or error page was sent instead of the page; what was kept is from that."""
    PARTIAL = "partial"
    """The page exceeds a limit: what was kept is from the part within it."""
    NEEDS_BROWSER = "needs a browser"
    """The content is not in the HTML: scripts would fetch or render it, or it is elsewhere."""


class PageType(NamedTuple):
    """The most probable type of a page."""

    name: str
    probability: float


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page, kept or not, with its evidence."""

    index: int
    text: str
    tag: str
    """The innermost block-level element around it."""
    kept: bool
    """Whether any of its leaves is kept."""
    score: float
    reason: str
    role: str | None
    """One of `thresher.roles.ROLES`; None if the method assigns no roles."""
    hidden: Hidden
    path: Path | None
    source: Span | None
    """Span of the source that its leaves came from."""
    origin: Origin
    """Whether it was read from the page's markup, or from data in its scripts."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options of writing a document; UsageError for an invalid option.

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
    alerts: bool = setting(
        True, "write notes, tips and warnings in boxes as GitHub's alerts, > [!NOTE], in Markdown"
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
        """True if the output may have to be cut."""
        return self.max_chars is not None or self.max_tokens is not None


@dataclass(frozen=True, eq=False)
class Document:
    """The result of an extraction. Its properties are computed on first access and cached."""

    page: Page
    selection: Selection
    deadline_s: float | None = None
    """Seconds that computing each property may take."""
    limit: LimitError | None = None
    """The limit that the page exceeded, if only a part of it was read."""

    def write(self, format: str = "markdown", options: WriteOptions | None = None) -> str:
        """Write the document; UsageError for a format that is not in `thresher.FORMATS`."""
        # Writers read documents, so they can be imported only late.
        from thresher.writers import FORMATS  # noqa: PLC0415

        if format not in FORMATS:
            raise UsageError(f"unknown format {quote(format)}; one of {', '.join(FORMATS)}")
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
        """Return all that is known about the page as JSON: metadata, all blocks with evidence."""
        return self.write("json")

    def chunks(
        self,
        max_chars: int = 2000,
        format: str = "markdown",
        options: WriteOptions | None = None,
    ) -> tuple[Chunk, ...]:
        """Split the output of `write` into chunks, with offsets into it.

        Each has at most ``max_chars`` characters, and its headings. Limits in ``options`` are
        ignored. UsageError for a format that cannot be chunked.
        """
        from thresher.writers import CHUNKED_FORMATS, FORMATS  # noqa: PLC0415 - as above

        if format not in CHUNKED_FORMATS:
            raise UsageError(f"no chunks of {quote(format)}; only of {', '.join(CHUNKED_FORMATS)}")
        if max_chars < MIN_CHUNK_CHARS:
            raise UsageError(f"max_chars must be {MIN_CHUNK_CHARS} or more, not {max_chars!r}")
        unlimited = replace(options or WriteOptions(), max_chars=None, max_tokens=None)
        with deadline(self.deadline_s):
            document = self._with_roles(unlimited)
            layout = FORMATS[format].lay_out(document, unlimited)
            return split(layout, document.selection, max_chars)

    def _with_roles(self, options: WriteOptions) -> Document:
        """Return the document with the blocks of `WriteOptions.keep` selected too."""
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
        """Outcome of the extraction.

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
        """True if words, or elements that are content without words, were kept."""
        selection = self.selection
        if selection.words:
            return True
        page = self.page
        kept = page.leaves[selection.keep]
        wordless = kept[_WORDLESS[page.tag[kept]]]
        # A picture or video without attributes and children has no source to show.
        return any(page.end[row] > row + 1 or page.attrs(row) for row in wordless.tolist())

    @cached_property
    def obstacle(self) -> Obstacle | None:
        """Obstacle between a reader and the content; None for ordinary pages.

        Determined from the page alone, independent of the method.
        """
        with deadline(self.deadline_s):
            return find_obstacle(self.page)

    @cached_property
    def page_type(self) -> PageType | None:
        """The most probable page type; None if the method does not judge pages."""
        judgement = self.selection.judgement
        return PageType(*judgement.page_types[0]) if judgement and judgement.page_types else None

    @cached_property
    def confidence(self) -> float | None:
        """Expected word F1 of the selection, 0 to 1; None if the method gives no estimate.

        It is about what was kept of this page; whether it is the requested page is a matter of the
        verdict. Also None if nothing was kept, and for a page that was completed with a text from
        its scripts, which no method has judged.
        """
        is_judged = self._has_content and not self.page.attached
        judgement = self.selection.judgement if is_judged else None
        return judgement.confidence if judgement else None

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and other metadata, each with its source and a confidence."""
        with deadline(self.deadline_s):
            return read_metadata(self.page)

    @cached_property
    def next_url(self) -> str | None:
        """URL of the next page of the article, thread or list, if any; requires the page's URL.

        Absolute, of the same site, and never that of the page itself.
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
        last = page.block_last_leaf.tolist()
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
