"""Forms that open a page in Read, Inspect and Compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient

PAGE = "<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn, before the frost.</p>"
VIEWS = ("read", "inspect", "compare")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_takes_html_and_files(
    app: TestClient, post: Callable[..., Any], view: str
) -> None:
    """Pasted HTML and files open in the view whose form they were sent from."""
    for sent in ({"data": {"html": PAGE}}, {"files": {"file": ("a.html", PAGE, "text/html")}}):
        answer = post(app, f"/{view}", **sent)
        assert 303 == answer.status_code
        path = answer.headers["location"]
        assert path.startswith(f"/{view}/")
        assert "Rye" in app.get(path).text


@pytest.mark.parametrize("view", VIEWS)
def test_a_form_comes_back_with_its_problem(
    app: TestClient, post: Callable[..., Any], view: str
) -> None:
    """Where nothing can be opened, the same form is shown with the address and the reason."""
    answer = post(app, f"/{view}", data={"url": "http://127.0.0.1:1/"})
    assert 502 == answer.status_code
    assert f'action="/{view}"' in answer.text
    assert 'value="http://127.0.0.1:1/"' in answer.text
    assert 'role="alert"' in answer.text
    assert 400 == post(app, f"/{view}", data={"url": " "}).status_code


@pytest.mark.parametrize("view", VIEWS)
def test_what_cannot_be_read_comes_back_in_the_form(
    app: TestClient, post: Callable[..., Any], view: str
) -> None:
    """A page that is none is answered with its form: pasted text is in it, a file is named."""
    path = post(app, f"/{view}", data={"html": "%PDF-1.7 typed", "url": "mill.example"})
    answer = app.get(path.headers["location"])
    assert 422 == answer.status_code
    assert f'action="/{view}"' in answer.text
    assert "%PDF-1.7 typed</textarea>" in answer.text
    assert 'value="https://mill.example"' in answer.text
    path = post(app, f"/{view}", files={"file": ("a.html", b"%PDF-1.7", "text/html")})
    answer = app.get(path.headers["location"])
    assert "Choose a.html again" in answer.text


@pytest.mark.parametrize("view", [*VIEWS, "other"])
def test_a_sample_can_be_opened(app: TestClient, view: str) -> None:
    """A sample is there for who has no page at hand, and its boilerplate is left out."""
    path = app.get(f"/sample/{view}").headers["location"]
    assert path.startswith(f"/{view if view in VIEWS else 'read'}/")
    text = app.get(path).text
    assert "The first sack came with a carter" in text
    if view == "read":
        assert "Accept all" not in text and "All rights reserved" not in text
