"""Markdown is harmless in every engine that reads it, also where it lets HTML through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from subprocess import SubprocessError
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile import SHAPES
from tests.helpers.hostile_metadata import ATTACKS, page_with_metadata, thread_with_metadata
from tests.helpers.markdown_engines import find_revived, in_python, node_engines
from tests.writers.test_safety import VECTORS
from thresher import WriteOptions

for _name in ("linkify_it", "markdown", "mistune"):
    pytest.importorskip(_name)

Render = Callable[[str], Mapping[str, str]]

_N_REPEATED: Final = 40
_TAG: Final = "<img src=x onerror=boom()>"
_CODE: Final = f"<code>{escape(_TAG)}</code>"
_TEX: Final = '<math><annotation encoding="application/x-tex">{}</annotation><mi>x</mi></math>'
_STARTS: Final = (
    *"https://a.example/ HTTP://a.example ftp://a.example/?q= www.a.example/ WWW.a.b/".split(),
    *"a@b.example mailto:a@b.example/ xmpp:a@b.example/ //a.example/ x \\ ` { ** [ ![ $".split(),
    *("` ", "&amp;", "&lt;"),
)
_ENDS: Final = (
    *(escape(_TAG), _CODE, f"<b>{escape(_TAG)}</b>", f"<b></b>{_CODE}", f"<i>x</i>{_CODE}"),
    *(f"\\{escape(_TAG)}", f"`{escape(_TAG)}`", f"**{escape(_TAG)}**", f"[{escape(_TAG)}](/b)"),
    *(f"&amp;lt;{_TAG[1:]}", f"&amp;#60;{_TAG[1:]}", f'<a href="/b">{_CODE}</a>'),
    *(f'<a href="/b">x</a>{_CODE}', f'<img src="/b" alt="x">{_CODE}', "[x](javascript:boom())"),
    *("[x] (javascript:boom())", "\\[x](javascript:boom())", "&lt;javascript:boom()&gt;"),
    *("[x]: javascript:boom()", "![x](javascript:boom())", f"{_TEX.format('`')}{_CODE}"),
    *(f"{_TEX.format('https://a.example/')}{_CODE}", f"{_TEX.format('x {')} onclick=boom()}}"),
)
_NOTE: Final = (
    "<p>Rye<sup><a id=r1 href=#n1>1</a></sup> is sown in autumn, and stands green.</p><ol>"
    "<li id=n1>{} <a href=#r1>↩</a></ol>"
)
TEXTS: Final = (
    *(f"<p>Rye {start}{end} and so on</p>" for start in _STARTS for end in _ENDS),
    *(f"<h2>Rye {start}{_ENDS[0]}</h2>" for start in _STARTS),
    *(f"<table><tr><td>{start}{_CODE}<td>b<tr><td>c<td>d</table>" for start in _STARTS),
    # What an engine takes for the middle of an address, of code, or of an element.
    f"<p>https:<b>//a.example/</b>{_CODE}",
    f"<p>w<i>ww.</i>a.example/{_CODE}",
    f"<p>`<code>`</code> {_CODE}",
    f"<p><code>a`b</code> and {_CODE}",
    f"<p><code>a</code>{_CODE}",
    f"<p>a\\<code>`b</code> {_CODE}",
    f'<p><a href="/b" title="`">x</a> {_CODE}',
    f'<p><a href="/b" title="\\&quot; {escape(_TAG)}">x</a>',
    f'<p><a href="/b" title="x) {escape(_TAG)}">x</a>',
    '<p><a href="/b" title="x)[y](javascript:boom())">x</a>',
    '<p><a href="/b(c)[x](javascript:boom())">x</a>',
    f'<p><img src="/b" alt="` {escape(_TAG)}"> {_CODE}',
    "<table><tr><td>a<td>b<tr><td><code>\\|" + escape(_TAG) + "</code><td>b</table>",
    "<table><tr><td>`<td>" + _CODE + "<tr><td><code>`</code><td>" + _CODE + "</table>",
    *(
        f'<p><a href="{url}">{url}</a>'
        for url in (
            "https://a.example/onfocus=boom()/autofocus",
            "https://a.example/x='y'onfocus=boom()",
            "mailto:a@b.example/onfocus=boom()/autofocus",
            "tel:/onfocus=boom()/tabindex=1",
        )
    ),
    # Schemes that appear when a reference or an escape is read once more.
    *(
        f'<p><a href="{url}">x</a> <img src="{url}" alt="y">'
        for url in (
            "javascript&amp;colon;boom() javascript&amp;amp;colon;boom() &amp;#106;avascript:b()"
            " javascript\\:boom() javascript&amp;bsol;:boom() java\\script&amp;colon;boom()"
            " javascript&amp;#x3a;boom() &amp;Tab;javascript:boom() data\\:text/html,x"
        ).split()
    ),
    # The middle of a link directly behind another sign, for an engine that knows no escape there.
    *("<p>[](javascript:boom())", "<p>x [<b>y</b>](javascript:boom())"),
    "<p>[]<b>(javascript:b())</b>x",
    *("<p><a href=/b>[x](javascript:boom())</a>", "<p><a href=/b>*](javascript:boom())</a>"),
    '<p><img src=/b alt="](javascript:boom())"><img src=/b alt="x](javascript:boom())">',
    # Attributes in braces.
    *(_NOTE.format(f"{start}boom()") for start in ("javascript:", "<b>java</b>Script:", "data:")),
    *(
        f"<h2>Rye {brace}</h2><p>Rye <b>x</b>{brace}<p>Rye<br>{brace}<dl><dt>Rye {brace}<dd>x</dl>"
        for brace in (
            "{: onclick=b()}",
            "{onclick=b()}",
            "{a {b onclick=b()}",
            "{: href=javascript:a}",
        )
    ),
    "<h2>Rye {<b> onclick=</b>boom()}</h2><p><a href=/b>x</a>{<i></i>: href=javascript:boom()}",
    f"<h2>Rye {_TEX.format('x { ')} onclick=boom()}}</h2>",
    f"<h2>Rye {_TEX.format('x' + chr(92) + ' {')} onclick=boom()}}</h2>",
)

_PIECES: Final = st.sampled_from(
    (
        *(*_STARTS, *_ENDS, " ", "\n", "- ", "img ", "\u00a0", "<a href=/b>"),
        *"<b> </b> <i> </i> <code> </code> <br> <p> <h2> <li> </a> <q> <sup>x</sup>".split(),
        *"<table><tr><td> <td> <tr> </table> * _ ~~ ( ) ] } = : / | ! # 5 . , \" '".split(),
        *"&amp; &lt; @b.example&gt; &gt; colon; onclick=boom()".split(),
    )
)
DRAWN: Final = st.lists(_PIECES, max_size=14).map("".join)


def written_of(html: str) -> list[str]:
    """Return the Markdown of a page whose address is known, and of one without."""
    return list(
        dict.fromkeys(document_keeping(html, url=url).markdown for url in ("https://a.b/", None))
    )


def metadata_of(attack: str) -> list[str]:
    """Return Markdown with metadata of pages that state an attack."""
    options = WriteOptions(metadata=True, title=True, removed_links=True)
    pages = page_with_metadata(attack), thread_with_metadata(attack)
    return [
        document_keeping(page).write(name, options)
        for page in pages
        for name in ("markdown", "thread")
    ]


def cut_of(html: str) -> list[str]:
    """Return the Markdown of a page, cut at every length."""
    document = document_keeping(html)
    lengths = range(100, len(document.markdown))
    return [document.write("markdown", WriteOptions(max_chars=length)) for length in lengths]


CUT: Final = (
    f"<p>Rye is sown in <code>{escape(_TAG)}, {'or wheat, ' * 20}</code> by night",
    f"<p>Rye is sown {'or wheat, ' * 10} <code>{escape(_TAG)} and, oats</code> {'x ' * 40}",
    f'<p>Rye {"x " * 20}<a href="https://a.example/{"x/" * 60}">https://a.example/{"x/" * 60}</a>',
    f"<ul><li>Rye<pre>{escape(_TAG)} {'x ' * 40}\n\n{escape(_TAG)}</pre></ul><p>{'y ' * 30}",
    f"<p>{'x ' * 20}{escape(_TAG) * 9}",
)
PAGES: Final[Mapping[str, Callable[[], list[str]]]] = {
    **{f"text {i}": partial(written_of, html) for i, html in enumerate(TEXTS)},
    **{f"vector {i}": partial(written_of, f"<body>{html}") for i, html in enumerate(VECTORS)},
    **{f"metadata {i}": partial(metadata_of, attack) for i, attack in enumerate(ATTACKS)},
    **{f"shape {name}": partial(written_of, SHAPES[name].build(_N_REPEATED)) for name in SHAPES},
    **{f"cut {i}": partial(cut_of, html) for i, html in enumerate(CUT)},
}


def render_in_python(text: str) -> dict[str, str]:
    return {name: render(text) for name, render in in_python().items()}


@pytest.fixture(scope="module")
def render_in_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Render]:
    try:
        with node_engines(tmp_path_factory.mktemp("engines")) as render:
            yield render
    except (OSError, SubprocessError) as error:
        pytest.skip(f"no engines for Node.js: {error}")


def check(written: list[str], render: Render) -> None:
    for markdown in written:
        for name, html in render(markdown).items():
            assert (markdown, name, []) == (markdown, name, find_revived(name, markdown, html))


@pytest.mark.parametrize("page", PAGES)
def test_text_stays_text_in_engines_of_python(page: str) -> None:
    """No element, handler or scheme is made of a page's text."""
    check(PAGES[page](), render_in_python)


@settings(max_examples=200)
@given(DRAWN)
def test_drawn_text_stays_text_in_engines_of_python(html: str) -> None:
    """Nor of any mixture of addresses, brackets, backticks, references and signs."""
    check(written_of(html), render_in_python)


@pytest.mark.slow
def test_text_stays_text_in_engines_of_node(render_in_node: Render) -> None:
    """No element, handler or scheme is made of a page's text."""
    for make in PAGES.values():
        check(make(), render_in_node)


@pytest.mark.slow
def test_drawn_text_stays_text_in_engines_of_node(render_in_node: Render) -> None:
    """Nor of any mixture of addresses, brackets, backticks, references and signs."""

    @settings(max_examples=1000)
    @given(DRAWN)
    def check_drawn(html: str) -> None:
        check(written_of(html), render_in_node)

    check_drawn()


def test_engines_do_revive_text() -> None:
    """The check finds what engines make of texts that are not escaped for them."""
    found = {
        name
        for text in (f"https://a.example/\\{_TAG}", f"\\{_TAG}", "[x](javascript&colon;boom())")
        for name, html in render_in_python(text).items()
        if find_revived(name, text, html)
    }
    assert {"markdown-it-py, linkify", "mistune, plugins", "Python-Markdown"} <= found
