"""The checker of certificates: what it accepts is true, and what is not proved is refused."""

import math
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from scipy import stats

from planner.certificate import check, check_counts
from planner.certificate.check import RefusedError, verify

CLINIC = (
    "target.error = 0.05", "target.failure = 0.05", "mechanism.kind = laplace-mean",
    "individual.base_cost = 12.5", "costs.per_person = 5", "costs.overhead = 2000",
)  # fmt: skip
PLAN = "claim feasible participants = 516, epsilon = 0.2156635, delta = 0"
SMALL = (
    "target.error = 0.2", "target.failure = 0.1", "mechanism.kind = laplace-mean",
    "individual.base_cost = 1", "conditions.max_participants = 40",
)  # fmt: skip


def text(*lines: str) -> str:
    return "\n".join([f"certificate of {len(lines) + 1} lines", *lines, ""])


def study(*lines: str, base: tuple[str, ...] = CLINIC) -> check.Study:
    return check_counts.Count(check.keys_of([*base, *lines]))


def is_refused(*lines: str) -> bool:
    try:
        verify(text(*lines))
    except RefusedError:
        return True
    return False


def changed_lines(rng: random.Random, lines: list[str], cover: int) -> list[str]:
    """The lines with one left out, given twice, moved, cut off, or with another digit."""
    lines, at = list(lines), rng.randrange(cover, len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines.insert(rng.randrange(cover, len(lines)), lines.pop(at))
        case 3:
            del lines[at:]
        case 4:
            digits = [k for k, letter in enumerate(lines[at]) if letter.isdigit()]
            if digits:
                k = rng.choice(digits)
                lines[at] = f"{lines[at][:k]}{rng.randrange(10)}{lines[at][k + 1 :]}"
    return lines


def test_a_plan_is_its_own_certificate():
    proved, unproved = verify(text(*CLINIC, "conditions.budget = 6133", PLAN))
    assert proved == [*CLINIC, "conditions.budget = 6133", PLAN]
    assert not unproved


def test_a_plan_that_breaks_a_condition_is_refused():
    for lines, claim in [
        ((), PLAN.replace("0.2156635", "0.2156634")),
        ((), PLAN.replace("516", "515")),
        ((), PLAN.replace("516", "516.5")),
        ((), PLAN.replace("delta = 0", "delta = 0.1")),
        (("conditions.budget = 6132",), PLAN),
        (("conditions.max_harm = 3",), PLAN),
        (("conditions.max_participants = 515",), PLAN),
        (("conditions.min_participants = 517",), PLAN),
        (("conditions.epsilon_at_most = 0.2156634",), PLAN),
        (("conditions.target_probability = 0.011", "conditions.universe_size = 100"), PLAN),
        (("costs.incentive = 4", "conditions.budget = 6133"), PLAN),
        (("costs.smallest_coin = 1", "conditions.budget = 6643"), PLAN),
        (
            ("individual.worst_cost = 100", "individual.breach = 0.1", "conditions.max_harm = 13"),
            PLAN,
        ),
    ]:
        assert is_refused(*CLINIC, *lines, claim)


def test_a_cost_that_equals_the_budget_is_within_it():
    free = [*CLINIC, "costs.smallest_coin = 1"]
    assert verify(text(*free, f"conditions.budget = {2000 + 516 * 9}", PLAN))
    assert is_refused(*free, f"conditions.budget = {2000 + 516 * 9 - 1}", PLAN)


def failing(n, epsilon, error, mean):
    """By the definition, in 50 digits."""
    mpmath.mp.dps = 50
    e, m = mpmath.mpf(epsilon), mpmath.mpf(mean.numerator) / mean.denominator
    total = mpmath.mpf(0)
    for k in range(n + 1):
        chance = mpmath.binomial(n, k) * m**k * (1 - m) ** (n - k)
        for left in (n * error + n * mean - k, n * error - n * mean + k):
            x = mpmath.mpf(left.numerator) / left.denominator
            tail = mpmath.exp(-e * abs(x)) / 2
            total += chance * (tail if x > 0 else 1 - tail)
    return total


def normal_failing(n, sigma, error, mean):
    """The same with Gaussian noise."""
    mpmath.mp.dps = 50
    total = mpmath.mpf(0)
    m = mpmath.mpf(mean.numerator) / mean.denominator
    for k in range(n + 1):
        chance = mpmath.binomial(n, k) * m**k * (1 - m) ** (n - k)
        for left in (n * error + n * mean - k, n * error - n * mean + k):
            x = mpmath.mpf(left.numerator) / left.denominator / sigma
            total += chance * mpmath.erfc(x / mpmath.sqrt(2)) / 2
    return total


mpmath.mp.dps = 50


def encloses(ball: arb, value: mpmath.mpf) -> bool:
    low, high = (mpmath.mpf(float(end)) for end in (ball.lower(), ball.upper()))
    wide = mpmath.mpf(10) ** -15 * (1 + abs(value))  # ends are read as floats
    return low - wide <= value <= high + wide and high - low <= 1e-12


def compare_formulas(seed: int, points: int) -> None:
    """The checker's sums and σ against the definitions, in 50 digits."""
    rng = random.Random(seed)
    for at in range(points):
        n, error = rng.randint(1, 80), Fraction(rng.randint(1, 99), 100)
        mean = Fraction(rng.randint(0, 60), 60)
        rate = round(math.exp(rng.uniform(-3, 1.5)), 3)
        kind = "gaussian-mean" if at % 2 else "laplace-mean"
        one = check_counts.Count(
            check.keys_of(
                [
                    f"target.error = {float(error)}",
                    "target.failure = 0.1",
                    f"mechanism.kind = {kind}",
                ]
            )
        )
        found = check_counts.failing(one, n, mean, (check.ball(Fraction(str(rate))),) * 2)
        value = (
            normal_failing(n, 1 / mpmath.mpf(str(rate)), error, mean)
            if at % 2
            else failing(n, str(rate), error, mean)
        )
        assert encloses(found, value), (kind, n, error, mean, rate)
        epsilon, delta = Fraction(str(rate)), Fraction(1, 10 ** rng.randint(1, 12))
        low, high = check_counts.deviation(epsilon, delta)
        for sigma, private in ((low * (1 - Fraction(1, 10**9)), False), (high, True)):
            s, e = mpmath.mpf(sigma.numerator) / sigma.denominator, mpmath.mpf(str(rate))
            by = mpmath.erfc((e * s - 1 / (2 * s)) / mpmath.sqrt(2)) / 2
            by -= mpmath.exp(e) * mpmath.erfc((e * s + 1 / (2 * s)) / mpmath.sqrt(2)) / 2
            assert (by <= mpmath.mpf(delta.numerator) / delta.denominator) == private


@pytest.mark.slow
def test_sums_and_deviations_are_those_of_the_definitions():
    compare_formulas(seed=1, points=60)


def test_payments_are_those_of_the_papers():
    person = ("individual.base_cost = 3", "individual.worst_cost = 70")
    base = CLINIC[:3]
    e, d = Fraction(1, 5), Fraction(1, 1000)
    for lines, owed in (
        (person, math.expm1(0.2) * 3 + 0.07),
        ((*person, "individual.family = 2"), math.expm1(0.4) * (3 + 0.07 / math.expm1(0.2))),
        ((*person, "individual.breach = 0.01"), math.expm1(0.2) * 3 + 0.07 + 0.7),
    ):  # fmt: skip
        low, high = study(*lines, base=base).owed(e, d)
        assert float(low) == pytest.approx(owed, rel=1e-14)
        assert low <= high
    assert study(*person, "individual.capped = 1", base=base).owed(Fraction(9), d) == (70, 70)


GAUSSIAN = (
    "target.error = 1", "target.failure = 0.4", "mechanism.kind = gaussian-mean",
    "mechanism.mean_range = 0,0",
)  # fmt: skip
COVER = (
    "people 20",
    "signal 8", "noise-alone",  # e^(−8T) = 0.2 is over α
    "limits",
    "signal 8", "noise-alone", "limits",
)  # fmt: skip


def test_a_cover_excludes_every_box():
    given = (*SMALL, "conditions.budget = 7", "claim infeasible")
    assert verify(text(*given, *COVER)) == ([*given], [])
    assert is_refused(*SMALL, "conditions.budget = 9", "claim infeasible", *COVER)
    for k in range(len(COVER)):
        assert is_refused(*given, *COVER[:k], *COVER[k + 1 :])
        assert is_refused(*given, *COVER[: k + 1], *COVER[k:]), "a line too many"
    for word in ("one-mean", "mean-half", "bound", "no-rule", "", "people", "signal x"):
        assert is_refused(*given, *COVER[:-1], word)
    assert is_refused(*given, *COVER, "claim infeasible"), "another claim without a cover"
    assert is_refused(*given, *COVER, "claim")


def test_every_claim_is_checked():
    given = (*SMALL, "conditions.budget = 7", "claim infeasible", *COVER[:-1], "unproved")
    assert verify(text(*given))[1]
    assert is_refused(*given, "claim infeasible", "bound")


def test_hoeffdings_bound_is_not_rounded_up_at_its_end():
    """At N = 1 and y = ∞ it is 2e^(−2T²), here a hair under 1, and under α."""
    error = mpmath.nstr(mpmath.sqrt(mpmath.log(2) / 2) * (1 + mpmath.mpf(7) / 10**25), 38)
    failure = mpmath.nstr(1 - mpmath.mpf(9) / 10**25, 38)
    given = (f"target.error = {error}", f"target.failure = {failure}", CLINIC[2])
    given += ("mechanism.analysis = hoeffding", "conditions.max_participants = 1")
    given += ("conditions.epsilon_at_most = 1e30", "claim infeasible", "bound")
    with pytest.raises(RefusedError, match="'bound' excludes no box"):
        verify(text(*given))


def test_a_claim_may_change_one_key():
    given = (*SMALL, "claim infeasible with conditions.budget = 7", *COVER)
    assert verify(text(*given))
    assert is_refused(*SMALL, "claim infeasible with conditions.budget = 70", *COVER)
    assert is_refused(*SMALL, "claim infeasible with conditions.budgets = 7", *COVER)


def test_unproved_steps_make_a_certificate_incomplete():
    given = (*SMALL, "conditions.budget = 7", "claim infeasible")
    _, unproved = verify(text(*given, *COVER[:-1], "unproved"))
    assert unproved == ["unproved line 15: N from 21 to 40"]
    _, unproved = verify(text("unproved a mechanism", *CLINIC, PLAN))
    assert unproved == ["unproved a mechanism"]


def test_a_study_that_no_rule_is_about_is_refused():
    for line in [
        "conditions.budgets = 7",
        "conditions.budget 7",
        "conditions.budget = -7",
        "conditions.budget = nan",
        "conditions.budget = 1e9999999",
        "conditions.budget = ৪0000",
        "costs.overhead = inf",
        "sampling.response_rate = 2",
        "individual.breach = 1.5",
        "sampling.response_rate = inf",
        "individual.base_cost = inf",
        "conditions.budget = 1_000",
        "conditions.budget = 7/0",
        "individual.family = 1e300",
        "individual.family = 1.5",
        "individual.base_cost = -1",
        "mechanism.values = any",
        "mechanism.analysis = guess",
        "mechanism.mean_range = 0",
        "mechanism.mean_range = 0.7,0.2",
        "target.error = 0.1",
        "conditions.min_participants = 1.5",
        "individual.events = 2, 5",
        "individual.events = 0.1",
        "sampling.response_rate = 0",
        "conditions.budget = " + "9" * 5_000,
    ]:
        assert is_refused(*CLINIC, line, PLAN)


def test_hostile_certificates_are_refused():
    for hostile in [
        "",
        "\n",
        "certificate of 1 lines\n",
        "certificate of 3 lines\na = b\nclaim infeasible",
        "certificate of 2 lines\nclaim infeasible\n",
        "a" * 1_000_001,
        text(*CLINIC, PLAN.replace("516", "1e300")),
        text(*CLINIC, "claim infeasible", *["people 1"] * 50_000),
        text(*CLINIC, "claim infeasible", *["signal 1e-300"] * 30_000),
        text(*SMALL, "claim infeasible", "people 1e300"),
        text(*SMALL, "claim infeasible", *["one-mean 1/3"] * 1_000),
        text("title = \x1b[8m\u2028proved", *CLINIC, PLAN),
        text(*GAUSSIAN, f"claim feasible participants = {2**53}, epsilon = 1e-30, delta = 1e-40"),
        text(
            *GAUSSIAN,
            "conditions.delta = 0.5",
            "conditions.delta_at_most = 0.001",
            "claim feasible participants = 100, epsilon = 1, delta = 0.5",
        ),
        text(*SMALL, "claim infeasible", "people -5", "noise-alone", "noise-alone"),
    ]:
        with pytest.raises(RefusedError):
            verify(hostile)


@pytest.mark.slow
def test_it_runs_alone(tmp_path):
    """From a folder that holds nothing else, where nothing of ours can be imported."""
    for module in (check, check_counts):
        shutil.copy(module.__file__, tmp_path)
    source = (tmp_path / "check.py").read_text("utf-8")
    assert len(source.splitlines()) <= 400
    imported = set(re.findall(r"^(?:from|import) (\w+)", source, re.MULTILINE))
    assert imported - set(sys.stdlib_module_names) == {"flint"}
    given = (*SMALL, "conditions.budget = 7", "claim infeasible")
    for name, content, status in (
        ("proved.cert", text(*given, *COVER), 0),
        ("refused.cert", text(*given, *COVER[:-1]), 1),
        ("incomplete.cert", text(*given, *COVER[:-1], "unproved"), 2),
    ):
        (tmp_path / name).write_text(content, "utf-8")
        done = subprocess.run(
            [sys.executable, "-s", "check.py", name], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == status, done
        assert not done.stderr
        assert name.removesuffix(".cert") in done.stdout
    for wrong in ([], ["nothing.cert"], ["."]):
        done = subprocess.run(
            [sys.executable, "-s", "check.py", *wrong], cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (1, "")


def test_what_it_excludes_at_one_mean_fails_there():
    """Rules about noise against sums in floats, on boxes of one N."""
    rng = np.random.default_rng(4)
    excluded = 0
    for _ in range(300):
        n, t = int(rng.integers(2, 40)), float(rng.choice([0.1, 0.15, 0.23]))
        low = float(f"{np.exp(rng.uniform(-2, 2)):.3g}")
        high = float(f"{low * (1 + rng.uniform(0, 0.5)):.3g}")
        mean = Fraction(int(rng.integers(1, 20)), 20)
        one = check_counts.Count(
            check.keys_of([f"target.error = {t}", "target.failure = 0.2", CLINIC[2]])
        )
        box = one.box._replace(people=(n, n), epsilon=(Fraction(str(low)), Fraction(str(high))))
        if not check_counts.one_mean(one, box, str(mean)):
            continue
        excluded += 1
        k, chances = np.arange(n + 1), stats.binom.pmf(np.arange(n + 1), n, float(mean))
        for e in np.linspace(low, high, 9):
            off = sum(
                chances @ np.where(x > 0, np.exp(-e * abs(x)) / 2, 1 - np.exp(-e * abs(x)) / 2)
                for x in (n * (float(mean) + t) - k, k - n * (float(mean) - t))
            )
            assert off > 0.2 * (1 - 1e-12)
    assert excluded > 50
