"""The paragraph on methods for a paper, with its citations and the record for a registry."""

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.sample_plan import about_respondents
from planner.answer.strata.together import failure_of, plans_of
from planner.explanation.derivations import rejection
from planner.explanation.papers.citations import bibtex
from planner.explanation.papers.registry import UNKNOWN_DAY, registry_record, yaml
from planner.explanation.papers.sheet import Section, Sheet
from planner.explanation.question import title_of, wording
from planner.explanation.results.payment import paid_words
from planner.explanation.results.strata import (
    alike,
    by_title,
    named,
    promised,
    shares,
    words as of_stratum,
)
from planner.mechanisms import kinds
from planner.mechanisms.counts import MOST_SUMMED
from planner.mechanisms.noisy_counts import sizes_of
from planner.model import Mean, ShareByGroup, Study
from planner.output import program_version
from planner.wording import at_least, at_most, confidence, percent_at_most, persons, plain, several

_NOISE = {
    "laplace": ("Laplace noise", "dwork2006"),
    "geometric": ("two-sided geometric noise", "ghosh2012"),
    "gaussian": ("Gaussian noise", "balle2018"),
    "exponential": ("the exponential mechanism", "mcsherry2007"),
    "answer": ("randomized response", "warner1965"),
    "group": ("randomized response", "warner1965"),
    "groups": ("randomized response", "warner1965"),
}
_UNIT = "one participant's whole record replaced by another"


def methods(plan: Plan | StrataPlan | TotalPlan) -> Sheet:
    """The paragraph, the citations in BibTeX, and the record of the deployments registry.

    Of a plan with strata the paragraph lists these, and each has a record of its own.
    """
    if isinstance(plan, StrataPlan):
        words, keys = _of_strata(plan)
        each = by_title(plan)
        items = tuple(f"{named(some)}: {of_stratum(one, len(some))}" for some, one in alike(plan))
    elif isinstance(plan, TotalPlan):
        words, keys = _of_total(plan)
        each = by_title(plan)
        items = tuple(": ".join(row) for row in shares(plan))
    else:
        words, keys = _paragraph(plan)
        each, items = [plan], ()
    whole = plan if isinstance(plan, TotalPlan) else None
    registry = "\n---\n".join(yaml(registry_record(one, whole)) for one in each)
    return Sheet(
        f"{title_of(plan.study)}: methods",
        (
            Section("Methods", (words,), items),
            Section(
                "Citations and registry",
                (
                    "The works that are cited, in BibTeX, and the record for the Differential "
                    "Privacy Deployments Registry; what is empty there is for you to fill in, and "
                    f"the day {UNKNOWN_DAY}.",
                ),
            ),
        ),
        f"{bibtex(keys)}\n{registry}",
    )


def _paragraph(plan: Plan) -> tuple[str, list[str]]:
    study = plan.study
    how, keys = _noise(plan)
    private = f"ε = {plain(plan.epsilon)}"
    kind = "ε-differentially private"
    if plan.delta:
        kind, private = "(ε, δ)-differentially private", f"{private} and δ = {at_most(plan.delta)}"
    trust = (
        ""
        if kinds.is_curated(study.mechanism)
        else " Each answer was randomised before it was given."
    )
    composed = _composed(plan) if plan.questions else ""
    bounded, cited = _of_a_mean(plan)
    keys += cited
    divided, cited = _of_groups(study)
    keys += cited
    economy = (
        "The parameters were chosen by the economic method of Hsu et al. [hsu2014]: each "
        f"participant was paid {paid_words(plan)}, at least the largest rise of their expected "
        f"cost, at {_costs(study)}."
    )
    if not plan.compensation:
        economy = "Participants were not paid."
    in_groups = ""
    if study.groups == 2:
        sizes = sizes_of(plan.participants, getattr(study.target, "ratio", 1.0))
        in_groups = f" in two groups of {' and '.join(map(plain, sizes))}, which it compares"
    program = f"the ε planner {program_version()}"
    proof = (
        f"That this plan meets every condition was proved by {program}."
        if plan.proof.checked
        else f"The plan was computed, but not proved, by {program}."
    )
    words = (
        f"The study uses the answers of {persons(plan.participants)}{in_groups}, and its "
        f"results are published {how}. {_sample(plan)} "
        f"The results are {kind} with {private}, for {_UNIT} [dwork2006].{trust} "
        f"{_accuracy(plan)} {_whom_about(plan)} {bounded} {divided} {composed} "
        f"{economy} {proof}"
    )
    return " ".join(words.split()), _cited(words, [*keys, "dwork2006"])


def _sample(plan: Plan) -> str:
    """How its people were drawn, and how many of those invited were expected to take part."""
    sampling, said = plan.study.sampling, []
    if sampling.population is not None:
        people = plain(sampling.population) + " in each group" * (plan.study.groups == 2)
        said.append(f"People were drawn at random, without replacement, from {people}.")
    if sampling.clusters_of > 1:
        each = plain(sampling.clusters_of)
        said.append(f"They were drawn in clusters of {each}, each of which counts as one person.")
    if plan.invitations is not None:
        rate = percent_at_most(plan.study.costs.response_rate)
        said.append(
            f"{persons(plan.invitations)} were invited, of whom {rate} were expected to take "
            f"part: {plain(plan.participants)} or more of them do with a probability of "
            f"{percent_at_most(sampling.arrive)}. The study closed when they had come."
        )
    return " ".join(said)


def _whom_about(plan: Plan | StrataPlan | TotalPlan) -> str:
    """Whom the answers are about where some do not respond, and what else is assumed."""
    studies = [one.study for one in plans_of(plan)]
    assumed = dict.fromkeys(one for study in studies for one in study.sampling.assumed)
    also = f"The accuracy holds assuming {' and '.join(assumed)}." if assumed else ""
    return " ".join([*about_respondents(studies), also])


def _of_strata(plan: StrataPlan) -> tuple[str, list[str]]:
    """The paragraph on a study with strata, before the list of them, and the keys."""
    study, one = plan.study, plan.strata[0]
    how, keys = _noise(one)
    delta = "(ε, δ)" if plan.delta else "ε"
    bounded, cited = _of_a_mean(one)
    program = f"the ε planner {program_version()}"
    checked = "proved" if plan.proof.checked else "computed, but not proved,"
    total = ""
    if plan.total_error:
        total = (
            "The mean of all people, the strata weighted by their sizes, is within "
            f"{promised(study, plan.total_error, failure_of(study))}."
        )
    words = (
        f"The study uses the answers of {persons(plan.participants)} in "
        f"{plain(len(plan.strata))} strata, "
        f"drawn separately, and its results are published {how}. Each person belongs to one "
        f"stratum, and the results are {delta}-differentially private with the ε of that stratum, "
        f"for {_UNIT} [dwork2006]. Except with probability {at_most(plan.failure, 4)} no answer of "
        f"any stratum is off by its error or more. {total} {_whom_about(plan)} {bounded} "
        f"{_paid(plan)} That the plan of each stratum meets every "
        f"condition was {checked} by {program}. The strata are:"
    )
    return " ".join(words.split()), _cited(words, [*keys, *cited, "dwork2006"])


def _cited(words: str, keys: list[str]) -> list[str]:
    """The works behind these keys, once each; Hsu et al. only where they are named."""
    named = [key for key in keys if key != "hsu2014" or "[hsu2014]" in words]
    return list(dict.fromkeys(named))


def _paid(plan: StrataPlan | TotalPlan) -> str:
    """How people of strata were paid, in a sentence."""
    if not any(one.compensation for one in plan.strata):
        return "Participants were not paid."
    return (
        "The parameters were chosen by the economic method of Hsu et al. [hsu2014]: each "
        "participant was paid at least the largest rise of their expected cost."
    )


def _of_total(plan: TotalPlan) -> tuple[str, list[str]]:
    """The paragraph on one answer for all people, before the list of strata, and the keys."""
    target = plan.study.accuracy
    own = (
        f"One Laplace noise of scale {at_most(plan.scale)} was added to the weighted sum of "
        "the strata's means, of which a person moves it by the weight of their stratum over "
        "the people asked there"
    )
    checked = "proved" if plan.proof.checked else "computed, but not proved,"
    words = (
        f"The study uses the answers of {persons(plan.participants)} in "
        f"{plain(len(plan.strata))} strata, "
        "drawn separately, and publishes one answer for all people, in which each stratum "
        f"counts by its size. {own} [dwork2006]. Each person belongs to one stratum, and the "
        "answer is ε-differentially private with the ε of that stratum, for "
        f"{_UNIT} [dwork2006]. It is within "
        f"{promised(plan.study, target.in_unit(target.error), plan.failure)}. "
        f"{_whom_about(plan)} The probability of a larger error is bounded by comparison with "
        f"independent values of 0 and 1 of one mean [hoeffding1956]. {_paid(plan)} "
        f"That the plan meets every condition was {checked} by the ε planner {program_version()}. "
        "The strata are:"
    )
    return " ".join(words.split()), _cited(words, ["hsu2014", "dwork2006", "hoeffding1956"])


def _noise(plan: Plan) -> tuple[str, list[str]]:
    """How the results are made private, and the keys of what is cited for it."""
    of_counts = "geometric" if kinds.is_by_counts(plan.study.mechanism) else plan.noise
    added = [q.noise for q in plan.questions] or [of_counts]
    noises = dict.fromkeys(_NOISE[noise] for noise in added if noise in _NOISE)
    if not noises:
        return f"by {kinds.words(plan.study.mechanism)}", ["hsu2014"]
    how = "with " + " and ".join(f"{name} [{key}]" for name, key in noises)
    return how, ["hsu2014", *(key for _, key in noises)]


def _costs(study: Study) -> str:
    person = study.individual
    costs = [f"a base cost of {_money(person.base_cost, study.currency)}"]
    if person.worst_cost is not None:
        worst = _money(person.worst_cost, study.currency)
        costs.append(f"a cost of {worst} of a record published with its name")
    return " and ".join(costs)


def _composed(plan: Plan) -> str:
    noises = {question.noise == "gaussian" for question in plan.questions}
    if noises == {True, False}:
        return (
            "The privacy loss of the Gaussian noise on all answers, exact at δ, and those of the "
            "drawn answers add up."
        )
    if noises == {True}:
        return "The answers are one Gaussian release: their squared sensitivities add up."
    return "The privacy losses of the answers add up."


def _accuracy(plan: Plan) -> str:
    study = plan.study
    if study.survey is None:
        if study.power:
            return f"The study has {study.promise}. The test {rejection(plan)}."
        return f"The answer{wording(study)} has {study.promise}."
    survey = study.survey
    alike: dict[str, list[str]] = {}
    for question in survey.questions:
        alike.setdefault(survey.words_of(question), []).append(
            f"{question.name} ({question.wording})" if question.wording else question.name
        )
    parts = "; ".join(f"{several(names)}: {words}" for words, names in alike.items())
    if study.survey.failure is None:
        return f"The answers are required to be: {parts}."
    joint = " jointly" if survey.asked > 1 else ""
    return f"At {confidence(study.survey.failure)}{joint}, the estimates are: {parts}."


def _of_a_mean(plan: Plan) -> tuple[str, list[str]]:
    """How the accuracy of means of values in a range was computed, and the keys of what it cites.

    Nothing where there are none, or where they are not planned by a bound on the sample's sum.
    """
    study = plan.study
    asked = study.survey.questions if study.survey else ()
    if study.target.values is None and not any(isinstance(q, Mean) for q in asked):
        return "", []
    assumed = study.assumed_of_values
    if assumed:
        how = "by comparison with two-point values [bennett1962] [bentkus2004]"
        cited = ["bennett1962", "bentkus2004"]
        return f"{_BOUNDED} {how}, assuming {' and '.join(assumed)}.", cited
    large = plan.participants > MOST_SUMMED
    if not kinds.is_curated(study.mechanism):
        return "", []
    if kinds.is_exact(study.mechanism) and not large:
        return (
            f"{_BOUNDED} for every distribution of the values in their range: the sum of the "
            "values is smaller in convex order than a binomial count with the same mean, scaled to "
            "the range [hoeffding1956].",
            ["hoeffding1956"],
        )
    return f"{_BOUNDED} by Hoeffding's inequality [hoeffding1963].", ["hoeffding1963"]


_BOUNDED = "For means, the probability of a larger error is bounded"


def _of_groups(study: Study) -> tuple[str, list[str]]:
    """How proportions in groups that people report are published, and the keys of what it cites."""
    asked = study.survey.questions if study.survey else ()
    if not any(isinstance(question, ShareByGroup) for question in asked):
        return "", []
    words = (
        "The proportion in a group that people report is a quotient of noisy counts: of yes, and "
        "of all in the group. The probability of a larger error is bounded by the moment "
        "generating functions of the sample [hoeffding1963] and of the noise, also for groups "
        "smaller than planned, whose intervals are wider."
    )
    return words, ["hoeffding1963"]


def _money(amount: float, currency: str) -> str:
    return f"{at_least(amount)} {currency}".rstrip()
