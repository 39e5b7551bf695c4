"""Studies without a curator, and of a finite population, beside the same with one and without.

Run with `python -m pytest tests/benchmarks/test_no_curator.py`; the group's name says the most that
the second may take beside the first.
"""

import pytest

import planner
from planner.mechanisms.exact import frontier
from planner.mechanisms.reports import drawn_least, least
from planner.mechanisms.sample import _kept

PERSON = planner.Individual(12.5, 1274.0)


def study(mechanism: object, **sampling: object) -> planner.Study:
    return planner.Study(
        mechanism,
        planner.Accuracy(0.05, 0.05),
        PERSON,
        [planner.Budget(300_000.0)],
        planner.Costs(5.0),
        sampling=planner.Sampling(**sampling),
    )


def bound(kind: type) -> object:
    return kind(analysis="hoeffding")


CASES = [
    pytest.param(one, marks=pytest.mark.benchmark(group=group), id=name)
    for group, name, one in (
        ("exact: at most 1.5 x", "curator", study(planner.LaplaceMean())),
        ("exact: at most 1.5 x", "no curator", study(planner.RandomizedResponse())),
        ("bound: at most 1.5 x", "curator", study(bound(planner.LaplaceMean))),
        ("bound: at most 1.5 x", "no curator", study(bound(planner.RandomizedResponse))),
        ("population: at most 5 x", "no end", study(bound(planner.LaplaceMean))),
        ("population: at most 5 x", "5,000", study(bound(planner.LaplaceMean), population=5000)),
        ("exact, drawn: at most 5 x", "no end", study(planner.LaplaceMean())),
        ("exact, drawn: at most 5 x", "1,000", study(planner.LaplaceMean(), population=1000)),
        ("exact, drawn: at most 5 x", "50,000", study(planner.LaplaceMean(), population=50_000)),
        ("reports, drawn: at most 5 x", "no end", study(planner.RandomizedResponse())),
        (
            "reports, drawn: at most 5 x",
            "1,000",
            study(planner.RandomizedResponse(), population=1000),
        ),
    )
]


@pytest.mark.parametrize("asked", CASES)
def test_solve_and_prove(benchmark, asked) -> None:
    def forget() -> None:
        for kept in (
            frontier.frontier,
            frontier.least_rate,
            least.least_epsilon,
            drawn_least.least_epsilon,
            _kept,
        ):
            kept.cache_clear()

    answer = benchmark.pedantic(planner.solve, (asked,), setup=forget, rounds=5, warmup_rounds=1)
    assert answer.verdict == "feasible"
