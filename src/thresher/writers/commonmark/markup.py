"""Markup of a fragment as Markdown."""

from __future__ import annotations

import numpy as np

from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page.characters import code_table
from thresher.page.references import unescape
from thresher.writers.stream.addresses import clean_image_url, clean_link_url

__all__ = ["render_markup"]

_MAX_EVENTS, _MAX_TOKENS = 3, 4
"""Events and tokens that the compiled step makes of a tag, at most."""
_MIN_ROOM = 64


def _render_by_step(
    steps: Steps, markup: bytes, base: str | None, *, tracking: bool, mark: str = ""
) -> str | None:
    if mark:
        return None
    n_tag = markup.count(b"<")
    places = steps.find_addresses(markup, n_tag)
    if places is None:
        return None
    urls: list[bytes] = []
    for start, stop, is_image in watch(places.T.tolist()):
        url = unescape(markup[start:stop].decode("utf-8", "surrogatepass"))
        if is_image:
            cleaned = clean_image_url(url, base)
        else:
            cleaned = clean_link_url(url, base, tracking=tracking) if url.strip() else None
        urls.append((cleaned or "").encode("utf-8", "surrogatepass"))
    written = steps.write_markdown(
        markup,
        b"".join(urls),
        np.array([0, *map(len, urls)], np.int64).cumsum()[1:],
        code_table(),
        _MAX_EVENTS * (n_tag + 1),
        _MAX_TOKENS * (n_tag + 1),
        2 * (len(markup) + sum(map(len, urls))) + _MIN_ROOM,
    )
    return None if written is None else str(written.data, "utf-8", "surrogatepass")


@kernel_with(_render_by_step)
def render_markup(markup: bytes, base: str | None, *, tracking: bool, mark: str = "") -> str:
    """Render the markup of a fragment, in UTF-8 and without marks, as Markdown.

    Links are resolved on ``base`` if that is known. With ``tracking`` they keep their tracking
    parameters. ``mark``, if any, is where runs of the outline start.
    """
    # Imported late: the compiled step needs none of it.
    from thresher.writers.commonmark.by_events import render_by_events  # noqa: PLC0415

    text = str(markup, "utf-8", "surrogatepass")
    return render_by_events(text, base, tracking=tracking, mark=mark)
