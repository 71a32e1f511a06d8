"""Pages with their expected content as HTML: labelled corpora, and pages of our own.

Each page of our own is an article with one feature. ``NAME/page.html`` is the page,
``NAME/expected.md`` the Markdown as a careful human writes it (CommonMark and GFM; formulas between
dollar signs, footnotes ``[^1]``, description lists with ``: ``), ``NAME/about.toml`` has the URL,
the title, and a CSS selector for the content; the scope, if it is not an article; and what Markdown
does not mark: captions, signatures, and the addresses of embedded posts and players.

Markdown is rendered as HTML with an independent CommonMark library (markdown-it-py): CommonMark
0.31 with raw HTML, and the above. Formulas become MathML with only their TeX, and the marks of
footnotes leave no text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin

from thresher.errors import InputError, MissingExtraError
from thresher.evaluation.corpora import Corpus
from thresher.page.canonical import source_tree
from thresher.roles import ScopeName

_TAG: Final = re.compile(r"\s*<[a-zA-Z]")
_LABELLED_AS: Final = "http://fakehost/test/page.html"
"""The address on which the labels of `readability` resolve relative links, whatever the page's is:
that of every page in the tests of Mozilla's Readability."""
_ALERT: Final = re.compile(
    r"<blockquote>\n<p>\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:\n|(</p>\n?))", re.IGNORECASE
)
"""The beginning of an alert, which the library takes for text."""
PAGES: Final = Path(__file__).with_name("pages")
"""The folder of our own pages."""


@dataclass(frozen=True, slots=True)
class Case:
    """One page and its expected output."""

    id: str
    url: str | None
    html: str
    gold: str
    """The content as HTML; for Markdown, as rendered by `render_markdown`."""
    title: str | None = None
    text: str | None = None
    """The content as plain text, if a corpus has that too."""
    content: str | None = None
    """The part of the page that is content, for converters that omit nothing; None if it is not
    marked."""
    captions: tuple[str, ...] = ()
    """Texts that Markdown does not mark as what they are, as are the next two: captions."""
    signatures: tuple[str, ...] = ()
    embeds: tuple[str, ...] = ()
    """Addresses of posts and players."""
    scope: ScopeName = "article"
    """The scope that Thresher is asked for."""


def as_page(content: str) -> str:
    """Put content into a minimal page: some extractors accept nothing else."""
    return f"<!DOCTYPE html><html><body>{content}</body></html>"


def read_corpus(corpus: Corpus, count: int | None = None) -> Iterator[Case]:
    """Read the pages of a corpus that have markup as label; packed corpora only.

    Labels are HTML, or otherwise treated as Markdown; in a corpus with HTML the label is also the
    content. Its addresses are resolved on the page's.
    """
    n_page = 0
    for page in corpus.pages():
        label = page.gold_html or (page.text if corpus.role == "fidelity" else None)
        if not label:
            continue
        if count is not None and n_page >= count:
            return
        n_page += 1
        url = page.url
        if urljoin(_LABELLED_AS, "/") in label:
            url = url or _LABELLED_AS
            for place in (".", "/"):
                label = label.replace(urljoin(_LABELLED_AS, place), urljoin(url, place))
        is_html = bool(_TAG.match(label)) and page.gold_html is not None
        yield Case(
            id=page.id,
            url=url,
            html=page.html,
            gold=label if is_html else render_markdown(label),
            title=page.title,
            text=page.text if is_html else None,
            content=as_page(label) if is_html else None,
        )


def render_markdown(markdown: str) -> str:
    """Return the HTML that a reader of the Markdown would see; raises MissingExtraError."""
    return _renderer()(markdown)


@cache
def _renderer() -> Callable[[str], str]:
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.deflist import deflist_plugin
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.footnote import footnote_plugin
    except ImportError as error:
        raise MissingExtraError("reading Markdown", "eval") from error
    # Pages have no limit on nesting depth; the library's default is 20.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 200})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin).use(deflist_plugin)
    options = {"allow_space": False, "allow_digits": False, "double_inline": True}
    parser.use(dollarmath_plugin, renderer=_render_formula, **options)
    for rule in ("footnote_ref", "footnote_anchor"):
        parser.add_render_rule(rule, lambda *_: "")
    return lambda markdown: _ALERT.sub(_render_alert, str(parser.render(markdown)))


def _render_alert(found: re.Match[str]) -> str:
    opened = f'<blockquote data-callout="{found[1].lower()}">\n'
    return opened if found[2] else f"{opened}<p>"


def _render_formula(tex: str, options: dict[str, Any]) -> str:
    display = "block" if options["display_mode"] else "inline"
    noted = f'<annotation encoding="application/x-tex">{escape(tex.strip())}</annotation>'
    return f'<math display="{display}"><semantics>{noted}</semantics></math>'


def read_cases(folder: Path = PAGES) -> Iterator[Case]:
    """Read a folder of pages; InputError if one is broken; errors of `render_markdown`."""
    try:
        for place in sorted(folder.iterdir()):
            about = tomllib.loads((place / "about.toml").read_text(encoding="utf-8"))
            html = (place / "page.html").read_text(encoding="utf-8")
            yield Case(
                id=place.name,
                url=about["url"],
                html=html,
                gold=render_markdown((place / "expected.md").read_text(encoding="utf-8")),
                title=about["title"],
                content=_cut(html, about["keep"]),
                captions=tuple(about.get("captions", ())),
                signatures=tuple(about.get("signatures", ())),
                scope=about.get("scope", "article"),
                embeds=tuple(about.get("embeds", ())),
            )
    except (OSError, LookupError, ValueError) as error:
        raise InputError(f"{folder}: {error}") from error


def _cut(html: str, selector: str) -> str:
    parts = [element.serialize() for element in source_tree(html).select(selector)]
    if not parts:
        raise InputError(f"nothing is found by {selector!r}")
    return as_page("".join(parts))
