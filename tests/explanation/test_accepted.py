"""What whoever signs a plan accepts: the numbers are those of the plan."""

from dataclasses import replace

import pytest

import planner
from planner.explanation.accepted import accepted
from planner.wording import at_most, money

CLINIC = planner.Study(
    planner.LaplaceMean(analysis="hoeffding"),
    planner.Accuracy(error=0.05, failure=0.05),
    planner.Individual(12.5, 1274.0),
    [planner.Budget(30_000.0)],
    planner.Costs(per_person=5.0, overhead=2000.0),
    currency="EUR",
)


def test_accuracy_risk_losses_and_cost_are_stated() -> None:
    """Each once; the risk is e^ε times one in a hundred, rounded up."""
    plan = planner.solve(CLINIC)
    accuracy, risk, losses, raw, cost = accepted(plan)
    assert "a margin of error of 5 percentage points at 95 % confidence" in accuracy
    assert "drawn at random" in accuracy
    rise = CLINIC.individual.largest_risk(planner.BadEvent(0.01, 0.0), plan.epsilon, 0.0)
    assert risk.endswith(f"at most {at_most(100 * float(rise), 4)} % of those who take part.")
    assert "12.5 EUR" in losses
    assert "1,274 EUR" in losses
    assert raw.startswith("the raw data: the answers are kept by")
    assert cost == f"the cost: {money(plan.cost, 'EUR')} of a budget of 30,000.00 EUR."


def test_a_count_of_the_participants_is_about_them_alone() -> None:
    """Nothing is claimed of others."""
    count = planner.solve(CLINIC.by(planner.GeometricCount()))
    assert "about the participants alone" in accepted(count)[0]


def test_of_strata_the_largest_risk_is_named() -> None:
    """That of the stratum whose people lose the most."""
    strata = (planner.Stratum("North", 12_000, error=0.1), planner.Stratum("South", 900, error=0.2))
    study = replace(CLINIC, target=planner.Accuracy(failure=0.05), strata=strata)
    plan = planner.solve(study)
    worst = max(plan.strata, key=lambda one: one.epsilon)
    said = accepted(plan)
    assert f"(in {worst.study.title}, where it is largest)" in said[1]
    assert "each stratum within its margin of error" in said[0]
    assert f"{money(plan.cost, 'EUR')} of" in said[-1]


@pytest.mark.parametrize(
    ("target", "mechanism", "words"),
    [(planner.Power(0.3, 0.5), planner.NoisyCounts(),
      "a power of 80 % to find a proportion of 0.5"),
     (planner.Survey([planner.Share("smokes", 0.1), planner.Share("drinks", 0.1)], 0.05),
      planner.AddedNoise("laplace", "hoeffding"), "all jointly at 95 % confidence"),
     (planner.Survey([planner.Share("smokes", 0.1, failure=0.05)]),
      planner.AddedNoise("laplace", "hoeffding"), "at its own confidence")],
)  # fmt: skip
def test_other_targets_say_what_they_ask(target, mechanism, words) -> None:
    """A power, or margins of error with one confidence or several."""
    plan = planner.solve(replace(CLINIC, target=target, mechanism=mechanism))
    assert words in accepted(plan)[0]


def test_what_people_of_each_stratum_stand_to_lose_is_stated() -> None:
    strata = (
        planner.Stratum("North", 12_000, error=0.1),
        planner.Stratum("South", 9_000, error=0.1, base_cost=30.0),
    )
    study = replace(CLINIC, target=planner.Accuracy(failure=0.05), strata=strata)
    assumed = accepted(planner.solve(study))[2]
    assert "risks losing 12.5 EUR anyway" in assumed
    assert "(in North); a person risks losing 30 EUR anyway" in assumed
    assert assumed.endswith("(in South).")
