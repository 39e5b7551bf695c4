"""The least errors that a budget pays for, by one factor on all of them."""

from dataclasses import replace

import pytest

import planner
from planner.answer.check import check
from planner.cli import run
from planner.model.strata import Stratum

STRATA = (
    Stratum("North", share=0.6, error=0.1),
    Stratum("South", share=0.4, error=0.15, per_person=20.0),
)
ALONE = tuple(replace(one, error=None) for one in STRATA)


def study(*conditions, strata=STRATA, **target) -> planner.Study:
    return planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(**target, failure=0.1),
        planner.Individual(12.5),
        conditions,
        planner.Costs(5.0, 100.0),
        strata=strata,
    )


@pytest.mark.parametrize("budget", [5_000.0, 40_000.0])
def test_the_budget_is_spent_and_no_smaller_errors_are_affordable(budget: float) -> None:
    plan = planner.solve(study(planner.Budget(budget)), minimise="error")
    assert plan.verdict == "feasible"
    assert budget * 0.997 <= plan.cost <= budget
    errors = [one.study.accuracy.error for one in plan.strata]
    assert errors[0] / errors[1] == pytest.approx(0.1 / 0.15, rel=1e-9)
    assert check(plan).holds
    smaller = [replace(s, error=0.995 * e) for s, e in zip(STRATA, errors, strict=True)]
    beyond = planner.solve(study(planner.Budget(budget), strata=smaller), prove=False)
    assert beyond.verdict != "feasible"
    assert f"{errors[0] / 0.1:.4g}"[:4] in plan.notes[-1]


@pytest.mark.slow
def test_of_an_answer_for_all_people_it_is_the_limit_of_its_error() -> None:
    asked = study(planner.Budget(9_000.0), strata=ALONE, error=0.1)
    plan = planner.solve(asked, minimise="error")
    assert plan.study.accuracy.error == pytest.approx(
        float(planner.limit(asked, "error")), rel=1e-3
    )
    assert plan.cost <= 9_000.0


@pytest.mark.slow
def test_larger_errors_where_the_budget_is_too_small_for_those_given() -> None:
    survey = planner.Survey([planner.Share("smokes", error=0.05)], failure=0.1)
    asked = replace(
        study(planner.Budget(4_000.0)),
        target=survey,
        mechanism=planner.AddedNoise("laplace"),
        strata=ALONE,
    )
    plan = planner.solve(asked, minimise="error")
    assert plan.verdict == "feasible"
    assert plan.study.survey.questions[0].error > 0.05
    assert plan.cost <= 4_000.0


def test_what_has_no_least_error_is_one_sentence(capsys, tmp_path) -> None:
    with pytest.raises(ValueError, match="needs a budget"):
        planner.solve(study(), minimise="error")
    with pytest.raises(ValueError, match="is for a study with strata"):
        planner.solve(replace(study(), strata=(), target=planner.Accuracy(0.1, 0.1)), "error")
    plan = planner.solve(study(planner.Budget(1.0)), minimise="error")
    assert plan.verdict == "infeasible"
    file = tmp_path / "study.toml"
    file.write_text(
        "[target]\nfailure = 0.1\n[mechanism]\nkind = 'laplace-mean'\nanalysis = 'hoeffding'\n"
        "[individual]\nbase_cost = 12.5\n[conditions]\nbudget = 9000\n[costs]\nper_person = 5\n"
        + "".join(f"[[stratum]]\nname = '{n}'\nshare = 0.5\nerror = 0.1\n" for n in "AB"),
        "utf-8",
    )
    assert run(["solve", str(file), "--minimise", "error"]) == 0
    assert "times those given" in " ".join(capsys.readouterr().out.split())
