"""What is loaded on first use is the same as if it had been loaded before."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import thresher
from thresher.support.late import compile_late

PACKAGES = (
    *("thresher", "thresher.algorithms.crunch", "thresher.document"),
    *("thresher.filters", "thresher.page", "thresher.rendering", "thresher.sites"),
)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_has_a_home(name: str) -> None:
    """Each name of ``__all__`` is in ``dir()``, and is the object that its home defines."""
    package = import_module(name)

    assert set(package.__all__) <= set(dir(package))
    for module, names in package._MODULES.items():
        for public, _, own in (name.partition(":") for name in names.split()):
            assert public in package.__all__
            assert getattr(import_module(module), own or public) is getattr(package, public)


@pytest.mark.parametrize("name", PACKAGES)
def test_no_name_is_also_a_module(name: str) -> None:
    """No module stands under a public name of its package, which its import would replace."""
    package = import_module(name)
    folders = [Path(folder) for folder in package.__path__]

    taken = {file.stem for folder in folders for file in folder.iterdir()}
    assert set() == taken & set(package.__all__)


def test_unknown_name_is_refused() -> None:
    """What a package does not have is an AttributeError, as for any module."""
    with pytest.raises(AttributeError, match="module 'thresher' has no attribute 'winnow'"):
        _ = thresher.winnow  # type: ignore[attr-defined]


def test_the_methods_are_those_of_the_pattern() -> None:
    """A late pattern finds what the pattern finds, with its flags."""
    late = compile_late("(a+)b", re.IGNORECASE)
    found = late.search("xAAb")
    assert found is not None
    assert found[1] == "AA"
    assert late.sub("", "AabcAB") == "c"
    assert late.pattern == "(a+)b"


def test_an_invalid_pattern_raises_when_it_is_used() -> None:
    """Nothing is compiled before the first use."""
    late = compile_late(b"(")
    with pytest.raises(re.error):
        late.search(b"x")
