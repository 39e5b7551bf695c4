"""The parts that the kernel's bounds are added up from, each beside numbers found by themselves."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from flint import arb, ctx

from planner.certificate import check, check_bounds, check_counts, check_people
from planner.certificate.check import ENDLESS, MOST_EPSILON, Box

LAPLACE, GAUSSIAN, COUNT = "laplace-mean", "gaussian-mean", "geometric-count"


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(check.PRECISION):
        check.effort[0] = 0
        yield


def study_of(*lines, kind=LAPLACE, error="0.1", failure="0.05"):
    given = [f"target.error = {error}", f"target.failure = {failure}", f"mechanism.kind = {kind}"]
    keys = check.keys_of([*given, *lines])
    return check.reader_of([f"{key} = {value}" for key, value in keys.items()])(keys)


def of_known_spread(kind):
    known = "mechanism.values = any", "target.deviation_at_most = 0.3"
    return study_of("individual.base_cost = 1", *known, kind=kind)


HOEFFDING = "mechanism.analysis = hoeffding"


def bound(n, signal, error):
    """2e^(−2N(sT)²) + e^(−(1 − s)Ty) at its best s, by another library."""

    def at(s):
        return 2 * math.exp(-2 * n * (s * error) ** 2) + math.exp(-(1 - s) * error * signal)

    found = scipy.optimize.minimize_scalar(at, bounds=(0, 1), options={"xatol": 1e-12})
    return min(float(found.fun), 1.0)


@pytest.mark.parametrize(("more", "each"), [((), 1), (("sampling.design_effect = 4",), 4)])
def test_people_of_a_design_count_as_fewer(more, each):
    study = study_of("individual.base_cost = 1", HOEFFDING, *more)
    low, high = check_bounds.off(study, Fraction(4000), Fraction(80), Fraction(1, 50), Fraction(0))
    wanted = bound(4000 / each, 80, 0.1)
    assert float(low) <= wanted * (1 + 1e-9)
    assert float(high) == pytest.approx(wanted, rel=1e-6)


def test_bounds_are_those_of_the_formulas_where_people_or_epsilon_are_without_end():
    study = study_of("individual.base_cost = 1", HOEFFDING)
    n, y, nothing = Fraction(900), Fraction(70), Fraction(0)
    endless_people = check_bounds.off(study, ENDLESS, y, nothing, nothing)
    endless_signal = check_bounds.off(study, n, ENDLESS, Fraction(1), nothing)
    assert float(endless_people[0]) == pytest.approx(math.exp(-7), rel=1e-12)
    assert float(endless_signal[0]) == pytest.approx(2 * math.exp(-18), rel=1e-12)
    paper = study_of("individual.base_cost = 1", "mechanism.analysis = paper")
    found = check_bounds.off(paper, n, y, Fraction(7, 90), nothing)
    wanted = 2 * math.exp(-900 * 0.01 / 12) + math.exp(-3.5)
    assert [float(end) for end in found] == pytest.approx([wanted] * 2, rel=1e-12)


def test_a_noisy_count_of_endless_people_fails_as_noise_does():
    study = study_of("individual.base_cost = 1", kind=COUNT)
    ends = check_bounds.off(study, ENDLESS, Fraction(30), Fraction(0), Fraction(0))
    assert float(ends[0]) == pytest.approx(math.exp(-3), rel=1e-12)


@pytest.mark.parametrize("family", [1, 3])
def test_what_a_person_is_owed_rises_as_its_derivative_says(family):
    study = study_of(
        "individual.base_cost = 2", "individual.worst_cost = 500", "individual.breach = 0.001",
        f"individual.family = {family}", HOEFFDING,
    )  # fmt: skip
    delta, step = Fraction(1, 10**4), Fraction(1, 10**9)
    for epsilon in (Fraction(1, 10), Fraction(2)):
        owed, more = check_bounds.owing(study, check.ball(epsilon), delta)
        after = check_bounds.owing(study, check.ball(epsilon + step), delta)[0]
        assert float(owed) == pytest.approx(float(study.owed(epsilon, delta)[1]), rel=1e-12)
        assert float((after - owed) / check.ball(step)) == pytest.approx(float(more), rel=1e-6)


@pytest.mark.parametrize("family", [1, 2])
def test_a_large_epsilon_is_owed_for_by_whom_it_may_harm(family):
    study = study_of(
        "individual.base_cost = 0", "individual.worst_cost = 500",
        f"individual.family = {family}", HOEFFDING,
    )  # fmt: skip
    owed = study.owed(MOST_EPSILON + 1, Fraction(1, 10**4))[1]
    # of one person no more than what is certain; of several what a member may spoil grows with ε
    assert (owed == ENDLESS) == (family == 2)


def test_what_delta_may_cost_is_what_the_budget_leaves():
    study = study_of(
        "individual.base_cost = 0.5", "individual.worst_cost = 0.25", "individual.family = 2",
        "costs.per_person = 3", "conditions.budget = 100", kind=GAUSSIAN,
    )  # fmt: skip
    box = Box((10, 20), (Fraction(5), Fraction(9)), (Fraction(0), Fraction(1)), (0, Fraction(1)))
    # 100 less 10 people at 3 and 2·0.5·5 leave 65, and N·δ costs 2·0.25 each
    assert float(check_counts.most_delta(study, box)) == pytest.approx(65 / 0.5)


def tail(kind, x, rate):
    return scipy.stats.laplace.sf(x * rate) if kind == LAPLACE else scipy.stats.norm.sf(x * rate)


@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_the_parabola_is_summed_over_the_law_of_two_values(kind):
    study = of_known_spread(kind)
    n, rate, begins, touches = 60, 0.7, Fraction(3, 2), Fraction(1, 4)
    bent = check_bounds.bend(study, check.ball(begins), check.ball(touches))
    value, slope, more = map(float, bent)
    assert math.isfinite(more)
    above, spread = 0.6, 0.09
    share, wide = spread / (above**2 + spread), above + spread / above
    k = np.arange(n + 1)
    before = n * 0.1 - wide * (k - n * share)  # how far each count lies before the edge
    y = float(begins) - rate * before
    over = np.where(y < 0, tail(kind, before, rate), value + y * (slope + more * y / 2))
    wanted = float(scipy.stats.binom.pmf(k, n, share) @ over)
    found = check_bounds.parabola(
        study, n, arb(rate), begins, bent, Fraction("0.6"), Fraction("0.09")
    )
    assert float(found) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_counts_that_are_left_out_fail_at_worst(kind, monkeypatch):
    """Counts of a law that are not listed may be any: each is given the most that φ is."""
    study = of_known_spread(kind)
    n, rate, touch = 40, arb("0.9"), Fraction(1, 2)
    first, chances, rest = check_counts.counts(study, n, Fraction(1, 2))
    more = arb("0.01")
    of = [
        check_bounds.majorant(
            study, (first, chances, left), n, rate, touch, Fraction(20), Fraction(4)
        )
        for left in (rest, rest + more)
    ]
    assert of[1] - of[0] >= more
    bent = check_bounds.bend(study, arb(3) / 2, arb(1) / 4)
    given = study, n, rate, Fraction(3, 2), bent, Fraction(1, 2), Fraction("0.09")
    least = check_bounds.parabola(*given)
    real = check_counts.counts
    monkeypatch.setattr(
        check_counts, "counts", lambda *of: (*real(*of)[:2], real(*of)[2] + more)
    )  # fmt: skip
    assert check_bounds.parabola(*given) - least >= more


@pytest.mark.parametrize("kind", [LAPLACE, GAUSSIAN])
def test_values_that_are_all_one_fail_as_noise_does(kind):
    study = of_known_spread(kind)
    bent = check_bounds.bend(study, arb(3) / 2, arb(1) / 4)
    found = check_bounds.parabola(
        study, 50, arb("0.8"), Fraction(3, 2), bent, Fraction(0), Fraction(0)
    )
    assert float(found) == pytest.approx(tail(kind, 5, 0.8), rel=1e-9)


@pytest.mark.parametrize("rate", [0.05, 0.7, 1.5, 4.0])
def test_laplace_noise_bends_as_far_as_one_step_shows(rate):
    """Within the edges h is a cosh, and the Φ whose steps are ψ is a part of h, doubled beyond."""

    def h(d):
        return math.cosh(rate * d)

    def slope(d):
        return rate * math.sinh(rate * d)

    for d in (0.0, 0.4, 2.3):
        step = h(d + 1) - h(d)
        part = abs(step - (slope(d) + slope(d + 1)) / 2) / step
        study = study_of("individual.base_cost = 1")
        assert float(check_counts.bend_of_noise(study, arb(rate))) == pytest.approx(2 * part)


@pytest.mark.parametrize(("people", "rate"), [(1, "0.5"), (40, "0.35"), (516, "0.6"), (300, "1")])
def test_the_fewest_invitations_are_those_of_the_binomial_law(people, rate):
    found = check.invitations(people, Fraction(rate), Fraction("0.95"))
    enough = scipy.stats.binom.sf(people - 1, np.arange(people, 5 * people + 20), float(rate))
    assert found == people + int(np.argmax(enough >= 0.95))


@pytest.mark.parametrize(
    ("kind", "n", "rate", "error", "mean", "failure", "steepness", "drift"),
    [
        (LAPLACE, 100, "0.5", "0.1", "0.3", "0.05", 8.47858549334996, 1.40547511484583),
        (GAUSSIAN, 100, "0.5", "0.1", "0.3", "0.05", 34.0650584504317, 7.2651085664629),
        (GAUSSIAN, 40, "0.2", "0.2", "0.25", "0.3", 7.89093805925783, 0.519513366758732),
    ],
)
def test_slopes_are_bounded_as_the_rule_says(kind, n, rate, error, mean, failure, steepness, drift):
    """By 30 digits of the formulas in `rules.md`: a bound that is lower would not be one."""
    study = study_of("individual.base_cost = 1", kind=kind, error=error, failure=failure)
    for bound_of, wanted in (check_counts.steepness, steepness), (check_counts.drift, drift):
        found = bound_of(study, n, arb(rate), Fraction(mean))
        assert float(found.mid()) == pytest.approx(wanted, rel=1e-12)
        assert float(bound_of(study, n, arb(rate), 1 - Fraction(mean)).mid()) == pytest.approx(
            wanted, rel=1e-12
        )


@pytest.mark.parametrize(("kind", "delta"), [(LAPLACE, 0), (GAUSSIAN, Fraction(1, 10**6))])
@pytest.mark.parametrize("epsilon", [Fraction(1, 20), Fraction(1, 4)])
def test_mean_half_allows_for_what_more_people_take_away(kind, delta, epsilon):
    """Pr[|D + Z| ≥ c] at the fewest people, less 2e^(−2c²/b)·min(B/8, 1/2) for each one more."""
    first, last, error = 40, 44, 0.1
    law, bend = scipy.stats.laplace(scale=1 / float(epsilon)), float(epsilon) ** 2 / 2
    if delta:
        sigma = float(check_counts.deviation(epsilon, delta)[0])
        law = scipy.stats.norm(scale=sigma)
        bend = scipy.stats.norm.pdf(1) / sigma**2
    edge, k = last * error, np.arange(first + 1)
    off = 2 * (scipy.stats.binom.pmf(k, first, 0.5) * law.sf(edge + first / 2 - k)).sum()
    c = edge - 0.5
    lost = (last - first) * 2 * math.exp(-2 * c**2 / last) * min(bend / 8, 0.5)
    box = Box((first, last), (first * epsilon, last * epsilon), (epsilon,) * 2, (delta,) * 2)
    for part, holds in ((1 - 1e-6, True), (1 + 1e-6, False)):
        alpha = f"{(off - lost) * part:.12e}"
        study = study_of("individual.base_cost = 1", kind=kind, error="0.1", failure=alpha)
        assert check_counts.mean_half(study, box) == holds


@pytest.mark.parametrize(("p", "size", "most"), [(0.011, 100, 1.1), (0.6, 2, 1.25)])
def test_targeted_publication_is_possible_up_to_the_larger_of_both_ends(p, size, most):
    """Hsu14 eqs 11 and 12: e^ε below p|X|, or below (1 − 1/|X|)/(1 − p) for all other records."""
    given = f"conditions.target_probability = {p}", f"conditions.universe_size = {size}"
    study = study_of("individual.base_cost = 1", *given)
    assert float(study.under.mid()) == pytest.approx(math.log(most), rel=1e-12)


def test_terms_bend_between_steps_as_the_rule_says():
    """r²/(m²(Nm − r)) for m = 0.3 and 0.65, N = 100, r = 10, times 0.05²/8: 0.018705…, by hand."""
    low, high, r = Fraction(3, 10), Fraction(35, 100), 10
    wanted = (
        Fraction(100) / Fraction(18, 10) + Fraction(100) / Fraction(2_323_750, 100_000)
    ) / 3200
    found = check_counts.chord_at_steps(100, low, high, r)
    assert float(found.mid()) == pytest.approx(float(wanted), rel=1e-12)
    assert check_counts.chord_at_steps(100, Fraction(1, 20), high, r) == arb.pos_inf()


@pytest.mark.parametrize("cell", [(40, 44), (70, 71)])
def test_a_cell_of_a_population_is_passed_as_often_as_its_ends_say(cell):
    """Of 100 people 30 are asked: over by more at the last of the cell, under at the first."""
    given = "individual.base_cost = 1", "sampling.population = 100", "mechanism.values = zero-one"
    study, rate, n = study_of(*given), arb("0.4"), 30
    low, high = cell[0] / 100, cell[1] / 100
    k, wanted = np.arange(n + 1), 0.0
    for having in (cell[1], 100 - cell[0]):
        edge = n * (having / 100 + 0.1 - high + low)
        law = scipy.stats.hypergeom(100, having, n)
        wanted += (law.pmf(k) * scipy.stats.laplace(scale=1 / 0.4).sf(edge - k)).sum()
    found = check_people.passed(study, n, cell, (rate, rate))
    assert float(found.mid()) == pytest.approx(wanted, rel=1e-9)
