"""Studies that may use several mechanisms."""

import pytest
from pydantic import ValidationError

import planner

MANY = tuple(planner.LaplaceMean(analysis=a) for a in ("exact", "hoeffding", "paper"))


def study(*mechanisms, budget=30_000.0, people=57, error=0.21) -> planner.Study:
    return planner.Study(
        mechanism=planner.OneOf(mechanisms) if len(mechanisms) > 1 else mechanisms[0],
        target=planner.Accuracy(error=error, failure=0.05),
        individual=planner.Individual(12.5, 1274.0),
        conditions=[planner.Budget(budget), planner.Population(people)],
    )


@pytest.mark.parametrize("minimise", ["cost", "participants", "epsilon"])
def test_the_best_is_named_and_the_others_are_kept(minimise) -> None:
    answer = planner.solve(study(*MANY), minimise=minimise)
    alone = [planner.solve(study(one), minimise=minimise) for one in MANY]
    values = [getattr(a, minimise) for a in alone if a.verdict == "feasible"]
    assert getattr(answer, minimise) == min(values)
    others = {other.study.mechanism: other.verdict for other in answer.alternatives}
    assert set(others) | {answer.study.mechanism} == set(MANY)
    assert others[MANY[2]] == "infeasible"


def test_none_is_possible_where_no_one_is() -> None:
    large = {"budget": 10.0, "people": 30_000, "error": 0.05}
    none = planner.solve(study(*MANY[1:], **large))
    assert (none.verdict, none.proof.checked) == ("infeasible", True)
    assert "By laplace-mean (hoeffding):" in none.proof.statement
    assert planner.limit(none.study, "budget") == min(
        planner.limit(study(one, **large), "budget") for one in MANY[1:]
    )


def test_a_comparison_is_of_the_chosen_one() -> None:
    assert planner.compare(study(*MANY)).study.mechanism == MANY[0]


def test_there_must_be_something_to_choose_from() -> None:
    with pytest.raises(ValidationError, match="at least 1"):
        planner.OneOf(())
