"""Marks for people: never fewer added than the promise allows."""

import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from planner.explanation.participant import Risk
from planner.reports.icons import odds, picture


def test_odds_of_a_thousand() -> None:
    found = odds(Risk("it rains", 0.2, 0.2007))
    assert (found.people, found.each, found.before, found.after) == (1000, 1, 200, 200.7)
    assert (found.before_words, found.after_words) == ("200 of 1,000", "200.7 of 1,000")


def test_rare_harms_take_more_people() -> None:
    found = odds(Risk("", 1e-5, 1.01e-5))
    assert (found.people, found.each, found.before, found.after) == (100_000, 100, 0.01, 0.0101)
    assert found.before_words == "1 of 100,000"


@given(st.floats(1e-6, 0.999), st.floats(1.0, 3.0))
def test_rounded_toward_the_promise(before: float, growth: float) -> None:
    after = min(1.0, before * growth)
    found = odds(Risk("", before, after))
    share = Fraction(found.each, found.people)
    assert abs(Fraction(found.before) * share - Fraction(repr(before))) < Fraction(1, 10**12)
    assert Fraction(found.after) * share >= min(Fraction(after), 1) - Fraction(1, 10**12)
    assert Fraction(found.after) * share <= Fraction(after) * (1 + Fraction(1, 10**10))
    assert 0 <= found.before <= found.after <= 1000


@pytest.mark.parametrize(("before", "after"), [(0, 0), (0, 3), (39, 41), (998, 1000)])
def test_each_kind_of_mark_is_counted_and_has_a_shape(before: int, after: int) -> None:
    drawn = ET.fromstring(picture(before, after, "one", "1 < 2 & more"))
    paths = {path.get("class"): path.get("d") for path in drawn.iter() if path.tag == "path"}
    assert paths["struck"].count("M") == before
    assert paths["added"].count("M") == after - before
    assert drawn.find("title").text == "1 < 2 & more"
    assert drawn.get("aria-labelledby") == drawn.find("title").get("id")


def test_parts_of_marks_are_cut_to_their_share() -> None:
    drawn = ET.fromstring(picture(1.25, 2.5, "one", "words"))
    left, right = (clip[0].get("d") for clip in drawn.iter() if clip.tag == "clipPath")
    assert left == "M0 0h10v10H0zM10 0h2.5v10H10z"
    assert right == "M12.5 0h7.5v10H12.5zM20 0h5v10H20z"
