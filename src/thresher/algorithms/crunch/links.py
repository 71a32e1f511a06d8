"""The link filters and the image filter: links with pictures, other links, other pictures."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.algorithms.crunch.measures import find_links
from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["find_image_links", "find_images", "find_text_links"]


_PICTURE: Final = flags_of("img svg canvas")
"""The paper's images, and today's elements for icons and charts."""


def find_text_links(page: Page, params: Params) -> BoolArray:
    """Flag the links without a picture; bool[n_row]."""
    if not params.remove_text_links:
        return np.zeros(len(page), np.bool_)
    return find_links(page) & ~_holds_picture(page)


def find_image_links(page: Page, params: Params) -> BoolArray:
    """Flag the links with a picture, at any depth; bool[n_row]."""
    if not params.remove_image_links:
        return np.zeros(len(page), np.bool_)
    return find_links(page) & _holds_picture(page)


def find_images(page: Page, params: Params) -> BoolArray:
    """Flag the pictures outside links; the image link filter handles the others."""
    if not params.remove_images:
        return np.zeros(len(page), np.bool_)
    return _PICTURE[page.tag] & ~page.within(find_links(page))


def _holds_picture(page: Page) -> BoolArray:
    return page.subtree_sums(_PICTURE[page.tag]) > 0
