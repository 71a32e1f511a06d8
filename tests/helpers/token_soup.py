"""Pages and script data spelled from bytes, a word a byte, for a fuzzer to change.

A changed byte of HTML mostly breaks a tag; a changed byte here makes another page, with the names
and attributes that some part of the code reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RAW: Final = 128
"""An input that begins with a lesser byte is a page as it is."""
ATTRIBUTES: Final = tuple(
    (
        "aria-hidden class colspan content datetime dir hidden href id itemprop itemscope itemtype"
        " lang name property rel role rowspan src srcset start style type value"
    ).split()
)
_OPENED: Final = (
    "p div span a ul ol li dl dt dd table tr td th h1 h2 h3 b i em code pre br hr img sup sub"
    " blockquote article section nav aside footer header main figure figcaption form time details"
    " summary template noscript svg math mi mrow iframe video script style title select option"
    " textarea label input center font q cite del ruby rt tbody body html"
).split()
_CLOSED: Final = (
    "p div span a b ul ol li table tr td h1 h2 pre code blockquote article section sup template"
    " noscript svg math script style title textarea select body"
).split()
_NAMES: Final = (
    "author avatar article body byline comment comments comment-list content date depth-2 footnote"
    " headline main nav permalink post pager quote reply score sidebar tags title user votes"
).split()
_ODD: Final = (
    *("<a href='/a/b?page=3'>", "<a href='#fn1'>", "<a rel=next href=?page=3>", "<a href=//[>"),
    *("<li id=fn1>", "<a href='javascript:1'>", "<base href='//x/'>", "<p hidden>"),
    *("<p style='display:none'>", "<td colspan=999999999 rowspan=3>", "<td rowspan=0>"),
    *("<ol start=-1>", "<ol start=1e9 reversed>", "<li value=7>", "<img src=/a.jpg alt=x>"),
    *("<img srcset='/a.jpg 1e999w, /b.jpg -2x'>", "<img src='data:image/png;base64,AA'>"),
    *("<time datetime=2024-05-06T07:08:09Z>", "<time datetime=9999-99-99>", "<html lang=de>"),
    *("<meta property=og:title content=w>", "<meta name=author content='Ann Bee'>"),
    *("<meta charset=utf-16>", "<link rel=canonical href=/a>", "<div itemscope itemtype=Comment>"),
    *("<span itemprop=author>", "<span itemprop=datePublished>", "<pre class=language-py>"),
    *("<annotation encoding=application/x-tex>", "<x-y>", "<input type=checkbox checked>"),
    *("<a class=footnote-ref href=#n1>1</a>", "<sup id=r1><a href=#n1>[1]</a></sup>", "<li id=n1>"),
    *("<a href=#r1>^</a>", "<ol class=references>", "<section role=doc-endnotes>"),
)
_TEXTS: Final = (
    *("word ", "A sentence of some words, which a reader would like to read. ", "2 ", "*_`[]()|"),
    *("12 March 2024, 10:00 ", "3 hours ago ", "By Ann Bee and Cy Dee ", "Ann wrote: ", "#~\\!<>"),
    *("\u4e2d\u6587\u3002", "\u202e", "\u0301", "\u00a0", "&amp;", "&lt;b&gt;", "\n\n", "\0"),
    *("<!--", "-->", "<![CDATA[", "]]>", "$$x^2$$", "\\frac{1}{", "---", "1. ", "- ", "> ", "```"),
)
_WORDS: Final = (
    *(f"<{name}>" for name in _OPENED),
    *(f"</{name}>" for name in _CLOSED),
    *(f"<div class='{name}'>" for name in _NAMES),
    *(f"<span class='{name}'>" for name in _NAMES),
    *_ODD,
    *_TEXTS,
)
_STATE_WORDS: Final = (
    *('{"', '":', '":"', '"', '",', ",", "[", "]", "{", "}", "null", "true", "1e999", "-0", '\\"'),
    *("\\u0041", "\\ud800", "<p>", "</p>", "&lt;p&gt;", "body", "text", "content", "children"),
    *("type", "props", "articleBody", "@type", "@graph", "Article", "paragraph", "blocks", "value"),
    *("nodeType", "data", "0:", "1:T5,", "self.__next_f.push([1,", "])", "window.__STATE__=", "//"),
    *("JSON.parse(", ");", "\\n", "`", "datePublished", "author", "name", "2024-05-06", "headline"),
    "A sentence of some words, which a reader would like to read. " * 20,
)


def page_of(data: bytes) -> bytes:
    """Return the page that an input stands for."""
    if not data or data[0] < RAW:
        return data[1:]
    return _spell(_WORDS, data[1:])


def state_of(data: bytes) -> bytes:
    """Return the script data that an input stands for."""
    if not data or data[0] < RAW:
        return data[1:]
    return _spell(_STATE_WORDS, data[1:])


def _spell(words: Sequence[str], data: bytes) -> bytes:
    return "".join(words[byte % len(words)] for byte in data).encode()
