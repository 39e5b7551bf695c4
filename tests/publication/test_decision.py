"""What a published test decides, against direct sums over the count and its noise."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import scipy

import planner
from planner.mechanisms.threshold import planned_threshold
from planner.publication.decision import decide
from planner.publication.items import Item

PEOPLE, EPSILON = 120, 0.4


def item(people=PEOPLE, epsilon=EPSILON):
    """A noisy count of that many people, as it was published."""
    return Item("answer", "share", 0.2, 0.05, "geometric", 1 / epsilon, people)


def law(share, people=PEOPLE, epsilon=EPSILON):
    """The noisy counts, and their chances."""
    far = int(45 / epsilon)
    noise = np.exp(-epsilon * np.abs(np.arange(-far, far + 1))) * math.tanh(epsilon / 2)
    counts = scipy.stats.binom.pmf(np.arange(people + 1), people, share)
    chances = np.convolve(counts, noise)
    return np.arange(len(chances)) - far, chances


@pytest.mark.slow
@pytest.mark.parametrize(
    "power",
    [planner.Power(0.3, 0.45), planner.Power(0.6, 0.4, significance=0.1),
     planner.Power(0.3, 0.5, sides=2)],
)  # fmt: skip
def test_the_p_value_is_uniform_at_the_null_value(power):
    """For each count the p-value is a line in u, so that it is a level or less for a part of u."""
    counts, chances = law(power.null)
    likely = chances > 1e-9
    ends = [
        [decide(power, item(), count / PEOPLE, u).p_value for u in (-0.5, 0.5)]
        for count in counts[likely]
    ]
    low, high = np.sort(ends, axis=1).T
    for level in (0.01, power.significance, 0.3):
        part = np.clip((level - low) / np.maximum(high - low, 1e-300), 0, 1)
        assert chances[likely] @ part == pytest.approx(level, abs=1e-6)


def test_it_rejects_as_the_plan_says():
    """Over the planned level always, under it never, at it for a part of u."""
    power = planner.Power(0.3, 0.45)
    level, chance = planned_threshold(power.tested, EPSILON, PEOPLE)

    def rejected(count, drawn):
        return decide(power, item(), count / PEOPLE, drawn).rejected

    for drawn in (-0.49, 0.0, 0.49):
        assert rejected(level + 1, drawn)
        assert not rejected(level - 1, drawn)
    assert rejected(level, 0.5 - chance * 0.999)
    assert not rejected(level, 0.5 - chance * 1.001)


@pytest.mark.slow
@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("alternative", [0.45, 0.15])
def test_the_interval_agrees_with_the_test(sides, alternative):
    """The null value lies outside where it is rejected; the interval holds the true share."""
    power = planner.Power(0.3, alternative, sides=sides)
    rng = np.random.default_rng(5)
    for count in range(20, 60):
        found = decide(power, item(), count / PEOPLE, float(rng.uniform(-0.5, 0.5)))
        low, high = found.interval
        assert (low <= 0.3 <= high) == (not found.rejected)
        for end in (low, high):  # just outside, a null value is rejected
            other = end + (1e-5 if end == high else -1e-5)
            if 0 < other < 1:
                moved = replace(power, null=float(other), alternative=0.5 if other < 0.5 else 0.4)
                if sides == 1 and (moved.alternative > other) != (alternative > 0.3):
                    continue
                assert decide(moved, item(), count / PEOPLE, found.drawn).rejected


def of_margin(margin=0.1, **given):
    """A test that the first share is not smaller by a margin."""
    return planner.Difference(baseline=0.3, change=0.0, margin=margin, **given)


def of_groups():
    """The noisy difference of two groups."""
    return replace(item(), kind="difference", low=-1.0)


def law_of_groups(first, second):
    """As `law`, of those in the first group who have the property, and of the others who do not."""
    half, far = PEOPLE // 2, int(45 / EPSILON)
    noise = np.exp(-EPSILON * np.abs(np.arange(-far, far + 1))) * math.tanh(EPSILON / 2)
    one, two = (scipy.stats.binom.pmf(np.arange(half + 1), half, p) for p in (first, 1 - second))
    chances = np.convolve(np.convolve(one, two), noise)
    return np.arange(len(chances)) - far, chances


def with_margin(power, count, drawn=0.0):
    """Its decision where so many are counted."""
    return decide(power, of_groups(), 2 * count / PEOPLE - 1, drawn)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("power", "worst"),
    [(of_margin(), 0.55), (of_margin(0.2, baseline_range=(0.1, 0.45)), 0.45)],
)
def test_p_values_with_a_margin_are_at_most_uniform(power, worst):
    """At each pair of shares of the null hypothesis; and uniform at the worst of them."""
    counts, _ = law_of_groups(0.4, 0.5)
    counts = counts[(counts > -20) & (counts < PEOPLE + 20)]
    ends = [[with_margin(power, count, u).p_value for u in (-0.5, 0.5)] for count in counts]
    low, high = np.sort(ends, axis=1).T
    first = counts[0] + int(45 / EPSILON)

    def most(level, one, other):
        part = np.clip((level - low) / np.maximum(high - low, 1e-300), 0, 1)
        return law_of_groups(one, other)[1][first : first + len(counts)] @ part

    lowest, highest = power.baseline_range
    for level in (0.01, 0.05, 0.2):
        for other in np.linspace(lowest + power.margin, highest, 12):
            for less in (power.margin, power.margin + 0.02):
                one = max(other - less, lowest)
                assert most(level, one, other) <= level + 1e-8
        assert most(level, worst - power.margin, worst) == pytest.approx(level, abs=1e-6)


def test_a_p_value_with_a_margin_is_the_largest_direct_sum():
    """Of all pairs that differ by the margin; not below it, and 1 where that is not certain."""
    power, numbers = of_margin(), None
    for count in (62, 66, 72, 80):
        sums = []
        for other in np.linspace(0.1, 1.0, 91):
            numbers, chances = law_of_groups(other - 0.1, other)
            over, at = chances[numbers > count].sum(), chances[numbers == count].sum()
            sums.append(over + (0.5 - 0.2) * at)
        found = with_margin(power, count, 0.2).p_value
        assert found == pytest.approx(max(sums), rel=1e-8)
        assert found >= max(sums) * (1 - 1e-12)
        assert np.argmax(sums) == 45  # where the shares are 0.45 and 0.55
    assert with_margin(power, 54).p_value == 1.0


@pytest.mark.slow
def test_the_interval_of_a_margin_agrees_with_the_test():
    """The margin is outside where it is rejected, and so is each that is not in the interval."""
    power, rng = of_margin(), np.random.default_rng(6)
    for count in range(40, 90):
        found = with_margin(power, count, float(rng.uniform(-0.5, 0.5)))
        low, high = found.interval
        assert high == 1.0
        assert (low <= -0.1) == (not found.rejected)
        if -0.9 < low < -0.01:
            for margin, rejected in ((-low + 1e-5, True), (-low - 1e-5, False)):
                moved = replace(power, margin=float(margin))
                assert with_margin(moved, count, found.drawn).rejected == rejected
    assert with_margin(power, -3).interval == [-1.0, 1.0]
    assert "smaller by 10 percentage points or more" in found.words
    assert f"differences from {low} to 1 are not rejected" in found.words
    narrow = with_margin(of_margin(baseline_range=(0.1, 0.45)), 70)
    assert narrow.interval is None
    assert "no interval of differences agrees with this test" in narrow.words


def test_it_rejects_with_a_margin_as_the_plan_says():
    power = of_margin()
    level, chance = planned_threshold(power.tested, EPSILON, PEOPLE)
    assert with_margin(power, level + 1, -0.49).rejected
    assert not with_margin(power, level - 1, 0.49).rejected
    assert with_margin(power, level, 0.5 - chance * 0.999).rejected
    assert not with_margin(power, level, 0.5 - chance * 1.001).rejected


def study(**given):
    """The test of the guide."""
    return planner.Study(
        planner.CountTest(),
        planner.Power(0.3, 0.35, **given),
        planner.Individual(base_cost=12.5, worst_cost=1274.0),
        [planner.Budget(10_000.0)],
        planner.Costs(per_person=5.0, overhead=2000.0),
    )


def test_a_test_is_published_once_and_checked(tmp_path):
    """The share with its error, the p-value and the decision; the file says the same."""
    plan = planner.solve(study())
    records = {"answer": [1] * 257 + [0] * (plan.participants - 257)}
    ledger = tmp_path / "ledger.db"
    done = planner.publish(
        plan, records, tmp_path / "out.json", people="town", ledger=ledger, column="answer"
    )
    (answer,) = done.answers
    assert abs(answer.numbers[0] * plan.participants - 257) < 60
    assert answer.test == decide(
        plan.study.power, item(plan.participants, 1 / answer.scale), answer.answer,
        answer.test.drawn,
    )  # fmt: skip
    assert answer.test.rejected == (answer.test.p_value <= 0.05)
    assert done.failure == 0.05
    stored = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert stored["answers"][0]["test"]["p_value"] == answer.test.p_value
    stored["answers"][0]["test"]["p_value"] /= 2
    (tmp_path / "wrong.json").write_text(json.dumps(stored), "utf-8")
    with pytest.raises(ValueError, match="has been published with these people"):
        planner.publish(plan, records, people="town", ledger=ledger, column="answer")


def test_with_fewer_people_the_significance_is_kept(tmp_path):
    """The threshold is that of the people who came."""
    plan = planner.solve(study())
    records = {"answer": [1] * 200 + [0] * (plan.participants - 260)}
    given = {"people": "x", "ledger": tmp_path / "ledger.db", "column": "answer"}
    with pytest.raises(ValueError, match="the plan is for 713 people, and with 653"):
        planner.publish(plan, records, **given)
    done = planner.publish(plan, records, most_error="20%", **given)
    (answer,) = done.answers
    used = item(653, 1 / answer.scale)
    assert answer.test == decide(plan.study.power, used, answer.answer, answer.test.drawn)
    assert answer.planned_error is not None
