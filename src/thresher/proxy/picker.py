"""The picker of elements, and the form at which it ends.

The picker is a script that is added to a page when its reader asks for it. Only the form, a page of
the proxy's own, can save what was picked: what the page's own scripts could do with the picker, any
page may do.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from thresher.proxy.own_pages import (
    ORIGINS,
    PREFIX,
    Answer,
    Question,
    read_link,
    read_signed,
    saving,
    signed_fields,
    write_form,
    write_page,
)
from thresher.proxy.page_parts import hash_source
from thresher.proxy.state import ProxyState
from thresher.sites.apply import check_rules
from thresher.sites.rule_forms import with_selector, without_selectors
from thresher.sites.rulebook import HostRules, Rules
from thresher.support.hosts import host_of

HIDE: Final = f"{PREFIX}hide"
_MAX_CHARS: Final = 20_000
"""Characters of all selectors of a form."""


def answer_hide(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks."""
    if question.method == "POST":
        return _hide(state, question)
    asked = read_link(question)
    url, drop = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    host = state.book_of(question.user).host_for(url)
    field = (
        '<label for="drop">Elements that are hidden on all pages of this site from now on, a CSS'
        " selector a line</label>"
        f'<textarea id="drop" name="drop" rows="5" required>{escape(drop)}</textarea>'
    )
    form = write_form(state, question.user, HIDE, url, content=field, button="Hide")
    return write_page(200, f"<h1>Hide elements on {escape(host)}</h1>{form}")


def _hide(state: ProxyState, question: Question) -> Answer:
    asked = read_signed(state, question, HIDE)
    url, text = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    selectors = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    host = state.book_of(question.user).host_for(url)
    undoes = "undo" in asked

    def change(rules: HostRules) -> HostRules:
        if undoes:
            return without_selectors(rules, selectors)
        for selector in selectors:
            rules = with_selector(rules, "drop", selector)
        return rules

    with saving():
        check_rules(Rules(drop=selectors))
        state.change_choices(question.user, host, change)
    said = "shown again" if undoes else "hidden from now on"
    listed = "".join(f"<li><code>{escape(selector)}</code></li>" for selector in selectors)
    undo = (
        ""
        if undoes
        else f'<form method="post" action="{HIDE}">'
        f"{signed_fields(state, question.user, HIDE, url=url, drop=text)}"
        '<button name="undo" value="1">Undo</button></form>'
    )
    return write_page(
        200,
        f"<h1>{escape(host)}</h1><p>Saved. These elements are {said}:</p><ul>{listed}</ul>{undo}"
        f'<p><a href="{escape(url)}">Back to the page</a></p>',
    )


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
