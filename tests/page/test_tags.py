"""Tag codes and what they mean for layout."""

from __future__ import annotations

import numpy as np
import pytest
import turbohtml

from thresher.page.tags import (
    ATOMIC,
    BLOCK,
    CODE_OF,
    FALLBACK,
    FORMATTING,
    NAMES,
    OTHER,
    REPLACED,
    TEXT,
    UNRENDERED,
    VOID,
    flags_of,
)


def test_codes_and_names_are_inverse() -> None:
    """Every code has one name, and every name one code."""
    assert list(range(len(NAMES))) == [CODE_OF[name] for name in NAMES]


def test_void_is_what_the_serialiser_leaves_open() -> None:
    """VOID holds exactly the elements whose end tag is not written."""
    for name in NAMES[OTHER + 1 :]:
        element = turbohtml.Element(name)
        assert bool(VOID[CODE_OF[name]]) == (f"</{name}>" not in element.html), name


def test_flags_of_names() -> None:
    """Flags are true at the named codes only, and cannot be changed."""
    flags = flags_of("p br")
    assert sorted([CODE_OF["p"], CODE_OF["br"]]) == np.flatnonzero(flags).tolist()
    assert not flags.flags.writeable


def test_flags_of_an_unknown_name() -> None:
    """A name without a code is a mistake, not silently nothing."""
    with pytest.raises(KeyError, match="blockqoute"):
        flags_of("p blockqoute")


@pytest.mark.parametrize(
    ("inner", "outer"), [(ATOMIC, REPLACED), (ATOMIC, ~BLOCK), (FORMATTING, ~(BLOCK | REPLACED))]
)
def test_kinds_of_tags_nest(inner: np.ndarray, outer: np.ndarray) -> None:
    """A drawing is a leaf and inline; formatting is neither block nor leaf."""
    assert (inner <= outer).all()


@pytest.mark.parametrize("flags", [ATOMIC, BLOCK, FALLBACK, FORMATTING, REPLACED, UNRENDERED, VOID])
def test_texts_and_unknown_elements_are_plain(flags: np.ndarray) -> None:
    """No flag says anything of texts or of elements without a code."""
    assert [False, False] == flags[[TEXT, OTHER]].tolist()
