"""A plan with strata beside other allocations, without privacy, and without a curator."""

import json
import math

import pytest

import planner
from planner.cli import run
from planner.comparison.strata import allocations
from planner.model import MaxParticipants, MinParticipants
from planner.model.strata import Stratum, study_of_stratum, weights

UNEQUAL = (
    Stratum("North", share=0.7, error=0.1),
    Stratum("South", share=0.3, error=0.2, per_person=20.0),
)
EQUAL = tuple(Stratum(name, share=0.25, error=0.15) for name in "ABCD")


def plan(strata, mechanism=None):
    found = planner.solve(
        planner.Study(
            mechanism or planner.LaplaceMean("hoeffding"),
            planner.Accuracy(failure=0.1),
            planner.Individual(12.5, 1274.0),
            (),
            planner.Costs(5.0, 100.0),
            strata=strata,
        )
    )
    assert isinstance(found, planner.answer.StrataPlan)
    return found


def least_by_hand(of, shares) -> float:
    """Every number of people in fixed proportions, each stratum planned at its size."""
    best = math.inf
    for people in range(200, 2_000, 7):
        total = of.study.costs.overhead
        for stratum, one, share in zip(of.study.strata, of.strata, shares, strict=True):
            size = max(1, round(people * float(share)))
            alone = study_of_stratum(of.study, stratum, one.study.accuracy.failure)
            fixed = planner.solve(
                planner.Study(
                    alone.mechanism, alone.target, alone.individual,
                    (MinParticipants(size), MaxParticipants(size)), alone.costs,
                ),
            )  # fmt: skip
            total += fixed.cost if fixed.verdict == "feasible" else math.inf
        best = min(best, total)
    return best


@pytest.mark.slow
def test_allocations_are_the_cheapest_of_their_proportions() -> None:
    of = plan(UNEQUAL)
    optimal, proportional, equal = allocations(of)
    assert optimal.cost == of.cost
    for one, shares in ((proportional, weights(of.study)), (equal, [0.5, 0.5])):
        known = least_by_hand(of, shares)
        assert one.cost == pytest.approx(known, rel=2e-3)
        assert optimal.cost < one.cost
        ratio = one.participants[0] / one.participants[1]
        assert ratio == pytest.approx(float(shares[0] / shares[1]), rel=0.02)


@pytest.mark.slow
def test_equal_strata_cost_the_same_however_allocated() -> None:
    for one in allocations(plan(EQUAL)):
        assert one.cost == pytest.approx(plan(EQUAL).cost, rel=1e-3)
        assert len(set(one.participants)) == 1


@pytest.mark.slow
def test_sides_are_the_sums_of_the_strata() -> None:
    of = plan(EQUAL, planner.LaplaceMean("exact"))
    found = planner.compare(of, 0.002)
    alone = planner.compare(of.strata[0])
    assert found.cost.least == pytest.approx(4 * alone.cost.least + 100.0)
    assert found.participants.most == 4 * alone.participants.most
    assert found.no_curator == pytest.approx(4 * alone.trust.no_curator.cost + 100.0)
    assert found.verdict == "non-private"


@pytest.mark.slow
def test_the_comparison_is_printed_whatever_the_budget(tmp_path, capsys) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        "title = 'Districts'\n[target]\nfailure = 0.1\n[mechanism]\nkind = 'laplace-mean'\n"
        "analysis = 'hoeffding'\n[individual]\nbase_cost = 12.5\nworst_cost = 100\n"
        "[conditions]\nbudget = 10\n[costs]\nper_person = 5\n"
        + "".join(f"[[stratum]]\nname = '{n}'\nshare = 0.5\nerror = 0.1\n" for n in "AB"),
        "utf-8",
    )
    assert run(["compare", str(file)]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "in proportion to size" in words
    assert "without a curator" in words
    assert run(["compare", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in data["allocations"]][1:] == ["in proportion to size", "equal"]
    assert set(data["strata"]) == {"A", "B"}
