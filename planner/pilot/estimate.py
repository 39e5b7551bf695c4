"""The spread of base costs that a pilot shows, estimated in two ways, and where these disagree."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from planner.checks import named_currency
from planner.libraries import np
from planner.numbers import Array, round_down, round_up
from planner.output import check_target, write_whole
from planner.pilot.acceptance import AcceptanceCurve, acceptance_curve, band
from planner.pilot.answers import Pilot
from planner.pilot.log_normal import Fit, fit
from planner.show import Shown, view
from planner.study_file.costs_file import CONFIDENCE, read_costs
from planner.study_file.writer import value_text

ENDING = ".toml"
_DIGITS = 6
"""Of what is estimated; a pilot of a million people has an error in the third."""
_BARS = 30
"""Intervals in a file: as many as pictures tell apart."""
_MOST_POINTS = 500
"""Of the observed curve in a file: a study file holds 64,000 bytes, a point 30."""


class Disagreement(NamedTuple):
    """An amount at which the log-normal spread lies outside of what the answers allow.

    Attributes:
        cost: the amount [money].
        share: of all people, by the log-normal spread.
        low: the least that the answers allow, for all amounts at once.
        high: the most.
    """

    cost: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Estimate(Shown):
    """What a pilot shows about base costs.

    Attributes:
        pilot: its answers.
        observed: the proportions at the payments that were asked about, without an assumption.
        log_normal: the spread as log-normal.
        worst_cost: the spread of the cost of certain publication; None where nobody was asked.
        disagreement: where the two disagree most; None where they are compatible.
        currency: of all amounts.
    """

    pilot: Pilot
    observed: AcceptanceCurve
    log_normal: Fit
    worst_cost: Fit | None
    disagreement: Disagreement | None
    currency: str

    @property
    def largest(self) -> float:
        """The largest base cost that answers are about; beyond it all is extrapolated [money]."""
        return float(self.observed.costs[-1])

    def to_dict(self) -> dict[str, Any]:
        return {**self._keys(), "people": self.pilot.people}

    def text(self) -> str:
        """The file of costs that study files name."""
        lines = [f"# {line}" for line in view(type(self), "comment")(self)]
        keys = self._keys()
        worst = keys.pop("worst_cost", None)
        lines += [f"{key} = {value_text(value)}" for key, value in keys.items()]
        if worst is not None:
            lines += ["", "[worst_cost]", *(f"{k} = {value_text(v)}" for k, v in worst.items())]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path, force: bool = True) -> None:
        """Write the file of costs.

        Raises:
            ValueError: the file cannot be written.
        """
        target = Path(path)
        check_target(target, (ENDING,), [Path(self.pilot.source)], force=force)
        write_whole(target, lambda part: part.write_text(self.text(), "utf-8"), read_costs)

    def _keys(self) -> dict[str, Any]:
        fitted = self.log_normal
        worst = {} if self.worst_cost is None else {"worst_cost": _numbers(self.worst_cost)}
        return {
            **({"currency": self.currency} if self.currency else {}),
            **_numbers(fitted),
            **({"never": _near(fitted.never)} if fitted.never else {}),
            "largest": round_down(self.largest, _DIGITS),
            "observed": _points(self.observed),
            "intervals": _intervals(self.observed),
            **worst,
        }


def estimate(pilot: Pilot, currency: str = "") -> Estimate:
    """The spread of base costs that a pilot shows.

    Args:
        pilot: its answers.
        currency: of all amounts.

    Raises:
        ValueError: the answers do not bound the median, or the currency has no name.
    """
    named_currency(currency)
    observed, fitted = acceptance_curve(pilot.base), fit(pilot.base)
    worst = None if pilot.worst is None else fit(pilot.worst)
    costs = pilot.base.asked
    disagreement = _disagreement(
        fitted, costs[costs > 0], lambda costs, sure: band(pilot.base, costs, sure)
    )
    return Estimate(pilot, observed, fitted, worst, disagreement, currency)


def _disagreement(
    fitted: Fit, costs: Array, band_at: Callable[[Array, float], tuple[Array, Array]]
) -> Disagreement | None:
    """Where the log-normal spread lies farthest outside a band that holds all proportions at once.

    Of k intervals that each hold their proportion with probability 1 − 0.05/k all do with 0.95.
    """
    shares = fitted.share_up_to(costs)
    low, high = band_at(costs, 1 - (1 - CONFIDENCE) / costs.size)
    outside = np.maximum(low - shares, shares - high)
    at = int(np.argmax(outside))
    if not outside[at] > 0:
        return None
    return Disagreement(*(float(values[at]) for values in (costs, shares, low, high)))


def _numbers(fitted: Fit) -> dict[str, float]:
    """A spread in the file's keys; the interval is rounded outward."""
    return {
        "median": _near(fitted.median),
        "low": round_down(fitted.low, _DIGITS),
        "high": round_up(fitted.high, _DIGITS),
        "spread": _near(fitted.spread),
    }


def _near(x: float) -> float:
    return float(f"{x:.{_DIGITS}g}")


def _intervals(observed: AcceptanceCurve) -> list[list[float]]:
    """Some base costs with the observed proportions and their intervals, rounded outward."""
    size = observed.costs.size
    return [
        [
            _near(float(observed.costs[at])),
            _near(float(observed.shares[at])),
            round_down(float(observed.low[at]), _DIGITS),
            min(round_up(float(observed.high[at]), _DIGITS), 1.0),
        ]
        for at in sorted({round(k * (size - 1) / (_BARS - 1)) for k in range(_BARS)})
    ]


def _points(observed: AcceptanceCurve) -> list[list[float]]:
    """The proportions and amounts at which the observed curve rises, amounts rounded up."""
    rises = observed.rises
    every = -(-len(rises) // _MOST_POINTS)
    kept = list(rises[::-1][::every][::-1])  # the last one stays
    points: list[list[float]] = []
    for share, cost in kept:
        point = [round_down(share, _DIGITS), round_up(cost, _DIGITS)]
        if point[0] > 0 and (not points or (point[0] > points[-1][0] and point[1] > points[-1][1])):
            points.append(point)
    return points
