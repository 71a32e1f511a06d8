"""Document: blocks with their evidence, verdict, roles and formats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers import judged
from tests.helpers.harbour import HARBOUR
from tests.helpers.trees import soups
from thresher.algorithms import MethodName
from thresher.analysis.obstacles import ObstacleKind
from thresher.document import Document, PageType, Verdict, WriteOptions
from thresher.page.hidden import Hidden
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.roles import ScopeName
from thresher.writers.formats import FormatName

HTML = (
    "<body><div id=menu><a href=/>Home</a></div>"
    "<div id=story><p>First   line<br>and second.</p><noscript>Without scripts.</noscript></div>"
)


def document_of(html: str, keep: list[bool]) -> Document:
    page = parse(html)
    n_block = len(page.blocks)
    selection = thresher.Selection(
        page,
        "by hand",
        np.array(keep, np.bool_),
        score=np.arange(n_block, dtype=np.float32),
        reason_code=np.zeros(n_block, np.int16),
        reasons=("told so",),
    )
    return Document(page, selection)


def test_blocks_carry_their_evidence_when_listed() -> None:
    """A block has its tag, whether and why it was kept, and where it came from."""
    menu, story, fallback = document_of(HTML, [False, True, True, False]).blocks
    assert (0, "Home", "div", False, 0.0, "told so") == (
        menu.index,
        menu.text,
        menu.tag,
        menu.kept,
        menu.score,
        menu.reason,
    )
    assert ("First line\nand second.", "p", True) == (story.text, story.tag, story.kept)
    assert "/html[1]/body[1]/div[2]/p[1]" == (story.path and story.path.xpath)
    assert story.source is not None
    assert "First   line<br>and second." == HTML[slice(*story.source)]
    assert (Hidden(0), Hidden.NOSCRIPT) == (story.hidden, fallback.hidden)


@pytest.mark.parametrize(
    ("keep", "verdict"),
    [([False, False], Verdict.NO_MAIN_CONTENT), ([False, True], Verdict.CONTENT)],
)
def test_verdict_says_whether_there_is_content(keep: list[bool], verdict: Verdict) -> None:
    """A page of which nothing is kept has no main content; that is a result, not an error."""
    assert verdict is document_of("<p>one<p>two", keep).verdict


NOT_FOUND = "<title>404 Not Found</title><h1>Page not found</h1>"
UNWRITTEN = "<title>Mill</title><div id=root></div><script src=/app.js></script>"


def judge(html: str, **params: object) -> Document:
    """Make a document by a method that judges the page as it is told."""
    return thresher.extract(html, method=judged.select, params=judged.Params(**params))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("page_type", "probability", "verdict"),
    [
        ("listing", 0.5, Verdict.LISTING),
        ("collection", 0.75, Verdict.LISTING),
        ("listing", 0.4375, Verdict.CONTENT),
        ("article", 1.0, Verdict.CONTENT),
        ("forum", 0.75, Verdict.CONTENT),
    ],
)
@pytest.mark.parametrize("scope", thresher.SCOPES)
def test_verdict_says_listing_when_the_page_probably_is(
    page_type: str, probability: float, verdict: Verdict, scope: ScopeName
) -> None:
    """A probable listing or collection has no single main text, whatever the scope."""
    document = judge("<p>one<p>two", page_type=page_type, probability=probability, scope=scope)
    assert verdict is document.verdict


@pytest.mark.parametrize(
    ("html", "verdict"),
    [
        (NOT_FOUND, Verdict.BLOCKED),
        (UNWRITTEN, Verdict.NEEDS_BROWSER),
        ("<p>one<p>two", Verdict.NO_MAIN_CONTENT),
    ],
)
def test_verdict_goes_by_obstacle_then_by_what_is_kept(html: str, verdict: Verdict) -> None:
    """An obstacle outweighs all that is kept, and an empty selection the kind of page."""
    for keeps in (verdict is not Verdict.NO_MAIN_CONTENT, False):
        document = judge(html, page_type="listing", probability=1.0, keeps=keeps)
        assert verdict is document.verdict


ENTRIES = """<h1>Mills</h1><p class=date>2 May 2024<h2><a href=/rye>Rye is ground again</a></h2>
<p class=author>Ada Bell<p class=date>1 May 2024<h2><a href=/oat>Oat is ground again</a></h2>"""


@pytest.mark.parametrize(
    ("head", "page_type", "published"),
    [
        ("", "article", "2024-05-02"),
        ("", "listing", None),
        ("<meta property=article:published_time content=2023-01-09>", "listing", "2023-01-09"),
    ],
)
def test_dates_and_bylines_of_entries_are_not_a_listings(
    head: str, page_type: str, published: str | None
) -> None:
    """On a listing what is only shown is an entry's; what the page states of itself stays."""
    document = judge(head + ENTRIES, page_type=page_type, probability=1.0)
    assert published == document.metadata_values.get("published")
    assert (page_type == "listing") == ("authors" not in document.metadata_values)
    assert published == document.metadata.as_dict().get("published")


def test_obstacle_has_evidence_when_found() -> None:
    """The obstacle is found whatever the method keeps, and there is none on other pages."""
    obstacle = document_of(NOT_FOUND, [True]).obstacle
    assert obstacle is not None
    assert "404 Not Found" in obstacle.evidence
    assert document_of(HTML, [False, True, True, False]).obstacle is None


def test_every_obstacle_is_a_verdict() -> None:
    """No page with an obstacle is left without a verdict."""
    assert {kind.value for kind in ObstacleKind} <= {verdict.value for verdict in Verdict}


def test_judgement_is_the_methods_when_it_judges() -> None:
    """The most probable page type and the confidence are those of the judgement."""
    document = judge("<p>one", page_type="forum", probability=0.625)
    assert (PageType("forum", 0.625), judged.CONFIDENCE) == (
        document.page_type,
        document.confidence,
    )


def test_judgement_is_none_when_the_method_has_none() -> None:
    """Methods that do not judge pages say nothing of them, nor do combined selections."""
    one = judge("<p>one").selection
    for document in (document_of("<p>one", [True]), thresher.document_of(one & one)):
        assert (None, None) == (document.page_type, document.confidence)
        assert Verdict.CONTENT is document.verdict


def test_writer_called_with_options_when_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document is written by the format's writer, with the options it is asked for."""
    seen: list[WriteOptions] = []

    def shout(document: Document, options: WriteOptions) -> str:
        seen.append(options)
        return document.page.text.upper()

    monkeypatch.setattr("thresher.writers.text.write", shout)
    document = document_of("<p>one", [True])
    assert "ONE" == document.text == document.write("text", WriteOptions(links=False))
    assert [WriteOptions(), WriteOptions(links=False)] == seen


def test_usage_error_when_format_is_unknown() -> None:
    """The error for an unknown format lists the known ones."""
    with pytest.raises(thresher.UsageError, match='"docx"; one of markdown, text, html,'):
        document_of("", []).write("docx")  # type: ignore[arg-type]


RELATED = "<p>The mill grinds rye and oats.</p><p>Rye bread</p>"


def test_blocks_carry_their_roles_when_listed() -> None:
    """A block has a role if the method assigns roles, otherwise none."""
    assert ["body", "related"] == [block.role for block in judge(RELATED).blocks]
    assert [None, None] == [block.role for block in document_of(RELATED, [True, False]).blocks]


def test_roles_are_written_when_asked_for() -> None:
    """Blocks of requested roles are written too; the document itself does not change."""
    document = judge(RELATED)
    selected = "The mill grinds rye and oats."
    assert selected == document.text.strip()
    asked = WriteOptions(keep=("related", "title"))
    assert f"{selected}\n\nRye bread" == document.write("text", asked).strip()
    assert selected == document.write("text", WriteOptions(keep=("title",))).strip()
    assert selected == document.text.strip()
    assert [True, False] == [block.kept for block in document.blocks]


def test_roles_are_chunked_when_asked_for() -> None:
    """The same holds for pieces of the document."""
    chunks = judge(RELATED).chunks(1000, options=WriteOptions(keep=("related",)))
    assert "Rye bread" in "".join(chunk.text for chunk in chunks)
    assert "Rye bread" not in "".join(chunk.text for chunk in judge(RELATED).chunks(1000))


def test_usage_error_when_a_role_is_unknown() -> None:
    """Unknown roles are refused, and all roles by methods that assign none."""
    with pytest.raises(thresher.UsageError, match='unknown role "story"'):
        WriteOptions(keep=("body", "story"))
    document = thresher.extract(RELATED, method="keep_all")
    with pytest.raises(thresher.UsageError, match="assigns no roles"):
        document.write("text", WriteOptions(keep=("related",)))


def test_next_url() -> None:
    """A document has the URL of the next page, if there is one."""
    html = "<p>Rye</p><a rel=next href='/rye/2'>Next page</a>"

    assert "https://site.test/rye/2" == thresher.extract(html, url="https://site.test/rye").next_url
    assert thresher.extract(html, url="https://site.test/oat").next_url is None


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
def test_what_is_not_asked_for_is_not_read(
    format: FormatName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Metadata, threads and source positions are not computed for formats without them."""
    document = document_of(HTML, [False, True, True, False])

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nobody asked for it")

    for name in ("metadata.read_metadata", "threads.read_threads", "removed_links.removed_links"):
        monkeypatch.setattr(f"thresher.analysis.{name}", refuse)
    monkeypatch.setattr("thresher.page.page.locate", refuse)
    assert "and second." in document.write(format)


@pytest.mark.parametrize(
    ("html", "verdict"),
    [
        ("<svg xmlns=http://www.w3.org/2000/svg><text>w</text></svg>", Verdict.NO_MAIN_CONTENT),
        ("<canvas></canvas>", Verdict.NO_MAIN_CONTENT),
        ("<p>\u2014 * \u2014", Verdict.NO_MAIN_CONTENT),
        ("<img src=a.jpg>", Verdict.CONTENT),
        ("<math><mi>x</mi></math>", Verdict.CONTENT),
        ("<video src=a.webm></video>", Verdict.CONTENT),
        ("<p>\u6587", Verdict.CONTENT),
    ],
)
def test_only_what_tells_something_is_content(html: str, verdict: Verdict) -> None:
    """Words, pictures, formulas and videos are content; an SVG drawing without text is not."""
    for method in ("learned", "keep_all"):
        document = thresher.extract(html, method=method)
        assert verdict is document.verdict
        assert (verdict is Verdict.CONTENT and method == "learned") is (
            document.confidence is not None
        )


@given(soups(), st.sampled_from(tuple(thresher.ALGORITHMS)))
def test_an_empty_document_is_never_content(html: str, method: MethodName) -> None:
    """For any tag soup and method, content has words, or a leaf that is content without words."""
    page = parse(html)
    document = thresher.document_of(thresher.select(page, method))
    if document.verdict in (Verdict.CONTENT, Verdict.LISTING):
        kept = page.tag[page.leaves[document.selection.keep]]
        wordless = {CODE_OF[name] for name in ("audio", "img", "image", "math", "video")}
        assert document.selection.words or wordless & set(kept.tolist())
    if not document.selection.words and not document.html:
        assert document.confidence is None


def test_a_video_without_a_source_is_no_content() -> None:
    """What no writer can show does not make content of a page without words."""
    document = thresher.extract("<video></video>", method="keep_all")
    assert (Verdict.NO_MAIN_CONTENT, "") == (document.verdict, document.html)
    assert document.confidence is None


def test_document_is_shown_as_reader_view() -> None:
    """The content is shown with the facts; addresses are escaped, and scripts are not there."""
    page = HARBOUR.replace("</article>", "<script>alert(1)</script></article>")
    shown = thresher.extract(page, url='https://tidewater.example/?"<b>')._repr_html_()
    assert "content · article" in shown
    assert "The harbour that learned to wait" in shown
    assert [] == [part for part in ("<script", '"<b>') if part in shown]
