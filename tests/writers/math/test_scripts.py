"""Formulas in scripts, next to their rendered forms."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.math.tex import find_forms, is_script, read_script
from thresher.writers.outline.content import read_content

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


def test_displayed_formula_stands_alone() -> None:
    """A rendering in a block of its own and the script after it must be one formula."""
    document = document_keeping(f"<p>So:</p><div class=MathJax_Display>{DRAWN}</div>{DISPLAY}<p>x")
    assert "So:\n\n$$n^2$$\n\nx" == document.markdown
    assert "So:\n\nn^2\n\nx" == document.text


def test_formula_is_whole_when_one_form_is_kept() -> None:
    """Whichever form was kept, the script is written; if none was kept, none is written."""
    page = parse(f"<p>x{DRAWN}{SCRIPT}</p>")
    content = read_content(page, np.array([True, True, False, False]))
    assert content.keep.all()
    assert ["n^2"] == [formula.tex for formula in content.formulas.values()]
    content = read_content(page, np.array([True, False, False, False]))
    assert [True, False, False, False] == content.keep.tolist()


def test_other_languages_are_text() -> None:
    """AsciiMath is not TeX: without MathML beside it, it must be written unchanged."""
    document = document_keeping("<p>Of <script type=math/asciimath>n/2</script> sacks.")
    assert "Of n/2 sacks." == document.markdown
    assert "Of n/2 sacks." == document.text
