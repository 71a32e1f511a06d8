"""Delete boilerplate: ads, link lists, links and pictures, form fields, empty tables.

Source: Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML Documents", WWW 2003,
sections 3 and 4.2.
Idea: content is not found, boilerplate is removed. A depth-first walk applies a list of filters to
every element before its children (`filters.FILTERS`); deleted elements are not visited again. Three
filters remove: elements that link to an advertiser's host; links and text of cells with more than
0.25 links per word outside links, five letters being a word; tables that the others left without
substance, from the inside out. The others remove tags.
Score: limit − links per word, of the deleted cell, otherwise of the innermost enclosing one; limit
without a cell. So content is at 0 and above as far as links are concerned.
Departures and known failures: docs/algorithms/crunch.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.algorithms.crunch.params import Params
    from thresher.algorithms.crunch.removal import select

__all__ = ["Params", "select"]

_MODULES: Final = {
    "thresher.algorithms.crunch.params": "Params",
    "thresher.algorithms.crunch.removal": "select",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
