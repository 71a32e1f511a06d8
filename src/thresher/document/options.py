"""Options of writing a document, the verdict of an extraction, and the type of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from thresher.roles import ROLES, read_roles
from thresher.support.settings import setting, validate

_MIN_CHARS: Final = 100
_MIN_TOKENS: Final = 100
"""Characters and tokens that suffice, in every format, for the note on what was left out."""


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
    title: bool | None = setting(
        None, "put the page's title first as a heading, unless its own heading is kept"
    )
    """None: in Markdown and HTML, if anything is kept, but not in text."""
    tracking: bool = setting(
        False, "keep tracking parameters, such as utm_source, in the addresses of links"
    )
    alerts: bool = setting(
        True, "write notes, tips and warnings in boxes as GitHub's alerts, > [!NOTE], in Markdown"
    )
    max_chars: int | None = setting(
        None,
        "cut the output at the end of a block to at most this many characters, and state how much"
        " was left out",
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


class Verdict(Enum):
    """Outcome of an extraction."""

    CONTENT = "content"
    LISTING = "listing only"
    """There is no single main text: the kept items link to pages of their own."""
    TEASER = "teaser only"
    """The page states that its text is not free, and has no more than its beginning."""
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
