"""What a card says of the estimate is what is computed from reports."""

from dataclasses import replace

import pytest

import planner
from planner.explanation.card import card_sentences
from planner.publication.items import items
from planner.publication.measurement import estimate

SHARE = planner.Accuracy(0.2, 0.1)
MEAN = planner.Accuracy.of_values(40.0, 20, 200, 0.1)
DIFFERENCE = planner.Difference(error=0.3, failure=0.1)
OF_MEANS = planner.Difference.of_values(60.0, 20, 200, 0.1)


@pytest.mark.parametrize("target", [SHARE, MEAN])
def test_the_estimate_in_words_is_the_one_that_is_computed(target):
    study = planner.Study(planner.RandomizedResponse(), target, planner.Individual(5.0))
    plan = planner.solve(replace(study, costs=planner.Costs(per_person=1.0)), prove=False)
    (item,) = items(plan)
    words = card_sentences(plan)[-1].split(" is estimated as ")[1]
    formula, where = words.split(", where ")
    for old, new in (("−", "-"), ("×", "*"), (",", "")):
        formula = formula.replace(old, new)
    first, second, half = 31, 12, plan.participants // 2
    found = eval(formula, {}, {"R": first, "S": second})
    counted = first if plan.study.groups == 1 else first + half - second
    assert found == pytest.approx(estimate(item, counted), rel=1e-9)
    assert ("200" in where) == (target.values is not None)
