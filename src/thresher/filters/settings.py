"""What each filter can be told: the one table that file, options, form and object come from."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from thresher.algorithms.crunch.params import Params
from thresher.errors import UsageError
from thresher.support.setting_options import add_options, from_args
from thresher.support.setting_tables import from_table, write_table
from thresher.support.settings import Setting, change, check, describe, from_form, setting

__all__ = [
    "GROUPS",
    "NO_FILTERS",
    "SETTINGS",
    "TABLE",
    "Filters",
    "add_filter_options",
    "change_filters",
    "filters_from_args",
    "filters_from_form",
    "filters_from_mapping",
    "filters_from_table",
    "parse_filters",
    "write_filters",
]

TABLE: Final = "filters"
"""Name of the table in a TOML file."""

_TAGS, _ATTRIBUTES = "ignored tags", "ignored attributes"
_ADS, _LISTS, _TABLES = "advertisements", "link lists", "empty tables"
_LINKS, _OVERLAYS, _TRACKING = "removed links", "overlays", "tracking"
_CRUNCH: Final = Params()
"""Where the paper or the authors' program has a value, the method crunch has it already."""
_MAX_REMOVED_LINKS: Final = 500
"""More than the menus of any page we know; beyond it a list is no help."""


@dataclass(frozen=True, slots=True)
class Filters:
    """All filters with their settings; UsageError, naming the setting, for a value that is none.

    The groups are those of the paper (Gupta et al. 2003, section 3), and two of today's. By default
    its second set is on, which finds chaff, and its first is off, which ignores whole tags.
    """

    # The paper's first set: ignore tags.
    images: bool = setting(False, "remove pictures that are in no link", group=_TAGS)
    image_links: bool = setting(False, "remove links with a picture, with their text", group=_TAGS)
    text_links: bool = setting(
        False, "remove links without a picture, with their text", group=_TAGS
    )
    alternative_texts: bool = setting(
        False, "show the alternative text in place of a picture that these remove", group=_TAGS
    )
    scripts: bool = setting(
        False, "remove scripts, event attributes and links to scripts; noscript shows", group=_TAGS
    )
    styles: bool = setting(False, "remove style sheets that are in the page", group=_TAGS)
    external_styles: bool = setting(False, "remove links to style sheets", group=_TAGS)
    forms: bool = setting(False, "remove forms with all they hold", group=_TAGS)
    inputs: bool = setting(
        False, "remove input fields, text areas and lists to choose from", group=_TAGS
    )
    buttons: bool = setting(False, "remove buttons", group=_TAGS)
    objects: bool = setting(False, "remove embedded objects: object, embed, applet", group=_TAGS)
    media: bool = setting(False, "remove sound and video", group=_TAGS)
    iframes: bool = setting(False, "remove frames within the page (iframe)", group=_TAGS)
    refreshes: bool = setting(
        False, "remove what reloads or leaves the page by itself", group=_TAGS
    )

    # The same for attributes.
    fixed_widths: bool = setting(
        False, "remove fixed widths of tables, cells and columns", group=_ATTRIBUTES
    )
    style_attributes: bool = setting(False, "remove style attributes", group=_ATTRIBUTES)
    backgrounds: bool = setting(False, "remove background pictures and colours", group=_ATTRIBUTES)

    # The paper's second set.
    ads: bool = setting(
        True, "remove what loads from, or leads to, an advertiser's host, and its box", group=_ADS
    )
    ad_slots: bool = setting(True, "remove the boxes that scripts of advertisers fill", group=_ADS)
    ad_rules: tuple[str, ...] = setting(
        (), "rules of one's own: host or ||host^ to remove, @@||host^ to leave", group=_ADS
    )
    link_lists: str = setting(
        "auto",
        "remove cells and lists of links; auto: but where a method chooses the content",
        group=_LISTS,
        choices=("off", "auto", "always"),
    )
    max_link_ratio: float = setting(
        _CRUNCH.max_link_ratio,
        "links a word outside links above which a cell is a link list",
        group=_LISTS,
        unit="links a word",
        low=0,
        high=1000,
    )
    letters_per_word: float = setting(
        _CRUNCH.letters_per_word,
        "letters outside links that count as one word",
        group=_LISTS,
        unit="letters",
        low=0.1,
        high=1000,
    )
    counted_links: str = setting(
        "all",
        "which links make a link list",
        group=_LISTS,
        choices=("all", "text", "image"),
    )
    removed_content: str = setting(
        "links",
        "what goes of a link list: links and text, all it holds, or the cell itself",
        group=_LISTS,
        choices=("links", "all", "cell"),
    )
    cell_tags: tuple[str, ...] = setting(
        _CRUNCH.cell_tags, "tags that can be link lists; td, th in the paper", group=_LISTS
    )
    box_tags: tuple[str, ...] = setting(
        _CRUNCH.box_tags,
        "tags that can be link lists where they hold no other of these and of the cells",
        group=_LISTS,
    )
    keep_portals: bool = setting(
        True, "leave link lists alone on a page that has little else", group=_LISTS
    )
    empty_tables: bool = setting(True, "remove tables without substance", group=_TABLES)
    substance_tags: tuple[str, ...] = setting(
        _CRUNCH.substance_tags,
        "tags that are substance: a table with one is not empty",
        group=_TABLES,
    )
    min_table_chars: int = setting(
        _CRUNCH.min_table_chars,
        "characters, less white space, that are substance in a table",
        group=_TABLES,
        unit="characters",
        low=0,
        high=1_000_000,
    )
    shrink_cells: bool = setting(
        True, "take the fixed width of cells that a filter emptied", group=_TABLES
    )
    removed_links: bool = setting(
        True, "list removed text links at the end of the page", group=_LINKS
    )
    removed_links_title: str = setting("More links", "title of that list", group=_LINKS)
    max_removed_links: int = setting(
        _MAX_REMOVED_LINKS,
        "links that are listed at most",
        group=_LINKS,
        unit="links",
        low=1,
        high=100_000,
    )

    # Today's.
    consent: bool = setting(True, "remove what asks for consent to cookies", group=_OVERLAYS)
    consent_scripts: bool = setting(
        True, "remove scripts of services that ask for consent", group=_OVERLAYS
    )
    newsletters: bool = setting(
        True,
        "remove what asks to subscribe, register or install in front of the page",
        group=_OVERLAYS,
    )
    unlock_scrolling: bool = setting(
        True, "let a page scroll again whose overlay was removed", group=_OVERLAYS
    )
    tracking_parameters: bool = setting(
        True, "remove what counts clicks from links: parameters, redirects, pings", group=_TRACKING
    )
    tracking_pixels: bool = setting(
        True, "remove invisible pictures and frames of other sites", group=_TRACKING
    )
    pixel_size: int = setting(
        1,
        "width and height up to which a picture is invisible",
        group=_TRACKING,
        unit="CSS pixels",
        low=0,
        high=100,
    )

    def __post_init__(self) -> None:
        check(self)


SETTINGS: Final[tuple[Setting, ...]] = describe(Filters)
"""Every setting of the filters: name, group, kind, default, help, choices, unit, range."""
GROUPS: Final = tuple(dict.fromkeys(each.group for each in SETTINGS))
"""The groups, in order."""
_OFF: Final = {each.name: "no" for each in SETTINGS if each.kind == "switch"}
NO_FILTERS: Final = change(Filters(), {**_OFF, "link_lists": "off"})
"""All filters switched off."""


def parse_filters(text: str) -> Filters:
    """Read the table ``[filters]`` of a TOML file; one that is not there is all defaults.

    UsageError says what is wrong.
    """
    try:
        table = tomllib.loads(text).get(TABLE, {})
    except tomllib.TOMLDecodeError as error:
        raise UsageError(str(error)) from error
    except RecursionError as error:
        raise UsageError("it is nested too deeply") from error
    if not isinstance(table, dict):
        raise UsageError(f"{TABLE} must be a table, [{TABLE}]")
    return filters_from_table(table)


def filters_from_table(table: Mapping[str, object]) -> Filters:
    """Make filters from a table as TOML or JSON have it; UsageError names what is wrong."""
    return from_table(Filters, table)


def filters_from_mapping(values: Mapping[str, str]) -> Filters:
    """Make filters from spelled values, defaults for what is missing; UsageError as above."""
    return change_filters(Filters(), values)


def filters_from_form(values: Mapping[str, str]) -> Filters:
    """Make filters from all of a form, which does not send switches that are off."""
    return from_form(Filters, values)


def change_filters(filters: Filters, values: Mapping[str, str]) -> Filters:
    """Return filters with some values changed, spelled as options and forms do."""
    return change(filters, values)


def write_filters(filters: Filters) -> str:
    """Write the table ``[filters]``, with a comment on each setting."""
    return write_table(filters, TABLE)


def add_filter_options(parser: ArgumentParser) -> None:
    """Add an option for each setting; `filters_from_args` reads them."""
    add_options(parser, Filters)


def filters_from_args(args: Namespace, filters: Filters | None = None) -> Filters:
    """Return filters, the defaults unless given, changed by the options; UsageError as above."""
    return from_args(Filters() if filters is None else filters, args)
