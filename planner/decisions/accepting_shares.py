"""The study at several proportions of people who must accept."""

import math
from dataclasses import replace

from planner.answer.accepting import Acceptance, acceptance
from planner.answer.answers import Answer, Given, study_of
from planner.answer.solve import solve

SHARES = (0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0)  # closest where the last people cost most


def acceptances(
    study: Given, shares: tuple[float, ...] = SHARES
) -> list[tuple[Answer, Acceptance]]:
    """The answer for each proportion of people who must accept.

    Raises:
        ValueError: the people of the study do not differ.
    """
    study = study_of(study)
    person = study.individual
    answers = []
    for share in shares:
        people = person.people
        if people is not None and people.base_costs.quantile(share) == math.inf:
            continue  # so many never accept
        answer = solve(replace(study, individual=person.accepted_by(share)))
        accepted = acceptance(answer.study, getattr(answer, "participants", None))
        if accepted is not None:
            answers.append((answer, accepted))
    return answers
