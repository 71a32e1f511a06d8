"""Loaders that ask peers for Markdown: a file for `leaderboard.worker`, in the peer's environment.

Modules are imported by name, since only the peer's environment has them.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from typing import Final

Find = Callable[[str, "str | None", "str | None"], "str | None"]


def _trafilatura() -> Find:
    extract = import_module("trafilatura").extract
    return lambda html, url, lang: extract(
        html,
        url=url,
        output_format="markdown",
        include_formatting=True,
        include_links=True,
        include_images=True,
        include_tables=True,
        include_comments=False,
    )


def _markitdown() -> Find:
    module = import_module("markitdown")
    converter = module.MarkItDown(enable_plugins=False)
    about = {"extension": ".html", "mimetype": "text/html", "charset": "utf-8"}

    def find(html: str, url: str | None, lang: str | None) -> str:
        stream = io.BytesIO(html.encode("utf-8", "replace"))
        info = module.StreamInfo(**about, url=url)
        markdown: str = converter.convert_stream(stream, stream_info=info).markdown
        return markdown

    return find


def _html_to_markdown() -> Find:
    convert = import_module("html_to_markdown").convert
    return lambda html, url, lang: convert(html).content


LOADERS: Final[dict[str, Callable[[], Find]]] = {
    "trafilatura": _trafilatura,
    "markitdown": _markitdown,
    "html-to-markdown": _html_to_markdown,
}
"""By the name of `measure.MARKDOWN_PEERS`; those that run on Node.js are in `worker.mjs`."""
