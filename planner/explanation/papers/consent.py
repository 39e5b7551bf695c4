"""The sheet for those who are asked to take part: short sentences, no symbols."""

import math

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.strata.together import plans_of
from planner.explanation.card import decimal_words
from planner.explanation.papers.sheet import Section, Sheet
from planner.explanation.participant import risks
from planner.explanation.question import raw_answers, title_of
from planner.explanation.results.payment import SMALLEST_COIN, amount, with_rounded_payments
from planner.explanation.results.strata import by_title
from planner.mechanisms import kinds
from planner.model import Budget, Study
from planner.model.by_group import ShareByGroup
from planner.model.questions import Histogram, Mean, Quantile, Question
from planner.numbers import decimal, round_up
from planner.wording import at_most, persons, plain

_BLANK = "________________________"


def consent(
    plan: Plan | StrataPlan | TotalPlan, contact: str = "", coin: float = SMALLEST_COIN
) -> Sheet:
    """The sheet for the participants of a plan.

    Args:
        plan: the plan; of one with strata there is a sheet for each, those alike together.
        contact: who answers questions; a line to fill in where none is given.
        coin: payments are rounded up to whole multiples of it [money, > 0].

    Raises:
        ValueError: the coin is not above 0, or the plan does not hold with payments rounded to it.
    """
    if not 0 < coin < math.inf:
        raise ValueError(f"coin = {coin!r} is not above 0; give the smallest coin, such as 0.01")
    if isinstance(plan, Plan):
        return _sheet(plan, contact, coin)
    _refuse_over_budget(plan, coin)
    whole = plan if isinstance(plan, TotalPlan) else None
    first, *others = (_sheet(one, contact, coin, whole) for one in by_title(plan))
    return first._replace(others=tuple(others))


def _sheet(plan: Plan, contact: str, coin: float, whole: TotalPlan | None = None) -> Sheet:
    """The sheet for the participants of a plan, or of a stratum."""
    people = None if whole is None else whole.participants
    return Sheet(
        f"{title_of(plan.study)}: what it means to take part",
        (
            Section("What we ask", *_asked(plan, people)),
            Section("What we publish", _published(plan, whole)),
            Section("What could happen to you", _risks(plan)),
            Section("What you are paid", _paid(plan, coin)),
            Section("Your answers", _kept(plan.study)),
            Section(
                "Your choice",
                (
                    "You are free to say no. Nothing bad happens to you if you do. You can ask us "
                    "all you want to know before you decide.",
                    f"{plan.study.records.withdraw.rstrip('. ')}. What is published cannot be "
                    "taken back.",
                ),
            ),
            Section("Who to ask", (contact or f"Name: {_BLANK}  Phone or mail: {_BLANK}",)),
        ),
    )


def _refuse_over_budget(plan: StrataPlan | TotalPlan, coin: float) -> None:
    """Refuse payments rounded to coins that all strata together cannot make."""
    study, total = plan.study, decimal(plan.cost)
    for one in plans_of(plan):
        risk = with_rounded_payments(one, coin)
        if risk is not None:
            total += one.participants * (risk - decimal(one.compensation))
    budget = study.find(Budget)
    if budget is not None and total > decimal(budget.money):
        raise ValueError(_too_dear(study.costs.smallest_coin or coin, study.currency))


def _too_dear(coin: float, currency: str) -> str:
    amount = f"{plain(coin)} {currency}".rstrip()
    return (
        f"with payments rounded up to {amount} the plan breaks a condition, such as the budget; "
        f"give smallest_coin = {plain(coin)} in [costs] and plan again"
    )


def _asked(plan: Plan, of_all: int | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    survey, people = plan.study.survey, plain(of_all or plan.participants)
    if plan.study.records.of_each > 1:
        people = f"up to {people}"
    groups = " in two groups" if plan.study.groups == 2 else ""
    invited = _invited(plan) if of_all is None else ""
    if survey is None:
        assumed = "".join(f" We assume {one}." for one in plan.study.assumed_of_values)
        values = plan.study.target.values
        answer = "yes or no" if values is None else f"a number from {_ends(*values)}"
        wording = plan.study.records.wording
        group = ""
        if of_all is not None:
            group = f" {plain(plan.participants)} of them are from your group."
        start = f"We ask {people} people{groups} one question: {wording or _BLANK}"
        return (f"{invited}{start} The answer is {answer}.{group}{assumed}",), ()
    count = sum(question.times for question in survey.questions)
    if count == 1:
        start = f"We ask {people} people{groups} one question:"
    else:
        start = f"We ask {people} people{groups} {count} questions:"
    return (f"{invited}{start}",), tuple(_question(question) for question in survey.questions)


def _invited(plan: Plan) -> str:
    people = plan.study.sampling.population
    of_all = "in each group" if plan.study.groups == 2 else "in all"
    drawn = "" if people is None else f"We draw people by lot, from {plain(people)} {of_all}. "
    if plan.invitations is None:
        return drawn
    return (
        f"{drawn}We invite {persons(plan.invitations)}, as some will say no, and close the "
        f"study when {plain(plan.participants)} have come. "
    )


def _question(question: Question) -> str:
    times = f" ({question.times} questions)" if question.times > 1 else ""
    named = question.wording or question.name
    if isinstance(question, Histogram):
        groups = f": {'; '.join(question.group_names)}" if question.group_names else ""
        return f"{named}{times}: one of {question.numbers} groups{groups}"
    if isinstance(question, ShareByGroup):
        groups = "; ".join(question.labels)
        return (
            f"{named}{times}: yes or no. We also ask for your group, {question.by}, which "
            f"we keep as secret as your answer: {groups}"
        )
    if isinstance(question, Mean):
        numbers = _ends(question.low, question.high)
        or_none = ", or no answer" * (question.answer_rate is not None)
        answer = f"{named}{times}: a number from {numbers}{or_none}{question.counted}"
        if question.deviation_at_most is None:
            return answer
        most = plain(question.deviation_at_most)
        return f"{answer}, whose standard deviation is assumed to be at most {most}"
    if isinstance(question, Quantile):
        steps = f"one of {plain(question.candidate_count)} steps"
        if question.values:
            steps = f"a number from {_ends(question.values[0], question.values[-1])}"
        return f"{named}{times}: {steps}{question.counted}"
    or_none = ", or no answer" if question.as_published is not question else ""
    return f"{named}{times}: yes or no{or_none}{question.counted}"


def _ends(low: float, high: float) -> str:
    return f"{plain(low)} to {plain(high)}"


def _published(plan: Plan, whole: TotalPlan | None) -> tuple[str, ...]:
    if not kinds.is_curated(plan.study.mechanism):
        card = plan.card
        how = "You do not have to tell us your true answer. You spin a wheel that only you can see."
        if card is not None and plan.study.target.values is not None:
            low, high = map(plain, plan.study.target.values)
            how += (
                f" Before that you round your number to {low} or to {high}, by chance: to the "
                "nearer one more often."
            )
        if card is not None:
            turns = math.floor(1000 * card.truth)
            how += (
                f" About {turns} times in 1,000 the wheel asks you to tell the truth (a chance of "
                f"{decimal_words(card.truth)}). Else it asks you to say the opposite."
            )
        of_all = "a result for all of you together"
        if plan.study.groups == 2:
            of_all = "a comparison of the two groups, of all of you together"
        return (
            how,
            "So nobody can be sure what your true answer is. We add up what all people say and "
            f"work out {of_all}. We publish that.",
        )
    everyone = f"all {persons((whole or plan).participants)}"
    if plan.study.records.of_each > 1:
        everyone = "all of you"
    results = f"{'results' if whole is None else 'one result'} for {everyone} together."
    if (whole or plan).study.groups == 2:
        each = " for each question" if plan.questions else ""
        compared = f"a comparison of the two groups{each}, of {everyone} together."
        if kinds.is_by_counts(plan.study.mechanism):
            compared = f"a result for each of the two groups, of {everyone}, and compare them."
        results = f"{compared} Others can know which group you are in."
    return (
        f"We publish {results} We never publish what you said.",
        "Before we publish a result, a computer changes it by a small amount. The amount is drawn "
        "by chance. So the results look much the same with your answers or without them. This "
        "helps you even if someone knows a lot about you, or about all the others.",
    )


def _risks(plan: Plan) -> tuple[str, ...]:
    paragraphs = []
    if (most := plan.study.records.of_each) > 1:
        paragraphs.append(
            f"We use at most {most} records of yours. What follows counts all of them together."
        )
    for risk in risks(plan):
        before, after = _odds(risk.before, risk.before), _odds(risk.after, risk.before)
        if risk.event:
            paragraphs.append(
                f"We looked at this risk: {risk.event}. It happens to {before} of those who stay "
                f"out, and to at most {after} of those who take part."
            )
        else:
            paragraphs.append(
                f"Think of a bad thing that happens to {before} of those who stay out. It happens "
                f"to at most {after} of those who take part."
            )
    if plan.delta:
        one_in = plain(math.floor(1 / plan.delta))
        paragraphs.append(
            f"There is a small chance that this fails: at most 1 in {one_in}. Then others may "
            "learn your answers."
        )
    breach = plan.study.individual.breach
    if breach and kinds.is_curated(plan.study.mechanism):
        paragraphs.append(
            "We keep your answers on a computer. The chance that they are stolen from it is "
            f"{at_most(100 * breach, 3)} %, as far as we know. You are paid for this too."
        )
    paragraphs.append(
        "This is about the results. If people see that you take part, they may draw conclusions "
        "from that alone. We cannot protect you from this."
    )
    return tuple(paragraphs)


def _kept(study: Study) -> tuple[str, ...]:
    kept = raw_answers(study)
    return (f"{kept[0].upper()}{kept[1:]}.",)


def _odds(chance: float, least: float) -> str:
    """A chance as "122 in 10,000", of a round number of people."""
    people = 10 ** (2 + math.ceil(-math.log10(least)))
    return f"{plain(min(math.ceil(round_up(people * chance, 6)), people))} in {people:,}"


def _paid(plan: Plan, coin: float) -> tuple[str, ...]:
    study = plan.study
    coin = study.costs.smallest_coin or coin
    unit = f" {study.currency}" if study.currency else ""
    risk = with_rounded_payments(plan, coin)
    if risk is None:
        raise ValueError(_too_dear(coin, study.currency))
    if not plan.compensation:
        paid = "We do not pay you for the risk, as we know of no cost that the results could have."
    else:
        paid = (
            f"We pay you {amount(risk, coin)}{unit}, as your answer adds a little risk. This is at "
            "least what the risk could cost you on average, as far as we know."
        )
    return (paid,)
