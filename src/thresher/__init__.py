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

_MODULES: Final = {
    "thresher.algorithms": "ALGORITHMS DEFAULT_METHOD MethodName",
    "thresher.algorithms.base": "FAVORS FavorName",
    "thresher.analysis.metadata": "Metadata",
    "thresher.analysis.obstacles": "Obstacle ObstacleKind",
    "thresher.chunking": "Chunk Heading estimate_tokens",
    "thresher.document": "Block Document PageType Verdict WriteOptions",
    "thresher.errors": "FetchError InputError LimitError MissingExtraError ThresherError"
    " UsageError",
    "thresher.extraction": "document_of extract read_page select",
    "thresher.page": "Page",
    "thresher.roles": "SCOPES ScopeName",
    "thresher.selection": "Selection",
    "thresher.writers.formats": "FORMATS:NAMES FormatName",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
