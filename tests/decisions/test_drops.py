"""Which questions of an infeasible survey to drop, and how many of those alike."""

from dataclasses import replace

import pytest

import planner

ALIKE = planner.Share("yes/no", error=0.05, times=12)
QUESTIONS = (ALIKE, planner.Share("smokes", error=0.04))


def survey(*questions: planner.Share, money: float) -> planner.Study:
    return planner.Study(
        planner.AddedNoise("laplace", "hoeffding"),
        planner.Survey(questions, failure=0.05),
        planner.Individual(1.0),
        [planner.Budget(money), planner.MaxParticipants(5_000)],
        planner.Costs(per_person=1.0),
    )


def verdict(study: planner.Study, survey: planner.Survey) -> str:
    return planner.solve(replace(study, target=survey)).verdict


@pytest.mark.slow
def test_no_more_of_the_questions_alike_are_dropped_than_needed() -> None:
    study = survey(*QUESTIONS, money=6_000.0)
    assert planner.solve(study).verdict == "infeasible"
    drop = next(drop for drop in planner.drops(study) if drop.questions == ("yes/no",))
    (count,) = drop.times
    assert 1 < count < 12
    assert f"{count} of the 12 'yes/no'" in str(drop)
    assert drop.to_dict()["times"] == [count]
    assert verdict(study, study.survey.without("yes/no", count)) == "feasible"
    assert verdict(study, study.survey.without("yes/no", count - 1)) == "infeasible"


@pytest.mark.slow
@pytest.mark.parametrize("questions", [(ALIKE,), QUESTIONS])
def test_all_but_one_may_have_to_go(questions: tuple[planner.Share, ...]) -> None:
    study = survey(*questions, money=2_400.0)
    (drop,) = planner.drops(study)
    counts = dict(zip(drop.questions, drop.times, strict=True))
    assert 1 < counts["yes/no"] < 12
    assert len(counts) == len(questions)
    rest = study.survey
    for name, count in counts.items():
        rest = rest.without(name, count)
    assert rest.asked == 12 - counts["yes/no"]
    assert verdict(study, rest) == "feasible"


def test_without_some_of_the_questions_alike() -> None:
    asked = planner.Survey(QUESTIONS, failure=0.05)
    assert asked.without("yes/no", 5).question("yes/no").times == 7
    assert asked.without("yes/no", 12) == asked.without("yes/no")
