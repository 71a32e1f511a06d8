"""Notes of the reading page on pages that are not ordinary articles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from thresher.analysis.obstacles.page_signals import PageSignals
from thresher.document import Document, Verdict

__all__ = ["VerdictNote", "note_on"]

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
    """Return whether most of the kept words are in links."""
    selection = document.selection
    n_in_links = int(selection.page.leaf_link_words[selection.keep].sum())
    return 2 * n_in_links > selection.words


def _is_menu(document: Document) -> bool:
    """Return whether what was kept is short, and all of it has the role of menus and notices."""
    if document.selection.words > _MAX_MENU_WORDS:
        return False
    return {block.role for block in document.blocks if block.kept} <= {"navigation", "legal"}
