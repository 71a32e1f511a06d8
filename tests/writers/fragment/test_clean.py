"""The allow-list."""

from __future__ import annotations

from typing import Final

import pytest

from thresher.writers.fragment.clean import clean_fragment

CASES: Final = {
    "unknown elements are unwrapped": ("<p><font><x-y>a</x-y></font></p>", "<p>a</p>"),
    "scripts go with their content": ("<script>a</script><style>b</style><p>c", "<p>c</p>"),
    "attributes go": ('<p id="a" class="b" style="c" lang="d">e</p>', '<p lang="d">e</p>'),
    "only languages stay as classes": (
        '<code class="language-c">a</code><code class="language-c b">d</code>',
        '<code class="language-c">a</code><code>d</code>',
    ),
    "links are resolved": ('<a href="b">a</a>', '<a href="https://a.example/b">a</a>'),
    "addresses are spelled out": (
        '<a href=" b c&quot;\n">a</a>',
        '<a href="https://a.example/b%20c%22">a</a>',
    ),
    "links to nowhere are unwrapped": ('<a href="">a</a><a href="javascript:b">c</a>', "ac"),
    "mail and telephone stay": (
        '<a href="mailto:a@b.example">a</a><a href="tel:1">b</a>',
        '<a href="mailto:a@b.example">a</a><a href="tel:1">b</a>',
    ),
    "comments go": ("a<!-- b -->c", "ac"),
}


@pytest.mark.parametrize(("fragment", "expected"), CASES.values(), ids=list(CASES))
def test_fragment_is_clean_when_cleaned(fragment: str, expected: str) -> None:
    """Each case must be cleaned as its table says."""
    assert expected == clean_fragment(fragment.encode(), "https://a.example/").inner_html


def test_relative_links_stay_when_no_base_is_known() -> None:
    """Without a base a relative link is more useful than none."""
    assert '<a href="/b">a</a>' == clean_fragment(b'<a href="/b">a</a>', None).inner_html
