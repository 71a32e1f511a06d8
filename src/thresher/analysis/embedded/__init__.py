"""Embedded content: texts in a page's script data. No script is run.

scripts    the values in scripts that may contain text
json_ld    texts that JSON-LD gives for the page
flight     Next.js's stream of rows, reassembled
state      the main text in an application's data
rich_text  text as data → HTML
read       all of these: page → texts
attach     a page with texts appended as rows
complete   a selection with the text that its page lacks
model      Embedded
"""

from __future__ import annotations

from thresher.analysis.embedded.attach import attach
from thresher.analysis.embedded.complete import complete
from thresher.analysis.embedded.model import Embedded
from thresher.analysis.embedded.read import read_embedded
from thresher.page import Origin

__all__ = ["Embedded", "Origin", "attach", "complete", "read_embedded"]
