"""Compare page without scripts."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.app.pages.test_inspect import keep
from thresher.sites import HostRules, Rulebook, Rules, save_rulebook


def test_two_methods_side_by_side(app: TestClient) -> None:
    """The page shows shares, counts and the blocks kept by only one method."""
    path = keep(app).replace("/inspect/", "/compare/")
    text = app.get(f"{path}?a=learned&b=keep_all").text
    for expected in ("Agreement (word F1)", "keep_all keeps", "learned drops", "Both keep"):
        assert expected in text
    assert 'class="only right"' in text
    assert 'class="only left"' not in text


def test_a_method_to_compare_with_is_chosen(app: TestClient) -> None:
    """A missing method is filled in with the default or its counterpart."""
    path = keep(app).replace("/inspect/", "/compare/")
    assert "<title>learned and slope" in app.get(path).text
    assert "<title>bte and learned" in app.get(f"{path}?a=bte").text


def test_an_unknown_method_is_said_to_be(app: TestClient) -> None:
    """An unknown method is reported and replaced by the default."""
    answer = app.get(keep(app).replace("/inspect/", "/compare/") + "?a=magic")
    assert 200 == answer.status_code
    assert "unknown method" in answer.text
    assert 404 == app.get("/compare/gone").status_code


def test_rules_hold_when_asked_for(open_app: OpenApp, tmp_path: Path) -> None:
    """Rules apply only on request."""
    with open_app() as app:
        rules = HostRules(Rules(drop=("article", ".top", ".about", "footer")))
        save_rulebook(Rulebook({"mill.example": rules}), tmp_path / "rules.toml")
        path = keep(app).replace("/inspect/", "/compare/") + "?b=keep_all"
        assert "keep_all keeps" in app.get(path).text
        assert "keep_all keeps" not in app.get(f"{path}&rules=on").text


def test_a_page_without_text(app: TestClient) -> None:
    """A page without text shows a message."""
    path = keep(app, "<title>None</title>").replace("/inspect/", "/compare/")
    assert "has no text" in app.get(path).text
