"""Hsu14 §2 to §4: privacy, bad events and the individual."""

import math
import random
from fractions import Fraction

from planner.audit.claim import Finding, claim, logical, number, written
from planner.explanation.constraints import symbol
from planner.libraries import sympy
from planner.model import Individual
from planner.model.paid_by_cost import PaidByCost

TRIALS = 300  # a bound that one pair in 100 breaks would pass with probability 0.99^300 < 0.05


def random_pair(rng: random.Random, outputs: int = 6) -> tuple[list[float], list[float]]:
    """Two random distributions over a few outputs: a mechanism on two neighbouring databases."""

    def distribution() -> list[float]:
        weights = [rng.random() + 1e-3 for _ in range(outputs)]
        return [w / sum(weights) for w in weights]

    return distribution(), distribution()


def expected(chances: list[float], costs: list[float]) -> float:
    """The expected cost."""
    return sum(c * f for c, f in zip(chances, costs, strict=True))


@claim("2.1", "Laplace noise of scale c/ε makes a c-sensitive answer ε-private (Theorem 2)", "ε")
def laplace_is_private() -> Finding:
    # in units of c and ε the log ratio of two densities is |x − 1| − |x|, linear between 0 and 1
    worst = max(abs(x - 1) - abs(x) for x in (-1, 0, 1, 2))
    return logical(worst == 1, f"{worst} ε", why="largest log ratio of the two densities")


@claim("2.1", "a proportion of N records changes by at most this with one record", "1/N")
def sensitivity() -> Finding:
    n = 7
    changes = [abs(Fraction(k + 1, n) - Fraction(k, n)) for k in range(n)]
    return logical(max(changes) == Fraction(1, n), f"{max(changes)}", instances=f"N = {n}")


@claim("2.2", "k ε-private mechanisms compose to this level of privacy", "kε")
def composition() -> Finding:
    k, epsilon = 3, 0.4
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))  # randomized response, the worst mechanism
    most = max(
        math.log(keep**j * (1 - keep) ** (k - j)) - math.log((1 - keep) ** j * keep ** (k - j))
        for j in range(k + 1)
    )
    return logical(
        math.isclose(most, k * epsilon),
        f"{most / epsilon:.6g} ε",
        instances=f"k = {k}, ε = {epsilon}",
    )


@claim("3.1", "taking part changes an expected cost by at most this factor (eq. 3)", "e^ε")
def expected_cost() -> Finding:
    rng, worst = random.Random(3), -math.inf
    for _ in range(TRIALS):
        with_me, without_me = random_pair(rng)
        epsilon = max(abs(math.log(p / q)) for p, q in zip(with_me, without_me, strict=True))
        costs = [rng.random() for _ in with_me]
        change = abs(math.log(expected(with_me, costs) / expected(without_me, costs)))
        worst = max(worst, change - epsilon)
    return logical(
        worst <= 1e-12,
        "within e^ε" if worst <= 1e-12 else "more than e^ε",
        why="the proof is in the paper",
        instances=f"{TRIALS} random mechanisms and costs",
    )


@claim("3.2", "ε = 0.1 raises a probability by this fraction", "10 %")
def ten_percent() -> Finding:
    return number(100 * math.expm1(0.1), 10, 1, why="e^0.1 − 1, in percent")


@claim("4.2", "each participant is owed this (Definition 4)", "(e^ε − 1)E")
def compensation() -> Finding:

    epsilon, base_cost = symbol("epsilon"), symbol("E")
    owed = PaidByCost(base_cost, None).compensation(epsilon, 0)
    rise = sympy.exp(epsilon) * base_cost - base_cost
    same = sympy.simplify(owed - rise) == 0
    return logical(same, "(e^ε − 1)E" if same else written(owed), why="e^ε·E less E")


@claim("9.2", "the harm grows without bound with ε, although W bounds it", "(e^ε − 1)E")
def large_epsilon() -> Finding:
    plain, capped = Individual(1.0, 100.0), Individual(1.0, 100.0, capped=True)
    passes = plain.compensation(20.0) > 100.0 >= capped.compensation(20.0)
    return logical(passes, f"{plain.compensation(20.0):.3g}", instances="E = 1, W = 100, ε = 20")
