"""The table of public block lists."""

from __future__ import annotations

from thresher.filters.public_lists import PUBLIC_LISTS, RECOMMENDED, list_addresses


def test_every_list_has_its_terms() -> None:
    """Lists come over HTTPS, from addresses of their own, and name their licence."""
    assert len(PUBLIC_LISTS) == len({each.url for each in PUBLIC_LISTS})
    for each in PUBLIC_LISTS:
        assert each.url.startswith("https://") and each.licence_url.startswith("https://")
        assert each.name and each.against and each.licence


def test_the_word_stands_for_the_lists() -> None:
    """Recommended lists take the place of the word, beside others, and none comes twice."""
    easy = PUBLIC_LISTS[0].url
    expected = ("https://a.example/", easy, *(each.url for each in PUBLIC_LISTS[1:]))
    assert expected == list_addresses(["https://a.example/", easy, RECOMMENDED])
    assert () == list_addresses([])
