"""What a selection keeps, as text."""

from __future__ import annotations

from thresher.selection import Selection


def kept(selection: Selection) -> list[str]:
    """Return the kept texts of the blocks that are kept."""
    page = selection.page
    return [page.block_text(b, selection.keep) for b in selection.block_keep.nonzero()[0].tolist()]
