"""A proportion without a curator: each person randomises their own answer (Warner 1965).

The truth is reported with probability p = e^ε/(1 + e^ε), the opposite with q = 1 − p. The
proportion of reports has the mean λ = q + μ(p − q), p − q = tanh(ε/2), and (Y/N − q)/(p − q)
estimates μ. It is off by T or more only if the proportion of reports is off by T(p − q), so by
Hoeffding's inequality

    f ≤ 2·exp(−2NT²·tanh²(ε/2)),   ε(N) = 2·artanh(√(c/N)),   c = ln(2/α)/(2T²).

ε falls with N, but N·ε(N) grows as 2√(cN): there is a best number of people even where only
compensation is paid. It then costs N(e^ε − 1)E = 2E√c·u²/(u − √c) with u = √N, as e^ε is
(u + √c)/(u − √c); that is convex in u, and least at u = 2√c: at N = 4c, p = 3/4 and ε = ln 3,
whatever T, α and E are, for 8cE. Money for each person adds a term in u², which keeps it convex.
"""

from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Literal

from planner import numbers
from planner.checked import dataclass
from planner.checks import MeanRange, in_range
from planner.libraries import np, sympy
from planner.mechanisms import exact, reports
from planner.mechanisms.floor import QuestionFloor
from planner.mechanisms.mechanism import Mechanism, MechanismFloor
from planner.mechanisms.reports import card
from planner.mechanisms.reports.card import Asked
from planner.mechanisms.sample import Sample
from planner.numbers import Number

_HALF = 0.5  # with up to this α the counts that are right lie about the mean


@dataclass
class RandomizedResponse(Mechanism):
    """A proportion estimated from answers that people randomise, so that nobody is trusted.

    The error is relative to the population, so it includes the sampling error. Numbers in a range
    are rounded to 0 or 1 at random, with their distance from the ends, and then reported.

    Attributes:
        analysis: how the failure probability is computed. "exact" is the true one, at the worst
            proportion, of a card with a decimal p (see `reports.card`); "hoeffding" is a bound.
        mean_range: the population proportions at which the answer must be accurate [in [0, 1]];
            where it leaves 1/2 out, the least ε of the exact analysis may lie a per cent too high.
        values: of records: "zero-one" for a proportion, "any" for numbers from 0 to 1; None is
            "any" where the study's target has a range of values, else "zero-one". Only people
            drawn from a finite population make a difference (see `floor_of_sample`).
    """

    kind: ClassVar[str] = "randomized-response"
    runs: ClassVar = "reports"
    summary: ClassVar[str] = "a proportion without a curator: each randomises their own answer"
    domain: ClassVar[str] = "N ≥ 1, ε > 0, 0 < T ≤ 1; ε-private"
    monotone: ClassVar[str] = (
        "the bound falls with ε, N and T; the exact failure probability falls with T, and "
        "saw-tooths in N and, in small studies, in ε"
    )
    convexity: ClassVar[str] = "N·ε grows as √N; the cost is convex in √N by the bound"
    trusted: ClassVar[bool] = False

    analysis: Literal["exact", "hoeffding"] = "exact"
    mean_range: MeanRange = (0.0, 1.0)
    values: Literal["zero-one", "any"] | None = None

    def given_values(self) -> "RandomizedResponse":
        return replace(self, values="any") if self.values is None else self

    @property
    def sampled(self) -> bool:
        return True

    @property
    def any_values(self) -> bool:
        return True

    @property
    def exactly(self) -> "RandomizedResponse | None":
        return None if self.analysis == "exact" else replace(self, analysis="exact")

    @property
    def n_epsilon_grows(self) -> bool:
        return True

    @property
    def saw_toothed(self) -> bool:
        return self.analysis == "exact"

    @in_range
    def failure_probability(
        self, epsilon: Number, participants: Number, error: Number, delta: Number = 0.0
    ) -> Number:
        if self.analysis == "exact":
            return _exact_failure(epsilon, participants, error, self.mean_range)
        system = numbers.of(epsilon, participants, error)
        bound = 2 * system.exp(-2 * participants * (error * card.strength(epsilon)) ** 2)
        return system.minimum(bound, system.number(1.0))

    @in_range
    def epsilon_floor(
        self, participants: Number, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        if self.analysis == "exact":
            return _exact_floor(participants, error, failure, self.mean_range)
        system = numbers.of(participants, error, failure)
        needed = system.sqrt(_people(error, failure) / participants)
        return card.epsilon_of_strength(system.minimum(needed, system.number(1.0)))

    def n_epsilon_floor(self, error: Number, failure: Number, delta: Number = 0.0) -> Number:
        """N·ε is over 2√(cN), and N over c: at least 2c = ln(2/α)/T²."""
        return 2 * _people(error, failure)

    def n_epsilon_floor_from(
        self, participants: int, error: Number, failure: Number, delta: Number = 0.0
    ) -> Number:
        system = numbers.of(error, failure)
        people = _people(error, failure)
        return 2 * system.sqrt(people * system.maximum(people, system.number(participants)))

    def card(self, epsilon: float, participants: int, error: float, failure: float) -> Fraction:
        """The p that is printed for a plan: by the bound, with the digits that accuracy needs."""
        truth = card.truthful(epsilon)
        if self.analysis == "exact":
            return truth

        number = numbers.balls().number
        for digits in range(card.DIGITS, card.MOST_DIGITS):
            truth = card.truthful(epsilon, digits)
            tau = number(error) * exact.rational(2 * truth - 1)
            if 2 * numbers.balls().exp(-2 * participants * tau**2) <= number(failure):
                break
        return truth

    def convex(self, failure: float) -> bool:
        return False

    def floor(self, error: Number, failure: Number) -> MechanismFloor:
        if self.analysis == "exact":
            return reports.ReportsFloor(self, error, failure, self.mean_range)
        return MechanismFloor(self, error, failure)

    def floor_of_sample(self, error: float, failure: float, sample: Sample) -> QuestionFloor:
        """As for a population without end, which is safe for people drawn from a finite one.

        With λᵢ
        the chance of a report 1 from person i, the number of reports 1 has the generating function
        e_N(1 + λᵢ(z − 1))/C(M, N), e_N the elementary symmetric polynomial, which is stable, so
        that all its roots are real: it is a sum of independent zero-one values, and of all those
        with its mean the binomial one is the least likely to lie between two counts about the mean
        (Hoeffding 1956, Theorem 5). Where the right counts do not lie about the mean of the reports
        there is one right count, as it is within one of the mean. Where that is 0 or N, there is a
        mean a count nearer to the middle with one right count as well. But no count between 0 and N
        has a chance over 1/2, so for α ≤ 1/2 such a study is not allowed at every mean. For larger
        α, or where not all means are asked of, Hoeffding's inequality is used.
        """
        sample.refuse_deviation()
        if not sample._replace(population=None).simple:
            raise ValueError(
                "without a curator people are drawn one by one; leave clusters_of and "
                'design_effect out, or give kind = "laplace-mean"'
            )
        certain = failure <= _HALF and self.mean_range == (0.0, 1.0)
        if sample.population is None or certain:
            return self.floor(error, failure)
        return replace(self, analysis="hoeffding").floor(error, failure)

    @property
    def words(self) -> str:
        return f"{self.kind} ({self.analysis})"

    @property
    def variant(self) -> str:
        return self.analysis

    @classmethod
    def formulas(cls) -> dict[str, "sympy.Expr"]:
        n, t, epsilon = sympy.symbols("N T epsilon", positive=True)
        bound = 2 * sympy.exp(-2 * n * t**2 * sympy.tanh(epsilon / 2) ** 2)
        exact = sympy.Symbol("max over μ of Pr[|Y/N − λ| ≥ T(p − q)], Y ~ Binomial(N, λ)")
        return {"exact": exact, "hoeffding": bound}


def _people(error: Number, failure: Number) -> Number:
    """N·(p − q)² by Hoeffding's bound: c = ln(2/α)/(2T²)."""
    system = numbers.of(error, failure)
    return system.log(2 / system.number(failure)) / (2 * error**2)


def _exact_failure(
    epsilon: Number, participants: Number, error: Number, mean_range: tuple[float, float]
) -> Number:
    """The failure probability of the card; numbers or arrays, which broadcast."""
    if numbers.of(epsilon, participants, error) is numbers.FRACTIONS:
        raise numbers.Inexact

    exact.refuse_parts_of_people(participants)

    def failure(e: float, n: float, t: float) -> float:
        return reports.failure_at(int(n), card.truthful(float(e)), float(t), mean_range)

    failures = np.vectorize(failure, otypes=[float])(epsilon, participants, error)
    return float(failures) if np.ndim(failures) == 0 else failures


def _exact_floor(
    participants: Number, error: Number, failure: Number, mean_range: tuple[float, float]
) -> Number:
    """The least ε of a card; numbers or arrays, which broadcast."""
    exact.refuse_parts_of_people(participants)

    def least(n: float, t: float, a: float) -> float:
        return reports.least_epsilon(int(n), Asked(float(t), float(a), mean_range))

    floors = np.vectorize(least, otypes=[float])(participants, error, failure)
    return float(floors) if np.ndim(floors) == 0 else floors
