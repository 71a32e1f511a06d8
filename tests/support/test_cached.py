"""A cached property or view is computed once and makes no thread, and no forked process, wait."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event, Thread

import pytest

from tests.test_architecture import MODULES, imports_of, tree_of
from thresher.support.cached import cached_lookup, cached_property, cached_view

_FORK_WHILE_THREADS_EXTRACT = """
import os, signal, threading, warnings
import thresher
warnings.simplefilter("ignore")  # Python 3.12 and newer warn of what is tried here
html = "<title>t</title>" + "<h2>w</h2><p>word word <a href=/b>link</a>" * 300
def ask():
    document = thresher.extract(html)
    _ = (document.markdown, document.metadata, document.threads, document.blocks)
ask()
done = False
def go_on():
    while not done:
        ask()
threads = [threading.Thread(target=go_on) for _ in range(4)]
for thread in threads:
    thread.start()
statuses = []
for _ in range(12):
    child = os.fork()
    if not child:
        signal.alarm(60)  # ends it where it hangs
        ask()
        os._exit(0)
    statuses.append(os.waitpid(child, 0)[1])
done = True
for thread in threads:
    thread.join()
print(statuses)
"""


class Slow:
    """An object with a property that blocks until an event is set."""

    def __init__(self, begun: Event, go_on: Event) -> None:
        self.begun, self.go_on = begun, go_on
        self.n_computed = 0

    @cached_property
    def view(self) -> object:
        """Some view."""
        self.begun.set()
        self.go_on.wait(60)
        self.n_computed += 1
        return object()


def test_property_is_computed_once() -> None:
    """It is kept in the object, and says what it is."""
    free = Event()
    free.set()
    slow = Slow(Event(), free)
    assert slow.view is slow.view
    assert 1 == slow.n_computed
    assert "Some view." == Slow.view.__doc__
    del slow.__dict__["view"]
    assert slow.view
    assert 2 == slow.n_computed


class Field:
    """An object that a view can be of."""


def test_view_is_computed_once_for_each_object() -> None:
    """It is kept in the object, also where it is None, and stays a function with its docstring."""
    asked = []

    @cached_view
    def find_nothing(owner: Field) -> None:
        """Find nothing."""
        asked.append(owner)

    one, other = Field(), Field()
    for field in (one, other, one):
        assert find_nothing(field) is None
    assert [one, other] == asked
    assert "Find nothing." == find_nothing.__doc__
    assert [None] == list(vars(one).values())


def test_view_that_fails_is_computed_again() -> None:
    """A view that raises must cache nothing and be computed again."""
    outcomes = iter([ValueError("later"), None])

    @cached_view
    def find(owner: Field) -> str:
        """Find it the second time."""
        if error := next(outcomes):
            raise error
        return "found"

    field = Field()
    with pytest.raises(ValueError, match="later"):
        find(field)
    assert "found" == find(field)


def test_other_objects_do_not_wait() -> None:
    """While a thread computes the view of one object, another has that of its own at once."""
    begun, never, free = Event(), Event(), Event()
    free.set()
    first = Slow(begun, never)
    thread = Thread(target=lambda: first.view)
    thread.start()
    assert begun.wait(60)
    assert Slow(Event(), free).view
    assert thread.is_alive()
    never.set()
    thread.join()


def test_the_first_value_stays_when_two_compute() -> None:
    """Whoever has seen a view will see no other."""
    begun, go_on = Event(), Event()
    slow = Slow(begun, go_on)
    views: list[object] = []
    threads = [Thread(target=lambda: views.append(slow.view)) for _ in range(4)]
    for thread in threads:
        thread.start()
    begun.wait(60)
    go_on.set()
    for thread in threads:
        thread.join()
    assert {id(slow.view)} == {id(view) for view in views}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_fork_while_threads_extract_can_extract() -> None:
    """No lock of ours is held by a thread that the child does not have."""
    command = [sys.executable, "-c", _FORK_WHILE_THREADS_EXTRACT]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert f"{[0] * 12}\n" == ran.stdout


@pytest.mark.slow
def test_views_of_pages_take_no_lock() -> None:
    """No module uses the property of the standard library."""
    users = {name for name in MODULES if "functools.cached_property" in imports_of(tree_of(name))}
    assert users <= {"cached"}


class Reader:
    """An object whose lookups are counted."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    @cached_lookup
    def read(self, name: str, size: int) -> str | None:
        """Read something."""
        self.asked.append((name, size))
        return name[:size] or None


def test_a_lookup_is_computed_once_for_each_object_and_arguments() -> None:
    """Also if the result is None."""
    one, other = Reader(), Reader()
    for reader in (one, other, one):
        found = [reader.read(name, size) for name in ("", "sheaf") for size in (2, 3, 2)]
        assert [None, None, None, "sh", "she", "sh"] == found
    expected = [("", 2), ("", 3), ("sheaf", 2), ("sheaf", 3)]
    assert expected == one.asked == other.asked
