"""The study of values in a range beside the same study of zero-one values.

Zero-one values are values in the range 0 to 1. So whatever is right for any values is right for
them, and no analysis, however close, allows less noise or fewer people than their exact one.
"""

import math
from dataclasses import replace

from planner.answer.answers import Plan
from planner.answer.solve import solve
from planner.model import Accuracy, Mean, Share, Study
from planner.wording import at_most, money

_LEAST_PART = 1e-4  # of the cost: less is not told apart from none, as plans have a tolerance


def with_zero_one_values(study: Study) -> Study | None:
    """The same study of values that are 0 or 1; None where no mean is planned by the bound."""
    if not study.sampling.person_by_person or study.assumed_of_values:
        return None  # clusters of such values, or values that deviate less, are other laws
    if study.survey is not None:
        if not study.mechanism.trusted or not study.mechanism.saw_toothed:
            return None
        if study.groups == 2 and getattr(study.mechanism, "noise", "") == "gaussian":
            return None  # of zero-one values, too, by the bound for any values
        asked = study.survey.questions
        shares = tuple(_share(q) if isinstance(q, Mean) else q for q in asked)
        survey = replace(study.survey, questions=shares)
        return replace(study, target=survey) if shares != asked else None
    mechanism = study.mechanism.of_zero_one_values
    if mechanism is None:
        return None
    target = Accuracy(study.accuracy.error, study.accuracy.failure)
    return replace(study, target=target, mechanism=mechanism)


def _share(mean: Mean) -> Share:
    """The same question of values at the ends of the range."""
    return Share(mean.name, error=mean.fraction, failure=mean.failure, times=mean.times)


def zero_one_note(plan: Plan) -> tuple[str, ...]:
    """How much cheaper the cheapest plan could be by any analysis; nothing where that is open."""
    study = with_zero_one_values(plan.study) if plan.minimise == "cost" else None
    closest = solve(study, prove=False) if study else None
    if not isinstance(closest, Plan) or not 0 < closest.least_cost <= plan.cost < math.inf:
        return ()
    least = math.floor(closest.least_cost * 100) / 100
    part = max(1 - least / plan.cost, _LEAST_PART)
    return (
        "No analysis of values in a range can plan this study with the same noise for less than "
        f"{money(least, plan.study.currency)}, at most {at_most(100 * part, 3)} % under this plan: "
        "values at the two ends of the range need that much.",
    )
