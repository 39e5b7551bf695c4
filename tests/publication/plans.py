"""Small plans of each kind that can be published, and records for them."""

import csv
from functools import cache
from pathlib import Path

import planner
from planner.mechanisms import Mechanism
from planner.publication.items import items
from planner.publication.publish import write_records
from planner.publication.records import Sums

PERSON = planner.Individual(1.0, 1000.0)
TARGET = planner.Accuracy(0.2, 0.1)
QUESTIONS = (
    planner.Share("smokes", error=0.2, times=2),
    planner.Histogram("age", groups=3, error=0.2),
    planner.Mean("cigarettes", low=0, high=60, error=12.0),
    planner.Quantile("income", candidates=10, error=0.2),
)
CHEAP = planner.Costs(per_person=1.0)


def study(mechanism: Mechanism, target=TARGET, *conditions) -> planner.Study:
    return planner.Study(mechanism, target, PERSON, conditions, CHEAP, "Test", "EUR")


WORDS = (
    planner.Share("smokes", error=0.2, column="Q7", yes=["ja", "Ja"], no="nein", missing="no"),
    planner.Histogram("age", labels=["18-24", "25-34"], error=0.2, missing="own"),
    planner.Histogram("income", bins=[0, 1000, 5000], error=0.2),
    planner.Histogram("group", groups=2, error=0.2, missing="own"),
)
ANSWERED = (
    planner.Share("smokes", error=0.25, column="Q7", yes="ja", missing="own", answer_rate=0.8),
    planner.Share("drinks", error=0.2, times=2),
)
BY_GROUP = (
    planner.ShareByGroup(
        "smokes", by="age", labels=["18-24", "25-34", "35+"], error=0.4, share_at_least=0.2,
        column="Q7", yes="ja",
    ),
    planner.Share("drinks", error=0.2),
)  # fmt: skip
SURVEY = planner.Survey(QUESTIONS, 0.1)
STUDIES = {
    "laplace": study(planner.LaplaceMean()),
    "numbers": study(planner.LaplaceMean("hoeffding"), planner.Accuracy.of_values(2.0, 0, 10, 0.1)),
    "geometric": study(planner.GeometricMean()),
    "gaussian": study(planner.GaussianMean(), TARGET, planner.Delta(1e-4)),
    "count": study(planner.GeometricCount(), TARGET, planner.MaxParticipants(1000)),
    "reports": study(planner.RandomizedResponse()),
    "survey": study(planner.AddedNoise("laplace"), SURVEY),
    "words": study(planner.AddedNoise("laplace"), planner.Survey(WORDS, 0.1)),
    "answered": study(planner.AddedNoise("laplace"), planner.Survey(ANSWERED, 0.1)),
    "by group": study(planner.AddedNoise("laplace"), planner.Survey(BY_GROUP, 0.1)),
    "gaussian by group": study(
        planner.AddedNoise("gaussian"), planner.Survey(BY_GROUP, 0.1), planner.Delta(1e-4)
    ),
    "gaussian survey": study(
        planner.AddedNoise("gaussian", "hoeffding"),
        planner.Survey(QUESTIONS[:3], 0.1),
        planner.Delta(1e-4),
    ),
    "mixed survey": study(
        planner.AddedNoise("gaussian"), planner.Survey(QUESTIONS, 0.1), planner.Delta(1e-4)
    ),
}


@cache
def plan(name: str) -> planner.answer.Plan:
    answer = planner.solve(STUDIES[name])
    assert isinstance(answer, planner.answer.Plan)
    return answer


def records(folder: Path, of: planner.answer.Plan, proportion: float = 0.5) -> Path:
    path = folder / "records.csv"
    write_records(path, items(of), of.participants, proportion)
    return path


def rewritten(path: Path, line: int, column: str, value: str) -> Path:
    """The records with one value replaced; the header is line 1."""
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    rows[line - 1][rows[0].index(column)] = value
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def with_rows(path: Path, extra: int) -> Path:
    """The records with the first ones again, or with fewer."""
    lines = path.read_text().splitlines(keepends=True)
    head, body = lines[0], lines[1:]
    body = body + body[:extra] if extra > 0 else body[:extra]
    path.write_text(head + "".join(body))
    return path


def sums(of: dict[str, object]) -> Sums:
    """What would be computed of records."""
    return Sums(of)
