"""Values of ε that were published: Hsu14's Table 1 with its references, and recent deployments.

`literature.csv` holds the table. Its ε are as the paper prints them (the extracted text repeats
digits: "0.10.10.1101010" is 0.1 - 10); authors, titles and years are those of the paper's
reference list. `deployments.csv` is a selection of the OpenDP Deployments Registry.
"""

import csv
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple


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
        epsilon, delta: as the registry has them.
        unit: whose, or what, records the privacy is of.
        curator: whether a curator held the records.
    """

    organisation: str
    use: str
    year: int
    epsilon: float
    delta: float
    unit: str
    curator: bool


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
                float(row["delta"]),
                row["unit"],
                row["curator"] == "yes",
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
