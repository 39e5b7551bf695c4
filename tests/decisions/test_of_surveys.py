"""Limits, prices, drops, comparisons, sweeps and runs of surveys."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import planner
from planner.cli import run

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
    study = survey(planner.Population(5000))
    prices = {price.quantity: price for price in planner.shadow_prices(study)}
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
    study = survey(planner.Population(5000))
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
    comparison = planner.compare(survey(planner.Population(9000), worst_cost=100.0))
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
    assert any("studies of their own" in note for note in comparison.notes)


def test_errors_of_questions_are_swept() -> None:
    errors = np.array([3.0, 4.0, 6.0])
    costs = planner.sweep(survey(planner.Population(5000)), **{"visits.error": errors}).cost
    assert np.all(np.diff(costs) < 0)
    assert costs[1] == pytest.approx(planner.solve(survey(planner.Population(5000))).cost)


@pytest.mark.parametrize(
    ("noise", "analysis", "questions", "delta"),
    [
        ("laplace", "exact", QUESTIONS, ()),
        ("gaussian", "hoeffding", QUESTIONS, (planner.Delta(1e-5),)),
        ("geometric", "exact", QUESTIONS[:2], ()),
        ("laplace", "hoeffding", (planner.Quantile("income", candidates=20, error=0.1),), ()),
    ],
)
def test_simulated_surveys_keep_their_promise(noise, analysis, questions, delta) -> None:
    study = planner.Study(
        planner.AddedNoise(noise, analysis),
        planner.Survey(questions, failure=0.1),
        planner.Individual(1.0, 10.0),
        [planner.Population(2000), *delta],
        planner.Costs(per_person=2.0),
    )
    runs = planner.simulate(study, runs=2000)
    assert runs.verdict in ("kept", "consistent")
    assert set(runs.questions) == {question.name for question in questions}
    assert max(runs.questions.values()) <= runs.failures <= sum(runs.questions.values())
    if noise == "geometric":  # exact at the means that are simulated
        plan = planner.solve(study)
        allowed = plan.questions[0].failure * 3
        assert runs.questions["smokes"] / 2000 == pytest.approx(allowed, rel=0.4)


FILE = """
title = "Survey"
[target]
failure = 0.1
[[question]]
kind = "share"
name = "smokes"
error = 0.06
times = 3
[[question]]
kind = "histogram"
name = "age group"
groups = 4
error = 0.06
[mechanism]
kind = "added-noise"
noise = "laplace"
analysis = "hoeffding"
[individual]
base_cost = 1.0
[conditions]
budget = 9000.0
[costs]
per_person = 2.0
"""


def written(tmp_path: Path, text: str = FILE) -> str:
    path = tmp_path / "survey.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_a_study_file_of_a_survey(tmp_path, capsys) -> None:
    study = planner.read_study(written(tmp_path))
    assert study.survey == planner.Survey(QUESTIONS[:2], failure=0.1)
    assert run(["solve", written(tmp_path), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)["plan"]
    assert [question["name"] for question in plan["questions"]] == ["smokes", "age group"]
    assert run(["limit", written(tmp_path), "age group.error"]) == 0
    assert "The smallest error of 'age group'" in capsys.readouterr().out
    poor = written(tmp_path, FILE.replace("9000.0", "1000.0"))
    assert run(["solve", poor, "--json"]) == 1
    assert "drops" in json.loads(capsys.readouterr().out)


def test_added_noise_is_implied(tmp_path) -> None:
    start, rest = FILE.split("[mechanism]")
    text = start + "[individual]" + rest.split("[individual]")[1]
    assert planner.read_study(written(tmp_path, text)).mechanism == planner.AddedNoise(
        composition="basic"
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("groups = 4", "groups = 1", "question.groups (table 2) = 1 is not allowed"),
        ("groups = 4", "group = 4", "unknown key question.group (table 2); did you mean groups?"),
        ('kind = "share"', 'kind = "shares"', "question (table 1).kind = 'shares' is unknown"),
        ("error = 0.06\ntimes", "times", "question.error (table 1) is missing"),
        ('name = "age group"', 'name = "smokes"', "two questions are named 'smokes'"),
        ("failure = 0.1\n", "", "'smokes' has no failure probability"),
        ("times = 3", "failure = 0.01", "failure is given for all questions together"),
        ("[target]\n", '[target]\nkind = "accuracy"\n', "is for one question"),
        ('noise = "laplace"', 'noise = "pink"', "mechanism.noise = 'pink' is not allowed"),
        ('kind = "added-noise"\nnoise = "laplace"', 'kind = "laplace-mean"', "answered by added-"),
        ("times = 3", "low = 3", "unknown key question.low (table 1)"),
    ],
)
def test_refusals_of_files(old: str, new: str, words: str, tmp_path, capsys) -> None:
    assert old in FILE
    assert run(["solve", written(tmp_path, FILE.replace(old, new, 1))]) == 64
    said = capsys.readouterr().err
    assert words in said
    assert len(said) < 300
