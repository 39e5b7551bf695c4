"""The best ties of several questions without a curator: people or ε, and α, shared out.

A report more is right as 2NTs passes a whole number w, a tie. So the failure probability of a
question falls just beyond ties, and the best studies lie there: at one ε the first whole N beyond
w/(2Ts) where people are shared out, at one N the first ε whose s is over w/(2NT) where ε is. What
is shared out is the price of a tie, N or ε, and each tie has its own failure probability f.

The least Σ tᵢ·priceᵢ with Σ tᵢ·fᵢ ≤ α is sought with one multiplier μ: each question takes the tie
with the least price + μ·f in any of the ways in which it can be asked. What is left of α then goes
to the first questions that can have a cheaper tie for it. At first ties far apart are looked at,
about those by the normal law, then closer ones about the best. What is found need not be the best:
any ties with Σ tᵢ·fᵢ ≤ α are a plan.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from planner.libraries import np, scipy
from planner.mechanisms.reports import worst
from planner.mechanisms.reports.card import LARGE, about_printed
from planner.mechanisms.several.report_floor import asked_of, reports_of
from planner.mechanisms.several.split_sample import SplitQuestion
from planner.numbers import Array

_SIDE = 6
"""Ties looked at on either side of the best so far."""
_SPAN = 2.5
"""The farthest ones first: ln f differs by so much, a factor of twelve."""
_ROUNDS = 12  # a cap: each is six times closer, or goes on to where the best ones are
_HALVINGS, _WIDEST = 50, 60.0  # of the logarithm of μ, in a range of e^60 on either side
_TOO_OFTEN = 1e30  # the price of a tie that fails too often by itself


class Ties(NamedTuple):
    """The tie of each question in each study; rows by question.

    Attributes:
        price: N or ε of each; ∞ where not all are accurate enough.
        failure: of all numbers that it publishes.
        way: which of its ways is used.
    """

    price: Array
    failure: Array
    way: Array


class Question(NamedTuple):
    """A question in some studies.

    Attributes:
        lot: the question.
        read: prices and failure probabilities of ties, by way, study and tie.
        middle: about the ties at its share of α, by way and study.
        fall: by how much ln f falls there from one tie to the next.
    """

    lot: SplitQuestion
    read: Callable[[Array], tuple[Array, Array]]
    middle: Array
    fall: Array


def of_people(lot: SplitQuestion, strengths: Array, failure: Array) -> Question:
    """The people whom a question is put to at some ε.

    Args:
        lot: the question.
        strengths: p − q of each of its ways; rows by way.
        failure: about its share of α at each ε.
    """
    s = strengths[:, :, None]

    def read(tie: Array) -> tuple[Array, Array]:
        n = np.floor(tie / (2 * lot.error * s)) + 1
        return n, _failures(lot, n, n * lot.error * s, tie, np.broadcast_to(s, n.shape))

    tau = lot.error * strengths
    return Question(lot, read, _deviate(lot, failure) ** 2 / (2 * tau), tau)


def of_epsilon(lot: SplitQuestion, n: Array, failure: Array) -> Question:
    """The ε of a question that all of N people are asked; arguments likewise."""
    ways, size = reports_of(lot), n[:, None]

    def read(tie: Array) -> tuple[Array, Array]:
        s = tie / (2 * size * lot.error)
        some = np.minimum(s, 1.0)
        price = [
            way.reports * about_printed(at, way.answers) for way, at in zip(ways, some, strict=True)
        ]
        sizes = np.broadcast_to(size, tie.shape)
        return np.where(s < 1, price, np.inf), _failures(lot, sizes, tie / 2, tie, some)

    x, every = _deviate(lot, failure), np.ones((len(ways), 1))
    return Question(lot, read, every * x * np.sqrt(n), every * x / np.sqrt(n))


def _deviate(lot: SplitQuestion, failure: Array) -> Array:
    """By how many standard errors of λ = 1/2 each number is off, by the normal law."""
    return np.asarray(-scipy.special.ndtri(failure / (2 * lot.numbers)))


def _failures(lot: SplitQuestion, n: Array, excess: Array, tie: Array, strength: Array) -> Array:
    """How often any of a question's numbers is off just beyond ties; axes by way, study and tie."""
    failures = np.minimum(2 * scipy.special.ndtr(-2 * (excess - 1) / np.sqrt(n)), 1.0)
    for at, way in enumerate(reports_of(lot)):
        few = n[at] <= LARGE
        size, off, width, s = (values[at][few] for values in (n, excess, tie + 1, strength))
        _, _, mean_range, answers = asked_of(lot, way, 1.0)
        failures[at][few] = worst.most_off(size, off, width, s, mean_range, answers)
    return np.asarray(np.minimum(lot.numbers * failures, 1.0))


def best(questions: Sequence[Question], failures: Sequence[float] | None, alpha: float) -> Ties:
    """About the best ties of all questions.

    Args:
        questions: in the same studies.
        failures: αᵢ of each; None where one α is shared out.
        alpha: the one for all.
    """
    times = [question.lot.times for question in questions]
    middles = [np.maximum(np.rint(question.middle), 0) for question in questions]
    strides = [np.maximum(np.ceil(_SPAN / _SIDE / q.fall), 1) for q in questions]
    steps = np.arange(-_SIDE, _SIDE + 1)
    for _ in range(_ROUNDS):
        ties = [
            np.maximum(middle[..., None] + stride[..., None] * steps, 0)
            for middle, stride in zip(middles, strides, strict=True)
        ]
        tables = [question.read(tie) for question, tie in zip(questions, ties, strict=True)]
        worth = _worth(tables, times, failures, alpha)
        done = True
        for i, (tie, value) in enumerate(zip(ties, worth, strict=True)):
            pick = np.argmin(value, axis=2)
            middles[i] = np.take_along_axis(tie, pick[..., None], 2)[..., 0]
            at_end = (pick == 2 * _SIDE) | ((pick == 0) & (middles[i] > 0))
            done = done and not (at_end | (strides[i] > 1)).any()
            strides[i] = np.where(at_end, strides[i], np.ceil(strides[i] / _SIDE))
        if done:
            break
    return _filled(tables, worth, times, failures, alpha)


def _worth(
    tables: Sequence[tuple[Array, Array]],
    times: Sequence[int],
    failures: Sequence[float] | None,
    alpha: float,
) -> list[Array]:
    """What is least at the best tie of each question: price + μ·f, about the least μ that does."""
    if failures is not None:
        pairs = zip(tables, failures, strict=True)
        return [np.where(of[1] <= a, of[0], _TOO_OFTEN * (1 + of[1])) for of, a in pairs]

    low = np.full(tables[0][0].shape[1], -_WIDEST)
    high, unit = -low, sum(np.min(price) for price, _ in tables) / alpha + 1e-9 / alpha

    def values(log_multiplier: Array) -> list[Array]:
        multiplier = (unit * np.exp(log_multiplier))[:, None]
        return [price + multiplier * f for price, f in tables]

    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rows = zip(tables, values(middle), times, strict=True)
        whole = sum(t * _taken(f, _picked(value)) for (_, f), value, t in rows)
        low, high = np.where(whole <= alpha, low, middle), np.where(whole <= alpha, middle, high)
    return values(high)


def _picked(value: Array) -> Array:
    """The place of the least value of each study, ways side by side."""
    return np.argmin(_side_by_side(value), axis=1)


def _taken(values: Array, place: Array) -> Array:
    return np.take_along_axis(_side_by_side(values), place[:, None], 1)[:, 0]


def _side_by_side(values: Array) -> Array:
    return np.concatenate(list(values), axis=1)


def _filled(
    tables: Sequence[tuple[Array, Array]],
    worth: Sequence[Array],
    times: Sequence[int],
    failures: Sequence[float] | None,
    alpha: float,
) -> Ties:
    """The best ties, and cheaper ones for what is left of α."""
    places = [_picked(value) for value in worth]
    prices, failing = (
        np.array([_taken(table[of], place) for table, place in zip(tables, places, strict=True)])
        for of in (0, 1)
    )
    counts = np.array(times)[:, None]
    if failures is not None:
        fits = (failing <= np.array(failures)[:, None]).all(axis=0)
    else:
        for i, (price, f) in enumerate(tables):
            left = alpha - np.sum(counts * failing, axis=0)
            most = (failing[i] + left / times[i])[:, None]
            cheaper = np.where(_side_by_side(f) <= most, _side_by_side(price), np.inf)
            place = np.argmin(cheaper, axis=1)
            better = np.min(cheaper, axis=1) < prices[i]
            places[i] = np.where(better, place, places[i])
            prices[i], failing[i] = _taken(price, places[i]), _taken(f, places[i])
        fits = np.sum(counts * failing, axis=0) <= alpha
    ways = np.array(places) // (2 * _SIDE + 1)
    return Ties(np.where(fits, prices, np.inf), failing, ways)
