"""Pages are read as browsers show them."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from thresher import extract
from thresher.page.parse import parse
from thresher.page.tags import flags_of


def markdown_of(html: str) -> str:
    """Return a page as Markdown, all of it."""
    return extract(html, method="keep_all").markdown.strip()


def frame(html: str) -> str:
    """Return a frame that shows a page."""
    return f'<iframe srcdoc="{escape(html)}" title=Letter>Fallback</iframe>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Dear <b>members</b></p>", "a\n\nDear **members**\n\nb"),
        ("<html><title>no</title><body><p>Two<p>parts", "a\n\nTwo\n\nparts\n\nb"),
        ("<script>no()</script>words", "a\n\nwords\n\nb"),
    ],
)
def test_page_in_a_frame_is_in_its_place(html: str, expected: str) -> None:
    """`srcdoc` is shown instead of anything else that the frame has."""
    assert expected == markdown_of(f"<p>a</p>{frame(html)}<p>b</p>")


@pytest.mark.parametrize("name", ["whitespace-pre-line", "whitespace-pre-wrap"])
def test_lines_that_a_class_of_a_framework_keeps_stay_lines(name: str) -> None:
    """As those that a style keeps, which counts more where both are stated."""
    assert "a  \nb" == markdown_of(f'<div class="m-2 {name}">a\nb</div>')
    assert "a b" == markdown_of(f'<div class="{name}" style="white-space: normal">a\nb</div>')
    assert "a b" == markdown_of(f'<div class="not-{name}">a\nb</div>')


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [
        ("<div><cite>Jo wrote:</cite>It is wet.</div>", "> Jo wrote:  \n> It is wet."),
        (
            "<cite><a>Jo</a> wrote: <a>↑</a><span>June</span></cite>It is wet.",
            "> Jo wrote: ↑ June  \n> It is wet.",
        ),
        ("<cite>Jo wrote:</cite> It is wet.", "> Jo wrote:  \n> It is wet."),
        ("It is wet. <cite>Jo</cite>", "> It is wet. *Jo*"),
        ("<p>It is wet.</p><cite>Jo</cite>", "> It is wet.\n>\n> *Jo*"),
        ("<p><cite>Emma</cite> is a novel.</p>", "> *Emma* is a novel."),
    ],
)
def test_who_is_quoted_above_has_a_line(quotation: str, expected: str) -> None:
    """Boards put the name before what is quoted, in a box that a style sheet makes."""
    found = markdown_of(f"<blockquote>{quotation}</blockquote>")
    assert expected.replace("*", "") == found.replace("*", "")


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("At sea<span class=photo-credit>Ada Lem</span>", "At sea Ada Lem"),
        ("<b>At sea.</b><strong class=author>Ada Lem</strong>", "At sea. Ada Lem"),
        ("<span class=credit>Ada Lem</span>", "Ada Lem"),
        ("At <span class=source>s</span>", "At s"),
        ("bo<b class=x>at</b>", "boat"),
    ],
)
def test_whose_a_picture_is_stands_apart(caption: str, expected: str) -> None:
    """A space is put before it where its caption ends directly before it."""
    page = f"<figure><img src=a.png><figcaption>{caption}</figcaption></figure>"
    assert expected == extract(page, method="keep_all").text.strip()


@pytest.mark.parametrize(
    "before", ["<b>x</b>", "<b>x</b> ", "<b>x</b> : ", "<b>x</b><span> : </span>"]
)
def test_type_of_a_term_follows_a_colon(before: str) -> None:
    """Sphinx's style sheet puts it there, older versions the page."""
    html = f"<dl><dt>{before}<span class=classifier>int</span></dt><dd>A number.</dd></dl>"
    assert "x : int" in " ".join(extract(html, method="keep_all").text.split())


@pytest.mark.parametrize("value", ["pre-line", "pre-wrap", "PRE", "break-spaces"])
def test_lines_that_a_style_keeps_stay_lines(value: str) -> None:
    """At each newline; an empty line ends a paragraph."""
    html = f'<div style="color:red; white-space : {value}">a\nb <b>c\nd</b>\n\ne</div>'
    assert "a  \nb **c  \nd**\n\ne" == markdown_of(html)


@pytest.mark.parametrize(
    "html",
    [
        '<p style="white-space:nowrap">a\nb</p>',
        '<div style="white-space:pre"><p style="white-space:normal">a\nb</p></div>',
        '<p style="text-white-space:pre">a\nb</p>',
        '<p title="style white-space:pre">a\nb</p>',
        "<p>white-space:pre</p><p>a\nb</p>",
    ],
)
def test_other_newlines_are_spaces(html: str) -> None:
    """The nearest declaration counts, and no text that reads like one."""
    assert markdown_of(html).endswith("a b")


def test_preformatted_text_keeps_its_own_lines() -> None:
    """A style adds none."""
    assert "```\na\nb\n```" == markdown_of('<pre style="white-space:pre-wrap">a\nb</pre>')


@pytest.mark.parametrize("name", ["stanza", "line-block"])
def test_lines_of_verse_in_boxes_are_one_block(name: str) -> None:
    """Each stanza is a paragraph of lines."""
    stanza = (
        f'<div class="x {name}"><div class=line>Now</div>\n<div>burns<br></div><div>low</div></div>'
    )
    assert "Now  \nburns  \nlow\n\nNow  \nburns  \nlow" == markdown_of(stanza * 2)


@pytest.mark.parametrize(
    "html",
    [
        "<div><div class=d>O</div><p>nly three</p></div>",
        "<div>\n<p>“O</p>\n<p><i>nly</i> three</p>\n</div>",
    ],
)
def test_initial_in_a_box_is_joined_to_its_word(html: str) -> None:
    """The word is whole, in the paragraph that goes on with it."""
    assert "Only three" == markdown_of(html).strip("“").replace("*", "")


@pytest.mark.parametrize(
    "html",
    [
        "<div><div>A</div><p>aardvark</p></div>",
        "<div><div>A</div><p> week later</p></div>",
        "<div><div>A</div><p>nd</p><p>more</p></div>",
        "<div><div>A</div><p>Nd</p></div>",
        "<div><div>Ab</div><p>nd</p></div>",
    ],
)
def test_letter_that_is_no_initial_stays(html: str) -> None:
    """The letter of a glossary, of a list, or before a word."""
    assert "\n\n" in markdown_of(html)


def test_initial_with_a_twin_that_is_read_aloud_is_written_once() -> None:
    """And joined to its word."""
    twin = '<span class=cap aria-hidden=true>W</span><span class="sr-only">W</span>'
    assert "When it began" == markdown_of(f"<p>{twin}hen it began</p>")


def test_notes_in_the_margin_are_set_off() -> None:
    """In brackets, unless the note is a sentence between sentences."""
    html = '<p>May.<span class="{}">{}</span> Then</p>'
    assert "May. (Photo: Holm) Then" == markdown_of(html.format("marginnote", "Photo: Holm"))
    assert "May. (*By letter*) Then" == markdown_of(html.format("sidenote", "<i>By letter</i>"))
    assert "May. By letter. Then" == markdown_of(html.format("x sidenote", "By letter."))
    assert "a" == markdown_of("<x-note>a</x-note><!-- sidenote --><sidenote></sidenote>")
    assert "May.By letter Then" == markdown_of(html.format("footnotes", "By letter"))


@cases(__file__, "marks")
def test_mark_between_paragraphs_follows_the_text_before(
    before: str, after: str, expected: str
) -> None:
    """A note of LaTeXML with nothing else in its line must be one to the text before it."""
    mark = '<sup class="ltx_note_mark">1</sup>'
    note = f'<span class="ltx_note_outer">{mark}See 1.</span>'
    html = f'{before}<span class="ltx_note ltx_role_footnote">{mark}{note}</span>{after}'
    assert f"{expected}\n\n[^1]: See 1." == markdown_of(html)


PARTS = st.sampled_from([
    "<div>", "</div>", "<p>", "</p>", "<x-a>", "</x-a>", "a", "O", "nly", "\n", "<br>",
    "<template shadowrootmode=open>", "</template>", "<slot>", "<slot name=n>", "</slot>",
    "<i slot=n>", "</i>", "<div class=stanza>", '<div style="white-space:pre">',
    "<span class=marginnote>", '<span class="ltx_note a">', "</span>", frame("<p>b\nc"),
    "<table>", "<td>",
])  # fmt: skip


@given(st.lists(PARTS, max_size=40).map("".join))
def test_every_text_is_read_once(html: str) -> None:
    """Whatever is moved, nothing is lost or doubled but defaults of slots that are filled."""
    page = parse(html)
    counted = sorted(character for character in page.text if character in "aOnly")
    markup = (page.in_source or page).buffer.decode()
    source = sorted(letter for letter in re.sub("<[^>]*>", "", markup) if letter in "aOnly")
    if "<slot" not in html:
        assert source == counted
    assert set(counted) <= set(source)
    assert len(counted) <= len(source)
    assert page.source_spans.shape == (len(page), 4)
    assert len(page.paths(page.leaves)) == page.leaves.size


def pdf(*lines: tuple[int, str], number: str = "c") -> str:
    """Return a page as pdf2htmlEX writes it, of lines with their sizes."""
    text = "\n".join(f'<div class="t m0 fs{size} ff1">{line}</div>' for size, line in lines)
    return f'<div class="pf" data-page-no="{number}"><div class="pc">{text}</div></div>'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            [(0, "Head"), (1, "a wo<b>rd bro-</b>"), (1, "ken here")],
            "# Head\n\na wo**rd bro**ken here",
        ),
        (
            [(1, "a line that is full and"), (1, "ends."), (1, "Next")],
            "a line that is full and ends.\n\nNext",
        ),
        (
            [(1, "two sizes"), (2, "are two"), (1, "twice"), (2, "of each")],
            "two sizes\n\nare two\n\ntwice\n\nof each",
        ),
        ([(1, "a well-"), (1, "Known name"), (1, "1988")], "a well- Known name\n\n1988"),
    ],
    ids=["broken word", "end of a paragraph", "sizes", "hyphen and number"],
)
def test_lines_of_a_converted_pdf_are_paragraphs(
    lines: list[tuple[int, str]], expected: str
) -> None:
    """They go on in the next line of their size; the first, alone in its size, is the title."""
    assert expected == markdown_of(pdf(*lines))


GAP = '<span class="_ _1"> </span>'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"the of{GAP}fice of an office", "the office of an office"),
        (f"the of{GAP}fice", "the of fice"),
        (f"of{GAP}fice, a fice, office", "of fice, a fice, office"),
        (f"in{GAP}to, un{GAP}to, into, unto", "in to, un to, into, unto"),
        (f"né{GAP}ant, le néant", "néant, le néant"),
        (f"of <b>fice</b> {GAP} office", "of **fice** office"),
    ],
)
def test_a_gap_within_a_word_of_a_pdf_is_closed(line: str, expected: str) -> None:
    """The word stands whole elsewhere, and its second half only behind the first."""
    assert expected == markdown_of(pdf((1, line), (1, "End.")).replace("\n", "<hr>")).split("\n")[0]


def test_pictures_between_lines_of_a_pdf_stay() -> None:
    """Lines are joined only where nothing is between them."""
    html = pdf((1, "one"), (1, "two")).replace("\n", "<img src=a alt=b>")
    assert "one\n\n![b](a)\n\ntwo" == markdown_of(html)


def test_the_number_of_a_page_of_a_pdf_is_its_footer() -> None:
    """It is given in hexadecimal; other numbers are what they were."""
    for number, expected in (("c", 1), ("d", 0), ("x", 0), ("", 0)):
        page = parse(pdf((1, "a b"), (1, "12"), number=number))
        assert expected == len(page.rows_of(flags_of("footer")))
