r"""No formula may contain a link, however the page writes it."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName
from thresher.writers.math.tex import drop_tex_links

TEX = {
    r"\href{javascript:boom()}{x}+1": "{x}+1",
    r"\href {javascript:boom()} {x}": "{x}",
    r"a \url{javascript:boom()} b": "a {javascript:boom()} b",
    r"\htmlStyle{background:url(x)}{y}": "{y}",
    r"\htmlData{onclick=boom()}{y} \class{a}{z}": "{y} {z}",
    r"\require{html}\style{x}{y}": "{y}",
    r"\includegraphics[width=1em]{a.png}": "[width=1em]{a.png}",
    r"\csname href\endcsname{javascript:boom()}{x}": r"href\endcsname{javascript:boom()}{x}",
    r"\let\h\href \h{javascript:boom()}{x}": r"\let\h \h{javascript:boom()}{x}",
    r"\hr\href{a}ef{javascript:boom()}{x}": r"\hr ef{javascript:boom()}{x}",
    r"\hrefs x \styles \displaystyle x": r"\hrefs x \styles \displaystyle x",
    r"\frac{a}{b}": r"\frac{a}{b}",
}
PICTURE = r"<p>x <img class=tex src=a.png alt='\href{javascript:boom()}{x}^2'> y"
"""The alternative text is a formula in text formats, and an alternative text in others."""
PAGES = (
    r"<p>x <script type='math/tex'>\href{javascript:boom()}{x}</script> y",
    r"<script src=mathjax.js></script><p>x \(\alpha\href{javascript:boom()}{x}\) y",
    r"<p>x <span data-tex='\href{javascript:boom()}{x}'>x</span> y",
    "<p>x <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>"
    r"\href{javascript:boom()}{x}</annotation></semantics></math> y",
    "<p>x <math><semantics><mi>x</mi><annotation encoding='text/x-tex'>"
    r"\href{javascript:boom()}{x}</annotation></semantics></math> y",
)


@pytest.mark.parametrize(("tex", "left"), TEX.items())
def test_commands_that_link_are_removed(tex: str, left: str) -> None:
    """Their displayed content stays, and so do other commands."""
    assert left.split() == drop_tex_links(tex).split()


def test_commands_nested_too_deeply_lose_their_backslash() -> None:
    """No command may remain, even one assembled from the pieces of others."""
    nested = "\\href{a}" * 3 + "\\hr" * 20 + "\\href{a}" + "ef{b}" * 20
    assert "\\href" not in drop_tex_links(nested)


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in ("inplace", "json")])
@pytest.mark.parametrize("page", PAGES)
def test_no_format_has_a_link_in_a_formula(page: str, format: FormatName) -> None:
    """Nor may its URL."""
    written = document_keeping(f"<body>{page}").write(format, WriteOptions(metadata=True))
    assert "\\href" not in written
    assert "\\\\href" not in written


@pytest.mark.parametrize("format", ["markdown", "text"])
def test_no_formula_of_an_image_has_a_link(format: FormatName) -> None:
    """Nor may the alternative text of an image that is written as a formula."""
    assert "\\href" not in document_keeping(f"<body>{PICTURE}").write(format)
