"""One answer for all people of strata beside the same without privacy and without a curator."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import planner
from planner.answer.strata.plans import plans_of
from planner.comparison.strata import allocations, compare
from planner.comparison.sum_of_strata import without_privacy
from planner.model.strata import Stratum

STRATA = [
    Stratum("City", share=0.5),
    Stratum("Coast", share=0.3, per_person=15.0),
    Stratum("Hills", share=0.2, base_cost=40.0),
]
SHARES, RECRUITED, FEARED = (
    np.array(x) for x in ([0.5, 0.3, 0.2], [5.0, 15.0, 5.0], [12.5, 12.5, 40.0])
)
ROOM = 0.1**2 / (4 * math.log(2 / 0.1))
"""How much Σ W²/(8n) may be, by Hoeffding's lemma."""


def study(total=None, strata=STRATA, error=0.1):
    return planner.Study(
        planner.LaplaceMean("hoeffding"), planner.Accuracy(error, 0.1),
        planner.Individual(12.5, 1274.0), (planner.Budget(1e5),),
        planner.Costs(per_person=5.0, overhead=100.0), strata=strata, total=total,
    )  # fmt: skip


@pytest.fixture(scope="module", params=["one-noise", "sum"])
def compared(request):
    return compare(planner.solve(study(request.param)))


def test_without_privacy_it_is_neymans_allocation(compared) -> None:
    """Sizes in proportion to W/√c are best, and then cost (Σ W√c)²/(8V)."""
    each = RECRUITED + 0.002 * 1274.0
    least = np.sum(SHARES * np.sqrt(each)) ** 2 / (8 * ROOM) + 100.0
    assert least <= compared.cost.least == compared.cost.most <= least + np.sum(each)
    sizes = SHARES / np.sqrt(each) * np.sum(SHARES * np.sqrt(each)) / (8 * ROOM)
    assert compared.participants.most == np.sum(np.ceil(sizes - 1e-6))
    assert compared.verdict == "non-private"
    assert compared.cost.most < compared.private.cost


def test_without_a_curator_each_has_the_best_epsilon(compared) -> None:
    total = 0.0
    for weight, asked, fear in zip(SHARES, RECRUITED, FEARED, strict=True):

        def at(epsilon, asked=asked, fear=fear):
            return math.sqrt(asked + fear * math.expm1(epsilon)) / math.tanh(epsilon / 2)

        total += weight * minimize_scalar(at, bounds=(0.01, 5), method="bounded").fun
    least = total**2 / (8 * ROOM) + 100.0
    assert least <= compared.no_curator <= least * 1.01


def test_other_allocations_are_the_cheapest_of_their_proportions(compared) -> None:
    optimal, proportional, equal = allocations(compared.private)
    assert optimal.cost == compared.private.cost
    for one, shares in ((proportional, SHARES), (equal, np.full(3, 1 / 3))):
        assert np.array(one.participants) / sum(one.participants) == pytest.approx(shares, abs=0.01)
        assert one.cost >= optimal.cost * 0.999
    if compared.private.way == "sum":
        return
    best = math.inf  # with one noise all follows from the sizes: its largest scale, by a grid of λ
    grid = np.linspace(1.0, 400.0, 4_000)
    for people in range(150, 700, 3):
        used = np.sum(SHARES**2 / (8 * people * SHARES))
        left = -grid * 0.1 + grid**2 * used - math.log(0.05)  # at most ln(1 − λ²b²)
        squares = np.where(left < 0, -np.expm1(np.minimum(left, 0.0)) / grid**2, 0.0)
        scale = math.sqrt(squares.max())
        if scale:
            sizes = people * SHARES
            owed = FEARED * np.expm1(SHARES / (sizes * scale))
            best = min(best, float(np.sum(sizes * (RECRUITED + owed))) + 100.0)
    assert proportional.cost == pytest.approx(best, rel=0.01)


def test_a_census_without_privacy_stays_within_its_people() -> None:
    strata = [Stratum("A", people=300), Stratum("B", people=30_000)]
    plan = planner.solve(study("one-noise", strata))
    people, cost = without_privacy(plan, 0.002, [1.0, 1.0])
    best = math.inf
    samples = [one.study.sampling.sample for one in plans_of(plan)]
    for first in range(1, 301):
        left = ROOM - (300 / 30_300) ** 2 / (8 * float(samples[0].people(first)))
        if left > 0:
            need = (30_000 / 30_300) ** 2 / (8 * left)
            second = next(n for n in range(1, 2_000) if float(samples[1].people(n)) >= need)
            best = min(best, first + second)
    assert people <= best + 1
    assert cost == pytest.approx(100 + people * (5 + 0.002 * 1274))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["sum", "both"])
def test_beside_answers_of_the_strata_both_errors_count(way) -> None:
    strata = [replace(one, error=0.2) for one in STRATA]
    plan = planner.solve(replace(study(way, strata, error=0.06), conditions=()))
    found = compare(plan)
    assert found.strata.keys() == {"City", "Coast", "Hills"}
    own = sum(one.participants.least for one in found.strata.values())
    assert own <= found.participants.least <= found.participants.most <= plan.participants
    assert found.cost.most < plan.cost
    for one in found.allocations:
        assert one.cost is None or one.cost >= plan.cost * 0.99


@pytest.mark.slow
def test_a_stricter_total_takes_more_people_without_privacy() -> None:
    strata = [replace(one, error=0.2) for one in STRATA]
    sizes = [
        compare(replace(study("sum", strata, error=error), conditions=())).participants.least
        for error in (0.05, 0.2)
    ]
    assert sizes[0] > 2 * sizes[1]
