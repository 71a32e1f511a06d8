"""Limits on the size of a page and of its output, and the time spent on it.

The cost of a page, in time and memory, grows with its size, so a limit of bytes and one of nodes
bound both; a deadline bounds the time on a slow machine too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from thresher.errors import LimitError
from thresher.support.settings import setting, validate

MAX_BYTES: Final = 16 * 2**20
"""Bytes of a page, decompressed. Three times the largest (5.3 MB) of 3,826 real pages; 1 in 1,000
was above 3.3 MB. A step that cannot look at the clock takes up to half a second for as many."""
MAX_NODES: Final = 1_000_000
"""Elements and texts of a page. Thirty times the most (32,000) of the same pages."""
MAX_ATTRIBUTES: Final = 2**16
"""Attributes of one tag. The most of 8,821 real pages is 175."""
_MAX_GROWTH: Final = 8
"""Bytes of canonical HTML per byte of the source. Escapes and implied tags produce at most 6 (`"`
in an attribute), in 6,119 real pages at most 1.2; only reconstructed formatting produces more."""
_MAX_LARGE_GROWTH: Final = 1.5
"""The same for the largest pages: of a page of `MAX_BYTES` canonical HTML may have 24 MiB, which
take a step of the work that cannot look at the clock up to half a second."""
_MIN_CANONICAL: Final = 2**16
"""Bytes of canonical HTML that are always allowed."""
_MAX_OUTPUT_GROWTH: Final = 20
"""Bytes of an output per byte of the source and of its URL. In 4,061 real pages JSON, a record
for each block, has at most 11.6 beyond the first `_MIN_OUTPUT`, the other formats 1.6."""
_MIN_OUTPUT: Final = 2**16
"""Bytes of an output that are always allowed."""
OnLimit: TypeAlias = Literal["raise", "partial"]
ON_LIMIT: Final[tuple[OnLimit, ...]] = get_args(OnLimit)
"""Behaviour beyond a limit: a LimitError, or a Document of the part within it."""

_BYTES: Final = "bytes of the page"
_NODES: Final = "nodes of the page"
ATTRIBUTES: Final = "attributes of one tag"
_CANONICAL: Final = "bytes of canonical HTML"
OUTPUT: Final = "bytes of output"
"""What the LimitError of an output that is too long is about."""
_MAX_BYTES_OF_CHARACTER: Final = 4
_SHARE_OF_FIT: Final = 0.9
"""Safety factor for cutting by nodes, which are not spread evenly over a page."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one extraction; UsageError for an invalid one."""

    max_bytes: int = setting(MAX_BYTES, "maximum size of a page, decompressed", unit="bytes", low=1)
    max_nodes: int = setting(
        MAX_NODES, "maximum number of elements and texts of a page", unit="nodes", low=1
    )
    deadline_s: float | None = setting(
        None,
        "maximum time for extracting a page once it is read, and again for writing it",
        unit="seconds",
        above=0,
    )
    on_limit: str = setting(
        ON_LIMIT[0],
        "what happens to a page beyond a limit; raise: it fails; partial: the part within the"
        " limit is extracted",
        choices=ON_LIMIT,
    )

    def __post_init__(self) -> None:
        validate(self)

    @property
    def partial(self) -> bool:
        """True if a page beyond a limit gives a Document of the part within it."""
        return self.on_limit == "partial"


def check_bytes(html: str | bytes, max_bytes: int) -> None:
    """Raise LimitError if HTML has more bytes; a str counts as UTF-8."""
    if len(html) * _MAX_BYTES_OF_CHARACTER <= max_bytes:
        return
    n_byte = len(html) if isinstance(html, bytes) else len(html.encode("utf-8", "surrogatepass"))
    if n_byte > max_bytes:
        raise LimitError(_BYTES, limit=max_bytes, value=n_byte)


def check_nodes(n_node: int | None, max_nodes: int) -> None:
    """Raise LimitError if there are more nodes; None stands for too many to count."""
    if n_node is None:
        raise LimitError(_NODES, limit=max_nodes)
    if n_node > max_nodes:
        raise LimitError(_NODES, limit=max_nodes, value=n_node)


def limit_canonical(n_source: int) -> int:
    """Return the limit for canonical HTML, in bytes, of a page with so many bytes of source."""
    n_large = int(_MAX_LARGE_GROWTH * max(n_source, MAX_BYTES))
    return _MIN_CANONICAL + min(_MAX_GROWTH * n_source, n_large)


def limit_output(n_source: int) -> int:
    """Return the limit for one output, in bytes, of a page with so many bytes of source."""
    return _MIN_OUTPUT + _MAX_OUTPUT_GROWTH * n_source


def check_canonical(n_byte: int, n_source: int) -> None:
    """Raise LimitError if there are more bytes of canonical HTML than `limit_canonical`."""
    if n_byte > limit_canonical(n_source):
        raise LimitError(_CANONICAL, limit=limit_canonical(n_source))


def cut_to_fit(html: str | bytes, error: LimitError) -> str | bytes:
    """Return a prefix of HTML that probably fits within the limit it exceeded.

    If it does not fit, call again with the new error; empty if no prefix helps, as when the time is
    up.
    """
    if error.what == _BYTES and isinstance(html, bytes):
        return html[: int(error.limit)]
    if error.what == _BYTES and isinstance(html, str):
        encoded = html.encode("utf-8", "surrogatepass")[: int(error.limit)]
        return encoded.decode("utf-8", "ignore")
    if error.what == _NODES and error.value:
        return html[: int(len(html) * _SHARE_OF_FIT * error.limit / error.value)]
    if error.what in (_NODES, _CANONICAL, ATTRIBUTES):
        return html[: len(html) // 2]
    return html[:0]
