"""Gaussian noise of any number of people: what money leaves of N·ε and N·δ is too little."""

import math
import random

import mpmath
import pytest

import planner
from planner.certificate import check, check_counts
from planner.certificate.check import ENDLESS

GAUSSIAN = ("mechanism.kind = gaussian-mean",)


def spent(deviation: float, epsilon: float) -> mpmath.mpf:
    """The δ of Gaussian noise on a count at ε (Balle and Wang 2018, Theorem 8)."""
    with mpmath.workdps(60):
        s, e = mpmath.mpf(deviation), mpmath.mpf(epsilon)
        up, down = 1 / (2 * s) - e * s, -1 / (2 * s) - e * s
        return mpmath.ncdf(up) - mpmath.exp(e) * mpmath.ncdf(down)


def drawn(rng: random.Random) -> tuple[tuple[str, ...], check.Study, check.Box]:
    """A study with a budget, and a box of sizes from some on with a range of N·ε."""
    base, worst = rng.choice([0.5, 10.0]), 10 ** rng.uniform(1, 6)
    error, failure = rng.choice([0.02, 0.1, 0.4]), rng.choice([0.01, 0.1, 0.3])
    quantile = float(mpmath.sqrt(2) * mpmath.erfinv(1 - failure))
    # about what N·ε costs where half of N/σ is paid by it
    budget = base * 2 * quantile / error * 10 ** rng.uniform(-1.5, 0.7)
    lines = (
        f"target.error = {error}", f"target.failure = {failure}", *GAUSSIAN,
        f"individual.base_cost = {base}", f"individual.worst_cost = {worst:.6f}",
        f"conditions.budget = {budget:.6f}",
    )  # fmt: skip
    study = check_counts.Count(check.keys_of(lines))
    least = round(10 ** rng.uniform(1, 7))
    low = study.budget / study.base_cost * rng.randrange(4) / 4
    signal = (low, low + study.budget / study.base_cost / 4)
    return lines, study, study.box._replace(people=(least, ENDLESS), signal=signal)


@pytest.mark.slow
def test_what_the_rule_excludes_is_inaccurate_at_every_size() -> None:
    rng, excluded, left = random.Random(64), 0, 0
    for _ in range(150):
        _, study, box = drawn(rng)
        if not check_counts.noise_alone(study, box):
            left += 1
            continue
        excluded += 1
        for _ in range(6):
            n = round(box.people[0] * 10 ** rng.uniform(0, rng.choice([0.01, 4])))
            epsilon = float(box.signal[0] + (box.signal[1] - box.signal[0])) * rng.random() / n
            epsilon = max(epsilon, float(box.signal[0]) / n)
            paid = n * math.expm1(epsilon) * float(study.base_cost)
            delta = (float(study.budget) - paid) / n / float(study.worst_cost)
            if delta <= 0:
                continue
            # the largest noise that is off seldom enough would need more δ than is paid for
            deviation = (
                n
                * float(study.error)
                / float(mpmath.sqrt(2) * mpmath.erfinv(1 - float(study.failure)))
            )
            assert spent(deviation, epsilon) > delta * (1 - 1e-9), (study, box, n, epsilon)
    assert excluded > 30
    assert left > 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "conditions"),
    [
        ({"base_cost": 12.5, "worst_cost": 100.0}, []),
        ({"base_cost": 12.5, "worst_cost": 1e9}, [planner.DeltaTimesNAtMost(0.1)]),
        ({"base_cost": 3.0, "worst_cost": 500.0, "family": 3}, []),
        ({"base_cost": 3.0, "worst_cost": 50.0, "capped": True}, []),
    ],
)
def test_too_little_money_is_proved_whatever_the_number_of_people(given, conditions) -> None:
    def solved(money: float):
        limits = [planner.Budget(money), *conditions]
        individual = planner.Individual(**given)
        target = planner.Accuracy(0.06, 0.08)
        return planner.solve(planner.Study(planner.GaussianMean(), target, individual, limits))

    least = solved(1e9).least_cost
    for part in (1e-4, 0.1, 0.8, 0.97):
        answer = solved(least * part)
        assert (answer.verdict, answer.proof.checked) == ("infeasible", True), part
    assert solved(least * 1.02).verdict == "feasible"


@pytest.mark.slow
def test_a_check_that_would_take_too_long_is_no_proof(monkeypatch) -> None:
    study = planner.Study(
        planner.GaussianMean(), planner.Accuracy(0.05, 0.05), planner.Individual(12.5, 100.0),
        [planner.Budget(500.0), planner.MaxParticipants(3_000)],
    )  # fmt: skip
    assert planner.solve(study).verdict == "infeasible"
    monkeypatch.setattr(check, "MOST_TERMS", 2_000)
    assert planner.solve(study).verdict == "undecided"
