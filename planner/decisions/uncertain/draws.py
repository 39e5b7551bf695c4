"""Sampled studies: which are feasible, and the share of them with its confidence interval.

Harder inputs only turn a yes into a no, so that few of many studies are decided one by one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from planner.answer.answers import Plan, study_of
from planner.answer.problem.problem import TOLERANCE
from planner.answer.problem.vary import with_values
from planner.answer.search.decide import (
    FEASIBLE,
    INFEASIBLE,
    UNDECIDED,
    VERDICTS,
    decide,
)
from planner.answer.search.many import in_arrays
from planner.answer.solve import solve
from planner.libraries import np, scipy
from planner.mechanisms import Mechanism
from planner.model import Choice, Study
from planner.numbers import Array
from planner.quantities import ACCURACY, QUANTITIES

Values = dict[str, Array]
YES, NO, UNKNOWN = FEASIBLE, INFEASIBLE, UNDECIDED


class Proposed(NamedTuple):
    """The answer of one of many studies, proved only near an edge.

    Attributes:
        verdict: 1 feasible, 0 infeasible, −1 undecided.
        choice: ε, δ and N of the cheapest plan, if feasible.
        mechanism: by which it is.
    """

    verdict: int
    choice: Choice | None
    mechanism: Mechanism


def proposed(one: Study) -> Proposed:
    """The answer of one of many studies, which is not proved."""
    answer = solve(one, prove=False)
    if isinstance(answer, Plan):
        choice = Choice(answer.epsilon, answer.delta, answer.participants)
        return Proposed(YES, choice, answer.study.mechanism)
    return Proposed(VERDICTS[answer.verdict], None, study_of(one).mechanism)


def varies_accuracy(names: Iterable[str]) -> bool:
    """Whether some of the quantities change the required accuracy."""
    return any(name in ACCURACY for name in names)


def feasible(study: Study, values: Values) -> Array:
    """The verdict on each sampled study: 1 feasible, 0 infeasible, −1 undecided."""
    if in_arrays(study, set(values)):
        return decide(study, values, "cost", TOLERANCE).verdict
    return answered(_hardness(values), lambda row: proposed(_one(study, values, row)).verdict)


def _one(study: Study, values: Values, row: int) -> Study:
    return with_values(study, {name: float(value[row]) for name, value in values.items()})


def _hardness(values: Values) -> Array:
    return np.stack(
        [v if QUANTITIES[name].more_is_harder else -v for name, v in values.items()], axis=1
    )


def answered(hardness: Array, ask: Callable[[int], int]) -> Array:
    """The answer in each case, with few evaluations.

    A yes decides every case that is no harder in any input, a no every case that is no easier.
    Open cases are bisected, so with one input the number of evaluations is logarithmic.

    Args:
        hardness: the inputs of each case, larger meaning harder; shape (cases, inputs).
        ask: the answer in the case of a row: yes 1, no 0, unknown −1, which decides no other case.
    """
    answers = np.full(len(hardness), UNKNOWN, np.int8)
    ranks = np.argsort(np.argsort(hardness, axis=0, kind="stable"), axis=0, kind="stable")
    open_ = np.argsort(ranks.sum(axis=1), kind="stable")
    while open_.size:
        at = len(open_) // 2
        row = open_[at]
        answer = ask(int(row))
        answers[row] = answer
        settled = np.zeros(len(open_), bool)
        if answer == YES:
            settled = (hardness[open_] <= hardness[row]).all(axis=1)
        elif answer == NO:
            settled = (hardness[open_] >= hardness[row]).all(axis=1)
        answers[open_[settled]] = answer
        settled[at] = True
        open_ = open_[~settled]
    return answers


@dataclass(frozen=True)
class Share:
    """A probability, estimated from a sample.

    Attributes:
        value: the proportion in the sample.
        low, high: its Clopper-Pearson interval; undecided draws count for either.
    """

    value: float
    low: float
    high: float


def interval(yes: int, draws: int, confidence: float, undecided: int = 0) -> Share:
    """The Clopper-Pearson interval of a proportion, where undecided draws count for either."""
    tail, most = (1 - confidence) / 2, yes + undecided
    low = float(scipy.special.betaincinv(yes, draws - yes + 1, tail)) if yes else 0.0
    high = (
        float(scipy.special.betaincinv(most + 1, draws - most, 1 - tail)) if most < draws else 1.0
    )
    return Share(yes / draws, low, high)
