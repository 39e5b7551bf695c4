"""Results checked again: their arithmetic, and that they are those of a plan and of a ledger."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.check import Findings
from planner.answer.proof.certificate import sha256_if_proved
from planner.mechanisms.sample import Sample
from planner.model.power import AnyPower
from planner.publication import ledger as ledgers, measurement
from planner.publication.accuracy import allowed_failure
from planner.publication.answered import among_answered
from planner.publication.decision import Decision, decide
from planner.publication.intervals import interval, noise_error, sampling_error
from planner.publication.items import Item, possible_range
from planner.publication.ledger import Entry, LedgerError
from planner.publication.measurement import MOST_GROWTH
from planner.publication.parts import Part, counted_in, parts_of
from planner.publication.published import Published
from planner.publication.results import Publication
from planner.publication.together import Noisy, added_up, as_private, for_all_people
from planner.publication.turnout import Turnout, turnout
from planner.publication.within_groups import NOTHING, within_groups
from planner.show import digest
from planner.wording import plain, quoted

_SAME = 1e-9
"""Relative: nine digits agree, whichever mathematical library computed the last ones."""
_ROUNDED = 1e-12
"""Relative: by what sums of doubles are off."""
_NOISE = "the numbers themselves: noise cannot be drawn again"
_WORDS = "the time, the words on privacy and the notes, as the file states them"


@dataclass(frozen=True, repr=False)
class ResultsCheck(Findings):
    """What a check of results found.

    Attributes:
        publication: what was checked.
        confirmed: what holds, in phrases.
        wrong: what does not hold, in sentences; empty where everything does.
        unchecked: what was not checked, in phrases.
    """

    publication: Publication
    confirmed: tuple[str, ...]
    wrong: tuple[str, ...]
    unchecked: tuple[str, ...]


_NO_DECISION = "the decision of a test is missing, or is there without being planned"


def check_results(
    publication: Publication,
    plan: Plan | StrataPlan | TotalPlan | None = None,
    ledger: str | Path | None = None,
) -> ResultsCheck:
    """Check results: by themselves, and beside the plan and the ledger where they are given.

    Args:
        publication: from `planner.publication.read_results`.
        plan: what was planned; without it only the arithmetic of the results is checked.
        ledger: the ledger; without it the results may be others than were published.

    Raises:
        ValueError: the ledger cannot be read, or the plan cannot be published.
    """
    parts = [
        ("N, ε, δ and each probability of failure are possible", _ranges(publication)),
        ("the failure of all answers covers that of each", _failures(publication)),
        (
            "the nearest possible values, intervals and proportions that add up",
            _arithmetic(publication),
        ),
    ]
    unchecked = [_NOISE, _WORDS]
    if plan is None:
        unchecked.append("errors, scales and intervals from the plan: give --plan")
    else:
        words = "the plan, N, ε, δ, errors, failures, scales and intervals, to nine digits"
        parts.append((words, _against(publication, plan)))
    if ledger is None:
        unchecked.append("that these are the results in the ledger: give --ledger")
    else:
        words = "the entry of the ledger holds these results"
        parts.append((words, _entered(publication, Path(ledger))))
    found = [(words, tuple(faults)) for words, faults in parts]
    return ResultsCheck(
        publication,
        tuple(words for words, wrong in found if not wrong),
        tuple(fault for _, wrong in found for fault in wrong),
        tuple(unchecked),
    )


def _ranges(publication: Publication) -> Iterator[str]:
    """Numbers that cannot be."""
    if publication.participants < 1:
        yield f"participants = {publication.participants} is not a number of people"
    if not publication.epsilon >= 0:
        yield f"epsilon = {plain(publication.epsilon)} is below 0"
    for name, x in (("delta", publication.delta), ("failure", publication.failure)):
        if not 0 <= x <= 1:
            yield f"{name} = {plain(x)} is not a probability"
    for one in publication.answers:
        if not 0 <= one.failure <= 1:
            yield f"{one.name}: failure = {plain(one.failure)} is not a probability"


def _failures(publication: Publication) -> Iterator[str]:
    """Whether any answer fails as rarely as stated, by the union bound."""
    none: dict[str, float] = {}
    for one in publication.answers:
        if not one.by_itself:
            none[one.stratum] = none.get(one.stratum, 1.0) - one.failure
    of_all = 1 - none.pop("", 1.0)  # strata are drawn by themselves; all else by the union bound
    together = min(1.0, 1 - math.prod(max(left, 0.0) for left in none.values()) + of_all)
    if together > publication.failure * (1 + _SAME):
        yield (
            f"failure = {plain(publication.failure)} is less than the answers' failures allow, "
            f"{plain(together)}"
        )


def _arithmetic(publication: Publication) -> Iterator[str]:
    """What does not follow from the answers."""
    for one in publication.answers:
        if one.answer_rate is not None:
            again = among_answered(one.error, one.numbers, one.intervals)
            if not _close(one.answered, again):
                yield f"{one.name}: answered does not follow from its proportions and intervals"
        if one.cells is not None and not _divided(one):
            yield f"{one.name}: a proportion is not that of yes in the counts of its group"
        if one.fitted is not None and not _fits(one.numbers, one.fitted):
            yield f"{one.name}: fitted are not the nearest proportions that add up to one"
        if not one.intervals:
            if one.kind == "quantile" and one.possible != one.numbers:
                yield f"{one.name}: the nearest candidate is not the answer"
            continue
        cells = zip(one.group_names or [""], one.numbers, one.possible, one.intervals, strict=True)
        for group, answer, nearest, (low, high) in cells:
            where = f"{one.name}, {group}" if group else one.name
            if not low <= nearest <= high:
                yield f"{where}: its interval does not hold the nearest possible value"
            elif not _close(nearest, min(max(answer, low), high)):
                yield f"{where}: {plain(nearest)} is not the possible value nearest to the answer"
            # those of groups may be a little longer than the promise
            reach = one.error * (1 + _SAME) + _ROUNDED * abs(answer)
            outside = low < min(answer - reach, nearest) or high > max(answer + reach, nearest)
            if outside and one.kind != "histogram":
                yield f"{where}: its interval is longer than the promised error"


def _divided(one: Published) -> bool:
    """Whether each group's proportion is that of yes in it, or 1/2 where nothing is known."""
    cells = one.cells or []
    pairs = zip(cells[::2], one.people, one.numbers, one.intervals, strict=True)
    return all(
        share == 0.5 if ends == NOTHING[1:]
        else size > 0 and _close(share, min(max(yes / size, 0.0), 1.0))
        for yes, size, share, ends in pairs
    )  # fmt: skip


def _fits(answer: list[float], fitted: list[float]) -> bool:
    """Whether proportions are max(aᵢ − τ, 0) for some τ, and add up to one: the nearest that do."""
    largest = max(1.0, *map(abs, answer))
    if len(fitted) != len(answer):
        return False
    if min(fitted) < 0 or abs(sum(fitted) - 1) > _ROUNDED * len(answer) * largest:
        return False
    pairs = list(zip(answer, fitted, strict=True))
    tau = next((a - f for a, f in pairs if f > 0), None)
    return tau is not None and all(
        abs(f - max(a - tau, 0.0)) <= 10 * _ROUNDED * largest for a, f in pairs
    )


def _against(publication: Publication, plan: Plan | StrataPlan | TotalPlan) -> Iterator[str]:
    """What differs from the plan."""
    single = plan.study.survey is None and isinstance(plan, Plan)
    parts = parts_of(plan, publication.answers[0].name if single else None)
    stated = {
        "plan": (publication.plan, digest(plan.to_dict())),
        "certificate": (publication.certificate, sha256_if_proved(plan)),
        "title": (publication.title, plan.study.title),
        "planned": (publication.planned, _planned(publication, plan)),
        "epsilon": (publication.epsilon, plan.epsilon),
        "delta": (publication.delta, plan.delta),
        "failure": (publication.failure, allowed_failure(plan)),
    }
    for key, (stated_value, planned_value) in stated.items():
        if stated_value != planned_value:
            yield f"{key} = {quoted(stated_value)}, and that of the plan is {quoted(planned_value)}"
    yield from _of_strata(publication, parts)
    if isinstance(plan, TotalPlan):
        yield from _of_one_answer(publication, plan, parts)
        return
    given = _of_parts(publication)
    if [one.name for one in given] != [part.named(item) for part in parts for item in part.items]:
        yield "the answers are not those of the plan's questions"
        return
    came, left = [], iter(given)
    for part in parts:
        own = [next(left) for _ in part.items]
        people = (own[0].participants if part.name else publication.participants) or 0
        try:
            found = turnout(part.plan, part.items, people, everyone=True)
        except ValueError as reason:
            yield f"participants = {plain(people)}: {reason}"
            return
        came.append(found)
        for one, item, error in zip(own, found.asked, found.errors, strict=True):
            yield from _of_item(one, item, part.plan.study.sampling.sample)
            yield from _of_test(one, item, part.plan.study.power)
            other = people != part.plan.participants
            planned = error.planned, error.planned_failure
            if other and (one.planned_error, one.planned_failure) != planned:
                wrong = "planned_error or planned_failure is not what follows from the plan"
                yield f"{one.name}: {wrong}"
    if isinstance(plan, StrataPlan):
        yield from _of_all_people(publication, plan, came)


def _of_parts(publication: Publication) -> list[Published]:
    """The answers of a study without strata, or of its strata."""
    strata = any(one.stratum for one in publication.answers)
    return [one for one in publication.answers if one.stratum or not strata]


def _of_strata(publication: Publication, parts: Sequence[Part]) -> Iterator[str]:
    """What differs in the people of the strata."""
    stated = {one.name: one.epsilon for one in publication.strata}
    planned = {part.name: part.plan.epsilon for part in parts if part.name}
    if stated != planned:
        yield "the strata, or what their people were promised, are not those of the plan"
    people = sum(one.participants for one in publication.strata)
    if planned and publication.participants != people:
        yield f"participants = {plain(publication.participants)}, and the strata have {people}"


def _of_one_answer(
    publication: Publication, plan: TotalPlan, parts: Sequence[Part]
) -> Iterator[str]:
    """What differs in the one answer for all people."""
    came = {one.name: one.participants for one in publication.strata}
    if set(came) != {part.name for part in parts}:
        return
    try:
        turnouts = [counted_in(part, came[part.name], everyone=True) for part in parts]
    except ValueError as reason:
        yield f"participants of the strata: {reason}"
        return
    if len(publication.answers) != 1:
        yield "the answers are not the one that was planned"
        return
    one, asked = publication.answers[0], [turnout.asked[0] for turnout in turnouts]
    if not as_private(plan, asked, one.scale):
        yield f"{one.name}: its noise is not of the scale that these people need"
        return
    for other in for_all_people(plan, asked, Noisy(one.numbers[0], one.scale)):
        yield from _differing(one, other, ("noise", "planned_error", "planned_failure"))
        yield from _of_decision(one, other.test)


def _differing(one: Published, other: Published, more: Sequence[str] = ()) -> Iterator[str]:
    """What of an answer for all people is not what follows, to nine digits."""
    for key in ("name", "kind", "answer", "error", "failure", "nearest", "interval", *more):
        known = getattr(one, key), getattr(other, key)
        if known[0] != known[1] and (isinstance(known[0], str) or not _close(*known)):
            yield f"{one.name}: {key} is not what follows from the answers of the strata"


def _planned(publication: Publication, plan: Plan | StrataPlan | TotalPlan) -> int | None:
    """How many people were planned, where another number came."""
    return None if publication.participants == plan.participants else plan.participants


def _of_all_people(
    publication: Publication, plan: StrataPlan, came: Sequence[Turnout]
) -> Iterator[str]:
    """What differs in the answer for all people from what follows from those of the strata."""
    people = sum(one.people for one in came)
    if publication.participants != people:
        yield f"participants = {plain(publication.participants)}, and the strata have {people}"
    given = _of_parts(publication)
    asked = [one.asked[0] for one in came]
    stated = [one for one in publication.answers if one not in given]
    noisy = added_up(plan, [one.numbers[0] for one in given[: len(asked)]])
    if plan.total_scale is not None and stated:
        noisy = Noisy(stated[0].numbers[0], stated[0].scale or plan.total_scale)
    again = for_all_people(plan, asked, noisy)
    if len(stated) != len(again):
        yield "the answer for all people is missing, or is there without being planned"
        return
    if stated and not as_private(plan, asked, stated[0].scale):
        yield f"{stated[0].name}: its noise is not of the scale that these people need"
    for one, other in zip(stated, again, strict=True):
        yield from _differing(one, other)


def _of_item(one: Published, item: Item, sample: Sample) -> Iterator[str]:
    """What differs from what an answer's plan says."""
    low, high = possible_range(item)
    for key, stated, planned in (
        ("kind", one.kind, item.kind),
        ("noise", one.noise, item.noise),
        ("groups", list(one.groups), list(item.group_names)),
        ("error", one.error, item.error),
        ("failure", one.failure, item.failure),
        ("answer_rate", one.answer_rate, item.answer_rate),
        ("share_at_least", one.share_at_least, getattr(item.question, "share_at_least", None)),
        *(
            (("at", one.at, item.at), ("candidates", one.candidates, item.groups))
            if one.at is not None
            else ()
        ),
        *((("low", one.low, low), ("high", one.high, high)) if one.low is not None else ()),
    ):
        if stated != planned:
            yield f"{one.name}: {key} = {quoted(stated)}, and that of the plan is {quoted(planned)}"
    if one.kind != item.kind or len(one.cells or one.numbers) != item.numbers:
        return
    if not _scaled(one.scale, item.scale):
        yield f"{one.name}: scale = {one.scale}, and that of the plan is {item.scale}"
        return
    used = replace(item, scale=one.scale)
    if one.cells is not None and one.share_at_least is not None:
        stated_ends = [[x, *ends] for x, ends in zip(one.numbers, one.intervals, strict=True)]
        if not _close(stated_ends, within_groups(used, one.share_at_least, one.cells)):
            yield f"{one.name}: its intervals are not what follows from the plan and the counts"
        return
    for key, stated, again in (
        ("nearest", one.nearest, measurement.nearest(item, one.answer)),
        ("interval", one.interval, interval(used, sample, one.answer)),
        ("noise_error", one.noise_error, noise_error(used)),
        ("sampling_error", one.sampling_error, sampling_error(used, sample)),
    ):
        if stated is not None and not _close(stated, again):
            yield f"{one.name}: {key} is not what follows from the plan and the answer"


def _of_test(one: Published, item: Item, power: AnyPower | None) -> Iterator[str]:
    """What differs from what a planned test decides."""
    if (one.test is None) != (power is None):
        yield f"{one.name}: {_NO_DECISION}"
    if one.test is None or power is None or isinstance(one.answer, list):
        return
    if not -0.5 < one.test.drawn < 0.5:
        yield f"{one.name}: drawn = {plain(one.test.drawn)} is not between -0.5 and 0.5"
        return
    yield from _of_decision(
        one, decide(power, replace(item, scale=one.scale), one.answer, one.test.drawn)
    )


def _of_decision(one: Published, again: Decision | None) -> Iterator[str]:
    """What differs from a decision that is made again."""
    if one.test is None or again is None:
        if one.test is not again:
            yield f"{one.name}: {_NO_DECISION}"
        return
    for key, stated in asdict(one.test).items():
        other = getattr(again, key)
        if stated != other and (isinstance(other, str | bool) or not _close(stated, other)):
            yield f"{one.name}: {key} of the test is not what follows from the plan and the answer"


def _scaled(scale: float | None, planned: float | None) -> bool:
    """Whether a scale is the planned one, or grown as OpenDP's map needs it."""
    if scale is None or planned is None:
        return scale is planned
    return planned <= scale <= planned * (1 + 2 * MOST_GROWTH)


def _close(one: Any, other: Any) -> bool:
    """Whether numbers, or lists of them, agree to nine digits."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, list) or isinstance(other, list) or one is None or other is None:
        return one is other
    return bool(abs(one - other) <= _SAME * max(abs(one), abs(other), _SAME))


def _entered(publication: Publication, path: Path) -> Iterator[str]:
    """Whether the ledger holds these results."""
    if not path.exists():
        raise LedgerError(f"{path}: no such file; give the ledger of the publication")
    own = [entry for entry in ledgers.entries(path) if entry.plan == publication.plan]
    same_time = [entry for entry in own if entry.published == publication.published]
    if any(_results_of(entry) == publication for entry in same_time):
        return
    if same_time:
        yield f"publication {same_time[0].number} of the ledger holds other results"
    else:
        yield "the ledger has no publication of this plan at this time"


def _results_of(entry: Entry) -> Publication | None:
    """The results of an entry; None where this version cannot read them."""
    try:
        return Publication.from_dict(json.loads(entry.results))
    except (ValueError, TypeError, KeyError):
        return None
