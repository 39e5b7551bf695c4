"""The k most popular of m candidates: Naor's private ranking, by noisy scores or by draws.

A candidate's score is the number of people who count for it; S_k is the k-th highest score. A list
of k candidates is right within γ (Naor's γ-useful; here γ = NT people) where it is

    sound:     no candidate in it scores S_k − γ or less;
    complete:  every candidate that scores S_k + γ or more is in it.

Replacing one person changes every score by at most 1.

Either way fails only where some candidate from outside the k best (ties broken in any fixed way)
comes before one from among them that scores at least γ more. For if the list is not sound, it
holds one with S_k − γ or less, and lacks one of the k best, which has S_k or more; if it is not
complete, it lacks one with S_k + γ or more, and holds one from outside, which has S_k or less.

Noisy scores: Laplace noise of scale b on every score, then the k highest in order.
    Privacy. Of all noisy scores: their L1 distance is at most m, or 2h where one person counts
    for at most h candidates (she leaves h and joins h), so b = m/ε or 2h/ε. Of the list alone:
    fix the noise of the others; if all that are listed get noise larger by 1 plus their own score's
    loss, so by at most 2, the same list comes out, as the others' highest rose by at most 1. That
    shift changes the density by at most e^(2k/b), so b = 2k/ε serves too. The least is

        b = min(2h, 2k, m)/ε.

    Bound. For any s + t = γ, Pr[some of the m − k outside has noise ≥ s] ≤ (m − k)e^(−s/b)/2, and
    Pr[some of the k best has noise ≤ −t] ≤ k·e^(−t/b)/2. At the best s their sum is

        β = √(k(m − k))·e^(−γ/(2b)).

Draws: k times the exponential mechanism, each with ε/k, among those not drawn yet.
    Bound. Before each draw one of the k best is left. Of the m − k outside, those that score γ or
    more below the best of these weigh at most e^(−εγ/(2k)) of it; so whatever came before, the draw
    is bad with at most (m − k) times that, and one of the k draws with

        β = k(m − k)·e^(−εγ/(2k)).
"""

from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import model_validator

from planner import numbers
from planner.checked import dataclass
from planner.checks import Allowed, in_range
from planner.libraries import sympy
from planner.mechanisms.mechanism import Mechanism
from planner.numbers import WHOLE_LIMIT, Number, NumberSystem


def _number_of(words: str, least: int) -> Allowed:
    """What a number of candidates can be, in words and as bounds."""
    return Allowed(f"a whole number of candidates {words}", ge=least, le=WHOLE_LIMIT)


Candidates = Annotated[int, _number_of("from 2 to 2^53, such as 100", 2)]
Chosen = Annotated[int, _number_of("of at least 1 and fewer than all, such as 10", 1)]
PerPerson = Annotated[int, _number_of("of at least 1 and at most all, such as 3", 1)]


@dataclass
class TopK(Mechanism):
    """Lists the k most popular candidates, to within the error.

    The error is a part of N: how far a listed candidate may fall below the k-th best, or a missing
    one lie above it.

    Attributes:
        candidates: m, the number of candidates [≥ 2].
        chosen: k, the number of listed candidates [1 to m − 1].
        method: "draws" or "noisy-scores".
        per_person: h, the largest number of candidates for which one person counts [1 to m]; None
            is no limit. It helps noisy scores only.
    """

    kind: ClassVar[str] = "top-k"
    summary: ClassVar[str] = "the k most popular of m candidates, by draws or noisy scores (Naor)"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1; ε-private; the error is a fraction of N"
    monotone: ClassVar[str] = "the failure probability falls with ε, N and T"
    convexity: ClassVar[str] = "convex in (N, N·ε): N·ε ≥ constant"
    # not Naor's k and c: a side condition and a cost have these symbols
    symbols: ClassVar = {"candidates": "m", "chosen": "K", "per_person": "h"}

    candidates: Candidates
    chosen: Chosen
    method: Literal["draws", "noisy-scores"] = "draws"
    per_person: PerPerson | None = None

    @model_validator(mode="after")
    def _among_them(self) -> Self:
        """Refuse more than there are candidates, or a limit that does not help."""
        m = self.candidates
        if self.chosen >= m:
            raise ValueError(
                f"chosen = {self.chosen!r} leaves nothing to choose from {m} candidates; give a "
                f"whole number from 1 to {m - 1}"
            )
        if self.per_person is not None and self.per_person > m:
            raise ValueError(
                f"per_person = {self.per_person!r} is more than the candidates; give a whole "
                f"number from 1 to {m}"
            )
        if self.method == "draws" and self.per_person is not None:
            raise ValueError(
                f"per_person = {self.per_person!r} does not help draws; leave it out, or give "
                'method = "noisy-scores"'
            )
        return self

    @property
    def sampled(self) -> bool:
        """No: it is right about the data themselves."""
        return False

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        """k(m − k)·e^(−εNT/(2k)), or √(k(m − k))·e^(−εNT/(2·min(2h, 2k, m))); over 1 it is none."""
        system = numbers.of(epsilon, participants, error)
        decay = error / _spread(self, system)
        return _pairs(self, system) * system.exp(-epsilon * participants * decay)

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        """The same solved for ε."""
        system = numbers.of(participants, error, failure)
        return self.n_epsilon_floor(error, failure) * system.number(1) / participants

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """N·ε itself: (2k/T)·ln(k(m − k)/α), or (min(2h, 2k, m)/T)·ln(k(m − k)/α²)."""
        system = numbers.of(error, failure)
        return _spread(self, system) * system.log(_pairs(self, system) / failure) / error

    @property
    def variant(self) -> str:
        """The method, and whether a person counts for few."""
        return self.method if self.per_person is None else "noisy-scores, per person"

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        """Both methods in symbols; noisy scores with and without a limit per person."""
        n, t, epsilon = sympy.symbols("N T epsilon", positive=True)
        m, k, h = (sympy.Symbol(name, positive=True) for name in cls.symbols.values())
        formulas = {}
        for variant, method, limit in (
            ("draws", "draws", None),
            ("noisy-scores", "noisy-scores", None),
            ("noisy-scores, per person", "noisy-scores", h),
        ):
            sized: Any = SimpleNamespace(candidates=m, chosen=k, method=method, per_person=limit)
            formulas[variant] = cls.failure_probability(sized, epsilon, n, t)
        return formulas


def noise_scale(
    candidates: Number, chosen: Number, per_person: Number, system: NumberSystem = numbers.FLOATS
) -> Number:
    """The least b·ε of noisy scores, min(2h, 2k, m) [people]; h = None is no limit."""
    number = system.number
    scale = system.minimum(number(2 * chosen), number(candidates))
    return scale if per_person is None else system.minimum(number(2 * per_person), scale)


def _spread(mechanism: TopK, system: NumberSystem) -> Number:
    """What εγ is divided by in the exponent [people]."""
    if mechanism.method == "draws":
        return system.number(2 * mechanism.chosen)
    sizes = mechanism.candidates, mechanism.chosen, mechanism.per_person
    return 2 * noise_scale(*sizes, system)


def _pairs(mechanism: TopK, system: NumberSystem) -> Number:
    """The factor of the exponential: k(m − k), or its root for noisy scores."""
    number, sqrt = system.number, system.sqrt
    root = sqrt(number(mechanism.chosen)) * sqrt(number(mechanism.candidates - mechanism.chosen))
    return root**2 if mechanism.method == "draws" else root
