"""Markdown: the main content as CommonMark with GFM tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_base
from thresher.chunking import OutputLayout
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.native import Steps, kernel_with
from thresher.output_room import count_bytes, same_room, take_room
from thresher.page.characters import code_table
from thresher.page.text import unescape
from thresher.writers.fragment.fragment import lay_out_marked, write_whole_fragment
from thresher.writers.shared.added import write_front_matter
from thresher.writers.stream.markup import clean_link_url, clean_url, drop_marks


def write(document: Document, options: WriteOptions) -> str:
    """Write Markdown; with ``options.metadata`` after YAML front matter."""
    if options.is_limited:
        # Most callers want all of it.
        from thresher.writers.shared.limit import MARKDOWN, write_limited

        return write_limited(partial(lay_out, document, options), options, MARKDOWN)
    # Only the markup of the fragment is kept while it is rendered: outline and content are large.
    markup = write_whole_fragment(document, options, for_markdown=True).markup
    return _render(document, options, markup)


def lay_out(
    document: Document, options: WriteOptions, n_metadata: int | None = None
) -> OutputLayout:
    """Write Markdown of any length, with the positions at which it can be cut.

    Metadata have about ``n_metadata`` characters, or are complete.
    """
    render = partial(_render, document, options, n_metadata=n_metadata)
    return lay_out_marked(document, options, render, for_markdown=True)


def _render(
    document: Document,
    options: WriteOptions,
    markup: bytes,
    mark: str = "",
    *,
    n_metadata: int | None = None,
) -> str:
    """Render markup as Markdown; ``mark``, if any, is where runs of the outline start."""
    base = find_base(document.page)
    content = render_markup(drop_marks(markup), base, tracking=options.tracking, mark=mark)
    take_room(count_bytes(content))
    front = write_front_matter(document, n_metadata) if options.metadata else ""
    return front + content


# -- the markup of a fragment ------------------------------------------------------------------

_MAX_EVENTS, _MAX_TOKENS = 3, 4
"""Events and tokens that the compiled step makes of a tag, at most."""
_MIN_ROOM = 64
_LINK, _IMAGE, _PLAIN_ADDRESS, _FIRST_PART = range(4)
"""Kinds of places that the survey finds; parts with rare elements are the last
(native/markdown/markdown.h)."""
_NO_PARTS: Final = np.zeros((3, 0), np.int64)


def _render_by_step(
    steps: Steps, markup: bytes, base: str | None, *, tracking: bool, mark: str = ""
) -> str | None:
    if mark:
        return None
    n_tag = markup.count(b"<")
    places = steps.survey_markup(markup, n_tag)
    if places is None:
        return None
    urls: list[bytes] = []
    parts: list[tuple[int, int, int]] = []
    for start, stop, kind in watch(zip(*places.tolist(), strict=True)):
        if kind == _PLAIN_ADDRESS:
            urls.append(markup[start:stop])
        elif kind >= _FIRST_PART:
            parts.append((start, stop, kind))
        else:
            urls.append(
                _clean_address(markup[start:stop], base, is_link=kind == _LINK, tracking=tracking)
            )
    given, texts = _NO_PARTS, list[bytes]()
    if parts:
        # Most pages have none.
        from thresher.writers.commonmark.rare_parts import render_parts

        with same_room():
            rendered = render_parts(markup, parts, base, tracking=tracking)
        if rendered is None:
            return None
        given, texts = rendered
    joined, text = b"".join(urls), b"".join(texts)
    check_deadline()
    written = steps.write_markdown(
        markup,
        joined,
        _find_stops(urls),
        given,
        text,
        _find_stops(texts),
        code_table(),
        _MAX_EVENTS * (n_tag + 1),
        _MAX_TOKENS * (n_tag + 1),
        2 * (len(markup) + len(joined) + len(text)) + _MIN_ROOM,
    )
    if written is None:
        return None
    check_deadline()
    # The text can take four bytes a character: first the room, twice the markup, is released.
    utf8 = written.tobytes()
    del written
    return utf8.decode("utf-8", "surrogatepass")


def _clean_address(address: bytes, base: str | None, *, is_link: bool, tracking: bool) -> bytes:
    """Return an address of the markup made absolute and safe, empty for an unsafe one."""
    url = unescape(address.decode("utf-8", "surrogatepass"))
    if not is_link:
        cleaned = clean_url(url, base)
    else:
        cleaned = clean_link_url(url, base, tracking=tracking) if url.strip() else None
    return (cleaned or "").encode("utf-8", "surrogatepass")


def _find_stops(texts: Sequence[bytes]) -> npt.NDArray[np.int64]:
    """Return where each text ends among all of them, joined."""
    return np.array([*accumulate(map(len, texts))], np.int64)


@kernel_with(_render_by_step)
def render_markup(markup: bytes, base: str | None, *, tracking: bool, mark: str = "") -> str:
    """Render the markup of a fragment, in UTF-8 and without marks, as Markdown.

    Links are resolved on ``base`` if that is known. With ``tracking`` they keep their tracking
    parameters. ``mark``, if any, is where runs of the outline start.
    """
    # Imported late: the compiled step needs none of it.
    from thresher.writers.commonmark.renderer import render_by_events

    text = str(markup, "utf-8", "surrogatepass")
    with same_room():
        return render_by_events(text, base, tracking=tracking, mark=mark)
