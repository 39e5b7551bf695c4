"""The explorer's state as a study file, and back."""

import re

import pytest
from hypothesis import given, strategies as st

import planner
from planner import scenarios
from planner.explorer.state import (
    State,
    StateError,
    state_of,
    study_of,
)
from planner.explorer.state_file import as_toml, from_toml
from planner.study_file.templates import TEMPLATES
from tests.explorer.test_state import CLINIC, SURVEY


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60))
def test_the_study_file_gives_the_same_study_whatever_the_title(title) -> None:
    state = State((*state_of(CLINIC).values[1:], ("title", title)))
    import tomllib

    assert tomllib.loads(as_toml(state))["title"] == title
    assert study_of(from_toml(as_toml(state).encode())) == study_of(state)


@pytest.mark.parametrize("name", ["mean-smoking", "mean-education", "mwem-social"])
def test_study_files_can_be_opened(name) -> None:
    path = scenarios.WORKED_STUDIES / f"{name}.toml"
    assert study_of(from_toml(path.read_bytes())) == planner.read_study(path)


@pytest.mark.parametrize("name", ["test", "compare", "compare-test"])
def test_tests_and_comparisons_survive_their_file_and_their_address(name) -> None:
    path = TEMPLATES / f"{name}.toml"
    state = from_toml(path.read_bytes())
    study = planner.read_study(path)
    assert study_of(state) == study
    assert study_of(state_of(state.query)) == study
    assert study_of(from_toml(as_toml(state).encode())) == study


def test_what_is_not_shown_of_a_comparison_is_said() -> None:
    text = (TEMPLATES / "compare-test.toml").read_text("utf-8")
    for old, new, words in (
        ("sides = 1", "baseline_range = [0.2, 0.45]", "cannot show target.baseline_range"),
        ("[costs]", "[mechanism]\nkind = 'geometric-mean'\n[costs]", "by 'geometric-mean'"),
        ("sides = 1", "sides = 3", "give 1 or 2"),
        ("[costs]", "[sampling]\npopulation = 5000\n[costs]", "cannot show sampling.population"),
        ("sides = 1", "error = 0.1", "cannot show target.error"),
    ):
        with pytest.raises(StateError, match=re.escape(words)):
            from_toml(text.replace(old, new).encode())


def test_a_survey_survives_its_study_file_and_its_address() -> None:
    state = state_of(SURVEY)
    assert state_of(state.query) == state
    assert study_of(from_toml(as_toml(state).encode())) == study_of(state)
    assert study_of(state_of(from_toml(as_toml(state).encode()).query)) == study_of(state)


def test_files_that_cannot_be_opened() -> None:
    for text, words in [
        ("x" * 200_000, "too large"),
        ("not = toml = at all", "not valid TOML"),
        ("[individual]\nharms = 'events'", "cannot show individual.harms"),
        ("[target]\nbudget = 3", "cannot show target.budget"),
        ("[target]\nkind = 'difference'\nerror = 0.1", "target: failure is missing"),
        ("[[mechanism]]\nkind = 'mwem'", "cannot show mechanism"),
        ("[[question]]\nkind = 'share'\nfailure = 0.1", "cannot show question.failure"),
        ("[[question]]\nkind = 'laplace-count'", "cannot show question.kind = 'laplace-count'"),
        ("[[question]]\nkind = 'share'\n" * 41, "at most 40 questions"),
        ("[mechanism]\nkind = 'added-noise'\nnoise = 'geometric'", "cannot show mechanism.noise"),
        ("question = 3", "question is not a list|has at least one question"),
    ]:
        with pytest.raises(StateError, match=words):
            from_toml(text.encode())


def test_a_study_without_a_curator_and_its_confidence_can_be_opened() -> None:
    text = """
    [target]
    error = 0.05
    confidence = 0.95
    [mechanism]
    kind = "randomized-response"
    [individual]
    base_cost = 1.0
    worst_cost = 100.0
    breach = 0.001
    [costs]
    per_invitation = 2.0
    [sampling]
    response_rate = 0.6
    """
    state = from_toml(text.encode())
    study = study_of(state)
    assert study.accuracy == planner.Accuracy(0.05, 0.05)
    assert study.mechanism == planner.RandomizedResponse()
    assert (study.individual.breach, study.sampling.response_rate) == (0.001, 0.6)
    assert study_of(from_toml(as_toml(state).encode())) == study
    for wrong in ("nan", "1.5", '"a"'):
        with pytest.raises(StateError):
            from_toml(text.replace("0.95", wrong).encode())


DIFFER = """
[target]
error = 0.05
failure = 0.05
[mechanism]
kind = "laplace-mean"
[individual]
base_costs = {}
accept = 0.5
[conditions]
budget = 30000.0
[costs]
per_invitation = 2.0
"""


@pytest.mark.parametrize(
    "costs",
    [
        "{ log_normal = [13.0, 2.0] }",
        "{ log_normal = [13.0, 2.0], never = 0.04, largest = 60.0 }",
        "{ log_normal = [13, 2], intervals = [[4.0, 0.1, 0.05, 0.2], [9.0, 0.3, 0.2, 0.5]] }",
        "{ uniform = [1.0, 20.0] }",
        "{ groups = [[0.25, 1.0], [0.75, 9.0]] }",
        "{ observed = [[0.25, 1.0], [0.75, 9.0]], intervals = [[9.0, 0.75, 0.5, 0.9]] }",
    ],
)
def test_people_who_differ_can_be_opened(costs, tmp_path) -> None:
    text = DIFFER.format(costs)
    (tmp_path / "study.toml").write_text(text, "utf-8")
    state = from_toml(text.encode())
    study = study_of(state)
    assert study == planner.read_study(tmp_path / "study.toml")
    assert state_of(state.query) == state
    assert study_of(from_toml(as_toml(state).encode())) == study
    assert state.differ


def test_a_study_and_the_file_of_costs_that_it_names_are_opened_together(tmp_path) -> None:
    pilot = "median = 13.0\nlow = 11.0\nhigh = 15.0\nspread = 2.0\nnever = 0.1\n"
    text = DIFFER.format('{ pilot = "costs.toml" }')
    (tmp_path / "costs.toml").write_text(pilot, "utf-8")
    (tmp_path / "study.toml").write_text(text, "utf-8")
    read = planner.read_study(tmp_path / "study.toml")
    for files in ((text, pilot), (pilot, text)):
        assert study_of(from_toml("\0".join(files).encode())) == read


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ((DIFFER.format('{ pilot = "costs.toml" }'),), "choose both files together"),
        ((DIFFER.format("{}"), "median = 1"), "low is missing"),
        ((DIFFER.format("{}"), DIFFER.format("{}")), "give one study file"),
        (("median = 1",), "give one study file"),
        ((DIFFER.format("3"),), "cannot show individual.base_costs"),
        ((DIFFER.format("{ log_normal = [1, 0.5] }"),), "factor = 0.5 is not above 1"),
    ],
)
def test_pilots_that_cannot_be_opened(files, words) -> None:
    with pytest.raises(StateError, match=words):
        from_toml("\0".join(files).encode())


@pytest.mark.parametrize(
    ("target", "implied"),
    [
        ("error = 0.1", planner.LaplaceMean()),
        ("kind = 'difference'\nerror = 0.1", planner.NoisyCounts()),
    ],
)
def test_what_a_file_leaves_out_is_shown_as_it_is_implied(target, implied) -> None:
    text = f"[target]\n{target}\nfailure = 0.1\n[conditions]\nepsilon_at_most = 1"
    shown = study_of(from_toml(text.encode()))
    assert shown.mechanism == implied
    assert (shown.individual.base_cost, shown.individual.worst_cost) == (0.0, 0.0)
