"""A study and its answer in plain words, each money with its currency; pure text, no HTML."""

from typing import NamedTuple

from planner.answer.answers import Answer, Infeasible, Plan
from planner.answer.problem.problem import exactly
from planner.model import Budget, Harm, Study
from planner.wording import at_least, at_most, money, payment, plain, several

LONGEST_TITLE = 100
"""Characters of a title that is shown in full; the study file keeps it all."""

VERDICTS = {
    "feasible": "Yes: such a study exists.",
    "infeasible": "No: there is no such study.",
    "undecided": "Undecided: neither a study nor its impossibility could be proved.",
}


class Row(NamedTuple):
    """One line of a table: the term of the glossary, what it is called here, and its value."""

    term: str
    name: str
    value: str


def title_of(study: Study) -> str:
    """The study's title, cut where it is longer than a page can show."""
    title = " ".join(study.title.split()) or "Study"
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"


def capital(phrase: str) -> str:
    """A phrase as it starts a line: with a capital, unless a symbol comes first."""
    return phrase[:1].upper() + phrase[1:] if phrase[:1].isascii() else phrase


def amount(x: float, study: Study) -> str:
    """An amount that the study gives, as it was written, with its currency."""
    return f"{plain(x)} {study.currency}".rstrip()


def labels(study: Study) -> dict[str, str]:
    """Each condition's phrase by its label; money with its currency."""
    found = {study.target.label: study.target.label}
    for condition in study.conditions:
        label = condition.label
        if isinstance(condition, Budget | Harm):
            label = label.replace(plain(condition.money), amount(condition.money, study))
        found[condition.label] = label
    return found


def question(study: Study) -> list[str]:
    """What is asked, in sentences."""
    sentences = [_target(study), _fear(study)]
    conditions = [labels(study)[c.label] for c in study.conditions]
    if conditions:
        sentences.append(f"The study must keep to {several(conditions)}.")
    if study.costs.per_person or study.costs.overhead:
        sentences.append(
            f"Besides what participants are paid, each costs "
            f"{amount(study.costs.per_person, study)} and the study as a whole "
            f"{amount(study.costs.overhead, study)}."
        )
    return [*sentences, "Is there such a study, and which is best?"]


def _target(study: Study) -> str:
    target = study.target
    if study.expected_loss:
        return f"A study is to publish a count with {target.label}."
    if target.values is not None:
        return f"A study is to publish a mean with {target.label}."
    target = study.accuracy
    percent = at_most(100 * target.failure, 15)
    return (
        f"A study is to publish an answer that is off by less than {plain(target.error)} of 1, "
        f"except with a probability of at most {plain(target.failure)} ({percent} %)."
    )


def _fear(study: Study) -> str:
    person = study.individual
    ends = f"expects to lose {amount(person.base_cost, study)} anyway"
    if person.worst_cost is not None:
        ends += f", and would lose {amount(person.worst_cost, study)} if their record were public"
    fears = [e.event for e in person.listed_events if e.event]
    if person.event is not None and person.event.event:
        fears = [person.event.event]
    feared = f" What they fear is told to them as: {several(fears, 'or')}." if fears else ""
    who = "A person who stays out"
    if person.people is not None:
        who = "People differ; the one whose base cost sets the payment"
    if person.listed_events:
        rule = "for each event they are paid for the most that its chance can rise"
    else:
        rule = "each is paid for the rise in what they must expect to lose"
    return f"{who} {ends}; {rule}.{feared}"


def plan_rows(plan: Plan) -> list[Row]:
    """The plan, a row a quantity."""
    study = plan.study
    rows = [
        Row("epsilon", "ε", plain(plan.epsilon)),
        Row("delta", "δ", plain(plan.delta)),
        Row("participants", "participants", f"{plain(plan.participants)} people"),
        Row(
            "compensation",
            "each is paid",
            payment(plan.compensation, plan.participants, study.currency),
        ),
        Row("budget", "total cost", money(plan.cost, study.currency)),
    ]
    if study.expected_loss is None:
        reached, allowed = at_most(plan.failure or 0.0, 4), plain(study.accuracy.failure)
        rows.append(Row("failure", "failure probability", f"{reached} of {allowed} allowed"))
    else:
        reached, allowed = at_most(plan.loss or 0.0, 4), plain(study.expected_loss.at_most)
        rows.append(Row("", "expected loss", f"{reached} of {allowed} allowed"))
    end = "reached by a study" if plan.attained else "approached, never reached"
    rows.append(Row("", "least cost", f"{money(plan.least_cost, study.currency)}, {end}"))
    return rows


def slack_rows(plan: Plan) -> list[Row]:
    """The room that the plan leaves in each condition except its target."""
    phrases = labels(plan.study)
    money_of = {c.label for c in plan.study.conditions if isinstance(c, Budget | Harm)}
    unit = f" {plan.study.currency}" if plan.study.currency else ""
    return [
        Row("", phrases.get(label, label), f"{at_least(max(room, 0.0), 6)}"
            f"{unit if label in money_of else ''} left")
        for label, room in plan.slack.items()
        if label != plan.study.target.label
    ]  # fmt: skip


def verdict(answer: Answer) -> str:
    """The verdict in a sentence; where a bound tells the accuracy, what it is worth."""
    if isinstance(answer, Infeasible) and by_a_bound(answer.study):
        return "No: by this bound on its accuracy there is no such study."
    return VERDICTS[answer.verdict]


def by_a_bound(study: Study) -> bool:
    """Whether a bound tells the accuracy that the exact analysis could tell."""
    return exactly(study) is not None


def headline(answer: Answer) -> str:
    """The answer in one sentence, after the verdict."""
    if isinstance(answer, Plan):
        return (
            f"Ask {plain(answer.participants)} people, publish with ε = {plain(answer.epsilon)}"
            f"{f' and δ = {plain(answer.delta)}' if answer.delta else ''}, and pay each "
            f"{payment(answer.compensation, answer.participants, answer.study.currency)}: "
            f"{money(answer.cost, answer.study.currency)} in all."
        )
    if isinstance(answer, Infeasible):
        phrases = labels(answer.study)
        return f"In conflict: {several([phrases.get(c, c) for c in answer.conflict])}."
    return "That is not an answer either way; what was tried is described below."


def overview(plan: Plan) -> list[str]:
    """A plan in four cells: ε, people, payment, cost."""
    currency = plan.study.currency
    return [
        plain(plan.epsilon),
        plain(plan.participants),
        payment(plan.compensation, plan.participants, currency),
        money(plan.cost, currency),
    ]


def picture_words(answer: Answer) -> str:
    """What the picture of a region shows, for those who do not see it."""
    if isinstance(answer, Plan):
        return (
            f"The studies that keep all conditions, over participants and ε; the plan lies at "
            f"{plain(answer.participants)} participants and ε = {plain(answer.epsilon)}."
        )
    return f"Floors and ceilings on ε over participants: the study is {answer.verdict}."
