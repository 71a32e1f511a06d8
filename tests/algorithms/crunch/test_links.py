"""The filters of links and images."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from thresher import Page
from thresher.algorithms.crunch.links import find_image_links, find_images, find_text_links
from thresher.algorithms.crunch.params import Params
from thresher.page.parse import parse

PAGE = parse(
    "<a href=u id=text>x</a><a href=u id=deep><b><img id=in></b>x</a><a id=anchor>x</a>"
    "<img id=out><a href=u id=icon><svg></svg></a>"
)


@pytest.mark.parametrize(
    ("find", "params", "ids"),
    [
        (find_text_links, Params(remove_text_links=True), ["text"]),
        (find_text_links, Params(), []),
        (find_image_links, Params(), ["deep", "icon"]),
        (find_image_links, Params(remove_image_links=False), []),
        (find_images, Params(), ["out"]),
        (find_images, Params(remove_images=False), []),
    ],
)
def test_links_and_images_distinguished_when_filtered(
    find: Callable[[Page, Params], npt.NDArray[np.bool_]], params: Params, ids: list[str]
) -> None:
    """A link around a picture is an image link, at any depth, and its picture is not an image."""
    assert ids == [PAGE.attr(row, "id") for row in find(PAGE, params).nonzero()[0].tolist()]
