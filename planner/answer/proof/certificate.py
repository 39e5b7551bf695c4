"""The certificate of an answer: its study, its claim and a cover (see `planner.certificate`).

The cover of a study of reports, of a finite population, or with geometric noise.

Its boxes are cut as in `cover`; other means and tangents exclude them (`certificate.check_people`).
"""

import hashlib
import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from flint import ctx

from planner.answer.answers import Answer, Infeasible, Plan, Undecided
from planner.answer.problem.problem import each, problem_of, refuse_strata
from planner.answer.proof.comparison_certificate import (
    ComparisonCover,
    target_lines,
    threshold_line,
)
from planner.answer.proof.cover import Cover, few_digits, text_of
from planner.answer.proof.survey_certificate import (
    SurveyCover,
    answer_lines,
    survey_lines,
    uncovered_question,
    with_witnesses,
)
from planner.certificate import check, reader_of, verify
from planner.certificate.check import Box
from planner.certificate.check_comparisons import Comparison
from planner.certificate.check_people import People, signals, strengths
from planner.certificate.check_surveys import Survey
from planner.mechanisms.count_test import PowerFloor
from planner.mechanisms.difference_floor import DifferenceFloor
from planner.mechanisms.exact import ExactFloor
from planner.mechanisms.exact.sizes import best_tangent
from planner.mechanisms.exact.without_replacement import Hypergeometric
from planner.mechanisms.mechanism import MechanismFloor
from planner.mechanisms.reports.floor import ReportsFloor
from planner.mechanisms.reports.worst import worst_share
from planner.mechanisms.sampled import SampledFloor
from planner.model import Condition, EpsilonAtLeastOneOverN, Study
from planner.model.conditions import Available

_COVERED = (
    ExactFloor, MechanismFloor, SampledFloor, ReportsFloor, DifferenceFloor, PowerFloor
)  # fmt: skip
"""What one question asks, where its accuracy may be one that rules are about."""
_CHECKED_AT_ONCE, _WITH_GAUSSIAN = 20_000, 1_000
"""An exact plan of so many people is checked in about a second; a million take half a minute, and
with Gaussian noise, whose tails are no geometric series, ten thousand do."""


def certificate(answer: Answer) -> str:
    """The text of a certificate, which `planner/certificate/check.py` verifies by itself.

    What no rule of the checker covers stands in it as unproved, by name.

    Raises:
        ValueError: the answer is undecided, so that it claims nothing.
    """
    refuse_strata(answer.study)
    study = _one_mechanism(answer.study)
    if isinstance(answer, Infeasible):
        return certificate_of_none(study)
    lines, given = claimed(answer), _study_lines(study)
    unproved = list(_not_covered(study, given))
    if isinstance(answer, Plan) and answer.questions and not unproved:
        answers = lines[len(given) + 1 :]
        lines[len(given) + 1 :] = with_witnesses(answer, answers)
    if not (unproved or _takes_long(answer) or _accepted(_text(lines, []))):
        unproved.append("unproved the accuracy, for which the bounds of the rules are too wide")
    return _text(lines, unproved)


def certificate_of_none(study: Study) -> str:
    """The text of a certificate that no study exists; what is not excluded stands as unproved."""
    study = _one_mechanism(study)
    given = _study_lines(study)
    lines, unproved = [*given, "claim infeasible"], list(_not_covered(study, given))
    check.effort[0] = 0  # a checker begins anew
    with ctx.workprec(check.PRECISION):
        if not unproved:
            floor, read = problem_of(study).goals[0].floor, reader_of(given)(given)
            lines += _cover(read)(read, floor, study.individual).lines()
    return _text(lines, unproved)


def _cover(read: check.Study) -> type[Cover]:
    if isinstance(read, Survey):
        return SurveyCover
    if isinstance(read, Comparison):
        return ComparisonCover
    return PeopleCover if isinstance(read, People) else Cover


def _text(lines: list[str], unproved: list[str]) -> str:
    counted = f"certificate of {len(lines) + len(unproved) + 1} lines"
    return "\n".join([counted, *unproved, *lines, ""])


@lru_cache(maxsize=64)  # an answer is saved, reported and published with the same text
def _accepted(text: str) -> bool:
    try:
        return not verify(text)[1]
    except check.RefusedError:
        return False


def sha256_of(text: str) -> str:
    """SHA-256 of the text of a certificate, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_if_proved(answer: Answer) -> str:
    """SHA-256 of an answer's certificate, where the checker accepts all of it; else empty.

    Also empty where that takes long: for large plans, and where no survey, or no test of two groups
    exists.
    """
    if isinstance(answer, Undecided) or answer.study.strata or _takes_long(answer):
        return ""
    text = certificate(answer)
    return "" if "\nunproved " in text else sha256_of(text)


def _takes_long(answer: Answer) -> bool:
    """Whether a certificate is checked, or its cover found, when it is asked for alone."""
    if isinstance(answer, Plan):
        most = _WITH_GAUSSIAN if answer.noise == "gaussian" else _CHECKED_AT_ONCE
        return answer.participants > most and answer.study.mechanism.saw_toothed
    study = answer.study
    return study.survey is not None or (study.power is not None and study.groups == 2)


def claimed(answer: Answer) -> list[str]:
    """The lines of a study, by the keys of its file, and the claim of an answer to it.

    Raises:
        ValueError: the answer is undecided.
    """
    study = _one_mechanism(answer.study)
    lines = _study_lines(study)
    if isinstance(answer, Plan):
        answers = answer_lines(answer) if study.mechanism.trusted else []
        card = [f"card {text_of(answer.card.truth)}"] if answer.card else []
        return [*lines, _feasible(answer), *answers, *card, *threshold_line(answer)]
    if isinstance(answer, Infeasible):
        return [*lines, "claim infeasible"]
    raise ValueError("the answer is undecided, so it claims nothing that could be certified")


def _study_lines(study: Study) -> list[str]:
    texts = {key: getattr(study, key) for key in ("title", "currency") if getattr(study, key)}
    lines = [f"{key} = {_printable(text)}" for key, text in texts.items()]
    return [*lines, *(f"{key} = {value}" for key, value in _numbers(study) if value is not None)]


def _one_mechanism(study: Study) -> Study:
    by = each(study)
    return by[0] if len(by) == 1 else study


def _feasible(plan: Plan) -> str:
    n, epsilon, delta = plan.participants, plan.epsilon, plan.delta
    return f"claim feasible participants = {n}, epsilon = {epsilon!r}, delta = {delta!r}"


def _numbers(study: Study) -> Iterator[tuple[str, object]]:
    if study.mechanism.alternatives:
        return
    problem = problem_of(study)
    if study.survey is not None:
        yield from survey_lines(study)
    yield from target_lines(study)
    for goal in problem.goals if study.survey is None else ():
        floor, mechanism = goal.floor, getattr(goal.floor, "mechanism", study.mechanism)
        for name in ("error", "failure"):
            value = getattr(study.target if study.groups == 2 else floor, name, None)
            yield f"target.{name}", None if value is None else repr(value)
        yield "mechanism.kind", mechanism.kind
        for name in mechanism.parameters():
            value = getattr(mechanism, name)
            yield f"mechanism.{name}", _listed(value) if isinstance(value, tuple) else value
    person, rule = study.individual, study.individual.pieces[0]
    for name, default in {"base_cost": 0, "worst_cost": None, "family": 1, "breach": 0}.items():
        value = getattr(rule, name)
        yield f"individual.{name}", None if value == default else repr(value)
    yield "individual.capped", 1 if person.capped else None
    people = study.sampling.sample.population
    yield "sampling.population", people
    said = [*problem.goals, *([Available(people)] if people else [])]
    for condition in problem.conditions:
        if condition not in said:
            yield from _condition(condition)
    for name in ("per_person", "overhead", "per_invitation", "incentive", "smallest_coin"):
        yield f"costs.{name}", repr(value) if (value := getattr(study.costs, name)) else None
    rate = study.costs.response_rate
    yield "sampling.response_rate", repr(rate) if rate != 1 else None


def _condition(condition: Condition) -> Iterator[tuple[str, object]]:
    if isinstance(condition, EpsilonAtLeastOneOverN):
        yield f"conditions.{condition.key}", 1
    values = [getattr(condition, name) for name in condition.symbols]
    names = [condition.key, "universe_size"]
    for name, value in zip(names, values, strict=False):
        yield f"conditions.{name}", repr(value)


def _printable(text: str) -> str:
    """A text on one line, without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _listed(values: tuple[float, ...]) -> str:
    return ",".join(map(repr, values))


def _not_covered(study: Study, lines: list[str]) -> Iterator[str]:
    if study.mechanism.alternatives:
        yield "unproved a study with several mechanisms to choose from"
        return
    sample = study.sampling
    if not sample.person_by_person:
        yield "unproved a sample of clusters or with a design effect"
    (goal,) = problem_of(study).goals
    floor = goal.floor
    one = floor.one if isinstance(floor, DifferenceFloor) else floor
    values = isinstance(one, ExactFloor) and one.share.law.any_values
    try:
        reader_of(lines)(lines)
        covered = study.survey is not None or type(floor) in _COVERED
    except check.RefusedError:
        covered = False
    if study.survey is not None and (question := uncovered_question(study)):
        yield f"unproved {question}"
    elif values or not covered:
        yield f"unproved {goal.label}, by {study.mechanism.words}"


_PLACES = 10**15
"""Means are rounded to one part of so many: finer than the room that a proof has."""


class PeopleCover(Cover):
    """Finds the cuts and rules that exclude the boxes of such a study."""

    study: People

    def _at_a_mean(self, box: Box) -> list[str] | None:
        if self.study.reports and box.people[0] == box.people[1]:
            return self._of_reports(box)
        if not self.study.finite or box.people[0] == box.people[1]:
            return super()._at_a_mean(box)
        endless = box.most_signal() == math.inf
        return None if self.study.whole or endless else self._of_population(box)

    def _of_reports(self, box: Box) -> list[str] | None:
        n, strong = box.people[0], Fraction(strengths(box)[1])
        ends = (Fraction(1, 2) + (mean - Fraction(1, 2)) * strong for mean in self._range)
        worst = worst_share(n, self.study.error * strong, *ends) * _PLACES  # where an edge is hit
        sides = (Fraction(end(worst), _PLACES) for end in (math.floor, math.ceil))
        for mean in (Fraction(1, 2), *sides):
            if self.study.rules["one-mean"](self.study, box, text_of(mean)):
                return [f"one-mean {text_of(mean)}"]
        return None

    @property
    def _range(self) -> tuple[Fraction, Fraction]:
        return self.study.low, self.study.high

    def _of_population(self, box: Box) -> list[str] | None:
        assert isinstance(self.floor, ExactFloor)
        share = self.floor.share
        assert isinstance(share.law, Hypergeometric)
        most, least = (float(signal.mid()) for signal in signals(self.study, box))
        having = share.law.lattice(self.floor.mean_range).near(0.5)
        found = best_tangent(
            share.law, share.noise, most, least, box.people, having, float(self.study.error)
        )
        witness = [text_of(few_digits(x)) for x in found or ()]
        if found and self.study.rules["population"](self.study, box, *witness):
            return [f"population {' '.join(witness)}"]
        return None
