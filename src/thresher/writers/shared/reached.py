"""Ways to search, log in and log out, which stay reachable on a page that is written in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.support.cached import cached_view
from thresher.writers.shared.form_fields import read_fields

__all__ = ["SIGN_OUT", "find_reached"]

_LINK: Final = CODE_OF["a"]
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
    *(b"/log", b"-log", b"=log", b"userlog"),
    *(b"/sign", b"=sign", b"/abmelden", b"/anmelden", b"/deconnexion", b"/search", b":search"),
)
"""Every such address has one of these in it; most addresses have none."""
SIGN_OUT: Final = re.compile(
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
_NAMING: Final = ("id", "name", "class")
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
    for row, address in attributes.values_of(entries).items():
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
        for row, address in attributes.values_of(entries).items()
        if page.tag[row] == _LINK and _BY_SCRIPT.match(address)
    ]
    if not rows:
        return
    sayings = [values(name) for name in _SAYING]
    words = page.subtree_words
    signing_out = _find_named(page)
    for row in rows:
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
    found: list[int] = []
    for name in _NAMING:
        search = attributes.search(name)
        rows = attributes.row[attributes.named(name)]
        found += [
            int(rows[place])
            for place in search.find(_SIGN_OUT_PARTS)
            if SIGN_OUT.search(search.lower(place).decode())
        ]
    return frozenset(found)


def _says_so(text: str) -> bool:
    """Return whether a text, or a part of it as in “Log in / Register”, is one of the words."""
    folded = " ".join(text.split()).casefold()
    if "/" in folded or "|" in folded:
        return any(part.strip(_BESIDE) in _WORDS for part in re.split(r"[/|]", folded))
    return folded.strip(_BESIDE) in _WORDS
