"""Footnotes: which links refer to which notes, told from the page.

A reference is a link with a short mark for its text (a number, a letter or two, a star) that leads
to a note further down. That alone could be a list of pages or a table of contents, so one more sign
is asked for: it is raised, stands in square brackets, says by a name or role that it is a
reference, or the note leads back to it. A note is the element that the link leads to or, where
that is a mere anchor, the block that begins there. Notes must be kept, and so must the references.

    references   links that look like references
    spans        the elements that are notes
    back_links   what leads back from them
    find         all of it, put together: start here
    model        what comes of it
"""

from __future__ import annotations

from thresher.analysis.footnotes.find import find_footnotes
from thresher.analysis.footnotes.model import NO_FOOTNOTES, Footnotes, Note
from thresher.analysis.footnotes.references import is_bracketed

__all__ = ["NO_FOOTNOTES", "Footnotes", "Note", "find_footnotes", "is_bracketed"]
