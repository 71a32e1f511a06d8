"""Forms for rules, in app and proxy: the rules of one host as text, and what a form changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from thresher.errors import ThresherError, UsageError
from thresher.sites.rulebook import NO_RULES, HostRules, Rules, normalize_host
from thresher.support.quoting import quote

_MAX_SELECTOR_CHARS: Final = 2_000
_MAX_SELECTORS: Final = 500


@dataclass(frozen=True, slots=True)
class Draft:
    """Rules of a host as text in a form."""

    host: str = ""
    keep: str = ""
    drop: str = ""
    view: str = ""
    method: str = ""
    filters: str = ""
    """Filters that are switched for this host, such as ``ads=off consent=on``."""
    was: str = ""
    """Digest of the rules that the form was built from; empty for rules to be added."""
    problem: str | None = None
    stored: Draft | None = None
    """The rules in the file, if they are not those that the form was built from."""
    done: str | None = None
    """Sentence that says which rules have been saved."""


class StaleRulesError(UsageError):
    """The rules of a host are not the ones that a form was built from."""

    def __init__(self, stored: HostRules) -> None:
        super().__init__(
            "these rules were changed elsewhere in the meantime and have not been saved; saving"
            " again replaces the stored ones by yours"
        )
        self.stored = stored


def read_form(form: Mapping[str, object]) -> Draft:
    """Return what was typed; an invalid host stays as it is."""
    keep, drop, view, method, filters, was = (
        str(form.get(name, "")) for name in ("keep", "drop", "view", "method", "filters", "was")
    )
    host = str(form.get("host", ""))
    try:
        host = normalize_host(host)
    except UsageError:
        host = host.strip()
    return Draft(host, keep, drop, view, method, filters, was)


def draft_of(host: str, rules: HostRules, *, was: HostRules, done: str | None = None) -> Draft:
    """Return rules as a form that was built from the rules ``was``."""
    return Draft(
        host,
        "\n".join(rules.rules.keep),
        "\n".join(rules.rules.drop),
        rules.view or "",
        rules.method or "",
        " ".join(f"{name}={'on' if is_on else 'off'}" for name, is_on in rules.filters),
        _digest(was),
        done=done,
    )


def read_rules(draft: Draft, methods: Collection[str]) -> HostRules:
    """Parse a draft; UsageError for invalid values. View and selectors are not checked."""
    normalize_host(draft.host)
    keep, drop = (_read_selectors(text) for text in (draft.keep, draft.drop))
    if draft.method and draft.method not in methods:
        raise UsageError(f"unknown method {quote(draft.method)}; one of {', '.join(methods)}")
    switches = _read_switches(draft.filters)
    return HostRules(Rules(keep, drop), draft.view or None, draft.method or None, switches)


def change_rules(known: HostRules, draft: Draft, rules: HostRules) -> HostRules:
    """Return the rules of a host after a form was saved.

    Rules to be added join those that are there. A form that was built from rules replaces them;
    StaleRulesError if they are no longer those.
    """
    if draft.was:
        if draft.was != _digest(known):
            raise StaleRulesError(known)
        return rules
    if rules == NO_RULES:
        raise UsageError("enter a selector, or choose a view or a method")
    for kind in ("keep", "drop"):
        for selector in getattr(rules.rules, kind):
            known = with_selector(known, kind, selector)
    return replace(rules, rules=known.rules).over(known)


def with_problem(draft: Draft, error: ThresherError) -> Draft:
    """Return a draft that was refused, with the reason.

    If its rules were changed elsewhere, it has those too, and replaces them when saved again.
    """
    draft = replace(draft, problem=str(error))
    if isinstance(error, StaleRulesError):
        stored = draft_of(draft.host, error.stored, was=error.stored)
        draft = replace(draft, was=stored.was, stored=stored)
    return draft


def read_addition(form: Mapping[str, object]) -> tuple[str, str, str]:
    """Return host, list and selector of one rule to be added, from Inspect."""
    host, kind = str(form.get("host", "")), str(form.get("kind", ""))
    selector = str(form.get("pick", "")) or str(form.get("selector", ""))
    if kind not in ("keep", "drop"):
        raise UsageError("a rule must be keep or drop")
    selectors = _read_selectors(selector)
    if len(selectors) != 1:
        raise UsageError("choose or enter a selector")
    return normalize_host(host), kind, selectors[0]


def with_selector(known: HostRules, kind: str, selector: str) -> HostRules:
    """Return rules with one more selector, replacing a previous rule for it."""
    lists = {"keep": list(known.rules.keep), "drop": list(known.rules.drop)}
    other = lists["drop" if kind == "keep" else "keep"]
    if selector in other:
        other.remove(selector)
    if selector not in lists[kind]:
        lists[kind].append(selector)
    return replace(known, rules=Rules(tuple(lists["keep"]), tuple(lists["drop"])))


def without_selectors(known: HostRules, selectors: Collection[str]) -> HostRules:
    """Return rules without some selectors, of what is kept and of what is dropped."""
    keep, drop = (
        tuple(selector for selector in some if selector not in selectors)
        for some in (known.rules.keep, known.rules.drop)
    )
    return replace(known, rules=Rules(keep, drop))


def _read_selectors(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text.splitlines()]
    selectors = tuple(dict.fromkeys(line for line in lines if line))
    if len(selectors) > _MAX_SELECTORS:
        raise UsageError(f"a host can have at most {_MAX_SELECTORS} selectors")
    if any(len(selector) > _MAX_SELECTOR_CHARS for selector in selectors):
        raise UsageError(f"a selector can have at most {_MAX_SELECTOR_CHARS} characters")
    return selectors


def _read_switches(text: str) -> tuple[tuple[str, bool], ...]:
    switches: dict[str, bool] = {}
    for item in text.replace(",", " ").split():
        name, _, value = item.partition("=")
        if value not in ("on", "off"):
            raise UsageError(f"a filter is switched by NAME=on or NAME=off, not {quote(item)}")
        switches[name] = value == "on"
    return tuple(sorted(switches.items()))


def _digest(rules: HostRules) -> str:
    return sha256(repr(rules).encode("utf-8", "replace")).hexdigest()[:16]
