"""Totals by the four rules: reference values, mpmath, every outcome, properties, refusals."""

import math
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, strategies as st

from planner.privacy.composition import compose, composed

RULES = ("basic", "advanced", "closed", "optimal")
EPSILONS = st.lists(st.floats(1e-4, 3), min_size=1, max_size=5)
SLACKS = st.floats(-12, -0.05).map(lambda power: 10**power)


def true_delta(epsilons: list[float], total: float) -> mpmath.mpf:
    """Σ (P − e^ε·Q)₊ over all outcomes of randomized responses; equal ones are counted."""
    kinds = [(mpmath.mpf(repr(e)), epsilons.count(e)) for e in sorted(set(epsilons))]
    found = mpmath.mpf(0)
    for lies in product(*(range(k + 1) for _, k in kinds)):
        one = mpmath.fprod(
            mpmath.binomial(k, n) * mpmath.exp((k - n) * e) / (1 + mpmath.exp(e)) ** k
            for (e, k), n in zip(kinds, lies, strict=True)
        )
        loss = mpmath.fsum((k - 2 * n) * e for (e, k), n in zip(kinds, lies, strict=True))
        found += max(one * (1 - mpmath.exp(mpmath.mpf(repr(float(total))) - loss)), 0)
    return found


def check_least(epsilons: list[float], slack: float) -> None:
    """The answer holds, and one less by 1e-12 of √Σε² does not."""
    found = compose(epsilons, slack)
    with mpmath.workdps(60):
        assert decimal(found) >= sum(map(decimal, epsilons)) or true_delta(epsilons, found) <= slack
        less = found - 1e-12 * max(found, math.sqrt(math.fsum(e**2 for e in epsilons)))
        assert less < 0 or true_delta(epsilons, less) > slack


def beta_delta(epsilon: float, times: int, total: float) -> arb:
    """Pr[L > ε] − e^ε·Pr[L < −ε], tails of binomial laws, as incomplete beta functions in Arb."""
    exact = decimal(epsilon)
    least = math.floor((times + float(Fraction(total) / exact)) / 2) + 1
    with ctx.workprec(128):
        one, all_of = arb(fmpq(exact.numerator, exact.denominator)), arb(total)
        ends, up = (arb(least), arb(times - least + 1)), 1 / (1 + (-one).exp())
        lost = all_of.exp() * (1 - up).beta_lower(*ends, regularized=True)
        return up.beta_lower(*ends, regularized=True) - lost


def decimal(epsilon: float) -> Fraction:
    return Fraction(repr(epsilon))


@pytest.mark.parametrize(
    ("epsilon", "times", "slack", "optimal", "closed"),
    [
        (0.05, 20, 1e-3, 0.49798640812493488, 0.7613352285668463),
        (2**-9, 700, 2**-25, 0.23511456629619842, 0.278322806157436),
        (0.01, 1000, 1e-6, 1.365446709993756, None),
    ],
)
def test_reference_values(
    epsilon: float, times: int, slack: float, optimal: float, closed: float | None
) -> None:
    found = compose([epsilon] * times, slack)
    assert 0 <= found / optimal - 1 < 1e-12
    if closed:
        assert compose([epsilon] * times, slack, "closed") == pytest.approx(closed, rel=1e-14)


def test_the_advanced_rule_by_hand() -> None:
    """Dwork, Rothblum and Vadhan 2010 at k = 1000, ε = 0.01, δ = 10⁻⁶."""
    by_hand = 0.01 * math.sqrt(2000 * math.log(1e6)) + 10 * math.expm1(0.01)
    assert compose([0.01] * 1000, 1e-6, "advanced") == pytest.approx(by_hand, rel=1e-14)
    assert compose([5.0, 5.0], 1e-6, "advanced") == 10


@pytest.mark.slow
def test_equal_queries_by_mpmath() -> None:
    for slack, epsilon, times in product(
        [1e-250, 1e-15, 1e-6, 0.02, 0.7], [1e-6, 0.03, 0.4, 2.0, 50.0], [1, 2, 7, 60]
    ):
        check_least([epsilon] * times, slack)


@given(epsilons=EPSILONS, slack=SLACKS)
def test_unequal_queries_by_the_closed_rule(epsilons: list[float], slack: float) -> None:
    found = composed(epsilons, slack)
    assert found.exact == (len(set(epsilons)) == 1)
    if not found.exact:
        assert found.epsilon == compose(epsilons, slack, "closed")
    with mpmath.workdps(60):
        basic = sum(map(decimal, epsilons))
        assert decimal(found.epsilon) >= basic or true_delta(epsilons, found.epsilon) <= slack


@given(
    epsilons=st.lists(st.floats(1e-6, 20), min_size=1, max_size=4),
    times=st.integers(1, 30),
    slack=SLACKS,
)
def test_sharper_rules_are_never_over_others(
    epsilons: list[float], times: int, slack: float
) -> None:
    basic, advanced, closed, optimal = (compose(epsilons * times, slack, rule) for rule in RULES)
    assert optimal <= closed <= advanced <= basic
    assert decimal(basic) >= sum(map(decimal, epsilons)) * times


@given(epsilons=EPSILONS, slack=SLACKS, rule=st.sampled_from(RULES), factor=st.floats(1.01, 3))
def test_monotone(epsilons: list[float], slack: float, rule: str, factor: float) -> None:
    found = compose(epsilons, slack, rule)
    room = 1 + 1e-12
    assert compose(epsilons, slack / factor, rule) * room >= found
    assert compose([epsilons[0] * factor, *epsilons[1:]], slack, rule) * room >= found
    assert compose([*epsilons, 0.1], slack, rule) * room >= found
    assert compose([0.0, *reversed(epsilons)], slack, rule) == found


@pytest.mark.parametrize("rule", RULES)
def test_without_slack_all_rules_are_the_sum(rule: str) -> None:
    assert compose([0.1] * 3, 0.0, rule) == 0.3  # not 0.30000000000000004
    assert compose([0.05] * 20, rule=rule) == 1.0
    assert composed([0.7, 0.1], 0, rule).exact
    assert compose([1e308, 1.1e308], 0, rule) == math.inf
    assert compose([1e308, 1.1e308], 0.1, rule) == math.inf


def test_what_is_exact() -> None:
    assert [composed([0.1] * 9, 1e-6, rule).exact for rule in RULES] == [False] * 3 + [True]
    # a slack too small for doubles
    tiny = composed([0.01] * 1000, 1e-290)
    assert not tiny.exact
    assert tiny.epsilon == compose([0.01] * 1000, 1e-290, "closed")


def test_slack_can_be_enough_alone() -> None:
    assert compose([0.001] * 10, 0.5) == 0
    assert compose([0.0, 0.0], 0.1) == 0


@pytest.mark.slow
def test_large_numbers_by_the_beta_function() -> None:
    for (epsilon, times), slack in product(
        [(0.01, 1000), (1e-4, 10**6), (3.0, 10**4)], [1e-200, 1e-6, 0.01]
    ):
        found = compose([epsilon] * times, slack)
        assert beta_delta(epsilon, times, found) <= slack
        assert beta_delta(epsilon, times, found * (1 - 1e-12)) > slack


def test_refusals() -> None:
    for call, words in [
        (lambda: compose([]), r"epsilons = \[\] is not allowed; give a list with the epsilon of"),
        (lambda: compose(0.1), "epsilons = 0.1 is not allowed"),
        (lambda: compose([[0.1]]), "is not allowed; give a list"),
        (lambda: compose([0.1, -0.2]), r"epsilons holds -0\.2; give finite numbers of at least 0"),
        (lambda: compose([0.1, math.nan]), "epsilons holds nan"),
        (lambda: compose([math.inf, 0.1]), "epsilons holds inf"),
        (lambda: compose([0.1, "a"]), "epsilons holds 'a'"),
        (lambda: compose([True, False]), "epsilons holds True"),
        (lambda: compose([0.1], 1.0), r"slack = 1\.0 is not allowed; give the delta of the total"),
        (lambda: compose([0.1], -1e-9), "slack = -1e-09 is not allowed"),
        (lambda: compose([0.1], math.nan), "slack = nan is not allowed"),
        (lambda: compose([0.1], 0.1, "best"), "rule = 'best' is unknown; give one of basic, adv"),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
