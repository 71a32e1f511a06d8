"""What the links of a page are relative to, and where they lead."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

import numpy as np

from thresher.page import Page
from thresher.tags import CODE_OF

__all__ = ["find_base", "resolve_link"]

_BASE: Final = CODE_OF["base"]
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


def find_base(page: Page) -> str | None:
    """Return the address that relative links start from, None where none is known.

    That is the first `<base href>`, itself relative to the page's address (HTML Living Standard,
    2.4.3), else the page's address.
    """
    base = page.url or ""
    hrefs = (page.attr(row, "href") for row in np.flatnonzero(page.tag == _BASE).tolist())
    for href in hrefs:
        if href is not None:
            base = resolve_link(href, base)
            break
    return base if _WEB.match(base) else None


def resolve_link(target: str, base: str | None) -> str:
    """Return the address a link leads to; as it stands where it makes none with the base."""
    target = target.strip()
    try:
        return urljoin(base, target) if base else target
    except ValueError:  # such as an unclosed bracket where a host should be
        return target
