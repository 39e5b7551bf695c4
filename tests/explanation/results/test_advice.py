"""Advice on what to relax: each works when it is followed, and none is beyond reason."""

import re
from dataclasses import replace

import pytest

import planner
from planner.answer.problem.vary import with_value
from planner.decisions.changes import limits
from planner.explanation.results.changes import relaxations_in_words
from planner.explanation.results.rows import answer_rows

POOR = planner.Study(
    planner.LaplaceMean(),
    planner.Accuracy(0.03, 0.05),
    planner.Individual(5.0),
    [planner.Budget(6_000.0)],
    planner.Costs(12.0),
)


@pytest.mark.slow
def test_each_piece_of_advice_works() -> None:
    changes = limits(POOR)
    advice = relaxations_in_words(changes, POOR)
    assert advice[0].startswith("a budget of ")
    for change in changes:
        if change.to is not None and change.attained:
            relaxed = with_value(POOR, change.quantity, change.to)
            assert planner.solve(relaxed).verdict == "feasible", change.quantity
    assert len(advice) == sum(change.to is not None for change in changes) + 1


@pytest.mark.slow
def test_none_is_an_answer_that_says_nothing_or_a_hundred_times_the_money() -> None:
    """An error over 50 points or a failure more often than not is not worth a study."""
    poorer = replace(POOR, conditions=[planner.Budget(100.0)])
    changes = {change.quantity: change.to for change in limits(poorer)}
    assert changes["budget"] > 100 * 100.0
    assert changes["error"] > 0.5
    assert changes["failure"] > 0.5
    (only,) = relaxations_in_words(limits(poorer), poorer)
    assert only.startswith("nothing helps alone within reason: not the base cost, the budget")
    better = replace(POOR, conditions=[planner.Budget(160.0)])
    assert relaxations_in_words(limits(better), better)[0].startswith("a budget of ")


@pytest.mark.slow
def test_of_values_half_of_their_range_is_the_most() -> None:
    survey = planner.Survey([planner.Mean("rent", low=0, high=40, error=1.0)], failure=0.05)
    by_bound = planner.AddedNoise("laplace", analysis="hoeffding")
    for budget, useful in ((900.0, True), (250.0, False)):
        poor = replace(POOR, mechanism=by_bound, target=survey, conditions=[planner.Budget(budget)])
        changes = {change.quantity: change.to for change in limits(poor)}
        assert (changes["rent.error"] <= 20.0) == useful
        advice = relaxations_in_words(limits(poor), poor)
        assert any("of 'rent' of" in words for words in advice[:-1]) == useful


@pytest.mark.slow
def test_margins_are_as_much_wider_as_is_printed() -> None:
    """In per cent of three digits, which is enough when it is followed as it is printed."""
    questions = [planner.Share("smokes", error=0.1), planner.Mean("rent", low=0, high=60, error=9)]
    poor = planner.Study(
        target=planner.Survey(questions, failure=0.1),
        conditions=[planner.EpsilonAtMost(1.0), planner.MaxParticipants(40)],
    )
    words = relaxations_in_words(limits(poor), poor)
    (found,) = [one for one in words if one.startswith("all margins of error ")]
    percent = re.fullmatch(r"all margins of error ([\d.]{3,5}) % wider are enough: .*", found)[1]
    wider = with_value(poor, "times_error", 1 + float(percent) / 100)
    assert planner.solve(wider).verdict == "feasible"


def test_what_a_few_more_people_buy_is_what_they_need() -> None:
    """Where nobody is paid the fewest people are planned, at an ε that a few more need not."""
    rare = planner.LaplaceMean(mean_range=(0.03, 0.1))
    study = planner.Study(
        rare, planner.Accuracy(0.04, 0.05), conditions=[planner.EpsilonAtMost(1.0)]
    )
    plan = planner.solve(study)
    rows = dict(answer_rows(plan))
    assert rows["accuracy"].endswith("for proportions from 3 % to 10 %")
    people, epsilon = re.fullmatch(
        r"With \d+ more, (\d+) people, an ε of about ([\d.]+) is enough: .*=\2\.", rows["note"]
    ).groups()
    more = replace(study, conditions=(*study.conditions, planner.MinParticipants(int(people))))
    assert planner.solve(more).epsilon <= float(epsilon) < 0.9 * plan.epsilon
    less = replace(study, conditions=[planner.EpsilonAtMost(float(epsilon))])
    assert planner.solve(less).participants <= int(people)
    capped = replace(
        study, conditions=(*study.conditions, planner.MaxParticipants(plan.participants))
    )
    assert "--set epsilon_at_most" not in str(answer_rows(planner.solve(capped)))
    paid = replace(study, individual=planner.Individual(1.0))
    assert "--set epsilon_at_most" not in str(answer_rows(planner.solve(paid)))


def test_how_it_was_proved_is_said_where_the_proof_is_asked_for() -> None:
    answer = planner.solve(POOR)
    short, full = (dict(answer_rows(answer, in_full=shown))["proof"] for shown in (False, True))
    assert (short, full) == (answer.proof.statement, f"{short} ({answer.proof.method})")
