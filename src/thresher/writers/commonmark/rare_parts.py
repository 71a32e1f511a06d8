"""Parts of a fragment that the compiled step leaves to Python: those with rare elements.

A part is a run in a summary, or with code, formulas and the like, a table, a block of code, a list
of definitions or a callout. It is rendered alone, and the step puts it where it belongs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.writers.commonmark.inline import render_run
from thresher.writers.commonmark.renderer import format_code, render_blocks, render_table
from thresher.writers.stream.arranging import join_definitions
from thresher.writers.stream.events import Close, Event, Grid, Open, Preformatted, Rule, Run
from thresher.writers.stream.reader import read_events

_RUN, _HEADING, _TABLE, _CODE, _DEFINITIONS, _SUMMARY, _CALLOUT = range(3, 10)
"""Kinds of parts (`Places` in native/markdown/markdown.h); all but these begin with what they are.
"""
_GIVEN_RUN, _GIVEN_HEADING, _GIVEN_BLOCK, _GIVEN_TABLE, _GIVEN_NOTHING, _GIVEN_CALLOUT = range(6)
"""Kinds of rendered blocks (`Given` in native/markdown/markdown.h)."""


_Block = tuple[int, str]
"""The kind of a rendered block, and its text."""


def render_parts(
    markup: bytes, parts: Sequence[tuple[int, int, int]], base: str | None, *, tracking: bool
) -> tuple[npt.NDArray[np.int64], list[bytes]] | None:
    """Render parts of markup, each given as start, stop and kind; None if one cannot stand alone.

    Returns where the rendered blocks belong in the markup (start, stop and kind; int64[3, n]; of
    several of one part, all but the last are empty), and their Markdown. Other parameters as of
    `render_markup`.
    """
    places: list[tuple[int, int, int]] = []
    texts: list[bytes] = []
    for start, stop, kind in watch(parts):
        text = str(markup[start:stop], "utf-8", "surrogatepass")
        blocks = _render_part(read_events(text, base, tracking=tracking), kind)
        if blocks is None or (_BOX in text and (kind not in _RUNS or not blocks)):
            return None  # also a box that waits for the text of another part
        for given, markdown in blocks or [(_GIVEN_NOTHING, "")]:
            places.append((start, start, given))
            texts.append(markdown.encode("utf-8", "surrogatepass"))
        places[-1] = (start, stop, places[-1][2])
    return np.array(places, np.int64).T.copy(), texts


_BOX: Final = "<input"
_RUNS: Final = (_RUN, _HEADING, _SUMMARY)


def _render_part(events: list[Event], kind: int) -> list[_Block] | None:
    """Return the blocks of a part; None if it is not what its kind says."""
    if kind == _CALLOUT:
        return _render_callout(events)
    if kind == _SUMMARY:
        if not events:
            return []
        is_run = [type(event) for event in events] == [Run]
        summary = [Open("summary", {}), *events, Close("summary")]
        return [(_GIVEN_RUN, render_blocks(summary))] if is_run else None
    if kind == _TABLE:
        events = _open_caption(events)
    elif kind == _DEFINITIONS:
        events = join_definitions(events)
    blocks = list(_render_events(events, in_heading=kind == _HEADING))
    return blocks if len(blocks) == len(events) else None


def _render_callout(events: list[Event]) -> list[_Block] | None:
    """Return a callout as one block; None if its end could matter to what follows."""
    last = next((event for event in reversed(events) if not isinstance(event, Close)), None)
    if not isinstance(last, Run | Preformatted | Rule):
        return None
    return [(_GIVEN_CALLOUT, render_blocks(events))]


def _open_caption(events: list[Event]) -> list[Event]:
    """Return the text of a table's caption and its grid, in place of the caption."""
    if len(events) == 4 and events[0] == Open("caption", {}) and isinstance(events[3], Grid):
        return [events[1], events[3]]
    return events


def _render_events(events: list[Event], *, in_heading: bool) -> Iterator[_Block]:
    """Yield the blocks of runs, code and tables, up to anything else."""
    for event in events:
        if isinstance(event, Run):
            kind = _GIVEN_HEADING if in_heading else _GIVEN_RUN
            yield kind, render_run(event.tokens, in_heading=in_heading)
        elif isinstance(event, Preformatted):
            yield _GIVEN_BLOCK, "\n".join(format_code(event))
        elif isinstance(event, Grid) and (lines := render_table(event.rows)) is not None:
            yield _GIVEN_TABLE, "\n".join(lines)
        else:
            return
