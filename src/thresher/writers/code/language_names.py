"""Names of programming languages as they occur in classes and labels."""

from __future__ import annotations

from typing import Final

__all__ = ["LANGUAGES", "LANGUAGE_LABELS", "names_language"]

LANGUAGES: Final = frozenset(
    (
        "ada apache applescript armasm arduino asm assembly autohotkey awk bash basic bat batch c"
        " c# c++ clj clojure cmake cobol coffee coffeescript console cpp crystal cs csharp css csv"
        " cu cuda cypher d dart delphi diff docker dockerfile dos eiffel elisp elixir elm erb"
        " erlang ex f# fish forth fortran fs fsharp gherkin glsl go golang gradle graphql groovy"
        " haml handlebars haskell haxe hbs hcl hlsl hs html http idris ini java javascript jinja"
        " jinja2 js json json5 jsonc jsx julia kotlin kt latex lean less liquid lisp llvm lua m"
        " makefile markdown matlab md mermaid mysql nasm nginx nim nix objc objective-c objectivec"
        " ocaml octave pascal patch perl pgsql php pl plsql postgres postgresql powershell prisma"
        " prolog properties proto protobuf ps1 pug puppet purescript py pycon python python3 qml r"
        " racket rb react reason regex rs rst ruby rust sas sass scala scheme scss sh shell"
        " shell-session smalltalk solidity sparql sql stylus svelte swift systemverilog tcl"
        " terraform tex toml ts tsx typescript vala vb vba vbnet verilog vhdl vim vue wasm x86asm"
        " xhtml xml xquery xsl yaml yml zig zsh"
    ).split()
)
"""Names that denote a language where they are a whole class or label.

Collected by hand from the languages that highlight.js, Prism, Pygments and GitHub know, without
those that are also common words in style sheets (`text`, `plain`, `code`, `line`).
"""
LANGUAGE_LABELS: Final = {
    "c / c++": "cpp",
    "javascript (jsx)": "jsx",
    "node.js": "javascript",
    "objective c": "objectivec",
    "plain text": "",
    "plaintext": "",
    "shell session": "console",
    "terminal": "",
    "text": "",
    "typescript (tsx)": "tsx",
    "visual basic": "vb",
}
"""Other labels above code in lower case → language name, "" for none."""


def names_language(text: str) -> bool:
    """Return whether a text is the name of a language, as it is written or as people say it."""
    name = " ".join(text.split()).lower()
    return name in LANGUAGES or name in LANGUAGE_LABELS
