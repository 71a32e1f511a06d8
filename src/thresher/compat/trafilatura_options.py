"""The options of a call to trafilatura, gathered from its arguments, settings and Extractor."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from configparser import ConfigParser
from dataclasses import dataclass
from typing import Any, Final

from thresher.algorithms.base import FavorName
from thresher.errors import UsageError
from thresher.limits import MAX_BYTES
from thresher.support.quoting import quote

__all__ = ["FORMATS", "CallOptions", "gather_options", "read_config"]

FORMATS: Final = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")
"""Values of ``output_format``; "python" is that of `bare_extraction` alone."""

_EXTRACTOR_NAMES: Final = {
    "output_format": "format",
    "include_comments": "comments",
    "include_formatting": "formatting",
    "include_links": "links",
    "include_images": "images",
    "include_tables": "tables",
    "deduplicate": "dedup",
    "target_language": "lang",
    "url": "url",
    "with_metadata": "with_metadata",
    "only_with_metadata": "only_with_metadata",
    "author_blacklist": "author_blacklist",
    "url_blacklist": "url_blacklist",
    "config": "config",
}
"""Argument of a call → attribute of trafilatura's Extractor that has the same meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOptions:
    """The options of one call."""

    url: str | None = None
    output_format: str = "txt"
    favor: FavorName | None = None
    include_comments: bool = True
    include_formatting: bool | None = None
    include_links: bool = False
    include_images: bool = False
    include_tables: bool = True
    deduplicate: object = False
    target_language: str | None = None
    with_metadata: bool = False
    only_with_metadata: bool = False
    author_blacklist: Collection[str] = ()
    url_blacklist: Collection[str] = ()
    prune_xpath: str | list[str] | None = None
    config: ConfigParser | None = None

    @property
    def is_formatted(self) -> bool:
        """Whether the text shows headings, lists and emphasis as Markdown does."""
        if self.include_formatting is None:
            return self.output_format == "markdown"
        return self.include_formatting

    @property
    def is_markdown(self) -> bool:
        """Whether the text is Markdown, which formatting, links and pictures need."""
        return self.is_formatted or self.include_links or self.include_images

    @property
    def reads_metadata(self) -> bool:
        """Whether metadata are asked for, by themselves or by what decides on them."""
        asked = self.with_metadata or self.only_with_metadata or self.output_format == "xmltei"
        return asked or bool(self.author_blacklist) or bool(self.url_blacklist)

    @property
    def min_output_chars(self) -> int:
        """Characters of text below which nothing is returned, unless there are comments."""
        return self._setting("MIN_OUTPUT_SIZE", 1)

    @property
    def max_bytes(self) -> int:
        """Bytes beyond which a page is not read."""
        return self._setting("MAX_FILE_SIZE", MAX_BYTES)

    def _setting(self, name: str, default: int) -> int:
        return self.config.getint("DEFAULT", name, fallback=default) if self.config else default


def gather_options(arguments: dict[str, Any]) -> CallOptions:
    """Gather the options of a call; warns of deprecated arguments as trafilatura does.

    UsageError for an unknown format, and for ``max_tree_size``, which trafilatura refuses as well.
    """
    for name, instead in (("no_fallback", '"fast"'), ("as_dict", "the .as_dict() method")):
        if arguments.pop(name, False):
            # The caller of extract or bare_extraction, which call this.
            warnings.warn(
                f'"{name}" will be removed, use {instead} instead', DeprecationWarning, stacklevel=3
            )
    if arguments.pop("max_tree_size", None):
        raise UsageError('"max_tree_size" will be removed, use settings.cfg instead')
    precision, recall = arguments.pop("favor_precision"), arguments.pop("favor_recall")
    arguments["favor"] = "recall" if recall else "precision" if precision else None
    if extractor := arguments.pop("options"):
        for name, theirs in _EXTRACTOR_NAMES.items():
            arguments[name] = getattr(extractor, theirs, arguments[name])
        focus = getattr(extractor, "focus", "balanced")
        arguments["favor"] = None if focus == "balanced" else focus
    for name in ("author_blacklist", "url_blacklist"):
        arguments[name] = arguments[name] or ()
    if arguments["output_format"] not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(f"unknown format {quote(arguments['output_format'])}; one of {known}")
    return CallOptions(**arguments)


def read_config(settingsfile: str) -> ConfigParser:
    """Read a settings file of trafilatura; FileNotFoundError if there is none."""
    config = ConfigParser()
    with open(settingsfile, encoding="utf-8") as file:  # noqa: PTH123 - a name, as theirs takes
        config.read_file(file)
    return config
