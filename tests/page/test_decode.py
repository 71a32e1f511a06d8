"""Decoding gives the right text of a page's bytes, and reports how it was decoded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import read_tables
from thresher.page.decode import decode, measure_utf8, read_utf8

LANGUAGES = tuple(
    (row["codec"], row["name"], row["text"]) for row in read_tables(__file__)["languages"]
)


# What has no detector model of its own, or none apart from a smaller encoding's.
DECLARED = (
    *LANGUAGES[:2],
    ("koi8-r", "koi8-r", LANGUAGES[2][2]),
    *LANGUAGES[3:],
    ("gb18030", "gb18030", "生僻字：𠮷野家，䶮，还有一句普通的话。"),
    ("iso8859-2", "iso-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
    ("iso8859-15", "iso-8859-15", "Cela coûte 10 € au cœur de l'été."),
    ("cp1257", "windows-1257", "Vakar vakare mieste atidaryta nauja biblioteka, žmonės džiaugėsi."),
    ("cp866", "ibm866", "Съешь же ещё этих мягких французских булок."),
    ("mac_roman", "macintosh", "Où est passé l’été ?"),
)
# ISO-2022-JP is valid as UTF-8, so its bytes refute nothing.
REFUTING = tuple(row for row in LANGUAGES if row[1] != "iso-2022-jp")
DOUBLE_BYTE = tuple(row for row in LANGUAGES if row[1] in {"shift_jis", "euc-jp", "gbk", "big5"})
FRENCH = LANGUAGES[3][2]
RUSSIAN = LANGUAGES[1][2]
JAPANESE = LANGUAGES[9][2]


def make_page(text: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body><p>{text}</p></body></html>"


def meta(label: str) -> str:
    return f'<meta charset="{label}">'


HELLO = make_page("Привет", meta("koi8-r"))
FILLERS = (
    "<!--" + "x" * 3000 + "-->",
    "<script>" + "if (a < b) c();" * 2500 + "</script>",
    "<style>" + "p > a { }" * 300 + "</style><title>Привет</title>",
)
UNKNOWN = ("nonsense", "", " ", "utf-8\0x", "кои8", "\ud800", "replacement", "hz-gb-2312")
XML = "<?xml version='1.0' encoding='windows-1251'?>"
UTF8_HEADS = (
    ("UTF-8", "", "http"),
    ("utf8", meta("shift_jis"), "http"),
    (None, meta("utf-8"), "meta"),
    (None, "<meta http-equiv=Content-Type content='text/html; charset=utf-8'>", "meta"),
    (None, "<META CHARSET = 'UTF-8' />", "meta"),
    (None, meta("utf-16"), "meta"),
    (None, meta("UTF-16BE"), "meta"),
    (None, "", "detected"),
    (None, '<meta name="charset" content="shift_jis">', "detected"),
    (None, "<!-- <meta charset=shift_jis> -->", "detected"),
    (None, "<script>'<meta charset=shift_jis>'</script>", "detected"),
    (None, "<meta http-equiv=refresh content='0; charset=shift_jis'>", "detected"),
    ("utf-16", "", "detected"),
    ("utf-16le", meta("utf-8"), "meta"),
)
WIDE = [
    make_page(text, meta("utf-8"))
    for text in (FRENCH, RUSSIAN, JAPANESE, "一二三一一一　　　", "a\0b 𠮷")
]
Decided = tuple[str, str, str | None, str, str]
"""A page, the codec that wrote its bytes, HTTP's charset, and the encoding and source reported."""
DECIDED: dict[str, list[Decided]] = {
    "HTTP decides": [
        (make_page(text), codec, name, name, "http") for codec, name, text in DECLARED
    ],
    "<meta> decides where HTTP is silent": [
        (make_page(text, meta(name)), codec, None, name, "meta") for codec, name, text in DECLARED
    ],
    "the usual encoding of a language is recognised": [
        (make_page(text), codec, None, name, "detected") for codec, name, text in LANGUAGES
    ],
    "UTF-8 that the bytes refute is not believed of HTTP": [
        (make_page(text), codec, "utf-8", name, "detected") for codec, name, text in REFUTING
    ],
    "UTF-8 that the bytes refute is not believed of <meta>": [
        (make_page(text, meta("utf-8")), codec, None, name, "detected")
        for codec, name, text in REFUTING
    ],
    "Latin-1 on bytes that are no UTF-8 is windows-1252": [
        (make_page("café “x”"), "cp1252", "latin1", "windows-1252", "http")
    ],
    "one character in well-formed UTF-8 outweighs a Latin-1 label": [
        (make_page("café", head), "utf-8", http, "utf-8", "detected")
        for http in (None, "latin1", "ISO-8859-1", "us-ascii", "windows-1252", '"cp1252"')
        for head in ("", meta("iso-8859-1"), meta("windows-1252"))
    ],
    "a page of well-formed UTF-8 outweighs any label, a character or two do not": [
        (make_page(JAPANESE), "utf-8", "shift_jis", "utf-8", "detected"),
        ("模", "gbk", "gbk", "gbk", "http"),  # C4 A3, U+0123 in UTF-8
    ],
    "a byte-order mark overrides HTTP and <meta>, and is not in the text": [
        ("\ufeff" + make_page(RUSSIAN, meta("windows-1251")), "utf-8", "koi8-r", "utf-8", "bom"),
        ("\ufeff", "utf-8", None, "utf-8", "bom"),
        ("\ufeff" + make_page("你好"), "gb18030", "gb18030", "gb18030", "http"),
    ],
    "NUL bytes stay where they are, and everything around them is read": [
        (make_page("\0При\0вет, \0\0\0 мир, это текст\0"), codec, http, encoding, source)
        for codec, http, encoding, source in (
            ("utf-8", None, "utf-8", "detected"),
            ("utf-8", "utf-8", "utf-8", "http"),
            ("cp1251", "windows-1251", "windows-1251", "http"),
        )
    ],
    "HTTP outranks <meta>": [
        (make_page(RUSSIAN, meta("koi8-r")), "cp1251", "windows-1251", "windows-1251", "http")
    ],
    "<meta> decides where HTTP is refuted": [(HELLO, "koi8-r", "utf-8", "koi8-r", "meta")],
    "a label that no encoding has counts nowhere": [
        (
            make_page("Привет", meta("x-nonsense") + meta("windows-1251")),
            *("cp1251", label, "windows-1251", "meta"),
        )
        for label in UNKNOWN
    ],
    "<meta> counts beyond 1024 bytes, as when a browser parses again": [
        (make_page("Привет", filler + meta("koi8-r")), "koi8-r", None, "koi8-r", "meta")
        for filler in FILLERS
    ],
    "an XML declaration counts where nothing else does": [
        (f"{XML}<p>Да", "cp1251", None, "windows-1251", "meta"),
        (XML.replace("'", '"') + "<p>Да", "cp1251", None, "windows-1251", "meta"),
        (XML + HELLO, "koi8-r", None, "koi8-r", "meta"),
    ],
    "x-user-defined is windows-1252, as the HTML Standard has it": [
        (make_page("café", meta("x-user-defined")), "cp1252", None, "windows-1252", "meta")
    ],
    "undeclared ASCII is UTF-8": [
        (text, "ascii", None, "utf-8", "detected")
        for text in ("", "plain", "\n\t <p>ASCII only</p>\0")
    ],
    "what tells may be far from the start": [
        (make_page("x" * 300_000 + RUSSIAN), "cp1251", None, "windows-1251", "detected")
    ],
    "UTF-8 is read from any source, which is reported": [
        (make_page(text, head), "utf-8", http, "utf-8", source)
        for http, head, source in UTF8_HEADS
        for text in (FRENCH, JAPANESE, "plain ASCII", "")
    ],
    "UTF-16 is read in both orders, by its mark, declared by HTTP or by its pattern": [
        (mark + page, f"utf-16-{order}", http, f"utf-16{order}", source)
        for page in WIDE
        for order in ("le", "be")
        for mark, http, source in (
            ("\ufeff", "windows-1252", "bom"),
            ("", f"utf-16{order}", "http"),
            ("", "utf-8", "detected"),
        )
    ],
}


@pytest.mark.parametrize("rows", DECIDED.values(), ids=DECIDED)
def test_encoding_is_the_one_that_its_best_source_says(rows: list[Decided]) -> None:
    """Every character survives, and encoding and source are reported."""
    for page, codec, http, encoding, source in rows:
        found = decode(page.encode(codec), http_charset=http)
        assert (encoding, source, 0) == (found.encoding, found.source, found.replaced), page[:200]
        assert page.removeprefix("\ufeff") == found.text


@pytest.mark.parametrize("lost", [1, 2, 3])
@pytest.mark.parametrize("http", [None, "utf-8", "latin1"])
def test_only_the_tail_is_lost_when_utf8_is_cut(lost: int, http: str | None) -> None:
    """A page cut inside its last character is UTF-8 still, with one replacement."""
    text = "<p>café 日本 𠮷"
    found = decode(text.encode()[:-lost], http_charset=http)
    assert (found.text, found.encoding, found.replaced) == (text[:-1] + "\ufffd", "utf-8", 1)


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize(("codec", "name", "text"), DOUBLE_BYTE)
def test_only_the_tail_is_lost_when_double_byte_is_cut(
    codec: str, name: str, text: str, declared: bool
) -> None:
    """Half a character at the end costs neither the rest nor the recognition of the encoding."""
    text = "<p>" + text.rstrip("。") + "本"
    found = decode(text.encode(codec)[:-1], http_charset=name if declared else None)
    assert (found.text, found.encoding) == (text[:-1] + "\ufffd", name)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_only_the_tail_is_lost_when_utf16_is_cut(codec: str) -> None:
    """An odd last byte or half a surrogate pair is one replacement."""
    text = "<p>hello 𠮷"
    for lost in (1, 2, 3):
        found = decode(text.encode(codec)[:-lost])
        assert found.text.rstrip("\ufffd") == text[:-1]
        found.text.encode()


def test_declaration_is_kept_when_few_bytes_are_broken() -> None:
    """A stray byte or two in a page that says it is UTF-8 do not make it anything else."""
    found = decode(b"<p>one \xff and \xfe two", http_charset="utf-8")
    assert (found.encoding, found.source, found.replaced) == ("utf-8", "http", 2)
    found = decode(make_page(RUSSIAN).encode() + b"\xe9\xe8 \xe0", http_charset=None)
    assert (found.encoding, found.source, found.replaced) == ("utf-8", "detected", 3)


def test_only_new_replacements_count_when_the_page_has_its_own() -> None:
    """U+FFFD that the page itself holds is no loss in decoding."""
    assert decode("<p>caf\ufffd é".encode()).replaced == 0
    assert decode("<p>caf\ufffd é".encode() + b"\xc3", http_charset="utf-8").replaced == 1
    assert decode("\ufeffx\ufffd".encode("utf-16-le")).replaced == 0


PIECES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"<meta charset=", b"utf-16", b"gb18030>", b"<?xml encoding='", b"\xff\xfe", b"\xfe\xff",
         b"\xef\xbb\xbf", b"\x1b$B", b"\0<\0p\0>\0p", b"\xd8\0\xd8\0", b"\xed\xa0\x80", b"\x84\x31"]
    ),
)  # fmt: skip
LABELS = st.one_of(
    st.none(),
    st.text(max_size=12),
    st.sampled_from(["utf-8", "utf-16", "utf-16be", "x-user-defined"]),
    st.sampled_from([row[1] for row in DECLARED]),
)


@given(st.lists(PIECES).map(b"".join), LABELS)
def test_nothing_raises_when_bytes_are_arbitrary(data: bytes, label: str | None) -> None:
    """Any bytes under any label give text that can be written as UTF-8."""
    found = decode(data, http_charset=label)
    found.text.encode("utf-8")
    assert found.encoding == found.encoding.lower()
    assert 0 <= found.replaced <= len(found.text)


@given(st.text(st.characters(exclude_categories=["Cs"])), LABELS)
def test_text_comes_back_when_utf8_with_bom(text: str, label: str | None) -> None:
    """UTF-8 with a byte-order mark is a round trip, whatever else is said."""
    found = decode(text.encode("utf-8-sig"), http_charset=label)
    assert (found.text, found.encoding, found.source, found.replaced) == (text, "utf-8", "bom", 0)


@given(
    st.binary(max_size=80) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_utf8_is_measured_as_it_is_decoded(data: bytes) -> None:
    """Its characters are counted if, and only if, it is well-formed."""
    assert measure_utf8.definition(data) == measure_utf8(data)


@pytest.mark.parametrize("first", range(0x80, 0x100))
def test_every_start_of_a_character_is_measured(first: int) -> None:
    """Overlong forms, surrogates and what lies beyond Unicode are not well-formed."""
    for second in range(0x70, 0xD0):
        for rest in (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\x80a"):
            data = bytes((first, second)) + rest
            assert measure_utf8.definition(data) == measure_utf8(data)


DECLARABLE = st.sampled_from(
    ["utf-8", "utf-16", "utf-16be", "latin1", "shift_jis", "gbk", "iso-2022-jp", "x-user-defined"]
)


@given(
    st.text("aé模\0\x1b\ufeff\ufffd😀", max_size=60) | st.text(max_size=40),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030", "cp1252"]),
    DECLARABLE | st.none(),
    DECLARABLE | st.none(),
)
def test_text_is_the_same_when_nobody_asks_for_its_source(
    text: str, codec: str, http: str | None, label: str | None
) -> None:
    """`read_utf8` gives the text and encoding of `decode`, whatever is declared."""
    page = make_page(text, meta(label) if label else "")
    data = page.encode(codec, "replace")
    found = decode(data, http_charset=http)
    assert (found.text.encode(), found.encoding) == read_utf8(data, http_charset=http)


@given(st.binary(max_size=80), DECLARABLE | st.none())
def test_text_is_the_same_of_any_bytes(data: bytes, http: str | None) -> None:
    """The same holds for bytes that are not text, such as truncated characters."""
    found = decode(data, http_charset=http)
    assert (found.text.encode(), found.encoding) == read_utf8(data, http_charset=http)
