"""The questions of a survey in words: what each gets of the plan."""

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.model import Mean, ShareByGroup, Study
from planner.model.questions import Question
from planner.numbers import round_up
from planner.wording import at_most, confidence, plain, points


def legend_rows(study: Study) -> list[tuple[str, str]]:
    """What f₁, f₂, … in the formula of a survey's accuracy are; empty for other studies."""
    if study.survey is None:
        return []
    from planner.answer.problem.survey import asked

    places = asked(study).parts
    rows: dict[int, list[str]] = {}
    for question, place in zip(study.survey.questions, places, strict=True):
        rows.setdefault(place, []).append(f"{question.name}, {study.survey.words_of(question)}")
    return [(f"f_{place + 1}", "; ".join(names)) for place, names in sorted(rows.items())]


def plan_words(study: Study) -> str:
    """How the questions' ε make that of the plan."""
    from planner.answer.problem.survey import asked

    return asked(study).floor.together.words


def columns(plan: Plan) -> tuple[str, ...]:
    """Names of the columns of a table of questions; ε is "-" with Gaussian noise."""
    return (
        "question",
        "asked",
        "error",
        "confidence",
        "ε",
        "proportion of the privacy loss",
        "noise",
    )


_NOISES = {
    "laplace": "Laplace noise",
    "geometric": "geometric noise",
    "gaussian": "Gaussian noise",
    "exponential": "the exponential mechanism",
}


def question_rows(plan: Plan, in_full: bool = True) -> list[tuple[str, str]]:
    """Each question with its margin of error and its part of ε; in full also its noise."""
    asked = plan.study.survey.questions if plan.study.survey is not None else ()
    return [
        (one.name, in_words(one, own) + _in_groups(own, one, plan) if in_full else _short(one, own))
        for one, own in zip(plan.questions, asked, strict=True)
    ]


def _confidence(question: QuestionPlan, own: Question) -> str:
    """How sure an answer is: where it is two numbers that fail apart, both of them together."""
    return confidence(round_up(question.failure * question.times / own.times, 3))


def _within(question: Question) -> str:
    """The margin of error of a question, and whose answer has it."""
    rate = getattr(question, "answer_rate", None)
    of = "" if rate is None else f" of those who answer, if {points(rate)} % do"
    return f"± {question.within}{of}"


def _in_groups(question: Question, share: QuestionPlan, plan: Plan) -> str:
    """Where the error of proportions in reported groups holds, and how noise makes them private."""
    if not isinstance(question, ShareByGroup):
        return ""
    part = points(question.share_at_least)
    scale = at_most((share.scale or 0.0) * plan.participants, 4)
    kind = "standard deviation" if share.noise == "gaussian" else "scale"
    return (
        f". This holds, by a bound, in every group of at least {part} % of the people; a smaller "
        "one is published with a wider interval. One person's record moves two of the "
        f"{share.numbers:,} counts of yes and of no by one each, so each count has noise of "
        f"{kind} {scale}"
    )


def in_words(question: QuestionPlan, own: Question) -> str:
    """What one question gets, as a sentence."""
    times = _times(own)
    how = ", ".join([*_epsilon(question), _noise(question)])
    within, sure = _within(own), _confidence(question, own)
    return f"{times}{how}; {within}, at {sure}; {percent(question.share)} of the privacy loss"


def _times(own: Question) -> str:
    several = [f"{own.times:,} questions"] * (own.times > 1)
    if own.as_published is not own:  # of which a proportion's are one answer
        each = "for each" if isinstance(own, Mean) or own.times > 1 else "together"
        return f"{' of '.join([*several, 'two numbers of all people'])}, {each}: "
    return f"{several[0]}, for each: " if several else ""


def _short(question: QuestionPlan, own: Question) -> str:
    """What decides about a question: how accurate it is, and how much of ε it takes."""
    if isinstance(own, ShareByGroup):
        groups = f" in every group of at least {points(own.share_at_least)} % of the people"
    else:
        groups = ""
    loss = [f"{percent(question.share)} of the privacy loss"] * (question.share < 1)
    of_epsilon = ", ".join([*_epsilon(question), *loss])
    if own.as_published is not own:
        within, of_epsilon = _within(own), f"{_times(own)}{of_epsilon}"
    else:
        within = f"{_times(own)}{_within(own)}"
    return "; ".join(filter(None, [f"{within}{groups}", of_epsilon]))


def _epsilon(question: QuestionPlan) -> list[str]:
    return [] if question.epsilon is None else [f"ε = {plain(question.epsilon)}"]


def table(plan: Plan) -> list[tuple[str, ...]]:
    """A row for each question, with these `columns`."""
    asked = plan.study.survey.questions if plan.study.survey is not None else ()
    return [_cells(one, own) for one, own in zip(plan.questions, asked, strict=True)]


def _cells(question: QuestionPlan, own: Question) -> tuple[str, ...]:
    return (
        question.name,
        "once" if own.times == 1 else f"{own.times:,} times",
        _within(own),
        _confidence(question, own).removesuffix(" confidence"),
        "-" if question.epsilon is None else plain(question.epsilon),
        percent(question.share),
        _noise(question),
    )


def caption(plan: Plan) -> list[str]:
    """How to read the questions' table and picture, in sentences."""
    sentences = [
        "Every answer is published with random noise of its own.",
        "An answer fails if it is off by its error or more.",
    ]
    sentences += [
        "A question that must be more accurate, or is asked more often, uses more of the privacy "
        "loss; the bars show how much.",
    ]
    survey = plan.study.survey
    if survey is not None and survey.published != survey.questions:
        sentences.append(
            "For those who answer two numbers of all people are published, each with the noise and "
            "at the confidence of the table: the proportions of yes and of no, or how far values "
            "are over the least one and under the largest."
        )
    if survey is not None and any(isinstance(q, ShareByGroup) for q in survey.questions):
        sentences.append(
            "Of a proportion in groups that people report, the error holds in every group that is "
            "large enough; smaller groups are published with wider intervals."
        )
    asked = zip(plan.questions, survey.questions if survey else (), strict=False)
    if any(own.times > 1 for _, own in asked):
        sentences.append(
            "Where a question is asked several times, the table describes one of them."
        )
    return sentences


def description(plan: Plan) -> str:
    """What the picture of the questions shows, for those who do not see it."""
    shares = [f"{question.name} {percent(question.share)}" for question in plan.questions]
    return f"The part of each question in the privacy loss: {', '.join(shares)}."


def _noise(question: QuestionPlan) -> str:
    noise = _NOISES[question.noise]
    if question.scale is None:
        return noise
    kind = "standard deviation" if question.noise == "gaussian" else "scale"
    return f"{noise} of {kind} {at_most(question.scale, 6)}"


def percent(share: float) -> str:
    """A proportion in per cent, to a digit after the point."""
    return f"{100 * share:.1f} %"
