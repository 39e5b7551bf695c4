"""A factor on all errors of a survey, and questions that are alike."""

from dataclasses import replace

import pytest

import planner
from planner.answer.problem.vary import questions_varied, with_value
from planner.decisions.drops import drops
from planner.explanation.results.changes import in_words, limit_in_words

ALIKE = [planner.Share(name, error=0.05) for name in ("a", "b", "c")]


def study(*conditions: object, questions: object = None) -> planner.Study:
    return planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(questions or [*ALIKE, planner.Mean("m", low=0, high=60, error=4.0)], 0.05),  # type: ignore[arg-type]
        planner.Individual(12.5, 15.0),
        conditions or [planner.Budget(90_000.0)],
        planner.Costs(5.0),
        currency="EUR",
    )


def test_the_factor_multiplies_every_error_as_decimals() -> None:
    survey = with_value(study(), "times_error", 0.6).survey
    assert survey is not None
    assert [q.error for q in survey.questions] == [0.03, 0.03, 0.03, 2.4]
    capped = with_value(study(), "times_error", 1000.0).survey
    assert capped is not None
    assert [q.error for q in capped.questions] == [1.0, 1.0, 1.0, 60.0]


@pytest.mark.slow
def test_the_smallest_factor_is_where_the_survey_stops_to_be_feasible() -> None:
    end = planner.limit(study(), "times_error")
    assert end is not None
    for factor, verdict in ((end * (1 + 1e-6), "feasible"), (end * (1 - 1e-4), "infeasible")):
        changed = with_value(study(), "times_error", float(factor))
        assert planner.solve(changed).verdict == verdict
    few = study(planner.Budget(1000.0))
    (change,) = [c for c in planner.limits(few) if c.quantity == "times_error"]
    assert change.to > 1
    assert planner.solve(with_value(few, "times_error", change.to)).verdict == "feasible"


def test_an_error_for_all_is_refused_with_what_to_give() -> None:
    with pytest.raises(ValueError, match=r"give times_error, a factor on all errors, .* a\.error"):
        planner.limit(study(), "error")
    with pytest.raises(ValueError, match=r"give times_error, .* a\.error"):
        with_value(study(), "error", 0.1)
    one = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(0.05, 0.05), planner.Individual(1.0)
    )
    for wrong in (
        lambda: planner.limit(one, "times_error"),
        lambda: with_value(one, "times_error", 2.0),
    ):
        with pytest.raises(ValueError, match="for the errors of questions or strata"):
            wrong()


@pytest.mark.slow
def test_questions_alike_are_looked_at_once() -> None:
    names = questions_varied(study())
    assert "a.error" in names
    assert not any(name.startswith(("b.", "c.")) for name in names)
    words = in_words(planner.limits(study()))
    assert sum("margin of error of" in line for line in words) == 2
    assert any("the margin of error of 'a' (2 more alike) can fall" in line for line in words)
    (change,) = [c for c in planner.limits(study()) if c.quantity == "a.error"]
    assert change.to_dict()["alike"] == ["b", "c"]
    assert change.to == pytest.approx(planner.limit(study(), "b.error"), rel=1e-6)
    dropped = drops(study())
    assert sorted(drop.questions for drop in dropped) == [("a",), ("m",)]
    assert "without 'a' (2 more alike)" in str(dropped)
    other = study(
        questions=[ALIKE[0], replace(ALIKE[1], error=0.06), planner.Share("d", error=0.05)]
    )
    assert [name for name in questions_varied(other) if name.endswith("error")] == [
        "a.error",
        "b.error",
    ]


@pytest.mark.slow
def test_a_base_cost_that_ends_at_the_worst_cost_says_so() -> None:
    end = planner.limit(study(), "base_cost")
    assert end == 15.0
    assert "15.00 EUR, the worst cost, above which" in limit_in_words(end, "base_cost", study())
    assert any("the worst cost" in line for line in in_words(planner.limits(study())))


def test_limits_are_found_by_the_keys_of_study_files() -> None:
    for key, name in (("max_participants", "participants"), ("epsilon_at_most", "epsilon")):
        assert planner.limit(study(), key) == planner.limit(study(), name)
