"""Templates with autoescaping."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jinja2", reason="the extra app is not installed")

from jinja2 import UndefinedError

from thresher.serving.templates import load_templates


def test_values_are_escaped_and_must_be_there(tmp_path: Path) -> None:
    """Values are escaped, and undefined values raise an error."""
    (tmp_path / "page.html").write_text("{% if true %}\n<p>{{ said }}</p>\n{% endif %}\n")
    page = load_templates(tmp_path).get_template("page.html")
    assert "<p>&lt;b&gt;</p>\n" == page.render(said="<b>")
    with pytest.raises(UndefinedError):
        page.render()


def test_backticks_of_messages_are_code(tmp_path: Path) -> None:
    """What a message has in backticks is code, escaped like the rest."""
    (tmp_path / "page.html").write_text("{{ said|code }}")
    page = load_templates(tmp_path).get_template("page.html")
    assert "the root <code>&lt;b&gt;</code> is &amp; was" == page.render(
        said="the root `<b>` is & was"
    )
