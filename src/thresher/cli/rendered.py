"""`thresher extract --render`: render the pages whose content only a browser can show."""

from __future__ import annotations

from collections.abc import Callable

from thresher.cli.inputs import Loaded, Reading
from thresher.document import Document, Verdict

__all__ = ["extract_rendered"]


def extract_rendered(
    loaded: Loaded, reading: Reading, extract_page: Callable[[Loaded], Document]
) -> Document:
    """Extract a fetched page; if its verdict is that it needs a browser, render it and do it again.

    Raises as ``extract_page`` and `thresher.rendering.render` do.
    """
    document = extract_page(loaded)
    if document.verdict is not Verdict.NEEDS_BROWSER or loaded.url is None:
        return document
    # Few pages need it, and the HTTP library with it.
    from thresher.rendering import render

    page = render(
        loaded.url,
        timeout_s=reading.timeout_s,
        max_bytes=reading.limits.max_bytes,
        user_agent=reading.user_agent,
        # A public page must not lead to a private address.
        allow_private=reading.allow_private and not loaded.is_public,
    )
    return extract_page(Loaded(page.body, page.url, page.http_charset, page.is_public))
