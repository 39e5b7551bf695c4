"""Who takes part where people differ, and how that affects the answer.

A proportion r refuses. The published proportion â is accurate for those who take part: |â − μ_a| ≤
T except with probability α. The population mean is μ = (1 − r)μ_a + rμ_r, and nothing is known
about the refusers' μ_r in [0, 1]. So, and this is the best bound without further knowledge,

    |â − μ| ≤ T + r·|μ_a − μ_r| ≤ T + r,
    |(1 − r)â + r/2 − μ| ≤ (1 − r)T + r·|μ_r − 1/2| ≤ (1 − r)T + r/2.

The second estimate is the midpoint of the possible values: it halves the worst case. For the mean
of values from low to high the same holds in units of high − low. Where the analysis is for some
means only, those who take part may have another mean, and nothing is claimed about all people.
"""

from typing import NamedTuple

from planner.answer.answers import Given, study_of
from planner.mechanisms import kinds
from planner.model import Study
from planner.numbers import decimal
from planner.wording import at_least, at_most, persons, plain


class Acceptance(NamedTuple):
    """Who accepts a payment computed from one base cost, and the error for all people.

    Attributes:
        base_cost: the base cost that is paid for [money].
        accepting: the proportion of people who accept [(0, 1]].
        invite: the number of people to ask, so that enough accept; None without a plan.
        error: the largest error for all people, as published, except with the target's failure
            probability [fraction of 1]; None for other targets, where the answer is about the
            participants alone, or where the analysis is for some means only.
        corrected_error: the same if (1 − r)â + r/2 is published instead of â.
    """

    base_cost: float
    accepting: float
    invite: int | None
    error: float | None
    corrected_error: float | None


def acceptance(study: Given, participants: int | None = None) -> Acceptance | None:
    """Who takes part in a study whose people differ; None where they do not.

    Args:
        study: the study, or its answer.
        participants: N of its plan, where it has one; of an answer its own.
    """
    participants = participants or getattr(study, "participants", None)
    study = study_of(study)
    people = study.individual.people
    if people is None:
        return None
    accepting = decimal(people.accepting)
    error = corrected = None
    one_share = study.power is None and study.groups == 1 and study.survey is None
    if one_share and not kinds.is_count(study.mechanism) and some_means(study) is None:
        within = decimal(study.accuracy.error)
        error = min(1.0, float(within + 1 - accepting))
        corrected = float(accepting * within + (1 - accepting) / 2)
    invite = participants and int(study.costs.invitations(participants))
    return Acceptance(people.base_cost, people.accepting, invite, error, corrected)


def some_means(study: Study) -> tuple[float, float] | None:
    """The range of means for which the analysis holds; None where that is [0, 1]."""
    one = study.mechanism
    mean_range = getattr(one, "mean_range", None)
    if not kinds.is_exact(one) or mean_range is None or tuple(mean_range) == (0.0, 1.0):
        return None  # bounds hold for every mean
    return float(mean_range[0]), float(mean_range[1])


def refusing(study: Study) -> str:
    """For whom payments are enough, where people differ, in a sentence; else empty."""
    people = study.individual.people
    if people is None:
        return ""
    cost = f"{at_least(people.base_cost, 6)} {study.currency}".rstrip()
    if people.accepting == 1:
        return f"Payments are enough for everyone, up to the largest base cost, {cost}."
    percent = f"{at_most(float(100 * (1 - decimal(people.accepting))), 4)} %"
    return (
        f"Payments are enough for a base cost of {cost}; up to {percent} of the people have more "
        "to lose and may refuse."
    )


def in_words(study: Study, participants: int) -> list[str]:
    """The consequences of refusals, in sentences."""
    accepted = acceptance(study, participants)
    if accepted is None:
        return []
    refused = 1 - decimal(accepted.accepting)
    estimated = _estimated(study)
    if not refused:
        return [refusing(study), *estimated]
    asked = f" Ask {persons(accepted.invite)}." if accepted.invite else ""
    sentences = [f"{refusing(study)}{asked}", *estimated]
    means = some_means(study)
    if means is not None:
        low, high = map(plain, means)
        asked_for = low if low == high else f"{low} to {high}"
        sentences.append(
            f"The answer is as accurate as required if the mean of those who take part is "
            f"{asked_for}. Those who refuse may differ in any way, so this can fail even if it is "
            "the mean of all people, and nothing is claimed about all people."
        )
    if accepted.error is not None and accepted.corrected_error is not None:
        share = plain(accepted.accepting)
        sentences.append(
            "Those who refuse may differ in any way: for all people, the published answer a may be "
            f"off by {at_most(accepted.error, 4)}; corrected to {share}·a + "
            f"{at_most(float(refused / 2), 4)} it is off by at most "
            f"{at_most(accepted.corrected_error, 4)}, with the same probability."
        )
    elif means is None and not kinds.is_count(study.mechanism):
        sentences.append(
            "Those who refuse may differ in any way: nothing is claimed about all people."
        )
    return sentences


def _estimated(study: Study) -> list[str]:
    """That the proportion who accept is what a pilot shows, or not even that, in a sentence."""
    people = study.individual.people
    if people is None or not people.base_costs.estimated:
        return []
    largest = people.extrapolated_from
    if largest is None:
        return ["How many accept is estimated from the answers of a pilot."]
    amount = f"{at_least(largest, 6)} {study.currency}".rstrip()
    return [
        f"The largest base cost that people of a pilot were asked about is {amount}: how many "
        "accept these payments is extrapolated."
    ]
