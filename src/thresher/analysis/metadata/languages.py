"""The language that a page is in: declared, confirmed or guessed."""

from __future__ import annotations

from typing import Final

from thresher.analysis.metadata.normalise import words_of

__all__ = ["FUNCTION_WORDS", "share_function_words", "shortest_code"]

_PAIRS: Final = """
    afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da
    deu:de ell:el eng:en epo:eo est:et eus:eu fas:fa fin:fi fra:fr gle:ga glg:gl guj:gu heb:he
    hin:hi hrv:hr hun:hu hye:hy ind:id isl:is ita:it jav:jv jpn:ja kan:kn kat:ka kaz:kk khm:km
    kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nob:nb ori:or pan:pa
    pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta
    tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zul:zu
"""
"""ISO 639-3 to ISO 639-1 (SIL's table, 2024), for languages that the guesser supports."""

FUNCTION_WORDS: Final = {
    "de": words_of(
        "auch auf aus bei das dem den der die ein eine für im ist mit nach nicht sich sie sind und"
        " von wie wird zu"
    ),
    "en": words_of(
        "an and are at be by for from has have her his i in it not of on or our that the their"
        " they this to was we will with you your"
    ),
    "es": words_of("al como el es las los más por su y"),
    "fr": words_of("au avec ce dans du est et les nous par pas plus pour qui sont sur une vous à"),
    "it": words_of("alla che dei della di gli il nel non per più sono un è"),
    "nl": words_of("aan bij dat door een het met niet ook op te van voor zijn"),
    "pt": words_of("ao com da do dos em mais não o os uma é"),
}
"""Articles, prepositions, pronouns and the like, of which no two of these languages share one."""
_SHORT: Final = dict(pair.split(":") for pair in _PAIRS.split())


def shortest_code(code: str) -> str:
    """Return the two-letter code of a language if it has one (RFC 5646, 2.2.1)."""
    return _SHORT.get(code, code)


def share_function_words(text: str, code: str) -> float:
    """Return the share of function words of a language in a text; 0 if it has no list."""
    known, words = FUNCTION_WORDS.get(code), text.lower().split()
    return sum([word in known for word in words]) / len(words) if known and words else 0.0
