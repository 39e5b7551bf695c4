"""What a pilot shows about base costs, in words."""

import math

from planner.pilot.estimate import Estimate
from planner.pilot.log_normal import Fit
from planner.wording import at_least, at_most, persons, plain

_NEAR = 4
"""Digits of an estimate that people read."""


def title(shown: Estimate) -> str:
    """How many people answered."""
    return f"What {persons(shown.pilot.people)} ask to be paid"


def rows(shown: Estimate) -> list[tuple[str, str]]:
    """The median, how far people differ, what was observed, and what to beware of."""
    fitted = shown.log_normal
    found = [
        ("base cost", f"{_money(fitted.median, shown)}, of half of those who would take part"),
        ("", f"between {_ends(fitted, shown)} with 95 % confidence, if log-normal"),
        ("people differ", f"two in three by at most a factor of {_near(fitted.spread)}"),
    ]
    if fitted.never:
        found.append(
            ("would never", f"{_percent(fitted.never)} would not take part for any payment")
        )
    if shown.worst_cost is not None:
        worst = shown.worst_cost
        found += [
            ("worst cost", f"{_money(worst.median, shown)}, of half of those who would take part"),
            ("", f"between {_ends(worst, shown)} with 95 % confidence, if log-normal"),
        ]
    found.append(("observed", _observed(shown)))
    found += [("warning", one) for one in warnings(shown)]
    return [*found, ("note", _NOT_PRIVATE)]


def warnings(shown: Estimate) -> list[str]:
    """Where the two estimates disagree, and what is extrapolated."""
    found = []
    if shown.disagreement is not None:
        cost, share, low, high = shown.disagreement
        found.append(
            f"The spread is hardly log-normal: by it {_percent(share)} have a base cost of at most "
            f"{_money(cost, shown)}, and the answers allow {_between(low, high)}. "
            'Give curve = "observed" beside pilot in the study file.'
        )
    fitted = shown.log_normal
    if fitted.high > shown.largest:
        what = "median" if fitted.median > shown.largest else "upper end of the interval"
        found.append(
            f"The largest base cost that was asked about is {_money(shown.largest, shown)}: the "
            f"{what} lies above it and is extrapolated."
        )
    return found


def comment(shown: Estimate) -> list[str]:
    """What stands at the head of the file of costs."""
    people = plain(shown.pilot.people)
    half = (
        "half of the people" if not shown.log_normal.never else "half of those who would take part"
    )
    unit = f", in {shown.currency}" if shown.currency else ""
    return [
        f"Base costs{unit}, from what {people} people of a pilot ask to be paid.",
        f"median: {half} have at most this; low and high: its 95 % interval;",
        "spread: two in three lie within this factor of the median; observed: proportions of",
        "all people and the base costs that they do not exceed, without an assumption;",
        "intervals: base cost, observed proportion, and the ends of its 95 % interval.",
        *_broken(warnings(shown)),
        "Nothing here is private: it stays with those who hold the answers.",
    ]


_NOT_PRIVATE = (
    "What people ask to be paid says what they fear. The answers stay with you. Nothing printed "
    "here is protected: whoever sees it learns something about the people who gave them, and that "
    "counts as a loss of theirs."
)


def _broken(sentences: list[str]) -> list[str]:
    return [f"Warning: {sentence}" for sentence in sentences]


def _observed(shown: Estimate) -> str:
    """Three points of the observed curve, without an assumption."""
    observed = shown.observed
    last = observed.costs.size - 1
    at = sorted({last // 4, last // 2, last})
    return "; ".join(
        f"{_percent(float(observed.shares[i]))} "
        f"({_between(float(observed.low[i]), float(observed.high[i]))}) have at most "
        f"{_money(float(observed.costs[i]), shown)}"
        for i in at
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _between(low: float, high: float) -> str:
    """An interval of a proportion in whole percent, rounded outward."""
    return f"{math.floor(100 * low)} to {math.ceil(100 * high)} %"


def _near(x: float) -> str:
    return plain(float(f"{x:.{_NEAR}g}"))


def _money(x: float, shown: Estimate) -> str:
    return f"{_near(x)} {shown.currency}".rstrip()


def _ends(fitted: Fit, shown: Estimate) -> str:
    """The interval of a median, rounded outward."""
    high = f"{at_most(fitted.high, _NEAR)} {shown.currency}".rstrip()
    return f"{at_least(fitted.low, _NEAR)} and {high}"
