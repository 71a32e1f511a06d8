"""The result of an extraction: the page, what was kept of it, and what is known of both."""

from __future__ import annotations

from thresher.document.blocks import Block
from thresher.document.document import Document
from thresher.document.options import WriteOptions
from thresher.document.verdict import PageType, Verdict

__all__ = ["Block", "Document", "PageType", "Verdict", "WriteOptions"]
