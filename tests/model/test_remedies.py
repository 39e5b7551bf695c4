"""What a refusal or a note says to write instead works when it is followed."""

import re
from dataclasses import replace

import pytest

import planner
from planner import Stratum
from planner.model.strata import weights

SIXTH = 1 / 6


def study(last: float) -> planner.Study:
    strata = [Stratum(f"s{k}", share=SIXTH, error=0.2) for k in range(5)]
    return planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(failure=0.1),
        planner.Individual(1.0),
        strata=[*strata, Stratum("s5", share=last, error=0.2)],
    )


def test_proportions_that_were_rounded_are_those_of_their_sum() -> None:
    asked = study(SIXTH)
    assert sum(weights(asked)) == 1
    assert len(set(weights(asked))) == 1
    assert planner.solve(asked).proof.checked


@pytest.mark.parametrize("last", [SIXTH + 1e-8, 0.5, 0.01])
def test_the_last_proportion_is_named_and_works(last) -> None:
    with pytest.raises(ValueError, match=r"add up to .*; give .* to 1, such as") as error:
        study(last)
    named = re.search(r"such as (\S+) for 's5'", str(error.value))
    assert named is not None
    assert len(study(float(named[1])).strata) == 6


@pytest.mark.slow
def test_a_mean_of_few_people_names_the_analysis_that_counts_them() -> None:
    few = planner.Study(
        planner.LaplaceMean(values="any"),
        planner.Accuracy.of_values(5.0, 0.0, 60.0, 0.05),
        planner.Individual(12.5),
        sampling=planner.Sampling(100),
    )
    # a census errs by its noise alone, and so few who are left out stand for the sample
    assert planner.solve(few).verdict == "feasible"
    counted = replace(few, mechanism=planner.LaplaceMean("hoeffding"))
    assert planner.solve(counted).verdict == "feasible"
