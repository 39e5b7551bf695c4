"""The answers of an invented pilot: `python -m planner.scenarios.pilot answers.csv`.

Nobody was asked. Four hundred people have log-normal base costs with a median of 12.5 and a factor
of 2, and three in a hundred would not take part for any payment. Each is offered one payment for
the risk that their insurer learns that they smoke: 1 in 50 for those who stay out, 1 in 40 for
those who take part.
"""

import csv
import random
import sys
from pathlib import Path
from statistics import NormalDist

SEED, PEOPLE = 2014, 400
MEDIAN, FACTOR, NEVER = 12.5, 2.0, 0.03
WITHOUT, WITH = 1 / 50, 1 / 40
OFFERS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 10.0, 15.0)
"""Payments; whoever has a base cost E accepts E·(q − b)/b and more, here E/4."""
_COLUMNS = ("person", "offer", "accepts", "chance_without", "chance_with", "age")


def write(path: str | Path) -> None:
    """Write the answers as a table that `planner costs` reads; the same ones every time.

    Args:
        path: a .csv file; an existing one is replaced.
    """
    draw = random.Random(SEED)
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(_COLUMNS)
        for person in range(1, PEOPLE + 1):
            offer, age = OFFERS[int(draw.random() * len(OFFERS))], 18 + int(draw.random() * 70)
            base_cost = MEDIAN * FACTOR ** NormalDist().inv_cdf(draw.random())
            accepts = "yes" if base_cost * (WITH - WITHOUT) / WITHOUT <= offer else "no"
            accepts = "never" if draw.random() < NEVER else accepts
            table.writerow((person, offer, accepts, WITHOUT, WITH, age))


if __name__ == "__main__":
    write(sys.argv[1])
