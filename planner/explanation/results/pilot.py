"""What a pilot shows about base costs, in words."""

import math

from planner.pilot.estimate import Estimate
from planner.pilot.log_normal import Fit
from planner.pilot.worth import HUNDRED, Worth
from planner.wording import at_least, at_most, money, plain

_NEAR = 4
"""Digits of an estimate that people read."""


def title(shown: Estimate) -> str:
    """How many people answered."""
    return f"What {plain(shown.pilot.base.people)} people ask to be paid"


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
    return found + [("warning", one) for one in warnings(shown)] + [("note", one) for one in _NOTES]


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
    people = plain(shown.pilot.base.people)
    half = (
        "half of the people" if not shown.log_normal.never else "half of those who would take part"
    )
    unit = f", in {shown.currency}" if shown.currency else ""
    return [
        f"Base costs{unit}, from what {people} people of a pilot ask to be paid.",
        f"median: {half} have at most this; low and high: its 95 % interval;",
        "spread: two in three lie within this factor of the median; observed: shares of",
        "all people and the base costs that they do not exceed, without an assumption.",
        *_broken(warnings(shown)),
        "Nothing here is private: it stays with those who hold the answers.",
    ]


def worth_title(shown: Worth) -> str:
    """The study."""
    return f"{shown.study.title or 'Study'}: what a larger pilot is worth"


def worth_rows(shown: Worth) -> list[tuple[str, str]]:
    """The cost by the size of the pilot, and where more answers stop paying."""
    currency = shown.study.currency
    found = [(f"{plain(one.answers)} people", money(one.cost, currency)) for one in shown.sizes]
    percent = plain(float(f"{100 * shown.probability:.6g}"))
    hundred = money(HUNDRED * shown.per_answer, currency)
    if shown.enough is None:
        enough = "far more answers would still pay"
    elif shown.enough == shown.answers:
        enough = "the pilot is: the next hundred answers cost more than they save"
    else:
        enough = f"{plain(shown.enough)} answers; from there on the next hundred cost more"
    return [
        *found,
        ("known", f"{money(shown.known, currency)}, if the estimate were the true spread"),
        ("next 100", f"save {money(max(shown.saved, 0.0), currency)} and cost {hundred}"),
        ("enough", enough),
        (
            "note",
            f"Each cost is of the plan that holds for {percent} % of the log-normal spreads which "
            "a pilot of this size leaves plausible, if this pilot's estimate is true; without the "
            "budget, and without rounding to coins.",
        ),
    ]


_NOTES = (
    "What people ask to be paid says what they fear. Nothing here is private: the answers and all "
    "that is computed from them stay with those who hold them.",
)


def _broken(sentences: list[str]) -> list[str]:
    """Sentences, each on a line."""
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
    """A share in whole percent."""
    return f"{100 * share:.0f} %"


def _between(low: float, high: float) -> str:
    """An interval of a share in whole percent, rounded outward."""
    return f"{math.floor(100 * low)} to {math.ceil(100 * high)} %"


def _near(x: float) -> str:
    """An estimate in a few digits."""
    return plain(float(f"{x:.{_NEAR}g}"))


def _money(x: float, shown: Estimate) -> str:
    """An estimated amount."""
    return f"{_near(x)} {shown.currency}".rstrip()


def _ends(fitted: Fit, shown: Estimate) -> str:
    """The interval of a median, rounded outward."""
    high = f"{at_most(fitted.high, _NEAR)} {shown.currency}".rstrip()
    return f"{at_least(fitted.low, _NEAR)} and {high}"
