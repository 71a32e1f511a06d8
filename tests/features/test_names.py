"""Names of elements as tokens, hashes of words, and what a page declares of itself."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from thresher.features.characters import Kind, read_characters
from thresher.features.declared import read_declared
from thresher.features.hashing import hash_runs, mix
from thresher.features.ladder import N_LEVEL, climb
from thresher.features.names import read_tokens
from thresher.parse import parse


def tokens_of(html: str) -> set[int]:
    """Return the tokens of a page's names."""
    return set(read_tokens(parse(html)).hash.tolist())


def hash_word(word: str) -> int:
    """Hash one word."""
    symbols = np.frombuffer(word.encode(), np.uint8)
    return int(hash_runs(symbols, np.array([0]), np.array([symbols.size]))[0])


@given(st.lists(st.text("abc", min_size=1, max_size=9), min_size=1, max_size=9))
def test_equal_words_hash_alike_wherever_they_stand(words: list[str]) -> None:
    """A word's hash depends on its letters alone, not on what stands around it."""
    symbols = np.frombuffer(" ".join(words).encode(), np.uint8)
    stop = np.cumsum([len(word) + 1 for word in words]) - 1
    start = stop - [len(word) for word in words]
    assert [hash_word(word) for word in words] == hash_runs(symbols, start, stop).tolist()


def test_anagrams_hash_apart() -> None:
    """The order of letters counts."""
    assert len({hash_word(word) for word in ("list", "slit", "silt", "tils")}) == 4


def test_mix_is_one_to_one_on_small_numbers() -> None:
    """No two small numbers are scattered to the same place."""
    assert 5000 == np.unique(mix(np.arange(5000))).size


def test_words_of_a_class_are_tokens() -> None:
    """Hyphens, capitals and digits part words; letter case and numbers are ignored."""
    camel, hyphen = tokens_of("<p class=storyBody>x"), tokens_of("<p id='story-body-12'>x")
    other = tokens_of("<p role='storyBody'>x")
    plain = tokens_of("<p>x")
    shared = (camel & hyphen) - plain
    assert 2 == len(shared)
    assert not shared & other


def test_names_are_those_around_blocks() -> None:
    """Elements that hold no block have no tokens; a tag is a name too."""
    assert tokens_of("<p>x") == tokens_of("<p>x</p><i class=nothing></i>")
    assert tokens_of("<p>x") != tokens_of("<div>x")


def test_tokens_know_their_elements() -> None:
    """Entries stand in document order, each with the end of its element, each name used."""
    page = parse("<div class=a><p class=b>x</p><p class=b>y</p></div>")
    tokens = read_tokens(page)
    assert sorted(tokens.row.tolist()) == tokens.row.tolist()
    assert page.end[tokens.row].tolist() == tokens.end.tolist()
    assert set(range(tokens.start.size)) == set(tokens.name.tolist())
    first, second = np.flatnonzero(page.tag == page.tag[page.block_row[0]]).tolist()
    assert tokens.signature[first] == tokens.signature[second]


def test_declared_types_and_address_are_tokens() -> None:
    """OpenGraph type, JSON-LD types, generator and address are read; a bare page declares none."""
    assert not read_declared(parse("<p>x")).size
    by_meta = read_declared(parse('<meta property="og:type" content="article"><p>x'))
    by_script = read_declared(
        parse('<script type="application/ld+json">{"@type": ["Product"]}</script><p>x')
    )
    assert 1 == by_meta.size == by_script.size
    by_url = read_declared(parse("<p>x", url="https://mill.example/shop/old-stone-2"))
    again = read_declared(parse("<p>y", url="https://other.example/shop/old-stone-2"))
    assert by_url.tolist() == again.tolist()
    assert 4 <= by_url.size


def test_ladder_leaves_out_wrappers() -> None:
    """Containers are elements at which blocks part; the outermost stands in for missing ones."""
    page = parse("<div><section><div><p>a<p>b</div></section><p>c</div>")
    ladder = climb(page)
    names = [[page.name(row) for row in level] for level in ladder.container.tolist()]
    assert N_LEVEL == len(names)
    assert ["div", "div", "div"] == names[0]
    assert [2, 2, 3] == (ladder.stop - ladder.first)[0].tolist()
    assert [3, 3, 3] == (ladder.stop - ladder.first)[1].tolist()
    assert [2, 2, 1] == ladder.n_above.tolist()


def test_characters_are_counted_by_kind() -> None:
    """Every character of a block is of one kind; the first and last that show are known."""
    characters = read_characters(parse("<p>Ab 1, x.</p><p>漢字。</p>"))
    found = {kind.name: characters.counts[:, kind].tolist() for kind in Kind}
    assert [1, 0] == found["UPPER"]
    assert [1, 0] == found["DIGIT"]
    assert [1, 0] == found["COMMA"]
    assert [1, 1] == found["TERMINATOR"]
    assert [0, 2] == found["UNSPACED"]
    assert [Kind.UPPER, Kind.UNSPACED] == characters.first.tolist()
    assert [Kind.TERMINATOR, Kind.TERMINATOR] == characters.last.tolist()
