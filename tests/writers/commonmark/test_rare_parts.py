"""Parts of a fragment that the compiled step leaves to Python."""

from __future__ import annotations

from thresher.writers.commonmark.rare_parts import render_parts

RUN, HEADING, TABLE, CODE, DEFINITIONS = 3, 4, 5, 6, 7
GIVEN_RUN, GIVEN_HEADING, GIVEN_BLOCK, GIVEN_NOTHING = range(4)


def render(markup: str, kind: int) -> list[tuple[list[int], str]] | None:
    """Return the places and the texts of one part, which is all of the markup."""
    utf8 = markup.encode()
    given = render_parts(utf8, [(0, len(utf8), kind)], None, tracking=False)
    return given and list(zip(given.places.T.tolist(), map(bytes.decode, given.texts), strict=True))


def test_a_run_is_one_block() -> None:
    """Also in a heading, where lines are joined."""
    assert [([0, 17, GIVEN_RUN], "`a`  \nb")] == render("<kbd>a</kbd><br>b", RUN)
    assert [([0, 17, GIVEN_HEADING], "`a` b")] == render("<kbd>a</kbd><br>b", HEADING)


def test_an_empty_run_is_nothing() -> None:
    """Its markup is passed over all the same."""
    assert [([0, 13, GIVEN_NOTHING], "")] == render("<code></code>", RUN)


def test_a_caption_is_a_block_before_its_table() -> None:
    """All but the last block of a part end where it starts."""
    markup = "<table><caption>a</caption><tr><td>1</td></tr></table>"
    expected = [([0, 0, GIVEN_RUN], "a"), ([0, len(markup), GIVEN_BLOCK], "| 1 |\n| --- |")]
    assert expected == render(markup, TABLE)


def test_code_is_a_block() -> None:
    """With its fences."""
    markup = "<pre><code>a\nb</code></pre>"
    assert [([0, len(markup), GIVEN_BLOCK], "```\na\nb\n```")] == render(markup, CODE)


def test_each_short_definition_is_a_run() -> None:
    """Below its term."""
    markup = "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>"
    expected = [([0, 0, GIVEN_RUN], "a\n: b"), ([0, len(markup), GIVEN_RUN], "c\n: d")]
    assert expected == render(markup, DEFINITIONS)


def test_what_depends_on_its_surroundings_cannot_stand_alone() -> None:
    """Long definitions are indented."""
    assert render("<dl><dt>a</dt><dd><p>b</p><p>c</p></dd></dl>", DEFINITIONS) is None
