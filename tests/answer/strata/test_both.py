"""Strata with errors of their own, and one noise more on the answer for all people."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.answer.answers import StrataPlan
from planner.answer.check import check
from planner.cli import run
from planner.explanation.papers.consent import consent
from planner.explanation.papers.methods import methods
from planner.explanation.papers.sheet import markdown
from planner.model.strata import Stratum, weights
from planner.numbers import round_up
from planner.publication.check_results import check_results
from planner.wording import confidence

STRATA = (
    Stratum("City", share=0.7, error=0.1),
    Stratum("Country", share=0.3, error=0.12, per_person=20.0),
)
EIGHT = [Stratum(name, share=0.125, error=0.1) for name in "ABCDEFGH"]


def study(error: float, *conditions, strata=STRATA, analysis="exact", total="both", **more):
    return planner.Study(
        planner.LaplaceMean(analysis),
        more.pop("target", planner.Accuracy(error, failure=0.1)),
        planner.Individual(12.5, 1274.0),
        conditions,
        planner.Costs(per_person=5.0, overhead=50.0),
        strata=strata,
        total=total,
        **more,
    )


def exactly(x: float) -> Fraction:
    return Fraction(repr(x))


@pytest.fixture(scope="module")
def plan() -> StrataPlan:
    found = planner.solve(study(0.05))
    assert isinstance(found, StrataPlan)
    return found


def test_each_person_loses_to_their_stratum_and_to_all_and_is_paid_for_both(plan) -> None:
    total = Fraction(0)
    for one, weight in zip(plan.strata, weights(plan.study), strict=True):
        lost = weight / (one.participants * exactly(plan.total_scale))
        own = 1 / (one.participants * exactly(one.scale))
        assert lost + own <= exactly(one.epsilon)
        assert float(lost + own) == pytest.approx(one.epsilon, rel=1e-5)
        assert one.compensation == pytest.approx(12.5 * math.expm1(one.epsilon))
        total += exactly(one.cost)
    assert plan.cost == pytest.approx(float(total) + 50, abs=1e-6)
    assert check(plan).holds
    assert plan.proof.checked


def test_the_promises_hold_together(plan) -> None:
    joint = 1 - math.prod(1 - one.study.accuracy.failure for one in plan.strata)
    assert joint + plan.total_failure <= 0.1 * (1 + 1e-12)
    grid = np.geomspace(1, 1 / plan.total_scale, 40_000)[:-1]
    spread = sum(float(w) ** 2 / (8 * one.participants)
                 for w, one in zip(weights(plan.study), plan.strata, strict=True))  # fmt: skip
    noise = np.log1p(-((grid * plan.total_scale) ** 2))
    off = (math.log(2 / plan.total_failure) + grid**2 * spread - noise) / grid
    assert off.min() == pytest.approx(0.05, rel=1e-5)
    assert plan.total_error == 0.05
    for one, stratum in zip(plan.strata, STRATA, strict=True):
        assert one.study.accuracy.error == stratum.error
        failure = planner.LaplaceMean("exact").failure_probability(
            one.own_epsilon, one.participants, stratum.error
        )
        assert failure <= one.study.accuracy.failure * (1 + 1e-6)


@pytest.mark.slow
def test_equal_strata_cost_what_a_grid_by_hand_finds() -> None:
    """Of strata alike only α for all, the size and the scale are left: all of them on a grid."""
    found = planner.solve(study(0.03, strata=EIGHT, analysis="hoeffding"))
    sizes, bound = np.arange(400.0, 3000.0), planner.LaplaceMean("hoeffding")
    best = math.inf
    for part in np.linspace(0.02, 0.9, 60):
        alpha = -math.expm1(math.log1p(-0.1 * (1 - part)) / 8)
        own, needed = bound.epsilon_floor(sizes, 0.1, alpha), math.log(2 / (0.1 * part))
        spread = 1 / (64 * sizes)
        # the least λT − ln(2/α) − λ²Σ has to be −ln(1 − λ²b²): the largest b over λ
        moments = np.geomspace(20, 2000, 500)[:, None]
        left = moments * 0.03 - needed - moments**2 * spread
        scales = np.where(left > 0, np.sqrt(-np.expm1(-np.maximum(left, 0))) / moments, 0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            loss = own + 1 / (8 * sizes * scales.max(axis=0))
            costs = 8 * sizes * (5 + 12.5 * np.expm1(loss))
        best = min(best, float(np.nanmin(costs)) + 50)
    assert best * 0.999 <= found.cost <= best * 1.002


@pytest.mark.slow
def test_the_cheaper_way_is_chosen_and_both_are_said() -> None:
    free = planner.solve(study(0.02, strata=EIGHT, total=None))
    assert set(free.ways) == {"sum", "both"}
    assert free.cost == pytest.approx(free.ways["both"])
    assert free.cost < free.ways["sum"]
    shown = " ".join(str(free).split())
    assert "with a noise of its own of scale" in shown
    assert "with the answers of the strata, weighted by their sizes" in shown
    assert "of it to the stratum's own answer" in shown
    few = planner.solve(study(0.05, total=None, analysis="hoeffding"))
    assert few.total_scale is None
    assert few.cost == pytest.approx(few.ways["sum"])
    assert few.cost < few.ways["both"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["sum", "both"])
def test_a_way_that_is_forced_costs_what_is_said_of_it(way: str) -> None:
    free = planner.solve(study(0.02, strata=EIGHT, total=None), prove=False)
    forced = planner.solve(study(0.02, strata=EIGHT, total=way))
    assert free.ways[way] == pytest.approx(forced.cost, rel=1e-9)
    assert list(forced.ways) == [way]


def test_what_a_file_says_otherwise_is_found(plan, tmp_path) -> None:
    plan.save(tmp_path / "plan.json")
    again = planner.read_answer(tmp_path / "plan.json")
    assert again == plan
    assert check(again).holds
    first, *rest = plan.strata

    def with_first(**changed) -> StrataPlan:
        return replace(plan, strata=(replace(first, **changed), *rest))

    more = replace(first.study.mechanism, for_total=first.study.mechanism.for_total * 0.9)
    fewer = [c for c in first.study.conditions if not isinstance(c, planner.MinParticipants)]
    for wrong in (
        replace(plan, total_scale=plan.total_scale * 0.99),
        replace(plan, total_scale=plan.total_scale * 1.01),
        replace(plan, total_scale=None),
        replace(plan, total_failure=plan.total_failure / 2),
        replace(plan, total_error=0.049),
        with_first(epsilon=first.epsilon * 0.99),
        with_first(scale=first.scale * 0.9),
        with_first(study=first.study.by(more)),
        with_first(study=replace(first.study, conditions=tuple(fewer))),
        with_first(participants=first.participants - 20),
    ):
        assert not check(wrong).holds


@pytest.mark.slow
def test_conditions_are_about_all_that_people_lose() -> None:
    free = planner.solve(study(0.03, analysis="hoeffding"))
    at_most = planner.solve(study(0.03, planner.EpsilonAtMost(0.3), analysis="hoeffding"))
    assert at_most.epsilon <= 0.3 < free.epsilon
    assert at_most.cost > free.cost
    harm = planner.solve(study(0.03, planner.MaxHarm(3.0), analysis="hoeffding"))
    assert max(one.compensation for one in harm.strata) <= 3.0
    for found in (at_most, harm):
        assert check(found).holds


@pytest.mark.slow
def test_no_more_people_than_allowed_take_part() -> None:
    free = planner.solve(study(0.03, analysis="hoeffding"))
    fewer = planner.MaxParticipants(free.participants * 9 // 10)
    found = planner.solve(study(0.03, fewer, analysis="hoeffding"))
    assert found.participants <= fewer.n
    assert free.cost < found.cost < 1.2 * free.cost


@pytest.mark.slow
def test_budgets_are_kept_and_refuted_where_that_is_proved() -> None:
    free = planner.solve(study(0.05, analysis="hoeffding"))
    enough = planner.Budget(free.cost * 1.001)
    assert planner.solve(study(0.05, enough, analysis="hoeffding")).verdict == "feasible"
    less = planner.solve(study(0.05, planner.Budget(0.98 * free.cost), analysis="hoeffding"))
    assert less.verdict == "undecided"
    none = planner.solve(study(0.05, planner.Budget(0.3 * free.cost), analysis="hoeffding"))
    assert none.verdict == "infeasible"
    assert none.proof.checked


@pytest.mark.slow
def test_a_stratum_that_is_infeasible_by_itself_is_named() -> None:
    small = (replace(STRATA[0], max_participants=50), STRATA[1])
    none = planner.solve(study(0.05, strata=small))
    assert none.verdict == "infeasible"
    assert "'City' is infeasible even with all" in none.proof.statement
    short = (replace(STRATA[0], max_participants=250), STRATA[1])
    assert planner.solve(study(0.03, strata=short)).verdict == "undecided"


@pytest.mark.slow
def test_numbers_in_a_range_keep_their_unit(plan) -> None:
    strata = [replace(one, error=100 * one.error) for one in STRATA]
    target = planner.Accuracy.of_values(5.0, 0.0, 100.0, 0.1)
    of_values = planner.solve(study(0.05, strata=strata, target=target, analysis="hoeffding"))
    shares = planner.solve(study(0.05, analysis="hoeffding"))
    assert of_values.cost == pytest.approx(shares.cost, rel=1e-5)
    assert of_values.total_scale == pytest.approx(100 * shares.total_scale, rel=1e-4)
    assert of_values.total_error == 5.0
    assert check(of_values).holds


@pytest.mark.slow
def test_it_is_published_with_a_noise_of_its_own(plan, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def records(fewer: int) -> dict[str, list[object]]:
        names = [s.study.title for s in plan.strata for _ in range(s.participants - fewer)]
        return {"stratum": names, "answer": [k % 2 for k in range(len(names))]}

    done = planner.publish(plan, records(0), people="town")
    total = done.answers[-1]
    assert (total.name, total.error, total.failure) == ("all people", 0.05, plan.total_failure)
    assert total.scale == pytest.approx(plan.total_scale, rel=1e-9)
    assert total.scale >= plan.total_scale
    weighted = sum(
        float(w) * a.answer for w, a in zip(weights(plan.study), done.answers, strict=False)
    )
    assert total.answer != pytest.approx(weighted, abs=1e-9)
    assert abs(total.answer - 0.5) < 0.1
    assert not check_results(done, plan).wrong
    assert not check_results(done).wrong
    for changed in ({"scale": total.scale * 0.99}, {"error": 0.04}, {"scale": None}):
        wrong = replace(done, answers=(*done.answers[:-1], replace(total, **changed)))
        assert check_results(wrong, plan).wrong

    fewer = planner.publish(
        plan, records(30), people="village", other_people=True, most_error="20%"
    )
    noisier = fewer.answers[-1]
    for one, weight in zip(plan.strata, weights(plan.study), strict=True):
        came = one.participants - 30
        lost = weight / (came * exactly(noisier.scale)) + 1 / (came * (one.participants * exactly(
            one.scale) / came))  # fmt: skip
        assert lost <= exactly(one.epsilon) * (1 + Fraction(1, 10**12))
    assert noisier.error > total.error
    assert not check_results(fewer, plan).wrong


@pytest.mark.slow
def test_noise_on_all_people_is_as_large_as_stated(plan, monkeypatch) -> None:
    drawn = []
    for _ in range(60):
        total = planner.publication.rehearse(plan).answers[-1]
        drawn.append(abs(total.answer - 0.5))
    # invented records have a share of one half up to a person, so all of it is noise
    assert np.mean(drawn) == pytest.approx(plan.total_scale, rel=0.7)


@pytest.mark.slow
def test_sheets_and_methods_state_what_people_lose_and_are_paid(plan, tmp_path, capsys) -> None:
    first = consent(plan)
    sheets = [first._replace(others=()), *first.others]
    for sheet, one in zip(sheets, plan.strata, strict=True):
        paid = math.ceil(100 * one.compensation) / 100
        assert f"We pay you {paid:.2f}" in markdown(sheet)
    words = markdown(methods(plan))
    assert confidence(round_up(plan.total_failure, 3)) in words
    assert "with a noise of its own, which the ε of each stratum covers" in words
    plan.save(tmp_path / "plan.json")
    for command in (["solve"], ["report", "-o", str(tmp_path / "report.html")], ["check"]):
        assert run([command[0], str(tmp_path / "plan.json"), *command[1:]]) == 0
    capsys.readouterr()
    for command in ("compare", "prices"):
        assert run([command, str(tmp_path / "plan.json")]) == 0


@pytest.mark.slow  # ten plans
@pytest.mark.parametrize("total", ["sum", "both"])
@pytest.mark.parametrize(
    ("shares", "errors", "error", "failure"),
    [
        ((0.5, 0.5), (0.1, 0.1), 0.05, 0.2), ((0.7, 0.3), (0.1, 0.12), 0.05, 0.3),
        ((0.9, 0.1), (0.1, 0.2), 0.06, 0.1), ((0.2, 0.3, 0.5), (0.2, 0.15, 0.1), 0.05, 0.2),
        ((0.25,) * 4, (0.15,) * 4, 0.06, 0.3),
    ],
)  # fmt: skip
def test_all_fail_together_no_more_often_than_stated(shares, errors, error, failure, total) -> None:
    strata = [
        Stratum(f"s{k}", share=share, error=own)
        for k, (share, own) in enumerate(zip(shares, errors, strict=True))
    ]
    target = planner.Accuracy(error, failure=failure)
    found = planner.solve(study(error, strata=strata, total=total, target=target))
    result = planner.simulate(found, runs=20_000, seed=5)
    assert result.verdict != "broken"
    assert result.promised == failure
    runs = list(result.questions.values())
    assert max(runs) <= result.failures <= sum(runs)
    assert result.questions["all people"] / 20_000 <= found.total_failure
    for one in found.strata:  # exact plans just keep their promise
        rate = result.questions[one.study.title] / 20_000
        assert rate == pytest.approx(one.study.accuracy.failure, abs=0.006)


@pytest.mark.parametrize(
    ("strata", "words"),
    [
        ([replace(s, error=None) for s in STRATA], 'total = "both" is for strata with errors of'),
        ((STRATA[0], replace(STRATA[1], error=None)), "'Country' has no error and others"),
    ],
)
def test_what_is_not_planned_is_said(strata, words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        study(0.05, strata=strata)
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_the_way_is_a_key_of_study_files(tmp_path, capsys) -> None:
    text = """
target = { error = 0.05, failure = 0.1 }
mechanism = { kind = "laplace-mean", analysis = "hoeffding" }
individual = { base_cost = 12.5 }
costs = { per_person = 5 }
strata = { total = "WAY" }
stratum = [
  { name = "City", share = 0.7, error = 0.1 },
  { name = "Country", share = 0.3, error = 0.12 },
]
"""
    path = tmp_path / "study.toml"
    path.write_text(text.replace("WAY", "both"), encoding="utf-8")
    asked = planner.read_study(path)
    assert asked.total == "both"
    assert asked.to_dict()["strata"] == {"total": "both"}
    assert run(["solve", str(path)]) == 0
    assert "with a noise of its own of scale" in " ".join(capsys.readouterr().out.split())
    path.write_text(text.replace("WAY", "twice"), encoding="utf-8")
    assert run(["solve", str(path)]) == 64
    said = capsys.readouterr().err
    assert "strata.total" in said
    assert "twice" in said


@pytest.mark.slow
def test_strata_for_which_any_noise_will_do() -> None:
    """Errors and failure probabilities so large that samples alone are enough, or nearly."""
    strata = [Stratum(name, share=0.5, error=0.9) for name in "AB"]
    target = planner.Accuracy(0.5, failure=0.9)
    for analysis in ("hoeffding", "exact"):
        found = planner.solve(study(0.5, strata=strata, target=target, analysis=analysis))
        assert found.verdict == "feasible"
        assert check(found).holds
