"""The study with privacy and without it, compared in words."""

import math

from planner.comparison.by_hand import ByHand
from planner.comparison.compare import Bracket, Comparison
from planner.wording import at_least, at_most, money

VERDICTS = {
    "private": "the private study is cheaper",
    "non-private": "the study without privacy is cheaper",
    "open": "neither is surely cheaper",
    "infeasible": "no private study exists at any budget",
    "undecided": "undecided",
}


def sentences(comparison: Comparison) -> list[str]:
    """Where each study is the cheaper one, and what else there is to know."""
    found = [f"Without privacy, {at_most(100 * comparison.exposure, 3)} % are exposed."]
    if comparison.break_even_exposure:
        found += _exposure_sentences(comparison.break_even_exposure)
    if comparison.break_even_ratio:
        found += _ratio_sentences(comparison.break_even_ratio, comparison.exposure)
    if comparison.by_hand:
        found.append(_by_hand(comparison.by_hand, comparison.study.currency))
    return [*found, *comparison.notes]


def between(low: str, high: str) -> str:
    """Two ends as "116 to 738", or the one number that both are."""
    return low if low == high else f"{low} to {high}"


def _exposure_sentences(found: Bracket) -> list[str]:
    low, high = 100 * found.least, 100 * found.most
    if low > 100:
        return ["However many are exposed, the study without privacy is cheaper."]
    if high <= 0:
        return ["However few are exposed, the private study is cheaper."]
    private = f"The private study is cheaper where more than {at_most(high, 3)} % are exposed"
    other = f"where under {at_least(low, 3)} % are exposed"
    if high >= 100:
        return [f"The study without privacy is cheaper {other}."]
    return [f"{private}, the one without privacy {other}." if low > 0 else f"{private}."]


def _ratio_sentences(found: Bracket, exposure: float) -> list[str]:
    share = f"At {at_most(100 * exposure, 3)} % exposed,"
    if math.isinf(found.most):
        return [f"{share} no ratio of worst cost to base cost makes the private study cheaper."]
    if found.most < 1:  # no worst cost is below the base cost
        return [f"{share} the private study is cheaper at every worst cost."]
    private = (
        f"{share} the private study is cheaper where the worst cost is more than "
        f"{at_most(found.most, 3)} times the base cost"
    )
    if found.least <= 1:
        return [f"{private}."]
    return [
        f"{private}, the one without privacy where it is under {at_least(found.least, 3)} times."
    ]


def _by_hand(found: ByHand, currency: str) -> str:
    sign = "≤" if found.cheaper else ">"
    words = "so the private study is cheaper" if found.cheaper else "so nothing follows"
    return (
        f"By hand: N′ ≥ {at_least(found.participants)} people without privacy (Hsu14 eq. 10) "
        f"cost {money(found.cost, currency)}, the closed private plan "
        f"{money(found.private_cost, currency)}; eq. 9 reads {at_most(found.epsilon, 4)} "
        f"{sign} {at_least(found.epsilon_ceiling, 4)}, {words}. It holds from an exposure of "
        f"{at_most(100 * found.break_even_exposure, 3)} % on."
    )
