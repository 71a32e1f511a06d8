"""Conversion of the guesser's ISO 639-3 codes to the shortest codes, as BCP 47 requires."""

from __future__ import annotations

from typing import Final

__all__ = ["shortest_code"]

_PAIRS: Final = """
    afr:af aka:ak amh:am ara:ar aze:az bel:be ben:bn bul:bg cat:ca ces:cs cmn:zh cym:cy dan:da
    deu:de ell:el eng:en epo:eo est:et eus:eu fas:fa fin:fi fra:fr gle:ga glg:gl guj:gu heb:he
    hin:hi hrv:hr hun:hu hye:hy ind:id isl:is ita:it jav:jv jpn:ja kan:kn kat:ka kaz:kk khm:km
    kor:ko lat:la lav:lv lit:lt mal:ml mar:mr mkd:mk mya:my nep:ne nld:nl nob:nb ori:or pan:pa
    pes:fa pol:pl por:pt ron:ro rus:ru sin:si slk:sk slv:sl sna:sn spa:es srp:sr swe:sv tam:ta
    tel:te tgl:tl tha:th tuk:tk tur:tr ukr:uk urd:ur uzb:uz vie:vi yid:yi zul:zu
"""
"""ISO 639-3 to ISO 639-1 (SIL's table, 2024), for languages that the guesser supports."""


_SHORT: Final = dict(pair.split(":") for pair in _PAIRS.split())


def shortest_code(code: str) -> str:
    """Return the two-letter code of a language if it has one (RFC 5646, 2.2.1)."""
    return _SHORT.get(code, code)
