"""Speed of many queries: composition beside an accountant, the choice beside its parts.

Needs the extra `benchmark`. Run with `python -m pytest tests/benchmarks`; in each group the number
in brackets beside a median is its ratio to the fastest.
"""

import pytest

import planner
from planner.answer.problem.problem import each

STUDY = planner.Study(
    mechanism=planner.OneOf((


        planner.Mwem(256, 100),
        planner.MwemApproximate(256, 100),
        planner.Net(256, 100),
    )),
    target=planner.Accuracy(error=0.1, failure=0.05),
    individual=planner.Individual(0.5, 500.0),
    conditions=[planner.Budget(1e6), planner.MaxParticipants(10**7), planner.Delta(1e-9)],
)  # fmt: skip


def accountant(times: int, epsilon: float, slack: float) -> float:
    """The same total ε by a privacy-loss distribution."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    one = pld.from_randomized_response(2 / (1 + 2.718281828459045**epsilon), 2)
    return one.self_compose(times).get_epsilon_for_delta(slack)


@pytest.mark.benchmark(group="optimal composition, k = 1000: at most 1 x an accountant")
@pytest.mark.parametrize("what", ["accountant", "optimal"])
def test_composition(benchmark, what: str) -> None:
    if what == "accountant":
        # it rounds up to a grid of losses
        assert benchmark(accountant, 1000, 0.01, 1e-6) == pytest.approx(1.3654467, rel=0.05)
    else:
        benchmark(planner.privacy.composition, [0.01] * 1000, 1e-6)


@pytest.mark.benchmark(group="the best of five mechanisms: at most 1.1 x each by itself")
@pytest.mark.parametrize("what", ["one by one", "the best"])
def test_choice(benchmark, what: str) -> None:
    if what == "the best":
        benchmark(planner.solve, STUDY)
    else:
        benchmark(lambda: [planner.solve(study) for study in each(STUDY)])
