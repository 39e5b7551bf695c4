"""Results: what was published, and the files that hold it."""

import csv
import io
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from planner.show import Shown, as_json, view

_COLUMNS = (
    *("question", "group", "answer", "error", "failure", "nearest_possible"),
    *("interval_low", "interval_high", "noise_error", "sampling_error", "fitted"),
)
"""Of a table of results."""
ENDINGS = (".json", ".csv", ".html", ".htm")
"""Of files of results."""


@dataclass(frozen=True)
class Published:
    """One published answer.

    Attributes:
        name: of the question.
        kind: "share", "count", "histogram", "mean" or "quantile".
        answer: the number, or those of all groups; of a quantile the chosen candidate. Noise can
            move it out of the range of possible values.
        error: it is off by this or more with probability at most `failure`; of a quantile, in rank.
        failure: of this answer.
        noise: the kind of noise.
        scale: of the noise on the sums; None where people randomised their answers.
        nearest: the possible values nearest to the answer, which are off by no more.
        groups: the names of its groups; empty where they have none.
        interval: [low, high], in which the true value is, except with probability `failure`;
            of groups one each, all of which hold together. None of a quantile.
        noise_error: what noise alone moves a number by, or farther, with probability `failure` at
            most; of groups with its part of it. None of a quantile and of randomised answers.
        sampling_error: the same of drawing people alone; None also of a count.
        fitted: of a histogram, the shares nearest to its answer that are not negative and add up to
            one; off by less than twice `error` where the answer is off by less than `error`.
        planned_error: the error that was planned; None where as many people came as planned.
        planned_failure: the probability at most, proved, that it is missed with those who came.
    """

    name: str
    kind: str
    answer: float | list[float]
    error: float
    failure: float
    noise: str
    scale: float | None
    nearest: float | list[float] | None = None
    groups: tuple[str, ...] = ()
    interval: list[float] | list[list[float]] | None = None
    noise_error: float | None = None
    sampling_error: float | None = None
    fitted: list[float] | None = None
    planned_error: float | None = None
    planned_failure: float | None = None

    @property
    def intervals(self) -> list[list[float]]:
        """The interval of each number; empty where there are none."""
        if self.interval is None:
            return []
        found = [one for one in self.interval if isinstance(one, list)]
        return found or [[end for end in self.interval if not isinstance(end, list)]]


@dataclass(frozen=True, repr=False)
class Publication(Shown):
    """What was published.

    Attributes:
        title: of the study.
        published: the time, in UTC.
        participants: N, how many people's records were used.
        epsilon, delta: what each person's privacy has been promised.
        failure: the probability that any of the answers is off by its error or more.
        answers: each answer.
        privacy: by what the privacy is shown, in sentences.
        plan: the digest of the plan.
        certificate: SHA-256 of the plan's certificate, or empty.
        rehearsed: whether the records were invented.
        notes: further remarks, in sentences.
        planned: how many people were planned; None where as many came.
        records: what was recognised of the records; shown, and not in the results.
        paid: what the people cost beside the budget; shown, and not in the results.
    """

    title: str
    published: str
    participants: int
    epsilon: float
    delta: float
    failure: float
    answers: tuple[Published, ...]
    privacy: str
    plan: str
    certificate: str = ""
    rehearsed: bool = False
    notes: tuple[str, ...] = ()
    planned: int | None = None
    records: str = field(default="", compare=False)
    paid: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as the results file holds it."""
        data = asdict(self)
        del data["records"], data["paid"]  # of records beyond those used, and of money
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The publication of plain data, as a results file holds it."""
        answers = tuple(
            Published(**{**one, "groups": tuple(one.get("groups", ()))}) for one in data["answers"]
        )
        return cls(**{**data, "answers": answers, "notes": tuple(data["notes"])})

    def text(self, ending: str) -> str:
        """What a file of results holds, by its ending: JSON, CSV or a page."""
        match ending.lower():
            case ".json":
                return as_json(self.to_dict()) + "\n"
            case ".csv":
                return self._as_csv()
        return str(view(type(self), "page")(self))

    def _as_csv(self) -> str:
        """A line for each number that is published."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for one in self.answers:
            several = isinstance(one.answer, list)
            answers = one.answer if isinstance(one.answer, list) else [one.answer]
            near = one.nearest if isinstance(one.nearest, list) else [one.nearest]
            groups = one.groups or (range(len(answers)) if several else [""])
            ends: list[Any] = list(one.intervals) or [("", "")] * len(answers)
            fitted: list[Any] = one.fitted or [None] * len(answers)
            alone = (one.noise_error, one.sampling_error)
            for group, answer, possible, interval, fit in zip(
                groups, answers, near, ends, fitted, strict=True
            ):
                line = (one.name, group, answer, one.error, one.failure, possible)
                writer.writerow((*line, *interval, *alone, fit))
        return file.getvalue()
