"""The result of an extraction: the page, what was kept of it, and what is known of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.document.blocks import Block
    from thresher.document.document import Document
    from thresher.document.options import WriteOptions
    from thresher.document.verdict import PageType, Verdict

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions"]

_HOMES: Final = {
    "Block": "thresher.document.blocks",
    "Document": "thresher.document.document",
    "PageType": "thresher.document.verdict",
    "Verdict": "thresher.document.verdict",
    "WriteOptions": "thresher.document.options",
}
"""Public name → the module that defines it."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _HOMES)
