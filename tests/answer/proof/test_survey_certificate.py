"""Certificates of surveys: what is written is accepted, it is about the answer, and is short."""

from dataclasses import replace

import pytest

import planner
from planner.answer.proof.certificate import claimed
from planner.certificate import verify
from planner.certificate.check import RefusedError

PERSON = planner.Individual(1.0, 500.0)
COSTS = planner.Costs(per_person=5.0, smallest_coin=0.01)
SHARES = [planner.Share("smokes", error=0.05, times=2), planner.Share("drinks", error=0.08)]
ALL = [
    *SHARES,
    planner.Histogram("age", groups=6, error=0.06),
    planner.Mean("visits", low=-10, high=50, error=4.0),
    planner.Quantile("income", candidates=40, error=0.1, at=0.25),
]
OWN = [replace(question, failure=0.02) for question in ALL]


def study(questions, *conditions, failure=0.05, analysis="exact", costs=COSTS, **more):
    return planner.Study(
        planner.AddedNoise(analysis=analysis, **more),
        planner.Survey(questions, failure=failure),
        PERSON,
        conditions,
        costs,
    )


BUDGET, FEW = planner.Budget(60_000.0), planner.MaxParticipants(2_000)
FEASIBLE = {
    "shares": study(SHARES, BUDGET, FEW),
    "all kinds": study(ALL, BUDGET, FEW),
    "hoeffding": study(ALL, BUDGET, FEW, analysis="hoeffding"),
    "own": study(OWN, BUDGET, FEW, failure=None),
    "few people": study(SHARES[1:], BUDGET, planner.MaxParticipants(190)),
    "words": study(
        [
            planner.Share("smokes", error=0.06, yes=["ja"], no=["nein"], missing="no"),
            planner.Histogram("age", error=0.06, labels=["18-24", "25 or more"], missing="own"),
            planner.Histogram("visits", error=0.06, bins=[0, 1, 5, 100], column="Q7"),
        ],
        BUDGET,
        FEW,
    ),
    "two groups": study([planner.Histogram("sex", groups=2, error=0.06)], BUDGET, FEW),
    "privacy": study(ALL, FEW, planner.EpsilonAtMost(3.0), planner.EpsilonAtLeastOneOverN()),
}
INFEASIBLE = {
    "shares": study(SHARES, planner.Budget(3_000.0), FEW),
    "hoeffding": study(ALL, planner.Budget(5_000.0), FEW, analysis="hoeffding"),
    "any size": study(SHARES, planner.Budget(3_000.0), analysis="hoeffding"),
    "epsilon": study(ALL, FEW, planner.EpsilonAtMost(0.3)),
    "own": study(OWN, FEW, planner.EpsilonAtMost(0.3), failure=None),
    "own bounds": study(OWN, planner.Budget(4_000.0), failure=None, analysis="hoeffding"),
    "few": study(ALL, planner.MaxParticipants(40)),
    "harm": study(ALL, planner.MaxHarm(0.2), FEW),
}
SAMPLED = replace(FEASIBLE["shares"], sampling=planner.Sampling(population=50_000))
VARIES = [planner.Mean("visits", low=0, high=60, error=3.0, deviation_at_most=5.0)]
UNCOVERED = {
    "population": SAMPLED,
    "deviation": study(VARIES, BUDGET, FEW),
    "gaussian": study(SHARES, BUDGET, FEW, planner.Delta(1e-6), noise="gaussian"),
}


def text(lines: list[str]) -> str:
    return "\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""])


SLOW = ("all kinds", "own", "privacy", "shares")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW[:3] else []) for n in FEASIBLE]
)
def test_a_plan_has_a_certificate(name):
    plan = planner.solve(FEASIBLE[name])
    written = plan.certificate()
    assert verify(written) == (claimed(plan), [])
    lines = written.splitlines()[1:]
    stated = [line for line in lines if line.startswith("answer ")]
    assert stated == [f"answer {q.epsilon!r} {q.failure!r}" for q in plan.questions]
    lines[lines.index(stated[0])] = stated[0].replace("answer 0.", "answer 0.0")
    with pytest.raises(RefusedError):
        verify(text(lines))


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow]) for n in INFEASIBLE])
def test_an_infeasible_survey_has_a_certificate(name):
    answer = planner.solve(INFEASIBLE[name])
    written = answer.certificate()
    assert verify(written) == (claimed(answer), [])
    assert len(written) < 100_000
    lines = written.splitlines()[1:]
    cover = lines.index("claim infeasible") + 1
    for k in range(cover, len(lines), max(1, (len(lines) - cover) // 15)):
        with pytest.raises(RefusedError):
            verify(text([*lines[:k], *lines[k + 1 :]]))


@pytest.mark.slow
@pytest.mark.parametrize("name", UNCOVERED)
def test_what_no_rule_covers_is_named(name):
    answer = planner.solve(UNCOVERED[name])
    proved, unproved = verify(answer.certificate())
    assert proved == claimed(answer)
    assert unproved
    assert all(step.startswith("unproved ") for step in unproved)


@pytest.mark.slow
def test_a_check_reads_it():
    plan = planner.solve(FEASIBLE["shares"])
    good = plan.certificate()
    assert planner.check(plan, good).holds
    assert "SHA-256" in planner.check(plan, good).confirmed[0]
    other = replace(plan, questions=plan.questions[::-1])
    assert "another study" in planner.check(other, good).wrong[0]


@pytest.mark.slow
def test_a_limit_has_one():
    limit = planner.limit(study(SHARES, BUDGET, FEW, analysis="hoeffding"), "budget")
    proved, unproved = verify(limit.certificate())
    assert not unproved
    assert any(line.startswith("claim infeasible with conditions.budget = ") for line in proved)
