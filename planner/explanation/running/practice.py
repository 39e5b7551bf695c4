"""From a plan to practice: the OpenDP call that runs it.

OpenDP charges the rounding of floats to ε. The charge grows with the number of records and with
the largest value relative to the width of the range, so the script takes the scale of noise from
OpenDP's own privacy map, and the failure probability is given at that scale. Counts are exact.
"""

import math
from decimal import Decimal
from textwrap import fill

from planner.answer.answers import Plan
from planner.answer.problem.problem import problem_of
from planner.explanation.derivations import rejection
from planner.explanation.running.opendp_survey import rounded_up, survey_call
from planner.mechanisms import (
    ExponentialQuantile,
    GaussianMean,
    Mechanism,
    NoisyCounts,
    kinds,
)
from planner.mechanisms.noisy_counts import sizes_of
from planner.model.by_group import ShareByGroup
from planner.numbers import round_up
from planner.wording import at_most, plain

_MOST_RECORDS = 2**31 - 1
"""OpenDP counts the records of a mean in 32 bits."""
_MOST_NOISE = 0.01
"""The largest relative excess of noise over the plan's: of Laplace noise alone 1 % more turns a
failure probability of 0.05 into 0.0515."""
_WIDTH = 76  # with an indent of four these lines still fit a terminal of 80 columns


def opendp_call(plan: Plan) -> str | None:
    """Python code that publishes the planned mean or count with OpenDP; else None.

    The call ends in `measurement`, which takes the records as a list, or one person's answer where
    there is no curator; its privacy is asserted.
    """
    mechanism, groups = plan.study.mechanism, plan.study.groups
    n = plan.participants - plan.participants % groups
    if plan.study.survey is not None:
        return survey_call(plan)
    if plan.card is not None:
        return _REPORT.format(n=n, epsilon=plan.epsilon, **plan.card.to_dict())
    if kinds.adds(mechanism) == "laplace":
        return _mean_call(plan) if n <= _MOST_RECORDS and _more_noise(plan) <= _MOST_NOISE else None
    counted = kinds.is_count(mechanism) or isinstance(mechanism, NoisyCounts)
    if kinds.adds(mechanism) == "geometric" or counted:
        # OpenDP rounds its own map up by a part in 10^16
        scale = rounded_up((1 + Decimal("1e-15")) / Decimal(repr(plan.epsilon)))
        steps = f"dp.t.then_sum() >> dp.m.then_laplace(scale={scale})"
        if isinstance(mechanism, NoisyCounts) and groups == 2:
            return _of_counts(plan, steps)
        words = "the number of ones"
        if plan.study.power is not None:
            words = f"the noisy count; the test\n# {rejection(plan)}"
        elif groups == 2:
            words += f"; twice it, divided by {n:_}, less 1 is the difference" + _data(n)
        elif not kinds.is_count(mechanism):
            words += f"; divide it by {n:_} for the proportion"
        return _COUNT.format(n=n, steps=steps, epsilon=plan.epsilon, words=words)
    return None


def _of_counts(plan: Plan, steps: str) -> str:
    """The call that publishes the count of the first group, and what to change for the second."""
    first, second = sizes_of(plan.participants, plan.study.target.ratio)  # type: ignore[union-attr]
    other = "run it" if first == second else f"run it with size={second}"
    words = f"the noisy count of the first group; {other} for the second"
    if plan.study.power is not None:
        words += f"; the test {rejection(plan)}"
    said = fill(words, _WIDTH, initial_indent=" " * 31, subsequent_indent="# ").lstrip()
    return _COUNT.format(n=first, steps=steps, epsilon=plan.epsilon, words=said)


def _data(participants: int, both: str = "1") -> str:
    """What the data are of which a difference of two groups is published."""
    each = participants // 2
    return (
        f";\n# data are {each} answers of the second group, and for each of {each} of the first\n"
        f"# {both} less the answer"
    )


def why_no_call(plan: Plan) -> str:
    """Why there is no single OpenDP call for a plan, in a sentence."""
    mechanism = plan.study.mechanism
    noises = {question.noise == "gaussian" for question in plan.questions}
    asked = plan.study.survey.questions if plan.study.survey is not None else ()
    if any(isinstance(question, ShareByGroup) for question in asked):
        return (
            "A proportion in a group that people report is a quotient of two noisy counts, and "
            "each group has an interval of its own. planner publish adds the noise by OpenDP, and "
            "computes both."
        )
    if len(noises) > 1:
        return (
            "OpenDP composes one measure of privacy, and this survey has two: Gaussian noise and "
            "drawn candidates. planner publish makes a measurement of each and adds their ε."
        )
    if kinds.adds(mechanism) == "laplace":
        return (
            f"For {plain(plan.participants)} records between {plain(_values(plan)[0])} and "
            f"{plain(_values(plan)[1])} no scale of OpenDP's noise is as accurate as planned: it "
            "charges the rounding of floats to ε. Plan a geometric-mean, whose count is exact, "
            "or give values in a range closer to 0."
        )
    return _NO_CALL.get(type(mechanism)) or (
        f"There is no single OpenDP call for {kinds.words(mechanism)}."
    )


_NO_CALL: dict[type[Mechanism], str] = {
    GaussianMean: (
        "OpenDP calibrates Gaussian noise by zero-concentrated privacy, which requires more "
        "noise than this plan has, so no OpenDP call runs it."
    ),
    ExponentialQuantile: "OpenDP has no exponential mechanism over candidates with this bound.",
}
"""Why no OpenDP call runs a mechanism, in a sentence."""
_COUNT = """\
import opendp.prelude as dp

dp.enable_features("contrib")
record = dp.atom_domain(bounds=(0, 1))
records = dp.vector_domain(record, size={n})
measurement = (
    (records, dp.symmetric_distance())
    >> {steps}
)
# one person's record replaced by another is a distance of 2
assert measurement.map(d_in=2) <= {epsilon!r}
# measurement(data) publishes {words}
"""
_REPORT = """\
import opendp.prelude as dp

dp.enable_features("contrib")
# each person runs this where only they see it: the truth with probability {truth!r}
measurement = dp.m.make_randomized_response_bool({truth!r})
assert measurement.map(d_in=1) <= {epsilon!r}
# measurement(answer) is the report of one person, True or False;
# (reports of True / {n:_} - {opposite!r}) / {strength!r} estimates the proportion
"""
_MEAN = """\
import math

import opendp.prelude as dp

dp.enable_features("contrib")
epsilon = {epsilon!r}
record = dp.atom_domain(bounds=({low!r}, {high!r}), nan=False)
records = dp.vector_domain(record, size={n})
mean = (records, dp.symmetric_distance()) >> dp.t.then_mean()
# The scale matches OpenDP's own sensitivity, which includes the rounding
# of floats: at most {more:.1e} (relative) above {scale};
# the answer then fails with probability at most {failure}.
# One person's record replaced by another is a distance of 2.
scale = mean.map(d_in=2) / epsilon
while (mean >> dp.m.then_laplace(scale=scale)).map(d_in=2) > epsilon:
    scale = math.nextafter(scale, math.inf)
measurement = mean >> dp.m.then_laplace(scale=scale)
assert scale <= {scale} * (1 + {more:.1e})
assert measurement.map(d_in=2) <= epsilon
# measurement(data) publishes {words}
"""


def _mean_call(plan: Plan) -> str:
    n, (low, high) = plan.participants, _values(plan)
    width = Decimal(repr(high)) - Decimal(repr(low))
    words = "the mean of the records"
    if plan.study.groups == 2:
        n -= n % 2
        both = plain(float(Decimal(repr(low)) + Decimal(repr(high))))
        words += f"; twice it, less {both}, is the difference" + _data(n, both)
    return _MEAN.format(
        low=low,
        high=high,
        n=n,
        epsilon=plan.epsilon,
        scale=rounded_up(width / (n * Decimal(repr(plan.epsilon)))),
        more=_more(plan),
        failure=at_most(_failure(plan)),
        words=words,
    )


def _failure(plan: Plan) -> float:
    """The failure probability with OpenDP's noise, a little larger as it charges rounding to ε."""
    floor = problem_of(plan.study).goals[0].floor
    least = plan.epsilon / (1 + _more(plan))
    return round_up(float(floor.achieved(least, plan.participants, 0.0)), 6)


def _more(plan: Plan) -> float:
    return round_up(_more_noise(plan), 2)


def _more_noise(plan: Plan) -> float:
    """An upper bound on the relative excess of OpenDP's scale over width/(Nε).

    OpenDP sums floats in pairs, and allows for a rounding error of 2^(−52)·N·log2(N) times the
    largest value on either side; this is twice that.
    """
    n, (low, high) = plan.participants, _values(plan)
    largest = max(abs(low), abs(high)) / (high - low)
    return max(1e-9, 4 * 2**-52 * n * math.log2(n + 1) * largest)


def _values(plan: Plan) -> tuple[float, float]:
    """The smallest and the largest value of a record."""
    return plan.study.target.values or (0.0, 1.0)
