"""The output formats: one literal table of what each is called, written by, and able to hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from thresher.errors import UsageError

if TYPE_CHECKING:
    from thresher.chunking import OutputLayout
    from thresher.document import Document, WriteOptions

FormatName: TypeAlias = Literal[
    "markdown", "text", "html", "json", "inplace", "jsonl", "csv", "tei", "thread"
]
ChunkedName: TypeAlias = Literal["markdown", "text"]


@dataclass(frozen=True, slots=True)
class Format:
    """One output format. Its writer is the module of its name in `thresher.writers`."""

    name: FormatName
    suffix: str
    """Of its files, with the dot."""
    media_type: str
    """Without parameters."""
    _: KW_ONLY
    takes_limits: bool = True
    """Whether the output can be cut to `WriteOptions.max_chars` and ``max_tokens``."""
    shows_pictures: bool = False
    """Whether it shows pictures and players, and so what belongs to them."""
    has_front_matter: bool = False
    """Whether metadata stand above the text, as text."""
    separator: str | None = None
    """Between the pages of one article in one text; None where they cannot be joined so."""
    nests_pages: bool = False
    """Whether the later pages of an article go into the object of the first."""
    holds_many: bool = True
    """Whether several documents can follow each other in one stream."""
    name_line: str | None = "<!-- {} -->"
    """Line before each document of a stream, with the name of its input; None where a document is
    a record, and has the name as a field."""

    @property
    def content_type(self) -> str:
        """The media type with its charset, as HTTP has it: all output is UTF-8."""
        is_text = self.media_type.startswith("text/")
        return f"{self.media_type}; charset=utf-8" if is_text else self.media_type

    @property
    def joins_pages(self) -> bool:
        """True if several pages of one article can be written as one."""
        return self.separator is not None or self.nests_pages

    def write(self, document: Document, options: WriteOptions) -> str:
        """Write a document; UsageError for a limit where the format takes none."""
        if options.is_limited and not self.takes_limits:
            takers = ", ".join(format.name for format in FORMATS.values() if format.takes_limits)
            raise UsageError(f"{self.name} cannot be cut to a limit; {takers} can")
        written: str = self._writer.write(document, options)
        return written

    def lay_out(self, document: Document, options: WriteOptions) -> OutputLayout:
        """Write a document without limits, and find where it can be cut: of `CHUNKED_FORMATS`."""
        layout: OutputLayout = self._writer.lay_out(document, options)
        return layout

    @property
    def _writer(self) -> Any:
        # Most callers never write most formats: their modules are imported when first needed.
        return import_module(f"thresher.writers.{self.name}")


FORMATS: Final[Mapping[Any, Format]] = {
    format.name: format
    for format in (
        Format(
            "markdown",
            ".md",
            "text/markdown",
            shows_pictures=True,
            has_front_matter=True,
            separator="\n\n",
        ),
        Format(
            "text",
            ".txt",
            "text/plain",
            has_front_matter=True,
            separator="\n\n",
            name_line="==> {} <==",  # as the command head has it
        ),
        Format("html", ".html", "text/html", shows_pictures=True, separator="\n"),
        Format("json", ".json", "application/json", nests_pages=True, name_line=None),
        Format("inplace", ".html", "text/html", takes_limits=False, shows_pictures=True),
        Format("jsonl", ".jsonl", "application/jsonl", separator="\n", name_line=None),
        Format("csv", ".csv", "text/csv", name_line=None),
        Format(
            "tei",
            ".xml",
            "application/tei+xml",
            takes_limits=False,
            shows_pictures=True,
            holds_many=False,
        ),
        Format(
            "thread",
            ".md",
            "text/markdown",
            shows_pictures=True,
            has_front_matter=True,
            separator="\n\n",
        ),
    )
}
"""Every format by its name; any text can be looked up."""
NAMES: Final = tuple(format.name for format in FORMATS.values())
"""The names of the output formats."""

CHUNKED_FORMATS: Final[tuple[ChunkedName, ...]] = get_args(ChunkedName)
"""Formats that come in chunks: pieces of the output that can be read without markup around."""
JOINED_FORMATS: Final = tuple(format.name for format in FORMATS.values() if format.joins_pages)
"""Formats in which several pages of one article can be written as one."""
