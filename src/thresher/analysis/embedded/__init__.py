"""Content that is not in plain sight: texts in a page's script data; no script is run.

scripts    the scripts that may hold text, and the values in them
json_ld    texts that JSON-LD gives for the page
flight     Next.js's stream of rows, put together
state      the main text in an application's data
rich_text  text as data → HTML
read       all of it: page → texts
attach     a page with texts as rows behind its own
complete   a selection, with the text that its page lacks
model      Embedded
"""

from __future__ import annotations

from thresher.analysis.embedded.attach import attach
from thresher.analysis.embedded.complete import complete
from thresher.analysis.embedded.model import Embedded
from thresher.analysis.embedded.read import read_embedded
from thresher.page import Origin

__all__ = ["Embedded", "Origin", "attach", "complete", "read_embedded"]
