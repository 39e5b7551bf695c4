"""Certificates of random surveys are accepted, and what is changed in one is refused or true."""

import os
import random
from collections import Counter
from dataclasses import replace

import numpy as np

import planner
from planner.answer.proof.certificate import claimed
from planner.certificate import verify
from planner.certificate.check import RefusedError
from tests.certificate.test_check import changed_lines
from tests.thorough import check_surveys, survey_case
from tests.thorough.differences import build

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_CERTIFICATES", "8"))
LEFT = 0.25
"""The share of infeasible surveys, all near an edge, that may have a step that is not proved."""


def answers():
    """Answers of random surveys that the rules are about."""
    for index in range(STUDIES):
        case = survey_case.draw(np.random.default_rng([SEED, index]))
        uncovered = ("draws", "noisy-scores", "by-group")
        asked = [q for q in case.questions if q.kind not in uncovered]
        if not asked:
            continue
        case = replace(case, questions=tuple(asked), noise="laplace")
        case = replace(case, population=None, clusters=1)
        answer = planner.solve(build(survey_case.code(case)))
        if not isinstance(answer, planner.answer.Undecided):
            yield index, case, answer


def test_certificates_are_accepted_and_changed_ones_are_refused_or_true():
    rng, found, left = random.Random(SEED), Counter(), []
    for index, case, answer in answers():
        text = answer.certificate()
        proved, unproved = verify(text)
        assert proved == claimed(answer), index
        found[answer.verdict, bool(unproved)] += 1
        left += [index] if unproved else []
        lines = text.splitlines()[1:]
        start = next(k for k, line in enumerate(lines) if line.startswith("claim "))
        for _ in range(5):
            now = changed_lines(rng, lines, start)
            try:
                claims, unproved = verify(
                    "\n".join([f"certificate of {len(now) + 1} lines", *now, ""])
                )
            except RefusedError:
                found["refused"] += 1
                continue
            claim = next(line for line in claims if line.startswith("claim "))
            if unproved or claim == "claim infeasible":
                found["unproved" if unproved else "infeasible still"] += 1
                continue
            found["true"] += 1
            plan = dict(part.split(" = ") for part in claim[15:].split(", "))
            n, epsilon = int(plan["participants"]), float(plan["epsilon"])
            least = survey_case.least_epsilon(case, n, case.failure)
            assert epsilon >= least * (1 - check_surveys._ROUGH), (index, now)
    print(found, left)  # noqa: T201
    infeasible = found["infeasible", True] + found["infeasible", False]
    assert not found["feasible", True]
    assert found["infeasible", True] <= LEFT * max(infeasible, 4), left
