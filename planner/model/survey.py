"""A survey: several questions to the same people, each with its own accuracy (design idea 5)."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from annotated_types import Len
from pydantic import BeforeValidator, InstanceOf, model_validator

from planner.checked import dataclass
from planner.checks import Failure
from planner.mechanisms import AddedNoise, kinds
from planner.model.by_group import ShareByGroup
from planner.model.questions import Mean, Question
from planner.model.recorded import QuestionRecords
from planner.numbers import decimal
from planner.wording import confidence, quoted

if TYPE_CHECKING:
    from planner.model.study import Study

MOST = 1000  # far more than a questionnaire holds; it bounds the time that a plan takes


def _listed(given: Any) -> Any:
    return tuple(given) if isinstance(given, list | tuple) else (given,)


@dataclass
class Survey:
    """Every question is off by its error or more with small probability.

    Attributes:
        questions: at least one, each with a name of its own.
        failure: α, the probability that any answer is off by its error or more; None where every
            question has its own.
    """

    kind: ClassVar[str] = "survey"
    symbol: ClassVar[str] = "alpha"
    values: ClassVar[None] = None
    """None: each question has a range of its own."""
    deviation: ClassVar[None] = None
    """None, likewise."""

    questions: Annotated[tuple[InstanceOf[Question], ...], BeforeValidator(_listed), Len(1, MOST)]
    failure: Failure | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [question.name for question in self.questions]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(
                    f"two questions are named {quoted(name)}; give each a name of its own"
                )
        own = [question.name for question in self.questions if question.failure is not None]
        if self.failure is not None and own:
            raise ValueError(
                f"failure is given for all questions together and for {quoted(own[0])}; give one "
                "for all, or one for each"
            )
        if self.failure is None and len(own) < len(names):
            missing = next(q.name for q in self.questions if q.failure is None)
            raise ValueError(
                f"{quoted(missing)} has no failure; give failure for all questions "
                "together, or one for each"
            )
        return self

    @property
    def asked(self) -> int:
        return sum(question.times for question in self.questions)

    @property
    def published(self) -> tuple[Question, ...]:
        """The questions whose numbers are published, in order."""
        return tuple(question.as_published for question in self.questions)

    @property
    def counted(self) -> tuple[Question, ...]:
        """The questions whose accuracy is that of a proportion or a mean of all people."""
        return self.published

    def words_of(self, question: Question) -> str:
        """What is published of a question, as a phrase."""
        return question.words

    @property
    def label(self) -> str:
        """The target as a phrase within a sentence."""
        asked = "margin of error of its question"
        if self.asked != 1:
            which = "both" if self.asked == 2 else f"all {self.asked:,}"
            asked = f"margins of error of {which} questions"
        if self.failure is None:
            return f"the {asked}, each at its own confidence"
        return f"the {asked} at {confidence(self.failure)}{' jointly' * (self.asked != 1)}"

    def promise(self, achieved: str) -> str:
        """What a plan promises, with the failure probability that it achieves written out."""
        return f"some answer is off by its error or more with probability at most {achieved}"

    def question(self, name: str) -> Question:
        """The question of this name."""
        for question in self.questions:
            if question.name == name:
                return question
        names = ", ".join(q.name for q in self.questions)
        raise ValueError(f"no question is named {quoted(name)}; give one of {names}")

    def with_errors_times(self, factor: float) -> Self:
        """The survey with every error multiplied by a factor [> 0], none above its range."""

        def error(question: Question) -> float:
            return min(
                float(decimal(question.error) * decimal(float(factor))), question.largest_error
            )

        questions = (question.with_error(error(question)) for question in self.questions)
        return replace(self, questions=tuple(questions))

    def alike(self, name: str) -> tuple[str, ...]:
        """The names of the other questions of which a plan reads the same as of one."""
        own = self.question(name).as_planned
        return tuple(q.name for q in self.questions if q.name != name and q.as_planned == own)

    @property
    def distinct(self) -> tuple[str, ...]:
        """The names of questions of which none is like an earlier one."""
        first = {q.as_planned: q.name for q in reversed(self.questions)}
        return tuple(
            question.name for question in self.questions if question.name in first.values()
        )

    def without(self, name: str, times: int | None = None) -> Self:
        """The survey of the other questions; with `times`, of all but so many of those alike."""
        question = self.question(name)
        if times is not None and times < question.times:
            return self.with_question(replace(question, times=question.times - times))
        others = tuple(question for question in self.questions if question.name != name)
        return replace(self, questions=others)

    def recorded(self, written: Sequence[QuestionRecords]) -> Self:
        """The survey whose questions' answers are written in these ways.

        Raises:
            ValueError: no question has such a name, or such answers.
        """
        survey = self
        for one in written:
            question = survey.question(one.name)
            given = {f.name: getattr(one, f.name) for f in fields(one)}
            changed = {name: value for name, value in given.items() if value is not None}
            other = next((name for name in changed if not hasattr(question, name)), None)
            if other is not None:
                raise ValueError(
                    f"{other} in [[records.question]] is not for {quoted(one.name)}, a "
                    f"{question.kind}; leave it out"
                )
            if "contains" in changed:
                changed = {"yes": None, "no": None, **changed}
            elif "yes" in changed or "no" in changed:
                changed["contains"] = None
            kept = {name: value for name, value in changed.items() if hasattr(question, name)}
            survey = survey.with_question(replace(question, **kept))
        return survey

    def with_question(self, changed: Question) -> Self:
        """The survey with another question of the same name."""
        questions = (changed if q.name == changed.name else q for q in self.questions)
        return replace(self, questions=tuple(questions))


def refuse_survey(study: "Study", survey: Survey) -> None:
    """Refuse a survey by a mechanism that answers one question, or not these.

    Raises:
        ValueError: says what to give.
    """
    if not isinstance(study.mechanism, AddedNoise):
        raise ValueError(
            f"a survey of several questions is answered by {AddedNoise.kind}, not "
            f'{kinds.words(study.mechanism)}; give kind = "added-noise"'
        )


def refuse_sample_of_survey(study: "Study", survey: Survey) -> None:
    """Refuse a sample that a survey's analysis or questions cannot have.

    Raises:
        ValueError: says what to give.
    """
    for question in survey.questions:
        drawn_alone = study.sample._replace(population=None).simple
        if isinstance(question, ShareByGroup) and not drawn_alone:
            raise ValueError(
                f"{quoted(question.name)}, {question.words}, is for people drawn one by "
                "one; leave clusters_of and design_effect out"
            )
    for mechanism in kinds.choices(study.mechanism):
        for question in survey.questions:
            of_values = question.deviation if isinstance(question, Mean) else None
            sample = study.sampling.sample._replace(deviation=of_values)
            mechanism.floor(0.5, 0.5, sample)
