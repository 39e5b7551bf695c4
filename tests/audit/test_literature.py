"""Hsu14's Table 1 as data."""

import math
from statistics import median

import pytest

from planner.audit.literature import deployments, table_1


def test_the_table_is_whole() -> None:
    table = table_1()
    assert len(table) == 19
    assert len({p.reference for p in table}) == 19
    assert all(p.lowest <= p.highest and 2007 < p.year < 2013 for p in table)


@pytest.mark.parametrize(
    ("reference", "ends", "values"),
    [
        (32, (0.1, 10.0), ()),  # the extracted text reads "0.10.10.1101010"
        (30, (0.0, 7.0), ()),
        (24, (math.log(2), math.log(10)), (math.log(2), math.log(5), math.log(10))),
        (34, (0.69, 0.69), (0.69,)),
        (10, (1.0, 5.0), ()),
        (40, (0.01, 0.5), ()),
    ],
)
def test_epsilon_is_read_as_printed(reference, ends, values) -> None:
    (entry,) = [p for p in table_1() if p.reference == reference]
    assert (entry.lowest, entry.highest) == ends
    assert entry.values == values


def test_deployments_are_those_of_the_registry() -> None:
    found = deployments()
    epsilons = [each.epsilon for each in found]
    assert (len(found), min(epsilons), max(epsilons), median(epsilons)) == (27, 0.01, 34.9, 2.64)
    assert epsilons == sorted(epsilons)
    assert {each.curator for each in found} == {"yes", "no", "varies"}
    assert all(each.source.startswith("https://") and each.year >= 2016 for each in found)
