"""Detection of short texts that only say that a page is unavailable, in many languages.

Such a text consists of status codes, phrases such as "not found" and filler words; a text with any
other word is about something. So "Oops! 404, that page can't be found" is an error text, and "How
to fix a 404 not found error" is not.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final, NamedTuple

from thresher.support.late import compile_late

__all__ = ["ErrorText", "read_error_text"]

_OTHER_CODES: Final = (444, 499, 509, 520, 521, 522, 523, 524, 525, 526, 527, 530)
"""Codes outside the IANA registry that nginx, web hosts and Cloudflare ("5xx errors") send."""
_CODES: Final = {str(int(status)) for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST} | {
    str(code) for code in _OTHER_CODES
}
NOT_FOUND: Final = "404"
"""The only code that suffices alone: 500 may be miles or a car."""

_PHRASES: Final = (
    # English: the reason phrases of RFC 9110 (from the standard library), and common alternatives.
    *sorted({status.phrase.lower() for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST}),
    *("not be found", "couldn't be found", "can't be found", "cannot be found", "wasn't found"),
    *("isn't found", "couldn't find", "could not find", "can't find", "cannot find", "not exist"),
    *("doesn't exist", "no longer exists", "isn't here", "not here", "isn't available"),
    *("not available", "no longer available", "unavailable", "access denied", "permission denied"),
    *("access forbidden", "access to this page has been denied", "you have been blocked"),
    *("request blocked", "went wrong", "been removed", "been deleted", "been moved", "has moved"),
    *("web server is down", "connection timed out", "web server is returning an unknown error"),
    *("rate limited", "origin is unreachable", "origin dns error", "under maintenance"),
    *("backend fetch failed", "page missing", "missing page", "broken link", "dead link"),
    *("request could not be satisfied", "no permission", "don't have permission"),
    # German
    *("nicht gefunden", "nicht finden", "nicht verfügbar", "nicht vorhanden", "existiert nicht"),
    *("existiert leider nicht", "nicht mehr verfügbar", "zugriff verweigert", "kein zugriff"),
    *("nicht erreichbar", "ein fehler aufgetreten", "wartungsarbeiten"),
    # French
    *("introuvable", "pas trouvée", "non trouvée", "pas été trouvée", "n'existe pas"),
    *("n'existe plus", "accès refusé", "accès interdit", "indisponible", "erreur interne"),
    # Spanish, Portuguese, Catalan
    *("no encontrada", "no encontrado", "no se encontró", "no se ha encontrado", "no existe"),
    *("no se encuentra", "no disponible", "acceso denegado", "acceso prohibido"),
    *("não encontrada", "não encontrado", "não foi encontrada", "não existe", "acesso negado"),
    *("não disponível", "nao encontrada", "no trobada", "no s'ha trobat"),
    # Italian, Romanian
    *("non trovata", "non trovato", "non è stata trovata", "non esiste", "accesso negato"),
    *("non disponibile", "nu a fost găsită", "nu există", "acces interzis"),
    # Dutch, Scandinavian, Finnish
    *("niet gevonden", "niet vinden", "bestaat niet", "geen toegang", "niet beschikbaar"),
    *("hittades inte", "kunde inte hittas", "hittar inte", "finns inte", "ikke funnet"),
    *("ikke fundet", "blev ikke fundet", "findes ikke", "finnes ikke", "ikke tilgjengelig"),
    *("ei löydy", "ei löytynyt", "ei löydetty", "pääsy estetty"),
    # Polish, Czech, Slovak, Croatian, Hungarian
    *("nie znaleziono", "nie została znaleziona", "nie istnieje", "brak dostępu"),
    *("nenalezena", "nebyla nalezena", "neexistuje", "nenájdená", "přístup odepřen"),
    *("nije pronađena", "ne postoji", "nem található", "hozzáférés megtagadva"),
    # Russian, Ukrainian, Bulgarian, Greek
    *("не найдена", "не найдено", "не найден", "не существует", "доступ запрещен"),
    *("доступ запрещён", "не знайдено", "не існує", "не е намерена", "δεν βρέθηκε"),
    # Turkish, Indonesian, Vietnamese
    *("bulunamadı", "erişim engellendi", "tidak ditemukan", "tidak dapat ditemukan"),
    *("akses ditolak", "không tìm thấy", "không tồn tại"),
    # Arabic, Persian, Hebrew, Hindi
    *("غير موجودة", "غير موجود", "لم يتم العثور", "پیدا نشد", "یافت نشد", "לא נמצא", "לא נמצאה"),
    *("नहीं मिला", "मौजूद नहीं"),
    # Chinese, Japanese, Korean, Thai
    *("找不到", "不存在", "未找到", "无法访问", "無法存取", "访问被拒绝", "拒绝访问", "禁止访问"),
    *("見つかりませんでした", "見つかりません", "存在しません", "アクセスできません"),
    *("찾을 수 없", "존재하지 않", "접근이 거부", "ไม่พบ"),
)
"""Phrases that say that a page is missing or forbidden."""
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
"""Most words of a text that is read; longer texts say more than an error."""
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
