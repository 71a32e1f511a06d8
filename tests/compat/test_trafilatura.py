"""trafilatura's calls have trafilatura's results, in shape."""

from __future__ import annotations

import csv
import inspect
import json
import re
from io import StringIO
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import thresher
from tests.helpers.data import read_data
from tests.helpers.hostile_metadata import (
    ATTACKS,
    FORBIDDEN_CHARS,
    find_active,
    page_with_metadata,
    render_markdown,
)
from tests.helpers.known import known
from thresher.algorithms.learned.reasons import COMMENT_REASON
from thresher.compat import trafilatura
from thresher.compat.trafilatura_reading import find_dropped_comments
from thresher.errors import UsageError
from thresher.selection import Selection

STORY = "The harbour was closed for nine days, and the boats lay behind the mole. " * 4
REPLY = "I was there on the second day and saw the ferry turn round before the lights. " * 2
PAGE = read_data("harbour-closed.html").format(story=STORY, reply=REPLY)


def body_of(xml: str) -> ElementTree.Element:
    return known(ElementTree.fromstring(xml).find("main"))


def test_text_has_a_line_a_paragraph() -> None:
    """The default output is text without empty lines, and without the page's boilerplate."""
    text = known(trafilatura.extract(PAGE, include_comments=False))
    assert text.startswith(f"{STORY.strip()}\n")
    assert {"Home", "Imprint", ""} & set(text.split("\n")) == set()


def test_comments_are_apart_from_the_text() -> None:
    """Comments, but no links among them, follow the text, or are a field, or are left out."""
    document = trafilatura.bare_extraction(PAGE)
    assert isinstance(document, trafilatura.Document)
    assert document.text is not None
    assert document.comments is not None
    assert REPLY.strip() in document.comments
    assert REPLY.strip() not in document.text
    whole = known(trafilatura.extract(PAGE))
    assert whole.endswith(document.comments)
    assert REPLY.strip() not in (trafilatura.extract(PAGE, include_comments=False) or "")
    page = PAGE.replace("</div>\n<footer>", '<p><a href="/in">Log in</a></p></div>\n<footer>')
    assert f"{REPLY.strip()}\n{REPLY.strip()}" == trafilatura.bare_extraction(page).comments  # type: ignore[union-attr]


def test_parts_are_included_as_asked() -> None:
    """Tables, pictures, links and emphasis are there if their arguments say so."""
    plain = trafilatura.extract(PAGE, output_format="markdown", include_tables=False) or ""
    assert "**pilot**" in plain
    assert [] == [part for part in ("(/log)", "mole.jpg", "Boats") if part in plain]
    full = trafilatura.extract(PAGE, include_links=True, include_images=True) or ""
    assert "[log](/log)" in full
    assert "![The mole](/mole.jpg)" in full
    assert "Boats" in full


def test_metadata_have_their_names() -> None:
    """Metadata are read when asked for, under the names that trafilatura has."""
    record = json.loads(trafilatura.extract(PAGE, output_format="json", with_metadata=True) or "")
    assert ("Harbour closed", "2026-03-04") == (record["title"], record["date"])
    assert "Ada Quay; Bo Pier" == record["author"]
    assert "https://tide.example/harbour" == record["source"]
    assert "tide.example" == record["hostname"]
    document = known(trafilatura.extract_with_metadata(PAGE, record_id="7"))
    assert ("7", "Harbour closed") == (document.id, document.title)
    assert document.text is not None
    assert document.text.startswith('---\ntitle: "Harbour closed"\n')
    assert trafilatura.bare_extraction(PAGE).as_dict()["title"] is None  # type: ignore[union-attr]


def test_xml_is_in_their_vocabulary() -> None:
    """The tree has trafilatura's elements, in XML and as ``body``."""
    xml = trafilatura.extract(
        PAGE, output_format="xml", include_formatting=True, include_links=True, include_images=True
    )
    body = body_of(xml or "")
    assert "#b" == body.find(".//hi").get("rend")  # type: ignore[union-attr]
    assert "/log" == body.find(".//ref").get("target")  # type: ignore[union-attr]
    assert {"src": "/mole.jpg", "alt": "The mole"} == body.find(".//graphic").attrib  # type: ignore[union-attr]
    assert ["head", "head"] == [c.get("role") for c in body.find(".//row") or ()]
    document = trafilatura.bare_extraction(PAGE)
    assert isinstance(document, trafilatura.Document)
    assert STORY.startswith(document.body.find("p").text or "-")
    assert len(document.commentsbody)


def test_other_formats_are_written() -> None:
    """HTML is a page, CSV a line of eleven cells, TEI a TEI document."""
    assert (trafilatura.extract(PAGE, output_format="html") or "").startswith("<html><body><p>")
    row = trafilatura.extract(PAGE, output_format="csv") or ""
    assert 11 == len(next(csv.reader(StringIO(row, newline=""), delimiter="\t")))
    assert "<TEI " in (trafilatura.extract(PAGE, output_format="xmltei") or "")


def test_unwanted_pages_are_none() -> None:
    """Blacklists, another language, missing metadata, or no page at all give None."""
    assert trafilatura.extract(PAGE, target_language="de") is None
    assert trafilatura.extract(PAGE, target_language="en") is not None
    assert trafilatura.extract(PAGE, url_blacklist={"https://tide.example/harbour"}) is None
    assert trafilatura.extract("<p>Words.</p>", only_with_metadata=True) is None
    for nothing in ("", b"%PDF-1.7", 3, None):
        assert trafilatura.extract(nothing) is None
    without = trafilatura.bare_extraction(PAGE, with_metadata=True, author_blacklist={"bo pier"})
    assert "Ada Quay" == without.author  # type: ignore[union-attr]


def test_repeated_text_is_left_out_when_asked() -> None:
    """With ``deduplicate`` a long paragraph is written twice at most."""
    page = f"<article><h1>Harbour</h1>{f'<p>{STORY}</p>' * 4}</article>"
    assert 4 == (trafilatura.extract(page) or "").count(STORY.strip())
    assert 2 == (trafilatura.extract(page, deduplicate=True) or "").count(STORY.strip())


def test_elements_are_pruned_by_xpath() -> None:
    """``prune_xpath`` removes what it selects; a wrong expression is the caller's error."""
    assert "Boats" not in (trafilatura.extract(PAGE, prune_xpath=["//table", "count(//p)"]) or "")
    with pytest.raises(UsageError, match="not an XPath"):
        trafilatura.extract(PAGE, prune_xpath="//[")


def test_wrong_calls_are_errors() -> None:
    """An unknown format is a UsageError, and deprecated arguments warn."""
    for wrong in ({"output_format": "docx"}, {"output_format": "python"}, {"max_tree_size": 3}):
        with pytest.raises(UsageError):
            trafilatura.extract(PAGE, **wrong)
    with pytest.warns(DeprecationWarning, match="as_dict") as warned:
        assert isinstance(trafilatura.bare_extraction(PAGE, as_dict=True), dict)
    assert __file__ == warned[0].filename


def test_arguments_are_theirs() -> None:
    """Names, order and defaults of the arguments are those of the installed trafilatura."""
    real = pytest.importorskip("trafilatura")
    for name in ("extract", "bare_extraction", "extract_with_metadata"):
        theirs = inspect.signature(getattr(real, name)).parameters
        ours = inspect.signature(getattr(trafilatura, name)).parameters
        assert list(theirs) == list(ours)
        for key in theirs.keys() - {"config"}:  # theirs is an object; ours None, which means it
            assert theirs[key].default == ours[key].default, (name, key)


def test_settings_of_theirs_are_honoured() -> None:
    """The sizes of a ConfigParser, and an Extractor, are options as well."""
    like_theirs = SimpleNamespace(format="markdown", links=True)
    linked = known(trafilatura.extract_with_metadata(PAGE, options=like_theirs))
    assert "[log](/log)" in (linked.text or "")
    config = pytest.importorskip("trafilatura.settings").use_config()
    config["DEFAULT"]["MIN_OUTPUT_SIZE"] = "100000"
    assert trafilatura.extract(PAGE, config=config, include_comments=False) is None
    extractor = pytest.importorskip("trafilatura.settings").Extractor
    options = extractor(output_format="markdown", links=True, comments=False)
    assert "[log](/log)" in (trafilatura.extract(PAGE, options=options) or "")


@pytest.mark.parametrize("attack", ATTACKS)
def test_metadata_are_data_in_every_output(attack: str) -> None:
    """The header of Markdown is YAML without markup; XML is well-formed, and HTML runs nothing."""
    page = page_with_metadata(attack)

    def write(format: str) -> str:
        return trafilatura.extract(page, output_format=format, with_metadata=True) or ""

    written = write("markdown")
    assert [] == find_active(render_markdown(written))
    front = written.removeprefix("---\n").partition("\n---\n")[0]
    assert not re.search(f"[{FORBIDDEN_CHARS}]", front)
    assert all(json.loads(line.partition(": ")[2]) for line in front.split("\n"))
    assert "doc" == ElementTree.fromstring(write("xml")).tag
    assert ElementTree.fromstring(write("xmltei")).tag.endswith("}TEI")
    assert [] == find_active(write("html"))
    assert json.loads(write("json"))["text"]


COMMENTED = """<main><h1>Fog</h1><p>No ships today, says the pilot.</p></main>
<div id="comments"><h2>Replies</h2><p>I heard the horn at nine.</p><p>So did I, from the mole.</p>
<p><a href="/in">Log in to reply</a></p></div>"""


def select(kept: set[int], comments: set[int]) -> Selection:
    """Keep some blocks of the page, and leave others out as comments."""
    page = thresher.read_page(COMMENTED)
    blocks = np.arange(len(page.blocks))
    return Selection.of_blocks(
        page,
        "learned",
        np.isin(blocks, list(kept)),
        score=np.zeros(blocks.size),
        reason_code=np.isin(blocks, list(comments)).astype(np.int16),
        reasons=("boilerplate", COMMENT_REASON),
    )


def texts_of(selection: Selection) -> list[str]:
    leaves = find_dropped_comments(selection).nonzero()[0]
    return selection.page.leaf_texts(leaves)


@pytest.mark.parametrize(
    ("kept", "comments", "expected"),
    [
        # Blocks with that reason are comments, but neither headings nor links alone.
        ({0, 1, 4}, {2, 3, 5}, ["I heard the horn at nine."]),
        # On a page of comments the method tells none apart: names do, for what is not kept.
        ({0}, set(), ["I heard the horn at nine.", "So did I, from the mole.", "Log in to reply"]),
        # A page whose comments the method would have told apart has none if it did not.
        ({0, 1, 3}, set(), []),
    ],
)
def test_comments_are_what_was_left_out_as_such(
    kept: set[int], comments: set[int], expected: list[str]
) -> None:
    """The method's reasons tell comments, and names where little was kept."""
    assert expected == texts_of(select(kept, comments))
    assert not find_dropped_comments(thresher.extract("<nav></nav>").selection).size
