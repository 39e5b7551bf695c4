"""Speed of twenty different strata against one study, and of a thousand by a bound.

Run with `python -m pytest tests/benchmarks`; in each group the number in brackets beside a median
is its ratio to the fastest.
"""

import pytest

import planner
from planner.model.strata import Stratum


def study(count: int, analysis: str = "exact", error: float = 0.1) -> planner.Study:
    strata = tuple(
        Stratum(f"s{k}", people=1_000 + 97 * k, error=error + 0.2 * k / count)
        for k in range(count if count > 1 else 0)
    )
    return planner.Study(
        planner.LaplaceMean(analysis),
        planner.Accuracy(failure=0.05) if strata else planner.Accuracy(error, 0.05 / 20),
        planner.Individual(12.5),
        (),
        planner.Costs(5.0),
        strata=strata,
    )


@pytest.mark.benchmark(group="exact strata")
@pytest.mark.parametrize("count", [1, 20])
def test_exact_strata(benchmark, count: int) -> None:
    errors = iter(0.1 + 1e-5 * k for k in range(1_000))  # each study is another: nothing is kept
    benchmark.pedantic(lambda: planner.solve(study(count, error=next(errors))), rounds=3)


@pytest.mark.benchmark(group="strata by a bound")
@pytest.mark.parametrize("count", [20, 1_000])
def test_strata_by_a_bound(benchmark, count: int) -> None:
    errors = iter(0.1 + 1e-5 * k for k in range(1_000))
    benchmark.pedantic(lambda: planner.solve(study(count, "hoeffding", next(errors))), rounds=2)
