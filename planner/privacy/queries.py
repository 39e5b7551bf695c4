"""The arguments of composition, checked: the ε of each query, the slack, the rule."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from planner import checks
from planner.libraries import np
from planner.numbers import decimal

Rule: TypeAlias = Literal["basic", "advanced", "closed", "optimal"]
"""The composition rule; see `compose`."""

Queries: TypeAlias = tuple[tuple[Fraction, int], ...]
"""Each ε above 0 with its number of queries, in ascending order."""


def counted(epsilons: Sequence[float]) -> Queries:
    """Each ε above 0, read as its shortest decimal, with its number of queries.

    Raises:
        ValueError: the list is empty, or holds anything but finite numbers of at least 0.
    """
    given = np.asarray(epsilons)
    if given.ndim != 1 or not given.size:
        raise ValueError(
            f"epsilons = {epsilons!r} is not allowed; give a list with the epsilon of each query"
        )
    if given.dtype.kind not in "iuf":
        raise ValueError(f"epsilons holds {_odd(epsilons)!r}; give finite numbers of at least 0")
    values, counts = np.unique(given.astype(float), return_counts=True)
    if not (values[0] >= 0 and values[-1] < math.inf):  # NaN is sorted last
        wrong = values[0] if values[0] < 0 else values[-1]
        raise ValueError(f"epsilons holds {float(wrong)!r}; give finite numbers of at least 0")
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return tuple((decimal(value), count) for value, count in pairs if value > 0)


def allowed_slack(slack: float) -> float:
    """The slack, if from 0 to below 1; else a ValueError."""
    if not checks.is_number(slack) or not 0 <= slack < 1:
        raise ValueError(
            f"slack = {slack!r} is not allowed; give the delta of the total, "
            f"a number from 0 to below 1"
        )
    return float(slack)


def allowed_rule(rule: Rule) -> Rule:
    """The rule, if known; else a ValueError."""
    if rule not in get_args(Rule):
        raise ValueError(f"rule = {rule!r} is unknown; give one of {', '.join(get_args(Rule))}")
    return rule


def _odd(epsilons: Sequence[Any]) -> Any:
    """A whole number of at least 1; else a ValueError."""
    return next((value for value in epsilons if not checks.is_number(value)), epsilons[0])
