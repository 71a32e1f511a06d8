"""What once broke on hostile bytes, by name; `bench.fuzz` and its like found it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import thresher

URL = "https://site.example/2024/05/06/a?page=2"
MALFORMED = ("//[", "//[#part", "http://[x", "//[ 1x, /b.jpg 2x", "//\u2100.example/")
"""Addresses that the standard library refuses to join."""
HOLDERS = (
    "<p>word <a href='{}'>link</a>",
    "<p>word <a href=/b ping='{}'>link</a>",
    "<p>word <img src='{}' alt=x>",
    "<p>word <img srcset='{}' alt=x>",
    "<base href='{}'><p>word <a href=b>link</a>",
    "<link rel=canonical href='{}'><link rel=next href='{}'><p>word",
    "<meta http-equiv=refresh content='0;url={}'><p>word",
    "<meta property=og:url content='{}'><meta property=og:image content='{}'><p>word",
    "<form action='{}'><p>word</form>",
    "<p style='background:url({})'>word",
    "<blockquote cite='{}'>word</blockquote>",
    "<iframe src='{}'></iframe><p>word",
    "<video poster='{}'><source src='{}'></video><p>word",
    "<div class=comment><a class=author href='{}'>Ann</a> <time>2024-01-01</time><p>word</div>" * 3,
    "<h1>word <a href='{}'>#</a></h1>",
    "<p>word<sup><a href='{}'>1</a></sup><p id=part>1 note",
)


@pytest.mark.parametrize("address", MALFORMED)
@pytest.mark.parametrize("holder", HOLDERS)
def test_malformed_address_breaks_nothing(holder: str, address: str) -> None:
    """An address that can be joined with no base, wherever it stands, leaves the words."""
    html = holder.replace("{}", address)
    for base in (URL, None):
        document = thresher.extract(html, url=base, method="keep_all")
        options = thresher.WriteOptions(metadata=True, removed_links=True)
        assert "word" in document.text
        for format in thresher.FORMATS:
            assert document.write(format, options)
        nothing = thresher.Selection.of_nothing(document.page, "none", reason="none")
        removed = replace(document, selection=nothing)
        _ = (removed.removed_links, removed.next_url, removed.metadata, removed.threads)


def test_malformed_address_does_not_spoil_the_others() -> None:
    """Addresses beside a malformed one are made absolute."""
    html = "<p>word <a href=b>one</a> <a href='//['>two</a> <a href=c>three</a>"
    markdown = thresher.extract(html, url=URL, method="keep_all").markdown
    assert "[one](https://site.example/2024/05/06/b)" in markdown
    assert "[three](https://site.example/2024/05/06/c)" in markdown


@pytest.mark.parametrize("sign", ["\x0b", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u2028"])
@pytest.mark.parametrize("holder", ["<p>{}word{}", "<h1>{}word{}</h1>", "<p>a<p><b>{}word{}</b>"])
def test_chunks_have_the_white_space_of_their_output(holder: str, sign: str) -> None:
    """A separator that only Python takes for white space is kept in output and chunks, or in none.

    Markdown lost it at the edge of a single text, the layout of chunks did not.
    """
    for before, after in ((sign, ""), ("", sign), (sign, sign)):
        html = holder.replace("{}", before, 1).replace("{}", after, 1)
        document = thresher.extract(html, method="keep_all")
        output = document.markdown
        assert [chunk.text for chunk in document.chunks()] == [
            output[chunk.start : chunk.stop] for chunk in document.chunks()
        ]


@pytest.mark.parametrize("name", ["mi", "mo", "mn", "mtext", "ms"])
def test_tokens_in_tokens_of_a_formula_are_converted_once(name: str) -> None:
    """A token element in another is its TeX, not characters to be converted again.

    Each level escaped the backslashes and braces of the one inside: 3 kB took 11 s.
    """
    html = f"<p>w <math>{f'<{name}>' * 400}x_1{f'</{name}>' * 400}</math>"
    text = thresher.extract(html, method="keep_all").text
    assert "x" in text
    assert len(text) < 30 * len(html)


def test_a_formula_with_too_much_tex_is_not_converted() -> None:
    """TeX that grows with each level is given up, and the words around it stay."""
    html = f"<p>before <math>{'<mfrac><mi>x</mi><msqrt>' * 900}{'y' * 60_000}</math> behind"
    text = thresher.extract(html, method="keep_all").text
    assert text.startswith("before")
    assert len(text) < 200_000


@pytest.mark.parametrize("tag", ["sup", "sub", "q", "b", "em", "s"])
def test_inline_elements_in_each_other_are_marked_to_a_depth(tag: str) -> None:
    """Thousands of them cost linear time, and leave the words; a few keep their marks."""
    n_level = 2_000
    deep = f"<p>w {f'<{tag}>a ' * n_level}{f'</{tag}>' * n_level} z"
    output = thresher.extract(deep, method="keep_all").markdown
    assert n_level == output.count("a")
    assert len(output) < 4 * len(deep)
    few = thresher.extract(f"<p>w <{tag}>x</{tag}> z", method="keep_all")
    assert "w x z" != few.markdown


def test_title_whose_heading_keeps_only_a_picture() -> None:
    """A heading of which only the picture is kept is compared with no other."""
    page = thresher.read_page("<h1><img src=a.png>The barn</h1><p>word", url=URL)
    everything = thresher.select(page, "keep_all")
    only = everything.keep & np.array([1, 0, 0], np.bool_)
    document = thresher.document_of(replace(everything, keep=only))
    assert "a.png" in document.write("markdown", thresher.WriteOptions(title=True))


def test_posts_are_never_inside_a_formula() -> None:
    """A formula is one leaf, so no element in it is a post, and it is written whole."""
    author = "<a class=author href=u/1>Ann</a><time datetime=2024-1-1></time>"
    first, second = "each sheaf of the field was bound again", "not one of them was left out there"
    posts = f"<math>{author}{first}<v>{author}{second}</math>"
    page = f"<p>1<a class=author>Ann</a>2024-1-1<p>{posts}"
    document = thresher.extract(page, method="keep_all", url=URL)
    assert all(post.leaves.size for thread in document.threads for post in thread.posts)
    assert "each sheaf" in document.write("thread")


@pytest.mark.parametrize(
    "markup",
    [
        "<div role=heading aria-level={}>a heading</div><p>word",
        "<table><tr><td colspan={}>a<td>b<tr><td rowspan={}>c<td>d</table>",
        "<ol start={}><li value={}>a<li>b</ol>",
        "<a href='/a/{}'>2</a>",
        "<img src=a.png width={} height={}>",
        "<script type=application/ld+json>[{}]</script>",
    ],
)
def test_numbers_of_thousands_of_digits(markup: str) -> None:
    """Python refuses to convert them; pages may state them wherever a number is expected."""
    html = "<p>word</p>" + markup.replace("{}", "9" * 5_000)
    document = thresher.extract(html, method="keep_all", url="https://site.example/a/1")
    for format in thresher.FORMATS:
        assert document.write(format)
    assert document.next_url is None


def test_chunks_of_a_page_that_begins_with_a_space() -> None:
    """A term that is a link with spaces in it comes first: each chunk is where it says it is."""
    link = "<dl><dt><a href=https://site.example/search>\n Search\n</a></dt></dl>"
    document = thresher.extract(f"{link}<p>{'word ' * 30}", method="keep_all")
    output, chunks = document.markdown, document.chunks(50)
    assert [output[each.start : each.stop] for each in chunks] == [each.text for each in chunks]
