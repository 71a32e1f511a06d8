"""The form of the proxy's own address that hides elements of a site, where the picker ends.

Any page may link here with selectors, so nothing changes before the form is sent; and what was
saved can be taken back at once.
"""

from __future__ import annotations

from html import escape
from typing import Final

from thresher.proxy.own_pages import PREFIX, Answer, Question, names_site, read_form, write_page
from thresher.proxy.signed_form import refuse_form, refuse_saving
from thresher.proxy.state import ProxyState
from thresher.sites.apply import check_rules
from thresher.sites.rule_forms import with_selector, without_selectors
from thresher.sites.rulebook import HostRules, Rules

__all__ = ["HIDE", "answer_hide"]

HIDE: Final = f"{PREFIX}hide"
_MAX_CHARS: Final = 20_000
"""Characters of all selectors of a form."""


def answer_hide(state: ProxyState, question: Question) -> Answer:
    """Show the form, or do what it asks."""
    if question.method == "POST":
        return _save(state, question)
    asked = read_form(question.query)
    url, drop = asked.get("url", ""), asked.get("drop", "")[:_MAX_CHARS]
    if not names_site(url):
        return write_page(400, "This link does not name a site.")
    host = state.book_of(question.user).host_for(url)
    form = (
        f"<h1>Hide elements on {escape(host)}</h1>"
        f'<form method="post" action="{HIDE}"><label for="drop">Elements that are hidden on all'
        " pages of this site from now on, a CSS selector a line</label>"
        f'<textarea id="drop" name="drop" rows="5" required>{escape(drop)}</textarea>'
        f"{_write_common(state, question, url)}"
        f'<button>Hide</button> <a href="{escape(url)}">Back</a></form>'
    )
    return write_page(200, form, is_markup=True)


def _write_common(state: ProxyState, question: Question, url: str) -> str:
    return (
        f'<input type="hidden" name="url" value="{escape(url)}">'
        f'<input type="hidden" name="token" value="{state.token(question.user, HIDE)}">'
    )


def _save(state: ProxyState, question: Question) -> Answer:
    asked = read_form(question.body.decode("utf-8", "replace"))
    if refusal := refuse_form(state, question, asked, HIDE):
        return refusal
    url, text = asked["url"], asked.get("drop", "")[:_MAX_CHARS]
    selectors = tuple(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))
    host = state.book_of(question.user).host_for(url)
    undoes = "undo" in asked

    def change(known: HostRules) -> HostRules:
        if undoes:
            return without_selectors(known, selectors)
        for selector in selectors:
            known = with_selector(known, "drop", selector)
        return known

    def save() -> None:
        check_rules(Rules(drop=selectors))
        state.change_choices(question.user, host, change)

    if refusal := refuse_saving(save):
        return refusal
    said = "shown again" if undoes else "hidden from now on"
    listed = "".join(f"<li><code>{escape(each)}</code></li>" for each in selectors)
    undo = (
        ""
        if undoes
        else f'<form method="post" action="{HIDE}">{_write_common(state, question, url)}'
        f'<input type="hidden" name="drop" value="{escape(text)}">'
        '<button name="undo" value="1">Undo</button></form>'
    )
    return write_page(
        200,
        f"<h1>{escape(host)}</h1><p>Saved. These elements are {said}:</p><ul>{listed}</ul>{undo}"
        f'<p><a href="{escape(url)}">Back to the page</a></p>',
        is_markup=True,
    )
