"""The result of an extraction: the page, what was kept of it, and what is known of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.document.document import Block, Document
    from thresher.document.options import PageType, Verdict, WriteOptions

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions"]

_MODULES: Final = {
    "thresher.document.document": "Block Document",
    "thresher.document.options": "PageType Verdict WriteOptions",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
