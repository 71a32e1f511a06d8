"""Small pages for tests of obstacles, read from pages.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

SENTENCE: Final = "The mill by the river grinds rye, oats and barley for nine villages around it. "
ARTICLE: Final = f"<article><h1>The mill</h1>{f'<p>{SENTENCE * 5}</p>' * 8}</article>"
"""600 words."""
NAV: Final = (
    "<nav>" + "".join(f"<a href=/{i}>Part {i} of the site</a> " for i in range(12)) + "</nav>"
)
NOINDEX: Final = "<meta name=robots content='noindex, nofollow'>"
ENABLE: Final = "<noscript>This page works with scripts only.</noscript>"


def page(body: str, title: str = "", head: str = "", attrs: str = "") -> str:
    """Write a page around a body."""
    return (
        f"<!doctype html><html {attrs}><head><title>{title}</title>{head}</head>"
        f"<body>{body}</body></html>"
    )


def _fill_in(html: str) -> str:
    """Put parts that many pages have in the place of their names: `{SENTENCE*3}`."""
    parts = {"SENTENCE": SENTENCE, "ARTICLE": ARTICLE, "NAV": NAV, "ENABLE": ENABLE}
    return re.sub(
        rf"\{{({'|'.join(parts)})(?:\*(\d+))?\}}",
        lambda name: parts[name[1]] * int(name[2] or 1),
        html,
    )


def _read_pages() -> dict[str, dict[str, str]]:
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        table: {name: _fill_in(html) for name, html in pages.items()}
        for table, pages in tables.items()
    }


_PAGES: Final = _read_pages()
CHALLENGES: Final = _PAGES["CHALLENGES"]
CAPTCHAS: Final = _PAGES["CAPTCHAS"]
ERRORS: Final = _PAGES["ERRORS"]
PARKED: Final = _PAGES["PARKED"]
WALLS: Final = _PAGES["WALLS"]
APPLICATIONS: Final = _PAGES["APPLICATIONS"]
LEADS_ELSEWHERE: Final = _PAGES["LEADS_ELSEWHERE"]
ORDINARY: Final = _PAGES["ORDINARY"]
