"""CSV (RFC 4180): a header line and a line for the page, for spreadsheets and data frames.

Spreadsheets execute a cell that begins like a formula, and pages are untrusted. Such a cell gets a
leading apostrophe, as OWASP advises ("CSV Injection"); JSON Lines keeps the text unchanged.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.writers import text
from thresher.writers.jsonl import COLUMNS, describe

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""First characters that a spreadsheet may take for a formula, full-width ones included."""
_LINE_END: Final = "\r\n"


def write(document: Document, options: WriteOptions) -> str:
    """Write the column names and a line for the page; of the options only limits count."""
    plain, _ = text.write_within(document, options)
    record = describe(document, plain)
    return _write_rows([list(COLUMNS), [_format_cell(record[name]) for name in COLUMNS]])


def name_row(written: str, column: str, name: str, *, header: bool) -> str:
    """Add a first column to the output of `write`; without ``header`` drop the column names."""
    names, end, row = written.partition(_LINE_END)
    named = f"{_write_rows([[_format_cell(name)]]).removesuffix(_LINE_END)},{row}"
    return f"{column},{names}{end}{named}" if header else named


def _write_rows(rows: Iterable[list[str]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=_LINE_END).writerows(rows)
    return out.getvalue()


def _format_cell(value: object) -> str:
    """Format a value as a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    cell = "; ".join(value) if isinstance(value, list) else str(value)
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell
