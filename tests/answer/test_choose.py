"""Studies that may use several mechanisms."""

import pytest

import planner
from planner.answer.problem.vary import value_of, with_value
from planner.checked import Refused

MANY = tuple(planner.LaplaceMean(analysis=a) for a in ("exact", "hoeffding", "paper"))


def study(*mechanisms, budget=30_000.0, people=57, error=0.21) -> planner.Study:
    return planner.Study(
        mechanism=planner.OneOf(mechanisms) if len(mechanisms) > 1 else mechanisms[0],
        target=planner.Accuracy(error=error, failure=0.05),
        individual=planner.Individual(12.5, 1274.0),
        conditions=[planner.Budget(budget), planner.MaxParticipants(people)],
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
    with pytest.raises(Refused, match="at least 1"):
        planner.OneOf(())


@pytest.mark.slow
def test_what_can_change_is_of_the_best_mechanism_for_each_quantity() -> None:
    asked = study(*MANY[1:], people=700)
    plan = planner.solve(asked)
    left = planner.limits(plan)
    assert {change.quantity for change in left} == {
        "base_cost", "budget", "error", "failure", "participants"
    }  # fmt: skip
    for change in left:
        ends = [planner.limit(study(one, people=700), change.quantity) for one in MANY[1:]]
        best = max if change.quantity == "base_cost" else min
        assert change.to == best(end for end in ends if end is not None)
    assert planner.limits(asked) == left


@pytest.mark.slow
def test_the_best_for_a_quantity_need_not_be_the_chosen_one() -> None:
    net, mean = planner.Net(universe_size=2, queries=2), planner.LaplaceMean("hoeffding")
    plan = planner.solve(study(net, mean, budget=1e6, people=50, error=0.4))
    assert plan.study.mechanism == mean
    left = {change.quantity: change.to for change in planner.limits(plan)}
    least = [planner.limit(plan.study.by(one), "failure") for one in (net, mean)]
    assert left["failure"] == least[0] < least[1]


def test_the_most_queries_are_those_of_the_mechanism_that_answers_most() -> None:
    sizes = {"universe_size": 2, "queries": 2}
    kinds = planner.Mwem(**sizes), planner.Net(**sizes)
    asked = study(*kinds, budget=1e6, people=2000, error=0.2)
    assert value_of(asked, "queries") == 2
    assert value_of(with_value(asked, "queries", 5), "queries") == 5
    most = [planner.limit(asked.by(one), "queries") for one in kinds]
    changes = {change.quantity: change.to for change in planner.limits(asked)}
    assert changes["queries"] == max(end for end in most if end is not None)


@pytest.mark.slow
def test_what_to_relax_is_of_the_best_mechanism_for_each_quantity() -> None:
    large = {"budget": 10.0, "people": 30_000, "error": 0.05}
    changes = planner.limits(study(*MANY[1:], **large))
    assert {change.quantity for change in changes} >= {"base_cost", "budget", "error"}
    for change in changes:
        ends = [planner.limit(study(one, **large), change.quantity) for one in MANY[1:]]
        best = max if change.quantity == "base_cost" else min
        assert change.to == best((end for end in ends if end is not None), default=None)
