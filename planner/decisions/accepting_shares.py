"""The study at several shares of people who must accept."""

import math
from dataclasses import replace

from planner.answer.accepting import Acceptance, acceptance
from planner.answer.answers import Answer, Given, study_of
from planner.answer.solve import solve
from planner.model import Individual
from planner.model.people import People

SHARES = (0.5, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0)  # closest where the last people cost most


def acceptances(
    study: Given, shares: tuple[float, ...] = SHARES
) -> list[tuple[Answer, Acceptance]]:
    """The answer for each share of people who must accept.

    Raises:
        ValueError: the people of the study do not differ.
    """
    study = study_of(study)
    people = study.individual.people
    if people is None:
        raise ValueError(
            "everyone has the same base_cost in this study; give base_costs, such as "
            "{ groups = [[0.7, 5.0], [0.3, 40.0]] }"
        )
    endless = people.base_costs.high == math.inf
    answers = []
    for share in shares:
        if share == 1 and endless:
            continue
        person = study.individual
        paid = Individual.of_people(
            People(people.base_costs, share), person.worst_cost, person.capped, person.family
        )
        answer = solve(replace(study, individual=paid))
        accepted = acceptance(answer.study, getattr(answer, "participants", None))
        if accepted is not None:
            answers.append((answer, accepted))
    return answers
