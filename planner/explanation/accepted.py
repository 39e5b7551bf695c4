"""What whoever signs a plan accepts: its accuracy, the risk to people, and the money."""

from collections.abc import Sequence

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.strata.together import plans_of
from planner.explanation.participant import in_a_sentence, risks
from planner.explanation.question import at_stake, raw_answers, wording
from planner.mechanisms import kinds
from planner.model import Budget, Study
from planner.wording import confidence, money, several


def accepted(plan: Plan | TotalPlan | StrataPlan) -> list[str]:
    """What a signature accepts, in sentences.

    Args:
        plan: the plan; of strata the risk is that of the people who have the largest.
    """
    study, ones = plan.study, plans_of(plan)
    worst = max(ones, key=lambda one: one.epsilon)
    whose = f" (in {worst.study.title}, where it is largest)" if study.strata else ""
    rises = _first_lower(" ".join(map(in_a_sentence, risks(worst))))
    budget = study.find(Budget)
    of_budget = f" of a budget of {money(budget.money, study.currency)}" if budget else ""
    return [
        f"the accuracy: {_accuracy(study)}. {_sample(study)}",
        f"the risk to participants{whose}: {rises}",
        f"what the study assumes: {_assumed(ones)}.",
        f"the raw data: {raw_answers(study)}.",
        "the cost: nobody is paid, and nothing else costs money."
        if study.costs_nothing
        else f"the cost: {money(plan.cost, study.currency)}{of_budget}.",
    ]


def _assumed(plans: Sequence[Plan]) -> str:
    whose: dict[str, list[str]] = {}
    for plan in plans:
        assumed = "; ".join([_first_lower(at_stake(plan.study)), *plan.study.assumed])
        whose.setdefault(assumed, []).append(plan.study.title)
    if len(whose) == 1:
        return next(iter(whose))
    return "; ".join(f"{stake} (in {several(names)})" for stake, names in whose.items())


def _accuracy(study: Study) -> str:
    survey = study.survey
    if survey is not None:
        jointly = ", all jointly" if survey.asked > 1 else ""
        how = ", each at its own confidence"
        if survey.failure is not None:
            how = f"{jointly} at {confidence(survey.failure)}"
        return f"each answer within its margin of error{how}"
    if study.strata and study.power is None and study.accuracy.error is None:
        return (
            "the answer of each stratum within its margin of error, all jointly at "
            f"{confidence(study.accuracy.failure)}{study.of_which}"
        )
    asked = f"an answer{wording(study)} with " if wording(study) else ""
    return f"{asked}{study.promise}"


def _sample(study: Study) -> str:
    if not kinds.is_sampled(study.mechanism):
        return "It is about the participants alone; how well they represent others is not covered."
    return (
        "It includes the error of the sample and the noise, if participants are drawn at random as "
        "planned."
    )


def _first_lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
