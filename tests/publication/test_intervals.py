"""Intervals hold as often as they say, by exact sums over all answers."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import planner
from planner.mechanisms.sample import Sample
from planner.publication.intervals import interval, noise_error, sampling_error
from planner.publication.items import Item, items
from planner.publication.measurement import answers, fitted
from planner.publication.publish import publish, rehearse
from planner.publication.published import Published
from planner.publication.results import Publication
from tests.publication import plans

N, ALPHA, SCALE = 30, 0.1, 2.0
SHARES = (0.0, 0.004, 0.03, 0.1, 0.27, 0.5, 0.61, 0.9, 0.98, 1.0)
SIMPLE = Sample()


def noisy(noise: str, **changes) -> Item:
    """A share whose promise is so wide that it shortens no interval."""
    return replace(Item("x", "share", 1.0, ALPHA, noise, SCALE, N), **changes)


def counts(share: float, population: int | None = None) -> np.ndarray:
    """The chances of 0 to N yeses."""
    if population is None:
        return stats.binom.pmf(np.arange(N + 1), N, share)
    return stats.hypergeom.pmf(np.arange(N + 1), population, round(share * population), N)


def holds_with(item: Item, sums: np.ndarray, chances: np.ndarray, shares, sample=SIMPLE) -> None:
    """Every share is in the intervals of answers that have 1 − α of the chances together."""
    ends = [interval(item, sample, float(s) / N) for s in sums]
    for share, row in zip(shares, chances, strict=True):
        inside = [low <= share <= high for low, high in ends]
        assert row[inside].sum() >= 1 - ALPHA - 1e-9, share


@pytest.mark.slow
@pytest.mark.parametrize("population", [None, 40, 200])
def test_intervals_with_geometric_noise(population):
    shares = SHARES if population is None else [round(p * population) / population for p in SHARES]
    sums = np.arange(-40, N + 41)
    ratio = math.exp(-1 / SCALE)
    chances = [
        sum(
            chance * (1 - ratio) / (1 + ratio) * ratio ** np.abs(sums - k)
            for k, chance in enumerate(counts(share, population))
        )
        for share in shares
    ]
    holds_with(noisy("geometric"), sums, chances, shares, Sample(population))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_intervals_with_continuous_noise(kind):
    """The answers whose interval has a share lie between two, which are found by bisection."""
    sums = np.linspace(-25, N + 25, 161)
    law = (stats.laplace if kind == "laplace" else stats.norm)(scale=SCALE)
    item = noisy(kind)

    def has(total: float, share: float) -> bool:
        low, high = interval(item, SIMPLE, float(total) / N)
        return low <= share <= high

    ends = np.array([interval(item, SIMPLE, float(s) / N) for s in sums])
    for share in SHARES:
        (inside,) = np.nonzero((ends[:, 0] <= share) & (share <= ends[:, 1]))
        assert np.all(np.diff(inside) == 1)  # answers between two that have it
        edges = []
        for at, step in ((inside[0], -1), (inside[-1], 1)):
            yes = sums[at]
            if 0 <= at + step < len(sums):
                no = sums[at + step]
                for _ in range(20):
                    middle = (yes + no) / 2
                    yes, no = (middle, no) if has(middle, share) else (yes, middle)
            edges.append(yes)
        first, last = edges
        people = np.arange(N + 1)
        held = counts(share) @ (law.cdf(last - people) - law.cdf(first - people))
        assert held >= 1 - ALPHA - 1e-6, share  # of 1e-6 are the ends of the bisection


@pytest.mark.parametrize("other", [Fraction(1, 4), Fraction(1, 10)])
def test_intervals_of_randomised_answers(other):
    item = noisy("answer", scale=None, truth=Fraction(3, 4), other=other)
    strength = float(item.truth - other)
    ends = [interval(item, SIMPLE, (y / N - float(other)) / strength) for y in range(N + 1)]
    for share in SHARES:
        chances = counts(float(other) + share * strength)
        inside = [low <= share <= high for low, high in ends]
        assert chances[inside].sum() >= 1 - ALPHA - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "geometric", "gaussian"])
def test_an_interval_is_never_longer_than_the_promise_and_shorter_at_rare_answers(kind):
    study = planner.Study(
        planner.AddedNoise(kind) if kind == "gaussian" else planner.LaplaceMean(),
        planner.Survey([planner.Share("x", error=0.05)], 0.05)
        if kind == "gaussian"
        else planner.Accuracy(0.05, 0.05),
        plans.PERSON,
        [planner.Delta(1e-6)] if kind == "gaussian" else [planner.MaxParticipants(10_000)],
        plans.CHEAP,
    )
    if kind == "geometric":
        study = replace(study, mechanism=planner.GeometricMean())
    plan = planner.solve(study)
    (item,) = items(plan)
    for answer in (-0.2, -0.01, 0.03, 0.31, 0.5, 0.77, 1.02):
        answer = round(answer * item.participants) / item.participants
        low, high = interval(item, SIMPLE, answer)
        assert 0 <= low <= min(max(answer, 0), 1) <= high <= 1
        assert min(max(answer, 0), 1) - low <= item.error + 1e-12
        assert high - min(max(answer, 0), 1) <= item.error + 1e-12
    low, high = interval(item, SIMPLE, 0.03)
    assert high - low < 0.95 * (0.03 + item.error)


def test_means_and_counts_have_the_promise_within_their_range():
    mean = Item("x", "mean", 2.0, 0.05, "laplace", 1.0, 50, low=-1.0, high=10.0)
    assert interval(mean, SIMPLE, 0.0) == [-1.0, pytest.approx(2.0)]
    assert interval(mean, SIMPLE, 9.5)[1] == 10.0
    assert interval(mean, SIMPLE, 14.0) == [10.0, 10.0]
    count = Item("x", "count", 5.0, 0.05, "geometric", 1.0, 50)
    assert interval(count, SIMPLE, 48) == [pytest.approx(43.0), 50.0]
    clusters = Sample(clusters_of=4)
    assert interval(noisy("laplace", error=0.1), clusters, 0.5) == pytest.approx([0.4, 0.6])
    assert interval(Item("x", "quantile", 0.1, 0.05, "exponential", 1.0, 50), SIMPLE, 3) is None


def test_groups_share_the_failure():
    histogram = noisy("laplace", kind="histogram", groups=3)
    alone = noisy("laplace", failure=ALPHA / 3)
    found = interval(histogram, SIMPLE, [0.2, 0.5, 0.3])
    assert found == [interval(alone, SIMPLE, x) for x in (0.2, 0.5, 0.3)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["laplace", "geometric", "gaussian"])
@pytest.mark.parametrize("people", [50_000, 3_000_000])
def test_groups_of_large_studies_have_intervals_as_short_as_a_normal_answer(kind, people):
    """Both ends are found, however far the interval is from 0 and 1."""
    histogram = noisy(kind, kind="histogram", groups=10, scale=20.0, participants=people)
    for answer in (0.03, 0.5):
        ((low, high),) = interval(histogram, SIMPLE, [answer])
        variance = (
            answer * (1 - answer) / people + (2 if kind != "gaussian" else 1) * 400 / people**2
        )
        normal = stats.norm.isf(ALPHA / 20) * math.sqrt(variance)
        for end in (answer - low, high - answer):
            assert 0.9 * normal < end < 1.25 * normal


@pytest.mark.parametrize("kind", ["laplace", "geometric", "gaussian"])
def test_noise_alone(kind):
    off = noise_error(noisy(kind)) * N
    if kind == "geometric":
        ratio, whole = math.exp(-1 / SCALE), math.ceil(off - 0.01)
        assert 2 * ratio**whole / (1 + ratio) <= ALPHA < 2 * ratio ** (whole - 1) / (1 + ratio)
    else:
        law = (stats.laplace if kind == "laplace" else stats.norm)(scale=SCALE)
        assert ALPHA * 0.99 < 2 * law.sf(off) <= ALPHA
    assert noise_error(noisy("answer", scale=None, truth=Fraction(3, 4))) is None


@pytest.mark.parametrize("population", [None, 40])
def test_sampling_alone(population):
    """At no share a sample is off by it more often than α, and at some by one person less."""
    off = sampling_error(noisy("laplace"), Sample(population)) * N
    shares = np.linspace(0, 1, 2001) if population is None else np.arange(41) / 40

    def worst(people: float) -> float:
        k = np.arange(N + 1)
        return max(counts(p, population)[np.abs(k - N * p) >= people].sum() for p in shares)

    assert worst(off) <= ALPHA < worst(round(off) - 1 - 1e-9)
    mean = Item("x", "mean", 2.0, 0.05, "laplace", 1.0, 50, high=10.0)
    assert sampling_error(mean, SIMPLE) == pytest.approx(
        10 * math.sqrt(math.log(40) / 100), rel=1e-3
    )


def test_histograms_that_fit():
    """The projection: by quadratic optimality, and off by at most double."""
    histogram = noisy("laplace", kind="histogram", groups=5)
    rng = np.random.default_rng(1)
    for _ in range(200):
        true = rng.dirichlet(np.full(5, 0.5))
        raw = true + rng.laplace(0, 0.2, 5)
        found = np.array(fitted(histogram, raw.tolist()))
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1)
        # a nearest point of a convex set: no vertex lies on the other side
        assert max((raw - found) @ (vertex - found) for vertex in np.eye(5)) <= 1e-12
        assert np.abs(found - true).max() <= 2 * np.abs(raw - true).max() + 1e-12
    assert fitted(noisy("laplace"), 0.4) is None


@pytest.mark.slow
def test_results_show_them_and_old_files_are_read(tmp_path):
    plan = plans.plan("survey")
    done = publish(
        plan, plans.records(tmp_path, plan), people="all", ledger=tmp_path / "ledger.sqlite"
    )
    words = " ".join(done.text(".html").split())
    for part in ("to", "noise alone", "sample alone", "adding up to one", "rank"):
        assert part in words
    head, *lines = done.text(".csv").splitlines()
    assert head.endswith("interval_low,interval_high,noise_error,sampling_error,fitted")
    assert len(lines) == 2 + 3 + 1 + 1
    assert Publication.from_dict(done.to_dict()) == done
    data = done.to_dict()
    for one in data["answers"]:
        for name in ("interval", "noise_error", "sampling_error", "fitted"):
            del one[name]
    old = Publication.from_dict(data)
    assert old.answers[0].interval is None
    assert "interval" not in str(old)
    assert old.text(".csv").splitlines()[1].endswith(",,,,,")


@pytest.mark.slow
def test_shown_ends_are_rounded_outward():
    one = Published(
        "x", "share", 0.3, 0.05, 0.05, "laplace", 1.0, 0.3, (), [0.260009, 0.3400001], 0.01, 0.04
    )
    words = str(replace(rehearse(plans.plan("laplace")), answers=(one,)))
    assert "0.30000 ± 0.05, from 0.26000 to 0.34001" in " ".join(words.split())


def test_a_rare_answer_has_a_shorter_interval_than_its_promise():
    many = Item("x", "share", 0.1, ALPHA, "laplace", SCALE, 300)
    low, high = interval(many, SIMPLE, 0.05)
    assert 0 < low < 0.05 < high < 0.12
    whole = interval(many, Sample(population=300), 0.05)  # a census: noise alone
    assert 0.02 < whole[0] < 0.05 < whole[1] < 0.08


def test_errors_of_noise_and_of_samples_are_those_of_their_laws():
    """Laplace: Pr[|Z| ≥ t] = e^(−t/b); two groups have half of the failure each."""
    two = replace(noisy("laplace"), kind="histogram", groups=2, error=0.9)
    alone = SCALE * math.log(2 / ALPHA) / N
    assert alone <= noise_error(two) <= alone * 1.001
    off = sampling_error(two, SIMPLE)
    k = np.arange(N + 1)

    def missed(error: float) -> float:
        return max(
            stats.binom.pmf(k, N, p)[abs(k - N * p) >= N * error - 1e-9].sum()
            for p in np.linspace(0.4, 0.5, 400)
        )

    assert missed(off) <= ALPHA / 2 < missed(off - 2 / N)
    assert sampling_error(two, Sample(population=40)) < off


def test_a_difference_is_twice_what_is_counted_less_one():
    asked = Item("x", "difference", 0.2, ALPHA, "laplace", SCALE, 10, low=-1.0)
    assert answers(asked, 7.0) == pytest.approx(0.4)
    assert answers(asked, 5.0) == 0


def test_a_mean_is_the_lowest_value_and_its_part_of_the_range():
    """15 of 40 steps from 20 to 60."""
    asked = Item("x", "mean", 5.0, ALPHA, "laplace", SCALE, 10, low=20.0, high=60.0, steps=4)
    assert answers(asked, 15.0) == 35.0
