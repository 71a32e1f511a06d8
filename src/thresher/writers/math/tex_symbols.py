"""TeX for the characters and function names of formulas."""

from __future__ import annotations

from typing import Final

__all__ = ["ACCENTS", "BIG", "FUNCTIONS", "SYMBOLS"]

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
