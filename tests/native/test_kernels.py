"""Kernels give the results of their definitions, with the compiled steps and without."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.clock import stop_clock
from tests.helpers.compiled_steps import needs_steps, with_steps, without_compiled_steps
from tests.helpers.fixture_pages import PAGES
from tests.helpers.hostile import SHAPES
from tests.helpers.kernel_comparison import (
    compare_page,
    compare_writing,
    comparing_kernels,
    find_kernels,
)
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Model
from thresher.deadline import deadline
from thresher.errors import LimitError
from thresher.features import hashing, words
from thresher.native import REFUSALS, Steps, kernel, kernel_with
from thresher.native.table import read_steps
from thresher.page import text

SMALL: Final = 40
REFUSING: Final = {
    "thresher.page.canonical.canonicalise": "markup out of place needs the parser's tree",
    "thresher.writers.markdown.render_markup": "notes, callouts and other rare elements",
    "thresher.writers.fragment.clean.tidy": "elements that the sanitiser does not know",
    "thresher.writers.json.write_all_blocks": "pages shown in another order",
}
"""Kernels that refuse some of the fixture pages, with the reason."""


@kernel
def double(numbers: Any) -> Any:
    return [2 * each for each in numbers]


def _halve_by_step(steps: Steps, number: int) -> int | None:
    return number // 2 if number % 2 == 0 else None


@kernel_with(_halve_by_step)
def halve(number: int) -> int:
    return -1


def test_the_step_of_the_same_name_is_called() -> None:
    """It gets the arguments of the kernel, and its result is returned."""
    with with_steps(SimpleNamespace(double=sum)):
        assert 3 == double([1, 2])


def test_the_definition_is_called_without_steps() -> None:
    """Both by the kernel and by its name."""
    with without_compiled_steps():
        assert [2, 4] == double([1, 2])
    assert [2, 4] == double.definition([1, 2])


def test_refused_inputs_are_computed_by_the_definition_and_counted() -> None:
    """Each refusal counts once, under the name of the kernel."""
    name = f"{__name__}.halve"
    before = REFUSALS[name]
    with with_steps(object()):
        assert [2, -1] == [halve(4), halve(3)]
    assert before + 1 == REFUSALS[name]
    with without_compiled_steps():
        halve(3)
    assert before + 1 == REFUSALS[name]


@pytest.mark.parametrize("run", [double, halve])
def test_every_kernel_looks_at_the_clock_first(
    run: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the time is up, neither the step nor the definition begins."""
    clock = stop_clock(monkeypatch)
    for steps in (None, object()):
        with with_steps(steps), deadline(1), pytest.raises(LimitError):
            clock.advance(2)
            run(0)


def test_kernels_keep_name_and_docstring() -> None:
    """A kernel is documented by its definition."""
    for name, each in find_kernels().items():
        assert name.endswith(f".{each.__name__}")  # type: ignore[attr-defined]
        assert each.__doc__


@needs_steps
def test_every_kernel_equals_its_definition_on_fixture_pages() -> None:
    """Every kernel is called, every step used, and only known kernels refuse a page."""
    before = REFUSALS.copy()
    with comparing_kernels() as comparison:
        for page in PAGES.values():
            html = (page.folder / "page.html").read_bytes()
            for favor in ("balanced", "precision"):
                document = thresher.extract(html, favor=favor)
            for name in thresher.FORMATS:
                document.write(name)
            text.count_words(document.page.text, document.page.text_offset)
            # Only weights with an embedding of words ask for them.
            words.read_words(document.page)
        assert Model.load(SHIPPED_MODEL).indices.size
        # Hashes of names are kept from page to page; the name in its module is compared.
        assert hashing.hash_runs(np.arange(4, dtype=np.uint8), np.array([0]), np.array([4])).size
    assert set(find_kernels()) == set(comparison.calls)
    assert {step.name for step in read_steps()} == set(comparison.steps)
    refused = {name for name, count in REFUSALS.items() if count > before[name]}
    assert set(REFUSING) == refused


CHARACTERS: Final = st.text(max_size=60).map(lambda text: f"<p>{text}<b>{text}&amp;\u00a0&lt;</b>")


@needs_steps
@given(soups() | CHARACTERS)
def test_kernels_equal_their_definitions_on_soup(html: str) -> None:
    """The same for whatever tag soup, and for characters of every size in UTF-8."""
    compare_page(html)


@pytest.mark.slow
@needs_steps
@given(soups())
def test_kernels_equal_their_definitions_when_soup_is_written(html: str) -> None:
    """The same for the choice of blocks, and for writers."""
    compare_writing(html)


@needs_steps
@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
def test_kernels_equal_their_definitions_on_nasty_pages(html: str) -> None:
    """The same for pages made to trip a scanner."""
    compare_page(html)
    compare_writing(html)


@needs_steps
@pytest.mark.parametrize("name", SHAPES)
def test_kernels_equal_their_definitions_on_hostile_shapes(name: str) -> None:
    """The same for pages made to hurt."""
    compare_page(SHAPES[name].build(SMALL))


@needs_steps
def test_comparison_finds_a_wrong_step() -> None:
    """A step with another result ends the comparison."""
    with comparing_kernels() as comparison:
        right = comparison.group_leaves
        vars(comparison)["group_leaves"] = lambda *given: (*right(*given)[:2], 0)
        with pytest.raises(AssertionError, match="group_leaves"):
            compare_page("<p>The town built a wall.")


def test_steps_can_be_left_unused() -> None:
    """With THRESHER_NATIVE=0 in the environment, numpy does everything."""
    code = (
        "from thresher.native import kernels; from thresher import extract;"
        "assert kernels.steps is None; print(extract('<p>The town built a wall.').text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "THRESHER_NATIVE": "0"},
        capture_output=True,
        check=True,
        text=True,
    )
    assert "The town built a wall." == done.stdout.strip()


SMALLEST_STACK_BYTES = 128 * 1024
"""Default stack size of a thread with musl."""


def test_extraction_does_with_the_stack_of_small_threads() -> None:
    """A page is read, chosen from and written in every format in a thread with little stack."""
    program = f"""
import threading, thresher
page = open({str(PAGES["news-article"].folder / "page.html")!r}, "rb").read()
done = []
def work():
    document = thresher.extract(page)
    done.append([document.write(format) for format in thresher.FORMATS])
threading.stack_size({SMALLEST_STACK_BYTES})
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert done and all(done[0])
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
