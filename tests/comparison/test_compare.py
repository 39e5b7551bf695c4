"""The private study beside the one without privacy, against Hsu14 §6 and by brute force."""

import math
from dataclasses import replace

import pytest

import planner
from planner import scenarios
from planner.comparison.by_hand import private_epsilon_ceiling
from planner.comparison.compare import to_dict
from planner.explanation.results.comparison import decisive


@pytest.mark.parametrize(
    ("name", "eq_9", "verdict"),
    [
        ("smoking", False, "non-private"),
        ("education", True, "private"),
        ("movies", True, "private"),
        ("social", True, "private"),
    ],
)
def test_the_four_scenarios(name: str, eq_9: bool, verdict: str) -> None:
    study = planner.read_study(scenarios.WORKED_STUDIES / f"mean-{name}.toml")
    found = planner.compare(study)
    assert found.by_hand is not None
    assert found.by_hand.cheaper == eq_9  # as Hsu14 §6 says
    assert found.verdict == verdict
    assert found.participants == (116, 738)


def test_movies_as_printed_in_section_6(mean_study) -> None:
    found = planner.compare(mean_study(0.25, worst_cost=2500.0)).by_hand
    assert found is not None
    assert found.cost == pytest.approx(575, rel=2e-3)  # printed ≈ 575
    assert found.private_cost == pytest.approx(40, rel=0.03)  # printed ≈ 40
    # eq. 9 as printed
    printed = math.log(1 + 0.002 * 2500 * math.log(10) / (96 * 0.25 * math.log(60)))
    assert private_epsilon_ceiling(0.002, 2500.0, 0.25, 0.05, 0.05) == pytest.approx(printed)


def test_break_evens_divide_the_verdicts(mean_study) -> None:
    study = mean_study(12.5, worst_cost=12_500.0, costs=planner.Costs(1e-3, 50.0))
    found = planner.compare(study)
    low, high = found.break_even_exposure
    near = 1e-9
    assert planner.compare(study, low * (1 - near)).verdict == "non-private"
    assert planner.compare(study, high * (1 + near)).verdict == "private"
    assert planner.compare(study, low * (1 + near)).verdict == "open"
    assert planner.compare(study, high * (1 - near)).verdict == "open"


def test_eq_9_turns_at_its_break_evens(mean_study) -> None:
    study = mean_study(12.5, worst_cost=12_500.0)
    turn = planner.compare(study).by_hand.break_even_exposure
    assert not planner.compare(study, turn * (1 - 1e-9)).by_hand.cheaper
    assert planner.compare(study, turn * (1 + 1e-9)).by_hand.cheaper
    ratio = planner.compare(study).by_hand.break_even_ratio
    for factor, cheaper in ((1 - 1e-9, False), (1 + 1e-9, True)):
        other = mean_study(12.5, worst_cost=12.5 * ratio * factor)
        assert planner.compare(other).by_hand.cheaper is cheaper


def test_money_has_no_unit(mean_study) -> None:
    found = planner.compare(mean_study(12.5, worst_cost=12_500.0))
    yen = planner.compare(mean_study(1875.0, worst_cost=1_875_000.0, budget=4.5e6))
    assert yen.cost == pytest.approx([150 * c for c in found.cost])
    assert yen.break_even_exposure == pytest.approx(found.break_even_exposure, rel=1e-5)
    assert yen.verdict == found.verdict


def test_the_budget_is_ignored(mean_study) -> None:
    found = planner.compare(mean_study(254.8, worst_cost=1274.0, budget=1.0))
    assert found.private.verdict == "feasible"
    assert found.verdict == "non-private"


def test_without_a_private_study(mean_study) -> None:
    study = mean_study(12.5, planner.MaxParticipants(300), worst_cost=12_500.0)
    found = planner.compare(study)
    assert (found.verdict, found.break_even_exposure) == ("infeasible", None)
    assert "perhaps enough" in found.notes[-1]
    assert "too low" in planner.compare(
        mean_study(12.5, planner.MaxParticipants(100), worst_cost=12_500.0)
    ).notes[-1]  # fmt: skip


def test_a_budget_that_does_not_pay_for_all_is_said_to_be_ignored(mean_study) -> None:
    study = replace(mean_study(12.5, worst_cost=1274.0), costs=planner.Costs(50.0), conditions=[])
    found = planner.compare(study)
    costs = [found.private.cost, found.cost.most, found.trust.no_curator.cost]
    middle = float(round((min(costs) + max(costs)) / 2))
    for budget, over in ((10.0, "all"), (middle, "some"), (1e8, "")):
        found = planner.compare(replace(study, conditions=[planner.Budget(budget)]))
        said = f"The budget of {budget:,.0f} is ignored here; {over} of these studies cost more."
        assert found.over_budget == (said if over else "")
        assert (said in found.notes) is bool(over)
        assert (said in decisive(found)) is bool(over)


def test_where_eq_10_is_not_proven_one_person_is_the_bound(mean_study) -> None:
    loose = planner.Accuracy(error=0.3, failure=0.05)
    found = planner.compare(mean_study(1.0, worst_cost=100.0, target=loose))
    assert found.participants.least == 1
    assert "eq. 10" in found.notes[0]
    rare = planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding", mean_range=(0.0, 0.1)),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(1.0, 100.0),
    )
    assert planner.compare(rare).participants.least == 1


def test_conditions_that_the_study_without_privacy_breaks_are_told(mean_study) -> None:
    found = planner.compare(mean_study(1.0, planner.MaxHarm(10.0), worst_cost=12_500.0))
    assert "harm per person is 25.00, which exceeds a harm of at most 10" in found.notes[0]


def test_eq_9_is_not_used_where_eq_10_fails(mean_study) -> None:
    # at T = 1 one person suffices, where eq. 10 asks for three
    study = mean_study(1.0, worst_cost=15_000.0, target=planner.Accuracy(1.0, 1e-10))
    found = planner.compare(study)
    assert found.by_hand is None
    assert found.participants.least == 1


def test_nothing_to_lose(mean_study) -> None:
    found = planner.compare(mean_study(0.0, worst_cost=0.0))
    assert found.verdict == "equal"  # both cost nothing
    assert found.break_even_exposure is None
    assert found.by_hand is None


def test_bad_input_is_refused(mean_study) -> None:
    with pytest.raises(ValueError, match=r"give worst_cost in .individual. to compare"):
        planner.compare(mean_study(1.0))
    for exposure in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match=r"exposure = .* at least 0 and at most 1"):
            planner.compare(mean_study(1.0, worst_cost=2.0), exposure)


def test_plain_data_holds_everything(mean_study) -> None:
    data = to_dict(planner.compare(mean_study(12.5, worst_cost=12_500.0)))
    assert data["non_private"]["participants"] == {"least": 116, "most": 738}
    assert data["by_hand"]["cheaper"] is True
    assert data["private"]["participants"] == 35_509


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "conditions"),
    [
        (planner.GeometricMean(), []),
        (planner.GaussianMean(), [planner.Delta(1e-6)]),
    ],
)
def test_other_noise_is_compared_with_the_same_study_without(mechanism, conditions) -> None:
    study = planner.Study(
        mechanism=mechanism,
        target=planner.Accuracy(error=0.21, failure=0.05),
        individual=planner.Individual(12.5, 12_500),
        conditions=[planner.MaxParticipants(57), *conditions],
    )
    assert planner.compare(study).participants == (24, 24)


def family_study(mean_study, worst_cost=1274.0):
    study = mean_study(12.5, worst_cost=worst_cost, costs=planner.Costs(5.0, 2000.0))
    return replace(study, individual=replace(study.individual, family=4))


def test_a_family_bears_the_exposure_of_all_its_records(mean_study) -> None:
    study = family_study(mean_study)
    found = planner.compare(study, 0.002)
    assert found.compensation == pytest.approx(4 * 0.002 * 1274)
    assert planner.compare(study, 0.4).compensation == 1274  # never more than the harm itself
    assert any("family of 4" in note for note in found.notes)
    # what the model owes for a record that is found out with probability δ, and nothing else
    assert found.compensation == pytest.approx(
        study.individual.compensation(1e-12, 0.002), rel=1e-6
    )


def test_break_evens_of_a_family_divide_the_verdicts(mean_study) -> None:
    study = family_study(mean_study, 12_500.0)
    low, high = planner.compare(study).break_even_exposure
    assert 0 < low < high < 1 / 4
    assert planner.compare(study, low * 0.999).verdict == "non-private"
    assert planner.compare(study, low * 1.001).verdict == "open"
    assert planner.compare(study, high * 0.999).verdict == "open"
    assert planner.compare(study, high * 1.001).verdict == "private"
    cheap = family_study(mean_study, 12.5)  # even paying each the whole harm costs less
    assert planner.compare(cheap, 1.0).verdict == "non-private"
    assert planner.compare(cheap).break_even_exposure.least > 1


@pytest.mark.slow
def test_the_study_without_privacy_asks_no_fewer_people_than_the_study_wants() -> None:
    study = planner.Study(
        planner.LaplaceMean(),
        planner.Accuracy(0.2, 0.05),
        planner.Individual(12.5, 1000.0),
        [planner.Budget(1e7), planner.MinParticipants(2000)],
        planner.Costs(96.0),
    )
    found = planner.compare(study, 0.002)
    assert found.participants == (2000, 2000)
    assert found.cost == (196_000.0, 196_000.0)


def test_the_studies_are_rows_of_a_table() -> None:
    study = planner.scenario("education")
    comparison = planner.compare(study)
    table = comparison.to_frame().set_index("study")
    assert list(table.index) == [
        "private with a curator",
        "private without a curator",
        "not private",
    ]
    private, without = table.loc["private with a curator"], table.loc["not private"]
    plan = comparison.private
    assert private.epsilon == plan.epsilon
    assert private.participants_least == private.participants_most == plan.participants
    assert private.cost_least == private.cost_most == plan.cost
    assert (without.participants_least, without.participants_most) == comparison.participants
    assert (without.cost_least, without.cost_most) == comparison.cost
    assert without.compensation == comparison.compensation
    assert without.isna().sum() == 2  # it has no ε and no δ
    trusted = table.loc["private without a curator"]
    assert trusted.cost_least == comparison.trust.no_curator.cost
