"""Pages of our own: each an article with one feature, with Markdown as a careful human writes it.

``NAME/page.html`` is the page, ``NAME/expected.md`` the Markdown (CommonMark and GFM; formulas
between dollar signs, footnotes ``[^1]``, description lists with ``: ``), ``NAME/about.toml`` has
the URL, the title, and a CSS selector for the content; the scope, if it is not an article; and what
Markdown does not mark: captions, signatures, and the addresses of embedded posts and players.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thresher.errors import InputError
from thresher.evaluation.fidelity.cases import Case, as_page
from thresher.evaluation.fidelity.render import render_markdown
from thresher.page.canonical import source_tree

__all__ = ["PAGES", "read_cases"]

PAGES: Final = Path(__file__).with_name("pages")
"""The folder of our own pages."""


def read_cases(folder: Path = PAGES) -> Iterator[Case]:
    """Read a folder of pages; InputError if one is broken, MissingExtraError as `render`."""
    try:
        for place in sorted(folder.iterdir()):
            about = tomllib.loads((place / "about.toml").read_text(encoding="utf-8"))
            html = (place / "page.html").read_text(encoding="utf-8")
            yield Case(
                id=place.name,
                url=about["url"],
                html=html,
                gold=render_markdown((place / "expected.md").read_text(encoding="utf-8")),
                title=about["title"],
                content=_cut(html, about["keep"]),
                captions=tuple(about.get("captions", ())),
                signatures=tuple(about.get("signatures", ())),
                scope=about.get("scope", "article"),
                embeds=tuple(about.get("embeds", ())),
            )
    except (OSError, LookupError, ValueError) as error:
        raise InputError(f"{folder}: {error}") from error


def _cut(html: str, selector: str) -> str:
    """Return the elements that a selector matches, as a page."""
    parts = [element.serialize() for element in source_tree(html).select(selector)]
    if not parts:
        raise InputError(f"nothing is found by {selector!r}")
    return as_page("".join(parts))
