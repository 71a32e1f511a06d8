"""Footnotes: detection of references and the notes that they refer to.

A reference is a link with a short mark as its text (a number, one or two letters, a star) that
leads to a note further down. That alone could be a list of pages or a table of contents, so further
evidence is required: it is superscript, in square brackets, has the name or role of a reference, or
the note links back to it. A note is the target element or, if that is an empty anchor, the block
or line that begins there. Marks need no links where the notes end the text, each a raised mark and
a line. Both notes and references must be kept.

    references   links that look like references
    plain_marks  references and notes without links
    inline_notes notes in the sentence
    note_spans   the elements that are notes
    back_links   links from notes back to references
    find         the whole detection: start here
    model        the result
"""

from __future__ import annotations

from thresher.analysis.footnotes.find import find_dropped_notes, find_footnotes
from thresher.analysis.footnotes.model import NO_FOOTNOTES, Footnotes, Note
from thresher.analysis.footnotes.references import is_bracketed

__all__ = [
    "NO_FOOTNOTES",
    "Footnotes",
    "Note",
    "find_dropped_notes",
    "find_footnotes",
    "is_bracketed",
]
