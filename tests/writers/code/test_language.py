"""Detection of the language of code."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.code.gutters import find_language

LANGUAGES: Final = {
    '<pre class="language-Py">x': "py",
    '<pre><code class="hljs language-c++">x': "c++",
    '<pre class="lang-js prettyprint">x': "js",
    '<pre class="brush: bash; gutter: false">x': "bash",
    '<pre class="sourceCode haskell">x': "haskell",
    '<div class="highlight highlight-source-rust"><pre>x': "rust",
    '<div class="highlight-default"><div class="highlight"><pre>x': "",
    '<pre data-lang="go">x': "go",
    '<pre data-syntaxhighlighter-params="brush: bash; gutter: true">x': "bash",
    '<figure data-language="sql"><pre>x': "sql",
    '<div class="language-py"><div><div><div><pre>x': "",
    '<pre class="language-none">x': "",
    '<pre class="my-language-py">x': "",
    '<pre class="language-<script>">x': "",
    "<pre>x": "",
    '<div class="highlighter-rouge"><pre>x': "",
    '<div class="language-ruby highlighter-rouge"><pre>x': "ruby",
    '<pre class="lang:php decode:true">x': "php",
    '<pre class="lang:default">x': "",
    "<pre class=EnlighterJSRAW data-enlighter-language=java>x": "java",
    "<pre class=EnlighterJSRAW data-enlighter-language=generic>x": "",
    '<div class="enlighter-v-standard enlighter-l-sql"><pre>x': "sql",
    '<div class="syntaxhighlighter php"><pre>x': "php",
    '<pre class="python">x': "python",
    '<pre class="panel python">x': "",
    '<pre><code class="hljs rust">x': "rust",
    '<pre class="rust item-decl"><code>x': "rust",
    '<figure class="highlight cpp"><table><tr><td><pre>1<td><pre class=code>x': "cpp",
    '<code class="highlight-wrap"><pre>x': "",
    '<pre><button>Copy</button><code class="lang-go">x': "go",
    "<pre><div>TypeScript</div><code>x": "typescript",
    "<pre><div>Plain text</div><code>x": "",
}


@pytest.mark.parametrize(("html", "expected"), LANGUAGES.items())
def test_language_is_found_when_a_highlighter_names_it(html: str, expected: str) -> None:
    """The language must be found in the markup of each common highlighter, and nothing else."""
    page = parse(f"<body>{html}")
    pre = int(np.flatnonzero(page.tag == CODE_OF["pre"])[-1])
    assert expected == find_language(page, pre)
