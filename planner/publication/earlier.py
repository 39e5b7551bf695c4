"""What earlier publications have spent of the same people, and the refusal to publish again."""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from planner.answer.answers import Plan, StrataPlan, TotalPlan
from planner.answer.strata.together import plans_of
from planner.model import Individual
from planner.model.family import counts_as
from planner.publication.identity import identity
from planner.publication.ledger import Entries, Entry, LedgerError
from planner.wording import at_most, money, plain, quoted


@dataclass(frozen=True)
class Stated:
    """What the user states about the people.

    Attributes:
        again: that this plan or these people are published again on purpose.
        same_people: that they are those of all entries whose names look alike, and again.
        other_people: that they are none of those.
    """

    again: bool = False
    same_people: bool = False
    other_people: bool = False

    def __post_init__(self) -> None:
        if self.same_people and self.other_people:
            raise ValueError("--same-people and --other-people contradict each other; give one")


class Spent(NamedTuple):
    """What a publication means beside earlier ones.

    Attributes:
        notes: what has been spent, for the person who publishes.
        owed: what each person of each part is to be paid for this publication, so that all payments
            together cover the whole loss [money]; empty where it is as planned.
    """

    notes: tuple[str, ...] = ()
    owed: tuple[float, ...] = ()


def folded(name: str) -> str:
    """A name of people as names are compared.

    Compatible characters (NFKC), capitals, blanks, dashes and invisible characters make no
    difference: "Town-2026" is "town 2026 ".
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    kinds = {"Cf": "", "Cc": " ", "Pd": " "}
    text = "".join(kinds.get(unicodedata.category(letter), letter) for letter in text)
    # the minus sign and the underscore are no dashes to Unicode, and look like them
    return re.sub(r"[\s_\u2212]+", " ", text).strip()


def refuse_again(
    entries: Entries, plan: Plan | StrataPlan | TotalPlan, people: str, stated: Stated
) -> Spent:
    """Refuse a second publication; where it is asked for, what it spends.

    A plan counts as published with the same people under any name: another name may be theirs.

    Raises:
        LedgerError: this plan, or another over these people, has been published; the name looks
            like that of an entry; or a repair has lost entries that may be theirs.
    """
    own = identity(plan)
    exactly = [entry for entry in entries if entry.people == people]
    alike = [e for e in entries if e.people != people and folded(e.people) == folded(people)]
    if exactly and stated.other_people:
        raise LedgerError(
            f"people named {quoted(people)} are in the ledger; give the others a name of their own"
        )
    if alike and not (stated.same_people or stated.other_people):
        raise LedgerError(
            f"the name {quoted(people)} looks like {quoted(alike[-1].people)}, whose records have "
            "been published; give --same-people if these are the same people and you mean to spend "
            "more of them, or --other-people if they are not"
        )
    if entries.lost and not stated.other_people:
        raise LedgerError(
            f"{plain(entries.lost)} or more entries of the ledger were lost when it was damaged, "
            "and may be of these people; give --other-people if none of these people's records "
            "were published with it"
        )
    theirs = exactly + (alike if stated.same_people else [])
    others = [e for e in entries if e.plan == own and e not in theirs]
    earlier = sorted(theirs + others, key=lambda entry: entry.number)
    allowed = stated.again or stated.same_people or (stated.other_people and not theirs)
    if earlier and not allowed:
        raise LedgerError(_refusal(earlier, own, bool(theirs)))
    if theirs:
        note, owed = _composed(theirs, plan, "of these people")
        return Spent((note,), owed)
    if others and not stated.other_people:
        name = quoted(others[-1].people)
        note, _ = _composed(others, plan, "of them")
        start = f"This plan was published with {name} before. If these are the same people:"
        return Spent((f"{start} {note}",))
    return Spent()


def spent_of_each(plan: Plan | StrataPlan | TotalPlan) -> tuple[float, float]:
    """The ε and δ that a publication spends of a person: those of all of their records together."""
    epsilon, delta = counts_as(plan.study.records.of_each, plan.epsilon, plan.delta)
    return float(epsilon), min(float(delta), 1.0)


def _of_one_record(plan: Plan) -> Individual:
    """The individual of a plan, all of whose records count as one."""
    family = max(plan.study.individual.family // plan.study.records.of_each, 1)
    return replace(plan.study.individual, family=family)


def _composed(
    earlier: Sequence[Entry], plan: Plan | StrataPlan | TotalPlan, of_whom: str
) -> tuple[str, tuple[float, ...]]:
    """What this publication and earlier ones have spent, and what people are owed for this one.

    People of a stratum have spent what earlier publications promised to a stratum of its name.
    """
    delta = min(sum(e.delta for e in earlier) + spent_of_each(plan)[1], 1.0)
    parts, paid = plans_of(plan), sum(e.compensation for e in earlier)
    spent = [
        sum(by_stratum(e).get(one.study.title, e.epsilon) for e in earlier) + spent_of_each(one)[0]
        for one in parts
    ]
    owed = [
        float(_of_one_record(one).compensation(epsilon, delta)) - paid
        for one, epsilon in zip(parts, spent, strict=True)
    ]
    more = tuple(
        float(one.study.costs.payment(max(each, one.compensation)))
        for one, each in zip(parts, owed, strict=True)
    )
    up_to = "up to " if len(parts) > 1 else ""
    together = f"ε = {at_most(max(spent))}" + (f", δ = {at_most(delta)}" if delta else "")
    publications = "publication" if len(earlier) == 1 else "publications"
    note = (
        f"With {plain(len(earlier))} earlier {publications}, {together} has been spent {of_whom}; "
        f"each is now owed {up_to}{money(max(more), plan.study.currency)} more than was paid "
        "before."
    )
    return note, more


def by_stratum(entry: Entry) -> dict[str, float]:
    """The ε that an entry spent of the people of each stratum, by name; empty without strata.

    So also where this version cannot read its results.
    """
    try:
        strata = json.loads(entry.results).get("strata", ())
        return {one["name"]: float(one["epsilon"]) for one in strata}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def _refusal(earlier: Sequence[Entry], own: str, same_name: bool) -> str:
    which = "this plan" if any(entry.plan == own for entry in earlier) else "another plan"
    epsilon, delta = sum(e.epsilon for e in earlier), sum(e.delta for e in earlier)
    spent = f"ε = {at_most(epsilon)}" + (f" and δ = {at_most(delta)}" if delta else "")
    when = f"on {earlier[-1].published[:10]}, which spent {spent}"
    if same_name:
        return (
            f"{which} has been published with these people {when}; {_place(earlier[-1])}; "
            "publishing again spends more, and owes them more: give --again if you mean to"
        )
    return (
        f"{which} has been published with {quoted(earlier[-1].people)} {when}; give "
        "--other-people if these are other people, or --again if you mean to spend more of the same"
    )


def _place(entry: Entry) -> str:
    return f"the results are in {entry.output}" if entry.output else "the ledger holds the results"
