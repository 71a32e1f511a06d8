"""The style sheet and its markup use the same names."""

from __future__ import annotations

import re

import pytest

from tests.explain.test_explanation import PAGE, explain_page
from tests.helpers import judged
from thresher.algorithms import ALGORITHMS
from thresher.explain.page import write_explanation
from thresher.explain.style import STYLE

REPORTS = "".join(
    write_explanation(explain_page(html, "max_density", degree=degree))
    for html in (PAGE, "<p></p>", "<p>word</p><img src=a.png>")
    for degree in (0, 1)
).replace(STYLE, "")


def test_style_has_no_rule_for_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every class and every name that the style sheet speaks of is in some report."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    learned = write_explanation(explain_page(PAGE, "judged"))
    used = set(re.findall(r"""class=["']?([\w -]+)""", REPORTS + learned))
    classes = {name for names in used for name in names.split()}
    rules = re.sub(r"\{[^{}]*\}", " ", STYLE)
    assert set(re.findall(r"\.([a-z]+)", rules)) <= classes
    assert all(f"id={name}" in REPORTS for name in re.findall(r"#([a-z-]+)", rules))


def test_style_loads_nothing() -> None:
    """No rule loads a file."""
    assert "url(" not in STYLE
    assert "@import" not in STYLE


def test_style_has_two_colour_schemes() -> None:
    """Every colour of the light scheme that is named has its like in the dark one."""
    light, dark = re.findall(r":root\{([^}]*)\}", STYLE)
    names = re.compile(r"--[a-z]+")
    assert names.findall(light) == names.findall(dark)
