"""What a study file leaves out: a mechanism, which its target implies, and payments."""

from pathlib import Path

import pytest

import planner
from planner.study_file.text import StudyFileError

IMPLIED = {
    "target = { error = 0.06, failure = 0.05 }": planner.LaplaceMean(values=None),
    "target = { error = 3, low = 0, high = 100, failure = 0.05 }": planner.LaplaceMean(
        values="any"
    ),
    'target = { kind = "difference", error = 0.1, failure = 0.1 }': planner.NoisyCounts(),
    'target = { kind = "difference", low = 0, high = 9, error = 1, failure = 0.1 }': (
        planner.LaplaceMean(values="any")
    ),
    'target = { kind = "power", null = 0.3, alternative = 0.4 }': planner.NoisyCounts(),
    "target = { error = 0.06, failure = 0.05, curator = false }": planner.RandomizedResponse(),
    'target = { failure = 0.05 }\nquestion = [{ kind = "share", name = "a", error = 0.1 }]': (
        planner.AddedNoise(noise="laplace")
    ),
}


def read(folder: Path, text: str) -> planner.Study:
    path = folder / "study.toml"
    path.write_text(text)
    return planner.read_study(path)


@pytest.mark.parametrize("text", IMPLIED)
def test_a_target_implies_its_mechanism_in_files_and_in_python(tmp_path: Path, text: str) -> None:
    study = read(tmp_path, text)
    assert study.mechanism == IMPLIED[text]
    if "curator" not in text:
        assert planner.Study(target=study.target) == study
    assert (study.individual.base_cost, study.individual.worst_cost) == (0.0, 0.0)


def test_a_mechanism_without_a_kind_has_the_one_that_is_implied(tmp_path: Path) -> None:
    text = 'target = { error = 0.06, failure = 0.05 }\nmechanism = { analysis = "hoeffding" }'
    assert read(tmp_path, text).mechanism == planner.LaplaceMean("hoeffding")


def test_nobody_is_paid_where_nothing_is_said_of_what_people_stand_to_lose(tmp_path: Path) -> None:
    text = "target = { error = 0.06, failure = 0.05 }\nconditions = { epsilon_at_most = 1 }\n"
    plan = planner.solve(read(tmp_path, text + "costs = { per_person = 2 }"))
    assert (plan.compensation, plan.cost) == (0.0, 2 * plan.participants)
    assert plan.epsilon <= 1
    paid = planner.Study(
        target=planner.Accuracy(0.06, 0.05),
        individual=planner.Individual(0.0),
        conditions=[planner.EpsilonAtMost(1.0)],
        costs=planner.Costs(per_person=2.0),
    )
    assert planner.solve(paid).participants == plan.participants


def test_a_curator_is_not_both_there_and_not(tmp_path: Path) -> None:
    text = (
        "target = { error = 0.06, failure = 0.05, curator = false }\n"
        'mechanism = { kind = "laplace-mean" }'
    )
    with pytest.raises(StudyFileError, match=r"leave \[mechanism\] out, or curator"):
        read(tmp_path, text)


def test_a_study_needs_a_target() -> None:
    with pytest.raises(ValueError, match="target is missing"):
        planner.Study(planner.LaplaceMean())
