"""Thresher: main-content extraction from HTML, with the evidence for each decision.

>>> import thresher
>>> document = thresher.extract("<nav><a href='/'>Home</a></nav><p>The story itself.</p>")
>>> document.markdown
'The story itself.'
"""

from __future__ import annotations

from typing import Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.algorithms.learned import FAVORS, SCOPES
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
from thresher.selection import Selection
from thresher.writers import FORMATS as _FORMATS

__all__ = [
    "ALGORITHMS",
    "DEFAULT_METHOD",
    "FAVORS",
    "FORMATS",
    "SCOPES",
    "Block",
    "Chunk",
    "Document",
    "FetchError",
    "Heading",
    "InputError",
    "LimitError",
    "Metadata",
    "MissingExtraError",
    "Obstacle",
    "ObstacleKind",
    "Page",
    "PageType",
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

__version__ = "0.1.0"

FORMATS: Final = tuple(_FORMATS)
"""The names of the output formats."""
