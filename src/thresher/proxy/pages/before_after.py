"""Preview of a page before and after rewriting, computed in a worker process."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from thresher.analysis.links import find_base
from thresher.extraction import read_page
from thresher.page.decode import decode
from thresher.proxy.navigation import charset_of
from thresher.proxy.rewrite import rewrite
from thresher.proxy.rewrite_model import ReceivedPage, RewriteOptions
from thresher.proxy.settings import Profile
from thresher.proxy.state import ListFile
from thresher.sites.rulebook import HostRules

FRAME_POLICY: Final = (
    "sandbox; default-src 'none'; style-src http: https: 'unsafe-inline'; img-src http: https: "
    "data:; font-src http: https: data:; media-src http: https: data:; base-uri http: https:; "
    "form-action 'none'; frame-ancestors 'self'"
)
"""Disables scripts and forms, in a frame or a window of its own: sandbox isolates the origin."""
_HEAD: Final = re.compile(r"<head\b[^<>]*>", re.IGNORECASE)
_DOCTYPE: Final = re.compile(r"\s*<!doctype[^>]*>", re.IGNORECASE)
_HEAD_CHARS: Final = 2**16
"""Characters within which the head tag is searched for."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Result of rewriting a page."""

    before: bytes
    """Original page in UTF-8, with a base element for its links."""
    after: bytes
    outcome: str
    reason: str
    removed: Mapping[str, int]
    removed_chars: int
    n_byte: int
    """Bytes of the original page."""
    n_byte_out: int
    took_s: float


def preview(
    page: ReceivedPage,
    profile: Profile,
    rules: HostRules,
    blocklist: ListFile,
    options: RewriteOptions,
) -> Preview:
    """Rewrite a page as the proxy would, and return both versions with statistics.

    Raises InputError for non-HTML input, LimitError beyond the deadline, UsageError for invalid
    rules or an invalid site file.
    """
    started_s = time.perf_counter()
    done = rewrite(page, profile, rules, blocklist, options)
    took_s = time.perf_counter() - started_s
    charset = charset_of(page.content_type)
    base = find_base(read_page(page.body, url=page.url, http_charset=charset))
    changed = page.body if done.body is None else done.body
    changed_charset = charset_of(done.content_type or page.content_type)
    return Preview(
        _with_base(decode(page.body, http_charset=charset).text, base),
        _with_base(decode(changed, http_charset=changed_charset).text, base),
        done.outcome,
        done.reason,
        dict(done.removed),
        done.removed_chars,
        len(page.body),
        len(changed),
        took_s,
    )


def _with_base(html: str, base: str | None) -> bytes:
    """Insert a base element at the start of the head, and encode the page in UTF-8."""
    if base:
        found = _HEAD.search(html, 0, _HEAD_CHARS) or _DOCTYPE.match(html)
        at = found.end() if found else 0
        html = f'{html[:at]}<base href="{escape(base)}">{html[at:]}'
    return html.encode("utf-8", "replace")
