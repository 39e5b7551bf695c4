"""One claim of the paper, its check, and the result."""

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

from planner.libraries import sympy

Status = Literal["confirmed", "rounded", "misprint", "wrong"]


class Finding(NamedTuple):
    """The result of a check.

    Attributes:
        agreement: whether the claim is true as printed, true once rounded, or not true.
        computed: what was computed, in words or figures.
        follows: where the claim is not true, whether everything that rests on it still is.
        why: how it was computed, or what the error is.
        instances: the computed cases, where a general claim is not proved here.
    """

    agreement: Literal["exact", "rounded", "none"]
    computed: str
    follows: bool = False
    why: str = ""
    instances: str = ""


class Row(NamedTuple):
    """One line of the audit.

    Attributes:
        id: the claim's name.
        section: of Hsu14.
        claim: what the paper claims, in words.
        printed: as the paper prints it.
        computed: what is computed.
        status: "confirmed"; "rounded"; "misprint", an error without consequences; or
            "wrong", where the conclusion or the point fails.
        why: how it was computed, or what the error is.
        exact: what the exact analysis says instead of the paper's bounds, where it applies.
    """

    id: str
    section: str
    claim: str
    printed: str
    computed: str
    status: Status
    why: str
    exact: str


class Claim(NamedTuple):
    """A claim and its check; see `Row`."""

    id: str
    section: str
    claim: str
    printed: str
    check: Callable[[], Finding]
    exactly: Callable[[], str] | None = None

    def judged(self) -> tuple[Finding, Status]:
        finding = self.check()
        if finding.agreement == "none":
            return finding, "misprint" if finding.follows else "wrong"
        return finding, "confirmed" if finding.agreement == "exact" else "rounded"

    def row(self) -> Row:
        """Run the check, and the exact analysis beside it."""
        finding, status = self.judged()
        exact = self.exactly() if self.exactly else ""
        seen = f"instances: {finding.instances}" if finding.instances else ""
        why = "; ".join(filter(None, (finding.why, seen)))
        return Row(*self[:4], finding.computed, status, why, exact)


def claim(
    section: str, words: str, printed: str, exactly: Callable[[], str] | None = None
) -> Callable[[Callable[[], Finding]], Claim]:
    """A decorator that makes a check a claim."""

    def build(check: Callable[[], Finding]) -> Claim:
        return Claim(check.__name__.replace("_", "-"), section, words, printed, check, exactly)

    return build


def number(
    computed: float, printed: float, digits: int, follows: bool = False, why: str = ""
) -> Finding:
    """The finding for a number, compared with the printed one to `digits` significant digits."""
    agreement: Literal["exact", "rounded", "none"] = "none"
    if math.isclose(computed, printed, rel_tol=1e-12):
        agreement = "exact"
    elif float(f"{computed:.{digits - 1}e}") == printed:
        agreement = "rounded"
    return Finding(agreement, shown(computed), follows, why)


def logical(
    holds: bool, computed: str, follows: bool = False, why: str = "", instances: str = ""
) -> Finding:
    """The finding for a claim that is true or not; `instances` as in `Finding`."""
    return Finding("exact" if holds else "none", computed, follows, why, instances)


def shown(x: float) -> str:
    """A computed number in words: six digits, whole from a million on."""
    return f"{x:,.6g}" if abs(x) < 1e6 else f"{x:,.0f}"


def written(formula: "sympy.Expr") -> str:
    """A formula on one line, in the paper's notation."""
    signs = {"**2": "²", "**3": "³", "*": "·", "log": "ln", "alpha": "α", "phi": "φ", "rho": "ρ"}
    text = str(formula)
    for name, sign in signs.items():
        text = text.replace(name, sign)
    return text
