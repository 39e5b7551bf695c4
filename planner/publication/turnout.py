"""How many people came, which is never as planned: what is published of them, and how accurate.

How many took part is public. Each one's ε stays as they agreed to, so with fewer people errors are
larger, and are computed for their number.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.problem.problem import problem_of
from planner.answer.strata.together import plans_of
from planner.model import Budget
from planner.numbers import decimal
from planner.publication.accuracy import as_planned, failure_as_planned, with_people
from planner.publication.items import Item, rounded_up
from planner.publication.records import Reading
from planner.wording import money, persons, plain, quoted

FEWER = (0.05, 0.1, 0.2)
"""Parts of the planned people; what is lost with them is stated before anybody is asked."""
_MOST_SUM = 2**53
"""Up to which doubles hold whole numbers."""


class Error(NamedTuple):
    """The error of an answer with the people who came.

    Attributes:
        question: its name.
        planned: the planned error, in the unit of the answer.
        error: the error that is computed with those who came.
        planned_failure: the probability at most, computed, that they miss the planned one; None
            where as many came.
        answer_rate: of those who answer, the planned part of all: both errors are of the two
            numbers of all people that are published. None of others.
        proportion: whether both are of a proportion, as fractions of 1.
        width: of the range of a mean of those who answer; else 1.
    """

    question: str
    planned: float
    error: float
    planned_failure: float | None
    answer_rate: float | None = None
    proportion: bool = False
    width: float = 1.0

    def of_answered(self, error: float) -> float | None:
        """What an error means for those who answer, where as many do as planned."""
        if self.answer_rate is None:
            return None
        return float(decimal(error) / decimal(self.answer_rate) * decimal(self.width))


class Turnout(NamedTuple):
    """The people of a publication.

    Attributes:
        people: how many records are used.
        planned: how many were planned.
        asked: the items with these people, and the errors computed with them.
        errors: the same beside the planned ones.
        power: of a test with these people, in floats; None of others.
    """

    people: int
    planned: int
    asked: list[Item]
    errors: tuple[Error, ...]
    power: float | None = None

    def refuse_over(self, most_error: float | str | None) -> None:
        """Refuse errors over those allowed; see `planner.publish`.

        Raises:
            ValueError: an error is larger, or `most_error` is no such limit.
        """
        allowed = _allowed([one.planned for one in self.errors], most_error)
        if all(one.error <= most for one, most in zip(self.errors, allowed, strict=True)):
            return
        worst = max(self.errors, key=lambda one: decimal(one.error) / decimal(one.planned))
        more = f"{max(math.ceil(100 * (worst.error / worst.planned - 1)), 1)}%"
        of_item = f" of {quoted(worst.question)}" if len(self.errors) > 1 else ""
        raise ValueError(
            f"the plan is for {persons(self.planned)}, and with {plain(self.people)} the error"
            f"{of_item} is {plain(worst.error)} in place of {plain(worst.planned)}; collect more "
            f"records, or allow larger errors with --most-error {more}"
        )


def looked_at(
    plan: Plan,
    asked: list[Item],
    reading: Reading,
    most_error: float | str | None = None,
    everyone: bool = False,
) -> tuple[Turnout | None, Reading]:
    """The people of records that were read; the reading has what is wrong with their number."""
    if reading.wrong:
        return None, reading
    found = None
    try:
        found = turnout(plan, asked, reading.count, everyone)
        found.refuse_over(most_error)
    except ValueError as error:
        reading = replace(reading, wrong=(str(error),))
    return found, reading


def turnout(plan: Plan, asked: list[Item], records: int, everyone: bool = False) -> Turnout:
    """The people of a publication of so many records.

    Args:
        plan: the plan.
        asked: its items.
        records: how many there are [≥ 1].
        everyone: whether all are used where there are more than planned.

    Raises:
        ValueError: so many cannot be used, or nothing is certain of so few.
    """
    people = people_of(plan, asked, records, everyone)
    found = with_people(plan, asked, people)
    errors = [
        Error(
            now.name,
            as_planned(was, people).error,
            now.error,
            None if people == plan.participants else failure_as_planned(plan, was, people),
            was.answer_rate,
            _of_proportion(was),
            _width_of_answers(was),
        )
        for now, was in zip(found, asked, strict=True)
    ]
    if people == plan.participants:  # what rounding takes, if anything, is no reason to refuse
        errors = [one._replace(planned=one.error) for one in errors]
    power = None
    if plan.study.power is not None:
        floor = problem_of(plan.study).goals[0].floor
        power = float(1 - floor.achieved(plan.epsilon, people, plan.delta))
    return Turnout(people, plan.participants, found, tuple(errors), power)


def _width_of_answers(item: Item) -> float:
    """The range of a mean of those who answer; else 1."""
    low, high = item.values if item.values and item.answered_mean else (0.0, 1.0)
    return float(decimal(high) - decimal(low))


def _of_proportion(item: Item) -> bool:
    whole = not item.values and (item.low, item.high) in ((0.0, 1.0), (-1.0, 1.0))
    return whole and item.kind in ("share", "histogram", "difference")


def people_of(plan: Plan, asked: list[Item], records: int, everyone: bool = False) -> int:
    """How many of so many records are used.

    Args: as of `turnout`.

    Raises:
        ValueError: there are none, or so many cannot be used.
    """
    most = plan.participants
    if everyone and records > most:
        _refuse_everyone(plan, asked, records)
        most = records
    if not records:
        raise ValueError(f"there are no records, and the plan is for {plain(plan.participants)}")
    return min(records, most)


def with_fewer(plan: Plan, asked: list[Item]) -> list[Turnout]:
    """What fewer people would mean: 5, 10 and 20 % fewer, rounded against the plan.

    Raises:
        ValueError: nothing is certain of so few.
    """
    groups = plan.study.groups
    sizes = {max(fewer_by(plan, part) // groups, 1) * groups for part in FEWER}
    return [turnout(plan, asked, people) for people in sorted(sizes, reverse=True)]


def fewer_by(plan: Plan, part: float) -> int:
    """The people of a plan without a part of them, rounded against it."""
    return max(1, math.floor(plan.participants * (1 - part)))


def paid(
    plan: Plan | StrataPlan | TotalPlan,
    people: Sequence[int],
    records: int,
    owed: Sequence[float] = (),
) -> str:
    """What the people cost beside the budget, in a sentence; empty where nothing costs money.

    Args:
        plan: the plan.
        people: how many take part, of each stratum or group, or of all.
        records: how many records there are.
        owed: what each is paid, of each stratum or of all; empty where it is as planned [money].
    """
    study, parts = plan.study, plans_of(plan)
    people = people if len(people) == len(parts) else [sum(people)]  # of two groups
    cost = 0.0 if isinstance(plan, Plan) else study.costs.overhead
    payments = sorted(owed or {one.compensation for one in parts})
    owed = owed or [one.study.individual.compensation(one.epsilon, one.delta) for one in parts]
    for one, n, payment in zip(parts, people, owed, strict=True):
        cost += one.study.costs.total_of(n, payment)
    if not cost and not payments[-1]:
        return ""
    each = " to ".join(money(x, study.currency) for x in dict.fromkeys((payments[0], payments[-1])))
    to_each = f"{each} to each person" if payments[-1] else "nobody is paid"
    words = f"{to_each}; the study costs {money(cost, study.currency)} with {persons(sum(people))}"
    budgets = [one.money for one in study.conditions if isinstance(one, Budget)]
    if budgets:
        over = ", which is over" if cost > min(budgets) else ", within"
        words += f"{over} the budget of {money(min(budgets), study.currency)}"
    if payments[-1] and records > sum(people):
        words += f"; the other {plain(records - sum(people))} are paid too if they took part"
    return words


def _refuse_everyone(plan: Plan, planned: Sequence[Item], records: int) -> None:
    """Refuse to use more records than planned."""
    sampling = plan.study.sampling
    if sampling.population is not None and records > sampling.population:
        raise ValueError(
            f"there are {plain(records)} records and the population has "
            f"{persons(sampling.population)}; correct population in [sampling]"
        )
    if any(item.steps > 1 and item.steps * records > _MOST_SUM for item in planned):
        raise ValueError(
            f"{plain(records)} records are far more than the {plain(plan.participants)} planned; "
            "plan the study again, or leave everyone out"
        )


def _allowed(planned: Sequence[float], most_error: float | str | None) -> list[float]:
    """The largest error allowed in place of each planned one."""
    text = "0%" if most_error is None else str(most_error).strip()
    try:
        number = Fraction(text.removesuffix("%"))
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if number < 0 or (len(planned) > 1 and not text.endswith("%")):
        one = "" if len(planned) > 1 else f", or an error such as {plain(planned[0])}"
        raise ValueError(
            f"most_error = {most_error!r} is not allowed; give by how much errors may be larger "
            f'than planned, as in "10%"{one}'
        )
    if not text.endswith("%"):
        return [float(number)]
    return [rounded_up(decimal(error) * (1 + number / 100)) for error in planned]
