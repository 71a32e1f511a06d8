"""Work stops soon after its time is up, without side effects."""

from __future__ import annotations

import re
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher.deadline
from tests.helpers.clock import Clock, stop_clock
from thresher.deadline import check_deadline, deadline, find_all, watch
from thresher.errors import LimitError, UsageError


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stop_clock(monkeypatch)


def test_check_raises_after_the_time_is_up(clock: Clock) -> None:
    """The error names the limit in seconds."""
    with pytest.raises(LimitError) as error, deadline(0.001):
        clock.advance(0.005)
        check_deadline()
    assert 0.001 == error.value.limit
    check_deadline()


def test_check_passes_without_a_deadline_and_before_it() -> None:
    """Without a deadline, or with time left, work goes on."""
    check_deadline()
    with deadline(None):
        check_deadline()
    with deadline(60):
        check_deadline()


def test_deadline_inside_another_never_lengthens_it(clock: Clock) -> None:
    """The earlier of two deadlines counts, and the outer one is back after the inner one."""
    with deadline(0.001):
        clock.advance(0.005)
        with pytest.raises(LimitError), deadline(60):
            check_deadline()
    with deadline(60):
        with pytest.raises(LimitError), deadline(0.001):
            clock.advance(0.005)
            check_deadline()
        check_deadline()


def test_deadline_of_one_thread_is_not_anothers(clock: Clock) -> None:
    """A thread past its deadline does not stop other threads."""
    passed = []

    def work() -> None:
        check_deadline()
        passed.append(True)

    with deadline(0.001):
        clock.advance(0.005)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [True] == passed


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_deadline_refuses_what_is_no_time(seconds: float) -> None:
    """A deadline that is not positive is a UsageError."""
    with pytest.raises(UsageError), deadline(seconds):
        pass


def test_watch_yields_everything_and_stops_in_the_middle(clock: Clock) -> None:
    """A loop over watched items sees all of them, or ends early with the error."""
    assert list(range(1000)) == list(watch(range(1000)))
    seen = []
    with pytest.raises(LimitError), deadline(0.01):
        for item in watch(range(10**6)):
            seen.append(item)
            if item == 1000:
                clock.advance(0.02)
    assert 1000 < len(seen) < 2000


@given(st.text("ab:1 \n", max_size=60), st.integers(1, 9))
def test_find_all_finds_what_finditer_finds(text: str, between: int) -> None:
    """Wherever a piece ends, the same matches are found, in order, none of them twice."""
    pattern = re.compile(r":(?=\s{0,2}(a|b1))|[ab]{1,3}(?<!ba)")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thresher.deadline, "_CHARS_BETWEEN", between)
        found = [match.span() for match in find_all(pattern, text, 5)]
    assert [match.span() for match in pattern.finditer(text)] == found


def test_find_all_stops_where_nothing_matches(clock: Clock) -> None:
    """A long text without a match is searched in pieces, and the time can run out between them."""
    with pytest.raises(LimitError), deadline(0.01):
        clock.advance(0.02)
        next(find_all(re.compile("b"), "a" * 10**7, 1))
