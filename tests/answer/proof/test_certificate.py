"""Certificates of answers: what is written is accepted, and it is about the answer."""

from dataclasses import replace

import pytest

import planner
from planner.answer.proof.certificate import claimed
from planner.certificate import verify
from planner.certificate.check import RefusedError

COSTS = planner.Costs(per_person=5.0, overhead=2000.0)
PERSON = planner.Individual(12.5, 1274.0)
DELTA = planner.Delta(1e-5)
REPORTS, TOWN = planner.RandomizedResponse(), planner.Sampling(population=2000)
HOEFFDING, PAPER = planner.LaplaceMean("hoeffding"), planner.LaplaceMean("paper")


def study(*conditions, mechanism=None, person=PERSON, costs=COSTS, error=0.05, **more):
    mechanism = mechanism or planner.LaplaceMean()
    accuracy = planner.Accuracy(error, 0.05)
    return planner.Study(mechanism, accuracy, person, conditions, costs, "Clinic", "EUR", **more)


FEASIBLE = {
    "clinic": study(planner.Budget(30_000.0), planner.MaxParticipants(4000)),
    "coins": study(planner.Budget(30_000.0), costs=planner.Costs(5.0, 2000.0, smallest_coin=0.01)),
    "hoeffding": study(planner.Budget(30_000.0), mechanism=HOEFFDING),
    "paper": study(planner.Budget(900_000.0), mechanism=PAPER),
    "gaussian": study(planner.Budget(30_000.0), DELTA, mechanism=planner.GaussianMean()),
    "delta": study(planner.Budget(30_000.0), DELTA),
    "family": study(
        planner.Budget(30_000.0), person=planner.Individual(12.5, 1274.0, family=2, breach=0.001)
    ),

    "privacy": study(
        planner.EpsilonAtLeastOneOverN(), planner.EpsilonAtMost(0.5), planner.MaxHarm(5.0),
        planner.TargetedPublication(0.5, 1000), planner.MinParticipants(400),
        planner.MaxParticipants(4000),
    ),
    "one mean": study(
        planner.Budget(30_000.0), mechanism=planner.LaplaceMean(mean_range=(0.1, 0.1))
    ),
    "geometric": study(planner.Budget(30_000.0), mechanism=planner.GeometricMean()),
    "population": study(planner.Budget(30_000.0), sampling=TOWN),
    "gaussian of a population": study(
        planner.Budget(30_000.0), DELTA, mechanism=planner.GaussianMean(), sampling=TOWN
    ),
    "population by a bound": study(planner.Budget(30_000.0), mechanism=HOEFFDING, sampling=TOWN),
    "reports": study(planner.Budget(30_000.0), mechanism=REPORTS, error=0.2),
    "reports by a bound": study(
        planner.Budget(30_000.0), mechanism=planner.RandomizedResponse("hoeffding"), error=0.2
    ),
    "reports of any values": study(
        planner.Budget(30_000.0), mechanism=planner.RandomizedResponse(values="any"), error=0.2
    ),
}  # fmt: skip
INFEASIBLE = {
    "budget": study(planner.Budget(6_100.0), planner.MaxParticipants(4000)),
    "any size": study(planner.Budget(6_100.0)),
    "no people": study(planner.Budget(1_000.0)),
    "hoeffding": study(planner.Budget(5_000.0), mechanism=HOEFFDING),
    "without end": study(planner.Budget(700.0), mechanism=HOEFFDING, costs=planner.Costs()),
    "paper": study(planner.Budget(1000.0), mechanism=PAPER, costs=planner.Costs()),
    "gaussian": study(planner.Budget(6_000.0), DELTA, mechanism=planner.GaussianMean()),
    "harm": study(planner.MaxHarm(1.0), planner.MaxParticipants(600)),
    "few": study(planner.MaxParticipants(100), costs=planner.Costs()),
    "capped": study(planner.Budget(5_500.0), person=planner.Individual(12.5, 20.0, capped=True)),

    "family": study(
        planner.Budget(5_500.0), person=planner.Individual(12.5, 1274.0, family=2, breach=0.001)
    ),
    "geometric": study(
        planner.Budget(6_000.0), mechanism=planner.GeometricMean()
    ),
    "population": study(planner.Budget(5_000.0), sampling=TOWN),
    "gaussian of a population": study(
        planner.Budget(5_000.0), DELTA, mechanism=planner.GaussianMean(), sampling=TOWN
    ),
    "population by a bound": study(planner.Budget(5_000.0), mechanism=HOEFFDING, sampling=TOWN),
    "reports": study(planner.Budget(4_600.0), mechanism=REPORTS, error=0.2),
    "reports by a bound": study(
        planner.Budget(700.0), mechanism=planner.RandomizedResponse("hoeffding"), error=0.2,
        costs=planner.Costs(),
    ),
}  # fmt: skip
SLOW = (
    "budget", "any size", "few", "gaussian", "events", "capped", "geometric", "population",
    "reports", "gaussian of a population",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] if n == SLOW[-1] else []) for n in FEASIBLE],
)
def test_a_plan_has_a_certificate(name):
    plan = planner.solve(FEASIBLE[name])
    proved, unproved = verify(plan.certificate())
    assert (proved, unproved) == (claimed(plan), [])
    assert f"claim feasible participants = {plan.participants}," in "\n".join(proved[-2:])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in INFEASIBLE]
)
def test_an_infeasible_study_has_a_certificate(name):
    answer = planner.solve(INFEASIBLE[name])
    text = answer.certificate()
    assert verify(text) == (claimed(answer), [])
    assert len(text) < 100_000
    lines = text.splitlines()[1:]
    cover = lines.index("claim infeasible") + 1
    for k in range(cover, len(lines), max(1, (len(lines) - cover) // 15)):
        left = [*lines[:k], *lines[k + 1 :]]
        with pytest.raises(RefusedError):
            verify("\n".join([f"certificate of {len(left) + 1} lines", *left, ""]))


@pytest.mark.slow
def test_a_title_stays_on_its_line():
    plan = planner.solve(replace(FEASIBLE["coins"], title="Two\u2028lines\tof \u202etitle"))
    proved, unproved = verify(plan.certificate())
    assert not unproved
    assert proved[0] == "title = Two lines of  title"


def test_of_an_answer_without_a_claim_there_is_none():
    undecided = planner.answer.Undecided(
        FEASIBLE["clinic"], planner.solve(FEASIBLE["clinic"]).proof
    )
    with pytest.raises(ValueError, match="undecided"):
        undecided.certificate()


def test_a_check_of_sums_asks_the_checker(monkeypatch):
    plan = planner.solve(study(planner.Budget(30_000.0)))
    label = plan.study.target.label
    assert label in planner.check(plan).confirmed
    monkeypatch.setattr("planner.answer.check.proved_plan", lambda *_, **how: "")
    found = planner.check(plan)
    assert found.holds
    assert label not in found.confirmed
    assert any(one.startswith(f"{label}: it is computed") for one in found.unchecked)


@pytest.mark.slow
def test_a_check_reads_a_certificate():
    plan, none = planner.solve(FEASIBLE["clinic"]), planner.solve(INFEASIBLE["harm"])
    good, other = plan.certificate(), none.certificate()
    assert planner.check(plan, good).holds
    assert "SHA-256" in planner.check(plan, good).confirmed[0]
    found = planner.check(none, other)
    assert found.holds
    assert any("conflict" in one for one in found.unchecked)
    for answer, text, said in (
        (plan, other, "another study"),
        (none, good, "another study"),
        (plan, good.replace("epsilon = 0.", "epsilon = 0.1"), "refused"),
        (plan, "nonsense", "refused"),
    ):
        (wrong, *_) = planner.check(answer, text).wrong
        assert said in wrong
