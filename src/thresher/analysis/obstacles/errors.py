"""Error pages: a status in title or headings, in many languages, and marks of error templates.

A text that only says that a page is unavailable consists of status codes, phrases such as "not
found" and filler words; a text with any other word is about something. So "Oops! 404, that page
can't be found" is an error text, and "How to fix a 404 not found error" is not.

The evidence is weighed, and longer pages need more: a page about "404 Not Found" also says so in
title and heading, but has more words than an error page.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from thresher.analysis.obstacles import Obstacle
from thresher.analysis.obstacles.page_signals import PageSignals, word
from thresher.page.tags import flags_of
from thresher.support.late import compile_late

_OTHER_CODES: Final = (444, 499, 509, 520, 521, 522, 523, 524, 525, 526, 527, 530)
"""Codes outside the IANA registry that nginx, web hosts and Cloudflare ("5xx errors") send."""
_CODES: Final = {str(int(status)) for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST} | {
    str(code) for code in _OTHER_CODES
}
NOT_FOUND: Final = "404"
"""The only code that suffices alone: 500 may be miles or a car."""

_PHRASES_OF: Final = {
    "English": (
        "not be found, couldn't be found, can't be found, cannot be found, wasn't found, "
        "isn't found, couldn't find, could not find, can't find, cannot find, not exist, "
        "doesn't exist, no longer exists, isn't here, not here, isn't available, not available, "
        "no longer available, unavailable, access denied, permission denied, access forbidden, "
        "access to this page has been denied, you have been blocked, request blocked, "
        "went wrong, been removed, been deleted, been moved, has moved, web server is down, "
        "connection timed out, web server is returning an unknown error, rate limited, "
        "origin is unreachable, origin dns error, under maintenance, backend fetch failed, "
        "page missing, missing page, broken link, dead link, request could not be satisfied, "
        "no permission, don't have permission"
    ),
    "German": (
        "nicht gefunden, nicht finden, nicht verfügbar, nicht vorhanden, existiert nicht, "
        "existiert leider nicht, nicht mehr verfügbar, zugriff verweigert, kein zugriff, "
        "nicht erreichbar, ein fehler aufgetreten, wartungsarbeiten"
    ),
    "French": (
        "introuvable, pas trouvée, non trouvée, pas été trouvée, n'existe pas, n'existe plus, "
        "accès refusé, accès interdit, indisponible, erreur interne"
    ),
    "Spanish, Portuguese, Catalan": (
        "no encontrada, no encontrado, no se encontró, no se ha encontrado, no existe, "
        "no se encuentra, no disponible, acceso denegado, acceso prohibido, não encontrada, "
        "não encontrado, não foi encontrada, não existe, acesso negado, não disponível, "
        "nao encontrada, no trobada, no s'ha trobat"
    ),
    "Italian, Romanian": (
        "non trovata, non trovato, non è stata trovata, non esiste, accesso negato, "
        "non disponibile, nu a fost găsită, nu există, acces interzis"
    ),
    "Dutch, Scandinavian, Finnish": (
        "niet gevonden, niet vinden, bestaat niet, geen toegang, niet beschikbaar, "
        "hittades inte, kunde inte hittas, hittar inte, finns inte, ikke funnet, ikke fundet, "
        "blev ikke fundet, findes ikke, finnes ikke, ikke tilgjengelig, ei löydy, ei löytynyt, "
        "ei löydetty, pääsy estetty"
    ),
    "Polish, Czech, Slovak, Croatian, Hungarian": (
        "nie znaleziono, nie została znaleziona, nie istnieje, brak dostępu, nenalezena, "
        "nebyla nalezena, neexistuje, nenájdená, přístup odepřen, nije pronađena, ne postoji, "
        "nem található, hozzáférés megtagadva"
    ),
    "Russian, Ukrainian, Bulgarian, Greek": (
        "не найдена, не найдено, не найден, не существует, доступ запрещен, доступ запрещён, "
        "не знайдено, не існує, не е намерена, δεν βρέθηκε"
    ),
    "Turkish, Indonesian, Vietnamese": (
        "bulunamadı, erişim engellendi, tidak ditemukan, tidak dapat ditemukan, akses ditolak, "
        "không tìm thấy, không tồn tại"
    ),
    "Arabic, Persian, Hebrew, Hindi": (
        "غير موجودة, غير موجود, لم يتم العثور, پیدا نشد, یافت نشد, לא נמצא, לא נמצאה, नहीं मिला, "
        "मौजूद नहीं"
    ),
    "Chinese, Japanese, Korean, Thai": (
        "找不到, 不存在, 未找到, 无法访问, 無法存取, 访问被拒绝, 拒绝访问, 禁止访问, "
        "見つかりませんでした, 見つかりません, 存在しません, アクセスできません, 찾을 수 없, "
        "존재하지 않, 접근이 거부, ไม่พบ"
    ),
}
"""Phrases that say that a page is missing or forbidden, besides those of RFC 9110."""
_PHRASES: Final = (
    *sorted({status.phrase.lower() for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST}),
    *", ".join(_PHRASES_OF.values()).split(", "),
)
_FILLERS: Final = frozenset(
    # English
    "a access address an and any anything are at be been but by can content could do document does"
    " error errors exist file for found from gone has have hmm here http https i in is it it's its"
    " link looking may no not of oh on ooops oops or our page pages request requested resource"
    " server service site something sorry status code that that's the there there's this to"
    " tried trying uh unknown url was we we're web website were whoops with you you're your"
    # German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian
    " aufgerufene der die das diese dieser eine es fehler gesuchte gewünschte hoppla ist konnte"
    " leider seite uns tut leid wir wurde werden"
    " avez cette demandée désolé erreur est la le les n'a nous page que recherchez vous été"
    " buscas el ella error esta fue ha la lo lamentamos no página que se sentimos solicitada sido"
    " a busca desculpe erro esta foi o ops página que solicitada você"
    " cercata errore la pagina richiesta ricercata siamo spiacenti stai cercando"
    " bezochte de deze fout helaas kan niet opgevraagde pagina sorry van worden"
    " den denna der desværre du efter feil fejl fel leter sida sidan siden som söker ikke"
    " sivua sivu hakemaasi valitettavasti virhe"
    # Slavic, Hungarian, Greek, Turkish, Indonesian, Vietnamese
    " błąd strona strony szukana która której szukasz chyba stránka chyba požadovaná hiba az oldal"
    " keresett pogreška stranica tražena страница страницу запрашиваемая ошибка к сожалению такой"
    " нет сторінка сторінку помилка страницата грешка η σελίδα σφάλμα hata sayfa aradığınız"
    " üzgünüz halaman kesalahan maaf trang lỗi"
    # Arabic, Persian, Hebrew, Hindi
    " الصفحة صفحة خطأ عذرا عذراً صفحه خطا مورد نظر הדף שגיאה पृष्ठ त्रुटि".split()
)
"""Other words of such texts."""
MAX_WORDS: Final = 16
"""Maximum words of a text that is read; longer texts say more than an error."""
MAX_UNSPACED_CHARS: Final = 14
"""Letters around a phrase in scripts without spaces, where words cannot be separated."""

_LONGEST_FIRST: Final = sorted(_PHRASES, key=len, reverse=True)
_SPACED: Final = tuple(phrase for phrase in _LONGEST_FIRST if phrase < "\u0e00")
_UNSPACED: Final = tuple(phrase for phrase in _LONGEST_FIRST if phrase >= "\u0e00")
"""Phrases in scripts without spaces between words: Thai and East Asian ones."""
_PHRASE: Final = compile_late(rf"(?<!\w)(?:{'|'.join(map(re.escape, _SPACED))})(?!\w)")
_UNSPACED_PHRASE: Final = compile_late("|".join(map(re.escape, _UNSPACED)))
_RUN: Final = re.compile(r"\w+")
_BEGINNINGS: Final = frozenset(_RUN.findall(phrase)[0] for phrase in _SPACED)
"""The first word of each of the other phrases, which nothing that belongs to words surrounds."""
_WORD: Final = re.compile(r"[\w']+")
_NO_WORD: Final = re.compile(r"['_]+|\d")
"""Remains of punctuation, such as the end of Google's "!!1"."""
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})


class ErrorText(NamedTuple):
    """The parts of a text that only states an error."""

    code: str | None
    has_phrase: bool
    words: int

    @property
    def is_clear(self) -> bool:
        """True if the text is unambiguous; "Gone", "Forbidden" and "500" are not."""
        return self.code == NOT_FOUND or (self.has_phrase and (self.words > 1 or bool(self.code)))


def _may_have_phrase(lower: str) -> bool:
    """Return whether a text may have one of the phrases; most have not even its first word."""
    if not _BEGINNINGS.isdisjoint(_RUN.findall(lower)):
        return True
    return not lower.isascii() and any(phrase in lower for phrase in _UNSPACED)


def read_error_text(text: str) -> ErrorText | None:
    """Read a title, heading or line; None if it says anything but an error."""
    lower = text.lower().translate(_APOSTROPHES)
    words = _WORD.findall(lower)
    if not words or len(words) > MAX_WORDS:
        return None
    code = next((word for word in words if word in _CODES), None)
    if code is None and not _may_have_phrase(lower):
        return None
    rest, n_phrase = _PHRASE.subn(" ", lower)
    rest, n_unspaced = _UNSPACED_PHRASE.subn(" ", rest)
    left = [
        word
        for word in _WORD.findall(rest)
        if word not in _CODES and word not in _FILLERS and not _NO_WORD.fullmatch(word)
    ]
    if n_unspaced:
        if sum(map(len, left)) > MAX_UNSPACED_CHARS or any(word.isascii() for word in left):
            return None
    elif left:
        return None
    has_phrase = n_phrase + n_unspaced > 0
    says_error = has_phrase or (code is not None)
    return ErrorText(code, has_phrase, len(words) + n_unspaced) if says_error else None


# -- the weight of evidence ------------------------------------------------------------------------

_CLEAR, _VAGUE, _MARKED, _HINTED, _STATED = 2, 1, 2, 1, 3
"""Weights: an unambiguous text, an ambiguous one, a mark of the whole page, a hint, and a
machine-readable status."""
_NEEDED: Final = ((30, 2), (60, 3), (150, 4), (300, 5))
"""(most words outside links, least weight); a page with more words is never an error page. Set by
reasoning: servers' own texts have 5 to 40 words, those of sites up to a few hundred with their
footers. No false positive on 2,275 pages with content."""
MAX_BLOCK_WORDS: Final = 60
"""Words outside links of the longest block; a longer paragraph is content."""
_CONFIDENCE_OF: Final = {2: 0.7, 3: 0.8, 4: 0.85, 5: 0.9}
_SURE: Final = 0.95

_PAGE: Final = flags_of("html body main")
_TEMPLATE: Final = word(
    # WordPress (body_class), Shopify, and common names of templates.
    rb"error-?_?(?:page-?)?404|page-?_?404|404-?_?page|is-?404|status-?404|template-404|path-404"
    rb"|http-?error(?:-\d{3})?|error-?page|page-?error|error-?(?:403|410|500|502|503)"
    rb"|(?:page-?)?not-?found(?:-?page)?"
)
"""Classes and ids of error templates."""
_ADDRESS: Final = re.compile(
    r"/(?:404|403|410|500|error(?:/?404)?|(?:page-?)?not-?found)(?:\.\w{2,5})?/?$", re.IGNORECASE
)
"""Addresses whose last part names an error."""
_SEPARATORS: Final = re.compile(r"\s[-–—|/]+\s|(?:(?<!\s)\s+)?[|·•»«›:]+\s*")
"""Separators between a title and the site's name."""


def find_error_page(signals: PageSignals) -> Obstacle | None:
    """Detect an error page by its texts and marks; a line adds to these, but is never enough."""
    needed = next((need for words, need in _NEEDED if signals.plain_words <= words), None)
    if needed is None or signals.longest_block_words > MAX_BLOCK_WORDS:
        return None
    texts, marks = _text_evidence(signals), _mark_evidence(signals)
    if max((weight for weight, _ in (*texts, *marks)), default=0) < _MARKED:
        return None
    evidence = [*texts, *_line_evidence(signals), *marks]
    weight = sum(weight for weight, _ in evidence)
    if weight < needed:
        return None
    what = f"an error page: {', '.join(statement for _, statement in evidence)}"
    return signals.blocked(what, _CONFIDENCE_OF.get(weight, _SURE))


def _text_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    evidence = []
    title = _first_error([signals.title, *_SEPARATORS.split(signals.title)])
    heading = _first_error(signals.headings)
    if title:
        evidence.append((_weight_of(title[1], heading), f"the title says “{title[0]}”"))
    if heading:
        evidence.append((_weight_of(heading[1], title), f"a heading says “{heading[0]}”"))
    return evidence


def _line_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    """Return what a line says if no heading says anything."""
    line = None if _first_error(signals.headings) else _first_error(signals.lines)
    return [(_VAGUE, f"a line says “{line[0]}”")] if line else []


def _first_error(texts: list[str] | tuple[str, ...]) -> tuple[str, ErrorText] | None:
    """Return the first error text, an unambiguous one if any."""
    read = [(text, error) for text in texts if (error := read_error_text(text))]
    return next((pair for pair in read if pair[1].is_clear), read[0] if read else None)


def _weight_of(error: ErrorText, other: tuple[str, ErrorText] | None) -> int:
    """Return the weight of a text; an ambiguous one counts as clear beside a clear one."""
    clear = error.is_clear or (other is not None and other[1].is_clear)
    return _CLEAR if clear else _VAGUE


def _mark_evidence(signals: PageSignals) -> list[tuple[int, str]]:
    page = signals.page
    evidence: list[tuple[int, str]] = []
    names = [*signals.matches("class", _TEMPLATE), *signals.matches("id", _TEMPLATE)]
    if names:
        row, name = max(names, key=lambda named: bool(_PAGE[page.tag[named[0]]]))
        weight = _MARKED if _PAGE[page.tag[row]] else _HINTED
        evidence.append((weight, f"`{page.name(row)}` is marked `{name}`"))
    # docs.prerender.io, "Best practices": the status to serve to crawlers.
    for row, _ in signals.matches("name", word(b"prerender-status-code")):
        status = page.attr(row, "content") or ""
        if re.match(r"\s*[45]\d\d\b", status):
            evidence.append((_STATED, f"a meta states the status {status.strip()[:3]}"))
            break
    for row, _ in signals.matches("name", word(b"robots")):
        if "noindex" in (page.attr(row, "content") or "").lower():
            evidence.append((_HINTED, "search engines are told not to index it"))
            break
    for address in _addresses(signals):
        if _ADDRESS.search(address):
            end = address.rpartition("/")[2] or address
            evidence.append((_HINTED, f"its address ends in {end}"))
            break
    return evidence


def _addresses(signals: PageSignals) -> list[str]:
    """Return the paths of the page's own URL and the canonical one."""
    page = signals.page
    urls = [page.url or ""]
    for row, _ in signals.matches("rel", word(b"canonical")):
        urls.append(page.attr(row, "href") or "")
    paths = []
    for url in urls:
        try:
            paths.append(unquote(urlsplit(url).path))
        except ValueError:  # such as an unclosed bracket where a host should be
            continue
    return paths
