"""Proofs and searches that take most of a second each, and what the quick tests have smaller."""

from flint import arb

import planner
from planner import numbers
from planner.mechanisms.exact.failure import SHARES, Asked
from planner.mechanisms.exact.least_rate import least_rate
from tests.cli import test_sweep as sweep

LAPLACE = SHARES["laplace"]

ALL = (0.0, 1.0)


def ball(x: float):
    return numbers.balls().number(x)


def test_a_range_of_epsilon_is_proved_to_fail() -> None:
    target = Asked(ball(0.21), ball(0.05), ALL)
    floor = least_rate(LAPLACE, 33, Asked(0.21, 0.05, ALL))
    assert LAPLACE.certify_over(ball(0.4), ball(floor * 0.999), 33, target)
    assert not LAPLACE.certify_over(ball(0.4), ball(floor * 1.001), 33, target)
    # no ε does for 22 people, some does for 23
    assert LAPLACE.certify_over(ball(0.1), numbers.balls().infinity, 22, target)
    assert not LAPLACE.certify_over(ball(0.1), numbers.balls().infinity, 23, target)


def test_a_count_just_inside_both_edges_needs_a_rate_without_limit() -> None:
    # one of two people lies 2e-20 inside both edges: at ε = 1e21 the answer fails with 1/2
    study = planner.Study(
        planner.LaplaceMean(mean_range=(0.5, 0.5)),
        planner.Accuracy(1e-20, 0.6),
        planner.Individual(1.0),
        [planner.MaxParticipants(2)],
    )
    assert planner.solve(study).verdict != "infeasible"
    asked = Asked(ball(1e-20), ball(0.6), (0.5, 0.5))
    for noise in (LAPLACE, SHARES["gaussian"]):
        assert not noise.certify_over(ball(1.0), arb.pos_inf(), 2, asked)


def test_section_8_2_is_infeasible_with_the_derived_constant(section_8_2) -> None:
    answer = planner.solve(section_8_2(planner.DeltaAtMost(0.44)))
    assert (answer.verdict, answer.proof.checked) == ("infeasible", True)
    assert planner.solve(section_8_2(planner.Delta(1e-8))).verdict == "infeasible"
    assert planner.solve(section_8_2()).verdict == "infeasible"


def test_a_size_beyond_all_people_is_no_size(mean_study) -> None:
    found = planner.compare(mean_study(1.0, worst_cost=2.0, target=planner.Accuracy(1e-60, 0.05)))
    assert found.participants is None
    assert found.verdict == "undecided"


def test_files_hold_what_python_finds(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    sweep.test_files_hold_what_python_finds("a.zarr", tmp_path, capsys, monkeypatch)
