"""What a plan means for the sample: invitations, and a secret draw."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.model import Choice, Study
from planner.model.pool import epsilon_of_pool
from planner.numbers import decimal
from planner.wording import at_most, percent_at_most, plain, several


class Pool(NamedTuple):
    """A population of whom nobody knows who is drawn.

    Attributes:
        people: M, who all agree and are paid.
        epsilon: ε towards each of them [> 0].
        delta: δ towards each [[0, 1)].
        compensation: what each is paid [money].
    """

    people: int
    epsilon: float
    delta: float
    compensation: float


def invitations(study: Study, participants: int) -> int | None:
    """How many to invite, on average; None where all respond."""
    if study.sampling.response_rate == 1:
        return None
    return math.ceil(participants / decimal(study.costs.response_rate))


def pool(study: Study, choice: Choice) -> Pool | None:
    """What each of the population bears and is paid; None where it is known who is drawn."""
    people = study.sampling.population
    if not study.sampling.secret or people is None:
        return None
    epsilon, delta, n = choice
    owed = study.individual.compensation(epsilon, delta)
    each = epsilon_of_pool(epsilon, n, people)
    return Pool(people, float(each), delta * n / people, owed * n / people)


def whom_about(study: Study) -> str:
    """Whom the answer is about where some do not respond."""
    sampling = study.sampling
    missing = percent_at_most(float(1 - decimal(sampling.response_rate)))
    if study.about_all:
        return (
            f"The answer is about all people: the {missing} who do not respond are assumed to "
            "be like those who do."
        )
    who = "people who respond"
    if sampling.respondents is not None:
        who = f"the {plain(sampling.respondents)} people of the population who respond"
    of_proportion = study.survey is None and study.target.values is None
    unit = " percentage points" if of_proportion else " % of the range of its values"
    return (
        f"The answer is about {who}. Nothing is known about the {missing} who do not: they could "
        f"move the answer about all by up to {missing.replace(' %', unit)} either way, in addition "
        "to the error."
    )


def about_respondents(studies: Sequence[Study]) -> tuple[str, ...]:
    """Whom answers are about where some do not respond; of strata, with the name of each."""
    found: dict[str, list[str]] = {}
    for study in studies:
        if study.sampling.response_rate < 1:
            found.setdefault(whom_about(study), []).append(study.title)
    if len(studies) == 1:
        return tuple(found)
    return tuple(f"{several(names)}: {words}" for words, names in found.items())


def _how_drawn(study: Study) -> str:
    """What else may be said of whom the answer is about."""
    sampling = study.sampling
    if sampling.population is None or sampling.about is not None:
        return ""
    if study.about_all:
        return ' about = "respondents" in [sampling] needs no such assumption.'
    return (
        f" The sample is computed as drawn from all {plain(sampling.population)}, which is safe; "
        'about = "respondents" in [sampling] takes it as drawn from those who respond.'
    )


def sample_notes(study: Study, choice: Choice) -> tuple[str, ...]:
    """What is assumed of the sample, in sentences."""
    sampling, notes = study.sampling, []
    invited = invitations(study, choice.participants)
    if invited is not None:
        notes.append(
            f"Invite {plain(invited)} people, the average for {plain(choice.participants)} who "
            f"take part. {whom_about(study)}{_how_drawn(study)}"
        )
    if sampling.design_effect != 1:
        notes.append(
            f"The accuracy holds assuming {' and '.join(sampling.assumed)}. A design effect is a "
            "convention for clusters and weights, and no theorem; for clusters of m people "
            "clusters_of = m is one."
        )
    if not study.mechanism.trusted and sampling.population is not None:
        notes.append(
            f"The accuracy is computed as for a population without end, which is safe for people "
            f"drawn from {plain(sampling.population)}: their reports are off no more often "
            "(Hoeffding 1956, 1963)."
        )
    drawn = pool(study, choice)
    if drawn is not None:
        notes.append(
            f"All {plain(drawn.people)} people agree and are paid before the draw, and nobody "
            f"learns who of them is drawn: towards each of them ε is {at_most(drawn.epsilon)}, "
            f"where it is {plain(choice.epsilon)} towards the {plain(choice.participants)} drawn. "
            "That protects people, but all payments together stay as they are."
        )
    return tuple(notes)
