"""A survey of shares beside one synthetic database that answers all of them."""

import math
from dataclasses import replace

import pytest

import planner
from planner.comparison.synthetic import Synthetic, by_synthetic_data
from planner.explanation.results.comparison import columns, in_words, rows
from planner.mechanisms import Mwem, Net

QUESTIONS = (
    planner.Share("yes/no", error=0.1, times=2),
    planner.Histogram("age group", groups=3, error=0.12),
)


def survey(*conditions: object, questions: tuple[object, ...] = QUESTIONS) -> planner.Study:
    return planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(questions, failure=0.05),  # type: ignore[arg-type]
        planner.Individual(1.0, 500.0),
        conditions,  # type: ignore[arg-type]
        planner.Costs(per_person=2.0),
    )


def synthetic(study: planner.Study) -> Synthetic:
    found = by_synthetic_data(study)
    assert found is not None
    return found


def test_the_database_and_the_sample_keep_to_the_smallest_error() -> None:
    database = synthetic(survey())
    assert (database.combinations, database.shares, database.error) == (12, 5, 0.1)
    plan = database.plan
    assert plan is not None
    assert plan.proof.checked
    of_sample = database.of_sample * 0.1
    sample = 2 * 5 * math.exp(-2 * plan.participants * of_sample**2)
    fails = Net(12, 5).failure_probability(plan.epsilon, plan.participants, 0.1 - of_sample)
    assert sample + fails <= 0.05
    assert Mwem(12, 5).epsilon_floor(plan.participants, 0.1 - of_sample, 0.025) > plan.epsilon


def test_no_other_part_for_the_sample_is_much_cheaper() -> None:
    """By the closed floors, over a fine grid of N and of parts."""
    plan = synthetic(survey()).plan
    assert plan is not None
    least = math.inf
    for part in (k / 200 for k in range(1, 200)):
        sufficient = math.log(4 * 5 / 0.05) / (2 * (part * 0.1) ** 2)
        n_epsilon = Net(12, 5).n_epsilon_floor((1 - part) * 0.1, 0.025)
        for n in (sufficient * 1.02**k for k in range(600)):
            if n_epsilon / n < 50:
                least = min(least, n * (math.expm1(n_epsilon / n) + 2))
    assert 0.99 * least <= plan.cost <= 1.05 * least


@pytest.mark.slow
def test_the_table_has_a_column_for_it() -> None:
    comparison = planner.compare(survey())
    at = 1 + columns(comparison).index("synthetic data")
    plan = comparison.synthetic.plan  # type: ignore[union-attr]
    assert plan is not None
    people = next(row for row in rows(comparison) if row[0] == "participants")
    assert people[at] == f"{plan.participants:,}"
    assert any("12 combinations of answers" in words for words in in_words(comparison))
    assert comparison.to_dict()["synthetic"]["plan"]["participants"] == plan.participants


@pytest.mark.parametrize(
    ("study", "why"),
    [
        (survey(planner.MaxParticipants(300)), "at most 300"),
        (survey(planner.MaxParticipants(400)), "no money"),
        (survey(questions=(replace(QUESTIONS[0], times=60),)), "too many"),
    ],
)
def test_where_there_is_none_it_says_why(study: planner.Study, why: str) -> None:
    comparison = planner.compare(study)
    assert synthetic(study).plan is None
    at = 1 + columns(comparison).index("synthetic data")
    assert {row[at] for row in rows(comparison)} == {"none"}
    (words,) = [words for words in in_words(comparison) if "synthetic" in words]
    assert why in words


def test_means_and_surveys_without_a_curator_have_none() -> None:
    mean = planner.Mean("visits", low=0, high=50, error=4.0)
    assert by_synthetic_data(survey(questions=(*QUESTIONS, mean))) is None
    one = planner.Study(planner.LaplaceMean(), planner.Accuracy(0.1, 0.1), planner.Individual(1.0))
    assert by_synthetic_data(one) is None
