"""Words for “next page” by language, compared without case and surrounding arrows and digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["NEXT_WORDS"]

_BY_LANGUAGE: Final[Mapping[str, str]] = {
    "ar": "التالي|التالية|الصفحة التالية",
    "bg": "следваща|следваща страница|напред",
    "bn": "পরবর্তী|পরের পাতা|পরবর্তী পাতা",
    "ca": "següent|pàgina següent",
    "cs": "další|další strana|další stránka|následující",
    "da": "næste|næste side",
    "de": "weiter|nächste|nächste seite|zur nächsten seite|vor|vorwärts|weiterlesen auf seite",
    "el": "επόμενη|επόμενο|επόμενη σελίδα",
    "en": "next|next page|next »|continue|continued|go to next page|page next|next part"
    "|continue reading|continue to page|older|more",
    "es": "siguiente|página siguiente|siguiente página|próxima|continuar",
    "et": "järgmine|järgmine leht",
    "eu": "hurrengoa|hurrengo orria",
    "fa": "بعدی|صفحه بعد|صفحه بعدی",
    "fi": "seuraava|seuraava sivu",
    "fr": "suivant|suivante|page suivante|la suite|lire la suite",
    "gl": "seguinte|páxina seguinte",
    "he": "הבא|הבאה|לעמוד הבא|העמוד הבא",
    "hi": "अगला|अगला पृष्ठ|अगला पेज",
    "hr": "sljedeća|sljedeća stranica|dalje",
    "hu": "következő|következő oldal|tovább",
    "id": "selanjutnya|berikutnya|halaman selanjutnya|halaman berikutnya",
    "it": "successivo|successiva|pagina successiva|avanti|prossima|pagina seguente",
    "ja": "次|次へ|次のページ|次ページ|次のページへ|続きを読む|次のページを読む",
    "ka": "შემდეგი",
    "ko": "다음|다음 페이지|다음페이지",
    "lt": "kitas|kitas puslapis|toliau",
    "lv": "nākamā|nākamā lapa|tālāk",
    "mk": "следна|следна страница",
    "ms": "seterusnya|halaman seterusnya",
    "nl": "volgende|volgende pagina|verder",
    "no": "neste|neste side",
    "pl": "następna|następna strona|dalej|następne",
    "pt": "próxima|próximo|seguinte|próxima página|página seguinte|avançar",
    "ro": "următoarea|următorul|pagina următoare|înainte",
    "ru": "следующая|следующая страница|далее|вперед|вперёд|след",
    "sk": "ďalej|ďalšia|ďalšia strana|nasledujúca",
    "sl": "naslednja|naslednja stran|naprej",
    "sr": "следећа|следећа страна|sledeća|sledeća strana",
    "sv": "nästa|nästa sida",
    "th": "ถัดไป|หน้าถัดไป|หน้าต่อไป",
    "tr": "sonraki|sonraki sayfa|ileri",
    "uk": "наступна|наступна сторінка|далі",
    "ur": "اگلا|اگلا صفحہ",
    "vi": "tiếp|tiếp theo|trang sau|trang tiếp",
    "zh": "下一页|下一頁|下页|下頁|后一页|後一頁|下一步",
}

NEXT_WORDS: Final = frozenset(
    " ".join(word.split()).casefold()
    for words in _BY_LANGUAGE.values()
    for word in words.split("|")
)
"""Words of all languages, casefolded."""
