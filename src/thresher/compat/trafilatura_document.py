"""The options of a call to trafilatura, and the result of `bare_extraction`: its fields by name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from configparser import ConfigParser
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import Element, tostring

from thresher.algorithms.base import FavorName
from thresher.errors import UsageError
from thresher.limits import MAX_BYTES
from thresher.support.cached import cached_property
from thresher.support.quoting import quote

if TYPE_CHECKING:
    from thresher.document import Document

__all__ = ["FIELDS", "CallOptions", "TrafilaturaDocument", "gather_options", "read_config"]

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


_WITHOUT_EFFECT: Final = frozenset(
    (
        "filecontent",  # as the next two, no option
        "record_id",
        "as_dict",
        "fast",  # there is one method, and it is fast
        "no_fallback",
        "tei_validation",  # the output is valid; theirs writes the outcome to a log
        "date_extraction_params",  # of htmldate, which is not used
    )
)


def gather_options(arguments: dict[str, Any]) -> CallOptions:
    """Gather the options among a call's arguments; the rest have no effect on the result.

    UsageError for an unknown format, and for ``max_tree_size``, which trafilatura refuses as well.
    """
    arguments = {name: value for name, value in arguments.items() if name not in _WITHOUT_EFFECT}
    if settingsfile := arguments.pop("settingsfile", None):
        arguments["config"] = read_config(settingsfile)
    if arguments.pop("max_tree_size", None):
        raise UsageError('"max_tree_size" will be removed, use settings.cfg instead')
    precision, recall = arguments.pop("favor_precision"), arguments.pop("favor_recall")
    arguments["favor"] = "recall" if recall else "precision" if precision else None
    if extractor := arguments.pop("options"):
        for name, theirs in _EXTRACTOR_NAMES.items():
            arguments[name] = getattr(extractor, theirs, arguments.get(name))
        focus = getattr(extractor, "focus", "balanced")
        arguments["favor"] = None if focus == "balanced" else focus
    for name in ("author_blacklist", "url_blacklist"):
        arguments[name] = arguments[name] or ()
    if arguments["output_format"] not in FORMATS:
        formats = ", ".join(FORMATS)
        raise UsageError(f"unknown format {quote(arguments['output_format'])}; one of {formats}")
    return CallOptions(**arguments)


def read_config(settingsfile: str) -> ConfigParser:
    """Read a settings file of trafilatura; FileNotFoundError if there is none."""
    config = ConfigParser()
    with open(settingsfile, encoding="utf-8") as file:  # noqa: PTH123 - a name, as theirs takes
        config.read_file(file)
    return config


FIELDS: Final = tuple(
    "title author url hostname description sitename date categories tags fingerprint id"
    " license body comments commentsbody raw_text text language image pagetype filedate".split()
)
"""Names and order are trafilatura's."""
_FINGERPRINT_BYTES: Final = 8
"""Sixteen hexadecimal digits, as trafilatura's have."""


@dataclass(eq=False, repr=False)
class TrafilaturaDocument:
    """Text, comments and metadata of a page; mutable, as trafilatura's documents are."""

    content: Document
    """The extraction by Thresher."""
    make_elements: Callable[[], tuple[Element, Element]]
    """Makes the trees of ``body`` and ``commentsbody``."""
    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    id: str | None = None
    license: str | None = None
    comments: str | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of title and text."""
        text = f"{self.title} {self.raw_text}"
        return blake2b(text.encode("utf-8", "replace"), digest_size=_FINGERPRINT_BYTES).hexdigest()

    @cached_property
    def body(self) -> Any:
        """The content as elements of lxml where it is installed, else of `xml.etree`."""
        return _as_lxml(self.make_elements()[0])

    @cached_property
    def commentsbody(self) -> Any:
        """The comments, as ``body``."""
        return _as_lxml(self.make_elements()[1])

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name."""
        return {name: getattr(self, name) for name in FIELDS}


def _as_lxml(element: Element) -> Any:
    """Return an element of lxml that is like one of `xml.etree`; that one without lxml."""
    try:
        from lxml import etree  # not needed by anything else
    except ImportError:
        return element
    return etree.fromstring(tostring(element))
