"""Members of groups, raised to the highest ancestors with one member each.

So `div.text` and `td.author` of the same posts lead to the same rows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.similar_siblings import RowGroups
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.rows import BoolArray

__all__ = ["MAX_LEVELS_UP", "GroupMembers", "raise_groups"]

_Rows = npt.NDArray[np.int64]

MAX_LEVELS_UP: Final = 8
"""Most levels that a member is raised."""


class GroupMembers(NamedTuple):
    """The members of one group."""

    rows: _Rows
    raised: _Rows
    """Where they are raised to; the rows themselves unless they are beside each other."""
    is_beside: bool
    """True for several members of which none is inside another."""


def _raise_groups_by_step(
    steps: Steps, page: Page, groups: RowGroups, member: BoolArray
) -> list[GroupMembers] | None:
    n_room = int((groups.stop - groups.start).sum())
    columns = (groups.rows, groups.start, groups.stop, member, page.parent, page.end)
    found = steps.raise_groups(*columns, MAX_LEVELS_UP, n_room)
    if found is None:
        return None
    (members, raised), sizes, is_beside = found
    stops = sizes.cumsum()
    spans = zip((stops - sizes).tolist(), stops.tolist(), is_beside.tolist(), strict=True)
    return [
        GroupMembers(members[first:last], raised[first:last], beside)
        for first, last, beside in spans
    ]


@kernel_with(_raise_groups_by_step)
def raise_groups(page: Page, groups: RowGroups, member: BoolArray) -> list[GroupMembers]:
    """Find the members of each group, which are its flagged rows, and raise them."""
    found = []
    for first, last in zip(groups.start.tolist(), groups.stop.tolist(), strict=True):
        members = groups.rows[first:last]
        members = members[member[members]]
        is_beside = members.size > 1 and bool((page.end[members[:-1]] <= members[1:]).all())
        raised = _raise_members(page, members) if is_beside else members
        found.append(GroupMembers(members, raised, is_beside))
    return found


def _raise_members(page: Page, rows: _Rows) -> _Rows:
    """Raise members to the highest ancestors with one member each, as far as most of them go."""
    members = rows
    for _ in range(MAX_LEVELS_UP):
        parent = page.parent.take(rows)
        held = members.searchsorted(page.end.take(parent)) - members.searchsorted(parent)
        alone = (parent >= 0) & (held == 1)
        if 2 * np.count_nonzero(alone) < rows.size:
            break
        rows = np.where(alone, parent, rows)
    return rows
