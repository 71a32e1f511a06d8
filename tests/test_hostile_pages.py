"""The pages made to hurt, in small: every method and every format must bear them."""

from __future__ import annotations

import pytest

import thresher
from tests.helpers.hostile import SHAPES
from thresher.errors import ThresherError

SMALL = 40


@pytest.mark.parametrize("name", SHAPES)
def test_shape_doubles_with_its_number(name: str) -> None:
    """A shape of twice the size is a page nearly twice as long."""
    one, two = (len(SHAPES[name].build(n)) for n in (2000, 4000))
    assert 1.3 < two / one < 2.4


@pytest.mark.parametrize("method", thresher.ALGORITHMS)
@pytest.mark.parametrize("name", SHAPES)
def test_every_method_bears_it(name: str, method: str) -> None:
    """A method keeps something or nothing of a hostile page, and raises nothing of its own."""
    page = thresher.read_page(SHAPES[name].build(SMALL))
    selection = thresher.select(page, method)
    assert selection.keep.size == page.leaves.size


@pytest.mark.parametrize("format", thresher.FORMATS)
@pytest.mark.parametrize("name", SHAPES)
def test_every_writer_bears_it(name: str, format: str) -> None:
    """Whatever a hostile page has is written, twice the same."""
    html = SHAPES[name].build(SMALL)
    options = thresher.WriteOptions(metadata=True, removed_links=True)
    first, second = (
        thresher.extract(html, method="keep_all").write(format, options) for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize("name", SHAPES)
def test_deadline_is_kept_or_work_is_done(name: str) -> None:
    """With hardly any time there is a document or a LimitError, and nothing in between."""
    try:
        document = thresher.extract(SHAPES[name].build(SMALL), deadline_s=0.0005)
    except ThresherError as error:
        assert isinstance(error, thresher.LimitError)
    else:
        assert document.limit is None
