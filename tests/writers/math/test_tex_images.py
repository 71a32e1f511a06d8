"""Images of formulas."""

from __future__ import annotations

import pytest

from thresher.writers.math.tex import MAYBE_TEX, read_tex_of_image

CASES = {
    "named": ({"class": "latex", "alt": "$a^2$"}, "a^2"),
    "of a service": ({"src": "https://blog.example/latex.php?latex=a", "alt": "a"}, "a"),
    "only in the address": ({"src": "https://latex.codecogs.com/svg.image?a%5E2"}, "a^2"),
    "told by its looks": ({"src": "/1.png", "alt": "\\frac{1}{2}"}, "\\frac{1}{2}"),
    "a picture": ({"src": "/mill.png", "alt": "The mill"}, None),
    "a path": ({"src": "/mill.png", "alt": "C:\\new"}, None),
    "nothing said": ({"class": "latex"}, None),
}


@pytest.mark.parametrize(("attrs", "expected"), CASES.values(), ids=list(CASES))
def test_tex_is_read_when_an_image_shows_a_formula(
    attrs: dict[str, str], expected: str | None
) -> None:
    """A class, a service or the alternative text identifies them; other images are not formulas."""
    assert expected == read_tex_of_image(attrs)


@pytest.mark.parametrize("attrs", [attrs for attrs, tex in CASES.values() if tex])
def test_start_tag_is_recognised_when_it_is_of_a_formula(attrs: dict[str, str]) -> None:
    """Each of them must contain one of the strings that are searched for first."""
    tag = "".join(attrs.values()).encode()
    assert any(sign in tag for sign in MAYBE_TEX)
