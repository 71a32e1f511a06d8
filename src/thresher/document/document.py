"""Document: a page with its selection, metadata and verdict; the input of writers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import repeat
from typing import TYPE_CHECKING, Final, TypeVar

from thresher.analysis.companions import find_companions, find_section_headings
from thresher.analysis.obstacles import Obstacle, find_obstacle
from thresher.analysis.stated_parts import is_teaser
from thresher.deadline import check_deadline, deadline, watch
from thresher.document.options import PageType, Verdict, WriteOptions
from thresher.errors import LimitError, UsageError
from thresher.limits import OUTPUT
from thresher.output_room import check_output, output_room
from thresher.page import Origin, Page, Span
from thresher.page.hidden import Hidden
from thresher.page.paths import Path
from thresher.page.tags import flags_of
from thresher.roles import NO_ROLE, ROLES, read_roles
from thresher.selection import Selection
from thresher.support.cached import cached_property
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from thresher.analysis.metadata import Metadata, PageTitle
    from thresher.analysis.removed_links import Link
    from thresher.analysis.threads import Thread
    from thresher.chunking import Chunk, Heading
    from thresher.writers.formats import ChunkedName, Format, FormatName

# -- blocks ------------------------------------------------------------------------------------

_HIDDEN: Final = tuple(map(Hidden, range(2 ** len(Hidden))))
"""Every combination of flags; precomputed because constructing flags is slow."""


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


def read_blocks(selection: Selection) -> Iterator[Block]:
    """Yield every block of a page in order, kept or not."""
    page = selection.page
    first, n_own = page.block_leaf, page.n_own_row
    roles = selection.role_code
    names = page.names(page.block_row)
    check_deadline()
    columns = zip(
        page.block_texts(),
        names,
        selection.block_keep.tolist(),
        selection.score.tolist(),
        selection.reason_code.tolist(),
        page.hidden.take(first).tolist(),
        page.paths(page.block_row),
        page.find_source_spans(first, page.block_last_leaf),
        repeat(NO_ROLE, first.size) if roles is None else roles.tolist(),
        first.tolist(),
        strict=True,
    )
    for index, (
        text, tag, kept, score, reason, hidden, path, source, role, leaf
    ) in watch(enumerate(columns)):  # fmt: skip
        yield Block(
            index=index,
            text=text,
            tag=tag,
            kept=kept,
            score=score,
            reason=selection.reasons[reason],
            role=None if role == NO_ROLE else ROLES[role],
            hidden=_HIDDEN[hidden],
            path=path,
            source=source,
            origin=Origin.MARKUP if leaf < n_own else page.origin(leaf),
        )


# -- documents ---------------------------------------------------------------------------------

_T = TypeVar("_T")

_DEFAULTS: Final = WriteOptions()
_LISTING_TYPES: Final = frozenset(("listing", "collection"))
"""Page types whose content is their items."""
_MIN_LISTING_PROBABILITY: Final = 0.5
"""Probability from which a page is more likely a listing than anything else."""

_WORDLESS: Final = flags_of("amp-audio amp-img amp-video audio img image math video")
"""Elements that count as content without words. A frame or a drawing may be anything."""


@dataclass(frozen=True, eq=False)
class Document:
    """The result of an extraction. Its properties are computed on first access and cached."""

    page: Page
    selection: Selection
    deadline_s: float | None = None
    """Seconds that computing each property may take."""
    limit: LimitError | None = None
    """The limit that the page exceeded, if only a part of it was read."""
    is_partial: bool = False
    """Whether an output beyond its limit ends early, and says so in its verdict, instead of a
    LimitError."""

    def write(self, format: FormatName = "markdown", options: WriteOptions | None = None) -> str:
        """Write the document; UsageError for a format that is not in `thresher.FORMATS`.

        LimitError for an output that is far longer than the page (docs/reliability.md).
        """
        # Writers read documents, so they can be imported only late.
        from thresher.writers import FORMATS

        if format not in FORMATS:
            raise UsageError(f"unknown format {quote(format)}; one of {', '.join(FORMATS)}")
        options = options or _DEFAULTS
        with deadline(self.deadline_s):
            writer = FORMATS[format]
            document = self._for_writing(writer, options)
            return document._write_within_limit(lambda it: check_output(writer.write(it, options)))

    def _write_within_limit(self, write: Callable[[Document], _T]) -> _T:
        """Write the document; beyond the limit for outputs, the part within it if so requested."""
        n_source = len(self.page.utf8) + len(self.page.url or "")
        try:
            with output_room(n_source):
                return write(self)
        except LimitError as error:
            if not self.is_partial or error.what != OUTPUT:
                raise
            met = self.limit or error
        with output_room(n_source, ends_early=True):
            return write(replace(self, limit=met))

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
        max_chars: int | None = None,
        format: ChunkedName = "markdown",
        options: WriteOptions | None = None,
        *,
        max_tokens: int | None = None,
    ) -> tuple[Chunk, ...]:
        """Split the output of `write` into chunks, with offsets into it.

        Each has at most ``max_chars`` characters and ``max_tokens`` tokens, as `estimate_tokens`
        counts them, and its headings. Without either limit it has at most 2000 characters. Limits
        in ``options`` are ignored. UsageError for a format that cannot be chunked.
        """
        # Most callers want the whole text.
        from thresher.chunking import CHUNK_CHARS, CHUNK_TOKENS, split
        from thresher.writers import CHUNKED_FORMATS, FORMATS

        if format not in CHUNKED_FORMATS:
            raise UsageError(f"no chunks of {quote(format)}; only of {', '.join(CHUNKED_FORMATS)}")
        max_tokens = CHUNK_TOKENS.check(max_tokens)
        if max_chars is not None or max_tokens is None:
            max_chars = CHUNK_CHARS.check(CHUNK_CHARS.default if max_chars is None else max_chars)
        unlimited = replace(options or _DEFAULTS, max_chars=None, max_tokens=None)
        with deadline(self.deadline_s):
            writer = FORMATS[format]
            document = self._for_writing(writer, unlimited)
            layout = document._write_within_limit(lambda it: writer.lay_out(it, unlimited))
            return split(layout, document.selection, max_chars, max_tokens)

    def without_byline(self) -> Document:
        """Return the document without the lines above its text that only name its authors.

        For outputs that show the authors above it.
        """
        from thresher.analysis.metadata.people import drop_byline  # seldom

        selection = drop_byline(self.selection, self.metadata_values.get("authors", ()))
        return self if selection is self.selection else replace(self, selection=selection)

    def _for_writing(self, format: Format, options: WriteOptions) -> Document:
        """Return the document with what is written beside the selection, or in place of it.

        These are the blocks of `WriteOptions.keep`, and, with pictures, what belongs to them
        (`thresher.analysis.companions`). Front matter has the authors.
        """
        document = self
        if options.metadata and format.has_front_matter and not options.keep:
            document = self.without_byline()
        selection = document.selection
        if options.keep:
            selection = selection.with_roles(read_roles(options.keep))
        if format.shows_pictures and options.images:
            companions = find_companions(selection)
            companions |= find_section_headings(selection, lambda: self.page_title)
            if companions.any():
                selection = selection.with_leaves(companions)
        unchanged = selection is document.selection
        return document if unchanged else replace(document, selection=selection)

    @cached_property
    def outline(self) -> tuple[Heading, ...]:
        """The kept headings as a tree."""
        from thresher.chunking import find_headings, outline_of

        with deadline(self.deadline_s):
            return outline_of(find_headings(self.selection))

    @cached_property
    def verdict(self) -> Verdict:
        """Outcome of the extraction.

        A limit counts first, then an obstacle, then whether words, a picture, a formula, sound or a
        video were kept, then whether that is a mere teaser, then, where the method judges pages,
        whether this one is a listing, unless it states that it is an article.
        """
        if self.limit:
            return Verdict.PARTIAL
        if self.obstacle:
            return Verdict(self.obstacle.kind.value)
        if not self._has_content:
            return Verdict.NO_MAIN_CONTENT
        if not self.page.attached:
            if is_teaser(self.page, self.selection.keep):
                return Verdict.TEASER
            if self._is_listing:
                return Verdict.LISTING
        return Verdict.CONTENT

    @property
    def _is_listing(self) -> bool:
        """True if the page is more likely a listing than anything else, and states no article."""
        kind = self.page_type
        if not kind or kind.name not in _LISTING_TYPES:
            return False
        from thresher.analysis.stated_parts import states_article  # seldom

        return kind.probability >= _MIN_LISTING_PROBABILITY and not states_article(self.page)

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
        from thresher.analysis.metadata import read_metadata

        with deadline(self.deadline_s):
            return read_metadata(self.page, is_listing=self._is_listing)

    @cached_property
    def metadata_values(self) -> dict[str, str | list[str]]:
        """The known values of `metadata` by field name, at less cost: no source, no confidence.

        Not to be changed.
        """
        if "metadata" in self.__dict__:
            return self.metadata.as_dict()
        from thresher.analysis.metadata import read_values

        with deadline(self.deadline_s):
            return read_values(self.page, is_listing=self._is_listing)

    @cached_property
    def page_title(self) -> PageTitle:
        """The title of `metadata`, and the heading of the page that shows it."""
        from thresher.analysis.metadata import read_title

        with deadline(self.deadline_s):
            return read_title(self.page)

    @cached_property
    def next_url(self) -> str | None:
        """URL of the next page of the article, thread or list, if any; requires the page's URL.

        Absolute, of the same site, and never that of the page itself.
        """
        from thresher.analysis.pagination import find_next_url

        with deadline(self.deadline_s):
            return find_next_url(self.page)

    @cached_property
    def removed_links(self) -> tuple[Link, ...]:
        """The text links of which nothing was kept, in document order."""
        from thresher.analysis.removed_links import removed_links

        with deadline(self.deadline_s):
            return removed_links(self.selection)

    @cached_property
    def threads(self) -> tuple[Thread, ...]:
        """Forum posts, comments, questions and answers, in document order, kept or not."""
        from thresher.analysis.threads import read_threads

        with deadline(self.deadline_s):
            return read_threads(self.page)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page in order, kept or not, with its evidence."""
        with deadline(self.deadline_s):
            return tuple(watch(read_blocks(self.selection)))

    def _repr_html_(self) -> str:
        """Return what Jupyter shows: the reader view, under a line with what is known of it."""
        facts = [self.verdict.value]
        if self.page_type:
            facts.append(self.page_type.name)
        if self.confidence is not None:
            facts.append(f"confidence {self.confidence:.2f}")
        facts.append(f"{self.selection.words:,} words")
        if self.page.url:
            facts.append(self.page.url)
        line = escape(" · ".join(facts))
        return f'<div style="max-width:42em"><p><small>{line}</small></p>{self.html}</div>'
