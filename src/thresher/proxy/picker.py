"""Picker of elements to hide, a script that is added to a page when its reader asks for it.

The picker chooses selectors, and ends at a form of the proxy's own address (`hide_form`), which
alone can save them: what the page's own scripts could do with the picker, any page may do.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from thresher.proxy.csp import hash_source
from thresher.proxy.hide_form import HIDE
from thresher.proxy.own_pages import ORIGINS
from thresher.support.hosts import host_of

__all__ = ["picker_source", "write_picker"]

_BLOCKED: Final = (
    "The picker of elements did not start: scripts are off in this browser, or a policy within this"
    " page forbids them."
)


def write_picker(url: str) -> str:
    """Return the picker for a page as markup, in ASCII."""
    form = f"{ORIGINS[0]}{HIDE}?{urlencode({'url': url})}&drop="
    markup = (
        f'<thresher-picker data-form="{escape(form)}" data-site="{escape(host_of(url))}">'
        f"{_BLOCKED}</thresher-picker><script>{_read_script()}</script>"
    )
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")


def picker_source() -> str:
    """Return the source expression of the script for a policy."""
    return hash_source(_read_script())


@cache
def _read_script() -> str:
    script = Path(__file__).with_name("picker.js").read_text(encoding="utf-8")
    # In ASCII, since it is added to pages in any encoding.
    return script.replace("…", "\\u2026")
