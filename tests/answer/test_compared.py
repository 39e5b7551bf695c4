"""Several answers compared between two groups of equal size."""

import dataclasses
import math

import pytest

import planner
from planner.answer.problem.problem import problem_of
from planner.answer.problem.survey import asked
from planner.answer.problem.vary import with_value
from planner.comparison.zero_one import with_zero_one_values
from planner.study_file.writer import as_toml

SMOKES = planner.Share("smokes", error=0.1)
AGES = planner.Histogram("age group", groups=4, error=0.12)
CIGARETTES = planner.Mean("cigarettes a day", low=0, high=60, error=8.0)


def study(*questions, failure=0.05, mechanism=None, budget=60_000.0, conditions=(), **given):
    """Two wards that are compared."""
    return planner.Study(
        mechanism=mechanism or planner.AddedNoise("laplace"),
        target=planner.Difference(questions=list(questions), failure=failure),
        individual=planner.Individual(base_cost=12.5, worst_cost=12_500.0),
        conditions=[planner.Budget(budget), *conditions],
        costs=planner.Costs(per_person=5.0, overhead=2000.0),
        **given,
    )


def half(question):
    """The question of all who are counted."""
    return question.with_error(question.error / 2)


@pytest.mark.parametrize("geometric", [False, True])
def test_one_proportion_is_the_difference_of_one(geometric):
    """As planned by itself: 518 people for 6,132.35 with Laplace noise."""
    of_all, of_one = planner.AddedNoise("laplace"), planner.LaplaceMean()
    if geometric:
        of_all, of_one = planner.AddedNoise("geometric"), planner.GeometricMean()
    plan = planner.solve(study(SMOKES, mechanism=of_all))
    target = planner.Difference(error=0.1, failure=0.05)
    alone = planner.solve(dataclasses.replace(study(SMOKES), target=target, mechanism=of_one))
    assert plan.proof.checked
    assert plan.participants == alone.participants
    assert plan.cost == pytest.approx(alone.cost, rel=1e-6)
    if not geometric:
        assert (plan.participants, plan.cost) == (518, pytest.approx(6132.35, abs=0.01))


@pytest.mark.slow
def test_a_mean_is_the_difference_of_one():
    plan = planner.solve(study(CIGARETTES))
    target = planner.Difference.of_values(8.0, 0, 60, 0.05)
    alone = planner.solve(dataclasses.replace(study(CIGARETTES), target=target,
                                              mechanism=planner.LaplaceMean()))  # fmt: skip
    assert (plan.participants, plan.cost) == (alone.participants, pytest.approx(alone.cost))


@pytest.mark.slow
def test_several_are_a_survey_at_half_the_errors():
    """Within 1 % of its cost: the number of people is even, and counts are of two proportions."""
    questions = SMOKES, AGES, CIGARETTES
    plan = planner.solve(study(*questions))
    survey = planner.Survey([half(question) for question in questions], failure=0.05)
    alike = planner.solve(dataclasses.replace(study(*questions), target=survey))
    assert plan.proof.checked
    assert plan.participants % 2 == 0
    assert plan.cost == pytest.approx(alike.cost, rel=0.01)
    assert sum(question.failure for question in plan.questions) <= 0.05
    assert sum(question.epsilon for question in plan.questions) <= plan.epsilon
    scales = [2 / question.epsilon / plan.participants for question in plan.questions]
    assert [q.scale for q in plan.questions] == pytest.approx(
        [scales[0], 2 * scales[1], 60 * scales[2]]
    )


@pytest.mark.slow
def test_histograms_need_far_fewer_people_than_k_worst_proportions():
    """8 groups: 9,853 in place of 11,941 with eight times the worst proportion."""
    ages = planner.Histogram("age group", groups=8, error=0.1)
    plan = planner.solve(study(ages), prove=False)
    assert plan.cost == pytest.approx(9854, rel=0.001)
    of_geometric = planner.solve(study(ages, mechanism=planner.AddedNoise("geometric")))
    assert of_geometric.cost > 1.2 * plan.cost


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "conditions"),
    [
        (planner.AddedNoise("gaussian"), [planner.Delta(1e-9)]),
        (planner.AddedNoise("gaussian"), [planner.DeltaAtMost(1e-6)]),
        (planner.AddedNoise("laplace", "hoeffding"), []),
        (planner.AddedNoise("gaussian", "hoeffding"), [planner.DeltaAtMost(1e-6)]),
    ],
)
def test_other_noises_and_the_bound(mechanism, conditions):
    """Plans are proved, and much less money is refuted; of Laplace noise, 3 % less."""
    of = study(SMOKES, AGES, CIGARETTES, mechanism=mechanism, conditions=conditions)
    plan = planner.solve(of)
    assert plan.proof.checked
    assert plan.participants % 2 == 0
    part = 0.97 if mechanism.noise == "laplace" else 0.4
    under = planner.solve(with_value(of, "budget", plan.cost * part))
    assert under.verdict == "infeasible"
    assert under.proof.checked


def test_means_with_gaussian_noise_and_a_free_delta():
    """δ reaches the floor: such studies were called infeasible."""
    of = study(SMOKES, conditions=[planner.DeltaAtMost(1e-6)])
    target = planner.Difference.of_values(8.0, 0, 60, 0.05)
    mechanism = planner.GaussianMean(values="any")
    plan = planner.solve(dataclasses.replace(of, target=target, mechanism=mechanism))
    assert plan.verdict == "feasible"
    assert plan.proof.checked
    assert 0 < plan.delta <= 1e-6


@pytest.mark.slow
def test_no_money_and_limits():
    """What is refuted, and a limit that is solved again."""
    of = study(SMOKES, AGES)
    plan = planner.solve(of)
    under = planner.solve(with_value(of, "budget", plan.cost * 0.98))
    assert under.verdict == "infeasible"
    assert under.proof.checked
    end = planner.limit(of, "times_error")
    assert planner.solve(with_value(of, "times_error", end.value)).verdict == "feasible"
    less = with_value(of, "times_error", end.value * 0.999)
    assert planner.solve(less, prove=False).verdict != "feasible"


@pytest.mark.parametrize(
    ("groups", "error", "failure", "least"),
    [(10, 0.551, 0.5, 7_316.0), (5, 0.506, 0.2, 10_603.5), (5, 0.422, 0.1, 17_452.8)],
)
def test_few_people_in_expensive_studies(groups, error, failure, least):
    """The line is searched by the sum that proves it: the cheapest size is proved."""
    asked = study(planner.Histogram("h", groups=groups, error=error), failure=failure)
    plan = planner.solve(dataclasses.replace(asked, costs=planner.Costs(per_person=500.0)))
    assert plan.proof.checked
    assert plan.cost == pytest.approx(least, rel=1e-4)


def test_from_where_more_people_suffice():
    """With geometric noise 74 people fail more often than 72."""
    target = planner.Difference(error=0.432, failure=0.01)
    mechanism = planner.GeometricMean()
    plan = planner.solve(dataclasses.replace(study(SMOKES), target=target, mechanism=mechanism))
    floor = problem_of(plan.study).goals[0].floor
    assert plan.participants == 72
    always = floor.always_from(plan.epsilon, 72, 0.0)
    assert floor.achieved(plan.epsilon, 74, 0.0) > 0.01
    assert 74 < always < 100
    failing = [floor.achieved(plan.epsilon, n, 0.0) for n in range(always, always + 40)]
    assert max(failing) <= 0.01


def test_means_with_gaussian_noise_have_no_note_of_zero_one_values():
    """For differences these, too, are planned by the bound for any values."""
    gaussian = {"mechanism": planner.AddedNoise("gaussian"), "conditions": [planner.Delta(1e-4)]}
    assert with_zero_one_values(study(CIGARETTES, **gaussian)) is None
    assert with_zero_one_values(study(CIGARETTES)) is not None


def test_of_an_odd_number_of_people_one_is_left_out():
    floor = problem_of(study(SMOKES, AGES)).goals[0].floor
    assert floor.epsilon(801.0, 0.0) == floor.epsilon(800.0, 0.0)
    assert math.isinf(floor.epsilon(1.0, 0.0))
    assert floor.to_prove == 0.05
    assert problem_of(study(AGES)).goals[0].floor.to_prove is None


def test_without_privacy_and_without_a_curator():
    """As many people in either group, at half the errors; several answers need a curator."""
    of = study(SMOKES)
    found = planner.compare(of)
    assert found.participants.least == 392
    assert found.trust is None


@pytest.mark.slow
def test_a_file_and_back(tmp_path):
    """A study file, and a plan file."""
    of = study(SMOKES, AGES, CIGARETTES)
    path = tmp_path / "study.toml"
    path.write_text(as_toml(of.to_dict()), encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert 'kind = "difference"' in text
    assert planner.read_study(path) == of
    plan = planner.solve(of)
    plan.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    assert again.epsilon == plan.epsilon
    assert planner.check(again).holds
    path.write_text(text.replace("failure = 0.05", "failure = 0.05\ntimes_error = 2", 1))
    assert planner.read_study(path).target.questions[0].error == 0.2


@pytest.mark.slow
def test_simulated_answers_keep_the_promise():
    found = planner.simulate(planner.solve(study(SMOKES, AGES, CIGARETTES)), runs=2000, seed=5)
    assert 0.03 < found.failures / found.runs < 0.065
    assert "in two groups of equal size" in str(found)


def test_what_each_question_asks_of_its_noise():
    """Of a histogram the counts move by two, as of one group of people."""
    floors = [part.floor for part in asked(study(SMOKES, AGES, CIGARETTES)).floor.parts]
    assert [floor.error for floor in floors] == pytest.approx([0.05, 0.06, 8 / 120])
    gaussian = study(SMOKES, AGES, mechanism=planner.AddedNoise("gaussian"),
                     conditions=[planner.Delta(1e-6)])  # fmt: skip
    share, histogram = (part.floor for part in asked(gaussian).floor.parts)
    assert share.share.law.any_values
    assert histogram.by_worst


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: study(planner.Quantile("income", candidates=10, error=0.1)), "is not compared"),
        (lambda: study(planner.Share("a", error=0.1, missing="own", answer_rate=0.9)),
         "is not compared"),
        (lambda: study(dataclasses.replace(CIGARETTES, deviation_at_most=3.0)), "of one mean"),
        (lambda: study(SMOKES, mechanism=planner.RandomizedResponse()), "with added noise"),
        (lambda: study(SMOKES, mechanism=planner.LaplaceMean()), "added-noise"),
        (lambda: study(SMOKES, sampling=planner.Sampling(population=900)), "independent people"),
        (lambda: study(SMOKES, strata=[planner.Stratum("a"), planner.Stratum("b")]),
         "leave the strata"),
        (lambda: study(SMOKES, SMOKES), "two questions are named"),
        (lambda: study(CIGARETTES, mechanism=planner.AddedNoise("geometric")), "cannot answer"),
        (lambda: planner.Difference(questions=[SMOKES], failure=0.05, ratio=2.0), "ratio"),
        (lambda: planner.Difference([SMOKES]), "failure"),
    ],
)  # fmt: skip
def test_refused(wrong, words):
    """In a sentence."""
    with pytest.raises(ValueError, match=words):
        planner.solve(wrong())
