"""The question that a study asks, in words; each amount of money with its currency."""

from planner.model import Budget, Harm, Study
from planner.wording import at_most, plain, several

LONGEST_TITLE = 100
"""Characters of a title that is shown in full; the study file keeps it all."""


def title_of(study: Study) -> str:
    """The study's title, cut where it is longer than a page can show."""
    title = " ".join(study.title.split()) or "Study"
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


def amount(x: float, study: Study) -> str:
    """An amount that the study gives, as it was written, with its currency."""
    return f"{plain(x)} {study.currency}".rstrip()


def labels(study: Study) -> dict[str, str]:
    """Each condition's phrase with its currency, by its label."""
    phrases = {study.target.label: study.target.label}
    for condition in study.conditions:
        label = condition.label
        if isinstance(condition, Budget | Harm):
            label = label.replace(plain(condition.money), amount(condition.money, study))
        phrases[condition.label] = label
    return phrases


def question(study: Study) -> list[str]:
    """What the study must achieve, what people fear and the conditions, in sentences."""
    sentences = [_target(study), _fear(study)]
    conditions = [labels(study)[c.label] for c in study.conditions]
    if conditions:
        sentences.append(f"The study must meet these conditions: {several(conditions)}.")
    if study.costs.per_person or study.costs.overhead:
        sentences.append(
            f"In addition to compensation, each participant costs "
            f"{amount(study.costs.per_person, study)}, and the study as a whole "
            f"{amount(study.costs.overhead, study)}."
        )
    return [*sentences, "Is there such a study, and which is best?"]


def _target(study: Study) -> str:
    """The target in a sentence."""
    if study.expected_loss:
        return f"A study is to publish a count with {study.target.label}."
    target = study.accuracy
    if target.values is not None:
        return f"A study is to publish a mean with {target.label}."
    percent = at_most(100 * target.failure, 15)
    return (
        f"A study is to publish an answer that is off by less than {plain(target.error)}, "
        f"except with a probability of at most {plain(target.failure)} ({percent} %)."
    )


def _fear(study: Study) -> str:
    """What people stand to lose and what they are paid for, in sentences."""
    person = study.individual
    ends = f"expects to lose {amount(person.base_cost, study)}"
    if person.worst_cost is not None:
        ends += f", and would lose {amount(person.worst_cost, study)} if their record were public"
    fears = [e.event for e in person.listed_events if e.event]
    if person.event is not None and person.event.event:
        fears = [person.event.event]
    feared = f" They fear: {several(fears, 'or')}." if fears else ""
    who = "A person who stays out"
    if person.people is not None:
        who = "People differ; the one whose base cost sets the payment"
    if person.listed_events:
        rule = "for each event they are paid for the largest possible rise in its probability"
    else:
        rule = "each participant is paid for the increase in their expected loss"
    return f"{who} {ends}; {rule}.{feared}"
