"""Formulas as MathML, from the same SymPy expressions that are solved and proved."""

import re

from markupsafe import Markup

from planner.libraries import sympy

_POWER = re.compile(r"(.+)e([+-]?\d+)")
_LETTERS = re.compile(r"\\[a-z]+|[{}]")
_BREAKS = re.compile(r"[{}()]| \+ | \\leq ")
_LINE = 75
"""Letters that fit on a line of a printed page."""
_LONG = re.compile(r"<mn>(\d{4,})(\.\d+)?</mn>")


def mathml(formula: "sympy.Basic", block: bool = True) -> Markup:
    """A formula for a browser, thousands separated.

    It is converted from LaTeX, since SymPy's own MathML reorders terms and nests too much.
    """
    from latex2mathml.converter import convert

    names = {name: _written(name) for name in formula.free_symbols if _written(name)}
    # a dot between factors separates numbers that were put in for symbols
    numbers = any(name.name[0].isdigit() for name in names)
    tex = sympy.latex(
        formula, ln_notation=True, symbol_names=names, mul_symbol="dot" if numbers else None
    )
    tex = _in_lines(tex) if block else tex
    return Markup(_LONG.sub(_separated, convert(tex, display="block" if block else "inline")))


def _in_lines(tex: str) -> str:
    """A long formula in lines that fit on paper, broken before + and ≤ outside inner brackets."""
    if _length(tex) <= _LINE:
        return tex
    flat = tex.replace(r"\left", "").replace(r"\right", "")  # brackets may close on another line
    lines, depth, start = [""], 0, 0
    for match in _BREAKS.finditer(flat):
        depth += (match[0] in "{(") - (match[0] in "})")
        if match[0][0] == " " and depth <= 1:
            lines = _packed(lines, flat[start : match.start()])
            start = match.start()
    lines = _packed(lines, flat[start:])
    return r"\begin{array}{l} " + r" \\ ".join(lines) + r" \end{array}"


def _packed(lines: list[str], part: str) -> list[str]:
    """The lines with a part after the last of them, or on a new one where that would be long."""
    together = lines[-1] + part
    return [*lines[:-1], together] if _length(together) <= _LINE else [*lines, part]


def _length(tex: str) -> int:
    return len(_LETTERS.sub("x", tex))


def _separated(number: re.Match[str]) -> str:
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
