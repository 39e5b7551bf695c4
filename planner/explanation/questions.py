"""The questions of a survey in words: what each gets of the plan."""

from planner.answer.answers import Plan
from planner.answer.question_plan import QuestionPlan
from planner.model import Study
from planner.wording import at_most, plain


def legend_rows(study: Study) -> list[tuple[str, str]]:
    """What f₁, f₂, … in the formula of a survey's accuracy are; empty for other studies."""
    if study.survey is None:
        return []
    from planner.answer.problem.survey import asked

    places = asked(study).parts
    rows: dict[int, list[str]] = {}
    for question, place in zip(study.survey.questions, places, strict=True):
        rows.setdefault(place, []).append(f"{question.name}, {question.words}")
    return [(f"f_{place + 1}", "; ".join(names)) for place, names in sorted(rows.items())]


def plan_words(study: Study) -> str:
    """How the questions' ε make that of the plan."""
    from planner.answer.problem.survey import asked

    return asked(study).floor.together.words


COLUMNS = ("question", "asked", "error", "fails at most", "ε or σ", "noise", "share of privacy")
_NOISES = {
    "laplace": "Laplace noise",
    "geometric": "geometric noise",
    "gaussian": "Gaussian noise",
    "exponential": "the exponential mechanism",
}


def question_rows(plan: Plan) -> list[tuple[str, str]]:
    """Each question in a sentence."""
    return [(question.name, in_words(question)) for question in plan.questions]


def in_words(question: QuestionPlan) -> str:
    """What one question gets, as a sentence."""
    times = f"{question.times:,} questions, for each: " if question.times > 1 else ""
    noise = _NOISES[question.noise]
    epsilon = f"ε = {plain(question.epsilon)}" if question.epsilon is not None else ""
    if question.scale is not None:
        kind = "standard deviation" if question.noise == "gaussian" else "scale"
        noise += f" of {kind} {at_most(question.scale, 6)}"
    how = ", ".join(filter(None, [epsilon, noise]))
    return (
        f"{times}{how}; off by {plain(question.error)} or more with probability at most "
        f"{at_most(question.failure, 4)}; {percent(question.share)} of the privacy loss"
    )


def question_cells(question: QuestionPlan) -> tuple[str, ...]:
    """One row of the table with the columns `COLUMNS`."""
    scale = "-" if question.scale is None else at_most(question.scale, 6)
    noise = _NOISES[question.noise]
    return (
        question.name,
        f"{question.times:,}",
        plain(question.error),
        at_most(question.failure, 4),
        "-" if question.epsilon is None else plain(question.epsilon),
        noise if question.scale is None else f"{noise}, {scale}",
        percent(question.share),
    )


def percent(share: float) -> str:
    """A share in per cent, to a digit after the point."""
    return f"{100 * share:.1f} %"
