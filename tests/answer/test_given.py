"""Whatever takes a study takes its answer too, and does not solve again what is solved."""

from dataclasses import replace

import pytest

import planner
from planner.answer import solve as solving
from planner.answer.problem.problem import problem_of
from planner.explanation.constraints import constraints
from planner.explanation.derivations import for_study
from planner.simulation.simulate import simulate

STUDY = planner.Study(
    mechanism=planner.LaplaceMean("paper"),
    target=planner.Accuracy(0.1, 0.1),
    individual=planner.Individual(12.5, 1274.0),
    conditions=[planner.Budget(30_000.0)],
    title="Clinic",
)
POOR = replace(STUDY, conditions=(planner.Budget(1.0),))
FREE = replace(STUDY, conditions=())
DIFFERENT = replace(
    STUDY,
    individual=planner.Individual.of_people(
        planner.People(planner.model.Uniform(1.0, 20.0), 0.9), 1274.0
    ),
)
TAKERS = {
    "solve": (planner.solve, STUDY),
    "limit": (lambda given: planner.limit(given, "base_cost"), STUDY),
    "tightenings": (planner.limits, STUDY),
    "relaxations": (planner.limits, POOR),
    "prices": (planner.prices, STUDY),
    "compare": (planner.compare, FREE),
    "region": (planner.region, STUDY),
    "acceptance": (planner.answer.acceptance, DIFFERENT),
    "acceptances": (lambda given: planner.decisions.acceptances(given, (0.5,)), DIFFERENT),
    "closed_form_plan": (planner.answer.closed_form_plan, STUDY),
    "plan_sequence": (lambda given: planner.plan_sequence([given, given]), STUDY),
    "sweep": (lambda given: planner.sweep(given, budget=[1e3, 1e4]), STUDY),
    "report": (lambda given: planner.report(given, quick=True), STUDY),
    "constraints": (constraints, STUDY),
    "derivations": (for_study, STUDY),
    "simulate": (lambda given: simulate(given, runs=100), STUDY),
}


def plain(result):
    """A result as something that compares."""
    if hasattr(result, "to_dict"):
        return result.to_dict()
    if isinstance(result, planner.answer.Acceptance):  # an answer knows how many to invite
        return result._replace(invite=None)
    return [*map(plain, result)] if isinstance(result, list | tuple) else result


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKERS)
def test_what_takes_a_study_takes_its_answer(name, monkeypatch) -> None:
    take, study = TAKERS[name]
    answer = planner.solve(study)
    expected = take(study)
    asked = []
    aim = solving.best_aim
    monkeypatch.setattr(solving, "best_aim", lambda p, *how: asked.append(p) or aim(p, *how))
    assert plain(take(answer)) == plain(expected)
    assert problem_of(study) not in asked


def test_an_answer_by_another_objective_is_solved_again() -> None:
    few = planner.solve(STUDY, minimise="participants")
    assert planner.solve(few) == planner.solve(STUDY) != few
    quick = planner.solve(STUDY, prove=False)
    assert planner.solve(quick).proof.checked
    assert planner.solve(quick, prove=False) is quick


def test_a_study_without_a_plan_is_not_simulated() -> None:
    with pytest.raises(ValueError, match="infeasible, so there is no plan"):
        simulate(POOR)
