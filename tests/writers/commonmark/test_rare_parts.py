"""Parts of a fragment that the compiled step leaves to Python."""

from __future__ import annotations

from thresher.writers.commonmark.rare_parts import render_parts

RUN, HEADING, TABLE, CODE, DEFINITIONS, SUMMARY, CALLOUT = range(3, 10)
GIVEN_RUN, GIVEN_HEADING, GIVEN_BLOCK, GIVEN_NOTHING, GIVEN_CALLOUT = range(5)


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


def test_runs_in_a_summary_are_bold() -> None:
    """Unless something in them is bold."""
    assert [([0, 1, GIVEN_RUN], "**a**")] == render("a", SUMMARY)
    assert [([0, 10, GIVEN_RUN], "**a** b")] == render("<b>a</b> b", SUMMARY)


def test_a_callout_is_a_quote_of_its_kind() -> None:
    """One that shows only its kind would matter to what follows."""
    markup = '<blockquote data-callout="tip"><p>a</p><p>b</p></blockquote>'
    expected = "> [!TIP]\n> a\n>\n> b"
    assert [([0, len(markup), GIVEN_CALLOUT], expected)] == render(markup, CALLOUT)
    assert render(markup.replace("<p>a</p><p>b</p>", ""), CALLOUT) is None


def test_boxes_stay_with_their_text() -> None:
    """A box without text waits for that of the next run, which is in another part."""
    assert [([0, 16, GIVEN_RUN], "[x] a")] == render("<input checked>a", RUN)
    assert render("<input checked>", RUN) is None
    assert render("<table><tr><td><input>a</td></tr></table>", TABLE) is None
