"""Steps leave pages to numpy whose words are crafted to collide in their hash tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from tests.helpers.compiled_steps import compiled_steps, needs_steps, refuses
from thresher.features import by_compiled, characters, names
from thresher.features.hashing import Hashes, mix
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF

pytestmark = needs_steps

N_WORD: Final = 1500
"""Words that share their places: each is looked for among those before it, a million probes."""
_WORD_BYTES: Final = 8
_PLACE_BITS: Final = 17
"""More than the tables here have."""
_SHARED: Final = np.uint64(128)
"""Places that they share."""
_N_DRAWN: Final = 2_000_000
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)


def _draw_sharing(place_of: Callable[[Hashes], Hashes]) -> list[str]:
    """Draw words that lie in few places of a table, by what says the place of a packed word."""
    chance = np.random.default_rng(1)
    found: list[str] = []
    while len(found) < N_WORD:
        letters = chance.integers(ord("a"), ord("z") + 1, (_N_DRAWN, _WORD_BYTES), np.uint8)
        places = place_of(letters.view(np.uint64)[:, 0]) % np.uint64(1 << _PLACE_BITS)
        found += [each.tobytes().decode() for each in letters[places < _SHARED]]
    return found[:N_WORD]


def _place_of_class(words: Hashes) -> Hashes:
    """Return where native/network/tokens.c looks for a class."""
    hashes = names._SALTS[0] * _GOLDEN + np.uint64(_WORD_BYTES) ^ words
    hashes *= np.uint64(0xBF58476D1CE4E5B9)
    hashes ^= hashes >> np.uint64(29)
    hashes *= np.uint64(0x94D049BB133111EB)
    places: Hashes = hashes ^ (hashes >> np.uint64(32))
    return places


def _hash_word(words: Hashes) -> Hashes:
    """Hash words as native/features/words.c does, letters as the lower bytes of their codes."""
    return mix(words + np.full(1, _WORD_BYTES, np.uint64) * _GOLDEN)


def _scatter(keys: Hashes) -> Hashes:
    """Return where native/features/work.h looks for a key."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _measure(html: str) -> by_compiled.Measured | None:
    """Measure the blocks of a page by the compiled step; None where it refuses."""
    page = parse(html)
    read, (_, signature) = characters.read_characters(page), names.read_tokens(page)
    return by_compiled.measure(compiled_steps(), page, read, signature)


def test_classes_that_share_their_places_are_left_to_numpy() -> None:
    """The step gives up soon; as many classes that are drawn without thought it reads."""
    sharing = _draw_sharing(_place_of_class)
    assert refuses(names.read_tokens, "".join(f"<p class={each}>x" for each in sharing))
    others = (f"<p class={each[::-1]}>x" for each in sharing)
    assert not refuses(names.read_tokens, "".join(others))


def test_words_of_a_title_that_share_their_places_are_left_to_numpy() -> None:
    """Words of the text are looked for among those of the title."""
    sharing = " ".join(_draw_sharing(lambda words: _hash_word(words) >> np.uint64(32)))
    assert refuses(characters.read_characters, f"<title>{sharing}</title><p>{sharing}")
    others = sharing[::-1]
    assert not refuses(characters.read_characters, f"<title>{others}</title><p>{others}")


def test_blocks_whose_words_share_their_places_are_left_to_numpy() -> None:
    """Blocks are looked for among those with the same words."""
    sharing = _draw_sharing(lambda words: _scatter(_hash_word(words)))
    assert _measure("".join(f"<p>{each}" for each in sharing)) is None
    assert _measure("".join(f"<p>{each[::-1]}" for each in sharing)) is not None


def test_siblings_whose_containers_share_their_places_are_left_to_numpy() -> None:
    """Children are looked for by their signature and the row of their parent."""
    paragraph = np.full(1, CODE_OF["p"], np.uint64)
    rows = np.arange(10, 400_000)
    places = _scatter(paragraph * _GOLDEN + rows.astype(np.uint64)) % np.uint64(1 << 12)
    chosen = rows[places < 32][:N_WORD].tolist()
    assert _measure(_put_at(chosen)) is None
    assert _measure(_put_at(range(10, 10 + 20 * N_WORD, 20))) is not None


def _put_at(rows: Iterable[int]) -> str:
    """Put a container with two paragraphs at each of these rows, where there is none before it."""
    pieces, n_row = ["<body>"], 3
    for row in rows:
        if row < n_row:
            continue
        pieces.append("<i></i>" * (row - n_row) + "<div><p>x</p><p>y</p></div>")
        n_row = row + 5
    return "".join(pieces)
