"""The studies that the gallery draws."""

import planner
from planner import scenarios


def worked(name: str) -> planner.Study:
    """One of Hsu14's worked studies."""
    return planner.read_study(scenarios.WORKED_STUDIES / f"{name}.toml")


def four_studies() -> list[planner.Study]:
    """The four mean studies of Hsu14 §5.2."""
    return [planner.read_study(path) for path in scenarios.four_scenarios()]


def study_name(study: planner.Study) -> str:
    """The name of a worked study, without its source."""
    return study.title.partition(",")[0]


def ordinary_survey() -> planner.Study:
    """Twelve yes/no questions, a histogram of ages and a mean, asked to at most 6,000 people."""
    questions = (
        planner.Share("yes/no questions", error=0.03, times=12),
        planner.Histogram("age group", groups=8, error=0.03),
        planner.Mean("visits", low=0, high=200, error=5.0),
    )
    return planner.Study(
        mechanism=planner.AddedNoise(),
        target=planner.Survey(questions, failure=0.05),
        individual=planner.Individual(1.0),
        conditions=(planner.Budget(60_000.0), planner.MaxParticipants(6000)),
        costs=planner.Costs(5.0),
        title="An ordinary survey",
        currency="EUR",
    )
