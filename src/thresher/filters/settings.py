"""Settings of the filters: files, command-line options, forms and the object come from them."""

from __future__ import annotations

import tomllib
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from thresher.algorithms.crunch.params import Params
from thresher.errors import UsageError
from thresher.support.quoting import quote
from thresher.support.setting_options import add_options, from_args
from thresher.support.setting_tables import from_table, write_table
from thresher.support.settings import Setting, change, check, describe, from_form, setting

TABLE: Final = "filters"
"""Name of the table in a TOML file."""

_TAGS, _ATTRIBUTES = "ignored tags", "ignored attributes"
_ADS, _LISTS, _TABLES = "advertisements", "link lists", "empty tables"
_LINKS, _OVERLAYS, _TRACKING = "removed links", "overlays", "tracking"
_CRUNCH: Final = Params()
"""Values of the paper and of the authors' program come from the method crunch."""
_MAX_REMOVED_LINKS: Final = 500
"""More than the menus of any known page; a longer list is useless."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The settings of all filters; UsageError, naming the setting, for an invalid value.

    The groups are those of the paper (Gupta et al. 2003, section 3), and two modern ones. By
    default the paper's second set, which finds boilerplate, is on, and its first, which removes all
    elements of some tags, is off.
    """

    # The paper's first set: ignore tags.
    images: bool = setting(False, "remove images outside links", group=_TAGS)
    image_links: bool = setting(
        False, "remove links that contain an image, with their text", group=_TAGS
    )
    text_links: bool = setting(False, "remove links without an image, with their text", group=_TAGS)
    alternative_texts: bool = setting(
        False, "replace removed images with their alternative text", group=_TAGS
    )
    scripts: bool = setting(
        False,
        "remove scripts, event attributes and links to scripts; show noscript content",
        group=_TAGS,
    )
    styles: bool = setting(False, "remove style sheets in the page", group=_TAGS)
    external_styles: bool = setting(False, "remove links to style sheets", group=_TAGS)
    forms: bool = setting(False, "remove forms with all their content", group=_TAGS)
    inputs: bool = setting(
        False, "remove input fields, text areas and drop-down lists", group=_TAGS
    )
    buttons: bool = setting(False, "remove buttons", group=_TAGS)
    objects: bool = setting(False, "remove embedded objects: object, embed, applet", group=_TAGS)
    media: bool = setting(False, "remove audio and video", group=_TAGS)
    iframes: bool = setting(False, "remove inline frames (iframe)", group=_TAGS)
    refreshes: bool = setting(
        False, "remove automatic reloads and redirects (meta refresh)", group=_TAGS
    )

    # The same for attributes.
    fixed_widths: bool = setting(
        False,
        "remove fixed widths of tables, cells and columns; let wide pictures shrink to the window",
        group=_ATTRIBUTES,
    )
    style_attributes: bool = setting(False, "remove style attributes", group=_ATTRIBUTES)
    backgrounds: bool = setting(False, "remove background images and colours", group=_ATTRIBUTES)

    # The paper's second set.
    ads: bool = setting(
        True,
        "remove elements that load from or link to an advertiser's host, with their box",
        group=_ADS,
    )
    ad_slots: bool = setting(True, "remove the boxes that advertisers' scripts fill", group=_ADS)
    ad_elements: bool = setting(True, "remove the elements that filter lists name", group=_ADS)
    ad_rules: tuple[str, ...] = setting(
        (),
        "additional rules of filter lists: host, ||host/path^ or ##.class to block, @@||host^ or"
        " #@#.class to allow",
        group=_ADS,
    )
    ads_allowed_on: tuple[str, ...] = setting(
        (), "sites, including subdomains, on which advertisements are left alone", group=_ADS
    )
    link_lists: str = setting(
        "auto",
        "remove table cells and lists that consist of links; auto: except where a method selected"
        " content",
        group=_LISTS,
        choices=("off", "auto", "always"),
    )
    max_link_ratio: float = setting(
        _CRUNCH.max_link_ratio,
        "ratio of links to words outside links above which a cell is a link list",
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
        "which links count towards a link list",
        group=_LISTS,
        choices=("all", "text", "image"),
    )
    removed_content: str = setting(
        "links",
        "what is removed of a link list; links: links and text; all: all content; cell: the cell"
        " itself",
        group=_LISTS,
        choices=("links", "all", "cell"),
    )
    cell_tags: tuple[str, ...] = setting(
        _CRUNCH.cell_tags, "tags that can be link lists; in the paper td and th", group=_LISTS
    )
    box_tags: tuple[str, ...] = setting(
        _CRUNCH.box_tags,
        "tags that can be link lists if they contain no other tag of this list or of cell_tags",
        group=_LISTS,
    )
    keep_portals: bool = setting(
        True, "keep link lists on a page that has little else", group=_LISTS
    )
    empty_tables: bool = setting(True, "remove tables without content", group=_TABLES)
    substance_tags: tuple[str, ...] = setting(
        _CRUNCH.substance_tags,
        "tags that count as content: a table with one of them is not empty",
        group=_TABLES,
    )
    min_table_chars: int = setting(
        _CRUNCH.min_table_chars,
        "characters, excluding white space, from which on a table is not empty",
        group=_TABLES,
        unit="characters",
        low=0,
        high=1_000_000,
    )
    shrink_cells: bool = setting(
        True, "remove the fixed width of cells that a filter emptied", group=_TABLES
    )
    removed_links: bool = setting(
        True, "list the removed text links at the end of the page", group=_LINKS
    )
    removed_links_title: str = setting(
        "More links", "title of the list of removed links", group=_LINKS
    )
    max_removed_links: int = setting(
        _MAX_REMOVED_LINKS,
        "maximum number of links in that list",
        group=_LINKS,
        unit="links",
        low=1,
        high=100_000,
    )

    # Modern additions.
    consent: bool = setting(True, "remove dialogs that ask for consent to cookies", group=_OVERLAYS)
    consent_scripts: bool = setting(True, "remove scripts of consent services", group=_OVERLAYS)
    newsletters: bool = setting(
        True,
        "remove overlays that ask to subscribe, register or install an app",
        group=_OVERLAYS,
    )
    unlock_scrolling: bool = setting(
        True, "let a page scroll again after its overlay was removed", group=_OVERLAYS
    )
    tracking_parameters: bool = setting(
        True, "remove click tracking from links: parameters, redirects, pings", group=_TRACKING
    )
    tracking_pixels: bool = setting(
        True, "remove invisible images and frames of other sites", group=_TRACKING
    )
    pixel_size: int = setting(
        1,
        "width and height up to which an image is invisible",
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
    """Read the table ``[filters]`` of a TOML file; without one all settings have their defaults.

    Raises UsageError for an invalid file or value.
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
    """Create filters from a table of TOML or JSON; UsageError for a wrong name or value."""
    return from_table(Filters, table)


def filters_from_mapping(values: Mapping[str, str]) -> Filters:
    """Create filters from values in text form, with defaults for the rest; UsageError as above."""
    return change_filters(Filters(), values)


def filters_from_form(values: Mapping[str, str]) -> Filters:
    """Create filters from a complete form, in which a missing switch is off."""
    return from_form(Filters, values)


def change_filters(filters: Filters, values: Mapping[str, str]) -> Filters:
    """Return filters with some values changed, given as text in options or forms."""
    return change(filters, values)


def write_filters(filters: Filters) -> str:
    """Write the table ``[filters]``, with a comment above each setting."""
    return write_table(filters, TABLE)


def add_filter_options(parser: ArgumentParser) -> None:
    """Add an option for each setting; `filters_from_args` reads them."""
    add_options(parser, Filters)


def filters_from_args(args: Namespace, filters: Filters | None = None) -> Filters:
    """Return filters, the defaults unless given, changed by the options; UsageError as above."""
    return from_args(Filters() if filters is None else filters, args)


_OFF_LEVEL: Final = "off"
_LEVELS: Final = {"link_lists": "auto"}
"""Value of a filter with levels when it is switched on and was off."""
SWITCHES: Final = tuple(each for each in SETTINGS if each.kind == "switch" or each.name in _LEVELS)
"""The settings that can be switched for a site."""
_NAMES: Final = frozenset(each.name for each in SWITCHES)


def is_on(filters: Filters, name: str) -> bool:
    """Return whether a filter is on, at any level."""
    return getattr(filters, name) not in (False, _OFF_LEVEL)


def switch_filters(filters: Filters, switches: Iterable[tuple[str, bool]]) -> Filters:
    """Return filters with some switched on or off; UsageError for an unknown name."""
    changes: dict[str, Any] = {}
    for name, wanted in switches:
        if name not in _NAMES:
            raise UsageError(f"no filter {quote(name)} to switch for a site")
        if wanted != is_on(filters, name):
            level = _LEVELS.get(name)
            changes[name] = wanted if level is None else (level if wanted else _OFF_LEVEL)
    return replace(filters, **changes) if changes else filters  # a copy is checked anew


def first_stage(filters: Filters) -> Filters:
    """Return filters that leave everything a person may work with.

    Those that look for boilerplate are off. The filters of tags and attributes, off by default,
    stay as set, and so do link lists that always go: whoever switches them on wants them on every
    page.
    """
    return replace(
        filters,
        link_lists="always" if filters.link_lists == "always" else "off",
        empty_tables=False,
        shrink_cells=False,
        newsletters=False,
        removed_links=False,
    )
