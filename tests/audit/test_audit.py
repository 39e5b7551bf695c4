"""The audit computes: a row whose computation is broken changes its status."""

import math
import re
from fractions import Fraction
from types import SimpleNamespace

import pytest
import sympy

from planner import audit, scenarios
from planner.audit import (
    basics,
    delta,
    harms,
    literature,
    mean,
    mwem,
    non_private,
    paper,
    side_conditions as sides,
)
from planner.audit.claim import Row, logical, number
from planner.comparison import chernoff
from planner.explanation import derivations
from planner.explanation.mechanisms import formulas
from planner.mechanisms import LaplaceMean, Mwem, MwemApproximate
from planner.model import Individual
from planner.model.paid_by_cost import PaidByCost

CLAIMS = {claim.id: claim for claim in audit.claims()}


def times(factor, function):
    return lambda *args, **kwargs: factor * function(*args, **kwargs)


def opposite(solve):
    other = {"feasible": "infeasible", "infeasible": "feasible"}

    def answer(study):
        return SimpleNamespace(verdict=other[solve(study).verdict], proof=solve(study).proof)

    return answer


def other_steps(derivation):
    """A derivation whose formulas have doubled sides."""

    def steps():
        return [
            step._replace(formula=step.formula.func(*(2 * side for side in step.formula.args)))
            for step in derivation()
        ]

    return steps


def other_formulas(kind):
    return {name: f**2 for name, f in formulas(kind).items()}


def flip(module):
    return (module, "solve", opposite(module.solve))


def pay(factor):
    return (Individual, "compensation", times(factor, Individual.compensation))


def owe(factor):
    return (PaidByCost, "compensation", times(factor, PaidByCost.compensation))


def table(**changes):
    entries = literature.table_1()
    return (literature, "table_1", lambda: tuple(p._replace(**changes) for p in entries))


DERIVED = {
    "mean": (mean, "derivation", other_steps(derivations.mean_study)),
    "non_private": (non_private, "non_private_study", other_steps(derivations.non_private_study)),
    "sides": (sides, "targeted_publication", other_steps(derivations.targeted_publication)),
}
SIZE = (chernoff, "least_participants", times(2, chernoff.least_participants))
PRODUCT = (harms, "product", times(2, harms.product))
NO_EQ_9 = (non_private, "by_hand", lambda study, exposure: None)

BREAKS = {
    "range-in-the-introduction": table(lowest=0.01, highest=7.0),
    "laplace-is-private": (basics, "abs", lambda x: 2 * abs(x)),
    "sensitivity": (basics, "abs", lambda x: 2 * abs(x)),
    "composition": (basics.math, "isclose", lambda a, b: math.fabs(a - 2 * b) < 1e-9),
    "expected-cost": (basics, "expected", lambda chances, costs: sum(chances[:1]) ** 9),
    "ten-percent": (basics.math, "expm1", lambda x: 0.2),
    "source-of-the-largest": table(highest=7.0),
    "compensation": owe(2),
    "theorem-6": (chernoff, "upper_bound", times(1e3, chernoff.upper_bound)),
    "theorem-7": (sympy, "diff", lambda f, x: -f),
    "eq-5": (mean, "formulas", other_formulas),
    "dominating-epsilon": DERIVED["mean"],
    "eq-6": DERIVED["mean"],
    "eq-7": DERIVED["mean"],
    "eq-8": DERIVED["mean"],
    "eq-8-is-not-necessary": flip(mean),
    "closed-epsilon": (mean, "ERROR", 0.06),
    "closed-participants": (mean, "least_participants", times(2, mean.least_participants)),
    "closed-plan-is-accurate": (
        LaplaceMean, "failure_probability", times(2, LaplaceMean.failure_probability),
    ),
    "feasible-base-cost": (mean, "least_participants", times(2, mean.least_participants)),
    "smoking-base-cost": PRODUCT,
    "smoking-verdict": flip(harms),
    "education-pay-cut": flip(harms),
    "education-base-cost": PRODUCT,
    "education-verdict": flip(harms),
    "movies-probability": PRODUCT,
    "movies-base-cost": PRODUCT,
    "movies-verdict": flip(harms),
    "social-base-cost": PRODUCT,
    "social-verdict": flip(harms),
    "mwem-inversion": (mwem, "formulas", other_formulas),
    "mwem-movies-verdict": flip(mwem),
    "mwem-movies-accuracy": (
        Mwem, "failure_probability", times(10, Mwem.failure_probability),
    ),
    "mwem-movies-budget": pay(2),
    "mwem-movies-payment": pay(2),
    "mwem-social-verdict": flip(mwem),
    "mwem-social-accuracy": (
        Mwem, "failure_probability", times(10, Mwem.failure_probability),
    ),
    "mwem-social-budget": pay(0.1),
    "mwem-social-payment": pay(2),
    "mwem-other-scenarios": (mwem, "limit", times(0.01, mwem.limit)),
    "theorem-8": (chernoff, "lower_bound", times(0.1, chernoff.lower_bound)),
    "theorem-9": (chernoff, "least_participants", lambda *args: 0.5),
    "eq-10": DERIVED["non_private"],
    "eq-9": DERIVED["non_private"],
    "exposure": (paper, "EXPOSURE", 0.003),
    "non-private-participants": SIZE,
    "too-few-without-privacy": (non_private, "off_by", lambda n, error, m: 0.01),
    "eq-9-smoking": NO_EQ_9,
    "eq-9-education": (chernoff, "least_participants", times(0.1, chernoff.least_participants)),
    "eq-9-movies": NO_EQ_9,
    "eq-9-social": NO_EQ_9,
    "non-private-cost": (non_private, "product", times(2, non_private.product)),
    "private-cost": pay(2),
    "more-accurate": (non_private, "limit", lambda study, quantity: 0.06),
    "cheaper-and-larger": pay(100),
    "large-epsilon-above": (sides.math, "exp", lambda x: 2e9),
    "large-epsilon-below": (sides.math, "exp", lambda x: 1.0),
    "other-records": (sympy, "simplify", lambda e: e + 1),
    "eq-11": DERIVED["sides"],
    "eq-12": DERIVED["sides"],
    "target-epsilon": DERIVED["sides"],
    "small-epsilon": (sides.math, "exp", lambda x: 1.0),
    "universe-size": (sides, "UNIVERSE", (4, 5, 4, 10)),
    "students-epsilon": DERIVED["sides"],
    "students-exponents": (paper, "ERROR", 0.1),
    "students-verdict": flip(sides),
    "students-without-side-conditions": flip(sides),
    "students-harm": (
        sides.MaxHarm, "epsilon_ceiling", times(2, sides.MaxHarm.epsilon_ceiling),
    ),
    "random-record": (delta, "max", lambda a, b: 2 * max(a, b)),
    "proposition-11": (delta, "expected", lambda *args: basics.expected(*args) ** 2),
    "compensation-with-delta": owe(2),
    "mwem-approximate-inversion": (
        delta, "formulas", lambda kind: {"printed": formulas(kind)["derived"]},
    ),
    "mwem-approximate-accuracy": (
        MwemApproximate, "failure_probability", lambda *args: 0.0,
    ),
    "mwem-approximate-verdict": flip(delta),
    "mwem-approximate-payment": pay(100),
    "mwem-approximate-total": pay(100),
    "social-worst-cost": pay(100),
    "more-queries-with-delta": flip(delta),
    "large-epsilon": pay(1e-9),
    "range-in-related-work": table(highest=7.0),
    "names-in-table-1": table(named="", reference=1),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", CLAIMS)
def test_a_broken_computation_changes_the_status(name: str, audit_rows, monkeypatch) -> None:
    target, attribute, broken = BREAKS[name]
    monkeypatch.setattr(target, attribute, broken, raising=False)
    assert CLAIMS[name].judged()[1] != audit_rows[name].status


def with_status(status: str, rows: dict[str, Row]) -> set[str]:
    return {name for name, row in rows.items() if row.status == status}


@pytest.mark.slow
def test_what_is_wrong_in_the_paper(audit_rows) -> None:
    assert with_status("wrong", audit_rows) == {
        "theorem-6",
        "theorem-8",
        "theorem-9",
        "mwem-social-budget",
        "mwem-approximate-inversion",
        "mwem-approximate-accuracy",
        "mwem-approximate-verdict",
        "more-queries-with-delta",
    }


def test_what_slips_in_the_paper(audit_rows) -> None:
    assert with_status("misprint", audit_rows) == {
        "range-in-the-introduction",
        "source-of-the-largest",
        "education-pay-cut",
        "education-base-cost",
        "movies-probability",
        "large-epsilon-above",
        "mwem-approximate-payment",
        "mwem-approximate-total",
        "social-worst-cost",
        "names-in-table-1",
    }


def test_numbers_agree_as_printed() -> None:
    assert number(0.3, 0.1 + 0.2, 1).agreement == "exact"
    assert number(182.417, 182, 3).agreement == "rounded"
    assert number(182.6, 182, 3).agreement == "none"
    assert number(19_652.9, 20_000, 2).agreement == "rounded"
    assert logical(True, "").agreement == "exact"


def test_the_scenarios_are_those_of_the_paper() -> None:
    for name in ("smoking", "education", "movies", "social"):
        scenario = scenarios.read_all()[name]
        assert (scenario.base_cost, scenario.worst_cost) == getattr(paper, name.upper())
        chance = Fraction(repr(scenario.probability))
        assert chance * Fraction(scenario.worst_cost) == Fraction(repr(scenario.base_cost))


def test_sections_are_in_order() -> None:
    numbers = [[int(part) for part in claim.section.split(".")] for claim in audit.claims()]
    assert numbers == sorted(numbers)
    assert len(CLAIMS) == len(numbers)  # no id twice


def test_what_a_mean_costs_by_each_bound(audit_rows) -> None:
    costs = re.findall(r"\d+,\d{3}\.\d\d", audit_rows["eq-5"].exact)
    assert costs == ["92,498.47", "11,814.76", "4,208.42", "4,132.64"]


def test_what_the_exact_analysis_says(audit_rows) -> None:
    exact = {name: row.exact for name, row in audit_rows.items() if row.exact}
    assert exact["smoking-verdict"] == exact["students-verdict"] == "feasible"


def test_ties_are_decided_in_fractions() -> None:
    # 110·(0.25 ± 0.05) are 33 and 22 people, who are off by 0.05 exactly
    counts = [k for k in range(111) if abs(Fraction(k, 110) - Fraction(1, 4)) >= Fraction(1, 20)]
    truth = sum(
        Fraction(math.comb(110, k)) * Fraction(1, 4) ** k * Fraction(3, 4) ** (110 - k)
        for k in counts
    )
    assert {22, 33} <= set(counts)
    assert mean.off_by(110, 0.05, 0.25) == pytest.approx(float(truth), rel=1e-12)
    assert float(truth) == pytest.approx(0.270518, abs=1e-6)


def test_claims_about_all_that_are_computed_for_some_say_so() -> None:
    by_instance = {
        "sensitivity", "composition", "expected-cost", "large-epsilon", "random-record",
        "proposition-11", "small-epsilon",
    }  # fmt: skip
    for name in by_instance:
        assert "instances: " in CLAIMS[name].row().why
