"""Answer to one page of a batch, as a line of JSON: its record, or its error in place of one."""

from __future__ import annotations

import json
from collections.abc import Awaitable

from thresher.app.api.record import label_record, write_record
from thresher.app.api.requests import ApiRequest, task_of
from thresher.app.context import AppContext
from thresher.app.problems import describe
from thresher.errors import ThresherError

__all__ = ["answer_line", "write_error"]


async def answer_line(context: AppContext, number: int, request: Awaitable[ApiRequest]) -> bytes:
    """Extract the page of a request that may still have to be parsed; never raises."""
    pages = context.metrics.pages
    label: dict[str, object] = {"line": number}
    try:
        parsed = await request
        label |= parsed.label
        task = await task_of(context, parsed)
        verdict, record = await context.wait_and_work(
            write_record, task, parsed.formats, parsed.options
        )
    except Exception as error:
        pages[type(error).__name__ if isinstance(error, ThresherError) else "Exception"] += 1
        return write_error(label, error)
    pages[verdict] += 1
    return b"%b\n" % label_record(label, record)


def write_error(label: dict[str, object], error: Exception) -> bytes:
    """Write the error of a page as a line, with the fields of its label first."""
    line = json.dumps({**label, "error": describe(error)}, ensure_ascii=False)
    return line.encode("utf-8", "replace") + b"\n"
