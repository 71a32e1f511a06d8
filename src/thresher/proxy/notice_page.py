"""A page in the place of one that is not shown: one sentence, and what to do next."""

from __future__ import annotations

from typing import Final

from thresher.proxy.csp import hash_source

__all__ = ["NOTICE_STYLE", "write_notice"]

NOTICE_STYLE: Final = (
    ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;"
    "margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.4rem}"
)
"""Rules of every notice; each adds those of its links."""


def write_notice(
    title: str, content: str, *, style: str, mark: str, policy: str = ""
) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a notice.

    ``title`` and ``content`` are markup. ``mark`` is the value of X-Thresher, and ``policy`` is
    added to the Content Security Policy.
    """
    body = (
        '<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n{content}"
    )
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": f"default-src 'none'; style-src {hash_source(style)};"
        f" base-uri 'none'; form-action 'none'{policy}",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-thresher": mark,
    }
    return body.encode("utf-8", "replace"), headers
