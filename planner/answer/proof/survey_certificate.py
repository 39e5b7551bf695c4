"""The certificate of a survey: its questions, how a plan shares ε and α out, and that none can.

In a cover every box is excluded by duality (see `planner.certificate.check_surveys.split`): the
multiplier λ is searched that bounds all splits best, with y + λ·f(y) in floats on a grid.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from planner.answer.proof.cover import Cover
from planner.answer.proof.witness import few_digits, text_of
from planner.answer.question_plan import QuestionPlan
from planner.certificate import check
from planner.certificate.check import Box, RefusedError
from planner.certificate.check_surveys import TOUCHES, Question as Checked, Survey as CheckedSurvey
from planner.libraries import np, scipy
from planner.mechanisms import kinds
from planner.mechanisms.noise import LAPLACE
from planner.mechanisms.several.histogram import Shares, per_count
from planner.mechanisms.values import AnyValues
from planner.model import Study
from planner.model.questions import QUESTIONS, Histogram, Mean, Quantile, Question
from planner.numbers import WHOLE_LIMIT, Array

_MEANS, _PARTS, _PLACES = 2_000, 1_000, 1_000
"""Of means under a histogram's line, of parts of an error, and of N·ε, on grids."""
_DEVIATIONS = 5
"""How far counts go, in halves of a standard deviation each."""
_FOR_RARE = 8
"""One over the part of what is left of α that goes to rare groups."""
_BEYOND = 1.05  # how far beyond the largest N·ε of a box a grid goes
_FACTOR = 1e3  # the multiplier is sought within, about the one of noise alone: samples add to it
_PRICES, _BY_FAR = 25, 0.3
"""How many multipliers are tried, and the part of N·ε by which a box is excluded by far."""
_MOST_BOXES, _SIZES, _WIDEST = 600, 30, 10**6
"""Of a cover before it is given up; and sizes that are looked at first, in floats."""
_MOST_TERMS = 4 * 10**5
"""Of one box, before it is cut."""
_HALF_OF_SLACK = 0.5  # is left to the checker's cells
_CLOSE, _NARROWEST = 1e-4, 1e-5
"""How nearly the best multiplier is found, and the least slack, as parts."""
_ASKED = (
    "error", "times", "failure", "groups", "low", "high", "deviation_at_most", "candidates", "at",
    "share_at_least", "group_count",
)  # fmt: skip
"""What the accuracy of a question depends on."""


def survey_lines(study: Study) -> Iterator[tuple[str, object]]:
    """Keys and values of a survey and its noise."""
    assert study.survey is not None
    failure = study.survey.failure
    yield "target.failure", None if failure is None else repr(failure)
    yield "mechanism.kind", study.mechanism.kind
    for name in kinds.parameters(study.mechanism):
        yield f"mechanism.{name}", getattr(study.mechanism, name)
    for place, question in enumerate(study.survey.published, 1):
        yield f"question.{place}", _words(question)


def _words(question: Question) -> str:
    """A question on one line, without how records are read; its name is last, as it may be any."""
    of = question.as_planned if isinstance(question, Quantile) else question
    values = {name: getattr(of, name, None) for name in _ASKED}
    values["groups"] = question.numbers if isinstance(question, Histogram) else None
    values["times"] = question.times if question.times > 1 else None
    given = [f"{name} = {value!r}" for name, value in values.items() if value is not None]
    return "; ".join([question.kind, *given, f"name = {question.name}"])


def uncovered_question(study: Study) -> str | None:
    """A question that the checker has no rule for, in words."""
    assert study.survey is not None
    for question in study.survey.questions:
        if question.kind not in QUESTIONS or getattr(question, "deviation_at_most", None):
            return f"{question.name}, {question.words}"
    return None


def answer_lines(questions: Sequence[QuestionPlan]) -> list[str]:
    """What each question gets of a plan, as the plan states it."""
    return [f"answer {question.epsilon!r} {question.failure!r}" for question in questions]


def with_witnesses(study: Study, participants: int, questions: Sequence[QuestionPlan]) -> list[str]:
    """The same, each with what its proof rests on."""
    assert study.survey is not None
    exact, whole = kinds.is_exact(study.mechanism), []
    lines = answer_lines(questions)
    for question, given, line in zip(study.survey.published, questions, lines, strict=True):
        assert given.epsilon is not None
        witness: tuple[float, ...] = ()
        match question:
            case Histogram(numbers=groups) if exact and groups > 2:
                witness = _line(question, participants, given.epsilon, given.failure)
            case Mean() if exact:
                of = given.epsilon, participants, question.fraction
                witness = AnyValues(LAPLACE).witness(*of)[1:]
            case Quantile():
                witness = (_part(question, participants, given.epsilon),)
        whole += [
            line,
            *[f"witness {' '.join(text_of(few_digits(x)) for x in witness)}"] * bool(witness),
        ]
    return whole


def _line(question: Histogram, n: int, rate: float, failure: float) -> tuple[float, float]:
    """The slope of a line over f that proves a histogram, and up to where moments do."""
    groups, error = question.numbers, question.error
    line, value = Shares(LAPLACE, groups).line(rate, n, error)
    # the line takes all of α; a little of what is left is for rare groups, where it is low
    start = line.a / value * failure + max(failure - value, 0.0) / (_FOR_RARE * groups)
    slope = float(few_digits(failure - groups * start))
    start = (failure - slope) / groups
    means = np.linspace(0, 0.5, _MEANS + 1)
    per_person = rate * per_count(LAPLACE)
    room = start + slope * means - _moments(n, error, means, np.array(n * per_person))
    short = np.flatnonzero(room < room[0] / 2)
    return slope, float(means[max(short[0] - 1, 0)] if short.size else 0.5)


def _moments(n: float, error: float, mean: Array, y: Array) -> Array:
    """e^(−yT)·E cosh(y(K/N − μ)) of N people, ∞ for a sample without an error."""
    if math.isinf(n):
        return np.exp(-y * error) + 0 * mean
    logs = (
        n * np.log1p(mean * np.expm1(sign * y / n)) - sign * y * mean - y * error
        for sign in (1, -1)
    )
    with np.errstate(over="ignore"):
        return np.asarray(sum(np.exp(log) for log in logs) / 2)


def _part(question: Quantile, n: int, rate: float) -> float:

    def bound(part: float) -> float:
        lost = min(rate * n * question.error * (1 - part) / 2, 700.0)
        drawn = 1 / (1 + math.exp(lost) / (question.candidate_count - 1))
        return 2 * math.exp(-2 * n * (part * question.error) ** 2) + drawn

    best = min(np.linspace(0, 1, _PARTS + 1).tolist(), key=bound)
    ends = max(best - 1 / _PARTS, 0.0), min(best + 1 / _PARTS, 1.0)
    options = {"xatol": 1 / WHOLE_LIMIT}
    found = scipy.optimize.minimize_scalar(bound, bounds=ends, method="bounded", options=options)
    return float(found.x)


# ---------------------------------------------------------------------- a cover


class SurveyCover(Cover):
    """Finds the cuts and multipliers that exclude the boxes of a survey."""

    study: CheckedSurvey

    most_coins = 100.0  # of many small ones each matters less than how questions share ε

    def lines(self, most_boxes: int = _MOST_BOXES) -> list[str]:
        """A cover; where floats see one N of a few that is not excluded, all is left."""
        first, last = self.study.box.people
        sizes = np.geomspace(first, min(last, first * _WIDEST), _SIZES).astype(int).tolist()
        for n in sorted(set(sizes)):
            box = self.study.box._replace(people=(n, n))
            found, below = self._paid(box)
            split = None if found else self._bound(below, True)
            if not found and (split is None or split.spare <= 0):
                return super().lines(0)
        return super().lines(most_boxes)

    def _excluded(self, box: Box) -> list[str] | None:
        """What excludes a box of N: where a study is too expensive, and where all splits fail."""
        found, below = self._paid(box)
        if found and below is box:
            return found
        split = self._split(below)
        return split and [*found, *split, *(["limits"] * bool(found))]

    def _paid(self, box: Box) -> tuple[list[str], Box]:
        """The rule, or the cut, by what a study costs; and what is left: the box, if all is."""
        if found := self._holds(box, ["limits", "samples"]):
            return found, box
        top = self._paid_from(box)
        return ([], box) if top is None else ([f"signal {text_of(top)}"], box.cut("signal", top)[0])

    def _bound(self, box: Box, closely: bool) -> "_Bound | None":
        """How much too little a box has for all splits, by quick functions of y or by all."""
        most = float(box.most_signal())
        if not 0 < most < math.inf:
            return None
        shared = self.study.total_failure < math.inf
        whole = float(self.study.total_failure) if shared else 0.0
        exact = self.study.exact
        priced = [_Priced(q, box.people, most, exact, whole, closely) for q in self.study.questions]
        bounds = []
        for price in (0.0, _best_price(priced, most, whole)) if shared else (0.0,):
            least = [one.least(price) for one in priced]
            spare = _total(priced, least) - most - price * whole
            bounds.append(_Bound(price, priced, least, spare))
        return max(bounds, key=lambda bound: bound.spare)

    def _split(self, box: Box) -> list[str] | None:
        """The line that shows every split of N·ε to fail."""
        return self._by_bound(box, False) or self._by_bound(box, True)

    def _by_bound(self, box: Box, closely: bool) -> list[str] | None:
        bound = self._bound(box, closely)
        if bound is None or not bound.spare > _NARROWEST * float(box.most_signal()):
            return None
        lower = 1 - _HALF_OF_SLACK * bound.spare / _total(bound.priced, bound.least)
        shares = (
            f"{text_of(few_digits(m * lower))}@{text_of(one.mean)}"
            for m, one in zip(bound.least, bound.priced, strict=True)
        )
        witness = [text_of(few_digits(bound.price)), *shares]
        used = check.effort[0]
        check.effort[0] = max(used, check.MOST_TERMS - _MOST_TERMS)
        try:
            holds = self.study.rules["split"](self.study, box, *witness)
            used += check.effort[0] - max(used, check.MOST_TERMS - _MOST_TERMS)
        except RefusedError:  # it takes too long
            holds = False
        check.effort[0] = used
        return [f"split {' '.join(witness)}"] if holds else None


class _Bound(NamedTuple):
    """A bound on all splits: λ, what each question asks at least, and how much that is too much."""

    price: float
    priced: "list[_Priced]"
    least: list[float]
    spare: float


def _total(priced: "list[_Priced]", least: list[float]) -> float:
    return sum(one.question.times * m for one, m in zip(priced, least, strict=True))


def _best_price(priced: "list[_Priced]", most: float, whole: float) -> float:
    """The least multiplier that excludes a box by far, else that whose bound is the highest.

    The bound is concave in it, and its cells are the fewer the less a failure counts.
    """
    about = sum(one.question.times / float(one.question.error) for one in priced) / whole

    def spare(log_price: float) -> float:
        price = math.exp(log_price)
        return _total(priced, [one.least(price) for one in priced]) - price * whole - most

    tried = np.linspace(math.log(about / _FACTOR), math.log(about * _FACTOR), _PRICES).tolist()
    found = [spare(log_price) for log_price in tried]
    if max(found) > _BY_FAR * most:
        return math.exp(next(x for x, at in zip(tried, found, strict=True) if at > _BY_FAR * most))
    best = int(np.argmax(found))
    ends = tried[max(best - 1, 0)], tried[min(best + 1, _PRICES - 1)]
    options = {"xatol": _CLOSE}
    closer = scipy.optimize.minimize_scalar(
        lambda x: -spare(x), bounds=ends, method="bounded", options=options
    )
    return float(math.exp(closer.x))


class _Priced:
    """What a question asks in a box, about.

    Attributes:
        question: as the checker reads it.
        mean: of the population, at which it fails often.
    """

    def __init__(
        self, question: Checked, people: tuple[int, float], most: float, exact: bool, whole: float,
        closely: bool,
    ) -> None:  # fmt: skip
        self.question, self._people = question, people
        self._error, self._size = float(question.error), question.size
        self._alpha = min(float(question.failure), whole / question.times if whole else 1.0)
        self._grid = np.linspace(0.0, _BEYOND * most / question.times, _PLACES + 1)
        self._closely = closely
        self._exact = exact and question.kind != "quantile"
        self.mean = self._best_mean() if self._exact else Fraction(1, 2)
        self._failing = self._exactly() if self._exact else None

    def least(self, price: float) -> float:
        """The least y + λ·f(y) over all y with f(y) ≤ α, or where the grid ends."""
        if self._failing is None:
            asked = self._by_bound(price)
            return asked if asked < math.inf else float(self._grid[-1])
        allowed = self._failing <= self._alpha
        if not allowed.any():
            return float(self._grid[-1])
        return float(np.min((self._grid + price * self._failing)[allowed]))

    def _exactly(self) -> Array:
        if self.question.kind != "histogram":
            return self._of_share(self._grid, float(self.mean))
        mean, half = float(self.mean), self._grid / 2
        alone = np.exp(-half * self._error)
        return (self._size - 1 / mean) * alone + self._of_share(half, mean) / mean

    def _of_share(self, y: Array, mean: float) -> Array:
        first, last = self._people
        with np.errstate(all="ignore"):  # without noise A and B leave the range of floats
            lost, order = 0 * y, _moments(last, self._error, np.array(mean), y)
            for at in (mean, 1 - mean):
                beyond, chances = _off(first, at, self._error)
                over = np.cosh(np.multiply.outer(y, beyond)) - 1
                lost += over @ chances
            order = np.nan_to_num(order - lost, nan=0.0, neginf=0.0, posinf=0.0)
        quickly = np.maximum(order, np.exp(-y * self._error))
        return np.maximum(quickly, self._by_samples(y, mean)) if self._closely else quickly

    def _by_samples(self, y: Array, mean: float) -> Array:
        """The same by the functions of `check_surveys.off_by_samples`, at narrow cells of y."""
        first, last = self._people
        if math.isinf(last):
            return 0 * y
        found, signal = 0 * y, np.maximum(y, 1e-300)[:, None]
        for before, beyond in TOUCHES:
            t = np.maximum(self._error - float(before) / signal, 0.0)
            u = self._error + float(beyond) / signal
            level, slope = _alone(self._error, signal, t)
            over = level + slope * (u - t)
            holds = (over <= 1 - np.exp(-signal * (u - self._error)) / 2) | (beyond == 0)
            off, chances = _about(int(last), mean)
            inside = np.where(off < t, _alone(self._error, signal, np.minimum(off, t))[0], level)
            value = (inside + slope * np.maximum(off - t, 0.0)) @ chances
            off, chances = _about(int(first), mean)
            value -= slope[:, 0] * (np.maximum(off - u, 0.0) @ chances)
            found = np.maximum(found, np.where(holds[:, 0], value, 0.0))
        return np.asarray(found)

    def _best_mean(self) -> Fraction:
        """1/2, or of a histogram the mean to which the chord from mean 0 is the highest."""
        if self.question.kind != "histogram" or self._size == 2:
            return Fraction(1, 2)
        n = self._people[0]
        rate = math.log(self._size / self._alpha) / (n * self._error)
        ends = Shares(LAPLACE, self._size).ends(
            *(np.array([x]) for x in (rate, float(n), self._error))
        )
        end = float(ends[len(ends) // 2, 0])
        return few_digits(min(max(end, 1 / self._size * (1 + _CLOSE)), 0.5))

    def _by_bound(self, price: float) -> float:
        draws, n = self.question.kind == "quantile", self._people[1]
        number = self._size if self.question.kind == "histogram" else 1
        parts = np.linspace(0, 1, _PARTS + 1)[:-1]
        rate = self._error * (1 - parts) / (2 if draws or number > 1 else 1)
        with np.errstate(all="ignore"):
            sample = 2 * number * np.exp(-2 * n * (parts * self._error) ** 2)
            left = np.maximum(self._alpha - np.nan_to_num(sample, nan=2.0), 0.0)
            odds = (self._size - 1) * (1 - left) / left if draws else number / left
            floor = float(np.min(np.maximum(np.log(odds), 0.0) / rate))
            if not price:
                return floor
            if draws:
                v = (1 - np.sqrt(np.maximum(1 - 4 / (price * rate), 0.0))) / 2
                v = np.where(left < 0.5, np.minimum(v, left), v)
                drawn = np.log((self._size - 1) * (1 - v) / v) / rate + price * v
                at_once = np.where(left < 0.5, np.inf, price * (1 - 1 / self._size))
                drawn = np.minimum(drawn, at_once)
            else:
                v = np.minimum(np.minimum(1 / (price * rate), left), number)
                drawn = np.log(number / v) / rate + price * v
            return max(floor, float(np.min(price * np.nan_to_num(sample, nan=2.0) + drawn)))


def _alone(error: float, y: Array, off: Array) -> tuple[Array, Array]:
    """How often noise carries a sample that is so far off over an edge, and how that rises."""
    near, far = np.exp(-y * (error - off)) / 2, np.exp(-y * (error + off)) / 2
    return near + far, y * (near - far)


@lru_cache(maxsize=16)
def _about(n: int, mean: float) -> tuple[Array, Array]:
    """How far counts are from their mean, as proportions, and how likely."""
    middle, reach = round(n * mean), math.ceil(2 * _DEVIATIONS * math.sqrt(n * mean * (1 - mean)))
    counts = np.arange(max(middle - reach, 0), min(middle + reach, n) + 1)
    return np.abs(counts / n - mean), scipy.stats.binom.pmf(counts, n, mean)


@lru_cache(maxsize=16)
def _off(n: int, mean: float, error: float) -> tuple[Array, Array]:
    """How far counts are beyond NT over their mean, as shares, and how likely."""
    first, deviation = math.ceil(n * (mean + error)), math.sqrt(n * mean * (1 - mean))
    last = min(n, first + math.ceil(4 * _DEVIATIONS * deviation))
    counts = np.arange(first, last + 1) if 0 < mean < 1 else np.empty(0)
    return counts / n - mean - error, scipy.stats.binom.pmf(counts, n, mean)
