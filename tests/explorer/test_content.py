"""What the explorer shows is the same whichever processes find it."""

import pickle
import re

import pytest

import planner
from planner.answer.solve import solve
from planner.explanation.results.changes import in_words
from planner.explorer import content
from planner.explorer.content import SHARES, Asked
from planner.explorer.fields import MECHANISMS
from planner.explorer.state import state_of, study_of
from planner.reports.content import changes_of

SMOKING = (
    "title=Smokers&mechanism=laplace-mean+paper&currency=USD&scenario=smoking&error=0.05"
    "&failure=0.05&budget="
)
SURVEY = (
    "title=Visits&currency=EUR&mechanism=added-noise+hoeffding&failure=0.05&base_cost=1"
    "&budget=1e6&max_participants=20000&per_person=5"
    "&question.1.kind=share&question.1.name=smokes&question.1.error=0.03"
    "&question.2.kind=histogram&question.2.name=age&question.2.error=0.05&question.2.groups=8"
)


@pytest.mark.slow
@pytest.mark.parametrize("query", [f"{SMOKING}50000", f"{SMOKING}5000", SURVEY])
def test_shares_of_the_changes_are_joined(query: str) -> None:
    state = state_of(f"{query}&lock=failure")
    found = content.answered(Asked(state))
    shares = [content.changes(Asked(state, k, found["solved"])) for k in range(SHARES)]
    joined = content.joined((state, tuple(share["changes"] for share in shares)))
    whole, _ = changes_of(pickle.loads(found["solved"]), {"failure"})
    listed = joined["html"].replace("&#39;", "'").split("<li>")[1:]
    assert [words.split("</li>")[0] for words in listed] == in_words(whole)
    assert len(listed) > 1


def test_a_known_answer_is_not_computed_again(monkeypatch) -> None:
    study = study_of(state_of(f"{SMOKING}51234"))
    known = solve(study)
    monkeypatch.setattr("planner.answer.solve.solve", None)
    assert content.solved(study, known) is known
    assert content.solved(study) is known


def test_narrow_pictures_are_smaller() -> None:
    query = f"{SMOKING}30000"
    wide, narrow = (
        content.answered(Asked(state_of(f"{query}{view}"))) for view in ("", "&narrow=1")
    )
    size = re.compile(r'<svg[^>]*viewBox="0 0 ([\d.]+) ')
    assert float(size.search(narrow["html"])[1]) < float(size.search(wide["html"])[1]) * 0.6


TESTED = "mechanism=noisy-counts&null=0.3&alternative=0.4&base_cost=12.5&budget=1e4&per_person=5"


@pytest.mark.slow
def test_a_test_is_planned_and_its_power_is_shown() -> None:
    shown = content.answered(Asked(state_of(TESTED)))
    plan = pickle.loads(shown["solved"])
    assert plan.study.power == planner.Power(0.3, 0.4)
    assert plan.verdict == shown["verdict"] == "feasible"
    assert "power-wide" in shown["html"]
    assert plan.study.power.found in shown["html"]
    assert "power-narrow" in content.answered(Asked(state_of(f"{TESTED}&narrow=1")))["html"]
    poor = content.answered(Asked(state_of(TESTED.replace("1e4", "10"))))
    assert poor["verdict"] == "infeasible"
    assert "The power" not in poor["html"]
    for wrong, key in (("null=0.3&", "null"), ("alternative=0.4", "alternative")):
        refused = content.answered(Asked(state_of(TESTED.replace(wrong, "sides=1&"))))
        assert refused["key"] == key


@pytest.mark.slow
def test_other_mechanisms_do_not_answer_a_test() -> None:
    assert [row[0] for row in content.side_by_side(state_of(TESTED))] == [
        MECHANISMS["noisy-counts"]
    ]


DIFFER = (
    "title=Clinic&mechanism=laplace-mean+hoeffding&currency=EUR&error=0.1&failure=0.05&budget=1e5"
    "&accept=0.5&base_costs=log_normal+%3D+[13,+2],+intervals+%3D+[[10,+0.4,+0.3,+0.5]]"
)


@pytest.mark.slow
def test_what_to_offer_people_who_differ() -> None:
    state = state_of(f"{DIFFER}&per_invitation=2")
    found = content.offer(Asked(state, 0, content.answered(Asked(state))["solved"]))
    posted = pickle.loads(found["posted"])
    assert "<h3>What to offer</h3>" in found["html"]
    assert "is offered" in found["html"]
    assert "who accepts, at ε" in found["html"]
    assert posted.plan is not None
    costs = content.offer_costs((state._replace(narrow=True), found["posted"]))
    assert "what each payment costs" in costs["html"]
    assert "<h3>" not in costs["html"]


def test_where_there_is_no_best_payment_it_says_why() -> None:
    found = content.offer(Asked(state_of(DIFFER)))
    assert "give per_invitation in [costs]" in found["html"]
    assert content.offer_costs((state_of(DIFFER), found["posted"]))["html"] == ""
    alike = content.offer(Asked(state_of(f"{SMOKING}50000")))
    assert alike["html"] == ""
