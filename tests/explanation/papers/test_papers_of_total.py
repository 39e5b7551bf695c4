"""One answer for all people of strata on paper: sheets for each stratum, methods, formulas."""

import math
import re

import pytest
import sympy

import planner
from planner.explanation.of_total import constraints_of, meaning_of
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.model.strata import Stratum
from planner.reports.content import annex_of, content_of
from planner.reports.page import annex_page, page

STRATA = [
    Stratum("City", share=0.6, min_participants=120),
    Stratum("Coast", share=0.2, per_person=15.0),
    Stratum("Hills", share=0.2, per_person=15.0),
]


def plan_of(*conditions):
    return planner.solve(
        planner.Study(
            planner.LaplaceMean(), planner.Accuracy(0.1, 0.1), planner.Individual(12.5, 1274.0),
            conditions, planner.Costs(per_person=5.0), strata=STRATA, currency="EUR", title="Towns",
        )
    )  # fmt: skip


@pytest.fixture(scope="module")
def plan():
    return plan_of(planner.Budget(1e5))


@pytest.mark.slow
def test_each_payment_has_a_sheet_of_its_own(plan) -> None:
    sheet = consent(plan)
    assert [sheet.title, *(one.title for one in sheet.others)] == [
        "Towns: City: what it means to take part",
        "Towns: Coast and Hills: what it means to take part",
    ]
    for one, share in zip([sheet, *sheet.others], plan.strata[:2], strict=True):
        text = markdown(one._replace(others=()))
        assert f"We publish one result for all {plan.participants} people together" in text
        assert f"{share.participants} of them are from your group" in text
        paid = float(re.search(r"We pay you ([\d.]+) EUR", text)[1])
        owed = 12.5 * math.expm1(share.epsilon)  # what W/(N·b), or 1/(N·b), of ε is worth
        assert owed <= paid < owed + 0.011


@pytest.mark.slow
def test_payments_in_coins_over_the_budget_are_refused(plan) -> None:
    close = plan_of(planner.Budget(math.ceil(plan.cost)))
    assert close.verdict == "feasible"
    with pytest.raises(ValueError, match="with payments rounded up to 5 EUR"):
        consent(close, coin=5.0)


def test_the_methods_state_the_noise_and_each_stratum(plan) -> None:
    text = markdown(methods(plan))
    assert "One Laplace noise of scale" in text
    assert "within ± 10 percentage points at 90 % confidence" in text
    assert "Coast and Hills: " in text
    assert f"epsilon: {plan.strata[0].epsilon}" in text
    assert "hoeffding1956" in text


def test_the_formulas_hold_at_their_numbers(plan) -> None:
    """Each formula with the plan's numbers is true, and hardly so; the accuracy is in words."""
    accuracy, *others = constraints_of(plan)
    assert "μ + T/w" in str(accuracy.in_symbols)
    assert re.search(r"μ \+ 0\.1/1\.\d+", str(accuracy.in_numbers))
    for one in others:
        left, right = (
            float(side.subs({s: sympy.Float(s.name.replace(",", "")) for s in side.free_symbols}))
            for side in (one.in_numbers.lhs, one.in_numbers.rhs)
        )
        holds = left <= right if isinstance(one.in_numbers, sympy.Le) else left >= right
        assert holds or left == pytest.approx(right, rel=1e-5), one.label
        if one.label != planner.Budget(1e5).label:
            assert left == pytest.approx(right, rel=1e-5)
    names = [one.label for one in constraints_of(plan)]
    assert names[1:3] == ["what people of City lose", "what people of Coast and Hills lose"]


def test_it_is_explained_to_people_of_each_stratum(plan) -> None:
    said = meaning_of(plan)
    assert [one.split(":")[0] for one in said[:4]] == ["City", "City"] + ["Coast and Hills"] * 2
    assert said[-1].startswith("This covers the consequences of the published answer")
    found = planner.explain(plan)
    assert found.participant == tuple(said)
    assert found.to_dict()["derivations"] == []


@pytest.mark.slow
def test_a_report_shows_all_of_it(plan) -> None:
    content = content_of(plan, quick=True)
    html, annex = page([content]), annex_page([annex_of(content, quick=True)])
    sheet = "For the participants: Towns: City"
    for words, where in (
        ("The strata", html),
        ("Coast and Hills", html),
        (sheet, annex),
        ("one result", annex),
        ("stratum g", annex),
    ):
        assert words in where
    assert "The feasible region" not in html
