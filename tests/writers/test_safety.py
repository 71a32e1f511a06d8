"""Well-known ways to inject a script into a page, through the writers whose output is shown.

The vectors are classes of attack from the OWASP filter evasion list, html5sec.org and the papers on
mutation XSS (Heiderich et al. 2013), rewritten from scratch.
"""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Final
from xml.etree import ElementTree

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.outputs import SAFE_ADDRESS, find_dangers
from thresher import Document, WriteOptions

VECTORS: Final = (
    # Scripts as elements.
    "<script>boom()</script>x",
    "<SCRIPT SRC=//evil.example/a.js></SCRIPT>x",
    "<scr<script>ipt>boom()</scr</script>ipt>x",
    "<script/defer>boom()</script>x",
    "<script>x</script\n>boom()",
    "<svg><script>boom()</script><text>x</text></svg>y",
    "<svg><script href=data:text/javascript,boom() />x</svg>y",
    "<math><script>boom()</script><mi>x</mi></math>",
    "<noscript><p title='</noscript><script>boom()</script>'>x",
    "<noembed><p title='</noembed><script>boom()</script>'>x",
    "<template><script>boom()</script>x</template>",
    # Handlers.
    "<p onclick=boom()>x</p>",
    "<img src=x onerror=boom()>",
    "<img/src='x'/onerror='boom()'>",
    "<img src=x OnErRoR = boom()>",
    "<svg onload=boom()>x</svg>y",
    "<body onload=boom()>x",
    "<details open ontoggle=boom()><summary>x</summary>y</details>",
    "<video src=x onerror=boom()>x</video>",
    "<video><source onerror=boom()>x</video>",
    "<a href=# onmouseover='boom()'>x</a>",
    "<p style=animation-name:x onanimationstart=boom()>x",
    "<math><mi onclick=boom()>x</mi></math>",
    "<x-y onfocus=boom() tabindex=1>x</x-y>",
    '<img alt="x" onload="boom()" src="/a.png" title=\'"onerror="boom()\'>',
    "<p/onclick=boom()/x>x",
    # URLs that are scripts.
    "<a href=javascript:boom()>x</a>",
    "<a href='JaVaScRiPt:boom()'>x</a>",
    "<a href='java\tscript:boom()'>x</a>",
    "<a href='java&#10;script:boom()'>x</a>",
    "<a href=' &#1; javascript:boom()'>x</a>",
    "<a href='&#106;avascript&colon;boom()'>x</a>",
    "<a href='vbscript:boom()'>x</a>",
    "<a href='data:text/html,<script>boom()</script>'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD4='>x</a>",
    "<a href='view-source:javascript:boom()'>x</a>",
    "<a href='blob:https://evil.example/1'>x</a>",
    "<a href='javascript://site.example/%0aboom()'>x</a>",
    "<img src=javascript:boom() alt=x>",
    "<img srcset='javascript:boom() 2x' alt=x>",
    "<img data-src='javascript:boom()' alt=x>",
    "<img src='data:image/svg+xml,<svg onload=boom()>' alt=x>",
    "<iframe src=javascript:boom()></iframe>x",
    "<iframe srcdoc='<script>boom()</script>'></iframe>x",
    "<iframe src='https://film.example/\"onload=\"boom()'></iframe>x",
    "<embed src='data:text/html,boom'>x",
    "<object data=javascript:boom()>x</object>",
    "<video src='javascript:boom()' title='<script>'>x</video>",
    "<form action=javascript:boom()><button formaction=javascript:boom()>x</button></form>",
    "<math href=javascript:boom()><mi>x</mi></math>",
    "<math><mi xlink:href=javascript:boom()>x</mi></math>",
    "<svg><a xlink:href=javascript:boom()><text>x</text></a></svg>y",
    "<blockquote cite=javascript:boom()>x</blockquote>",
    "<base href=javascript:boom()//><a href=x>x</a>",
    "<link rel=stylesheet href=javascript:boom()>x",
    "<meta http-equiv=refresh content='0;url=javascript:boom()'>x",
    # Styles.
    "<style>@import 'javascript:boom()'</style>x",
    "<p style='background:url(javascript:boom())'>x",
    "<p style='width:expression(boom())'>x",
    "<style><img src='</style><img src=x onerror=boom()>'></style>",
    # Mutation: markup that parses differently the second time.
    "<svg></p><style><a id='</style><img src=1 onerror=boom()>'>x",
    "<math><mtext><table><mglyph><style><img src onerror=boom()></style>x",
    "<math><annotation-xml encoding='text/html'><script>boom()</script>x</annotation-xml></math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=boom()>x",
    "<listing>&lt;img src onerror=boom()&gt;</listing>",
    "<textarea>&lt;/textarea&gt;&lt;img src onerror=boom()&gt;</textarea>",
    "<xmp><img src onerror=boom()></xmp>",
    "<plaintext><img src onerror=boom()>",
    "<title>&lt;/title&gt;&lt;script&gt;boom()&lt;/script&gt;</title>x",
    "<p title='</p><script>boom()</script>'>x",
    "<![CDATA[<script>boom()</script>]]>x",
    "<!--><script>boom()</script>-->x",
    "<pre class='language-js\" onclick=boom() x=\"'>x</pre>",
    "<pre class='language-js`<script>'>x</pre>",
    "<div data-lang='js\"><script>boom()'><pre>x</pre></div>",
    # Text that a reader of Markdown takes for markup.
    "<p>&lt;script&gt;boom()&lt;/script&gt;</p>",
    "<p>[x](javascript:boom())</p>",
    "<p>![x](javascript:boom())</p>",
    "<p>&lt;javascript:boom()&gt;</p>",
    "<p>[x]: javascript:boom()</p>",
    "<p>`</p><p>&lt;img src onerror=boom()&gt;`</p>",
    "<code>`&lt;img src onerror=boom()&gt;`</code>",
    "<pre>```\n&lt;img src onerror=boom()&gt;</pre>",
    "<img src=/a.png alt='](javascript:boom())'>",
    "<img src=/a.png alt='x\n\n<script>boom()</script>'>",
    "<img src='/a.png)[x](javascript:boom())' alt=x>",
    "<a href='/a)[x](javascript:boom())'>x</a>",
    "<a href='/a' title='\") [x](javascript:boom()) (\"'>x</a>",
    "<a href='/a\n\n<script>boom()</script>'>x</a>",
    "<table><tr><th>a<th>b<tr><td>|&lt;script&gt;<td>`|`&lt;script&gt;</table>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>"
    "&lt;script&gt;[x](javascript:boom())</annotation></semantics></math>",
)


@pytest.mark.parametrize("vector", VECTORS)
def test_html_is_harmless_when_the_page_attacks(vector: str) -> None:
    """Only allowed elements, attributes and URLs may be written, however a page writes them."""
    html = document_keeping(f"<body>{vector}").html
    assert [] == find_dangers(html)


@pytest.mark.parametrize("vector", VECTORS)
def test_html_is_the_same_when_cleaned_html_is_parsed_again(vector: str) -> None:
    """Clean HTML must not change when a browser parses it, as mutation attacks require."""
    html = document_keeping(f"<body>{vector}").html
    assert html == turbohtml.parse_fragment(html).inner_html


@pytest.mark.parametrize("vector", VECTORS)
def test_markdown_is_harmless_when_the_page_attacks(vector: str) -> None:
    """Markdown may contain line breaks and scripts of HTML, and harmless URLs only."""
    check_markdown(document_keeping(f"<body>{vector}").markdown)


def check_markdown(markdown: str) -> None:
    prose = re.sub(r"(?ms)^(`{3,})[^\n`]*\n.*?^\1$", "", markdown)
    prose = re.sub(r"(?s)(?<![`\\])(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", "", prose)
    prose = re.sub(r' "(?:\\.|[^"\\])*"\)', ")", prose)  # titles of links
    prose = re.sub(r"\\.", "", prose)
    assert [] == re.findall(r"<(?!br>|/?su[bp]>|/?code>|https?:)[a-z/!?].*", prose, re.IGNORECASE)
    addresses = re.findall(r"\]\(\s*<?([^\s>)]*)", prose) + re.findall(
        r"(?m)^\[.*?\]: *(\S+)", prose
    )
    assert [] == [address for address in addresses if not SAFE_ADDRESS.match(address)]


def with_metadata(vector: str) -> Document:
    """Return a document of a page whose metadata contains attacks."""
    quoted = vector.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    head = "".join(
        f'<meta name="{name}" content="{quoted}">'
        for name in ("description", "author", "keywords", "og:title", "og:site_name", "og:image")
    )
    return document_keeping(f"<head><title>{quoted}</title>{head}</head><p>x")


METADATA = WriteOptions(metadata=True, title=True)


@pytest.mark.parametrize("vector", VECTORS)
def test_page_is_harmless_when_its_metadata_attacks(vector: str) -> None:
    """Metadata written into the head must be escaped as text."""
    written = with_metadata(vector).write("html", METADATA)
    assert [] == turbohtml.parse(written).find_all(["script", "img", "iframe", "style", "svg"])


@pytest.mark.parametrize("vector", VECTORS)
def test_text_is_harmless_when_the_metadata_attacks(vector: str) -> None:
    """Front matter must be without markup for readers that do not support it, and complete."""
    document = with_metadata(vector)
    for format in ("markdown", "text", "thread"):
        check_front_matter(document, document.write(format, METADATA))
    check_markdown(document.write("markdown", METADATA))


def check_front_matter(document: Document, written: str) -> None:
    if not written.startswith("---\n"):
        return
    lines = written.partition("\n---\n")[0].split("\n")[1:]
    front = "\n".join(lines)
    assert [] == re.findall(r"<[a-z/!?].*", front, re.IGNORECASE)
    assert "](" not in front
    assert "`" not in front
    known = {name: json.loads(value) for name, _, value in (line.partition(": ") for line in lines)}
    assert document.metadata.as_dict().items() <= known.items()


@pytest.mark.parametrize("vector", VECTORS)
def test_data_is_well_formed_when_the_metadata_attacks(vector: str) -> None:
    """Metadata must not break out of its field."""
    document = with_metadata(vector)
    tei = ElementTree.fromstring(document.write("tei", METADATA))
    names = {element.tag.rpartition("}")[2] for element in tei.iter()}
    assert not names & {"script", "img", "iframe", "style", "svg"}
    for format in ("json", "jsonl"):
        assert document.text == json.loads(document.write(format, METADATA))["text"]
    assert 2 == len(list(csv.reader(io.StringIO(document.write("csv", METADATA)))))
    inplace = turbohtml.parse(document.write("inplace", METADATA))
    assert [] == inplace.find_all(["script", "img", "iframe", "style", "svg"])
