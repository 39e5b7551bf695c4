"""A plan with strata: of each stratum the error of its answer, its people, ε, payment and cost.

The name of a stratum stands over its mark, so that long names fit narrow pictures too.
"""

from dataclasses import replace
from typing import NamedTuple

from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from planner.answer.answers import Answer, Plan, StrataPlan, TotalPlan
from planner.answer.solve import solve
from planner.answer.strata.share import StratumShare
from planner.answer.strata.together import failure_of
from planner.explanation.amounts import unit
from planner.explanation.results.strata import alike, alike_shares, named
from planner.figures.curves import FLOORS, PLAN
from planner.figures.fit import among_others, name, size_of, text, title, width
from planner.model import Budget, MaxParticipants, Study
from planner.numbers import decimal
from planner.wording import at_most, confidence, money, payment, plain

_MOST = 40
"""Strata that are drawn."""
_TICKS = 4
"""Numbers on the axis, which the marks take a part of."""


class _Row(NamedTuple):
    """One stratum, or several alike.

    Attributes:
        name: of it.
        size: the error, or the number of people where strata have no error of one unit.
        words: what stands beside the mark.
        total: whether it is the answer for all people.
    """

    name: str
    size: float
    words: str
    total: bool = False


def draw(axes: Axes, plan: StrataPlan | TotalPlan, panel: bool | None = None) -> None:
    """Draw a plan with strata on `axes`: errors as intervals, else people as dots.

    Args:
        axes: where to draw.
        plan: the plan.
        panel: whether `axes` is one of several beside each other; the words are then short.
    """
    panel = among_others(axes) if panel is None else panel
    errors, rows = _is_of_errors(plan), _rows(plan)
    size, across = rcParams["font.size"], size_of(axes)[0]
    longest = 0.0
    for at, row in enumerate(rows):
        color = PLAN if row.total else FLOORS
        words = row.words.split("; ")[0] if panel else row.words
        if errors:
            axes.plot([-row.size, row.size], [at, at], "|-", color=color, lw=2, markersize=9)
        else:
            axes.plot([0, row.size], [at, at], "-", color=color, lw=1)
        axes.plot(0 if errors else row.size, at, "o", color=color, markersize=6)
        axes.annotate(text(row.name), (0, at - 0.2), (2, 0), va="bottom",
                      xycoords=("axes fraction", "data"), textcoords="offset points")  # fmt: skip
        axes.annotate(words, (row.size, at), (7, 0), textcoords="offset points", va="center")
        longest = max(longest, width(words, size))
    largest = max(row.size for row in rows)
    room = 1 - min((longest + 2 * size) / across, 0.7)  # what the words leave
    start = -1.05 * largest if errors else 0.0
    axes.set(xlim=(start, start + (largest - start) / room), ylim=(len(rows) - 0.5, -0.8))
    axes.set_yticks([])
    ticks = MaxNLocator(_TICKS).tick_values(-largest if errors else 0.0, largest)
    axes.set_xticks([x for x in ticks if start <= x <= 1.05 * largest])
    axes.spines[["top", "right", "left"]].set_visible(False)
    more = _count(plan) - len(rows) + any(row.total for row in rows)
    beside = f"; {plain(more)} more are not drawn" if more > 0 else ""
    if errors:
        of = unit(plan.study, "error")
        name(axes, f"margin of error{f' [{of}]' if of else ''}{beside}", "", short_x="error")
    else:
        name(axes, f"people{beside}", "", short_x="people")
    title(axes, f"{plan.study.title or 'Study'}: {_in_all(plan)}")


def draw_none(axes: Axes, answer: Answer, panel: bool | None = None) -> None:
    """Draw the cheapest study without a budget and a cap on people, where there is none with them.

    Raises:
        ValueError: there is none without them either.
    """
    study = answer.study
    others = (c for c in study.conditions if not isinstance(c, Budget | MaxParticipants))
    free = solve(replace(study, conditions=tuple(others)), prove=False)
    if not isinstance(free, StrataPlan | TotalPlan):
        raise ValueError(
            "no study is found even without a budget and a cap on people, so there is nothing to "
            "draw; give larger errors"
        )
    draw(axes, free, panel)
    title(axes, f"{study.title or 'Study'}: {answer.verdict}; without its limits {_in_all(free)}")


def _in_all(plan: StrataPlan | TotalPlan) -> str:
    people = f"{plain(plan.participants)} people"
    return people if not plan.cost else f"{money(plan.cost, plan.study.currency)}, {people}"


def height(plan: StrataPlan | TotalPlan) -> float:
    """How high the picture should be [inches]."""
    return 1.2 + 0.44 * len(_rows(plan))


def _is_of_errors(plan: StrataPlan | TotalPlan) -> bool:
    """Whether each stratum has an error, all in one unit."""
    return isinstance(plan, StrataPlan) and plan.study.survey is None


def _count(plan: StrataPlan | TotalPlan) -> int:
    return len(alike(plan) if isinstance(plan, StrataPlan) else alike_shares(plan))


def _rows(plan: StrataPlan | TotalPlan) -> list[_Row]:
    currency = plan.study.currency
    if isinstance(plan, TotalPlan):
        return [
            _Row(named(names), share.participants,
                 _words(share, currency))
            for share, names in alike_shares(plan)[:_MOST]
        ]  # fmt: skip
    errors, found = _is_of_errors(plan), []
    for names, one in alike(plan)[:_MOST]:
        error = 0.0
        if errors:
            target = one.study.accuracy
            error = _in_points(plan.study, target.in_unit(target.error))
        words = _words(one, currency)
        if errors:
            found.append(_Row(named(names), error, f"± {at_most(error)}; {words}"))
        else:
            found.append(_Row(named(names), one.participants, words))
    if plan.total_error:
        how = f"at {confidence(failure_of(plan.study))} for this answer alone"
        error = _in_points(plan.study, plan.total_error)
        found.append(_Row("all people", error, f"± {at_most(error)}; {how}", total=True))
    return found


def _in_points(study: Study, error: float) -> float:
    """An error in the unit of the answer, of proportions in percentage points."""
    return float(100 * decimal(error)) if unit(study, "error") else error


def _words(one: Plan | StratumShare, currency: str) -> str:
    """Who is asked, at which ε, for which money."""
    each = [f"{payment(one.compensation, currency)} each"] * bool(one.compensation)
    cost = [money(one.cost, currency)] * bool(one.cost)
    people = f"{plain(one.participants)} people"
    return "; ".join([people, f"ε = {at_most(one.epsilon, 3)}", *each, *cost])
