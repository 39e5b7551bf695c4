"""The checker of surveys: each rule against sums by definition, and what is changed is refused."""

import math
import random
import re
import shutil
import subprocess
import sys
import weakref
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy import stats

import planner
from planner.certificate import check, check_bounds, check_counts, check_surveys
from planner.certificate.check import RefusedError
from planner.certificate.check_surveys import Question
from tests.certificate.test_check import failing, text

STUDY = (
    "target.failure = 0.05", "mechanism.kind = added-noise", "mechanism.noise = laplace",
    "mechanism.analysis = exact", "mechanism.composition = basic",
    "question.1 = share; error = 0.1; times = 2; name = smokes",
    "question.2 = histogram; groups = 4; error = 0.1; name = age; or kind = mean",
    "question.3 = mean; error = 6; low = 0; high = 60; name = visits",
    "question.4 = quantile; error = 0.15; candidates = 20; at = 0.5; name = income",
    "individual.base_cost = 1",
)  # fmt: skip
PLAN = (
    "claim feasible participants = 350, epsilon = 1.673774, delta = 0",
    "answer 0.19124469 0.00608816849514489", "answer 0.41897765 0.0114153648957047",
    "witness 0.00879738102617 0.31225", "answer 0.1912189 0.00609894437085449",
    "witness 0.151351495004", "answer 0.681088 0.0203093537431508", "witness 0.58",
)  # fmt: skip
FEW = ("conditions.max_participants = 250", "conditions.epsilon_at_most = 0.9")


def verify(*lines: str) -> tuple[list[str], list[str]]:
    return check.verify(text(*lines), check_surveys.Survey)


def is_refused(*lines: str) -> bool:
    try:
        verify(*lines)
    except RefusedError:
        return True
    return False


def changed(lines: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    assert sum(old in line for line in lines) == 1, old
    return tuple(line.replace(old, new) for line in lines)


def test_a_plan_is_accepted_with_what_each_question_gets():
    proved, unproved = verify(*STUDY, *PLAN)
    assert proved == [*STUDY, *(line for line in PLAN if not line.startswith("witness"))]
    assert not unproved


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("epsilon = 1.673774", "epsilon = 1.673773"),  # less than the answers have together
        ("participants = 350", "participants = 349"),
        ("0.00608816849514489", "0.006089"),  # α is passed
        ("answer 0.19124469", "answer 0.191"),
        ("answer 0.41897765", "answer 0.418"),
        ("answer 0.1912189", "answer 0.1908"),
        ("answer 0.681088", "answer 0.6806"),
        ("answer 0.681088", "answer -0.681088"),
        ("answer 0.681088 0.0203093537431508", "answer 0.681088"),
        ("witness 0.00879738102617 0.31225", "witness 0.0094 0.31225"),
        ("witness 0.00879738102617 0.31225", "witness -0.001 0.2"),
        ("witness 0.00879738102617 0.31225", "witness 0.00879738102617 0.45"),
        ("witness 0.00879738102617 0.31225", "witness 0.00879738102617 0.6"),
        ("witness 0.151351495004", "witness 1"),
        ("witness 0.151351495004", "witness -0.1"),
        ("witness 0.58", "witness 0.56"),
        ("witness 0.58", "witness 1.5"),
    ],
)
def test_a_plan_that_is_changed_is_refused(old, new):
    assert is_refused(*STUDY, *changed(PLAN, old, new))


def test_each_line_of_a_plan_is_needed():
    for k in range(1, len(PLAN)):
        assert is_refused(*STUDY, *PLAN[:k], *PLAN[k + 1 :]), PLAN[k]
        assert is_refused(*STUDY, *PLAN[: k + 1], *PLAN[k:]), PLAN[k]


def test_a_survey_that_no_rule_is_about_is_refused():
    for old, new in [
        ("smokes", "smokes\x1b"),
        ("error = 6", "error = 61"),
        ("error = 6", "error = 0"),
        ("groups = 4", "groups = 1"),
        ("groups = 4", "groups = 2.5"),
        ("groups = 4; ", ""),
        ("times = 2", "times = 0"),
        ("times = 2", "times = 2; times = 2"),
        ("low = 0", "low = 60"),
        ("times = 2", "failure = 0.01"),
        ("times = 2", "deviation_at_most = 2"),
        ("question.1", "question.5"),
        ("noise = laplace", "noise = gaussian"),
        ("composition = basic", "composition = optimal"),
        ("exact", "paper"),
        ("target.failure = 0.05", "target.failure = 1"),
        ("target.failure = 0.05", "target.error = 0.05"),
        ("at = 0.5", "at = 1.1"),
        ("at = 0.5", "at = -0.1"),
    ]:
        assert is_refused(*changed(STUDY, old, new), *PLAN)


def test_an_error_of_all_questions_is_refused():
    """Each question has its own, so this one would be printed without an effect."""
    assert is_refused("target.error = 0.001", *STUDY, *PLAN)
    assert is_refused(*STUDY, PLAN[0] + " with target.error = 0.001", *PLAN[1:])


def test_a_quantile_may_be_at_an_end():
    for end in "01":
        assert verify(*changed(STUDY, "at = 0.5", f"at = {end}"), *PLAN)[1] == []


def test_each_evaluation_of_a_long_sum_counts_its_terms(monkeypatch):
    monkeypatch.setattr(check, "effort", [0])
    n, error, at, most = 10**8, Fraction(1, 10**4), Fraction(1, 2), Fraction(10**4)
    reach = (math.isqrt(math.ceil(most**2 + 16 * n * check_counts.LEFT_OUT)) + int(most)) // 4 + 1
    terms = check_surveys.off_counts(n, at, error, reach)[1].length()
    assert terms > 10**4
    for y in range(1, 4):
        before = check.effort[0]
        check_surveys.excess(error, n, at, Fraction(y, 7), most)
        assert check.effort[0] - before >= 2 * terms


@pytest.mark.slow
def test_few_long_sums_of_a_mean_are_kept_at_once(monkeypatch):
    class Kept(list):
        """A list that can be counted."""

    made, most, counts = [], [0], check_counts.counts

    def counted(*given):
        first, chances, rest = counts(*given)
        chances = Kept(chances)
        made.append(weakref.ref(chances))
        most[0] = max(most[0], sum(one() is not None for one in made))
        return first, chances, rest

    monkeypatch.setattr(check_counts, "counts", counted)
    assert verify(*STUDY, *PLAN)[1] == []
    assert len(made) > 10
    assert most[0] <= 6


def test_questions_may_have_their_own_failure_probabilities():
    own = STUDY[1:]
    some = {"smokes": 0.00609, "age": 0.0115, "visits": 0.0061, "income": 0.021}
    for name, alpha in some.items():
        own = changed(own, f"name = {name}", f"failure = {alpha}; name = {name}")
    assert verify(*own, *PLAN)[1] == []
    assert is_refused(*changed(own, "failure = 0.0115", "failure = 0.0114"), *PLAN)
    assert is_refused("target.failure = 0.05", *own, *PLAN)


COVER = (
    "people 100", "split 1000 30@1/2 75@1/4 30@1/2 140@1/2",
    "signal 100", "split 1000 31@1/2 76@1/4 31@1/2 141@1/2",
    "split 1000 32@1/2 77@1/4 32@1/2 142@1/2",
)  # fmt: skip


def test_a_cover_excludes_every_box():
    given = (*STUDY, *FEW, "claim infeasible")
    assert verify(*given, *COVER)[1] == []
    for k in range(len(COVER)):
        assert is_refused(*given, *COVER[:k], *COVER[k + 1 :])
        assert is_refused(*given, *COVER[: k + 1], *COVER[k:]), "a line too many"
    for old, new in (
        ("split 1000 30", "split 10000 30"), ("split 1000 30", "split -1000 30"), ("75@1/4", "75"),
        ("75@1/4", "75@1"), ("75@1/4", "75@0"), ("75@1/4", "75@1/5"), ("77@1/4", "5@1/4"),
        ("142@1/2", "500@1/2"), (" 142@1/2", ""), ("31@1/2 76", "200@1/2 76"),
    ):  # fmt: skip
        assert is_refused(*given, *changed(COVER, old, new)), (old, new)


@pytest.mark.slow
def test_it_runs_beside_the_other_file_alone(tmp_path):
    for module in (check, check_bounds, check_counts, check_surveys):
        shutil.copy(module.__file__, tmp_path)
    source = (tmp_path / "check_surveys.py").read_text("utf-8")
    assert len(source.splitlines()) <= 400
    imported = set(re.findall(r"^ *(?:from|import) ([\w.]+)", source, re.MULTILINE))
    ours = {"planner.certificate", "planner.certificate.check"}
    assert imported - set(sys.stdlib_module_names) == {"flint", *ours}
    (tmp_path / "survey.cert").write_text(text(*STUDY, *PLAN), "utf-8")
    for name, status in (("survey.cert", 0), ("nothing.cert", 1)):
        done = subprocess.run(
            [sys.executable, "-s", "check.py", name],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == status, done
        assert not done.stderr


def test_hostile_certificates_are_refused():
    for hostile in [
        (*STUDY, "claim infeasible", *["people 1"] * 10_000),
        (*STUDY, "claim infeasible", "signal 1e300", "split 1e300" + " 1e300@1/2" * 4),
        (*STUDY, "claim infeasible", "signal 1e9", "split 1e9" + " 1e9@1/2" * 4, "limits"),
        (
            *STUDY,
            "claim infeasible",
            "people 9007199254740992",
            "signal 1e9",
            "split 1e9 1e7@1/2 1e7@1/3 1e7@1/2 1e7@1/2",
            "limits",
        ),
        (*STUDY, "claim infeasible", "signal 1", "split 0" + " 1/0@1/2" * 4),
        (*STUDY, PLAN[0].replace("350", "9007199254740992"), *PLAN[1:]),
        (*STUDY, "target.error = 0.5", *PLAN),
        (*STUDY, *PLAN[:1], *["answer 0.1 0.01"] * 5_000),
        (*STUDY, *PLAN[:1], *["witness 0.1"] * 5),
        (*STUDY[:5], *(f"question.{k} = share; error = 0.1" for k in range(1, 2_000)), PLAN[0]),
    ]:
        with pytest.raises(RefusedError):
            verify(*hostile)


def f_of_share(y, n, error, mean):
    """The failure probability at N·ε = y, in floats."""
    k, rate = np.arange(n + 1), y / n
    total = 0.0
    for left in (n * (mean + error) - k, k - n * (mean - error)):
        x = np.abs(left) * rate
        total += stats.binom.pmf(k, n, mean) @ np.where(
            left > 0, np.exp(-x) / 2, 1 - np.exp(-x) / 2
        )
    return total


def low(ball: arb) -> float:
    return float(ball.lower())


@pytest.mark.parametrize("seed", range(3))
def test_no_share_fails_less_than_the_line_under_it(seed):
    """At each N of a range and at each y of another; and at one N and one y by hardly more."""
    rng, near = random.Random(seed), 0
    for _ in range(60):
        first = rng.randint(2, 120)
        last = first + rng.choice([0, 0, 1, first // 8, 3 * first])
        error = Fraction(rng.randint(2, 30), 100)
        mean = Fraction(rng.randint(1, 9), 10)
        start = Fraction(round(math.exp(rng.uniform(-1, 6)), 3))
        end = start * rng.choice([Fraction(1), Fraction(101, 100), Fraction(3, 2), Fraction(9)])
        line = check_surveys.under(error, (first, last), mean, (start, end), 2 * end)
        for n in {first, (first + last) // 2, last}:
            for part in np.linspace(0, 1, 5):
                y = float(start) + part * float(end - start)
                true = f_of_share(y, n, float(error), float(mean))
                bound = low(line[0]) + part * (low(line[1]) - low(line[0]))
                assert bound <= true + 1e-12, (first, last, error, mean, start, end, n, y)
        near += first == last and start == end and low(line[0]) > 0.999 * true
    assert near >= 3


def test_no_share_fails_less_than_the_functions_of_samples_say():
    """At each N of a range and each y of a cell; in narrow ones by no more than a quarter."""
    rng, near = random.Random(9), 0
    for _ in range(80):
        first = rng.randint(2, 120)
        last = first + rng.choice([0, 1, first // 8])
        error, mean = Fraction(rng.randint(2, 20), 100), Fraction(rng.randint(1, 9), 10)
        start = Fraction(round(math.exp(rng.uniform(0, 6)), 3))
        end = start * rng.choice([Fraction(101, 100), Fraction(3, 2)])
        one = check_surveys.Survey(check.keys_of([*STUDY])).of(error, Fraction(1, 2))
        box = one.box._replace(people=(first, last))
        bound = low(check_surveys.off_by_samples(one, box, mean, start, end))
        some = [
            f_of_share(float(start) + part * float(end - start), n, float(error), float(mean))
            for n in {first, (first + last) // 2, last}
            for part in np.linspace(0, 1, 5)
        ]
        assert bound <= min(some) + 1e-12, (first, last, error, mean, start, end)
        near += bound > 0.75 * min(some)
    assert near > 20


def test_too_few_people_are_excluded_whatever_the_noise():
    few = "conditions.max_participants = 30"
    for study in (STUDY, changed(STUDY, "exact", "hoeffding")):
        assert verify(*study, few, "claim infeasible", "samples")[1] == []
        many = few.replace("30", "400")
        assert is_refused(*study, many, "claim infeasible", "samples")
        assert is_refused(*study, "claim infeasible", "samples")


def test_it_is_under_the_failure_probability_in_fifty_digits():
    tenth, third = Fraction(1, 10), Fraction(1, 3)
    for n, error, mean, y in ((40, tenth, Fraction(1, 2), 30), (33, Fraction(1, 8), third, 9)):
        exact = failing(n, y / n, error, mean)
        line = check_surveys.under(error, (n, n), mean, (Fraction(y), Fraction(y)), Fraction(y))
        assert low(line[0]) == pytest.approx(float(exact), rel=1e-9)


def test_moments_are_over_the_failure_probability():
    rng = random.Random(5)
    for _ in range(40):
        n, y = rng.randint(2, 100), rng.uniform(1, 60)
        error, mean = Fraction(rng.randint(2, 30), 100), Fraction(rng.randint(0, 10), 20)
        value, slope = check_surveys.moment(error, n, mean, check.ball(Fraction(y)))
        true = f_of_share(y, n, float(error), float(mean))
        assert low(value) >= true - 1e-12
        further, _ = check_surveys.moment(error, n, mean, check.ball(Fraction(y * (1 + 1e-7))))
        assert float(slope) == pytest.approx(float((further - value) / arb(y * 1e-7)), rel=1e-4)


VALUES = ((0.0, 1.0), (0.0, 0.3, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), (0.1, 0.9))


def test_no_law_of_values_fails_more_than_the_majorant():
    """Sums of values on a lattice, convolved; the upper edge."""
    rng = np.random.default_rng(7)
    for _ in range(30):
        n, rate = int(rng.integers(2, 30)), float(np.exp(rng.uniform(-2, 1)))
        values = np.array(VALUES[rng.integers(len(VALUES))])
        chances = rng.dirichlet(np.ones(len(values)))
        mean, steps = float(values @ chances), np.round(values * 20).astype(int)
        one = np.zeros(21)
        one[steps] = chances
        whole = np.ones(1)
        for _ in range(n):
            whole = np.convolve(whole, one)
        error = float(rng.uniform(0.02, 0.3))
        left = n * (mean + error) - np.arange(len(whole)) / 20
        x = np.abs(left) * rate
        true = whole @ np.where(left > 0, np.exp(-x) / 2, 1 - np.exp(-x) / 2)
        at, up = Fraction(mean).limit_denominator(10**12), Fraction(n * error)
        survey = check_surveys.Survey(check.keys_of(list(STUDY))).of(
            Fraction(error), Fraction(1, 20)
        )
        law = check_counts.counts(survey, n, at)
        for touch in (Fraction(0), Fraction(1, 10), Fraction(1), Fraction(3)):
            bound = check_bounds.majorant(survey, law, n, arb(rate), touch, n * at, up)
            assert float(bound.upper()) >= true - 1e-9


def test_its_lines_over_histograms_are_over_the_worst_shares():
    """Whatever slope is accepted, no shares that sum to 1 fail more often together."""
    survey, accepted = check_surveys.Survey(check.keys_of(list(STUDY))), 0
    rng = np.random.default_rng(3)
    for _ in range(25):
        groups, n = int(rng.integers(2, 9)), int(rng.integers(20, 150))
        error, y = Fraction(int(rng.integers(8, 25)), 100), float(rng.uniform(20, 120))
        q = Question("histogram", error, 1, groups, math.inf)
        epsilon, slope = Fraction(y / n), Fraction(float(rng.uniform(0, 0.2)))
        means = np.linspace(0, 1, 101)
        f = np.array([f_of_share(y / 2, n, float(error), m) for m in means])
        few = ((0,) * (groups - 1), (50, *(0,) * (groups - 2)), (100 // groups,) * (groups - 1))
        worst = max(sum(f[k] for k in (*some, 100 - sum(some))) for some in few)
        for factor in (0.999, 1.05, 2.0, 4.0):
            given = Fraction(float(worst * factor)), slope, Fraction(1, 10)
            if given[0] < 1 and check_surveys.histogram(survey, q, n, epsilon, *given):
                accepted += 1
                assert factor > 1
    assert accepted > 5


@pytest.mark.parametrize("kind", ["share", "histogram", "mean", "quantile"])
def test_bounds_ask_for_what_a_fine_grid_finds(kind):
    """The least y + λ·F at the best split of the error, for Hoeffding's bound and of a draw."""
    rng = random.Random(kind)
    s, y = np.linspace(0, 1, 801)[:, None], np.linspace(0, 2_000, 4_001)
    for _ in range(4):
        n, error = rng.randint(50, 2_000), Fraction(rng.randint(3, 20), 100)
        size, whole = rng.randint(2, 30), (Fraction(0), math.inf)
        q = Question(kind, error, 1, size, Fraction(rng.randint(1, 30), 100))
        box = check.Box((1, n), whole, whole, (Fraction(0), Fraction(0)))
        price, number = Fraction(rng.choice([0, 300, 3_000])), size if kind == "histogram" else 1
        x = float(error) * (1 - s) * y / (1 if kind in ("share", "mean") else 2)
        drawn = number * np.exp(-x)
        if kind == "quantile":
            drawn = 1 / (1 + np.exp(np.minimum(x, 700)) / (size - 1))
        bound = (2 * number * np.exp(-2 * n * (s * float(error)) ** 2) + drawn).min(axis=0)
        asked, allowed = y + float(price) * bound, bound <= float(q.failure)
        if allowed.any():
            least = asked[allowed].min() * 0.97
            assert check_surveys.costs_by_bound(q, box, price, Fraction(least))
            most = asked[allowed].min() * 1.001
            assert not check_surveys.costs_by_bound(q, box, price, Fraction(most))


@pytest.mark.slow
def test_the_planner_finds_the_file_by_the_study():
    assert planner.certificate.verify(text(*STUDY, *PLAN))[1] == []


@pytest.mark.parametrize(("size", "kind"), [(2, "share"), (4, "histogram")])
def test_the_least_price_of_a_question_is_not_put_too_high(size, kind):
    """min over y of y + λ·f(y), by a fine grid; of a histogram at a mean of 1/k, with half of y."""
    n, error, price, alpha = 100, 0.1, 400.0, 0.2
    y = np.linspace(0.5, 120.0, 1200)
    mean = 0.5 if kind == "share" else 1 / size
    rate, each = (1.0, 1) if kind == "share" else (0.5, size)
    off = each * np.array([f_of_share(rate * x, n, error, mean) for x in y])
    least = (y + price * off)[off <= alpha].min()
    survey = check_surveys.Survey(check.keys_of(list(STUDY)))
    asked = Question(kind, Fraction(1, 10), 1, size, Fraction(1, 5))
    box = check.Box(
        (n, n), (Fraction(0), Fraction(200)), (Fraction(0), Fraction(2)), (Fraction(0),) * 2
    )
    for part, holds in ((0.8, True), (1.01, False)):
        m = Fraction(round(least * part, 6))
        assert check_surveys.costs(survey, box, asked, Fraction(400), m, Fraction(mean)) is holds
