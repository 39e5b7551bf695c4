"""A study as tables, read again."""

from pathlib import Path

import pytest

import planner
from planner.model import BadEvent
from planner.study_file.reader import study_of
from planner.study_file.tables import tables_of

ROOT = Path(__file__).parents[2]
SMALL = planner.Accuracy(0.05, 0.05)
PERSON = planner.Individual(12.5, 12_500.0)
QUESTIONS = (
    planner.Share("smokes", error=0.03, times=2),
    planner.Histogram("age", groups=8, error=0.03),
    planner.Mean("cigarettes", low=0, high=60, error=2.0),
)
STUDIES = [
    planner.Study(planner.LaplaceMean(), SMALL, PERSON, [planner.Budget(30_000)]),
    planner.Study(
        planner.LaplaceMean("hoeffding", (0.1, 0.4)),
        planner.Accuracy.of_values(2.0, 0, 60, 0.05),
        planner.Individual(12.5, 12_500.0, True, breach=0.01),
        [planner.MaxHarm(3.0), planner.MinParticipants(10), planner.MaxParticipants(4000)],
        planner.Costs(2.0, 500.0, 0.5),
        "A study",
        "EUR",
        planner.Sampling(population=9_000, response_rate=0.4, design_effect=1.5),
    ),
    planner.Study(
        planner.GaussianMean(),
        planner.Accuracy(0.1, 0.6),
        PERSON,
        [planner.EpsilonAtMost(2.0), planner.DeltaAtMost(1e-6), planner.DeltaTimesNAtMost(0.01)],
    ),
    planner.Study(
        planner.AddedNoise(), planner.Survey(QUESTIONS, 0.05), PERSON, [planner.Delta(1e-9)]
    ),
    planner.Study(
        planner.LaplaceMean(),
        SMALL,
        planner.Individual(3.0, event=BadEvent(0.1, 30.0, "it leaks"), family=2),
    ),
    *(
        planner.Study(
            planner.LaplaceMean(),
            SMALL,
            planner.Individual.of_people(planner.People(costs, 0.75), 99.0),
        )
        for costs in (
            planner.model.Groups([(0.3, 1.0), (0.7, 2.5)]),
            planner.model.LogNormal(12.5, 2.0),
            planner.model.Triangular(1.0, 2.0, 4.0),
        )
    ),
]


def test_a_study_is_read_again_from_its_tables():
    for study in STUDIES:
        assert study_of(tables_of(study), "tables") == study


def test_the_worked_studies_survive():
    for file in sorted(ROOT.glob("scenarios/hsu14/*")):
        study = planner.read_study(file)
        assert study_of(tables_of(study), "tables") == study


def test_means_of_numbers_keep_the_error_in_their_unit():
    for error, low, high in ((2.0, 0, 60), (0.1, -3.7, 11.3), (1e-7, 1e6, 2e6), (1 / 3, 0, 7)):
        target = planner.Accuracy.of_values(error, low, high, 0.05)
        study = planner.Study(planner.LaplaceMean("hoeffding"), target, PERSON)
        assert tables_of(study)["target"]["error"] == error


def test_what_is_feared_is_explained_with_one_base_cost_only():
    data = tables_of(next(s for s in STUDIES if s.individual.event))
    del data["individual"]["base_cost"]
    data["individual"]["scenario"] = "smoking"
    with pytest.raises(ValueError, match="give base_cost, or leave event out"):
        study_of(data, "study.toml")
    data = tables_of(next(s for s in STUDIES if s.individual.event))
    data["individual"]["event"]["probability"] = 1.5
    with pytest.raises(ValueError, match=r"individual\.event\.probability = 1\.5"):
        study_of(data, "study.toml")
