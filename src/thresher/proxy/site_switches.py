"""The part of the form for one site that switches its filters; without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from typing import Final

from thresher.filters.settings import Filters
from thresher.filters.switches import SWITCHES, is_on

__all__ = ["read_switches", "write_switches"]

_PREFIX: Final = "filter-"
_STATES: Final = {"on": True, "off": False}


def write_switches(filters: Filters, switches: Iterable[tuple[str, bool]]) -> str:
    """Write a list for each filter: as on other sites, on or off."""
    known = dict(switches)
    groups = "".join(
        f"<h2>{escape(group.capitalize())}</h2>"
        + "".join(
            _write_switch(each.name, each.help, is_on(filters, each.name), known.get(each.name))
            for each in members
        )
        for group, members in groupby(SWITCHES, key=lambda each: each.group)
    )
    opened = " open" if known else ""
    return f"<details{opened}><summary>Filters on this site</summary>{groups}</details>"


def read_switches(form: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    """Read the filters that the form switches; others are as on other sites."""
    asked = ((each.name, form.get(f"{_PREFIX}{each.name}", "")) for each in SWITCHES)
    return tuple(sorted((name, _STATES[value]) for name, value in asked if value in _STATES))


def _write_switch(name: str, help: str, is_default_on: bool, chosen: bool | None) -> str:
    default = f"Same as other sites ({'on' if is_default_on else 'off'})"
    options = "".join(
        f'<option value="{value}"{" selected" if chosen is state else ""}>{says}</option>'
        for value, state, says in (("", None, default), ("on", True, "On"), ("off", False, "Off"))
    )
    return f'<label><select name="{_PREFIX}{name}">{options}</select> {escape(help)}</label>'
