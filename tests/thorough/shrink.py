"""A study that shows a difference, made as plain as it can be while it still shows it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.thorough.case import APPROXIMATE, Case
from tests.thorough.differences import Difference

Check = Callable[[Case], list[Difference]]
_TRIES = 60
_SECONDS = 30
_DROPPED: tuple[dict[str, object], ...] = (
    {"targeted": None}, {"one_over_n": False}, {"at_least": None}, {"epsilon_at_most": None},
    {"harm": None}, {"budget": None}, {"per_person": 0.0}, {"overhead": 0.0}, {"delta": None},
    {"incentive": 0.0},
    {"capped": False}, {"family": 1}, {"family": 2}, {"worst_cost": None},
    {"mean_range": (0.0, 1.0)},
    {"drawn_from": None}, {"universe_size": 2, "queries": 1}, {"base_cost": 1.0},
    {"base_cost": 0.0},
)  # fmt: skip
_NUMBERS = (
    "error", "failure", "base_cost", "worst_cost", "budget", "harm", "epsilon_at_most",
    "per_person", "overhead",
)  # fmt: skip


def shrunk(difference: Difference, check: Check) -> Difference:
    """The plainest study found that still shows the same difference."""
    tries, started = 0, time.process_time()
    changed = True
    while changed and tries < _TRIES:
        changed = False
        for plainer in _plainer(difference.case):
            tries += 1
            if tries > _TRIES or time.process_time() - started > _SECONDS:
                break
            same = _shown(plainer, difference.property, check)
            if same is not None:
                difference, changed = same, True
                break
    return difference


def _shown(case: Case, name: str, check: Check) -> Difference | None:
    try:
        return next((d for d in check(case) if d.property == name), None)
    except ValueError:  # not a study
        return None


def _plainer(case: Case) -> Iterator[Case]:
    """Studies that are a little plainer, the plainest first."""
    for change in _DROPPED:
        plainer = replace(case, **change)  # type: ignore[arg-type]
        if plainer != case and _whole(plainer):
            yield plainer
    for people in (1, 2, 3, 5, 10, case.people // 2, case.people - 1):
        if 1 <= people < case.people:
            yield replace(case, people=people)
    for name in _NUMBERS:
        value = getattr(case, name)
        if not value:
            continue
        for digits in (1, 2, 3):
            rounder = float(f"{value:.{digits}g}")
            if rounder != value:
                plainer = replace(case, **{name: rounder})
                if _whole(plainer):
                    yield plainer


def _whole(case: Case) -> bool:
    """Whether the study has all that it needs."""
    if case.mechanism in APPROXIMATE and (case.delta is None or case.worst_cost is None):
        return False
    if case.worst_cost is None:
        return not case.capped and not case.delta
    return case.worst_cost >= case.base_cost
