"""How far one number of a study with strata can go: on either side of each limit it is planned."""

import math
import re
from dataclasses import replace

import pytest

import planner
from planner.answer.problem.vary import with_value
from planner.cli import run
from planner.decisions.limits_of_strata import limited_of_strata
from planner.model.strata import Stratum

STRATA = (
    Stratum("North", share=0.5, error=0.1),
    Stratum("South", share=0.3, error=0.15, per_person=20.0),
    Stratum("East", share=0.2, error=0.2, base_cost=30.0),
)


def study(*conditions, strata=STRATA, **target) -> planner.Study:
    return planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(**target, failure=0.1),
        planner.Individual(12.5, 1274.0),
        conditions,
        planner.Costs(5.0, 100.0),
        strata=strata,
    )


@pytest.fixture(scope="module")
def asked():
    return study(planner.Budget(14_000.0))


@pytest.mark.slow
def test_the_least_budget_is_the_least_cost(asked) -> None:
    end = planner.limit(asked, "budget")
    assert end.attained
    assert planner.solve(study(planner.Budget(float(end)))).verdict == "feasible"
    less = planner.solve(study(planner.Budget(0.99 * float(end))))
    assert less.verdict == "infeasible"
    assert less.proof.checked


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["failure", "base_cost", "North.error", "East.error"])
def test_beyond_a_limit_the_cheapest_costs_more(asked, quantity: str) -> None:
    end = planner.limit(asked, quantity)
    there = planner.solve(with_value(asked, quantity, float(end)))
    assert there.verdict == "feasible"
    assert there.cost == pytest.approx(14_000.0, rel=2e-3)
    beyond = 1.02 if quantity == "base_cost" else 0.98
    answer = planner.solve(with_value(asked, quantity, beyond * float(end)))
    assert answer.verdict == "infeasible"


def test_where_no_failure_probability_is_enough_there_is_no_limit() -> None:
    assert planner.limit(study(planner.Budget(150.0)), "failure") is None


@pytest.mark.slow
def test_the_limit_of_an_answer_for_all_people() -> None:
    whole = [Stratum(one.name, share=one.share, per_person=one.per_person) for one in STRATA]
    asked = study(planner.Budget(14_000.0), strata=whole, error=0.1)
    end = planner.limit(asked, "error")
    there = planner.solve(with_value(asked, "error", float(end)))
    assert there.cost == pytest.approx(14_000.0, rel=2e-3)
    assert there.verdict == "feasible"


@pytest.mark.slow
def test_every_limit_is_listed(asked) -> None:
    changes = planner.limits(planner.solve(asked))
    known = [name for name in limited_of_strata(asked) if name != "worst_cost"]  # paid by ε alone
    assert [change.quantity for change in changes] == known
    assert {change.quantity for change in changes} >= {"budget", "North.error", "South.error"}
    for change in changes:
        harder = change.to > change.given if change.quantity.endswith("cost") else None
        assert harder or change.to <= change.given


@pytest.mark.slow
def test_no_limit_where_nothing_bounds_it() -> None:
    assert float(planner.limit(study(), "base_cost")) == 1274.0  # no base cost is above the worst
    free = replace(study(), individual=planner.Individual(12.5))
    assert math.isinf(float(planner.limit(free, "base_cost")))
    assert planner.limit(study(planner.Budget(9_000.0)), "East.error") is None


def test_other_quantities_are_refused_with_those_that_have_limits(asked) -> None:
    for quantity in ("harm", "West.error", "queries"):
        with pytest.raises(ValueError, match="give budget, base_cost, worst_cost") as refused:
            planner.limit(asked, quantity)
        assert "\n" not in str(refused.value)


CAPPED = [
    [planner.MaxParticipants(300)],
    [planner.MaxParticipants(300), planner.Budget(20_000.0)],
    [planner.MaxParticipants(500), planner.EpsilonAtMost(2.0)],
]


@pytest.mark.slow
@pytest.mark.parametrize("conditions", CAPPED)
@pytest.mark.parametrize("quantity", ["failure", "North.error", "participants"])
def test_a_cap_on_all_participants_is_kept_at_a_limit(conditions, quantity: str) -> None:
    capped = study(*conditions)
    end = planner.limit(capped, quantity)
    assert end is not None
    beyond = int(end) - 1 if quantity == "participants" else 0.99 * float(end)
    inside = int(end) if quantity == "participants" else float(end)
    plan = planner.solve(with_value(capped, quantity, inside))
    most = inside if quantity == "participants" else conditions[0].n
    assert plan.participants <= most
    assert planner.solve(with_value(capped, quantity, beyond)).verdict != "feasible"


def test_the_fewest_people_of_strata_are_named_where_they_are_too_many() -> None:
    few = planner.solve(study(planner.MaxParticipants(60)), prove=False)
    assert few.verdict == "undecided"
    fewest = int(planner.limit(study(), "participants"))
    assert f"found are {fewest}, over 60" in few.proof.statement
    assert fewest < planner.solve(study(), prove=False).participants


@pytest.mark.slow
def test_what_a_search_misses_is_not_relaxed_by_tightening() -> None:
    capped = study(planner.MaxParticipants(343), planner.EpsilonAtMost(1.0))
    for change in planner.limits(capped):
        if change.to is not None:
            harder = change.quantity == "base_cost"
            assert change.to <= change["from"] if harder else change.to >= change["from"]


@pytest.mark.slow
def test_a_relaxed_study_has_a_likely_epsilon() -> None:
    """Where nothing limits ε, the last place that could be saved would take any ε at any price."""
    alone = replace(
        study(planner.MaxParticipants(60)), strata=(), target=planner.Accuracy(0.1, 0.05)
    )
    for one in (alone, replace(alone, individual=planner.Individual(0.0, 0.0))):
        changes = planner.limits(one)
        helping = [change for change in changes if change.plan]
        assert {change.quantity for change in helping} == {"error", "participants"}
        assert all(change.plan["epsilon"] <= 1 for change in helping)
        exact = planner.limit(one, "participants")
        assert all(c.to > exact for c in helping if c.quantity == "participants")


@pytest.mark.slow
def test_what_to_relax_is_printed(asked, tmp_path, capsys) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        "[target]\nfailure = 0.1\n[mechanism]\nkind = 'laplace-mean'\nanalysis = 'hoeffding'\n"
        "[individual]\nbase_cost = 12.5\n[conditions]\nbudget = 1000\n[costs]\nper_person = 5\n"
        + "".join(f"[[stratum]]\nname = '{n}'\nshare = 0.5\nerror = 0.1\n" for n in "AB"),
        "utf-8",
    )
    assert run(["solve", str(file)]) == 1
    assert "instead of 1,000 is enough" in " ".join(capsys.readouterr().out.split())
    assert run(["limit", str(file), "A.error", "--set", "budget=90000"]) == 0
    assert "down to a margin of error of 'A' of" in capsys.readouterr().out


@pytest.mark.slow
def test_strata_without_a_budget_say_what_to_relax_too(tmp_path, capsys) -> None:
    """Of 30 people no answer within 15 points is private enough, in either of two towns."""
    file = tmp_path / "study.toml"
    file.write_text(
        "[target]\nfailure = 0.1\n[mechanism]\nkind = 'laplace-mean'\nanalysis = 'hoeffding'\n"
        "[conditions]\nepsilon_at_most = 0.5\n[[stratum]]\nname = 'A'\nshare = 0.6\nerror = 0.2\n"
        "[[stratum]]\nname = 'B'\nshare = 0.4\nerror = 0.15\nmax_participants = 30\n",
        "utf-8",
    )
    assert run(["solve", str(file)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    enough = re.search(r"of 'B' of ([\d.]+) percentage points instead of 15", shown)
    settings = ["--set", f"B.error={float(enough[1]) / 100 + 1e-4}"]
    assert run(["solve", str(file), *settings]) == 0


@pytest.mark.parametrize("quantity", ["failure", "North.error"])
def test_where_nothing_limits_a_study_any_accuracy_is_reached(quantity: str) -> None:
    end = planner.limit(study(), quantity)
    assert (float(end), end.attained) == (0.0, False)


@pytest.mark.slow
def test_an_error_that_no_money_pays_is_undecided() -> None:
    """Of all 60 people every error is reached, at an ε for which no number of euros is enough."""
    town = (Stratum("North", people=60, error=1e-9), Stratum("South", people=40, error=0.2))
    exact = replace(study(strata=town), mechanism=planner.LaplaceMean())
    assert planner.solve(exact).verdict == "undecided"


@pytest.mark.slow
def test_an_undecided_study_says_what_to_relax() -> None:
    """Between what is found and what is refuted each remedy gives a plan when it is followed."""
    strata = [Stratum("A", share=0.5, error=0.2), Stratum("B", share=0.5, error=0.25)]
    exact = planner.Study(
        planner.LaplaceMean(), planner.Accuracy(failure=0.1), planner.Individual(12.5),
        costs=planner.Costs(5.0), strata=strata,
    )  # fmt: skip
    cost = planner.solve(exact).cost
    answer = planner.solve(replace(exact, conditions=[planner.Budget(0.999 * cost)]))
    assert answer.verdict == "undecided"
    changes = planner.limits(answer)
    assert {"budget", "base_cost", "failure", "A.error"} <= {change.quantity for change in changes}
    for change in changes:
        relaxed = with_value(answer.study, change.quantity, change.to)
        assert planner.solve(relaxed).verdict == "feasible"
        assert abs(change.to / change.given - 1) < 0.05


@pytest.mark.slow
def test_all_errors_of_strata_shrink_together(asked) -> None:
    """The common best accuracy: what the money pays for all strata alike."""
    assert "times_error" in limited_of_strata(asked)
    cheap = [replace(one, base_cost=None) for one in STRATA]
    free = planner.Study(
        target=planner.Accuracy(failure=0.1),
        conditions=[planner.EpsilonAtMost(1.0), planner.Budget(9_000.0)],
        costs=planner.Costs(5.0),
        strata=cheap,
    )
    end = float(planner.limit(free, "times_error"))
    for part, verdict in ((1.001, "feasible"), (0.99, "infeasible")):
        changed = with_value(free, "times_error", part * end)
        assert [one.error for one in changed.strata] == pytest.approx(
            [part * end * (one.error or 0.0) for one in STRATA]
        )
        assert planner.solve(changed, prove=False).verdict == verdict
    with pytest.raises(ValueError, match="each stratum has its own error; give times_error"):
        with_value(free, "error", 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("strata", [(), (Stratum("N", share=0.5), Stratum("S", share=0.5))])
def test_who_has_nothing_to_lose_may_have_any_base_cost(strata) -> None:
    """A limit is searched though the study as it is pays nobody; nothing is said of it unasked."""
    own = tuple(replace(one, error=0.1) for one in strata)
    of = planner.Study(
        target=planner.Accuracy(failure=0.1, **({} if own else {"error": 0.1})),
        conditions=[planner.EpsilonAtMost(1.0), planner.Budget(9_000.0)],
        costs=planner.Costs(5.0),
        strata=own,
    )
    end = float(planner.limit(of, "base_cost"))
    assert planner.solve(with_value(of, "base_cost", 0.99 * end), prove=False).cost <= 9_000
    over = planner.solve(with_value(of, "base_cost", 1.02 * end), prove=False)
    assert over.verdict != "feasible"
    assert "base_cost" not in [change.quantity for change in planner.limits(of)]


@pytest.mark.slow
@pytest.mark.parametrize("error", [None, 0.1])
def test_the_least_epsilon_is_that_of_as_many_people_as_a_cap_allows(error) -> None:
    """One answer for all people, and an answer of each stratum; nobody is paid."""
    strata = [
        planner.Stratum("A", people=9000, error=error),
        planner.Stratum("B", people=4000, error=error),
    ]
    target = planner.Accuracy(failure=0.05) if error else planner.Accuracy(0.06, 0.05)
    capped = [planner.MaxParticipants(900), planner.EpsilonAtMost(0.01)]
    asked = planner.Study(target=target, conditions=capped, strata=strata)
    assert planner.solve(asked, prove=False).verdict != "feasible"
    least = planner.limit(asked, "epsilon")
    for part, verdict in ((1.0, "feasible"), (0.99, "undecided")):
        given = replace(asked, conditions=[capped[0], planner.EpsilonAtMost(part * least.value)])
        assert planner.solve(given, prove=False).verdict == verdict
    fewest = planner.limit(replace(asked, conditions=[planner.MaxParticipants(5)]), "participants")
    free = planner.solve(replace(asked, conditions=[]), prove=error is None)
    assert fewest.value == free.participants
    exactly = replace(asked, conditions=[planner.MaxParticipants(int(fewest.value))])
    assert planner.solve(exactly).verdict == "feasible"
    with pytest.raises(ValueError, match="planner limit STUDY epsilon says the least"):
        planner.solve(asked, "epsilon")
