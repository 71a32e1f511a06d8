"""Packages that import their names on first use offer the same as if they had imported them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import thresher

PACKAGES = (
    *("thresher", "thresher.algorithms.crunch", "thresher.chunking", "thresher.document"),
    *("thresher.filters", "thresher.page", "thresher.sites"),
)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_has_a_home(name: str) -> None:
    """Each name of ``__all__`` is in ``dir()``, and is the object that its home defines."""
    package = import_module(name)

    assert set(package.__all__) <= set(dir(package))
    assert set(package._HOMES) <= set(package.__all__)
    for public, home in package._HOMES.items():
        module, _, own_name = home.partition(":")
        assert getattr(import_module(module), own_name or public) is getattr(package, public)


@pytest.mark.parametrize("name", PACKAGES)
def test_no_name_is_also_a_module(name: str) -> None:
    """No module stands under a public name of its package, which its import would replace."""
    package = import_module(name)
    folders = [Path(folder) for folder in package.__path__]

    taken = {file.stem for folder in folders for file in folder.iterdir()}
    assert set() == taken & set(package._HOMES)


def test_unknown_name_is_refused() -> None:
    """What a package does not have is an AttributeError, as for any module."""
    with pytest.raises(AttributeError, match="module 'thresher' has no attribute 'winnow'"):
        _ = thresher.winnow  # type: ignore[attr-defined]


def test_all_names_are_imported_at_once() -> None:
    """``from thresher import *`` brings every public name."""
    names: dict[str, object] = {}
    exec("from thresher import *", names)
    assert set(thresher.__all__) <= set(names)
