"""The table of starts has each process, compared with importing numpy."""

from __future__ import annotations

from bench.startup import BASE, measure_starts, write_table


def test_table_compares_every_start_with_numpy() -> None:
    """Each process is a row with its clock and CPU time, and numpy's are 0 beyond itself."""
    measured = measure_starts({BASE: ("-c", "pass"), "sums": ("-c", "sum(range(10**6))")}, 1)
    rows = write_table(measured).splitlines()[2:]

    assert [BASE, "sums"] == [start.name for start in measured]
    assert all(start.wall_ms > 0 and start.cpu_ms > 0 for start in measured)
    assert ["0", "0"] == [cell.strip() for cell in rows[0].split("|")[-3:-1]]
    assert rows[1].startswith("| `sums` |")
