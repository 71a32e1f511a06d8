"""Pages that pass unchanged."""

from __future__ import annotations

import pytest

import thresher
from tests.proxy.site import ARTICLE, PORTAL
from thresher.algorithms import MethodName
from thresher.proxy.passthrough import passthrough_reason

APP = (
    "<!DOCTYPE html><title>App</title><body><noscript>You need to enable JavaScript to run this"
    ' app.</noscript><div id="root"></div><script src="/static/js/main.js"></script></body>'
)


@pytest.mark.parametrize("method", ["learned", "crunch", "keep_all"])
def test_portals_by_any_method(method: MethodName) -> None:
    """Portals are recognized with any method."""
    assert passthrough_reason(thresher.extract(PORTAL, method=method))
    assert passthrough_reason(thresher.extract(ARTICLE, method=method)) is None


def test_applications() -> None:
    """Pages rendered by scripts are recognized."""
    assert "application" in (passthrough_reason(thresher.extract(APP)) or "")


def test_forms() -> None:
    """Pages whose purpose is a form are recognized, with any words beside it."""
    form = "<form>" + "<label>Name<input></label>" * 4 + "<button>Send</button></form>"
    words = "We answer letters within some days of the week. " * 7
    page = f"<title>Contact</title><h1>Contact</h1><p>{words}</p>{form}"
    assert passthrough_reason(thresher.extract(page, method="keep_all")) == "a form"


def test_nothing() -> None:
    """Pages without text have no main content."""
    assert passthrough_reason(thresher.extract("<html><body></body></html>"))
