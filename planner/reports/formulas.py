"""Formulas as MathML, from the same SymPy expressions that are solved and proved."""

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    import sympy

_POWER = re.compile(r"(.+)e([+-]?\d+)")
_LETTERS = re.compile(r"\\[a-z]+|[{}]")
_LINE, _SIZES = 70, 3
"""Letters that fit on a line of a printed page, and how many smaller sizes there are."""
_LONG = re.compile(r"<mn>(\d{4,})(\.\d+)?</mn>")


def mathml(formula: "sympy.Basic", block: bool = True) -> Markup:
    """A formula for a browser, thousands separated.

    It is converted from LaTeX, since SymPy's own MathML reorders terms and nests too much.
    """
    import sympy
    from latex2mathml.converter import convert

    names = {name: _written(name) for name in formula.free_symbols if _written(name)}
    # a dot between factors separates numbers that were put in for symbols
    numbers = any(name.name[0].isdigit() for name in names)
    tex = sympy.latex(
        formula, ln_notation=True, symbol_names=names, mul_symbol="dot" if numbers else None
    )
    text = _LONG.sub(_separated, convert(tex, display="block" if block else "inline"))
    size = min(len(_LETTERS.sub("x", tex)) // _LINE, _SIZES)  # paper does not scroll
    return Markup(text.replace("<math ", f'<math class="long-{size}" ', 1) if size else text)


def _separated(number: re.Match[str]) -> str:
    """A number in MathML with thousands separated."""
    return f"<mn>{int(number[1]):,}{number[2] or ''}</mn>"


def _written(name: "sympy.Symbol") -> str:
    """LaTeX of a symbol that SymPy would not write in the usual way; else empty."""
    text = name.name
    if text[0].isdigit():
        text = text.replace(",", "")  # a comma would be punctuation
        power = _POWER.fullmatch(text)
        return rf"{power[1]} \cdot 10^{{{int(power[2])}}}" if power else text
    if text.startswith("epsilon"):
        return r"\varepsilon" + (r"_{\text{max}}" if text.endswith("_max") else "")
    return rf"\text{{{text}}}" if " " in text else ""
