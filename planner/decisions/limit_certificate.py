"""The certificate of a limit: a plan on its one side, and that no study exists beyond it."""

import math
from collections.abc import Iterator

from planner.answer.answers import Plan
from planner.answer.problem.vary import with_value
from planner.answer.proof.certificate import certificate, certificate_of_none
from planner.answer.solve import solve
from planner.certificate import verify
from planner.certificate.check import RefusedError
from planner.decisions.limits import Limit
from planner.quantities import QUANTITIES

_BEYOND = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
"""How far beyond a limit, as a fraction, it may be shown that no study exists."""


def limit_certificate(limit: Limit) -> str:
    """The text of a certificate with two claims: a plan at the limit, and none a little beyond it.

    Raises:
        ValueError: there is no such limit, or no value near it is proved to have no study.
    """
    study, quantity, value = limit.study, limit.quantity, limit.value
    if quantity not in QUANTITIES:
        raise ValueError(f"no certificate is written of a limit of {quantity}, of one question")
    if study is None or not 0 < value < math.inf:
        raise ValueError(f"the limit of {quantity} is {value!r}, so there is nothing to certify")
    plan = solve(with_value(study, quantity, value))
    if not isinstance(plan, Plan):
        raise ValueError(f"no plan is proved at {quantity} = {value!r}")
    within = certificate(plan).splitlines()[1:]
    if within[0].startswith("unproved "):
        uncovered = within[0].removeprefix("unproved ")
        raise ValueError(f"the checker of certificates has no rule for {uncovered}")
    for other in _beyond(limit):
        none = certificate_of_none(with_value(study, quantity, other)).splitlines()[1:]
        if "unproved" in none:
            continue
        lines = _joined(within, none)
        text = "\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""])
        try:
            _, unproved = verify(text)
        except RefusedError:  # beyond it is too close for the rules
            continue
        if not unproved:
            return text
    raise ValueError(f"no value beyond {quantity} = {value!r} is certified to have no study")


def _beyond(limit: Limit) -> Iterator[float]:
    row = QUANTITIES[limit.quantity]
    sign, end = 1 if row.more_is_harder else -1, limit.exact or limit.value
    if row.whole:
        yield end + sign
    else:
        yield from (float(f"{end * (1 + sign * part):.12g}") for part in _BEYOND)


def _joined(within: list[str], beyond: list[str]) -> list[str]:
    """The plan's lines, and the other claim for the one line of its study that differs."""
    start = beyond.index("claim infeasible")
    (changed,) = (line for line in beyond[:start] if line not in within)
    return [*within, f"claim infeasible with {changed}", *beyond[start + 1 :]]
