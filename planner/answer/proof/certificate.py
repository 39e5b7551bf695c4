"""The certificate of an answer: its study, its claim and a cover (see `planner.certificate`).

The checker is the prover: a plan or a refusal is called proved where it accepts the certificate, in
the same process.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from planner.answer.answers import Answer, Infeasible, Plan, Undecided, card_of
from planner.answer.problem.problem import (
    each,
    is_computed,
    problem_of,
    refuse_strata,
)
from planner.answer.proof.cover import Cover, FormulaCover, PeopleCover
from planner.answer.proof.survey_certificate import (
    SurveyCover,
    answer_lines,
    survey_lines,
    uncovered_question,
    with_witnesses,
)
from planner.answer.proof.witness import few_digits, text_of
from planner.answer.question_plan import QuestionPlan, question_plans
from planner.certificate import check, reader_of, verify
from planner.certificate.check_bounds import Formula
from planner.certificate.check_people import People
from planner.certificate.check_surveys import Survey
from planner.mechanisms import kinds
from planner.mechanisms.count_floor import CountFloor
from planner.mechanisms.counts import Share
from planner.mechanisms.floor import Floor
from planner.mechanisms.mechanism import MechanismFloor
from planner.mechanisms.noise import GEOMETRIC
from planner.mechanisms.sampled import SampledFloor
from planner.mechanisms.values import AnyValues
from planner.model import (
    Choice,
    Condition,
    EpsilonAtLeastOneOverN,
    MaxParticipants,
    Sampling,
    Study,
)
from planner.model.conditions import Available

_COVERS: dict[type[check.Study], type[Cover]] = {
    Survey: SurveyCover,
    Formula: FormulaCover,
    People: PeopleCover,
}
"""What finds the cover of a study, by what reads it; that of others is a `Cover`."""
_MOST_COUNTS, _MOST_TIPS = 3_000, 200_000
"""Gaussian noise on any values, and whole noise: of more people a check takes longer than ten
seconds, where no closed bound is accurate enough."""


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
    lines, unproved = claimed(answer), list(_not_covered(study))
    if isinstance(answer, Plan) and not unproved:
        choice = choice_of(answer)
        lines = [*_claimed(study, choice), *_witness(study, choice, answer.questions)]
    if not (unproved or accepted(_text(lines, []))):
        unproved.append("unproved the accuracy, for which the bounds of the rules are too wide")
    return _text(lines, unproved)


def choice_of(plan: Plan) -> Choice:
    """The ε, δ and N of a plan."""
    return Choice(plan.epsilon, plan.delta, plan.participants)


def proved_plan(study: Study, choice: Choice, late: bool = False) -> str:
    """What the checker proves of a plan of one question: its claim; empty where nothing.

    Args:
        study: the study, with one mechanism.
        choice: ε, δ and N.
        late: whether the check may take longer than some seconds.
    """
    if not is_covered(study) or (_takes_long(study, choice.participants) and not late):
        return ""
    questions = question_plans(study, choice)
    if not all(question.epsilon and question.epsilon < math.inf for question in questions):
        return ""
    witness = _witness(study, choice, questions)
    text = _text([*_claimed(study, choice), *witness], [])
    return _feasible(choice).removeprefix("claim ") if accepted(text) else ""


def _takes_long(study: Study, participants: int) -> bool:
    """Whether a check of a plan takes longer than some seconds."""
    floor = problem_of(study).goals[0].floor
    if isinstance(floor, CountFloor) and isinstance(floor.noisy, AnyValues):
        return floor.uses_delta and participants > _MOST_COUNTS
    if not (isinstance(floor, CountFloor) and floor.noisy.noise is GEOMETRIC):
        return False
    return _MOST_TIPS < participants <= floor.noisy.summed_at_most


def proved_none(study: Study, changed: str = "", boxes: int | None = None) -> bool:
    """Whether the checker accepts a cover of the study, or of one with another condition."""
    text = certificate_of_none(study, changed, boxes)
    return "\nunproved" not in text and accepted(text)


def certificate_of_none(study: Study, changed: str = "", boxes: int | None = None) -> str:
    """The text of a certificate that no study exists; what is not excluded stands as unproved.

    Args:
        study: the study.
        changed: a line in place of one of the study's, which makes the claim a stronger one.
        boxes: how many are looked at before a cover is given up.
    """
    study = _one_mechanism(study)
    given = _study_lines(study)
    claim = f"claim infeasible with {changed}" if changed else "claim infeasible"
    lines, unproved = [*given, claim], list(_not_covered(study))
    if getattr(study.mechanism, "probability", None) is not None:  # others may do
        unproved.append("unproved that there is no study with the card that is given")
    check.effort[0] = 0  # a checker begins anew
    with check.ctx.workprec(check.PRECISION):
        if not unproved:
            floor = problem_of(study).goals[0].floor
            read = reader_of(given)(check.keys_of(given, changed))
            cover = _COVERS.get(type(read), Cover)(read, floor, study.individual)
            try:
                lines += cover.lines(*([boxes] if boxes else []))
            except check.RefusedError:
                unproved.append("unproved, as a check would take too long")
    return _text(lines, unproved)


def _text(lines: list[str], unproved: list[str]) -> str:
    counted = f"certificate of {len(lines) + len(unproved) + 1} lines"
    return "\n".join([counted, *unproved, *lines, ""])


@lru_cache(maxsize=64)  # an answer is saved, reported and published with the same text
def accepted(text: str) -> bool:
    """Whether the checker proves all that a certificate claims."""
    try:
        return not verify(text)[1]
    except check.RefusedError:
        return False


def sha256_of(text: str) -> str:
    """SHA-256 of the text of a certificate, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_if_proved(answer: Answer) -> str:
    """SHA-256 of an answer's certificate, where the checker accepts all of it; else empty.

    Also empty where that takes long: where no survey exists.
    """
    study = answer.study
    if isinstance(answer, Undecided) or study.strata or not answer.proof.checked:
        return ""
    if isinstance(answer, Infeasible) and study.survey is not None:
        return ""
    text = certificate(answer)
    return "" if "\nunproved " in text else sha256_of(text)


def claimed(answer: Answer) -> list[str]:
    """The lines of a study, by the keys of its file, and the claim of an answer to it.

    Raises:
        ValueError: the answer is undecided.
    """
    study = _one_mechanism(answer.study)
    if isinstance(answer, Plan):
        answers = answer_lines(answer.questions)
        return [*_claimed(study, choice_of(answer)), *answers]
    if isinstance(answer, Infeasible):
        return [*_study_lines(study), "claim infeasible"]
    raise ValueError("the answer is undecided, so it claims nothing that could be certified")


def _claimed(study: Study, choice: Choice) -> list[str]:
    """The lines of a study and of the claim of a plan, with its card."""
    card = card_of(study, choice)
    said = [f"card {text_of(card.truth)}"] if card else []
    return [*_study_lines(study), _feasible(choice), *said]


def _witness(study: Study, choice: Choice, questions: Sequence[QuestionPlan]) -> list[str]:
    """What each question gets, and how means of any values may be proved: where a tangent lies."""
    if study.survey is not None:
        return with_witnesses(study, choice.participants, questions)
    floor = problem_of(study).goals[0].floor
    if not (isinstance(floor, CountFloor) and isinstance(floor.noisy, AnyValues)):
        return []
    rate = float(floor.rate(choice.epsilon, choice.delta))
    word, *numbers = floor.noisy.witness(rate, choice.participants, float(floor.error))
    return [" ".join([word, *(text_of(few_digits(x)) for x in numbers)])]


def _study_lines(study: Study) -> list[str]:
    texts = {key: getattr(study, key) for key in ("title", "currency") if getattr(study, key)}
    lines = [f"{key} = {_printable(text)}" for key, text in texts.items()]
    return [*lines, *(f"{key} = {value}" for key, value in _numbers(study) if value is not None)]


def _one_mechanism(study: Study) -> Study:
    by = each(study)
    return by[0] if len(by) == 1 else study


def _feasible(choice: Choice) -> str:
    epsilon, delta, n = choice
    return f"claim feasible participants = {n}, epsilon = {epsilon!r}, delta = {delta!r}"


def _numbers(study: Study) -> Iterator[tuple[str, object]]:
    if len(kinds.choices(study.mechanism)) > 1:
        return
    (goal,) = problem_of(study).goals
    if study.survey is not None:
        yield from survey_lines(study)
    elif not is_computed(study):
        yield from _asked(study, goal.floor)
    person, rule = study.individual, study.individual.pieces[0]
    for name, default in {"base_cost": 0, "worst_cost": None, "family": 1, "breach": 0}.items():
        value = getattr(rule, name)
        yield f"individual.{name}", None if value == default else repr(value)
    yield "individual.capped", 1 if person.capped else None
    yield from _conditions(study, goal.floor)
    for name in ("per_person", "overhead", "per_invitation", "incentive", "smallest_coin"):
        yield f"costs.{name}", repr(value) if (value := getattr(study.costs, name)) else None
    rate = study.costs.response_rate
    yield "sampling.response_rate", repr(rate) if rate != 1 else None
    arrive = study.costs.arrive
    yield "sampling.arrive", repr(arrive) if arrive != Sampling().arrive else None


def _asked(study: Study, floor: Floor) -> Iterator[tuple[str, object]]:
    """What one question asks, and of which mechanism."""
    mechanism = getattr(floor, "mechanism", study.mechanism)
    of_values = isinstance(floor, CountFloor) and isinstance(floor.noisy, AnyValues)
    for name in ("error", "failure"):
        value = getattr(floor, name, None)
        yield f"target.{name}", None if value is None else repr(value)
    yield "mechanism.kind", mechanism.kind
    for name in kinds.parameters(mechanism):
        value = getattr(mechanism, name)
        if name != "probability" and not (name == "values" and of_values):
            yield f"mechanism.{name}", _listed(value) if isinstance(value, tuple) else value
    sample = study.sample
    if of_values:
        yield "mechanism.values", "any"
    if of_values or isinstance(floor, SampledFloor):
        yield "sampling.clusters_of", sample.clusters_of if sample.clusters_of > 1 else None
        design = sample.design_effect
        yield "sampling.design_effect", repr(design) if design > 1 else None
    if of_values:
        deviation = sample.deviation
        yield "target.deviation_at_most", None if deviation is None else repr(deviation)


def _conditions(study: Study, floor: Floor) -> Iterator[tuple[str, object]]:
    """The conditions, and the population; where that has no end in the analysis, who there are."""
    problem, drawn = problem_of(study), kinds.is_curated(study.mechanism)
    if isinstance(floor, CountFloor):
        drawn = isinstance(floor.noisy, Share) and floor.noisy.population is not None
    people = study.sampling.sample.population if drawn else None
    yield "sampling.population", people
    said: list[Condition] = list(problem.goals)
    most = [c for c in problem.conditions if isinstance(c, Available | MaxParticipants)]
    if people is not None:
        said += [c for c in most if isinstance(c, Available)]
        yield (
            "conditions.population",
            next((c.people for c in most if isinstance(c, Available)), None),
        )
    elif most:
        said += most
        numbers = [c.people if isinstance(c, Available) else c.n for c in most]
        yield "conditions.max_participants", min(numbers)
    for condition in problem.conditions:
        if condition not in said:
            yield from _condition(condition)


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


def is_covered(study: Study) -> bool:
    """Whether the checker has rules about a study."""
    return uncovered(study) is None


def uncovered(study: Study) -> str | None:
    """What of a study the checker has no rule for; None where it has rules for all of it."""
    return next((line.removeprefix("unproved ") for line in _not_covered(study)), None)


def _not_covered(study: Study) -> Iterator[str]:
    """What of a study the checker has no rule for."""
    if len(kinds.choices(study.mechanism)) > 1:
        yield "unproved a study with several mechanisms to choose from"
        return
    (goal,) = problem_of(study).goals
    if is_computed(study):
        yield f"unproved {goal.label}: tests and comparisons of two groups are computed"
        return
    floor, lines = goal.floor, _study_lines(study)
    if study.survey is not None and not study.sampling.person_by_person:
        yield "unproved a sample of clusters or with a design effect"
    try:
        reader_of(lines)(check.keys_of(lines))
        known = (CountFloor, MechanismFloor, SampledFloor)
        covered = study.survey is not None or isinstance(floor, known)
    except check.RefusedError:
        covered = False
    if study.survey is not None and (question := uncovered_question(study)):
        yield f"unproved {question}"
    elif not covered and study.survey is not None and study.sampling.population is not None:
        yield "unproved a survey of people drawn from a population"
    elif not covered:
        yield f"unproved {goal.label}, by {kinds.words(study.mechanism)}"
