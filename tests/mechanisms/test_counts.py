"""Failures and least rates in floats, beside exact references and other libraries."""

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import planner
from planner.mechanisms import chances
from planner.mechanisms.counts import Places, Share
from planner.mechanisms.noise import GAUSSIAN, GEOMETRIC, LAPLACE, NO_NOISE, NOISES

REFERENCE = Path(__file__).parents[1] / "reference" / "exact_failure.json"


def at_mean(share, n, rate, error, mean):
    """The failure at one mean."""
    size, centre = np.array([float(n)]), np.array([[n * mean]])
    table = share.table_at(size, Places(centre, centre + n * error, centre - n * error))
    return float(share.summed(table, np.array([0]), np.array([rate]))[0])


def test_sums_are_those_that_were_computed_independently():
    for case in json.loads(REFERENCE.read_text("utf-8"))["cases"]:
        found = at_mean(
            Share(NOISES[case["noise"]]), case["participants"], case["epsilon"], case["error"],
            case["mean"],
        )  # fmt: skip
        assert found == pytest.approx(case["failure"], rel=2e-8, abs=1e-15)


def test_tables_are_laws():
    for population in (None, 70, 300):
        n = np.array([1.0, 7.0, 60.0, 70.0])
        having = np.array([0, 1, 35, 70]) * (population or 70) // 70
        mean = n * having / (population or 70)
        count, chance = chances.chances(n, mean, population)
        law = (
            scipy.stats.binom(n[:, None], (mean / n)[:, None])
            if population is None
            else scipy.stats.hypergeom(population, having[:, None], n[:, None])
        )
        assert chance == pytest.approx(np.nan_to_num(law.pmf(count)), rel=1e-9, abs=1e-14)
        assert chance.sum(axis=1) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [LAPLACE, GEOMETRIC, GAUSSIAN], ids=lambda one: one.kind)
@pytest.mark.parametrize("population", [None, 80])
def test_the_likely_worst_mean_is_about_the_worst(noise, population):
    rng = random.Random(noise.kind)
    share = Share(noise, population)
    for _ in range(6):
        n, error = rng.randint(5, 75), round(rng.uniform(0.05, 0.4), 3)
        rate = rng.uniform(1, 6) / (n * error)
        means = np.arange(81) / 80 if population else np.linspace(0, 1, 16 * n + 1)
        if not population:  # an edge is just hit
            hit = (np.arange(n + 1) - n * error) / n
            means = np.clip(np.concatenate([means, hit, 1 - hit]), 0, 1)
        worst = max(at_mean(share, n, rate, error, mean) for mean in means)
        found = float(share.failure(np.array(rate), np.array(float(n)), np.array(error)))
        assert worst * (1 - 2e-3) <= found <= worst * (1 + 1e-4)


@pytest.mark.parametrize(
    ("noise", "tail", "n", "error", "rate"),
    [
        (LAPLACE, scipy.stats.laplace.sf, 275, 0.083, 1.1659789),
        (LAPLACE, scipy.stats.laplace.sf, 79, 0.1902, 1.35),
        (LAPLACE, scipy.stats.laplace.sf, 580, 0.0595, 3.85),
        (GAUSSIAN, scipy.stats.norm.sf, 78, 0.2213, 12.9),
    ],
)
def test_a_stated_failure_is_that_of_the_worst_of_all_means(noise, tail, n, error, rate):
    means = 0.5 - np.arange(2048)[:, None] / 1024 / n
    law, counts = scipy.stats.binom(n, means), np.arange(n + 1)
    off = tail((n * (means + error) - counts) * rate) + tail((counts - n * (means - error)) * rate)
    worst = float((law.pmf(counts) * off).sum(axis=1).max())
    given = np.array(rate), np.array(float(n)), np.array(error)
    stated = float(Share(noise).failure(*given, closely=True))
    assert worst * (1 - 1e-9) <= stated <= worst * (1 + 1e-5)


@pytest.mark.parametrize("noise", [LAPLACE, GEOMETRIC, GAUSSIAN], ids=lambda one: one.kind)
def test_the_least_rate_is_where_the_failure_is_allowed(noise):
    share, n = Share(noise), np.array([3.0, 17.0, 60.0, 61.0, 500.0, 3000.0])
    error, failure = np.minimum(1.6 / np.sqrt(n), 0.9), np.array(0.05)
    rate = share.least_rate(n, error, failure)
    assert share.failure(rate, n, error) == pytest.approx(0.05, rel=1e-6)
    assert np.all(share.failure(rate * 0.999, n, error) > 0.05)


def test_where_the_sample_is_off_too_often_no_rate_is_enough():
    n = np.array([5.0, 50.0, 200.0])
    assert np.all(np.isinf(Share().least_rate(n, np.array(0.02), np.array(0.05))))


def test_without_noise_it_is_the_samples_own():
    n = np.array(385.0)
    off = float(Share(NO_NOISE).failure(np.array(1.0), n, np.array(0.05)))
    edges = scipy.stats.binom(385, 0.5)
    # at mean 1/2 no more than 173 or 212 and more are off
    assert off >= edges.cdf(173) + edges.sf(211)
    assert 0.045 < off < 0.06


def test_the_smooth_guess_is_near_and_smooth():
    n, alpha = np.arange(400.0, 500.0), np.array(0.05)
    about = Share().smooth_rate(n, np.array(0.07), alpha)
    exact = Share().least_rate(n, np.array(0.07), alpha)
    assert about == pytest.approx(exact, rel=5e-3)
    bend = np.diff(np.log(about), 2)
    assert np.all(bend > -1e-9)
    few = Share(GEOMETRIC).least_rate(np.arange(40.0, 60.0), np.array(0.2), alpha)
    assert np.any(np.diff(few) > 0)  # counts are whole


def test_many_studies_are_read_at_once():
    n = np.array([[300.0, 400.0], [5000.0, 200_000.0]])
    error, failure = np.array([[0.1], [0.02]]), np.array([[0.05], [0.01]])
    rates = Share().least_rate(n, error, failure)
    for place in np.ndindex(2, 2):
        one = Share().least_rate(n[place], error[place[0], 0], failure[place[0], 0])
        assert rates[place] == pytest.approx(float(one), rel=1e-8)


def test_large_studies_are_planned_by_a_bound_that_is_close():
    n = np.array([100_000.0, 100_001.0])
    exact, bounded = Share().least_rate(n, np.array(0.004), np.array(0.05))
    assert 1 < bounded / exact < 1.05


@pytest.mark.parametrize(
    ("mechanism", "given"),
    [
        (planner.LaplaceMean(), (1e-13,)), (planner.GeometricMean(), (1e-300,)),
        (planner.GaussianMean(), (1e-20, 1e-6)), (planner.LaplaceMean(values="any"), (1e-13,)),
    ],
)  # fmt: skip
def test_failures_that_sums_do_not_decide_are_refused_with_the_range(mechanism, given):
    with pytest.raises(ValueError, match="at least 1e-12"):
        mechanism.epsilon_floor(500, 0.1, *given)


def test_parts_of_people_are_refused():
    with pytest.raises(ValueError, match="participants must be whole"):
        planner.LaplaceMean().failure_probability(0.1, 10.5, 0.1)


def test_values_need_more_than_proportions_and_less_than_by_hoeffdings_bound():
    by_counts = planner.LaplaceMean().epsilon_floor(500, 0.08, 0.05)
    values = planner.LaplaceMean(values="any").epsilon_floor(500, 0.08, 0.05)
    bound = planner.LaplaceMean("hoeffding").epsilon_floor(500, 0.08, 0.05)
    assert by_counts < values < bound
    assert math.isfinite(bound)


def test_a_narrow_range_of_rates_is_found():
    """Two people are off by 0.6 with 0.09997 at a rate of 7.65, and with more than 0.1 at 7.3 or 8.

    With far less noise an answer is off as soon as both have it, of whom at most four in ten do.
    """
    n, error, failure = (np.array([x]) for x in (2.0, 0.6, 0.1))
    (rate,) = Share().least_rate(n, error, failure)
    assert rate == pytest.approx(7.43, abs=0.02)
    assert Share().failure(np.array([7.65]), n, error, closely=True) < 0.1
    for other in (7.3, 8.0):
        assert Share().failure(np.array([other]), n, error, closely=True) > 0.1
