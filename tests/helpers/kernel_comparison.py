"""Kernels compared with their definitions, on the arguments of their calls."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, ParamSpec, TypeVar
from unittest.mock import patch

import numpy as np

import thresher
from tests.helpers.compiled_steps import compiled_steps, with_steps, without_compiled_steps
from thresher.algorithms import MethodName
from thresher.extraction import document_of
from thresher.features import Features
from thresher.native import Kernel
from thresher.page import Page
from thresher.page.parse import parse
from thresher.writers.fragment.clean import clean_fragment
from thresher.writers.outline.pieces import Pieces

_P = ParamSpec("_P")
_R = TypeVar("_R")
_AnyKernel = Kernel[..., Any]

_VIEWS: Final = (
    *("hidden", "words_before", "link_words_before", "leaves", "leaf_offset", "leaf_words"),
    *("leaf_link_words", "leaf_chars", "gaps", "blocks", "lines", "block_row", "block_offset"),
    *("attributes", "character_codes"),
)
_LEARNED: Final = "thresher.algorithms.learned"
_ROUNDED: Final = {
    "thresher.features.measure_blocks": 1e-9,  # means; tests/features compare all else bit by bit
    f"{_LEARNED}.context.describe_context": 1e-12,  # numpy has its own logarithms
    f"{_LEARNED}.decider._apply_layers": 1e-9,
    f"{_LEARNED}.page_type._score_types": 1e-9,
}
"""Kernels whose sums of floats may differ in the last bits, with the tolerance; callers round."""
_EQUIVALENT: Final[dict[str, Callable[..., Any]]] = {
    # What the step leaves out, the sanitiser removes.
    "thresher.writers.fragment.clean.tidy": lambda tidied, *_: (
        clean_fragment(tidied.encode("utf-8", "surrogatepass"), None).inner_html
    ),
    # Both add the same pieces, in different order.
    "thresher.writers.fragment.slices.put_plain_pieces": lambda edges, outline, pieces, *_: (
        edges,
        pieces.join(outline.page.buffer),
    ),
}
"""What to compare instead of a kernel's result, given that and the arguments."""


def _result_itself(result: Any, *_args: Any) -> Any:
    return result


class Comparison:
    """The calls of kernels that were compared, and the compiled steps that these used."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self._steps = compiled_steps()
        self._is_idle = False

    def compare(self, kernel: _AnyKernel, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a kernel and its definition; AssertionError if the results differ."""
        if self._is_idle:
            return kernel(*args, **kwargs)
        name = name_of(kernel)
        twins = [deepcopy(each) if isinstance(each, Pieces | Features) else each for each in args]
        found = kernel(*args, **kwargs)
        self._is_idle = True
        try:
            with without_compiled_steps():
                expected = kernel.definition(*twins, **kwargs)
                result_of: Callable[..., Any] = _EQUIVALENT.get(name, _result_itself)
                assert_same(
                    result_of(expected, *twins),
                    result_of(found, *args),
                    name,
                    _ROUNDED.get(name, 0.0),
                )
        finally:
            self._is_idle = False
        self.calls[name] += 1
        return found

    def __getattr__(self, name: str) -> Any:
        """Return a compiled step, and note that it is used."""
        step = getattr(self._steps, name)
        self.steps[name] += 1
        return step


def name_of(kernel: _AnyKernel) -> str:
    """Return the name under which a kernel's refusals are counted."""
    return f"{kernel.definition.__module__}.{kernel.definition.__qualname__}"


@cache
def find_kernels() -> dict[str, _AnyKernel]:
    """Return all kernels, by name.

    Writers are imported too, as most are only when they write: a module that is first imported
    during a comparison would keep its wrappers of kernels.
    """
    folder = Path(thresher.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        is_writer = folder / "writers" in file.parents
        if is_writer or "from thresher.native import" in file.read_text(encoding="utf-8"):
            parts = file.relative_to(folder.parent).with_suffix("").parts
            import_module(".".join(part for part in parts if part != "__init__"))
    return {name_of(kernel): kernel for _, _, kernel in _find_references()}


def _find_references() -> Iterator[tuple[ModuleType, str, _AnyKernel]]:
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("thresher."):
            for name, value in list(vars(module).items()):
                if isinstance(value, FunctionType) and "definition" in vars(value):
                    yield module, name, value  # type: ignore[misc]


@contextmanager
def comparing_kernels() -> Iterator[Comparison]:
    """Compare each call of a kernel with its definition, and count them."""
    find_kernels()
    comparison = Comparison()
    with ExitStack() as stack:
        for module, name, kernel in _find_references():
            stack.enter_context(patch.object(module, name, _wrap(comparison, kernel)))
        stack.enter_context(with_steps(comparison))
        yield comparison
        comparison._is_idle = True  # for modules first imported here, which keep the wrapper


def _wrap(comparison: Comparison, kernel: _AnyKernel) -> Callable[..., Any]:
    return lambda *args, **kwargs: comparison.compare(kernel, args, kwargs)


def compare_page(html: str) -> Page:
    """Compare what reads a page and its views."""
    with comparing_kernels():
        page = parse(html)
        for view in _VIEWS:
            getattr(page, view)
        page.attributes.named("class")
    return page


def compare_writing(html: str, method: MethodName = "learned") -> None:
    """Compare what selects the content of a page, and writes it."""
    with comparing_kernels():
        document = document_of(thresher.select(parse(html), method))
        for name in ("markdown", "text", "html"):
            document.write(name)


def call_both(kernel: Kernel[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
    """Call a kernel and its definition; return the result, AssertionError if the two differ."""
    found = kernel(*args, **kwargs)
    assert_same(kernel.definition(*args, **kwargs), found, name_of(kernel))
    return found


def assert_same(expected: Any, found: Any, name: str, tolerance: float = 0.0) -> None:
    """Compare results by bits, or up to a tolerance, and their types and shapes."""
    if isinstance(expected, np.ndarray):
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape), name
        if tolerance and expected.dtype.kind == "f":
            np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=name)
        else:
            np.testing.assert_array_equal(expected, found, name)
        return
    assert type(expected) is type(found), name
    if isinstance(expected, tuple | list):
        for theirs, ours in zip(expected, found, strict=True):
            assert_same(theirs, ours, name, tolerance)
    elif is_dataclass(expected):
        for field in fields(expected):
            ours = getattr(found, field.name)
            assert_same(getattr(expected, field.name), ours, name, tolerance)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=name)
    else:
        assert expected == found, name
