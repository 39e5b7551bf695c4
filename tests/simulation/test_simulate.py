import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import planner
from planner import scenarios
from planner.cli import run
from planner.mechanisms.counts import Share
from planner.simulation import mwem as mwem_runs, runs as all_runs, single
from planner.simulation.simulate import interval, simulate

STUDIES = scenarios.WORKED_STUDIES
TARGET = planner.Accuracy(error=0.05, failure=0.05)


def plan(mechanism, *conditions, target=TARGET) -> planner.answer.Plan:
    study = planner.Study(
        mechanism=mechanism,
        target=target,
        individual=planner.Individual(base_cost=1.0, worst_cost=2.0),
        conditions=[planner.Budget(1e7), *conditions],
    )
    found = planner.solve(study)
    assert isinstance(found, planner.answer.Plan)
    return found


@pytest.fixture(scope="module")
def exact() -> planner.answer.Plan:
    return plan(planner.LaplaceMean())


@pytest.fixture(scope="module")
def mwem() -> planner.answer.Plan:
    return plan(planner.Mwem(16, 50), target=planner.Accuracy(error=0.2, failure=0.05))


def test_the_noisy_mean_keeps_its_promise(exact) -> None:
    assert simulate(exact).low <= TARGET.failure
    by_bound = simulate(plan(planner.LaplaceMean(analysis="paper")))
    assert by_bound.verdict == "kept"
    assert by_bound.runs == 10_000


@pytest.mark.slow
def test_mwem_keeps_its_promise(mwem) -> None:
    found = simulate(mwem)
    assert (found.runs, found.verdict) == (100, "kept")
    assert found.computed == mwem.failure


@pytest.mark.slow
def test_mwem_with_delta_keeps_its_promise() -> None:
    target = planner.Accuracy(error=0.2, failure=0.05)
    found = plan(planner.MwemApproximate(16, 50), planner.Delta(1e-6), target=target)
    assert simulate(found).verdict == "kept"


def test_at_the_worst_mean_the_exact_failure_is_what_is_seen(exact) -> None:
    means = 0.5 + np.arange(8) / 8 / exact.participants
    share, n = Share(), np.array([float(exact.participants)])
    rate, error = np.array([exact.epsilon]), np.array([TARGET.error])
    worst = means[np.argmax(share.at_means(rate, n, error, means[:, None]))]
    found = simulate(exact, runs=100_000, mean=float(worst))
    assert found.low <= exact.failure <= found.high
    assert found.high - found.low < 0.003


def test_geometric_noise_fails_as_often_as_told() -> None:
    found = plan(planner.GeometricMean(mean_range=(0.5, 0.5)), planner.MaxParticipants(600))
    seen = simulate(found, runs=100_000)
    assert seen.low <= found.failure <= seen.high


def test_gaussian_noise_fails_as_often_as_told() -> None:
    gaussian = planner.GaussianMean(mean_range=(0.5, 0.5))
    people = planner.MaxParticipants(300), planner.MinParticipants(300)
    target = planner.Accuracy(0.07, 0.05)
    found = plan(gaussian, planner.Delta(1e-6), *people, target=target)
    seen = simulate(found, runs=100_000)
    assert seen.low <= found.failure <= seen.high
    assert "Gaussian noise" in seen.simulated


@pytest.mark.slow
def test_values_deviate_by_no_more_than_is_known() -> None:
    target = planner.Accuracy.of_values(6.0, 0, 80, 0.1, deviation_at_most=9.0)
    seen = simulate(plan(planner.LaplaceMean(), target=target), runs=20_000)
    assert seen.consistent > 1e-3
    assert "deviate by 0.1125 of the range" in seen.simulated


@pytest.mark.slow
@pytest.mark.parametrize(("of_all", "of_each"), [(2.0, None), (None, 1.5)])
def test_one_answer_of_strata_is_drawn_as_its_values_are_known_to_deviate(of_all, of_each) -> None:
    study = planner.Study(
        target=planner.Accuracy.of_values(2.0, 0, 9, 0.1, deviation_at_most=of_all),
        individual=planner.Individual(2.0),
        costs=planner.Costs(3.0),
        strata=[
            planner.Stratum("A", share=0.4, deviation_at_most=of_each),
            planner.Stratum("B", share=0.6, deviation_at_most=of_each),
        ],
    )
    assert simulate(study, runs=20_000).verdict != "broken"


def test_counts_fail_as_often_as_told() -> None:
    found = plan(planner.GeometricCount(), planner.MaxParticipants(600))
    seen = simulate(found, runs=100_000)
    assert seen.low <= found.failure <= seen.high


def test_too_much_noise_breaks_the_promise(exact, monkeypatch) -> None:
    monkeypatch.setattr(single, "noise", lambda *of: 2 * all_runs.noise(*of))
    assert simulate(exact).verdict == "broken"


def test_blind_selection_breaks_the_promise_of_mwem(mwem, monkeypatch) -> None:
    monkeypatch.setattr(mwem_runs, "choose", lambda scores, *_: int(np.argmin(scores)))
    assert simulate(mwem, runs=20).verdict == "broken"


@pytest.mark.slow
def test_the_seed_decides(exact, mwem) -> None:
    first, second, other = (simulate(exact, runs=5000, seed=s) for s in (1, 1, 3))
    assert first == second != other
    runs = mwem_runs.Construction.of(mwem)
    starved = runs._replace(share=runs.share / 3)
    counts = [starved.failed(np.random.default_rng(s), 40).sum() for s in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]


@pytest.mark.slow
def test_selection_is_the_exponential_mechanism() -> None:
    rng = np.random.default_rng(0)
    scores = np.array([0.0, 1.0, 3.0])
    chosen = [mwem_runs.choose(scores, 0.8, rng) for _ in range(40_000)]
    expected = np.exp(0.4 * scores) / np.exp(0.4 * scores).sum()
    assert np.bincount(chosen) / 40_000 == pytest.approx(expected, abs=0.01)


def test_answers_do_not_depend_on_blocks(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    queries = rng.integers(0, 2, (70, 30), dtype=bool)
    fractions = rng.dirichlet(np.ones(30))
    whole = mwem_runs.answers(queries, fractions)
    monkeypatch.setattr(mwem_runs, "_BLOCK", 64)
    assert mwem_runs.answers(queries, fractions) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "delta", "n"), [(planner.Mwem, 0.0, 10**10), (planner.MwemApproximate, 1e-6, 10**8)]
)
def test_rounds_and_shares_are_those_of_the_bound(kind, delta: float, n: int) -> None:
    target = planner.Accuracy(error=0.05, failure=0.05)
    mechanism = kind(256, 1000)
    study = SimpleNamespace(accuracy=target, mechanism=mechanism)
    sized = SimpleNamespace(study=study, epsilon=0.02, participants=n, delta=delta)
    runs = mwem_runs.Construction.of(sized)
    exponent = runs.participants * runs.error * runs.share / 4
    bound = math.log(2 * runs.rounds * runs.queries) - exponent
    told = mechanism.failure_probability(0.02, n, 0.05, delta)
    assert bound == pytest.approx(math.log(told), rel=1e-3)


def test_the_interval_covers_as_it_says() -> None:
    assert interval(0, 100) == pytest.approx((0, 1 - 0.025**0.01))
    assert interval(100, 100) == pytest.approx((0.025**0.01, 1))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"runs": 0}, "runs = 0 is not allowed; give a whole number from 1"),
        ({"runs": 2.5}, "runs = 2.5"),
        ({"seed": -1}, "seed = -1 is not allowed; give a whole number of at least 0"),
        ({"mean": 1.5}, "mean = 1.5 .* from 0 to 1"),
        ({"mean": math.nan}, "mean = nan"),
    ],
)
def test_refusals(exact, arguments, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simulate(exact, **arguments)


def test_means_outside_the_range_are_refused() -> None:
    narrow = plan(planner.LaplaceMean(mean_range=(0.1, 0.2)))
    assert "probability 0.2," in simulate(narrow, runs=1).simulated
    with pytest.raises(ValueError, match=r"mean = 0.3 .* from 0.1 to 0.2"):
        simulate(narrow, mean=0.3)


def test_what_cannot_be_simulated_is_refused(mwem) -> None:
    with pytest.raises(ValueError, match=r"mean = 0.5 is not for mwem; leave it out"):
        simulate(mwem, mean=0.5)
    for sizes, words in (((4097, 50), "universe_size = 4097"), ((16, 20_001), "queries = 20001")):
        with pytest.raises(ValueError, match=words):
            simulate(plan(planner.Mwem(*sizes), target=planner.Accuracy(0.9, 0.9)))
    study = SimpleNamespace(mechanism=SimpleNamespace(kind="median", runs=""), target=None)
    unknown = replace(plan(planner.LaplaceMean()), study=study)
    with pytest.raises(ValueError, match="median cannot be simulated; give"):
        simulate(unknown)


def test_the_command(capsys) -> None:
    path = str(STUDIES / "mean-education.toml")
    assert run(["simulate", path, "--runs", "1000"]) == 0
    shown = capsys.readouterr().out
    assert "Education, Hsu14 §5: the promise is kept" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert run(["simulate", path, "--runs", "1000", "--seed", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["simulation"]["promised"] == 0.05
    assert found["simulation"]["verdict"] == "kept"
    assert run(["simulate", path, "--runs", "0"]) == 64
    assert "runs = 0" in capsys.readouterr().err


def test_without_a_plan_nothing_is_simulated(capsys) -> None:
    path = str(STUDIES / "mean-smoking.toml")
    assert run(["simulate", path]) == 1
    assert "is infeasible: there is no plan to simulate." in capsys.readouterr().out
    assert run(["simulate", path, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["simulation"] is None


def test_a_plan_that_sits_on_the_promise_passes_and_one_beyond_it_does_not() -> None:
    from planner.simulation.simulate import Simulation, interval

    def of(failures: int, runs: int = 10_000, computed: float = 0.05) -> Simulation:
        rate = failures / runs
        return Simulation(runs, failures, rate, *interval(failures, runs), 0.05, computed, "a coin")

    # the normal limit: 500 expected, a standard deviation of 21.8
    assert [of(count).verdict for count in (450, 470, 500, 540, 560, 600)] == [
        "kept", "consistent", "consistent", "consistent", "consistent", "broken",
    ]  # fmt: skip
    assert of(500).above == pytest.approx(0.5, abs=0.02)
    assert of(543).above == pytest.approx(0.0259, abs=0.002)
    assert of(500).consistent == pytest.approx(1.0, abs=0.02)
    assert of(543).consistent == pytest.approx(0.05, abs=0.004)
    assert of(543, computed=0.054).consistent > 0.8


def test_exact_plans_are_consistent_with_their_promise(mean_study) -> None:
    study = mean_study(12.5, planner.MaxParticipants(1000), analysis="exact")
    plan = planner.solve(study, prove=False)
    assert plan.failure == pytest.approx(0.05, rel=3e-4)
    verdicts = [simulate(plan, 4000, seed).verdict for seed in range(30)]
    assert "broken" not in verdicts
    assert verdicts.count("consistent") >= 25


def strata_plan(count: int, error: float, failure: float):
    strata = [
        planner.Stratum(f"S{k}", share=round(1 / count, 9) if k else 1 - (count - 1) * round(
            1 / count, 9), error=error * (1 + k / 10)) for k in range(count)
    ]  # fmt: skip
    study = planner.Study(
        planner.LaplaceMean("exact"),
        planner.Accuracy(failure=failure),
        planner.Individual(base_cost=12.5),
        (),
        planner.Costs(per_person=5.0),
        strata=[replace(one, share=round(one.share, 9)) for one in strata],
    )
    found = planner.solve(study)
    assert isinstance(found, planner.answer.StrataPlan)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "error", "failure"),
    [(2, 0.1, 0.05), (2, 0.2, 0.3), (3, 0.15, 0.1), (3, 0.1, 0.2), (4, 0.2, 0.05),
     (4, 0.12, 0.15), (5, 0.2, 0.1), (5, 0.15, 0.4), (6, 0.2, 0.2), (2, 0.08, 0.1)],
)  # fmt: skip
def test_strata_fail_together_as_often_as_stated(count, error, failure) -> None:
    """The worst mean is near one half, and the plan just keeps its promise there."""
    found = strata_plan(count, error, failure)
    result = simulate(found, runs=20_000, seed=count)
    assert result.verdict != "broken"
    assert result.promised == failure
    assert result.consistent > 1e-3
    independent = 1 - math.prod(1 - n / result.runs for n in result.questions.values())
    assert result.rate == pytest.approx(independent, abs=0.01)
