"""Certificates of random studies are accepted, and what is changed in one is refused or true."""

import os
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.proof.certificate import claimed
from planner.certificate.check import RefusedError, verify
from tests.certificate.test_check import changed_lines, compare_formulas
from tests.thorough import oracle, studies
from tests.thorough.case import Case
from tests.thorough.differences import study

SEED = int(os.environ.get("PLANNER_SEED", "20260101"))
STUDIES = int(os.environ.get("PLANNER_CERTIFICATES", "200"))
CHANGED = int(os.environ.get("PLANNER_CHANGED", "45"))
KINDS = {"paper": 0.3, "hoeffding": 0.3, "laplace": 0.3, "gaussian": 0.1}
LEFT = 0.03
"""The share of answers whose certificate may have a step that is not proved."""


def answers(count: int, seed: int):
    """Answers of random studies that the rules are about."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        case = studies.draw(rng, str(rng.choice(list(KINDS), p=list(KINDS.values()))))
        answer = planner.solve(study(case))
        if not isinstance(answer, planner.answer.Undecided):
            yield case, answer


@pytest.mark.parametrize("part", range(4))
def test_certificates_of_random_studies_are_accepted(part):
    found, left = Counter(), []
    for case, answer in answers(STUDIES // 4, SEED + part):
        proved, unproved = verify(answer.certificate())
        assert proved == claimed(answer), case
        found[answer.verdict, bool(unproved)] += 1
        left += [(case, unproved)] if unproved else []
    print(found)  # noqa: T201
    assert len(left) <= LEFT * sum(found.values()), left


def test_formulas_are_those_of_the_definitions():
    compare_formulas(seed=2, points=500)


def harder_and_easier(rng: random.Random, case: Case) -> tuple[Case, str, str]:
    """Another study: one amount is changed by a little or much; the key and its value."""
    factor = 1 + rng.choice([1, -1]) * 10 ** rng.uniform(-7, 0)
    key = rng.choice([k for k in ("budget", "harm", "error", "failure") if getattr(case, k)])
    value = getattr(case, key) * factor
    if key in ("error", "failure"):
        value = min(value, 0.99)
    names = {"budget": "conditions.budget", "harm": "conditions.max_harm"}
    return replace(case, **{key: value}), names.get(key, f"target.{key}"), repr(value)


def test_changed_certificates_are_refused_or_true():
    rng, found = random.Random(SEED), Counter()
    for case, answer in answers(CHANGED, SEED + 10):
        lines = answer.certificate().splitlines()[1:]
        start = len(claimed(answer))
        for _ in range(5):
            other, now = case, lines
            if start < len(lines) and rng.random() < 0.6:
                now = changed_lines(rng, lines, start)
            else:
                other, key, value = harder_and_easier(rng, case)
                now = [f"{key} = {value}" if x.startswith(f"{key} = ") else x for x in lines]
            try:
                _, unproved = verify("\n".join([f"certificate of {len(now) + 1} lines", *now, ""]))
            except RefusedError:
                found["refused"] += 1
                continue
            found["unproved" if unproved else "true"] += 1
            if unproved:
                continue
            if answer.verdict == "infeasible":
                assert oracle.truth(other).verdict != "feasible", (other, now)
            else:
                n = answer.participants
                least, _ = oracle.floor_between(other, n)
                assert answer.epsilon >= least * (1 - 1e-9), (other, now)
                epsilons = np.full(other.people, answer.epsilon)
                assert oracle.allowed(other, epsilons, True)[n - 1], (other, now)
    print(found)  # noqa: T201
    assert found["refused"] > CHANGED
