"""How answers are written: words, labels, bins, columns and empty cells; and what a plan reads."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import planner
from planner.model import Records
from planner.model.recorded import NO, YES
from planner.study_file.reader import study_of
from tests.publication import plans

LABELS = ["18-24", "25-34", "35 or more"]


def histogram(**more) -> planner.Histogram:
    return planner.Histogram("age", error=0.2, **more)


def test_labels_and_bins_say_how_many_groups_there_are() -> None:
    assert histogram(labels=LABELS).groups == 3
    assert histogram(labels=[1, 2]).labels == ("1", "2")
    bins = histogram(bins=[0, 18, 25.5, 1e6])
    assert bins.groups == 3
    assert bins.group_names == ("0 to under 18", "18 to under 25.5", "25.5 to under 1,000,000")
    assert histogram(groups=8).group_names == ()
    own = histogram(labels=LABELS, missing="own")
    assert (own.groups, own.numbers, own.group_names) == (3, 4, (*LABELS, "no answer"))
    assert histogram(groups=2, missing="own").group_names == ("group 0", "group 1", "no answer")
    for question in (own, bins):
        assert replace(question, error=0.1).groups == 3
        assert eval(repr(question), vars(planner)) == question


def test_words_do_not_change_what_is_planned() -> None:
    plain = planner.Share("smokes", 0.2)
    written = planner.Share("smokes", 0.2, column="Q7", yes="ja", no=["nein"], missing="no")
    assert plain.as_planned == written.as_planned
    assert histogram(groups=3).as_planned == histogram(labels=LABELS, column="x").as_planned
    assert histogram(groups=3).as_planned != histogram(labels=LABELS, missing="own").as_planned
    survey = planner.Survey([written, planner.Share("drinks", 0.2), histogram(groups=2)], 0.1)
    assert survey.alike("smokes") == ("drinks",)
    assert survey.distinct == ("smokes", "age")


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_group_of_its_own_is_planned_as_one_more(noise) -> None:
    """The plan of k groups and empty cells is that of k + 1 groups, to the last digit."""
    more = (planner.Delta(1e-4),) if noise == "gaussian" else ()

    def planned(question):
        study = plans.study(planner.AddedNoise(noise), planner.Survey(question, 0.1), *more)
        return planner.solve(study)

    own, four = planned(histogram(labels=LABELS, missing="own")), planned(histogram(groups=4))
    assert (own.participants, own.epsilon, own.cost) == (four.participants, four.epsilon, four.cost)
    assert own.questions[0].scale == four.questions[0].scale
    assert planner.check(own).holds


def rated(rate: float, error: float = 0.2) -> planner.Share:
    return planner.Share("smokes", error, missing="own", answer_rate=rate)


@pytest.mark.slow
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_share_of_those_who_answer_is_planned_as_two_groups(noise) -> None:
    """Of all people, with the error times the rate; their noise is that of two counts."""
    more = (planner.Delta(1e-4),) if noise == "gaussian" else ()

    def planned(question):
        study = plans.study(planner.AddedNoise(noise), planner.Survey(question, 0.1), *more)
        return planner.solve(study)

    own, two = planned(rated(0.8, 0.25)), planned(histogram(groups=2))
    assert (own.participants, own.epsilon, own.cost) == (two.participants, two.epsilon, two.cost)
    (answer,) = own.questions
    moved = 2 if noise != "gaussian" else 2**0.5
    assert answer.error == 0.2
    assert answer.numbers == 2
    assert answer.sensitivity * own.participants == pytest.approx(moved)
    assert planner.check(own).holds
    assert (
        "among those who answer within 25 percentage points, where at least 80 % answer"
        in " ".join(str(own.study).split())
    )
    assert study_of(own.study.to_dict(), "again") == own.study


def test_the_error_of_all_people_is_never_over_the_error_times_the_rate() -> None:
    rng = np.random.default_rng(5)
    for error, rate in rng.uniform(0.001, 1, (200, 2)).round(5).tolist():
        of_all = rated(rate, error).as_published.error
        exact = Fraction(str(error)) * Fraction(str(rate))
        assert exact * (1 - Fraction(1, 10**15)) <= Fraction(repr(of_all)) <= exact


def test_what_cannot_be_read_is_refused_in_a_sentence() -> None:
    for build, words in [
        (lambda: histogram(), "groups is missing; give a whole number such as 8, or labels"),
        (lambda: histogram(labels=["a"]), "1 label cannot divide people; give from 2"),
        (lambda: histogram(labels=["a", " a"]), "'a' is given twice"),
        (lambda: histogram(labels=["a", ""]), "'' cannot stand for an answer"),
        (lambda: histogram(labels=["a", "b\x00"]), "cannot stand for an answer"),
        (lambda: histogram(labels=["a", "b" * 81]), "longer than 80 letters"),
        (lambda: histogram(labels=["a", "b"], groups=3), "groups = 3 is not the number of labels"),
        (lambda: histogram(bins=[0, 1, 2], groups=3), "groups = 3 is not the number of bins, 2"),
        (lambda: histogram(labels=["a", "b"], bins=[0, 1, 2]), "labels and bins both"),
        (lambda: histogram(bins=[0, 1]), "2 numbers are given for the edges of the bins"),
        (lambda: histogram(bins=[0, 2, 1]), "is not a list of rising numbers"),
        (lambda: histogram(bins=[0, 1, float("inf")]), "is not a list of rising numbers"),
        (lambda: histogram(labels=["a", "no answer"], missing="own"), "'no answer' is the name"),
        (lambda: histogram(groups=2, missing="no"), 'give missing = "own"'),
        (lambda: planner.Share("s", 0.1, missing="own"), "answer_rate is missing; with missing"),
        (lambda: planner.Share("s", 0.1, answer_rate=0.8), 'answer_rate is for missing = "own"'),
        (lambda: rated(0.0), "answer_rate = 0.0 is not allowed; give a proportion of people"),
        (lambda: rated(1.01), "answer_rate = 1.01 is not allowed; give a proportion of people"),
        (lambda: planner.Share("s", 0.1, missing="drop"), "who answered is itself private"),
        (lambda: planner.Mean("m", low=0, high=1, error=0.1, missing=2), "from low to high"),
        (lambda: planner.Quantile("q", candidates=3, error=0.1, missing=3), "number of a cand"),
        (lambda: planner.Quantile("q", candidates=3, error=0.1, missing=0.5), "number of a cand"),
        (lambda: planner.Share("s", 0.1, missing=0), "is not for a share"),
        (lambda: planner.Mean("m", low=0, high=1, error=0.1, missing="no"), "is not for a mean"),
        (lambda: planner.Share("s", 0.1, yes=["a"], no=["a"]), "'a' means both yes and no"),
        (lambda: planner.Share("s", 0.1, yes=[]), "() cannot stand for an answer|[] cannot"),
        (lambda: planner.Share("s", 0.1, column=" "), "cannot be the name of a column"),
        (lambda: Records(yes=["0"]), "'0' means both yes and no"),
        (lambda: Records(decimal=","[0], separator=","), "cannot divide columns and mark decimals"),
        (lambda: Records(decimal="'"), "give '.' or ','"),
        (lambda: Records(weights="w"), "as much as the largest weight"),
    ]:
        with pytest.raises(ValueError) as error:  # noqa: PT011 - the words follow
            build()
        assert any(each in str(error.value) for each in words.split("|"))


def test_the_usual_words_are_both_ways() -> None:
    assert not set(YES) & set(NO)
    assert Records().yes == YES
