"""CSV (RFC 4180): a line of names and a line of the page, for spreadsheets and data frames.

Spreadsheets run a cell that begins like a formula, and pages are written by strangers. Such a cell
gets an apostrophe in front, as OWASP advises ("CSV Injection"); JSON Lines has the text as it is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Final

from thresher.document import Document, WriteOptions
from thresher.writers import text
from thresher.writers.shared.limit import keep_only_limits
from thresher.writers.shared.record import COLUMNS, describe

__all__ = ["name_row", "write"]

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""First characters that a spreadsheet may take for a formula, full-width ones included."""
_LINE_END: Final = "\r\n"
_LIST_SEPARATOR: Final = "; "
"""Stands between several values in a cell."""


def write(document: Document, options: WriteOptions) -> str:
    """Write the names of the columns, and the page below; of the options only limits count."""
    record = describe(document, text.write(document, keep_only_limits(options)))
    return _write_rows([list(COLUMNS), [_spell(record[name]) for name in COLUMNS]])


def name_row(written: str, column: str, name: str, *, header: bool) -> str:
    """Put a first column before what `write` has written; without the header where not wanted."""
    names, end, row = written.partition(_LINE_END)
    named = f"{_write_rows([[_spell(name)]]).removesuffix(_LINE_END)},{row}"
    return f"{column},{names}{end}{named}" if header else named


def _write_rows(rows: Iterable[list[str]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator=_LINE_END).writerows(rows)
    return out.getvalue()


def _spell(value: object) -> str:
    """Spell a value as a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    cell = _LIST_SEPARATOR.join(value) if isinstance(value, list) else str(value)
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell
