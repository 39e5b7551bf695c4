"""Strata with one noise more on the answer for all people: no dearer than a grid over all shares.

The oracle gives each stratum whole parts of −ln(1 − α) and of what the samples may take of the
error for all people, at each of many scales of the noise and parts of α for it, and adds up costs.
"""

import math
import os

import numpy as np
import pytest

import planner
from planner.model.strata import Stratum, study_of_stratum, weights

STUDIES = int(os.environ.get("PLANNER_STRATA", "8"))
SEED = int(os.environ.get("PLANNER_SEED", "41"))
SHARES, ROOMS = 16, 24
"""Parts of −ln(1 − α), and of the room for samples, which strata share."""
PARTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9)
"""Of α, for the answer for all people."""
SCALES = np.geomspace(0.02, 0.95, 24)
"""Of its noise, as parts of the largest with which any sample would do."""


def random_study(rng: np.random.Generator) -> planner.Study:
    count, finite = int(rng.integers(2, 6)), bool(rng.integers(2))
    cuts = np.sort(rng.choice(np.arange(1, 20), count - 1, replace=False))
    shares = np.diff([0, *cuts, 20]) / 20
    strata = [
        Stratum(
            f"s{k}",
            people=int(rng.integers(1_000, 50_000)) if finite else None,
            share=None if finite else float(share),
            error=float(rng.choice([0.08, 0.1, 0.15, 0.2])),
            per_person=float(rng.choice([1.0, 5.0, 20.0])) if rng.integers(2) else None,
            base_cost=float(rng.choice([2.0, 12.5, 60.0])) if rng.integers(2) else None,
            max_participants=int(rng.integers(400, 2_000)) if rng.integers(6) == 0 else None,
        )
        for k, share in enumerate(shares)
    ]
    return planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(
            float(rng.choice([0.03, 0.04, 0.05, 0.07])),
            failure=float(rng.choice([0.01, 0.05, 0.2])),
        ),
        planner.Individual(10.0),
        (),
        planner.Costs(per_person=3.0),
        strata=strata,
        total="both",
    )


def room(scale: float, error: float, failure: float) -> float:
    """What the samples may take: the most over a fine grid of λ."""
    moments = np.geomspace(1e-6, 1, 20_001)[:-1] / scale
    left = moments * error - math.log(2 / failure) + np.log1p(-((moments * scale) ** 2))
    return float(np.max(left / moments**2))


def cheapest_on_a_grid(study: planner.Study) -> float:
    """The least cost over all shares on the grids; ∞ where none has a study."""
    whole, error = study.accuracy.failure, study.accuracy.error
    best = math.inf
    rows = [_sizes(study, stratum) for stratum in study.strata]
    for part in PARTS:
        nats = -math.log1p(-whole * (1 - part))
        shares = [-math.expm1(-nats * k / SHARES) for k in range(1, SHARES + 1)]
        floors = [
            [
                study_floor(study, stratum, share, sizes)
                for share in shares
            ]
            for stratum, (sizes, _) in zip(study.strata, rows, strict=True)
        ]  # fmt: skip
        for scale in SCALES * error / math.log(2 / (whole * part)):
            left = room(scale, error, whole * part)
            if left > 0:
                best = min(best, _added(study, rows, floors, scale, left))
    return best


def _sizes(study, stratum) -> tuple[np.ndarray, np.ndarray]:
    one = study_of_stratum(study, stratum, 0.5)
    most = min(stratum.max_participants or 200_000, stratum.people or 200_000)
    sizes = np.unique(np.geomspace(1, most, 1_500).round())
    return sizes, one.sampling.sample.people(sizes)


def study_floor(study, stratum, share: float, sizes: np.ndarray) -> np.ndarray:
    one = study_of_stratum(study, stratum, share)
    target = one.accuracy
    floor = one.mechanism.floor_of_sample(target.error, target.failure, one.sampling.sample)
    return np.asarray(floor.epsilon(sizes, 0.0), float)


def _added(study, rows, floors, scale: float, left: float) -> float:
    """The least sum of costs where strata share α and the room in whole parts."""
    best = np.full((SHARES + 1, ROOMS + 1), np.inf)
    best[0, 0] = 0.0
    each = zip(study.strata, weights(study), rows, floors, strict=True)
    for stratum, weight, (sizes, people), of in each:
        price = study.costs.per_person if stratum.per_person is None else stratum.per_person
        base = study.individual.base_cost if stratum.base_cost is None else stratum.base_cost
        used = float(weight) ** 2 / (8 * people)
        first = [int(np.argmax(used <= left * k / ROOMS)) for k in range(1, ROOMS + 1)]
        enough = [bool(np.any(used <= left * k / ROOMS)) for k in range(1, ROOMS + 1)]
        after = np.full_like(best, np.inf)
        for i, own in enumerate(of, 1):
            with np.errstate(over="ignore"):
                paid = base * np.expm1(own + float(weight) / (sizes * scale))
                total = sizes * (price + paid)
            costs = np.minimum.accumulate(total[::-1])[::-1]
            for j in range(1, ROOMS + 1):
                if enough[j - 1] and costs[first[j - 1]] < np.inf:
                    moved = best[: SHARES + 1 - i, : ROOMS + 1 - j] + costs[first[j - 1]]
                    after[i:, j:] = np.minimum(after[i:, j:], moved)
        best = after
    return float(best.min())


@pytest.mark.parametrize("at", range(STUDIES))
def test_no_shares_on_a_grid_are_cheaper(at: int) -> None:
    study = random_study(np.random.default_rng((SEED, at)))
    grid, answer = cheapest_on_a_grid(study), planner.solve(study)
    if grid < math.inf:
        assert answer.verdict == "feasible"
        assert answer.cost <= grid * 1.005
    if answer.verdict == "feasible":
        assert answer.failure <= study.accuracy.failure
        assert planner.check(answer).holds
