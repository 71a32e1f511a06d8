"""Data of the reading page; computed in a worker process.

For readers, pictures within the kept text stay, with their captions: the labels that methods are
trained on mostly leave captions out, and pictures that scripts would load have no source that a
method could see. Pages that are not ordinary articles get a note above their text.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import urlencode

import numpy as np

from thresher.analysis.companions import find_figures
from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.analysis.removed_links import Link
from thresher.app.engine import Task, extract_task, measure
from thresher.app.epub import Chapter, Picture, make_chapter, write_epub
from thresher.app.markup import (
    UNTITLED,
    HeadingMark,
    PlaceImage,
    WrittenPost,
    prepare_for_page,
    write_posts,
)
from thresher.document import Document, Verdict, WriteOptions
from thresher.page.rows import BoolArray
from thresher.roles import ROLES
from thresher.selection import Selection
from thresher.support.hosts import host_of, is_web, readable_host
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName


class Download(NamedTuple):
    """Download format of an article."""

    label: str
    suffix: str
    media_type: str


_LABELS: Final = {"markdown": "Markdown", "text": "Text", "html": "HTML", "json": "JSON"}
"""Format → what people call it."""
DOWNLOADS: Final[Mapping[str, Download]] = {
    **{
        name: Download(label, FORMATS[name].suffix, FORMATS[name].content_type)
        for name, label in _LABELS.items()
    },
    "epub": Download("EPUB", ".epub", "application/epub+zip"),
}
"""Download formats by name."""


class PostView(NamedTuple):
    """Post of a thread prepared for display."""

    post: WrittenPost
    markup: str


def read(task: Task, image_base: str | None, key: bytes) -> SimpleNamespace:
    """Extract a page and prepare it for display.

    Images are loaded from ``image_base``, signed with ``key``; None omits them. Raises the
    errors of `thresher.extract`.
    """
    document = _extract(task)
    metadata = document.metadata
    host = readable_host(host_of(document.page.url).removeprefix("www."))
    title = metadata.title.value if metadata.title else host or task.source.name or "Untitled page"
    place = _place_images(image_base, key) if image_base else None
    html = document.write("html", UNTITLED)
    length, note = measure(document.text), note_on(document)
    return SimpleNamespace(
        title=" ".join(title.split()),
        authors=metadata.authors.value if metadata.authors else (),
        published=metadata.published.value if metadata.published else None,
        modified=metadata.modified.value if metadata.modified else None,
        site_name=metadata.site_name.value if metadata.site_name else None,
        host=host,
        url=document.page.url if is_web(document.page.url) else None,
        language=metadata.language.value if metadata.language else None,
        direction=_direction_of(html),
        description=metadata.description.value if metadata.description else None,
        method=document.selection.method,
        verdict=document.verdict.value,
        note=note,
        page_type=document.page_type.name if document.page_type else None,
        confidence=document.confidence if note is None else None,
        **_prepare(document, html, title, place),
        n_word=length.n_word,
        minutes=length.minutes,  # 0 for less than one; None if there is nothing to read
        removed_links=_each_once(document),
        next_url=document.next_url,
    )


def list_pictures(task: Task) -> tuple[str, ...]:
    """Return the addresses of the pictures of an article, each once."""
    urls: dict[str, None] = {}

    def note(url: str) -> None:
        if is_web(url):
            urls[url] = None

    prepare_for_page(_extract(task).write("html", UNTITLED), title="", place_image=note)
    return tuple(urls)


def write(
    task: Task, format: FormatName | Literal["epub"], pictures: Mapping[str, Picture] | None = None
) -> tuple[str, bytes]:
    """Extract a page and write it in a format of `DOWNLOADS`; return its title and the file.

    ``pictures`` are put into a book.

    The Markdown of a thread is written post by post, as it is shown.
    """
    document = _extract(task, shows_authors=format == "epub")
    title = document.metadata.title.value if document.metadata.title else ""
    if format == "epub":
        return title, write_epub(document, pictures)
    if format == "markdown" and write_posts(document):
        format = "thread"
    options = WriteOptions(metadata=format != "text", title=True)
    return title, (document.write(format, options).rstrip("\n") + "\n").encode("utf-8", "replace")


def write_chapter(task: Task) -> Chapter:
    """Extract a page and write it as a chapter of a book, without its pictures."""
    return make_chapter(_extract(task))


def _extract(task: Task, *, shows_authors: bool = True) -> Document:
    """Extract a page, with the pictures and captions that a reader expects.

    Where the authors are shown above the text, it does not name them again.
    """
    document = extract_task(task)
    if shows_authors:
        document = document.without_byline()
    return replace(document, selection=keep_figures(document.selection))


def _prepare(
    document: Document, whole: str, title: str, place: PlaceImage | None
) -> dict[str, Any]:
    """Prepare the content, ``whole`` as HTML, for display: post by post if it is a thread."""
    thread = write_posts(document)
    pieces = [thread.before, *(post.html for post in thread.posts), thread.behind] if thread else []
    headings: list[HeadingMark] = []
    markups: list[str] = []
    n_image = 0
    for html in pieces or [whole]:
        part = prepare_for_page(
            html, title="" if markups else title, place_image=place, first_part=len(headings) + 1
        )
        headings += part.headings
        markups.append(part.markup.strip())
        n_image += part.n_image
    return {
        "markup": markups[0],  # of a thread what precedes the posts
        "posts": tuple(map(PostView, thread.posts if thread else (), markups[1:])),
        "markup_behind": markups[-1] if thread else "",
        "headings": tuple(headings),
        "n_image": n_image,
    }


def sign_image(url: str, key: bytes) -> str:
    """Return the signature of an image address, which proves that the app put it on a page."""
    return hmac.new(key, url.encode("utf-8", "replace"), sha256).hexdigest()


def _place_images(base: str, key: bytes) -> PlaceImage:
    def place(url: str) -> str | None:
        if not is_web(url):
            return None
        return f"{base}?{urlencode({'url': url, 'proof': sign_image(url, key)}, errors='replace')}"

    return place


def _direction_of(html: str) -> str | None:
    match = re.match(r'<div[^>]* dir="(rtl|ltr)"', html)
    return match[1] if match else None


def _each_once(document: Document) -> tuple[Link, ...]:
    seen: dict[str, Link] = {}
    for link in document.removed_links:
        if is_web(link.url):
            seen.setdefault(link.url, link._replace(text=" ".join(link.text.split())))
    return tuple(seen.values())


_CAPTION: Final = ROLES.index("caption")
_REASON: Final = "a figure within kept text"


def keep_figures(selection: Selection) -> Selection:
    """Also keep the pictures of figures within kept text, and the captions of kept pictures."""
    page = selection.page
    added = (find_figures(page, selection.keep) | _find_captions(selection)) & ~selection.keep
    added &= ~selection.dropped_by_rule
    if not added.any():
        return selection
    blocks = page.blocks.any(added) & ~selection.block_keep
    reason_code = np.where(blocks, len(selection.reasons), selection.reason_code)
    return replace(
        selection,
        keep=selection.keep | added,
        reason_code=reason_code.astype(np.int16),
        reasons=(*selection.reasons, _REASON),
    )


def _find_captions(selection: Selection) -> BoolArray:
    """Flag the captions next to kept pictures outside figures, where the method knows roles."""
    page, codes = selection.page, selection.role_code
    if codes is None:
        return np.zeros(selection.keep.size, np.bool_)
    words = page.blocks.sums(page.leaf_words)
    pictures = selection.block_keep & (words == 0)
    beside = np.zeros_like(pictures)
    beside[1:] |= pictures[:-1]
    return np.asarray((beside & (codes == _CAPTION) & (words > 0))[page.blocks.of_leaf])


_NOTES: Final[Mapping[Verdict, str]] = {
    Verdict.LISTING: "This page is an overview of others, or of products, rather than one text.",
    Verdict.TEASER: "This page has only the beginning of its text; the publisher asks to be paid.",
    Verdict.NO_MAIN_CONTENT: "No main content was found on this page.",
    Verdict.BLOCKED: "The server sent another page instead, such as a login or error page.",
    Verdict.PARTIAL: "The page exceeds a limit; only its first part is shown.",
    Verdict.NEEDS_BROWSER: (
        "This page needs a browser to show its content: scripts load it, and they are not run here."
    ),
}
_LINKS_ONLY: Final = "This page is a list of links without a main text."
_MENU_ONLY: Final = "Only a menu was found on this page, such as that of its footer."
_MAX_MENU_WORDS: Final = 100
"""Words of a menu; an index may have more."""
_MAYBE_SCRIPTED: Final = (
    "This page probably needs a browser to show its content: there is hardly any text in its HTML,"
    " and its scripts are not run here."
)
_ADVICE: Final = (
    "Open the page in a browser, save it as a complete page, and open that file here instead."
)
_MAX_SHELL_WORDS: Final = 40
"""Words outside links of a page with scripts that is probably an empty shell. The engine demands
more evidence, because it decides; this is only said."""
_MAX_SHELL_PICTURES: Final = 2
"""A logo and a spinner."""


@dataclass(frozen=True, slots=True)
class VerdictNote:
    """Note above an article."""

    title: str
    text: str
    evidence: str | None
    advice: str | None
    """Suggested next step for the reader."""


def note_on(document: Document) -> VerdictNote | None:
    """Return the note on a page; None for ordinary content."""
    verdict = document.verdict
    evidence = document.obstacle.evidence if document.obstacle else None
    if verdict in (Verdict.CONTENT, Verdict.NO_MAIN_CONTENT, Verdict.LISTING):
        signals = PageSignals(document.page)
        if (
            signals.scripts
            and signals.plain_words <= _MAX_SHELL_WORDS
            and signals.pictures <= _MAX_SHELL_PICTURES
        ):
            n_word, n_script = signals.plain_words, signals.scripts
            evidence = (
                f"{n_word} {'word' if n_word == 1 else 'words'} outside links,"
                f" {n_script} {'script' if n_script == 1 else 'scripts'}."
            )
            return VerdictNote("Probably needs a browser", _MAYBE_SCRIPTED, evidence, _ADVICE)
    text = _NOTES.get(verdict)
    if verdict in (Verdict.CONTENT, Verdict.LISTING) and _is_mostly_links(document):
        if verdict is Verdict.LISTING:
            text = _LINKS_ONLY
        elif _is_menu(document):
            verdict, text = Verdict.NO_MAIN_CONTENT, _MENU_ONLY
    if text is None:
        return None
    advice = _ADVICE if verdict is Verdict.NEEDS_BROWSER else None
    return VerdictNote(verdict.value.capitalize(), text, evidence, advice)


def _is_mostly_links(document: Document) -> bool:
    selection = document.selection
    n_in_links = int(selection.page.leaf_link_words[selection.keep].sum())
    return 2 * n_in_links > selection.words


def _is_menu(document: Document) -> bool:
    """Return whether what was kept is short, and all of it has the role of menus and notices."""
    if document.selection.words > _MAX_MENU_WORDS:
        return False
    return {block.role for block in document.blocks if block.kept} <= {"navigation", "legal"}
