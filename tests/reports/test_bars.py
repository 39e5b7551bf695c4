"""Bars of prices: as long as the prices, the weightiest first."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import planner
from planner.decisions.prices import Price, Prices
from planner.reports.pictures import bars

STUDY = planner.Study(
    planner.LaplaceMean(), planner.Accuracy(0.05, 0.05), planner.Individual(1.0), currency="EUR"
)
PRICES = (
    Price("budget", 30_000.0, 0.0),
    Price("base_cost", 100.0, 50.0),
    Price("error", 0.05, -2_000_000.0),
    Price("per_person", 5.0, None),
)


def test_order_words_and_lengths() -> None:
    found = bars(Prices(STUDY, PRICES))
    assert [bar.name for bar in found] == [
        "margin of error",
        "base cost",
        "budget",
        "cost of recruiting a person",
    ]
    assert [bar.change for bar in found] == ["−1,000 EUR", "+50 EUR", "nothing", "no finite price"]
    assert [bar.now for bar in found] == ["5 percentage points", "100 EUR", "30,000 EUR", "5 EUR"]
    boxes = [ET.fromstring(bar.bar).find("rect") for bar in found]
    lengths = [float(box.get("width")) for box in boxes]
    assert lengths[1] / lengths[0] == pytest.approx(0.05)
    assert lengths[2:] == [0, 0]
    # a saving lies left of the middle and is hollow
    assert float(boxes[0].get("x")) + lengths[0] == pytest.approx(float(boxes[1].get("x")))
    assert boxes[0].get("fill") != boxes[1].get("fill")


def test_nothing_to_show() -> None:
    assert bars(Prices(STUDY)) == []
    assert bars(Prices(STUDY, (Price("budget", 1.0, 0.0),)))[0].change == "nothing"


def test_changes_are_rounded_toward_the_promise() -> None:
    bare = replace(STUDY, currency="")
    (dearer,) = bars(Prices(bare, (Price("base_cost", 100.0, 1.2341),)))
    (saves,) = bars(Prices(bare, (Price("error", 100.0, -1.2349),)))
    assert (dearer.change, saves.change) == ("+1.24", "−1.23")
