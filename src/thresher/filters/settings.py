"""Settings of the filters: files, command-line options, forms and the object come from them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from thresher.algorithms.crunch.params import Params
from thresher.errors import UsageError
from thresher.support.quoting import quote
from thresher.support.settings import (
    Setting,
    add_options,
    change,
    check,
    describe,
    from_args,
    from_form,
    setting,
)
from thresher.support.toml_files import from_table, parse_toml, write_table

TABLE: Final = "filters"
"""Name of the table in a TOML file."""

_tags = partial(setting, group="ignored tags")
_attributes = partial(setting, group="ignored attributes")
_ads = partial(setting, group="advertisements")
_link_list = partial(setting, group="link lists")
_tables = partial(setting, group="empty tables")
_removed = partial(setting, group="removed links")
_overlays = partial(setting, group="overlays")
_tracking = partial(setting, group="tracking")
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
    images: bool = _tags(False, "remove images outside links")
    image_links: bool = _tags(False, "remove links that contain an image, with their text")
    text_links: bool = _tags(False, "remove links without an image, with their text")
    alternative_texts: bool = _tags(False, "replace removed images with their alternative text")
    scripts: bool = _tags(
        False, "remove scripts, event attributes and links to scripts; show noscript content"
    )
    styles: bool = _tags(False, "remove style sheets in the page")
    external_styles: bool = _tags(False, "remove links to style sheets")
    forms: bool = _tags(False, "remove forms with all their content")
    inputs: bool = _tags(False, "remove input fields, text areas and drop-down lists")
    buttons: bool = _tags(False, "remove buttons")
    objects: bool = _tags(False, "remove embedded objects: object, embed, applet")
    media: bool = _tags(False, "remove audio and video")
    iframes: bool = _tags(False, "remove inline frames (iframe)")
    refreshes: bool = _tags(False, "remove automatic reloads and redirects (meta refresh)")

    # The same for attributes.
    fixed_widths: bool = _attributes(
        False,
        "remove fixed widths of tables, cells and columns; let wide pictures shrink to the window",
    )
    style_attributes: bool = _attributes(False, "remove style attributes")
    backgrounds: bool = _attributes(False, "remove background images and colours")

    # The paper's second set.
    ads: bool = _ads(
        True, "remove elements that load from or link to an advertiser's host, with their box"
    )
    ad_slots: bool = _ads(True, "remove the boxes that advertisers' scripts fill")
    ad_elements: bool = _ads(True, "remove the elements that filter lists name")
    ad_rules: tuple[str, ...] = _ads(
        (),
        "additional rules of filter lists: host, ||host/path^ or ##.class to block, @@||host^ or"
        " #@#.class to allow",
    )
    ads_allowed_on: tuple[str, ...] = _ads(
        (), "sites, including subdomains, on which advertisements are left alone"
    )
    link_lists: str = _link_list(
        "auto",
        "remove table cells and lists that consist of links; auto: except where a method selected"
        " content",
        choices=("off", "auto", "always"),
    )
    max_link_ratio: float = _link_list(
        _CRUNCH.max_link_ratio,
        "ratio of links to words outside links above which a cell is a link list",
        unit="links a word",
        low=0,
        high=1000,
    )
    letters_per_word: float = _link_list(
        _CRUNCH.letters_per_word,
        "letters outside links that count as one word",
        unit="letters",
        low=0.1,
        high=1000,
    )
    counted_links: str = _link_list(
        "all", "which links count towards a link list", choices=("all", "text", "image")
    )
    removed_content: str = _link_list(
        "links",
        "what is removed of a link list; links: links and text; all: all content; cell: the cell"
        " itself",
        choices=("links", "all", "cell"),
    )
    cell_tags: tuple[str, ...] = _link_list(
        _CRUNCH.cell_tags, "tags that can be link lists; in the paper td and th"
    )
    box_tags: tuple[str, ...] = _link_list(
        _CRUNCH.box_tags,
        "tags that can be link lists if they contain no other tag of this list or of cell_tags",
    )
    keep_portals: bool = _link_list(True, "keep link lists on a page that has little else")
    empty_tables: bool = _tables(True, "remove tables without content")
    substance_tags: tuple[str, ...] = _tables(
        _CRUNCH.substance_tags, "tags that count as content: a table with one of them is not empty"
    )
    min_table_chars: int = _tables(
        _CRUNCH.min_table_chars,
        "characters, excluding white space, from which on a table is not empty",
        unit="characters",
        low=0,
        high=1_000_000,
    )
    shrink_cells: bool = _tables(True, "remove the fixed width of cells that a filter emptied")
    removed_links: bool = _removed(True, "list the removed text links at the end of the page")
    removed_links_title: str = _removed("More links", "title of the list of removed links")
    max_removed_links: int = _removed(
        _MAX_REMOVED_LINKS,
        "maximum number of links in that list",
        unit="links",
        low=1,
        high=100_000,
    )

    # Modern additions.
    consent: bool = _overlays(True, "remove dialogs that ask for consent to cookies")
    consent_scripts: bool = _overlays(True, "remove scripts of consent services")
    newsletters: bool = _overlays(
        True, "remove overlays that ask to subscribe, register or install an app"
    )
    unlock_scrolling: bool = _overlays(
        True, "let a page scroll again after its overlay was removed"
    )
    tracking_parameters: bool = _tracking(
        True, "remove click tracking from links: parameters, redirects, pings"
    )
    tracking_pixels: bool = _tracking(True, "remove invisible images and frames of other sites")
    pixel_size: int = _tracking(
        1, "width and height up to which an image is invisible", unit="CSS pixels", low=0, high=100
    )

    def __post_init__(self) -> None:
        check(self)


SETTINGS: Final[tuple[Setting, ...]] = describe(Filters)
"""Every setting of the filters: name, group, kind, default, help, choices, unit, range."""
GROUPS: Final = tuple(dict.fromkeys(field.group for field in SETTINGS))
"""The groups, in order."""
_OFF: Final = {field.name: "no" for field in SETTINGS if field.kind == "switch"}
NO_FILTERS: Final = change(Filters(), {**_OFF, "link_lists": "off"})
"""All filters switched off."""


def parse_filters(text: str) -> Filters:
    """Read the table ``[filters]`` of a TOML file; without one all settings have their defaults.

    Raises UsageError for an invalid file or value.
    """
    table = parse_toml(text).get(TABLE, {})
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
SWITCHES: Final = tuple(
    field for field in SETTINGS if field.kind == "switch" or field.name in _LEVELS
)
"""The settings that can be switched for a site."""
_NAMES: Final = frozenset(switch.name for switch in SWITCHES)


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
