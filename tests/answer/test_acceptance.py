"""People who differ: who accepts, and the worst that those who refuse can do to the answer."""

from dataclasses import replace

import numpy as np
import pytest

import planner
from planner.answer.accepting import in_words
from planner.cli import run
from tests.oracles.invitations import invited

GROUPS = planner.model.Groups(((0.7, 5.0), (0.25, 12.5), (0.05, 80.0)))


def study(people, **changed):
    given = {
        "mechanism": planner.LaplaceMean("hoeffding"),
        "target": planner.Accuracy(0.05, 0.05),
        "individual": planner.Individual.of_people(people, 1274.0),
        "conditions": [planner.Budget(100_000)],
        "costs": planner.Costs(5.0),
    }
    return planner.Study(**(given | changed))


@pytest.mark.parametrize(
    ("accept", "paid", "accepting"),
    [(0.5, 5.0, 0.7), (0.7, 5.0, 0.7), (0.71, 12.5, 0.95), (0.95, 12.5, 0.95), (1.0, 80.0, 1.0)],
)
def test_the_quantile_of_groups_is_paid(accept, paid, accepting) -> None:
    question = study(planner.People(GROUPS, accept))
    assert question.individual.base_cost == paid
    found = planner.answer.acceptance(question)
    assert (found.base_cost, found.accepting) == (paid, accepting)
    assert planner.solve(question).cost == planner.solve(
        study(planner.People(GROUPS, accept), individual=planner.Individual(paid, 1274.0))
    ).cost  # fmt: skip


def test_a_distribution_and_its_maximum() -> None:
    people = planner.People(planner.model.LogNormal(12.5, 2.0), 0.9)
    # the upper decile of a log-normal: 1.2815515655446004 standard deviations of its logarithm
    assert people.base_cost == pytest.approx(12.5 * 2**1.2815515655446004, rel=1e-12)
    assert people.accepting == 0.9
    assert planner.People(planner.model.Uniform(2.0, 9.0)).base_cost == 9.0
    with pytest.raises(ValueError, match="have none; give a proportion"):
        planner.People(planner.model.LogNormal(12.5, 2.0))


@pytest.mark.parametrize("accept", [0.7, 0.95, 1.0])
def test_no_refusers_do_worse_than_the_bounds_and_some_do_as_bad(accept) -> None:
    found = planner.answer.acceptance(study(planner.People(GROUPS, accept)))
    r = 1 - found.accepting
    taking_part, refusers = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41))
    population = (1 - r) * taking_part + r * refusers
    plain, corrected = [], []
    for off in (-0.05, 0.0, 0.05):
        published = taking_part + off
        possible = (published >= 0) & (published <= 1)
        plain.append(np.abs(published - population)[possible].max())
        middle = (1 - r) * published + r / 2
        corrected.append(np.abs(middle - population)[possible].max())
    assert max(plain) <= found.error + 1e-12
    assert max(corrected) == pytest.approx(found.corrected_error, abs=1e-12)
    assert found.corrected_error <= found.error


def test_each_share_has_its_plan() -> None:
    found = planner.decisions.acceptances(study(planner.People(GROUPS, 0.9)), (0.7, 0.95, 1.0))
    costs = [answer.cost for answer, _ in found]
    assert costs == sorted(costs)
    assert [told.accepting for _, told in found] == [0.7, 0.95, 1.0]
    for answer, told in found:
        assert told.invite == invited(answer.participants, told.accepting)
    with pytest.raises(ValueError, match="give base_costs"):
        planner.decisions.acceptances(
            study(planner.People(GROUPS), individual=planner.Individual(1.0))
        )


def test_where_the_answer_is_about_the_participants_alone() -> None:
    question = study(planner.People(GROUPS, 0.7), mechanism=planner.GeometricCount())
    assert planner.answer.acceptance(question).error is None


def test_nothing_is_said_of_all_people_where_some_means_are_analysed() -> None:
    some = planner.LaplaceMean(mean_range=(0.4, 0.6))
    question = study(planner.People(GROUPS, 0.7), mechanism=some)
    found = planner.answer.acceptance(question)
    assert (found.error, found.corrected_error) == (None, None)
    said = " ".join(in_words(question, 1000))
    assert "0.4 to 0.6" in said
    assert "certainty" not in said
    # a bound holds for every mean
    bound = planner.LaplaceMean("hoeffding", mean_range=(0.4, 0.6))
    assert planner.answer.acceptance(study(planner.People(GROUPS, 0.7), mechanism=bound)).error


def test_shares_are_printed_as_they_were_given() -> None:
    people = planner.People(planner.model.LogNormal(12.5, 2.0), 0.1)
    assert people.accepting == 0.1
    assert "to 0.1·a + 0.45" in " ".join(in_words(study(people), 1000))


@pytest.mark.slow
def test_limits_and_scales_leave_the_people_behind() -> None:
    question = study(planner.People(GROUPS, 0.95))
    found = planner.limit(question, "base_cost")
    alone = study(planner.People(GROUPS), individual=planner.Individual(1.0, 1274.0))
    assert found == planner.limit(alone, "base_cost")


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ([(0.7, 5.0), (0.2, 9.0)], "add up to 0.9"),
        ([(0.5, 1.0)], "add up to 0.5"),
        ([], "add up to 0"),
        ([(0.7, 5.0), (0.3, -1.0)], "at least 0"),
        ([(1.0, 5.0)], "probability above 0"),
    ],
)
def test_groups_that_are_none(groups, words) -> None:
    with pytest.raises(ValueError, match=words):
        planner.model.Groups(groups)


FILE = """
[target]
error = 0.05
failure = 0.05
[mechanism]
kind = "laplace-mean"
analysis = "hoeffding"
[individual]
{individual}
[conditions]
budget = 30000
"""


def test_study_files_and_the_command_line(tmp_path, capsys) -> None:
    path = tmp_path / "people.toml"

    def write(individual):
        path.write_text(FILE.format(individual=individual), "utf-8")
        return run(["solve", str(path)])

    groups = "base_costs = { groups = [[0.7, 5], [0.25, 12.5], [0.05, 80]] }"
    assert write(f"{groups}\naccept = 0.9") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "up to 5 % of the people have more to lose" in shown
    assert "may be off by 0.1; corrected to 0.95·a + 0.025 it is off by at most 0.0725" in shown
    assert write(groups) == 0
    assert "largest base cost, 80." in " ".join(capsys.readouterr().out.split())
    for bad, words in (
        (f"{groups}\nbase_cost = 1", "either base_costs"),
        ("base_cost = 1\naccept = 0.9", "accept is for people who differ"),
        ("base_costs = { groups = [[0.7, 5], 3] }", "3 is not a pair; give"),
        ("base_costs = { log_normal = [12.5, 2] }", "have none; give a proportion"),
        (f"{groups}\naccept = 1.5", "above 0 and at most 1"),
    ):
        assert write(bad) == 64
        assert words in capsys.readouterr().err


def test_invitations_are_sent_to_those_who_refuse_too() -> None:
    """Each takes part at (response rate · share), and each invitation costs money."""
    people = planner.People(planner.model.Groups(((0.6, 5.0), (0.4, 80.0))), 0.5)
    plan = planner.solve(
        study(
            people,
            sampling=planner.Sampling(response_rate=0.5),
            costs=planner.Costs(per_invitation=3.0),
        )
    )
    found = planner.answer.acceptance(plan)
    assert plan.invitations == found.invite == invited(plan.participants, 0.3)
    assert plan.cost == pytest.approx(
        plan.participants * plan.compensation + 3.0 * plan.invitations
    )
    one = planner.Individual(5.0, 1274.0)
    other = planner.solve(study(people, individual=one, costs=planner.Costs(3.0 / 0.3)))
    assert plan.participants == pytest.approx(other.participants, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "base_costs",
    [
        planner.model.Groups(((0.6, 5.0), (0.4, 80.0))),
        planner.model.LogNormal(12.5, 2.0),
        planner.model.Uniform(1.0, 30.0),
        planner.model.Asked(planner.model.LogNormal(12.5, 2.0), 0.1, 60.0),
        planner.model.Observed(((0.3, 4.0), (0.7, 20.0))),
    ],
)
def test_base_costs_of_people_scale_together(base_costs) -> None:
    """With another base cost as many accept, so that invitations cost the same."""
    costs = planner.Costs(per_invitation=3.0)
    people = planner.People(base_costs, 0.5)
    given = study(people, individual=planner.Individual.of_people(people), costs=costs)
    person = given.individual.with_base_cost(2.5)
    assert person.base_cost == 2.5
    assert person.people.base_cost == pytest.approx(2.5)
    assert person.people.accepting == given.individual.people.accepting
    for extreme in (0.0, 1e300):
        assert given.individual.with_base_cost(extreme).people.accepting == person.people.accepting
    least = planner.limit(given, "base_cost").value
    at = replace(given, individual=given.individual.with_base_cost(0.999 * least))
    assert at.costs.response_rate == given.costs.response_rate
    assert planner.solve(at).verdict == "feasible"
    beyond = replace(given, individual=given.individual.with_base_cost(1.001 * least))
    assert planner.solve(beyond).verdict == "infeasible"
