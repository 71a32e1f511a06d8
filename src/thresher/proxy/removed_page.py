"""The list of what was removed from a page, at the proxy's own address; it can be brought back.

Any page may link here, and its scripts can read the link of its own badge, but not the list: it is
of this origin, cannot be framed, and belongs to the user who opened the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from typing import Final

from thresher.errors import ThresherError
from thresher.filters.settings import SWITCHES
from thresher.proxy.own_pages import (
    PREFIX,
    Answer,
    Question,
    read_link,
    read_signed,
    saving,
    signed_fields,
    write_page,
    write_saved,
    write_sentence,
)
from thresher.proxy.rewrite import rewrite
from thresher.proxy.rewrite_model import RemovedElement
from thresher.proxy.state import ProxyState
from thresher.serving.pool import Pool
from thresher.sites.apply import check_rules
from thresher.sites.rule_forms import with_selector, without_selectors
from thresher.sites.rulebook import NO_RULES, HostRules, Rules

REMOVED: Final = f"{PREFIX}removed"
_HEADINGS: Final = {
    "rules": "By your rules",
    "selection": "Not part of the content",
    **{switch.name: switch.name.replace("_", " ").capitalize() for switch in SWITCHES},
}
_SWITCHES: Final = frozenset(switch.name for switch in SWITCHES)
_MAX_RESTORED: Final = 50
"""Elements of one page that can be restored at once."""


async def answer_removed(state: ProxyState, pool: Pool, question: Question) -> Answer:
    """Show the list, or do what one of its buttons asks."""
    if question.method == "POST":
        return _change(state, question)
    asked = read_link(question)
    url = asked["url"]
    recent = state.recent_pages.get(asked.get("page", ""), question.user)
    if recent is None or recent.page.url != url:
        return write_page(
            404,
            "<p>This list is no longer there.</p>"
            f'<p><a href="{escape(url)}">Load the page again</a>, and open its list anew.</p>',
        )
    options = replace(recent.options, lists_removed=True)
    try:
        done = await pool.run(
            rewrite, recent.page, recent.profile, recent.rules, state.list_file, options
        )
    except ThresherError as error:
        return write_sentence(500, f"The list cannot be made: {error}")
    book = state.book_of(question.user)
    host = book.host_for(url)
    rules = book.hosts.get(host, NO_RULES)
    fields = signed_fields(
        state,
        question.user,
        REMOVED,
        url=url,
        page=asked.get("page", ""),
        result=asked.get("result", ""),
    )
    restored = state.restored.get(question.user, url) or ()
    content = (
        f'<h1>Removed from this page</h1><p><a href="{escape(url)}">Back to the page</a></p>'
        f'<form method="post" action="{REMOVED}">{fields}'
        f"{_write_rules(restored, rules)}{''.join(_write_groups(done.elements, host))}</form>"
    )
    return write_page(200, content)


def _write_groups(elements: Sequence[RemovedElement], host: str) -> Iterator[str]:
    if not elements:
        yield "<p>Nothing was removed.</p>"
    order = list(_HEADINGS)
    ranked = sorted(
        elements, key=lambda element: order.index(element.by) if element.by in order else -1
    )
    for by, members in groupby(ranked, key=lambda element: element.by):
        several = list(members)
        yield f"<h2>{escape(_HEADINGS.get(by, by))} ({len(several)})</h2>"
        if by in _SWITCHES:
            yield _button("off", by, f"Switch this filter off on {host}")
        items = (
            f"<li>{escape(element.says)}<br><code>{escape(element.selector)}</code><br>"
            f"{'' if by == 'rules' else _write_choices(element)}"
            for element in several
        )
        yield f"<ul>{'</li>'.join(items)}</li></ul>"


def _write_choices(element: RemovedElement) -> str:
    return _button("once", element.place, "Show once", about=element.says) + _button(
        "always", element.selector, "Always show", about=element.says
    )


def _write_rules(restored: Sequence[str], own: HostRules) -> str:
    """Write what the user has already decided, with buttons that take it back."""
    listed = [("Shown for some minutes", "hide", selector) for selector in restored]
    listed += [("Always shown", "forget", selector) for selector in own.rules.keep]
    listed += [("Always hidden", "forget", selector) for selector in own.rules.drop]
    if not listed:
        return ""
    items = "".join(
        f"<li>{says}: <code>{escape(selector)}</code> "
        + _button(name, selector, "Take back", about=f"{says}: {selector}")
        + "</li>"
        for says, name, selector in listed
    )
    return f"<h2>Your rules</h2><ul>{items}</ul>"


def _button(name: str, value: str, says: str, *, about: str = "") -> str:
    label = f' aria-label="{escape(f"{says}: {about}")}"' if about else ""
    return f'<button name="{name}" value="{escape(value)}"{label}>{escape(says)}</button> '


def _change(state: ProxyState, question: Question) -> Answer:
    asked = read_signed(state, question, REMOVED)
    url = asked["url"]
    with saving():
        _apply(state, question.user, asked)
    state.post_results.choose(question.user, asked.get("result", ""), url)
    return write_saved(url)


def _apply(state: ProxyState, user: str | None, asked: dict[str, str]) -> None:
    url = asked["url"]
    restored = state.restored.get(user, url) or ()
    if once := asked.get("once"):
        check_rules(Rules(keep=(once,)))
        state.restored.put(user, url, (*restored, once)[-_MAX_RESTORED:])
        return
    if hide := asked.get("hide"):
        state.restored.put(user, url, tuple(shown for shown in restored if shown != hide))
        return

    def change(rules: HostRules) -> HostRules:
        if selector := asked.get("always"):
            check_rules(Rules(keep=(selector,)))
            return with_selector(rules, "keep", selector)
        if (name := asked.get("off")) in _SWITCHES:
            switches = {**dict(rules.filters), name: False}
            return replace(rules, filters=tuple(sorted(switches.items())))
        return without_selectors(rules, (asked.get("forget", ""),))

    state.change_choices(user, state.book_of(user).host_for(url), change)
