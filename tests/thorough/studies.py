"""Random studies: plain, extreme, degenerate and round ones, and those near the edge."""

import math
from dataclasses import replace

import numpy as np

from tests.thorough import oracle, oracle_money as money
from tests.thorough.case import APPROXIMATE, EXACT, Case
from tests.thorough.oracle_exact import decimal

Rng = np.random.Generator
_MECHANISMS = {
    "paper": 0.18, "hoeffding": 0.2, "drawn": 0.04, "laplace": 0.11, "geometric": 0.08,
    "gaussian": 0.03, "coins": 0.05, "reports": 0.03, "mwem": 0.14, "mwem-approximate": 0.14,
}  # fmt: skip
_ROUND_ERRORS = (0.1, 0.2, 0.25, 0.4, 0.5, 0.6)
_RANGES = (
    (0.0, 0.0), (0.0, 0.1), (0.2, 0.2), (0.1, 0.3), (0.5, 0.5), (0.3, 0.3), (0.9, 1.0), (1.0, 1.0),
    (0.25, 0.75), (0.4, 0.9), (1e-6, 0.002),
)  # fmt: skip


def draw(rng: Rng, mechanism: str | None = None) -> Case:
    """One study."""
    kind = mechanism or str(rng.choice(list(_MECHANISMS), p=list(_MECHANISMS.values())))
    drawn, kind = kind == "drawn", _noise(rng) if kind == "drawn" else kind
    case = _target(rng, Case(kind, error=0.1, failure=0.05, people=_people(rng, kind)))
    case = _individual(rng, case)
    if drawn:
        case = _drawn(rng, case)
    return _conditions(rng, _costs(rng, case))


def _noise(rng: Rng) -> str:
    return str(rng.choice(["laplace", "geometric", "gaussian"], p=[0.5, 0.3, 0.2]))


def _drawn(rng: Rng, case: Case) -> Case:
    """From a population in which some share lies in the range; often a census is possible."""
    drawn_from = case.people + int(rng.integers(0, rng.choice([1, 5, 2 * case.people + 2])))
    low, high = (drawn_from * decimal(mean) for mean in case.mean_range)
    if math.ceil(low) > math.floor(high):
        case = replace(case, mean_range=(0.0, 1.0))
    return replace(case, drawn_from=drawn_from)


def _rounded(rng: Rng, value: float) -> float:
    """As people write numbers, mostly: to one to three digits, or as it is."""
    digits = int(rng.choice([1, 2, 3, 17]))
    return float(f"{value:.{digits}g}")


def _between(rng: Rng, low: float, high: float) -> float:
    """Even in the logarithm."""
    return _rounded(rng, float(np.exp(rng.uniform(np.log(low), np.log(high)))))


def _people(rng: Rng, kind: str) -> int:
    if kind in EXACT:
        most = {"gaussian": [8, 12, 20]}.get(kind, [6, 12, 24, 60])
        chances = [0.5, 0.35, 0.15] if kind == "gaussian" else [0.3, 0.45, 0.2, 0.05]
        return int(rng.integers(1, rng.choice(most, p=chances) + 1))
    if rng.random() < 0.25:
        return int(rng.integers(1, 21))
    return round(_between(rng, 20, 2000))


def _target(rng: Rng, case: Case) -> Case:
    failure = _rounded(rng, float(rng.choice([rng.uniform(0.001, 0.5), _between(rng, 1e-4, 0.3)])))
    style = rng.random()
    if style < 0.15:
        extremes = [1e-12, 1e-9, 1e-6, 0.5, 0.9, 0.99, 0.999]
        failure = float(rng.choice([*extremes, _between(rng, 1e-12, 0.5)]))
    if case.mechanism in ("mwem", "mwem-approximate"):
        case = replace(
            case,
            universe_size=int(rng.choice([2, 3, 100, 2**15, 2**40])),
            queries=int(rng.choice([1, 2, 50, 10_000])),
            constant=str(rng.choice(["derived", "printed"])),
        )
        error = min(1.0, _between(rng, 0.3, 2.0))
    elif case.mechanism in EXACT:
        error = float(rng.choice(_ROUND_ERRORS))
        if rng.random() < 0.5:
            # about what a sample of this size can be right to
            error = min(1.0, _between(rng, 0.5, 3.0) / case.people**0.5)
        if rng.random() < 0.5:
            case = replace(case, mean_range=_range(rng))
    else:
        wide = 12 if case.mechanism == "paper" else 0.5
        needed = (wide * np.log(2 / failure) / case.people) ** 0.5
        error = min(1.0, _rounded(rng, float(needed * rng.uniform(0.9, 3.0))))
    if rng.random() < (0.05 if case.exact else 0.1):
        error = float(rng.choice([1.0, 0.999999, 1e-6, min(1.0, _between(rng, 1e-6, 1.0))]))
    return replace(case, error=max(error, 1e-6), failure=failure)


def _range(rng: Rng) -> tuple[float, float]:
    if rng.random() < 0.7:
        return _RANGES[int(rng.integers(len(_RANGES)))]
    low, high = sorted(_rounded(rng, float(x)) for x in rng.uniform(0, 1, 2))
    return (low, min(high, 1.0))


def _individual(rng: Rng, case: Case) -> Case:
    style = rng.random()
    base = _between(rng, 1e-2, 1e3)
    if style < 0.25:
        base = float(rng.choice([0.0, 1e-9, 1e12, _between(rng, 1e-9, 1e12)]))
    worst = base * float(rng.choice([1.0, 1.0 + rng.random(), _between(rng, 1, 1e6)]))
    worst = max(base, _rounded(rng, worst)) or float(rng.choice([0.0, 10.0]))
    case = replace(case, base_cost=base, worst_cost=worst)
    if rng.random() < 0.25:
        case = replace(case, capped=True)
    if base and rng.random() < 0.2:
        case = replace(
            case, family=int(rng.choice([2, 3, 5, 100, 1000], p=[0.4, 0.2, 0.2, 0.1, 0.1]))
        )
    if not case.capped and case.mechanism not in APPROXIMATE and rng.random() < 0.3:
        case = replace(case, worst_cost=None)
    return case


def _costs(rng: Rng, case: Case) -> Case:
    if rng.random() < 0.4:
        case = replace(case, per_person=_between(rng, 1e-3, 1e3))
    if rng.random() < 0.2:
        case = replace(case, overhead=_between(rng, 1e-2, 1e5))
    if rng.random() < 0.2:
        case = replace(case, incentive=_between(rng, 1e-3, 1e3))
    return case


def _conditions(rng: Rng, case: Case) -> Case:
    if case.mechanism in APPROXIMATE or (case.worst_cost and rng.random() < 0.15):
        options = [0.1, 0.01, 1e-3, 1e-6, 1e-9]
        if case.mechanism not in APPROXIMATE:
            options.append(0.0)
        case = replace(case, delta=float(rng.choice(options)))
    if rng.random() < 0.15:
        case = replace(case, one_over_n=True)
    if rng.random() < 0.1:
        size = int(rng.choice([2, 10, 8000, 2**40]))
        case = replace(case, targeted=(_rounded(rng, float(rng.uniform(1.1 / size, 0.999))), size))
        if not case.targeted[0] * size > 1.0001 or not case.targeted[0] < 1:
            case = replace(case, targeted=None)
    if rng.random() < 0.15:
        most = case.drawn_from or case.people + 1
        case = replace(case, at_least=int(rng.integers(1, min(case.people + 1, most) + 1)))
    return _near_the_edge(rng, case)


def _near_the_edge(rng: Rng, case: Case) -> Case:
    """Ceilings near where the study becomes impossible, one after another."""
    for _ in range(int(rng.choice([0, 1, 2], p=[0.1, 0.6, 0.3]))):
        edge = oracle.truth(case)
        if edge.verdict != "feasible":
            break
        kind = str(rng.choice(["budget", "harm", "epsilon"], p=[0.6, 0.2, 0.2]))
        step = float(rng.choice([-1, 1])) * 10 ** -float(rng.integers(1, 10))
        if rng.random() < 0.25:
            step = float(rng.uniform(-0.5, 3.0))
        if kind == "budget":
            at = edge.cost[1]
            case = replace(case, budget=_money(rng, at * (1 + step)))
        else:
            epsilon = edge.epsilon[1]
            if epsilon < 1e-9:  # where δ alone allows the noise, ε is a convention
                break
            if kind == "epsilon":
                case = replace(case, epsilon_at_most=_money(rng, epsilon * (1 + step)))
            else:
                owed = float(money.compensation(case, np.float64(epsilon), case.fixed_delta))
                case = replace(case, harm=_money(rng, owed * (1 + step)))
    return case


def _money(rng: Rng, value: float) -> float | None:
    value = _rounded(rng, value) if rng.random() < 0.3 else value
    return value if 1e-300 < value < 1e300 else None
