"""The allow-list."""

from __future__ import annotations

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cases import cases
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from thresher.writers.fragment.clean import _RULES, clean_fragment, rewrite_addresses, tidy
from thresher.writers.shared.note_marks import note_id


@cases(__file__, "fragments")
def test_fragment_is_clean_when_cleaned(fragment: str, expected: str) -> None:
    """Each case must be cleaned as its table says."""
    assert expected == clean_fragment(fragment.encode(), "https://a.example/").inner_html


def test_relative_links_stay_when_no_base_is_known() -> None:
    """Without a base a relative link is more useful than none."""
    assert '<a href="/b">a</a>' == clean_fragment(b'<a href="/b">a</a>', None).inner_html


pytestmark = needs_steps

_TAGS: Final = (
    "a abbr b blockquote br code dd div dl em h2 hr img input ins li math ol p pre q script span"
    " strike svg table tbody td th time title tr tt ul x-y"
).split()
_ATTRIBUTES: Final = (
    "align alt cite class data-x datetime dir height href id lang onclick rel scope src start style"
    ' title type value (x) [y] @z x" =y é Title'
).split(" ")
_VALUES: Final = (
    *("//site.example/x", "//site.example", "//-a/", "///", "/é/b", "/é", "/b\u3000", "\u3000/b"),
    *("https://site.example/é.html", "https://é.example/a", "/\u2028b", "mailto:é@b"),
    *("mailto:", "mailto:a@b?subject=c", "tel:", "tel:+1-2;ext=3", "mailto:javascript:x"),
    *("", "x", " y\n", "left", "CENTER", "text-align: right", "language-c", "a&amp;b", "&quot;"),
    *("é", "\ufdd0", note_id("1", "1"), "javascript:x()", "java&#10;script:x", "vbscript:y"),
    *("/a/b", "a/b.html?c=1&amp;utm_source=d#e", "#f", "?g", "//site.example/", "a:b", "data:,x"),
    *("https://site.example", "http://site.example:80/x", "HTTPS://SITE.EXAMPLE/", "https:/x"),
    *("https://[::1]/", "https://[/", "https://1.2.3.4/", "https://999.0.0.1/", "https://a..b/"),
    *("https://xn--a/", "https://user@site.example/", "https://site.example/a b`c", "mailto:x@y"),
    *("https://site.example/\\x", "https://site.example?x", "tel:1", "&nbsp;/x", "/x&lt;y"),
)
_MARKUP: Final = st.builds(
    lambda name, attributes: (
        f"<{name}{''.join(f' {key}={QUOTE}{value}{QUOTE}' for key, value in attributes)}>"
    ),
    st.sampled_from(_TAGS),
    st.lists(st.tuples(st.sampled_from(_ATTRIBUTES), st.sampled_from(_VALUES)), max_size=4),
)
QUOTE: Final = '"'
_ENDS: Final = st.sampled_from([f"</{name}>" for name in _TAGS])
_TEXTS: Final = st.sampled_from(["x", "y z", "&lt;b&gt;", '"', "é", "\n", "<", "<!-- x -->"])
FRAGMENTS: Final = st.lists(_MARKUP | _ENDS | _TEXTS, max_size=12).map("".join)
BASES: Final = (None, "https://site.example/a/b?c=d", "https://site.example/", "http://a`b/", "x")


@given(FRAGMENTS, st.sampled_from(BASES))
def test_fragments_are_cleaned_alike_when_tidied(fragment: str, base: str | None) -> None:
    """The cleaned fragment must not depend on what was dropped before."""
    mine = clean_fragment(fragment.encode(), base)
    with without_compiled_steps():
        theirs = clean_fragment(fragment.encode(), base)
    assert theirs.inner_html == mine.inner_html
    assert theirs.tag == mine.tag


@cases(__file__, "attributes")
def test_attributes_go_when_no_element_may_have_them(fragment: str, expected: str) -> None:
    """A fragment must lose attributes its elements cannot have, unless it has unknown elements."""
    assert expected == tidy(fragment.encode(), _RULES)


def test_every_kind_of_address() -> None:
    """Links, pictures, candidates and posters are replaced; texts that look like one are not."""
    html = (
        '<a href="/a?b&amp;c">/a</a><img src="/a" srcset="/a 1x, /b 2x"><video poster="/c"></video>'
        '<code>&lt;img src="/a"&gt;</code>'
    )
    expected = (
        '<a href="x/a?b&amp;c">/a</a><img src="x/a" srcset="x/a 1x, x/b 2x">'
        '<video poster="x/c"></video><code>&lt;img src="/a"&gt;</code>'
    )
    assert expected == rewrite_addresses(html, lambda url: f"x{url}")
