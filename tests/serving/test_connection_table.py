"""Who may have one more connection."""

from __future__ import annotations

import logging

import pytest

from thresher.serving.connection_table import ConnectionTable, source_of_client
from thresher.serving.limits import ConnectionLimits
from thresher.serving.seldom import SeldomLog


def test_an_address_has_a_share_of_the_connections() -> None:
    """A client elsewhere has its limit, and those of others stay open."""

    class Connection:
        """Stand-in for a connection."""

        def __init__(self, source: str, since_s: float) -> None:
            self.source, self.waiting_since_s = source, since_s
            self.is_open = self.is_dispensable = True

        def give_up(self) -> None:
            """Close."""
            self.is_open = False

        def check(self, limits: ConnectionLimits) -> None:
            """Do nothing."""

    limits = ConnectionLimits(max_connections=6, max_per_client=2)
    table = ConnectionTable(limits, SeldomLog(logging.getLogger("rye")))
    others = [Connection("192.0.2.1", 0.0), Connection("", 0.0)]
    greedy = [Connection("192.0.2.9", number) for number in range(10)]
    admitted = [*others, *greedy]
    assert [True] * 12 == [table.admit(each) for each in admitted]
    assert [True, True] == [each.is_open for each in others]
    assert greedy[-2:] == [each for each in greedy if each.is_open]
    assert 4 == len(table)


@pytest.mark.parametrize(
    ("host", "source"),
    [("127.0.0.1", ""), ("::1", ""), ("192.0.2.1", "192.0.2.1"), ("2001:db8::5", "2001:db8::")],
)
def test_a_client_is_an_address_or_this_machine(host: str, source: str) -> None:
    """Clients on this machine have no source of their own, others that of their address."""
    assert source == source_of_client((host, 1))
    assert "" == source_of_client(None)
