"""The question of a share in each reported group: what it refuses, and what a plan of it says."""

from dataclasses import replace

import pytest

import planner
from planner.answer.problem.vary import with_value
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.questions import question_rows
from planner.model.survey import Survey

LABELS = ["North", "South", "East"]
SMOKES = planner.ShareByGroup(
    "smokes", by="district", labels=LABELS, error=0.15, share_at_least=0.2
)
PERSON = planner.Individual(12.5, 1000.0)
COSTS = planner.Costs(per_person=5.0)


def study(*questions: planner.model.Question, **more) -> planner.Study:
    target = Survey(questions, 0.05)
    given = {"mechanism": planner.AddedNoise(), "individual": PERSON, "costs": COSTS} | more
    return planner.Study(target=target, **given)


@pytest.fixture(scope="module")
def plan():
    return planner.solve(study(SMOKES, planner.Share("drinks", error=0.08)))


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    for changed, words in [
        ({"error": 0.6}, "error = 0.6 says nothing"),
        ({"labels": ()}, "labels is missing"),
        ({"labels": ("a",)}, "1 label cannot divide"),
        ({"labels": ("a", "a")}, "given twice"),
        ({"by": "smokes"}, "is the column of the answers too"),
        ({"by": ("district", "age")}, "write a column with the pair of each person"),
        ({"share_at_least": 0.0}, "share_at_least = 0.0 is not allowed"),
        ({"share_at_least": 1.1}, "share_at_least = 1.1 is not allowed"),
        ({"missing": "no"}, "missing = 'no' is not for a share-by-group"),
        ({"yes": "1", "no": "1"}, "means both yes and no"),
    ]:
        with pytest.raises(ValueError, match=words):
            replace(SMOKES, **changed)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sampling": planner.Sampling(clusters_of=4)}, "people drawn one by one"),
        ({"sampling": planner.Sampling(design_effect=1.5)}, "people drawn one by one"),
    ],
)
def test_studies_that_the_bound_is_not_for_are_refused(more, words) -> None:
    with pytest.raises(ValueError, match=words):
        study(SMOKES, **more)


def test_a_plan_adds_noise_to_two_counts(plan) -> None:
    """One record moves two counts, so noise of scale 2/ε is on every count."""
    one = plan.questions[0]
    assert one.numbers == 6
    assert one.scale * plan.participants == pytest.approx(2 / one.epsilon)
    words = " ".join(str(plan).split())
    assert "in every group of at least 20 % of the people" in words
    assert "moves two of the 6 counts" in question_rows(plan)[0][1]


@pytest.mark.slow
def test_no_smaller_plan_is_cheaper(plan) -> None:
    """A scan over N of the question's own floor, and of what each N then costs."""
    alone = planner.solve(study(SMOKES))
    from_floor = planner.answer.problem.survey.asked(study(SMOKES)).floor
    costs = {}
    for n in range(400, 8000, 4):
        epsilon = float(from_floor.epsilon(float(n), 0.0))
        if epsilon < 20:
            costs[n] = float(PERSON.compensation(epsilon) + 5.0) * n
    assert alone.cost <= min(costs.values()) * (1 + 1e-6)
    assert abs(alone.participants - min(costs, key=costs.get)) <= 40


def by_group(groups: int, error: float, least: float, **more) -> planner.ShareByGroup:
    """One question for so many groups, which have one column."""
    labels = [f"g{k}" for k in range(groups)]
    name = more.pop("name", "smokes")
    return planner.ShareByGroup(
        name, by="group", labels=labels, error=error, share_at_least=least, **more
    )


PLANS = {
    "two groups": study(by_group(2, 0.2, 0.3)),
    "a small group": study(by_group(3, 0.2, 0.05)),
    "each group may be of the least share": study(by_group(5, 0.25, 0.2)),
    "many groups": study(by_group(12, 0.25, 0.1)),
    "a large error": study(by_group(4, 0.4, 0.2)),
    "beside a share": study(SMOKES, planner.Share("drinks", error=0.08)),
    "two by one column": study(by_group(3, 0.2, 0.2), by_group(3, 0.25, 0.2, name="drinks")),
    "three alike": study(by_group(2, 0.25, 0.3, times=3)),
    "Gaussian noise": study(
        by_group(3, 0.2, 0.2, times=4),
        conditions=(planner.Delta(1e-6),),
        mechanism=planner.AddedNoise("gaussian"),
    ),
    "a small population": study(
        by_group(3, 0.25, 0.2), sampling=planner.Sampling(population=2_000)
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("asked", PLANS.values(), ids=PLANS)
def test_the_simulated_study_keeps_its_promise(asked) -> None:
    """With room, as by a bound; with far fewer people, or far more noise, it would be broken."""
    plan = planner.solve(asked)
    found = planner.simulate(plan, runs=4000, seed=2)
    assert found.promised == 0.05
    assert found.high <= 0.05  # the bound leaves room
    few = replace(plan, participants=plan.participants // 16)
    loud = tuple(replace(q, scale=4 * (q.scale or 0.0)) for q in plan.questions)
    for broken in (few, replace(plan, questions=loud)):
        assert planner.simulate(broken, runs=1000, seed=2).verdict == "broken"


@pytest.mark.slow
def test_a_simulated_census_keeps_its_promise(plan) -> None:
    answer = planner.solve(replace(plan.study, sampling=planner.Sampling(population=20_000)))
    assert planner.simulate(answer, runs=500).verdict == "kept"


@pytest.mark.slow
def test_for_less_money_none_is_found_and_that_is_not_proved(plan) -> None:
    answer = planner.solve(replace(plan.study, conditions=(planner.Budget(0.99 * plan.cost),)))
    assert answer.verdict == "undecided"


@pytest.mark.slow
def test_the_least_share_has_a_limit(plan) -> None:
    limited = replace(plan.study, conditions=(planner.Budget(1.5 * plan.cost),))
    least = planner.limit(limited, "smokes.share_at_least")
    assert 0.02 < least < 0.2
    easier = with_value(limited, "smokes.share_at_least", float(least) * 1.001)
    harder = with_value(limited, "smokes.share_at_least", float(least) * 0.98)
    assert planner.solve(easier).verdict == "feasible"
    assert planner.solve(harder).verdict != "feasible"


@pytest.mark.slow
def test_without_privacy_fewer_people_are_enough(plan) -> None:
    sizes = planner.compare(plan.study).participants
    assert sizes is not None
    assert 100 < sizes.least == sizes.most < plan.participants


def test_consent_and_methods_speak_of_the_group(plan) -> None:
    text = str(consent(plan))
    assert "your group, district, which we keep as secret as your answer" in " ".join(text.split())
    assert "quotient of noisy counts" in " ".join(str(methods(plan)).split())


def test_a_plan_does_not_read_words() -> None:
    other = replace(SMOKES, labels=("a", "b", "c"), by="place", yes="ja", column="Q1")
    assert SMOKES.as_planned == other.as_planned
