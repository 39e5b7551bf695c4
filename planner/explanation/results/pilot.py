"""What a pilot shows about base costs, in words."""

import math

from planner.pilot.estimate import Estimate
from planner.pilot.log_normal import Fit
from planner.pilot.release import Release
from planner.pilot.worth import HUNDRED, Worth
from planner.wording import at_least, at_most, money, plain

_NEAR = 4
"""Digits of an estimate that people read."""


def title(shown: Estimate) -> str:
    """How many people answered."""
    return f"What {plain(shown.pilot.people)} people ask to be paid"


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
    if shown.release is None:
        return [*found, ("note", _NOT_PRIVATE)]
    return found + _of_release(shown, shown.release)


def _of_release(shown: Estimate, release: Release) -> list[tuple[str, str]]:
    """What a private pilot publishes of whom, and what that costs."""
    off, owed = plain(release.off), shown.owed
    assert owed is not None  # as something was published
    rows = [
        ("private", f"each answer is exposed to ε = {plain(release.epsilon)}, and nothing else is"),
        (
            "noise",
            f"adds to or hides of each count {off} people at most, with 95 % probability; all "
            "above is computed from the noisy counts, and its intervals allow for the noise",
        ),
        (
            "owed",
            f"{at_most(owed, _NEAR)} {shown.currency}".rstrip()
            + " to each person of the pilot, for this ε at the base cost above",
        ),
        ("note", _PUBLIC),
        ("note", _ADDS_UP),
    ]
    if release.left_out:
        rows.append(("note", _LEFT_OUT.format(plain(release.left_out))))
    return rows


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
        *_protection(shown),
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


_NOT_PRIVATE = (
    "What people ask to be paid says what they fear. The answers stay with you. Nothing printed "
    "here is protected: whoever sees it learns something about the people who gave them, and that "
    "counts as a loss of theirs. --private-epsilon publishes it with noise."
)
_PUBLIC = (
    "Private is what a person answered; who was asked, and about which payment, is taken to be "
    "known. Neighbouring pilots differ in one answer."
)
_ADDS_UP = (
    "Every run with --private-epsilon draws new noise and is not in the ledger: ε of all runs adds "
    "up, those that fail after the noise is drawn included. Run it once."
)
_LEFT_OUT = "Nothing is published of what {} people answered about certain publication."


def _protection(shown: Estimate) -> list[str]:
    """Whether what stands in the file is private."""
    if shown.release is None:
        return ["Nothing here is private: it stays with those who hold the answers."]
    epsilon = plain(shown.release.epsilon)
    return [
        f"Computed from noisy counts alone: each answer is exposed to ε = {epsilon} by it, and",
        "to more by every other publication of these answers.",
    ]


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
    """A proportion in whole percent."""
    return f"{100 * share:.0f} %"


def _between(low: float, high: float) -> str:
    """An interval of a proportion in whole percent, rounded outward."""
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
