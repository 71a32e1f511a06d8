"""Decoding gives the right text of a page's bytes, and reports how it was decoded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native import MALFORMED
from thresher.page.decode import decode, measure_utf8, read_utf8

# Codec that writes the bytes, the name decode() must give, a text long enough to be recognised.
LANGUAGES = (
    (
        "cp1250",
        "windows-1250",
        "Zażółć gęślą jaźń. Wczoraj wieczorem spadł pierwszy śnieg, więc dzieci wybiegły przed "
        "dom, żeby ulepić bałwana. Sąsiedzi śmiali się głośno, a pies szczekał na każdą kulkę.",
    ),
    (
        "cp1251",
        "windows-1251",
        "Вчера вечером в городе открылась новая библиотека. Жители пришли посмотреть на книги, "
        "а дети слушали сказки до самой ночи.",
    ),
    (
        "koi8-r",
        "koi8-u",  # the detector's name for both: they differ in no Russian letter
        "Вчера вечером в городе открылась новая библиотека. Жители пришли посмотреть на книги, "
        "а дети слушали сказки до самой ночи.",
    ),
    (
        "cp1252",
        "windows-1252",
        "L’été dernier, nous avons marché jusqu’à la forêt, où le garde nous a montré des chênes "
        "très âgés. « Ils étaient déjà là avant la Révolution », a-t-il précisé.",
    ),
    (
        "cp1253",
        "windows-1253",
        "Χθες το βράδυ άνοιξε στην πόλη μια νέα βιβλιοθήκη. Οι κάτοικοι ήρθαν να δουν τα βιβλία "
        "και τα παιδιά άκουγαν παραμύθια μέχρι αργά.",
    ),
    (
        "cp1254",
        "windows-1254",
        "Dün akşam şehirde yeni bir kütüphane açıldı. Halk kitapları görmeye geldi, çocuklar ise "
        "gece yarısına kadar masal dinledi. Işıklar söndüğünde herkes eve döndü, ağaçlar sustu.",
    ),
    (
        "cp1255",
        "windows-1255",
        "אתמול בערב נפתחה בעיר ספרייה חדשה. התושבים באו לראות את הספרים והילדים הקשיבו "
        "לסיפורים עד שעה מאוחרת.",
    ),
    (
        "cp1256",
        "windows-1256",
        "افتتحت مساء أمس مكتبة جديدة في المدينة. جاء السكان ليشاهدوا الكتب، واستمع الأطفال إلى "
        "الحكايات حتى ساعة متأخرة من الليل.",
    ),
    (
        "cp874",
        "windows-874",
        "เมื่อวานตอนเย็นห้องสมุดแห่งใหม่เปิดในเมือง ชาวเมืองมาดูหนังสือ และเด็กๆ ฟังนิทานจนดึก",
    ),
    (
        "shift_jis",
        "shift_jis",
        "昨日の夕方、町に新しい図書館が開きました。住民は本を見に集まり、子供たちは夜遅くまで"
        "お話を聞いていました。とても楽しい一日でした。",
    ),
    (
        "euc_jp",
        "euc-jp",
        "昨日の夕方、町に新しい図書館が開きました。住民は本を見に集まり、子供たちは夜遅くまで"
        "お話を聞いていました。とても楽しい一日でした。",
    ),
    (
        "iso2022_jp",
        "iso-2022-jp",
        "昨日の夕方、町に新しい図書館が開きました。住民は本を見に集まりました。",
    ),
    (
        "gbk",
        "gbk",
        "昨天晚上，城里新开了一家图书馆。居民们前来看书，孩子们听故事一直听到深夜。"
        "大家都说这是一个很好的地方，以后还会常来。",
    ),
    (
        "big5",
        "big5",
        "昨天晚上，城裡新開了一家圖書館。居民們前來看書，孩子們聽故事一直聽到深夜。"
        "大家都說這是一個很好的地方，以後還會常來。",
    ),
    (
        "euc_kr",
        "euc-kr",
        "어제 저녁 시내에 새 도서관이 문을 열었습니다. 주민들은 책을 보러 왔고 아이들은 밤늦게까지 "
        "이야기를 들었습니다. 모두가 다시 오고 싶다고 말했습니다.",
    ),
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


@pytest.mark.parametrize(("codec", "name", "text"), DECLARED)
def test_legacy_text_is_read_when_declared_by_http(codec: str, name: str, text: str) -> None:
    """The HTTP charset decides, and every character survives."""
    page = make_page(text)
    found = decode(page.encode(codec), http_charset=name)
    assert (found.text, found.encoding, found.source, found.replaced) == (page, name, "http", 0)


@pytest.mark.parametrize(("codec", "name", "text"), DECLARED)
def test_legacy_text_is_read_when_declared_by_meta(codec: str, name: str, text: str) -> None:
    """The <meta> decides where HTTP is silent."""
    page = make_page(text, meta(name))
    found = decode(page.encode(codec))
    assert (found.text, found.encoding, found.source, found.replaced) == (page, name, "meta", 0)


@pytest.mark.parametrize(("codec", "name", "text"), LANGUAGES)
def test_legacy_text_is_detected_when_undeclared(codec: str, name: str, text: str) -> None:
    """The language's usual encoding is recognised from its bytes."""
    page = make_page(text)
    found = decode(page.encode(codec))
    assert (found.text, found.encoding, found.source) == (page, name, "detected")


@pytest.mark.parametrize("how", ["http", "meta"])
@pytest.mark.parametrize(("codec", "name", "text"), REFUTING)
def test_legacy_text_is_detected_when_declared_utf8(
    codec: str, name: str, text: str, how: str
) -> None:
    """A UTF-8 declaration that the bytes refute does not turn the text into U+FFFD."""
    page = make_page(text, meta("utf-8") if how == "meta" else "")
    found = decode(page.encode(codec), http_charset="utf-8" if how == "http" else None)
    assert (found.text, found.encoding, found.source) == (page, name, "detected")


@pytest.mark.parametrize(
    "http", [None, "latin1", "ISO-8859-1", "us-ascii", "windows-1252", '"cp1252"']
)
@pytest.mark.parametrize("head", ["", meta("iso-8859-1"), meta("windows-1252")])
def test_utf8_is_read_when_mislabelled_latin1(http: str | None, head: str) -> None:
    """One multi-byte character in well-formed UTF-8 outweighs a Latin-1 label."""
    page = make_page("café", head)
    found = decode(page.encode(), http_charset=http)
    assert (found.text, found.encoding, found.source) == (page, "utf-8", "detected")


def test_utf8_is_read_when_mislabelled_as_another_encoding() -> None:
    """A whole page of well-formed UTF-8 outweighs any label; a character or two do not."""
    page = make_page(JAPANESE)
    assert decode(page.encode(), http_charset="shift_jis").text == page
    assert decode("模".encode("gbk"), http_charset="gbk").text == "模"  # C4 A3, U+0123 in UTF-8


def test_latin1_is_kept_when_labelled_so() -> None:
    """A Latin-1 label on bytes that are no UTF-8 is believed, as windows-1252."""
    found = decode(make_page("café “x”").encode("cp1252"), http_charset="latin1")
    assert (found.text, found.encoding, found.source) == (
        make_page("café “x”"), "windows-1252", "http",
    )  # fmt: skip


@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE, "plain ASCII", ""])
@pytest.mark.parametrize(
    ("http", "head", "source"),
    [
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
    ],
)
def test_source_is_told_when_utf8(text: str, http: str | None, head: str, source: str) -> None:
    """UTF-8 is read from any source of the declaration, and the source is reported."""
    page = make_page(text, head)
    found = decode(page.encode(), http_charset=http)
    assert (found.text, found.encoding, found.source) == (page, "utf-8", source)
    assert found.replaced == 0


@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")])
@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE, "一二三一一一　　　", "a\0b 𠮷"])
def test_utf16_is_read_when_marked_or_not(codec: str, name: str, text: str) -> None:
    """UTF-16 is read in both byte orders, with a mark, declared by HTTP, or by its pattern."""
    page = make_page(text, meta("utf-8"))
    marked = decode(("\ufeff" + page).encode(codec), http_charset="windows-1252")
    assert (marked.text, marked.encoding, marked.source) == (page, name, "bom")
    declared = decode(page.encode(codec), http_charset=name)
    assert (declared.text, declared.encoding, declared.source) == (page, name, "http")
    bare = decode(page.encode(codec), http_charset="utf-8")
    assert (bare.text, bare.encoding, bare.source) == (page, name, "detected")


def test_bom_wins_when_all_else_disagrees() -> None:
    """A byte-order mark overrides HTTP and <meta>, and is not in the text."""
    page = make_page(RUSSIAN, meta("windows-1251"))
    found = decode(page.encode("utf-8-sig"), http_charset="koi8-r")
    assert (found.text, found.encoding, found.source) == (page, "utf-8", "bom")
    assert decode(b"\xef\xbb\xbf").text == ""


def test_signature_is_dropped_when_gb18030() -> None:
    """The GB18030 form of the byte-order mark does not stay in the text either."""
    page = make_page("你好", meta("gb18030"))
    assert decode(("\ufeff" + page).encode("gb18030"), http_charset="gb18030").text == page


def test_http_wins_when_meta_disagrees() -> None:
    """HTTP outranks <meta>."""
    page = make_page(RUSSIAN, meta("koi8-r"))
    found = decode(page.encode("cp1251"), http_charset="windows-1251")
    assert (found.text, found.source) == (page, "http")


def test_meta_wins_when_http_is_refuted() -> None:
    """A charset in <meta> must be used if the bytes are not the UTF-8 that HTTP declares."""
    page = make_page("Привет", meta("koi8-r"))
    found = decode(page.encode("koi8-r"), http_charset="utf-8")
    assert (found.text, found.encoding, found.source) == (page, "koi8-r", "meta")


@pytest.mark.parametrize(
    "label", ["nonsense", "", " ", "utf-8\0x", "кои8", "\ud800", "replacement", "hz-gb-2312"]
)
def test_label_is_ignored_when_unknown(label: str) -> None:
    """A label no encoding has leaves the choice to the next source, and to the next <meta>."""
    page = make_page("Привет", meta("x-nonsense") + meta("windows-1251"))
    found = decode(page.encode("cp1251"), http_charset=label)
    assert (found.text, found.encoding, found.source) == (page, "windows-1251", "meta")


@pytest.mark.parametrize(
    "filler",
    [
        "<!--" + "x" * 3000 + "-->",
        "<script>" + "if (a < b) c();" * 2500 + "</script>",
        "<style>" + "p > a { }" * 300 + "</style><title>Привет</title>",
    ],
)
def test_meta_counts_when_after_1024_bytes(filler: str) -> None:
    """A <meta> that the prescan does not reach decides, as it does when a browser re-parses."""
    page = make_page("Привет", filler + meta("koi8-r"))
    found = decode(page.encode("koi8-r"))
    assert (found.text, found.encoding, found.source) == (page, "koi8-r", "meta")


@pytest.mark.parametrize("quote", ["'", '"'])
def test_xml_declaration_counts_when_nothing_else_does(quote: str) -> None:
    """An XML declaration's encoding is used after a <meta>'s."""
    head = f"<?xml version={quote}1.0{quote} encoding={quote}windows-1251{quote}?>"
    found = decode((head + "<p>Да").encode("cp1251"))
    assert (found.text, found.encoding, found.source) == (head + "<p>Да", "windows-1251", "meta")
    assert decode((head + meta("koi8-r") + "<p>Да").encode("koi8-r")).encoding == "koi8-r"


def test_user_defined_is_windows_1252_when_in_meta() -> None:
    """x-user-defined in a <meta> means windows-1252, as the HTML Standard has it."""
    found = decode(make_page("café", meta("x-user-defined")).encode("cp1252"))
    assert (found.encoding, found.source) == ("windows-1252", "meta")
    assert "café" in found.text


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


@pytest.mark.parametrize("http", [None, "utf-8", "windows-1251"])
def test_rest_is_kept_when_there_are_nul_bytes(http: str | None) -> None:
    """NUL bytes stay where they are and everything around them is read."""
    text = make_page("\0При\0вет, \0\0\0 мир, это текст\0")
    found = decode(text.encode("cp1251" if http == "windows-1251" else "utf-8"), http_charset=http)
    assert found.text == text


@pytest.mark.parametrize("data", [b"", b"plain", b"\n\t <p>ASCII only</p>\0"])
def test_name_is_utf8_when_bytes_tell_nothing(data: bytes) -> None:
    """Undeclared ASCII is reported as UTF-8, of which it is a subset."""
    found = decode(data)
    assert (found.text, found.encoding, found.source) == (data.decode(), "utf-8", "detected")


def test_text_is_detected_when_far_from_the_start() -> None:
    """Detection reads from the first byte that tells anything, however late that is."""
    page = make_page("x" * 300_000 + RUSSIAN)
    assert decode(page.encode("cp1251")).encoding == "windows-1251"


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


def count_decoded(data: bytes) -> int:
    """Count characters by decoding; MALFORMED where that fails."""
    try:
        return len(data.decode())
    except UnicodeDecodeError:
        return MALFORMED


@given(
    st.binary(max_size=80) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_utf8_is_measured_as_it_is_decoded(data: bytes) -> None:
    """Its characters are counted if, and only if, it is well-formed."""
    assert count_decoded(data) == measure_utf8(data)


@pytest.mark.parametrize("first", range(0x80, 0x100))
def test_every_start_of_a_character_is_measured(first: int) -> None:
    """Overlong forms, surrogates and what lies beyond Unicode are not well-formed."""
    for second in range(0x70, 0xD0):
        for rest in (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\x80a"):
            data = bytes((first, second)) + rest
            assert count_decoded(data) == measure_utf8(data)


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
