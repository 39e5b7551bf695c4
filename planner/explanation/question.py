"""The question that a study asks, in words; each amount of money with its currency."""

from planner.explanation.amounts import given
from planner.mechanisms import kinds
from planner.model import Available, Budget, Individual, MaxHarm, Question, Study, Survey
from planner.wording import confidence, percent_at_most, persons, plain, several

LONGEST_TITLE = 100
"""Characters of a title that is shown in full; the study file keeps it all."""
_MOST = 15
"""Questions of a survey that a sentence lists."""


def title_of(study: Study) -> str:
    """The study's title, cut where it is longer than a page can show."""
    title = " ".join(study.title.split()) or "Study"
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


def amount(x: float, study: Study) -> str:
    """An amount that the study gives, as it was written, with its currency; computed, to cents."""
    return given(study, "budget", x)


def labels(study: Study) -> dict[str, str]:
    """Each condition's phrase with its currency, by its label."""
    phrases = {study.target.label: study.target.label}
    for condition in study.conditions:
        label = condition.label
        if isinstance(condition, Budget | MaxHarm):
            label = label.replace(plain(condition.money), amount(condition.money, study))
        phrases[condition.label] = label
    sampling, most = study.sampling, study.most_participants
    asked = [m for m in (sampling.population, sampling.max_invited) if m is not None]
    if asked and sampling.response_rate < 1:
        phrases[Available(int(most)).label] = (
            f"the {persons(int(most))}, or more, of {plain(min(asked))} who respond "
            f"(probability {percent_at_most(sampling.arrive)})"
        )
    return phrases


def question(study: Study) -> list[str]:
    """What the study must achieve, what people fear and the conditions, in sentences."""
    sentences = [_target(study), *_drawn(study), fear(study)]
    conditions = [labels(study)[c.label] for c in study.conditions]
    if conditions:
        sentences.append(f"The study must meet these conditions: {several(conditions)}.")
    if study.costs.per_person or study.costs.overhead:
        costs = (
            ("each participant", study.costs.per_person),
            ("the study as a whole", study.costs.overhead),
        )
        listed = [f"{what} costs {amount(cost, study)}" for what, cost in costs if cost]
        sentences.append(f"In addition to compensation, {several(listed)}.")
    return [*sentences, "Is there such a study?"]


def _drawn(study: Study) -> list[str]:
    """Whom the participants are drawn from, and how many of those invited respond."""
    sampling, sentences = study.sampling, []
    who = "The participants of each group" if study.groups == 2 else "The participants"
    if sampling.population is not None:
        sentences.append(f"{who} are drawn from {persons(sampling.population)}.")
    if sampling.response_rate < 1:
        rate = percent_at_most(sampling.response_rate)
        sentences.append(f"Each person who is invited responds with a probability of {rate}.")
    return sentences


def wording(study: Study) -> str:
    """Which question is asked, in its own words, as the end of "an answer"; else empty."""
    return f" to the question “{study.records.wording}”" if study.records.wording else ""


def raw_answers(study: Study) -> str:
    """Who keeps what people answered and how long, as a clause."""
    records = study.records
    if kinds.is_curated(study.mechanism):
        return f"the answers are kept by {records.holder}, {records.kept}"
    return f"nobody has the true answers; the reports are kept by {records.holder}, {records.kept}"


def _target(study: Study) -> str:
    if study.survey:
        return _survey(study.survey)
    if study.power:
        return f"A study is to have {study.power.label}."
    if study.groups == 2:
        return f"A study is to have {study.target.label}."
    target = study.accuracy
    if target.values is not None:
        return (
            f"A study is to publish the mean of the answers{wording(study)} with {study.promise}."
        )
    return f"A study is to publish an answer{wording(study)} with {study.promise}."


def _survey(survey: Survey) -> str:
    """The questions of a survey and how accurate their answers are to be, in sentences."""
    shown = survey.questions if len(survey.questions) <= _MOST + 1 else survey.questions[:_MOST]
    rest = sum(question.times for question in survey.questions[len(shown) :])
    listed = several(
        [*(_asked(survey, one) for one in shown), *([f"{rest:,} more"] if rest else [])]
    )
    answers = (
        "answer to a question" if survey.asked == 1 else f"answers to {survey.asked:,} questions"
    )
    asked = f"A survey is to publish the {answers}: {listed}."
    if survey.failure is None:
        return asked
    every = "" if survey.asked == 1 else " for all of them jointly"
    return f"{asked} This accuracy must hold at {confidence(survey.failure)}{every}."


def _asked(survey: Survey, question: Question) -> str:
    own = f" at {confidence(question.failure)}" if question.failure else ""
    return f"{question.name} ({survey.words_of(question)}{own})"


def fear(study: Study) -> str:
    """What people stand to lose and what they are paid for, in sentences."""
    person = study.individual
    fears = [event.event for event in person.fears if event.event]
    feared = f" They fear: {several(fears, 'or')}." if fears else ""
    rule = "each participant is paid for the increase in their expected loss"
    if not _is_known(person):
        rule = "nobody is paid for a risk"
    return f"{at_stake(study)}; {rule}.{feared}"


def _is_known(person: Individual) -> bool:
    """Whether a person may lose something that is stated."""
    return bool(person.base_cost or person.worst_cost or person.people)


def at_stake(study: Study) -> str:
    """What a person stands to lose, as a clause; where people differ, who sets the payment."""
    person = study.individual
    if not _is_known(person):
        return "No loss that a person could have is stated"
    ends = f"risks losing {amount(person.base_cost, study)} anyway"
    if person.worst_cost is not None:
        worst = amount(person.worst_cost, study)
        ends += f", and would lose {worst} if their record were published with their name"
    who = "A person"
    if person.people is not None:
        who = "People differ; the one whose base cost sets the payment"
    return f"{who} {ends}"
