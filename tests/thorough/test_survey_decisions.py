"""Limits, prices, drops, comparisons, sweeps and runs of surveys."""

import json
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.cli import run
from tests.study_file import test_survey_file as files

QUESTIONS = (
    planner.Share("smokes", error=0.06, times=3),
    planner.Histogram("age group", groups=4, error=0.06),
    planner.Mean("visits", low=0, high=50, error=4.0),
)


def survey(*conditions: object, worst_cost: float | None = None) -> planner.Study:
    return planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(QUESTIONS, failure=0.1),
        planner.Individual(1.0, worst_cost),
        conditions or (planner.Budget(6_000.0),),  # type: ignore[arg-type]
        planner.Costs(per_person=2.0),
    )


@pytest.mark.parametrize("name", ["visits"])
def test_the_least_error_of_one_question(name: str) -> None:
    study = survey()
    end = planner.limit(study, f"{name}.error")
    assert end is not None
    question = study.survey.question(name)  # type: ignore[union-attr]
    assert end < question.error

    def verdict(error: float) -> str:
        target = study.survey.with_question(question.with_error(error))  # type: ignore[union-attr]
        return planner.solve(replace(study, target=target)).verdict

    assert verdict(float(end)) == "feasible"
    assert verdict(float(end) * (1 - 1e-5)) == "infeasible"


def test_prices_are_differences_of_solving_again() -> None:
    study = survey(planner.MaxParticipants(5000))
    prices = {price.quantity: price for price in planner.prices(study)}
    least = planner.solve(study, prove=False).cost

    def cost(**changed: float) -> float:
        questions = tuple(
            q.with_error(changed.get(q.name.replace(" ", "_"), q.error)) for q in QUESTIONS
        )
        target = planner.Survey(questions, failure=changed.get("failure", 0.1))
        return planner.solve(replace(study, target=target), prove=False).cost

    for name, key in (("smokes.error", "smokes"), ("visits.error", "visits")):
        value = prices[name].value
        slope = (cost(**{key: value * 1.01}) - cost(**{key: value * 0.99})) / (0.02 * value)
        assert prices[name].cost == pytest.approx(slope, rel=0.02)
    slope = (cost(failure=0.101) - cost(failure=0.099)) / 0.002
    assert prices["failure"].cost == pytest.approx(slope, rel=0.02)
    more = replace(QUESTIONS[1], groups=5)
    target = planner.Survey((QUESTIONS[0], more, QUESTIONS[2]), failure=0.1)
    again = planner.solve(replace(study, target=target), prove=False).cost - least
    assert prices["age group.groups"].cost == pytest.approx(again, rel=0.01)
    assert "smokes.times" not in prices


def test_an_infeasible_survey_drops_the_fewest_questions() -> None:
    poor = survey(planner.Budget(3_300.0))
    assert planner.solve(poor).verdict == "infeasible"
    dropped = planner.drops(poor)
    assert len(dropped) > 0
    assert all(len(drop.questions) == len(dropped[0].questions) for drop in dropped)
    assert all(drop.cost <= 3_300 for drop in dropped)
    for drop in dropped:
        rest = poor.survey
        for name in drop.questions:
            rest = rest.without(name)
        assert planner.solve(replace(poor, target=rest)).verdict == "feasible"
    costs = [drop.cost for drop in dropped]
    assert costs == sorted(costs)


def test_a_feasible_survey_says_what_each_question_costs() -> None:
    study = survey(planner.MaxParticipants(5000))
    dropped = planner.drops(study)
    assert {drop.questions for drop in dropped} == {("smokes",), ("age group",), ("visits",)}
    least = planner.solve(study).cost
    assert all(drop.cost < least for drop in dropped)
    assert "without 'visits'" in str(dropped)


def test_one_question_cannot_be_dropped() -> None:
    alone = replace(survey(), target=planner.Survey(QUESTIONS[:1], failure=0.1))
    assert len(planner.drops(alone)) == 0
    one = planner.Study(planner.LaplaceMean(), planner.Accuracy(0.1, 0.1), planner.Individual(1.0))
    with pytest.raises(ValueError, match="asks one question"):
        planner.drops(one)


def test_the_comparison_has_the_size_of_the_hardest_question() -> None:
    comparison = planner.compare(survey(planner.MaxParticipants(9000), worst_cost=100.0))
    sizes = comparison.participants
    assert sizes is not None
    alone = [
        planner.compare(
            planner.Study(
                planner.LaplaceMean(), planner.Accuracy(0.06, failure),
                planner.Individual(1.0, 100.0), costs=planner.Costs(per_person=2.0),
            )
        ).participants
        for failure in (0.1, 0.1 / 8)
    ]  # fmt: skip
    assert sizes.least == alone[0].least  # type: ignore[union-attr]
    assert sizes.most >= alone[1].most  # type: ignore[union-attr]


def test_errors_of_questions_are_swept() -> None:
    errors = np.array([3.0, 4.0, 6.0])
    costs = planner.sweep(survey(planner.MaxParticipants(5000)), **{"visits.error": errors}).cost
    assert np.all(np.diff(costs) < 0)
    assert costs[1] == pytest.approx(planner.solve(survey(planner.MaxParticipants(5000))).cost)


@pytest.mark.parametrize(
    ("noise", "analysis", "questions", "delta"),
    [
        ("laplace", "exact", QUESTIONS, ()),
        ("gaussian", "hoeffding", QUESTIONS, (planner.Delta(1e-5),)),
        ("laplace", "hoeffding", (planner.Quantile("income", candidates=20, error=0.1),), ()),
    ],
)
def test_simulated_surveys_keep_their_promise(noise, analysis, questions, delta) -> None:
    study = planner.Study(
        planner.AddedNoise(noise, analysis),
        planner.Survey(questions, failure=0.1),
        planner.Individual(1.0, 10.0),
        [planner.MaxParticipants(2000), *delta],
        planner.Costs(per_person=2.0),
    )
    runs = planner.simulate(study, runs=2000)
    assert runs.verdict in ("kept", "consistent")
    assert set(runs.questions) == {question.name for question in questions}
    assert max(runs.questions.values()) <= runs.failures <= sum(runs.questions.values())


def test_the_command_line_says_what_to_drop(tmp_path, capsys) -> None:
    poor = files.written(tmp_path, files.FILE.replace("9000.0", "1000.0"))
    assert run(["solve", poor, "--json"]) == 1
    assert "drops" in json.loads(capsys.readouterr().out)
