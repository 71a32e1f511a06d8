"""Conversion of MathML without a TeX annotation to TeX.

Presentation MathML 3 has some thirty elements (its chapter 3). Each is converted from the converted
children, from the last row to the first, so nothing recurses. What TeX cannot express, such as
colours, alignment and elementary arithmetic, is reduced to its content.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.tags import TEXT

# -- characters and names of functions ---------------------------------------------------------

_GREEK: Final = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " varsigma sigma tau upsilon varphi chi psi omega"
).split()
_CAPITALS: Final = {
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_OPERATORS: Final = {
    "−": "-", "±": "\\pm", "∓": "\\mp", "×": "\\times", "÷": "\\div", "·": "\\cdot",
    "⋅": "\\cdot", "∗": "*", "∘": "\\circ", "∙": "\\bullet", "⊕": "\\oplus", "⊗": "\\otimes",
    "⋆": "\\star", "†": "\\dagger", "≤": "\\le", "≥": "\\ge", "≪": "\\ll", "≫": "\\gg",
    "≠": "\\ne", "≈": "\\approx", "≡": "\\equiv", "≅": "\\cong", "≃": "\\simeq", "∼": "\\sim",
    "∝": "\\propto", "≺": "\\prec", "≻": "\\succ", "∈": "\\in", "∉": "\\notin", "∋": "\\ni",
    "⊂": "\\subset", "⊃": "\\supset", "⊆": "\\subseteq", "⊇": "\\supseteq", "∪": "\\cup",
    "∩": "\\cap", "∖": "\\setminus", "∅": "\\emptyset", "∧": "\\wedge", "∨": "\\vee",
    "¬": "\\neg", "∀": "\\forall", "∃": "\\exists", "∄": "\\nexists", "⊢": "\\vdash",
    "⊨": "\\models", "⊥": "\\perp", "∥": "\\parallel", "∣": "\\mid", "∠": "\\angle",
    "→": "\\to", "←": "\\leftarrow", "↔": "\\leftrightarrow", "⇒": "\\Rightarrow",
    "⇐": "\\Leftarrow", "⇔": "\\Leftrightarrow", "⟹": "\\implies", "⟺": "\\iff",
    "⟶": "\\longrightarrow", "↦": "\\mapsto", "↑": "\\uparrow", "↓": "\\downarrow",
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint",
    "∮": "\\oint", "⋃": "\\bigcup", "⋂": "\\bigcap", "⋁": "\\bigvee", "⋀": "\\bigwedge",
    "⨁": "\\bigoplus", "⨂": "\\bigotimes", "∂": "\\partial", "∇": "\\nabla", "∞": "\\infty",
    "√": "\\surd", "ℏ": "\\hbar", "ℓ": "\\ell", "℘": "\\wp", "ℜ": "\\Re", "ℑ": "\\Im",
    "ℵ": "\\aleph", "′": "'", "″": "''", "‴": "'''", "…": "\\ldots", "⋯": "\\cdots",
    "⋮": "\\vdots", "⋱": "\\ddots", "⟨": "\\langle", "⟩": "\\rangle", "〈": "\\langle",
    "〉": "\\rangle", "⌊": "\\lfloor", "⌋": "\\rfloor", "⌈": "\\lceil", "⌉": "\\rceil",
    "‖": "\\|", "°": "^\\circ", "■": "\\blacksquare", "□": "\\square", "ℂ": "\\mathbb{C}",
    "ℍ": "\\mathbb{H}", "ℕ": "\\mathbb{N}", "ℙ": "\\mathbb{P}", "ℚ": "\\mathbb{Q}",
    "ℝ": "\\mathbb{R}", "ℤ": "\\mathbb{Z}", "\u00a0": "\\ ", "\u2061": "", "\u2062": "",
    "\u2063": "", "\u2064": "", "{": "\\{", "}": "\\}", "%": "\\%", "&": "\\&", "#": "\\#",
    "$": "\\$", "_": "\\_", "\\": "\\backslash", "~": "\\sim", "^": "\\hat{}",
}  # fmt: skip
SYMBOLS: Final = (
    {chr(ord("α") + place): f"\\{name}" for place, name in enumerate(_GREEK)}
    | {"ϵ": "\\epsilon", "ϑ": "\\vartheta", "ϕ": "\\phi", "ϱ": "\\varrho", "ϖ": "\\varpi"}
    | {char: f"\\{name}" for char, name in _CAPITALS.items()}
    | _OPERATORS
    | {"ο": "o"}
)
"""Character → TeX. Invisible operators (U+2061 to U+2064) become nothing."""
FUNCTIONS: Final = frozenset(
    (
        "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim"
        " liminf limsup ln log max min sec sin sinh sup tan tanh Pr"
    ).split()
)
"""Function names that have a TeX command."""
BIG: Final = frozenset(
    (
        "\\sum \\prod \\coprod \\int \\iint \\iiint \\oint \\bigcup \\bigcap \\bigvee \\bigwedge"
        " \\bigoplus \\bigotimes \\lim \\liminf \\limsup \\max \\min \\sup \\inf \\det \\gcd \\Pr"
    ).split()
)
"""Operators and functions whose limits are written as sub- and superscripts."""
ACCENTS: Final = {
    "¯": "\\bar", "‾": "\\overline", "―": "\\overline", "_": "\\underline", "ˉ": "\\bar",
    "^": "\\hat", "ˆ": "\\hat", "~": "\\tilde", "˜": "\\tilde", "∼": "\\tilde",
    "→": "\\vec", "⃗": "\\vec", "˙": "\\dot", ".": "\\dot", "¨": "\\ddot", "ˇ": "\\check",
    "˘": "\\breve", "´": "\\acute", "`": "\\grave", "⏞": "\\overbrace", "⏟": "\\underbrace",
}  # fmt: skip
"""Character of an `mover` or `munder` → its accent command."""


# -- elements ----------------------------------------------------------------------------------

MAX_FORMULA_ROWS: Final = 4096
"""Rows; larger formulas are not converted. TeX is copied once for each enclosing level."""
_MAX_TEX_CHARS: Final = 50_000
"""Characters of TeX; longer formulas are not converted. Real ones have some thousand."""

_Parts = list[tuple[str, str]]
"""Names and TeX of an element's children, in order."""

_COMMAND: Final = re.compile(r"\\[A-Za-z]+$")
_ONE_TOKEN: Final = re.compile(r"(?:\\[A-Za-z]+|[0-9.,]+|[^\\{}_^&])'*")
_SPECIAL: Final = re.compile(r"([#$%&_{}])")
_ESCAPED: Final = r"\\\1"
_OPEN_MATRIX, _CLOSE_MATRIX = r"\begin{matrix}", r"\end{matrix}"
_MATRICES: Final = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("|", "|"): "vmatrix",
    ("\\{", ""): "cases",
}
"""Fences of a matrix → the environment that expresses both."""
_ALPHABETS: Final = ("\U0001d400", "\U0001d7ff")
"""First and last of the mathematical alphanumeric symbols."""
_NO_LINE: Final = frozenset(("0", "0em", "0ex", "0pt", "0px"))
_WITH_ATTRIBUTES: Final = frozenset(("menclose", "mfenced", "mfrac"))
_ACCENT_OF: Final = {SYMBOLS.get(char, char): accent for char, accent in ACCENTS.items()}


def convert_mathml(page: Page, row: int) -> str | None:
    """Return the TeX of a `math` element, None if it is empty or too large."""
    stop = int(page.end[row])
    if stop - row > MAX_FORMULA_ROWS:
        return None
    children: dict[int, _Parts] = {}
    """Row → its children so far, last first."""
    tex = ""
    for part in watch(range(stop - 1, row - 1, -1)):
        parts = children.pop(part, [])[::-1]
        if page.tag[part] == TEXT:
            name, tex = "#text", " ".join(page.text_of(part).split())
            if not tex:
                continue
        else:
            name = page.name(part).rpartition(":")[2]
            attrs = page.attrs(part) if name in _WITH_ATTRIBUTES else {}
            tex = _CONVERTERS.get(name, _convert_line)(parts, attrs)
        if len(tex) > _MAX_TEX_CHARS:
            return None
        children.setdefault(int(page.parent[part]), []).append((name, tex))
    return tex.strip() or None


def _join(texs: list[str]) -> str:
    """Concatenate TeX, separating a command from a letter that follows it."""
    parts: list[str] = []
    for tex in filter(None, texs):
        if parts and tex[0].isalpha() and _COMMAND.search(parts[-1]):
            parts.append(" ")
        parts.append(tex)
    return "".join(parts)


def _convert_line(parts: _Parts, attrs: Mapping[str, str]) -> str:
    """Convert a row; a table between fences is a matrix, one after an opening brace is cases."""
    texs = [tex for _, tex in parts if tex.strip()]
    if len(texs) in (2, 3) and texs[1].startswith(_OPEN_MATRIX):
        kind = _MATRICES.get((texs[0], "".join(texs[2:])))
        body = texs[1].removeprefix(_OPEN_MATRIX).removesuffix(_CLOSE_MATRIX)
        if kind and _OPEN_MATRIX not in body:
            return rf"\begin{{{kind}}}{body}\end{{{kind}}}"
    return _join([tex for _, tex in parts])


# -- tokens --------------------------------------------------------------------------------------


def _convert_letters(parts: _Parts, attrs: Mapping[str, str]) -> str:
    """Convert the characters of a token element; elements in it are converted already."""
    texs: list[str] = []
    for name, text in parts:
        texs += map(_convert_character, text) if name == "#text" else (text,)
    return _join(texs)


def _convert_character(char: str) -> str:
    # Mathematical letters of any font become plain letters in TeX.
    if _ALPHABETS[0] <= char <= _ALPHABETS[1]:
        char = unicodedata.normalize("NFKC", char)
    return SYMBOLS.get(char, char)


def _convert_name(parts: _Parts, attrs: Mapping[str, str]) -> str:
    text = " ".join(tex for _, tex in parts)
    if text in FUNCTIONS:
        return f"\\{text}"
    letters = _convert_letters(parts, attrs)
    return rf"\mathrm{{{letters}}}" if len(text) > 1 and letters.isalpha() else letters


def _convert_words(parts: _Parts, attrs: Mapping[str, str]) -> str:
    text = " ".join(tex for _, tex in parts).replace("\\", "").replace("^", "")
    return rf"\text{{{_SPECIAL.sub(_ESCAPED, text)}}}" if text else ""


# -- scripts and accents -------------------------------------------------------------------------


def _group(tex: str) -> str:
    """Return TeX that is a single argument: one character as it is, more in braces."""
    return tex if len(tex) == 1 else f"{{{tex}}}"


def _base(tex: str) -> str:
    return tex if not tex or _ONE_TOKEN.fullmatch(tex) or tex.endswith("}") else f"{{{tex}}}"


def _below(base: str, tex: str) -> str:
    return f"{base}_{_group(tex)}" if tex else base


def _above(base: str, tex: str) -> str:
    # Primes are already superscripts, and so is the degree sign.
    is_raised = tex.startswith("^") or not tex.strip("'")
    return f"{base}{tex}" if is_raised else f"{base}^{_group(tex)}"


def _set_limits(base: str, below: str, above: str) -> str:
    if base in BIG or base.startswith((r"\underbrace", r"\overbrace")):
        return _above(_below(base, below), above)
    if above:
        accent = _ACCENT_OF.get(above)
        base = f"{accent}{{{base}}}" if accent else rf"\overset{{{above}}}{{{base}}}"
    if below:
        accent = _ACCENT_OF.get(below, "").replace("over", "under").replace("bar", "underline")
        base = f"{accent}{{{base}}}" if accent else rf"\underset{{{below}}}{{{base}}}"
    return base


def _of(n_part: int, convert: Callable[..., str]) -> _Converter:
    """Return the converter of an element with so many children; with others it is a row."""

    def convert_parts(parts: _Parts, attrs: Mapping[str, str]) -> str:
        if len(parts) != n_part:
            return _convert_line(parts, attrs)
        return convert(*(tex for _, tex in parts))

    return convert_parts


def _convert_multiscripts(parts: _Parts, attrs: Mapping[str, str]) -> str:
    """Convert a base, the pairs of scripts after it, and the pairs before it."""
    names = [name for name, _ in parts]
    cut = names.index("mprescripts") if "mprescripts" in names else len(parts)
    texs = [tex for _, tex in parts]
    behind, before = texs[1:cut], texs[cut + 1 :]
    base = _base("".join(texs[:1]))
    base = _above(_below(base, _join(behind[::2])), _join(behind[1::2]))
    return _above(_below("{}", _join(before[::2])), _join(before[1::2])) + base if before else base


# -- the rest ------------------------------------------------------------------------------------


def _convert_fraction(parts: _Parts, attrs: Mapping[str, str]) -> str:
    if len(parts) != 2:
        return _convert_line(parts, attrs)
    command = r"\binom" if attrs.get("linethickness", "") in _NO_LINE else r"\frac"
    return f"{command}{{{parts[0][1]}}}{{{parts[1][1]}}}"


def _convert_fenced(parts: _Parts, attrs: Mapping[str, str]) -> str:
    marks = attrs.get("separators", ",").replace(" ", "")
    between: _Parts = []
    for place, part in enumerate(parts):
        if place and marks:
            mark = marks[min(place, len(marks)) - 1]
            between.append(("mo", SYMBOLS.get(mark, mark)))
        between.append(part)
    fences = [attrs.get("open", "(").strip(), attrs.get("close", ")").strip()]
    opening, closing = (("mo", SYMBOLS.get(fence, fence)) for fence in fences)
    return _convert_line([opening, *between, closing], attrs)


def _convert_enclosed(parts: _Parts, attrs: Mapping[str, str]) -> str:
    tex = _convert_line(parts, attrs)
    return rf"\boxed{{{tex}}}" if attrs.get("notation") == "box" else tex


def _convert_table(parts: _Parts, attrs: Mapping[str, str]) -> str:
    rows = r" \\ ".join(tex for _, tex in parts)
    return f"{_OPEN_MATRIX} {rows} {_CLOSE_MATRIX}"


def _convert_row(parts: _Parts, attrs: Mapping[str, str]) -> str:
    return " & ".join(tex for _, tex in parts)


def _convert_labelled_row(parts: _Parts, attrs: Mapping[str, str]) -> str:
    label = "".join(tex for _, tex in parts[:1])
    for mark in (r"\text{", "(", ")", "}"):
        label = label.replace(mark, "")
    return rf"{_convert_row(parts[1:], attrs)} \tag{{{label}}}"


_Converter = Callable[[_Parts, Mapping[str, str]], str]
_CONVERTERS: Final[dict[str, _Converter]] = {
    "annotation": lambda parts, attrs: "",
    "annotation-xml": lambda parts, attrs: "",
    "menclose": _convert_enclosed,
    "mfenced": _convert_fenced,
    "mfrac": _convert_fraction,
    "mi": _convert_name,
    "mlabeledtr": _convert_labelled_row,
    "mmultiscripts": _convert_multiscripts,
    "mn": _convert_letters,
    "mo": _convert_name,
    "mover": _of(2, lambda base, above: _set_limits(base, "", above)),
    "mphantom": lambda parts, attrs: rf"\phantom{{{_convert_line(parts, attrs)}}}",
    "mroot": _of(2, lambda base, index: rf"\sqrt[{index}]{{{base}}}"),
    "ms": _convert_words,
    "mspace": lambda parts, attrs: " ",
    "msqrt": lambda parts, attrs: rf"\sqrt{{{_convert_line(parts, attrs)}}}",
    "msub": _of(2, lambda base, below: _below(_base(base), below)),
    "msubsup": _of(3, lambda base, below, above: _above(_below(_base(base), below), above)),
    "msup": _of(2, lambda base, above: _above(_base(base), above)),
    "mtable": _convert_table,
    "mtext": _convert_words,
    "mtr": _convert_row,
    "munder": _of(2, lambda base, below: _set_limits(base, below, "")),
    "munderover": _of(3, _set_limits),
    "semantics": lambda parts, attrs: "".join(tex for _, tex in parts[:1]),
}
"""Element → its converter; all others are rows of their content."""
