"""TeX in images, scripts and marked texts."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import thresher
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName
from thresher.writers.math.tex import (
    MAYBE_TEX,
    drop_tex_links,
    find_forms,
    find_marked_texts,
    is_script,
    read_script,
    read_tex_of_image,
    unwrap_tex,
)
from thresher.writers.outline.content import read_content


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("$a$", "a"),
        ("$$ a $$", "a"),
        ("\\(a\\)", "a"),
        ("\\[a\\]", "a"),
        ("{\\displaystyle a}", "a"),
        ("$\\(a\\)$", "a"),
        ("$a$ and $b$", "$a$ and $b$"),
        ("{\\displaystyle a}+{b}", "{\\displaystyle a}+{b}"),
        ("$$", "$$"),
        ("a", "a"),
    ],
)
def test_delimiters_are_removed_when_they_are_a_pair(tex: str, expected: str) -> None:
    """Only delimiters around the whole may be removed, and never everything."""
    assert expected == unwrap_tex(tex)


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


MARKED: Final[dict[str, list[tuple[str, bool]]]] = {
    "<math-renderer>$a^2$</math-renderer>": [("a^2", False)],
    '<code class="math js-render-math" data-math-style=inline>a_1</code>': [("a_1", False)],
    "<code data-math-style=inline>a_1</code>": [("a_1", False)],
    '<pre data-math-style="display"><code>a_1</code></pre>': [],
    "<math-renderer class=js-display-math>$$a\nb$$</math-renderer>": [("a b", True)],
    "<span class='math inline'>\\(x\\)</span>": [("x", False)],
    "<div class='math notranslate'>\\[x\\]</div>": [("x", True)],
    "<div class=arithmatex>\\begin{align}x\\end{align}</div>": [
        ("\\begin{align}x\\end{align}", True)
    ],
    "<script src=katex.js></script><span class='math display'>x_2</span>": [("x_2", True)],
    "<span class='math display'>x_2</span>": [],
    "<span class=math>Maths</span>": [],
    "<span class=math>$5 <b>or</b> 6$</span>": [],
    "<pre><span class=math>$5$</span></pre>": [],
    "<p class=aftermath>$5$": [],
    "<div class=math><span class=eqno>(2)</span>\\[x\\]</div>": [("x", True)],
}


@pytest.mark.parametrize(("html", "expected"), MARKED.items())
def test_formula_is_found_when_its_element_marks_it(
    html: str, expected: list[tuple[str, bool]]
) -> None:
    """The only text of a marked element is a formula if it is between delimiters."""
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    assert expected == [*find_marked_texts(page, keep).values()]


def test_other_dollars_stay_dollars() -> None:
    """Only the marked text is a formula, in a page that names no script for formulas."""
    html = "<p>It is <math-renderer>$a$</math-renderer>.<p>From $5 or 6$."
    text = thresher.extract(html, method="keep_all").markdown
    assert "It is $a$.\n\nFrom \\$5 or 6$." == text


PREVIEW = "<span class=MathJax_Preview>[n]</span>"
DRAWN = "<span class=MathJax><nobr><i>n</i><b>²</b></nobr></span>"
WITH_MATHML = (
    "<span class=MathJax><i>n</i><span class=MJX_Assistive_MathML><math><mi>n</mi></math></span>"
    "</span>"
)
CHTML = "<span class='mjx-chtml MathJax_CHTML' id=MathJax-Element-1-Frame><i>n</i>²</span>"
SCRIPT = "<script type='math/tex'>n^2</script>"
DISPLAY = "<script type='math/tex; mode=display'>n^2</script>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (SCRIPT, ("n^2", False)),
        (DISPLAY, ("n^2", True)),
        ("<script type=math/tex>% <![CDATA[\na < b %]]></script>", ("a < b", False)),
        ("<script type=math/tex> </script>", None),
        ("<script type=math/asciimath>n^2</script>", None),
    ],
)
def test_tex_is_read_when_a_script_holds_it(html: str, expected: tuple[str, bool] | None) -> None:
    """The TeX must come on one line, without its protection, and only if it is TeX."""
    page = parse(f"<p>x{html}")
    row = page.tag.tolist().index(CODE_OF["math"])
    assert is_script(page, row)
    assert expected == read_script(page, row)


def test_forms_are_those_directly_before_the_script() -> None:
    """Previews and renderings belong to it up to the first element of another kind."""
    page = parse(f"<p>{DRAWN}<b>x</b>{PREVIEW} {DRAWN}\n{SCRIPT}")
    row = page.tag.tolist().index(CODE_OF["math"])
    classes = [page.attr(form, "class") for form in find_forms(page, row)]
    assert ["MathJax", "MathJax_Preview"] == classes
    page = parse(f"<p>{DRAWN}, {SCRIPT}")
    assert [] == find_forms(page, page.tag.tolist().index(CODE_OF["math"]))


@pytest.mark.parametrize("before", ["", PREVIEW, DRAWN, PREVIEW + DRAWN, WITH_MATHML, CHTML])
def test_formula_is_written_once_when_it_is_also_rendered(before: str) -> None:
    """Exactly one of preview, rendering, MathML and script must be written, in every format."""
    document = document_keeping(f"<p>Of {before}{SCRIPT} sacks.")
    assert "Of $n^2$ sacks." == document.markdown
    assert "Of n^2 sacks." == document.text
    assert 1 == document.write("html").count("<math")
    assert '<p>Of <formula notation="TeX">n^2</formula> sacks.</p>' in document.write("tei")


def test_formula_is_whole_when_one_form_is_kept() -> None:
    """Whichever form was kept, the script is written; if none was kept, none is written."""
    page = parse(f"<p>x{DRAWN}{SCRIPT}</p>")
    content = read_content(page, np.array([True, True, False, False]))
    assert content.keep.all()
    assert ["n^2"] == [formula.tex for formula in content.formulas.values()]
    content = read_content(page, np.array([True, False, False, False]))
    assert [True, False, False, False] == content.keep.tolist()
