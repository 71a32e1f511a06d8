"""Decoding of a page's bytes: the encoding, the source that named it, and how much was lost.

The order of the sources is that of the HTML Standard, section 13.2.3.2: byte-order mark, HTTP
header, ``<meta>``, XML declaration, detection. A source contradicted by the bytes is skipped, for
the reasons given below. The decoders and the frequency detector are turbohtml's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from thresher.native import MALFORMED, kernel
from thresher.page.sniff import find_utf16_order

Source = Literal["bom", "http", "meta", "detected"]

# WHATWG Encoding Standard, section 6 ("BOM sniff"); it knows no UTF-32.
_BOMS: Final = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16le", b"\xfe\xff": "utf-16be"}
# Bytes. 1024 is the HTML Standard's prescan. The second window imitates browsers, which re-parse on
# a later <meta>: it reaches past most scripts and styles inlined in the head.
_META_WINDOWS: Final = (1024, 64 * 1024)
# Well-formed multi-byte sequences needed per malformed one to call undeclared bytes UTF-8. Legacy
# text read as UTF-8 has 3 or more malformed to each (GBK, EUC-JP …), or next to no well-formed ones
# (windows-125x).
_VALID_PER_BROKEN: Final = 2
# Malformed sequences tolerated on a page that declares UTF-8.
_FEW_BROKEN: Final = 2
# Well-formed sequences that overrule a declaration other than Latin-1's. In GBK or EUC-KR a
# character or two can pass for UTF-8 by chance; eight with hardly any malformed cannot.
_MANY_VALID: Final = 8
# Most bytes of a sequence after its first.
_MOST_TRAIL_BYTES: Final = 3
# Bytes read for detection, from the first informative one: the detector takes some 5 ms for as many
# and is certain long before.
_DETECT_SAMPLE: Final = 64 * 1024
_UNINFORMATIVE: Final = bytes(range(0x80)).replace(b"\x1b", b"")
_DOUBLE_BYTE: Final = frozenset({"big5", "euc-jp", "euc-kr", "gbk", "shift_jis"})
_FFFD: Final = "\N{REPLACEMENT CHARACTER}"
# HTML Standard, prescan: a <meta> that could be read as ASCII cannot be in UTF-16, and so on.
_META_MEANS: Final = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}
# HTML Standard, "extracting a character encoding from a meta element".
_CONTENT_CHARSET: Final = re.compile(r"""(?i)charset\s*=\s*("[^"]*"|'[^']*'|[^\s;"']+)""")
_UTF8_CHARSET: Final = re.compile(rb"charset\s*+=\s*+[\"']?utf-?8")
"""In lower case. No label of another encoding begins so."""
_XML_ENCODING: Final = re.compile(rb"""<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([^"'>]{1,60})""")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a page and how it was decoded."""

    text: str
    """Without byte-order mark or lone surrogates; NULs are kept."""
    encoding: str
    """WHATWG canonical name in lower case, as "utf-8", "windows-1252", "shift_jis"."""
    source: Source
    """What decided; "meta" also for an XML declaration."""
    replaced: int
    """Number of U+FFFD by which decoding replaced malformed bytes."""


def decode(data: bytes, *, http_charset: str | None = None) -> Decoded:
    """Decode a page's bytes as a browser would, except for errors that the bytes reveal.

    Never raises, whatever the bytes or the label of HTTP; one that the WHATWG Encoding Standard
    does not list is ignored. Undeclared bytes without evidence (none, or ASCII only) are "utf-8".
    """
    for mark, name in _BOMS.items():
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    order = find_utf16_order(data)
    if order is not None:
        # No other encoding has a NUL in every second byte, so another one declared is wrong.
        return _read(data, order, "http" if _resolve(http_charset) == order else "detected")

    read = _read(data, "utf-8", "detected")
    utf8 = _Utf8(read.text, read.replaced)
    refuted: Source | None = None
    for name, source in _find_declared(data, http_charset):
        if name == "utf-8":
            if utf8.n_broken <= _FEW_BROKEN or utf8.n_broken <= utf8.n_valid:
                return utf8.decoded(source)
            # Clearly not UTF-8: a server's or a template's default. Try the next source.
            refuted = refuted or source
        elif name.startswith("utf-16") and not utf8.n_broken and "\0" not in utf8.text:
            continue  # UTF-16 has NULs in its markup: this is a one-byte page mislabelled
        elif utf8.overrules(name):
            # Text in another encoding is not well-formed UTF-8 by chance, while servers that call
            # every page latin-1 are common.
            return utf8.decoded("detected")
        else:
            return _read(data, name, source)
    return _detect(data, utf8, refuted)


def read_utf8(data: bytes, *, http_charset: str | None = None) -> tuple[bytes, str]:
    """Return a page's bytes in UTF-8 and their original encoding, as `decode` does, but faster.

    Most pages are well-formed UTF-8, and declare it first or nothing else, or have so much beyond
    ASCII that another declaration would be overruled. Such bytes are returned unchanged, and
    declarations are parsed only if a search cannot tell.
    """
    if not data.startswith(tuple(_BOMS)) and find_utf16_order(data) is None:
        n_char = measure_utf8(data)
        if n_char != MALFORMED and (
            len(data) - n_char >= _MANY_VALID * _MOST_TRAIL_BYTES
            or _declares_only_utf8(data, http_charset)
            or _declares_utf8_first(data, http_charset)
        ):
            return data, "utf-8"
    decoded = decode(data, http_charset=http_charset)
    utf8 = decoded.text.encode()
    # Usually nothing changed, and the caller's own bytes are returned.
    return data if utf8 == data else utf8, decoded.encoding


def _declares_only_utf8(data: bytes, http_charset: str | None) -> bool:
    """Return whether all that could be a declaration says UTF-8; False where it takes reading."""
    if b"\x1b" in data or not (http_charset is None or _is_utf8(http_charset)):
        return False  # ISO-2022-JP is valid ASCII
    head = data[: max(_META_WINDOWS)].lower()
    if head.count(b"charset") != len(_UTF8_CHARSET.findall(head)):
        return False
    match = _XML_ENCODING.match(data, 0, _META_WINDOWS[0])
    return match is None or _is_utf8(match[1].decode("latin-1"))


def _declares_utf8_first(data: bytes, http_charset: str | None) -> bool:
    """Return whether the first valid declaration is UTF-8; False without any."""
    return next((name == "utf-8" for name, _ in _find_declared(data, http_charset)), False)


def _is_utf8(label: str) -> bool:
    return label.lower() in ("utf-8", "utf8")


@kernel
def measure_utf8(data: bytes) -> int:
    """Count the characters of UTF-8; MALFORMED if it is not well-formed."""
    try:
        return len(data.decode())
    except UnicodeDecodeError:
        return MALFORMED


@dataclass(frozen=True, slots=True)
class _Utf8:
    text: str
    n_broken: int

    @property
    def n_valid(self) -> int:
        return len(self.text) - len(self.text.encode("ascii", "ignore")) - self.n_broken

    def overrules(self, declared: str) -> bool:
        # One malformed sequence at the very end is a truncated page, not another encoding.
        broken = 0 if self.n_broken == 1 and self.text.endswith(_FFFD) else self.n_broken
        least = 1 if declared == "windows-1252" else _MANY_VALID
        return self.n_valid >= max(least, broken * _VALID_PER_BROKEN)

    def decoded(self, source: Source) -> Decoded:
        return Decoded(self.text, "utf-8", source, self.n_broken)


def _read(data: bytes, name: str, source: Source) -> Decoded:
    if name.startswith("utf-"):
        text = data.decode(name, "replace")
        # Most pages have none: searching for the first is much faster than counting.
        if _FFFD not in text:
            return Decoded(text, name, source, replaced=0)
        # U+FFFD contained in the page itself is not a replacement.
        held = data.decode(name, "ignore").count(_FFFD)
        return Decoded(text, name, source, text.count(_FFFD) - held)
    register_codecs()
    # GB18030 has a signature of its own, which the BOM sniff does not know.
    text = data.decode(f"whatwg-{name}").removeprefix("\ufeff")
    return Decoded(text, name, source, text.count(_FFFD))


def register_codecs() -> None:
    """Register the codecs ``whatwg-NAME``, which decode as browsers do."""
    # Importing it does; most pages are UTF-8 and do not need it.
    import turbohtml.detect  # noqa: F401


def _detect(data: bytes, utf8: _Utf8, refuted: Source | None) -> Decoded:
    # ISO-2022-JP is valid ASCII; only its escape sequences reveal it.
    certain = not utf8.n_broken and "\x1b" not in utf8.text
    if certain or utf8.overrules("windows-1252"):  # the fallback, overruled by one good sequence
        return utf8.decoded("detected")
    from turbohtml.detect import detect

    # Blanks push any <meta> out of the detector's own prescan: declarations were considered before.
    sample = b" " * _META_WINDOWS[0] + data.lstrip(_UNINFORMATIVE)[:_DETECT_SAMPLE]
    match = detect(sample)
    if not sample[-1:].isascii():
        # The detector rules out an encoding in which the last character is cut in half.
        whole = detect(sample[:-1])
        match = whole if (whole.encoding or "").lower() in _DOUBLE_BYTE else match
    guess = _read(data, (match.encoding or "windows-1252").lower(), "detected")
    if not utf8.n_broken and guess.encoding != "iso-2022-jp":
        return utf8.decoded("detected")
    if refuted and (match.confidence <= 0.0 or guess.replaced >= utf8.n_broken):
        # There is no evidence for a legacy encoding: the declaration is still the best guess.
        return utf8.decoded(refuted)
    return guess


def _resolve(label: str | None) -> str | None:
    # turbohtml reads a label as a C string: it would ignore what follows a NUL.
    if not label or not label.isascii() or "\0" in label:
        return None
    # As above: what the bytes say often decides.
    import turbohtml

    try:
        name = (turbohtml.parse(b"", encoding=label.strip("\"'\t\n\f\r ")).encoding or "").lower()
    except LookupError:
        return None
    # "replacement" (hz-gb-2312, iso-2022-kr …) is a browser's defence against script injection:
    # one U+FFFD for the whole page. Nothing runs here, and even the ASCII part is useful.
    return name if name != "replacement" else None


def _find_declared(data: bytes, http_charset: str | None) -> Iterator[tuple[str, Source]]:
    if name := _resolve(http_charset):
        yield name, "http"
    for name in filter(None, map(_resolve, _find_labels(data))):
        yield _META_MEANS.get(name, name), "meta"


def _find_labels(data: bytes) -> Iterator[str]:
    # The tokenizer recognises comments and script text, so a <meta> quoted in either is skipped.
    for head in (data[:size] for size in _META_WINDOWS):
        if b"charset" in head.lower():
            import turbohtml

            for token in turbohtml.tokenize(head.decode("latin-1")):
                if token.tag == "meta" and token.type == turbohtml.TokenType.START_TAG:
                    yield _read_meta(dict(token.attrs or ()))
    match = _XML_ENCODING.match(data, 0, _META_WINDOWS[0])
    yield match[1].decode("latin-1") if match else ""


def _read_meta(attrs: dict[str, str]) -> str:
    if attrs.get("http-equiv", "").strip().lower() != "content-type" or "charset" in attrs:
        return attrs.get("charset", "")
    match = _CONTENT_CHARSET.search(attrs.get("content", ""))
    return match[1] if match else ""
