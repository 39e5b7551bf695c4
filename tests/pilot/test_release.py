"""What a private pilot publishes: exactly as private as it says, and nothing besides."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from planner.pilot import Answers, Pilot, PilotError, read_pilot, release
from planner.pilot.release import MOVED, counts_of, groups_of
from planner.publication.measurement import noisy_counts
from tests.pilot.pilots import LEVELS, NOBODY, base_costs, yes_or_no

BRACKETS = (5.0, 20.0)
CELLS = ("yes", "no", "never", 3.0, 12.0, 70.0)


def of(people: list[tuple[float | None, str | float]]) -> Answers:
    """Answers of people, each with an offer and a word, or without one and an amount or never."""
    low, high, offers, refused = [], [], [], []
    for offer, said in people:
        at = math.nan if offer is None else offer
        if said == "never":
            refused.append(at)
            continue
        ends = (said, said) if offer is None else {"yes": (-np.inf, at), "no": (at, np.inf)}[said]
        low.append(ends[0])
        high.append(ends[1])
        offers.append(at)
    return Answers(*(np.array(one, dtype=float) for one in (low, high, offers, refused)))


PEOPLE = [(4.0, "yes"), (9.0, "no"), (9.0, "yes"), (None, 3.0), (None, 12.0), (None, "never")]


def neighbours() -> list[list[tuple[float | None, str | float]]]:
    """All pilots in which one person answers differently."""
    found = []
    for at, (offer, said) in enumerate(PEOPLE):
        others = ("yes", "no", "never") if offer is not None else (3.0, 12.0, 70.0, "never")
        found += [[*PEOPLE[:at], (offer, one), *PEOPLE[at + 1 :]] for one in others if one != said]
    return found


def law(rate: Fraction, z: int) -> Fraction:
    """The probability of geometric noise z, as a fraction; `rate` stands for e^(−ε/2)."""
    return (1 - rate) / (1 + rate) * rate ** abs(z)


def test_the_laws_of_neighbouring_pilots_are_within_the_factor() -> None:
    """Exactly, with e^(−ε/2) = 2/3: no noisy counts are more than e^ε = 9/4 times as likely."""
    rate = Fraction(2, 3)
    most = rate**-MOVED
    answers = of(PEOPLE)
    groups, largest = groups_of(answers, BRACKETS), Fraction(0)
    counts = counts_of(answers, groups)
    for people in neighbours():
        assert groups_of(of(people), BRACKETS) == groups  # decided by what was asked alone
        others = counts_of(of(people), groups)
        assert others != counts or people[3:] != PEOPLE[3:]
        moved = [i for i, (a, b) in enumerate(zip(counts, others, strict=True)) if a != b]
        ratio = Fraction(1)
        for seen in itertools.product(range(-4, 9), repeat=len(moved)):
            one, other = (
                math.prod(law(rate, y - c[i]) for y, i in zip(seen, moved, strict=True))
                for c in (counts, others)
            )
            ratio = max(ratio, one / other, other / one)
        assert ratio <= most
        largest = max(largest, ratio)
    assert largest == most  # so that less noise would not be enough


def test_counts_are_those_of_the_answers() -> None:
    groups = groups_of(of(PEOPLE), BRACKETS)
    assert [(g.people, g.costs, g.weights) for g in groups] == [
        (3, (4.0, 9.0), (1, 2)),
        (3, BRACKETS, ()),
    ]
    assert counts_of(of(PEOPLE), groups) == [2, 1, 1, 1]


def test_the_noise_has_the_geometric_law() -> None:
    epsilon = 1.5
    add_noise, scale = noisy_counts(MOVED, epsilon)
    assert scale == pytest.approx(MOVED / epsilon)
    drawn = Counter(z for _ in range(40) for z in add_noise([0] * 500))
    n, rate = 20_000, math.exp(-epsilon / MOVED)
    for z in range(-5, 6):
        p = (1 - rate) / (1 + rate) * rate ** abs(z)
        assert abs(drawn[z] - n * p) < 6 * math.sqrt(n * p)


@pytest.mark.parametrize("epsilon", [0.3, 0.7, 1.0, 3.7])
def test_the_scale_is_never_too_small(epsilon) -> None:
    _, scale = noisy_counts(MOVED, epsilon)
    assert MOVED / Fraction(scale) <= Fraction(repr(epsilon))
    assert scale == pytest.approx(MOVED / epsilon, rel=1e-12)


def test_few_people_with_an_offer_are_joined_to_neighbours() -> None:
    levels = groups_of(yes_or_no(1, 400, LEVELS), ())
    assert [group.costs for group in levels] == [(level,) for level in LEVELS]
    joined = groups_of(yes_or_no(1, 400), ())
    assert all(group.people >= 400 ** (2 / 3) for group in joined[:-1])
    assert sum(group.people for group in joined) == 400
    ends = [(group.costs[0], group.costs[-1]) for group in joined]
    assert all(before[1] < after[0] for before, after in itertools.pairwise(ends))


def asks(people: int) -> Answers:
    costs = base_costs(1, people)
    return Answers(costs, costs, np.full(people, np.nan), NOBODY)


@pytest.mark.parametrize(
    ("answers", "epsilon", "brackets", "message"),
    [
        (yes_or_no(1), 0.0, (), "private_epsilon = 0.0 is not allowed; give a number above 0"),
        (yes_or_no(1), -1.0, (), "private_epsilon = -1.0 is not allowed"),
        (yes_or_no(1), math.nan, (), "private_epsilon = nan is not allowed"),
        (yes_or_no(1), math.inf, (), "private_epsilon = inf is not allowed"),
        (yes_or_no(1), 101.0, (), "at most 100"),
        (yes_or_no(1, 400, LEVELS), 1e-9, (), "and nothing was published; give at least 0."),
        (asks(50), 1.0, (), "give --brackets, base costs such as"),
        (asks(50), 1.0, (5.0, 2.0), "brackets = 5, 2 is not allowed; give base costs above 0"),
        (asks(50), 1.0, (0.0, 2.0), "brackets = 0, 2 is not allowed"),
        (yes_or_no(1), 1.0, (5.0,), "no amounts are counted; leave --brackets out"),
    ],
)
def test_what_is_refused(answers, epsilon, brackets, message) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        release(Pilot(answers, None, "answers.csv"), epsilon, brackets)


def test_the_least_epsilon_that_is_named_is_enough() -> None:
    pilot = Pilot(yes_or_no(1, 400, LEVELS), None, "answers.csv")
    with pytest.raises(ValueError, match="give at least") as error:
        release(pilot, 0.01)
    least = float(str(error.value).split("give at least ")[1].split(",")[0])
    assert 0.1 < least < 0.5
    assert release(pilot, least).epsilon == least


def test_the_stated_noise_is_rarely_exceeded() -> None:
    published = release(Pilot(yes_or_no(1), None, "x"), 0.5)
    rate = math.exp(-0.25)
    beyond = [2 * rate**t / (1 + rate) for t in (published.off, published.off + 1)]
    assert beyond[1] <= 0.05 < beyond[0]


def table(tmp_path, rows: list[str]):
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["person,offer,accepts,epsilon", *rows]) + "\n", "utf-8")
    return path


def test_a_person_gives_one_answer(tmp_path) -> None:
    rows = [f"p{i},{5 + i % 2},no,1" for i in range(30)]
    path = table(tmp_path, [*rows, "p3,9,yes,1"])
    read_pilot(table(tmp_path, [*rows, "q,9,yes,1"]), private=True)
    path = table(tmp_path, [*rows, "p3,9,yes,1"])
    with pytest.raises(PilotError, match="lines 5 and 32 are answers of one person") as error:
        read_pilot(path, private=True)
    assert "yes" not in str(error.value)
    with pytest.raises(PilotError, match="had the same offer"):
        read_pilot(table(tmp_path, [f"p{i},5,no,1" for i in range(30)]), private=True)


def test_nothing_is_refused_for_what_people_answered(tmp_path) -> None:
    for said in ("yes", "no", "never"):
        rows = [f"p{i},{5 + i % 2},{said},1" for i in range(30)]
        assert read_pilot(table(tmp_path, rows), private=True).people == 30
        with pytest.raises(PilotError):
            read_pilot(table(tmp_path, rows))
