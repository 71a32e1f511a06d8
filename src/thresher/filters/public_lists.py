"""The usual public block lists, by address; none of them ships with Thresher."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

RECOMMENDED: Final = "recommended"
"""Word that stands for the lists of the table among the addresses of a setting."""


class PublicList(NamedTuple):
    """A list, and the terms on which its authors offer it."""

    name: str
    against: str
    """What its rules are against."""
    url: str
    licence: str
    licence_url: str


_EASYLIST_LICENCE: Final = (
    "GPL 3 or later, or CC BY-SA 3.0 or later",
    "https://easylist.to/pages/licence.html",
)
PUBLIC_LISTS: Final = (
    PublicList(
        "EasyList",
        "advertisements",
        "https://easylist.to/easylist/easylist.txt",
        *_EASYLIST_LICENCE,
    ),
    PublicList(
        "EasyPrivacy",
        "trackers",
        "https://easylist.to/easylist/easyprivacy.txt",
        *_EASYLIST_LICENCE,
    ),
    PublicList(
        "EasyList Cookie List",
        "requests for consent to cookies",
        "https://secure.fanboy.co.nz/fanboy-cookiemonster.txt",
        "CC BY 3.0",
        "https://creativecommons.org/licenses/by/3.0/",
    ),
)


def list_addresses(given: Iterable[str]) -> tuple[str, ...]:
    """Return addresses with ``recommended`` replaced by those of the table, each once."""
    public = tuple(each.url for each in PUBLIC_LISTS)
    parts = (public if each == RECOMMENDED else (each,) for each in given)
    return tuple(dict.fromkeys(url for part in parts for url in part))
