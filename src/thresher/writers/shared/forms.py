"""Forms of a page that is written in place: each is kept whole or removed whole.

A field without its label or its button is worse than no form at all, and a person may need a form
that is not main content: a search, a login, a comment. So every form with a visible field stays,
except requests to subscribe that are outside the content. A page whose purpose is a form is not cut
at all. Fields outside any form, or in one that is wrapped around the page, are grouped with the
nearest text and button. Links and buttons to search, log in and log out stay, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.selection import ENOUGH_WORDS
from thresher.support.cached import cached_view

_BUTTON, _FORM, _INPUT, _LABEL, _LINK = (
    CODE_OF[name] for name in "button form input label a".split()
)

# -- fields ------------------------------------------------------------------------------------

_FIELDS: Final = flags_of("select textarea")
_PARTS: Final = flags_of("article main nav")
"""Elements inside a form that is wrapped around a page."""
_STOPS: Final = flags_of("article body form frameset html main nav")
"""Elements that no group of fields contains."""
_BUTTON_TYPES: Final = frozenset(("button", "image", "reset", "submit"))
_TOGGLES: Final = frozenset(("checkbox", "radio"))
"""Outside forms these often only open and close a menu."""
_SUBSCRIPTION_TYPES: Final = frozenset(("", "email", "text"))
NEVER_SHOWN: Final = np.uint8(Hidden.TEMPLATE | Hidden.NOSCRIPT)
NOT_SHOWN: Final = NEVER_SHOWN | np.uint8(Hidden.ATTRIBUTE | Hidden.STYLE)
"""Why an element is not seen, at least until a script shows it."""
_NAMING: Final = ("class", "id", "action", "name", "placeholder", "aria-label", "role")
_SUBSCRIPTION: Final = re.compile(
    r"newsletter|mailing.?list|mailchimp|mc-embedded|subscri(?:be|ption)|abonnieren|abonnez"
    r"|suscr[ií]b|iscriviti|inscreva|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|рассыл|订阅|訂閱"
    r"|メールマガジン|뉴스레터"
)
_WIDE_SHARE: Final = 0.8
_WIDE_WORDS: Final = 300
"""A form with at least these words, and this share of the page's, is wrapped around the page."""
_MAX_LEVELS: Final = 6
_MAX_GROUP_WORDS: Final = 60
_MAX_GROUP_ROWS: Final = 200
_MAX_SUBSCRIPTION_FIELDS: Final = 3


class _FormFields:
    """The fields, buttons and editable elements of a page, known from the page alone.

    ``fields``, ``buttons``, ``editable`` and ``view_states`` (the hidden fields that ASP.NET puts
    into a form around the page) flag rows; bool[n_row]. ``types`` are row → `type` in lower case,
    ``names`` row → classes, ids and other names of forms and of what is near fields.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.values = page.attributes.values
        tag = page.tag
        types = {row: kind.strip().lower() for row, kind in self.values("type").items()}
        self.types = types
        self.buttons = tag == _BUTTON
        self.fields: BoolArray = _FIELDS[tag].copy()
        for row in watch(np.flatnonzero(tag == _INPUT).tolist()):
            kind = types.get(row, "")
            if kind in _BUTTON_TYPES:
                self.buttons[row] = True
            elif kind != "hidden":
                self.fields[row] = True
        self.fields &= (page.hidden & NEVER_SHOWN) == 0
        self.editable = np.zeros(len(page), np.bool_)
        for row, value in self.values("contenteditable").items():
            self.editable[row] = value.strip().lower() in ("", "true", "plaintext-only")
        self.names = self._read_names()
        self.view_states = np.zeros(len(page), np.bool_)
        for row, name in self.values("name").items():
            self.view_states[row] = name == "__VIEWSTATE"

    def _read_names(self) -> dict[int, str]:
        """Return row → names, of the elements in forms, and of fields and what is around them."""
        page, attributes = self.page, self.page.attributes
        near = self.fields | (page.tag == _FORM)
        if not near.any():
            return {}
        near = page.within(near)
        around: npt.NDArray[np.integer] = np.flatnonzero(self.fields)
        for _ in range(_MAX_LEVELS):
            around = page.parent[around]
            near[around] = True
        names: dict[int, str] = {}
        for name in _NAMING:
            entries = attributes.named(name)
            entries = entries[near[attributes.row[entries]]]
            rows, values = attributes.row[entries].tolist(), attributes.texts_of(entries)
            for row, value in watch(zip(rows, values, strict=True)):
                names[row] = f"{names.get(row, '')} {value}"
        return names

    def is_wide(self, row: int) -> bool:
        """Return whether a form is wrapped around the page."""
        page = self.page
        span = slice(row, int(page.end[row]))
        if _PARTS[page.tag[span]].any():
            return True
        if self.view_states[span].any():
            return True
        wide = max(_WIDE_WORDS, _WIDE_SHARE * int(page.words_before[-1]))
        return bool(page.subtree_words[row] >= wide)

    def is_subscription(self, row: int) -> bool:
        """Return whether a form only asks for an email address for a newsletter."""
        span = slice(row, int(self.page.end[row]))
        fields = (np.flatnonzero(self.fields[span]) + row).tolist()
        texts = [field for field in fields if self.types.get(field) not in _TOGGLES]
        is_plain = 0 < len(texts) <= _MAX_SUBSCRIPTION_FIELDS and all(
            self.page.tag[field] == _INPUT and self.types.get(field, "") in _SUBSCRIPTION_TYPES
            for field in texts
        )
        return is_plain and _SUBSCRIPTION.search(self.describe(row)) is not None

    def describe(self, row: int) -> str:
        """Return the names and the text of a form, in lower case."""
        inside = range(row, int(self.page.end[row]))
        names = [self.names[element] for element in inside if element in self.names]
        return " ".join([*names, self.page.text_of(row)]).casefold()

    def find_group(self, row: int) -> int:
        """Return the box of a field without a form, with its text and button if any is near."""
        page = self.page
        best, box = row, row
        for _ in range(_MAX_LEVELS):
            box = int(page.parent[box])
            if (
                box <= 0
                or _STOPS[page.tag[box]]
                or page.subtree_words[box] > _MAX_GROUP_WORDS
                or page.end[box] - box > _MAX_GROUP_ROWS
            ):
                break
            has_text = bool((page.tag[page.leaves[slice(*page.leaf_span(box))]] == TEXT).any())
            if self.buttons[box : page.end[box]].any():
                return box
            if has_text and best == row:
                best = box
        return best

    def find_labels(self, kept: BoolArray) -> list[int]:
        """Return the labels and buttons outside a kept form that belong to it."""
        targets = {identifier for row, identifier in self.values("id").items() if kept[row]}
        labels = [
            row
            for row, target in self.values("for").items()
            if self.page.tag[row] == _LABEL and target in targets
        ]
        parts = self.buttons | self.fields
        return labels + [
            row for row, form in self.values("form").items() if parts[row] and form in targets
        ]

    def count(self, work: BoolArray) -> int:
        """Count fields; all radio buttons of one name are one field."""
        rows = np.flatnonzero(work).tolist()
        names = self.values("name")
        radios = {names.get(row, "") for row in rows if self.types.get(row) == "radio"}
        return len(radios) + sum(self.types.get(row) != "radio" for row in rows)


@cached_view
def read_fields(page: Page) -> _FormFields:
    """Return the fields of a page; read once."""
    return _FormFields(page)


# -- ways to search, log in and log out --------------------------------------------------------

_OUT: Final = r"log[-_]?(?:out|off)|sign[-_]?(?:out|off)|abmelden|deconnexion"
_IN: Final = r"log[-_]?in|sign[-_]?in|anmelden"
_ADDRESS: Final = re.compile(
    rf"(?:/|/wp-|[:/]user)(?:(?:{_OUT})(?:\.\w{{2,5}})?/?(?=[?&#]|$)|(?:{_IN})(?:\.\w{{2,5}})?/?$)"
    rf"|[?&;](?:action|do|mode|op|title)=(?:special:user)?(?:{_OUT})(?=[&;#]|$)"
    r"|(?<!/tag)(?<!/category)[/:]search(?:\.\w{2,5})?/?$"
)
"""Addresses in lower case: to log out with any query, to log in or search without. Links to what
asks for a login first lead to one with a query, and a query for a search is that of a topic."""
_LOG_IN: Final = re.compile(rf"(?:[/=]|special:user)(?:{_IN})(?:\.\w{{2,5}})?/?(?=[?&;#]|$)")
"""Addresses to log in if the link says so."""
_ADDRESS_PARTS: Final = (
    b"/log -log =log userlog /sign =sign /abmelden /anmelden /deconnexion /search :search".split()
)
"""Every such address has one of these in it; most addresses have none."""
_SIGN_OUT: Final = re.compile(
    r"log[-_ ]?out|sign[-_ ]?out|log[-_ ]?off|abmelden|déconnexion|wyloguj"
)
"""Names and words of controls that end a session, in lower case."""
_SIGN_OUT_PARTS: Final = (b"out", b"off", b"abmelden", "déconnexion".encode(), b"wyloguj")
_WORDS: Final = frozenset(
    (
        "log out,logout,sign out,signout,log off,logoff,log in,login,sign in,signin"
        ",search,open search,search this site,site search"
        ",abmelden,ausloggen,anmelden,einloggen,suche,suchen"
        ",déconnexion,se déconnecter,connexion,se connecter,rechercher,recherche"
        ",cerrar sesión,iniciar sesión,buscar,sair,terminar sessão,entrar,iniciar sessão,pesquisar"
        ",esci,disconnetti,accedi,cerca,uitloggen,afmelden,inloggen,aanmelden,zoeken,zoek"
        ",logga ut,logga in,sök,logg ut,logg inn,søk,log ud,log ind,søg,kirjaudu ulos,kirjaudu,haku"
        ",wyloguj,wyloguj się,zaloguj,zaloguj się,szukaj,odhlásit,přihlásit,hledat"
        ",выйти,выход,войти,вход,поиск,найти,çıkış,çıkış yap,giriş,giriş yap,ara"
        ",ログアウト,ログイン,検索"
        ",退出,退出登录,登出,登录,登入,搜索,搜尋,로그아웃,로그인,검색,تسجيل الخروج,تسجيل الدخول,بحث"
    ).split(",")
)
"""Texts of such links and buttons."""
_SAYING: Final = ("aria-label", "title", "value")
_NAME_ATTRIBUTES: Final = ("id", "name", "class")
_BESIDE: Final = " .…:›»→"
"""Characters beside such words."""
_MAX_WORDS: Final = 4
_BY_SCRIPT: Final = re.compile(r"\s*(?:#|javascript:)", re.IGNORECASE)
_SCRIPTED_PARTS: Final = (b"#", b"javascript:")


@cached_view
def find_reached(page: Page) -> tuple[int, ...]:
    """Return the links and buttons to search, log in and log out, in any order."""
    return tuple({*_find_addresses(page), *_find_controls(page)})


def _find_addresses(page: Page) -> Iterator[int]:
    """Yield the links to such addresses."""
    attributes = page.attributes
    entries = attributes.named("href")[attributes.search("href").find(_ADDRESS_PARTS)]
    for row, address in watch(attributes.values_of(entries).items()):
        if page.tag[row] != _LINK:
            continue
        folded = address.strip().lower()
        if _ADDRESS.search(folded) or (
            _LOG_IN.search(folded)
            and page.subtree_words[row] <= _MAX_WORDS
            and _says_so(page.text_of(row) or page.attr(row, "aria-label") or "")
        ):
            yield row


def _find_controls(page: Page) -> Iterator[int]:
    """Yield the buttons, and links that a script follows, that say or are named so."""
    attributes = page.attributes
    values = attributes.values
    rows = np.flatnonzero(read_fields(page).buttons).tolist()
    rows += [row for row, role in values("role").items() if role.strip().lower() == "button"]
    entries = attributes.named("href")[attributes.search("href").find(_SCRIPTED_PARTS)]
    rows += [
        row
        for row, address in watch(attributes.values_of(entries).items())
        if page.tag[row] == _LINK and _BY_SCRIPT.match(address)
    ]
    if not rows:
        return
    sayings = [values(name) for name in _SAYING]
    words = page.subtree_words
    signing_out = _find_named(page)
    for row in watch(rows):
        if words[row] > _MAX_WORDS:
            continue
        if (
            row in signing_out
            or _says_so(page.text_of(row))
            or any(_says_so(saying[row]) for saying in sayings if row in saying)
        ):
            yield row


def _find_named(page: Page) -> frozenset[int]:
    """Return the elements that are named after the end of a session."""
    attributes = page.attributes
    named: list[int] = []
    for name in _NAME_ATTRIBUTES:
        search = attributes.search(name)
        rows = attributes.rows_named(name)
        named += [
            int(rows[place])
            for place in search.find(_SIGN_OUT_PARTS)
            if _SIGN_OUT.search(search.lower(place).decode())
        ]
    return frozenset(named)


def _says_so(text: str) -> bool:
    """Return whether a text, or a part of it as in “Log in / Register”, is one of the words."""
    folded = " ".join(text.split()).casefold()
    if "/" in folded or "|" in folded:
        return any(part.strip(_BESIDE) in _WORDS for part in re.split(r"[/|]", folded))
    return folded.strip(_BESIDE) in _WORDS


# -- forms -------------------------------------------------------------------------------------

_ASIDE: Final = flags_of("aside dialog footer header nav")
_SEARCH: Final = re.compile(r"search|query|such|recherch|buscar|cerca|zoek|поиск|搜")
_COMMENT: Final = re.compile(r"comment|respond|reply|kommentar|disqus")
_WORK: Final = re.compile(
    r"/(?:checkout|cart|basket|payment|wp-admin|admin|administrator|log[-_]?in|sign[-_]?in"
    r"|sign[-_]?up|register|account|my-account|settings|preferences|compose)(?:[/.]|$)"
)
"""Paths of pages whose purpose is a form, such as a checkout or a login."""
_MIN_WORK_FIELDS: Final = 3
_MANY_WORK_FIELDS: Final = 8
"""Fields, not counting those for a search, subscription or comment, from which a page is a form if
it has fewer words beside than `_SHORT_WORDS` and than `ENOUGH_WORDS`."""
_SHORT_WORDS: Final = 100
"""Selected words outside such fields from which a page may be an article. Its forms stay anyway. Of
17 pages looked at with three fields and more words, most were articles with a comment form."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Decisions about the forms of a page; bool[n_row] each."""

    kept: BoolArray
    """Everything in forms that stay whole, and labels and links that belong to them."""
    dropped: BoolArray
    """Everything in forms that are removed whole."""
    atomic: BoolArray
    """Everything below a form with visible fields that is not wrapped around the page."""
    is_purpose: bool
    """The purpose of the page is a form: nothing is selected on it."""

    def extend(self, keep: BoolArray, leaves: IntArray) -> BoolArray:
        """Return the selected leaves with those of kept forms, without those of dropped ones."""
        return (keep | self.kept[leaves]) & ~self.dropped[leaves]


def find_forms(page: Page, keep: BoolArray | None, dropped: BoolArray | None = None) -> Forms:
    """Decide on the forms of a page.

    ``keep`` flags the selected leaves; None without a method, which is as if all were selected.
    ``dropped`` flags leaves that must go, such as by a rule of the user: they keep no form.
    """
    return _Finder(page, keep, dropped).find()


class _Finder:
    def __init__(self, page: Page, keep: BoolArray | None, dropped: BoolArray | None) -> None:
        self.page = page
        self.known = read_fields(page)
        self.keep = np.ones(page.leaves.size, np.bool_) if keep is None else keep
        self.chosen = np.flatnonzero(self.keep)
        self.refused = np.zeros(page.leaves.size, np.bool_) if dropped is None else dropped

    def find(self) -> Forms:
        page = self.page
        none = np.zeros(len(page), np.bool_)
        kept, dropped, atomic = none.copy(), none.copy(), none.copy()
        forms = np.flatnonzero((page.tag == _FORM) & ((page.hidden & NEVER_SHOWN) == 0)).tolist()
        if not (forms or self.known.fields.any() or self.known.editable.any()):
            for row in self._reached():
                kept[row : page.end[row]] = True
            return Forms(kept, dropped, atomic, False)
        boxes = [row for row in watch(forms) if not self.known.is_wide(row)]
        for row in watch(boxes):
            span = slice(row, int(page.end[row]))
            n_field = int((self.known.fields | self.known.editable)[span].sum())
            if not n_field and not self.known.buttons[span].any():
                continue
            atomic[row + 1 : page.end[row]] |= n_field > 0
            (kept if self._stays(row, n_field) else dropped)[span] = True
        loose = (self.known.fields | self.known.editable) & ~kept & ~dropped
        for row in np.flatnonzero(loose).tolist():
            if kept[row] or dropped[row] or self.known.types.get(row) in _TOGGLES:
                continue
            box = self.known.find_group(row)
            span = slice(box, int(page.end[box]))
            (kept if self._stays(box, int(self.known.fields[span].sum())) else dropped)[span] = True
        dropped &= ~kept
        for row in [*self.known.find_labels(kept), *self._reached()]:
            kept[row : page.end[row]] = True
        return Forms(kept, dropped, atomic, self._is_purpose(boxes))

    def _stays(self, row: int, n_field: int) -> bool:
        leaves = slice(*self.page.leaf_span(row))
        if self.refused[leaves].any():
            return False
        if self.keep[leaves].any():
            return True
        if n_field:
            return not self.known.is_subscription(row)
        return self._is_in_content(row) or bool(_SIGN_OUT.search(self.known.describe(row)))

    def _is_in_content(self, row: int) -> bool:
        """Return whether an element stands between selected leaves."""
        if not self.chosen.size:
            return False
        leaves = slice(*self.page.leaf_span(row))
        return bool(self.chosen[0] < leaves.start and leaves.stop <= self.chosen[-1])

    def _reached(self) -> list[int]:
        """Return the ways to search, log in and log out, which stay reachable."""
        page, refused = self.page, self.refused
        return [row for row in find_reached(page) if not refused[slice(*page.leaf_span(row))].any()]

    def _is_purpose(self, boxes: list[int]) -> bool:
        """Return whether the purpose of the page is its fields."""
        page = self.page
        aside = page.within(_ASIDE[page.tag])
        shown = (page.hidden & NOT_SHOWN) == 0
        work = self.known.fields & shown & ~aside
        in_work = np.zeros(len(page), np.bool_)
        for row in watch(boxes):
            span = slice(row, int(page.end[row]))
            if not work[span].any():
                continue
            described = " ".join(
                self.known.names.get(element, "") for element in range(row, span.stop)
            )
            if self.known.is_subscription(row) or _is_other(described.casefold()):
                work[span] = False
            else:
                in_work[span] |= work[span].any()
        for row in np.flatnonzero(work & ~in_work).tolist():
            toggles = self.known.types.get(row) in _TOGGLES
            if toggles or _is_other(self.known.names.get(row, "").casefold()):
                work[row] = False
        words = int(page.leaf_words[self.keep & ~in_work[page.leaves]].sum())
        is_read = words >= ENOUGH_WORDS
        if words < _SHORT_WORDS and (self.known.editable & shown & ~aside).any():
            return True
        n_work = self.known.count(work)
        if is_read or not n_work:
            return False
        if n_work >= _MANY_WORK_FIELDS or _WORK.search(_path_of(page.url or "")):
            return True
        has_password = any(
            self.known.types.get(row) == "password" for row in np.flatnonzero(work).tolist()
        )
        return words < _SHORT_WORDS and (has_password or n_work >= _MIN_WORK_FIELDS)


def _path_of(url: str) -> str:
    """Return the path of an absolute URL, in lower case."""
    return "/" + "/".join(url.lower().partition("?")[0].split("/")[3:])


def _is_other(names: str) -> bool:
    """Return whether names are those of a form that many pages have beside their content."""
    return bool(_SEARCH.search(names) or _COMMENT.search(names))
