"""What systems that many sites share mark as text, or as none: a table of their names.

Wikis, forums, blogs, manuals and editors name the parts of their pages in words that they document,
the same in every language, so no probability decides about these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.parts import SYSTEM_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF

_Names = Mapping[str, str]
"""Attribute → words in it, some only of one tag: `tag.word`."""


class _System(NamedTuple):
    """The names by which a system marks parts of its pages."""

    signs: np.uint64
    """Parts of class names that only its pages have, as bits of `SYSTEM_PARTS`; none where an
    attribute is."""
    never: _Names
    """Those of what is no text."""
    always: _Names = MappingProxyType({})
    """Those of what is."""


_signs = SYSTEM_PARTS.bits
_SYSTEMS: Final = (
    # MediaWiki and the templates that its wikis share: remarks to editors are in `sup.noprint`,
    # their notices and links to sister projects in `metadata` (mediawiki.org, "Manual:Interface/IDs
    # and classes").
    _System(
        _signs(b"mw-body", b"mw-content-", b"mw-parser-output"),
        {
            "class": "mw-editsection editsection mw-jump-link mw-indicators navbar navbox"
            " navigation-only vertical-navbox table.sidebar sup.noprint metadata printfooter"
            " catlinks toc wds-tabs__wrapper tabbernav tabber__tabs",
            "id": "siteSub contentSub toc catlinks",
            "role": "navigation",
        },
    ),
    # Some sites put bylines and buttons into what MediaWiki writes, but not with its own skins.
    _System(_signs(b"mw-body"), {}, {"class": "mw-parser-output"}),
    _System(
        _signs(b"dokuwiki"),
        {
            "class": "secedit btn_secedit editbutton_section",
            "id": "dokuwiki__header dokuwiki__footer dw__toc",
        },
        {"class": "h1.sectionedit1 div.level1 div.level2 div.level3 div.level4 div.level5"},
    ),
    # GitHub: a folder with its README, and a file, whose text is there twice.
    _System(
        _signs(b"markdown-body"),
        {"aria-labelledby": "folders-and-files", "id": "folders-and-files"},
        {"class": "article.markdown-body"},
    ),
    _System(
        _signs(b"react-code-"),
        {"class": "react-code-file-contents"},
        {"class": "react-blob-textarea"},
    ),
    # Discourse and Stack Exchange: the posts of a topic; who commented, as opposed to answered, is
    # beside it.
    _System(
        _signs(b"crawler-post", b"topic-post"),
        {"class": "post-menu-area div.title"},  # a title is that of a quotation
        {"class": "cooked"},
    ),
    _System(_signs(b"crawler-post"), {"class": "div.meta"}, {"class": "div.post"}),
    _System(
        _signs(b"js-post-body"),
        {
            "class": "aside.s-notice comments-list post-signature post-taglist",
            "role": "button",  # the headings of comments
        },
        {"class": "h2.mb0 s-prose"},
    ),
    # XenForo and phpBB: the posts of a thread, and what is beside them.
    _System(
        _signs(b"p-title-value"),
        {
            "class": "bbCodeBlock-expandLink bbCodeBlock-shrinkLink bbCodeBlockUnfurl-icon"
            " cv-attach-exif message-signature message-user"
        },
        {"class": "div.bbWrapper"},
    ),
    _System(
        _signs(b"postprofile"),
        {"class": "dl.postprofile ul.post-buttons div.notice div.signature"},
        {"class": "div.content"},
    ),
    # Signatures of Invision, Kunena and Vanilla; labels and actions that vBulletin hides by a style
    # sheet; the post that one of NodeBB answers.
    _System(_signs(b"ipscomment"), {"data-role": "memberSignature"}),
    _System(_signs(b"ksignature"), {"class": "ksig"}),
    _System(_signs(b"usersignature"), {"class": "UserSignature"}),
    _System(_signs(), {"component": "post/parent"}),
    _System(_signs(b"nocss_label"), {"class": "forumactionlinks nocss_label"}),
    # ChatGPT: what either side says; Telegram: the initials of who does.
    _System(_signs(b"text-token-text-"), {}, {"data-turn": "assistant user"}),
    _System(_signs(b"userpic"), {"class": "div.userpic_wrap"}),
    # Chapters of books (EPUB 3 Structural Semantics Vocabulary).
    _System(
        _signs(),
        {"epub:type": "landmarks page-list toc"},
        {"epub:type": "bodymatter chapter epilogue foreword introduction part preface prologue"},
    ),
    # Project Gutenberg: its header and its licence.
    _System(_signs(b"pg-boilerplate"), {"class": "pg-boilerplate"}),
    # Papers of arXiv and others in HTML (LaTeXML manual, "CSS classes").
    _System(
        _signs(b"ltx_"),
        {"class": "ltx_authors ltx_dates ltx_page_footer ltx_page_navbar package-alerts"},
        {"class": "article.ltx_document"},
    ),
    # Reference pages of rustdoc, Doxygen (`ttc` are its tooltips) and TypeDoc.
    _System(
        _signs(b"rustdoc"),
        {"class": "summary.hideme a.src"},
        {
            "class": "docblock h3.code-header h4.code-header item-decl section.method stab"
            " structfield"
        },
    ),
    _System(_signs(b"memproto"), {"class": "ttc"}, {"class": "memdoc memproto table.memberdecls"}),
    _System(
        _signs(b"tsd-"),
        {"class": "tsd-index-group tsd-sources"},
        {"class": "tsd-comment tsd-signatures"},
    ),
    # Links beside headings: gi-docgen, man7.org; between signatures and code: Sphinx.
    _System(_signs(b"srclink", b"top-link"), {"class": "a.srclink span.top-link"}),
    _System(_signs(b"viewcode-"), {"class": "viewcode-back viewcode-link"}),
    # What editors of notes, wikis and blogs put between paragraphs.
    _System(
        _signs(b"page mono", b"page sans", b"page serif"),
        {},
        {"class": "div.page-body table.properties"},
    ),
    _System(
        _signs(b"wiki-content"),
        {"class": "expand-control-icon expand-control-image"},
        {"class": "wiki-content"},
    ),
    _System(
        _signs(b"kg-card"),
        {
            "class": "kg-audio-player kg-button-card kg-cta-card kg-email-cta kg-header-card-button"
            " kg-product-card-button kg-signup-card kg-video-player"
        },
        {"class": "kg-card"},
    ),
    _System(
        _signs(b"captioned-image-container", b"subscription-widget"),
        {"class": "native-audio-embed poll-embed subscription-widget"},
    ),
    # A file of the text, and a second link to it.
    _System(
        _signs(b"wp-block-file"),
        {"class": "a.wp-block-file__button"},
        {"class": "div.wp-block-file"},
    ),
    # The language above code of MDN; controls of players and of shops.
    _System(_signs(b"example-header"), {"class": "div.example-header"}),
    _System(
        _signs(b"jw-reset", b"mejs-", b"plyr__", b"vjs-"),
        {
            "class": "jw-controls jw-modal mejs-controls mejs-offscreen plyr__controls"
            " vjs-control-bar vjs-control-text vjs-modal-dialog vjs-text-track-settings"
        },
    ),
    _System(_signs(b"card-figcaption"), {"class": "card-figcaption-button quickview"}),
    _System(_signs(b"swatch-wrapper"), {"class": "product-swatches swatch-wrapper"}),
    # What shops, search engines and an editor of Markdown have beside what is shown.
    _System(_signs(b"plp-price"), {"class": "plp-price__sr-text"}),
    _System(_signs(b"rich-snippet-h"), {"class": "rich-snippet-hidden"}),
    _System(_signs(b"auto-textarea"), {"class": "auto-textarea-wrapper"}),
    # Controls of recipes and of accordions; units that WP Recipe Maker has twice.
    _System(
        _signs(b"tasty-recipes"),
        {
            "class": "tasty-recipes-cook-mode tasty-recipes-quick-links"
            " tasty-recipes-scale-container tasty-recipes-units-scale-container"
            " tasty-recipes-yield-scale"
        },
    ),
    _System(_signs(b"wprm-screen"), {"class": "wprm-screen-reader-text"}),
    _System(
        _signs(b"govuk-accordion"),
        {"class": "govuk-accordion__controls govuk-accordion__section-toggle"},
    ),
    # Numbers that a script counts up to.
    _System(_signs(b"elementor-counter"), {"class": "elementor-counter"}),
    # Controls of a map, and whose it is.
    _System(_signs(b"gm-style"), {"class": "gm-style"}),
    # What is not read aloud beside a text: names and buttons.
    _System(_signs(b"speechify"), {"class": "div.speechify-ignore"}),
    # And the opposite: what loudspeakers read of a story on NPR, which is not shown.
    _System(_signs(b"storytitle"), {"class": "div.speakable"}),
)
"""Systems whose markup is documented, or the same on all pages: MediaWiki, DokuWiki, Discourse,
Stack Exchange, XenForo, phpBB, Invision, Kunena, Vanilla, NodeBB, vBulletin, ChatGPT, Telegram's
exports, EPUB, Project Gutenberg, LaTeXML, rustdoc, Doxygen, TypeDoc, Sphinx, gi-docgen, man7.org,
MDN, exports of Notion, Confluence, Ghost, Substack, Elementor, WordPress, WooCommerce, BigCommerce,
IKEA, Avada, mavonEditor, Tasty Recipes, WP Recipe Maker, GOV.UK, Google Maps, Speechify, NPR,
players.
"""
_SIGNLESS: Final = tuple(system for system in _SYSTEMS if not system.signs)
"""Those to look for on pages that have the signs of none."""


def flag_by_systems(page: Page) -> tuple[BoolArray, BoolArray]:
    """Flag what is no text by the system that wrote a page, and what is; bool[n_row] each.

    What is no text may be inside what is.
    """
    never, always = np.zeros((2, len(page)), np.bool_)
    parts = page.attributes.system_parts
    for system in _SYSTEMS if parts else _SIGNLESS:
        if not system.signs or parts & system.signs:
            _flag_named(page, system.never, never)
            _flag_named(page, system.always, always)
    return never, always


def _flag_named(page: Page, names: _Names, flags: BoolArray) -> None:
    """Flag the elements with one of some names, in place; bool[n_row]."""
    for attribute, words in names.items():
        if not page.attributes.named(attribute).size:
            continue
        values = page.attributes.distinct(attribute)
        for word in words.split():
            tag, _, name = word.rpartition(".")
            rows = values.rows_with_word(name)
            flags[rows[page.tag[rows] == CODE_OF[tag]] if tag else rows] = True
