"""Values of ε that were published: Hsu14's Table 1 with its references, and recent deployments.

`literature.csv` holds the table. Its ε are as the paper prints them (the extracted text repeats
digits: "0.10.10.1101010" is 0.1 - 10); authors, titles and years are those of the paper's
reference list. `deployments.csv` holds the 27 of the 41
deployments in the OpenDP Deployments Registry (July 2026) that state an ε.

Where the ε of plans lie among those of deployments.

Hsu14's statements about ε in the literature (§1, §3.2, §10, Table 1).
"""

import csv
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from planner.answer.answers import Answer, Plan
from planner.audit.claim import Finding, claim, logical
from planner.wording import plain, several


class Published(NamedTuple):
    """One line of Hsu14 Table 1.

    Attributes:
        reference: its number in Hsu14's reference list.
        named: the first author as Table 1 prints them.
        authors: as the reference list names them, by surname.
        year: of publication.
        title: of the work.
        application: what ε was used for.
        printed: ε as Table 1 has it.
        lowest: the smallest ε used; 0 where the table gives only an upper end.
        highest: the largest ε used.
        values: each ε where they are listed individually, else empty.
    """

    reference: int
    named: str
    authors: str
    year: int
    title: str
    application: str
    printed: str
    lowest: float
    highest: float
    values: tuple[float, ...]


REGISTRY = "https://registry.opendp.org/deployments-registry"
"""Where the deployments are listed with their sources."""


class Deployment(NamedTuple):
    """One line of the registry of deployments.

    Attributes:
        organisation: who published.
        use: what was published.
        year: of publication.
        epsilon: as the registry has it.
        delta: likewise, in words, as one is a formula.
        unit: whose, or what, records the privacy is of.
        curator: whether a curator held the records: "yes", "no" or "varies".
        source: where it is described.
    """

    organisation: str
    use: str
    year: int
    epsilon: float
    delta: str
    unit: str
    curator: str
    source: str


@cache
def deployments() -> tuple[Deployment, ...]:
    """Recent deployments, in the order of their ε."""
    path = Path(__file__).with_name("deployments.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            Deployment(
                row["organisation"],
                row["use"],
                int(row["year"]),
                float(row["epsilon"]),
                row["delta"],
                row["unit"],
                row["curator"],
                row["source"],
            )
            for row in csv.DictReader(file)
        ]
    return tuple(sorted(rows, key=lambda each: (each.epsilon, each.organisation)))


@cache
def table_1() -> tuple[Published, ...]:
    """Hsu14 Table 1, in its order."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        return tuple(_read(row) for row in csv.DictReader(file))


def _read(row: dict[str, str]) -> Published:
    printed = row["epsilon"]
    ends = [_number(part) for part in printed.replace("<", "0 -").replace("-", ",").split(",")]
    return Published(
        reference=int(row["reference"]),
        named=row["named"],
        authors=row["authors"],
        year=int(row["year"]),
        title=row["title"],
        application=row["application"],
        printed=printed,
        lowest=min(ends),
        highest=max(ends),
        values=() if "-" in printed or "<" in printed else tuple(ends),
    )


def _number(text: str) -> float:
    kind, _, argument = text.strip().rpartition(" ")
    return math.log(float(argument)) if kind == "ln" else float(argument)


def names(answers: Sequence[Answer]) -> dict[str, float]:
    """Each plan's ε by the names of the plans that have it; studies are numbered where several."""
    by_epsilon: dict[float, list[str]] = {}
    for number, answer in enumerate(answers, 1):
        if isinstance(answer, Plan):
            by_epsilon.setdefault(answer.epsilon, []).append(str(number))
    if len(answers) == 1:
        return dict(zip(["this plan"], by_epsilon, strict=False))
    return {
        f"{'study' if len(numbers) == 1 else 'studies'} {several(numbers)}": epsilon
        for epsilon, numbers in by_epsilon.items()
    }


def placed(name: str, epsilon: float) -> str:
    """How many of the deployments that state an ε used a larger one."""
    table = deployments()
    larger = sum(entry.epsilon > epsilon for entry in table)
    return (
        f"{name[0].upper()}{name[1:]}, ε = {plain(epsilon)}: {larger} of {len(table)} "
        "deployments that state an ε, which the annex lists, used a larger one."
    )


def ends() -> tuple[float, float]:
    """The smallest and the largest ε of Table 1."""
    table = table_1()
    return min(p.lowest for p in table if p.lowest), max(p.highest for p in table)


@claim("1", "published ε range", "from 0.01 to 7")
def range_in_the_introduction() -> Finding:
    least, most = ends()
    return logical(
        (least, most) == (0.01, 7),
        f"{least:g} to {most:g}",
        follows=most / least >= 7 / 0.01,
        why="Table 1; that they range widely holds all the more",
    )


@claim("3.2", "who used the largest ε", "7 [31]")
def source_of_the_largest() -> Finding:
    uses = {p.reference: p.highest for p in table_1()}
    with_7 = [reference for reference, highest in uses.items() if highest == 7]
    return logical(
        uses[31] == 7,
        f"[31] used {uses[31]:g} at most",
        follows=bool(with_7),
        why=f"Table 1 gives < 7 for {with_7}, by an author of [31], and 10 for others",
    )


@claim("10", "published ε mostly range", "from 0.01 to 10")
def range_in_related_work() -> Finding:
    least, most = ends()
    return logical((least, most) == (0.01, 10), f"{least:g} to {most:g}", why="Table 1")


@claim("10", "Table 1 names authors as the reference list does", "19 entries")
def names_in_table_1() -> Finding:
    table = table_1()
    plain = str.maketrans("Á", "A")
    slips = [p for p in table if not p.authors.translate(plain).startswith(p.named)]
    words = "; ".join(f"{p.named} for {p.authors} [{p.reference}]" for p in slips)
    references = {p.reference for p in table}
    return logical(
        not slips,
        words or "all the same",
        follows=len(references) == len(table),
        why="the reference numbers show which are meant",
    )
