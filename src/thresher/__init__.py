"""Thresher: main-content extraction from HTML, with the evidence for each decision.

>>> import thresher
>>> document = thresher.extract("<nav><a href='/'>Home</a></nav><p>The story itself.</p>")
>>> document.markdown
'The story itself.'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, MethodName
    from thresher.algorithms.base import FAVORS, FavorName
    from thresher.analysis.metadata import Metadata
    from thresher.analysis.obstacles import Obstacle, ObstacleKind
    from thresher.chunking import Chunk, Heading, estimate_tokens
    from thresher.document import Block, Document, PageType, Verdict, WriteOptions
    from thresher.errors import (
        FetchError,
        InputError,
        LimitError,
        MissingExtraError,
        ThresherError,
        UsageError,
    )
    from thresher.extraction import document_of, extract, read_page, select
    from thresher.page import Page
    from thresher.roles import SCOPES, ScopeName
    from thresher.selection import Selection
    from thresher.writers.formats import NAMES as FORMATS
    from thresher.writers.formats import FormatName

__all__ = [
    "ALGORITHMS",
    "DEFAULT_METHOD",
    "FAVORS",
    "FORMATS",
    "SCOPES",
    "Block",
    "Chunk",
    "Document",
    "FavorName",
    "FetchError",
    "FormatName",
    "Heading",
    "InputError",
    "LimitError",
    "Metadata",
    "MethodName",
    "MissingExtraError",
    "Obstacle",
    "ObstacleKind",
    "Page",
    "PageType",
    "ScopeName",
    "Selection",
    "ThresherError",
    "UsageError",
    "Verdict",
    "WriteOptions",
    "__version__",
    "document_of",
    "estimate_tokens",
    "extract",
    "read_page",
    "select",
]

__version__ = "0.2.0"

_HOMES: Final = {
    "ALGORITHMS": "thresher.algorithms",
    "DEFAULT_METHOD": "thresher.algorithms",
    "FAVORS": "thresher.algorithms.base",
    "FORMATS": "thresher.writers.formats:NAMES",
    "SCOPES": "thresher.roles",
    "Block": "thresher.document",
    "Chunk": "thresher.chunking",
    "Document": "thresher.document",
    "FavorName": "thresher.algorithms.base",
    "FetchError": "thresher.errors",
    "FormatName": "thresher.writers.formats",
    "Heading": "thresher.chunking",
    "InputError": "thresher.errors",
    "LimitError": "thresher.errors",
    "Metadata": "thresher.analysis.metadata",
    "MethodName": "thresher.algorithms",
    "MissingExtraError": "thresher.errors",
    "Obstacle": "thresher.analysis.obstacles",
    "ObstacleKind": "thresher.analysis.obstacles",
    "Page": "thresher.page",
    "PageType": "thresher.document",
    "ScopeName": "thresher.roles",
    "Selection": "thresher.selection",
    "ThresherError": "thresher.errors",
    "UsageError": "thresher.errors",
    "Verdict": "thresher.document",
    "WriteOptions": "thresher.document",
    "document_of": "thresher.extraction",
    "estimate_tokens": "thresher.chunking",
    "extract": "thresher.extraction",
    "read_page": "thresher.extraction",
    "select": "thresher.extraction",
}
"""Public name → the module that defines it."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _HOMES)
