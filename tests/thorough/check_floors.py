"""Floors and failure probabilities are the oracle's, and agree with each other."""

import math
from collections.abc import Iterator

from planner.answer.problem.problem import problem_of
from tests.thorough import oracle
from tests.thorough.case import Case
from tests.thorough.differences import ROUNDED, Difference, guarded, mechanism, study

FAR = 1000.0
"""An ε beyond this is good for nothing, and whether it is found is not judged."""
FINE = 1e4
"""With so little noise the oracle's grid of means passes over the worst one, 1/ε from an edge."""


def floors(case: Case, n: int) -> list[Difference]:
    """The floor is finite where some ε on a fine grid passes, and is the oracle's; it passes."""
    found: list[Difference] = []
    delta = case.fixed_delta
    said = guarded(
        "epsilon_floor",
        case,
        lambda: _least_epsilon(case, n, delta),
        found,
    )
    if said is None:
        return found
    easy, hard = oracle.floor_between(case, n)
    here = f"N={n}: epsilon_floor {said!r}, true {easy!r} … {hard!r}"
    if math.isinf(said) and hard < FAR:
        found.append(Difference("floor is ∞ though some ε passes", case, here))
    elif math.isfinite(said) and math.isinf(easy):
        found.append(Difference("floor is finite though no ε passes", case, here))
    elif math.isfinite(said) and said < easy * (1 - ROUNDED):
        found.append(Difference("floor is too low", case, here))
    elif math.isfinite(hard) and hard < FAR and said > hard * (1 + ROUNDED):
        found.append(Difference("floor is too high", case, here))
    if math.isfinite(said) and said > 0:
        found.extend(_failure(case, said, n, at_floor=True))
    return found


def failures(case: Case, epsilon: float, n: int) -> list[Difference]:
    """The failure probability is the oracle's."""
    return list(_failure(case, epsilon, n, at_floor=False))


def _least_epsilon(case: Case, n: int, delta: float) -> float:
    if case.drawn_from:
        return float(problem_of(study(case)).goals[0].floor.epsilon(n, delta))
    return float(mechanism(case).epsilon_floor(n, case.error, case.failure, delta))


def _failure_probability(case: Case, epsilon: float, n: int) -> float:
    delta = case.fixed_delta
    if case.drawn_from:
        return float(problem_of(study(case)).goals[0].floor.achieved(epsilon, n, delta))
    return float(mechanism(case).failure_probability(epsilon, n, case.error, delta))


def _failure(case: Case, epsilon: float, n: int, at_floor: bool) -> Iterator[Difference]:
    found: list[Difference] = []
    said = guarded(
        "failure_probability",
        case,
        lambda: _failure_probability(case, epsilon, n),
        found,
    )
    yield from found
    if said is None:
        return
    true = oracle.failure_probability(case, epsilon, n)
    here = f"N={n} ε={epsilon!r}: failure_probability {said!r}, true {true!r}"
    from_above = {"laplace": 2e-6, "geometric": 2e-5, "gaussian": 2e-5}.get(case.mechanism, 1e-8)
    if case.mechanism == "gaussian" and true < 1e-9:
        from_above = 1.0  # there it is only promised from above
    missed = oracle.SUMS_CLOSE if case.exact else 1e-8
    if said < true * (1 - missed - oracle.blurred(epsilon, n)) - 1e-300:
        yield Difference("failure_probability is too low", case, here)
    elif epsilon < FINE and said > true * (1 + from_above) + 1e-300:
        yield Difference("failure_probability is too high", case, here)
    if at_floor and said > case.failure * (1 + 1e-9):
        yield Difference("failure_probability at the floor is over α", case, here)
