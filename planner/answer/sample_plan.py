"""What a plan means for the sample: invitations, and whom the answer is about."""

from collections.abc import Mapping, Sequence

from planner.answer.problem.problem import range_not_used
from planner.mechanisms import kinds
from planner.mechanisms.count_floor import LARGEST_POPULATION
from planner.model import Choice, Mean, Study
from planner.numbers import decimal
from planner.wording import percent_at_most, persons, plain, several


def invitations(study: Study, participants: int) -> int | None:
    """How many to invite, so that enough take part; None where all respond."""
    if study.sampling.response_rate == 1:
        return None
    return int(study.costs.invitations(participants))


def whom_about(study: Study, of_strata: bool = False) -> str:
    """Whom the answer is about where some do not respond; of strata without their numbers."""
    sampling = study.sampling
    silent = 1 - decimal(sampling.response_rate)
    missing = percent_at_most(float(silent))
    if study.about_all:
        return (
            f"The answer is about all people: the {missing} who do not respond are assumed to "
            "be like those who do."
        )
    who = "people who respond"
    if sampling.respondents is not None and not of_strata:
        who = f"the {persons(sampling.respondents)} of the population who respond"
    of_proportion = study.survey is None and study.target.values is None
    unit = " percentage points" if of_proportion else " % of the range of its values"
    # of two groups each may move by so much, in opposite ways
    answer, most = ("difference", 2 * silent) if study.groups == 2 else ("answer", silent)
    beside = "" if study.power else ", in addition to the error"
    return (
        f"The answer is about {who}. Nothing is known about the {missing} who do not: they could "
        f"move the {answer} about all by up to {percent_at_most(float(most)).replace(' %', unit)} "
        f"either way{beside}."
    )


def about_respondents(studies: Sequence[Study]) -> tuple[str, ...]:
    """Whom answers are about where some do not respond; of strata, with the name of each."""
    of_strata = len(studies) > 1
    some = {
        one.title: whom_about(one, of_strata) for one in studies if one.sampling.response_rate < 1
    }
    return named_together(some) if of_strata else tuple(some.values())


def named_together(said: Mapping[str, str]) -> tuple[str, ...]:
    """Sentences by the names of strata, each once with all the names."""
    found: dict[str, list[str]] = {}
    for name, words in said.items():
        found.setdefault(words, []).append(name)
    return tuple(f"{several(names)}: {words}" for words, names in found.items() if words)


def _how_drawn(study: Study) -> str:
    """What else may be said of whom the answer is about."""
    sampling = study.sampling
    if sampling.population is None or sampling.about is not None:
        return ""
    if study.about_all:
        return (
            " An answer about those who respond needs no such assumption: "
            'about = "respondents" in [sampling].'
        )
    return (
        f" The sample is computed as drawn from all {plain(sampling.population)}, which is safe; "
        'about = "respondents" in [sampling] takes it as drawn from those who respond.'
    )


def _as_without_end(study: Study) -> bool:
    """Whether some answer about a population is analysed as about one without end."""
    if not kinds.is_curated(study.mechanism):
        return True
    if study.groups == 2:
        return not kinds.is_by_counts(study.mechanism)
    if study.survey is not None:
        means = any(isinstance(question, Mean) for question in study.survey.questions)
        return means and kinds.is_exact(study.mechanism)
    return study.target.values is not None and kinds.is_exact(study.mechanism)


def _is_large(study: Study) -> bool:
    """Whether exact counts are those of a population without end, as this one is large."""
    exact = kinds.is_curated(study.mechanism) and kinds.is_exact(study.mechanism)
    return exact and (study.sampling.sample.population or 0) > LARGEST_POPULATION


def as_endless(study: Study) -> str:
    """That a large population is taken as one without end; empty where it is none."""
    if not _is_large(study):
        return ""
    return (
        "The accuracy is computed as for a population without end, which is safe: people drawn "
        f"from {plain(study.sampling.population or 0)} are off no more often."
    )


def sample_notes(study: Study, choice: Choice) -> tuple[str, ...]:
    """What is assumed of the sample, in sentences."""
    sampling, notes = study.sampling, []
    invited = invitations(study, choice.participants)
    if invited is not None:
        both = "This is of both groups together: one by itself may have fewer. "
        both *= study.groups == 2
        notes.append(
            f"Invite {persons(invited)}: with a probability of "
            f"{percent_at_most(sampling.arrive)} {plain(choice.participants)} or more take part. "
            f"Close the study when {plain(choice.participants)} have come. {both}"
            f"{whom_about(study)}{_how_drawn(study)}"
        )
    if sampling.design_effect != 1:
        notes.append(
            f"The accuracy holds assuming {' and '.join(sampling.assumed)}. A design effect is a "
            "convention for clusters and weights, and no theorem; for clusters of m people "
            "clusters_of = m is one."
        )
    if sampling.population is not None and _is_large(study):
        notes.append(as_endless(study))
    elif sampling.population is not None and _as_without_end(study):
        notes.append(
            "The accuracy of means and of randomised answers is computed as for a population "
            f"without end, which is safe for people drawn from {plain(sampling.population)}: they "
            f"are off no more often (Hoeffding 1956, 1963).{range_not_used(study)}"
        )
        if kinds.is_curated(study.mechanism) and study.groups == 1:
            notes.append(
                "Where more than half of them take part, a mean errs by as much as that of those "
                "who do not, and is computed so."
            )
    if getattr(study.target, "ratio", 1) != 1 and kinds.is_by_counts(study.mechanism):
        notes.append(
            "As the groups are of unequal size, a noisy count of each is published, with noise of "
            "its own."
        )
    return tuple(notes)
