"""The explorer's state: address, study, study file and back."""

import pytest
from hypothesis import given, strategies as st

import planner
from planner import scenarios
from planner.explorer.fields import FIELDS, MECHANISMS
from planner.explorer.state import START, State, StateError, as_toml, from_toml, state_of, study_of

CLINIC = (
    "title=Clinic&currency=EUR&mechanism=laplace-mean+hoeffding&error=0.05&failure=0.05"
    "&base_cost=12.5&worst_cost=1274&budget=30,000&max_participants=4000&per_person=5&overhead=2000"
)


def test_an_address_is_a_study() -> None:
    assert study_of(state_of(CLINIC)) == planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_000.0), planner.Population(4000)],
        planner.Costs(5.0, 2000.0),
        "Clinic",
        "EUR",
    )
    assert study_of(state_of("")).title == START["title"]


@pytest.mark.parametrize(
    ("text", "people"), [("4000", 4000), ("4,000", 4000), ("4e3", 4000), ("4000.0", 4000)]
)
def test_numbers_as_people_write_them(text, people) -> None:
    state = state_of(CLINIC.replace("max_participants=4000", f"max_participants={text}"))
    assert study_of(state).find(planner.Population).n == people


def test_a_scenario_takes_the_place_of_the_costs() -> None:
    state = state_of(f"{CLINIC}&scenario=smoking")
    assert study_of(state).individual.base_cost == 254.8
    assert 'scenario = "smoking"' in as_toml(state)
    assert "base_cost" not in as_toml(state)


values = st.dictionaries(
    st.sampled_from(sorted(FIELDS)), st.integers(1, 10**6).map(str) | st.just("0.25")
)


@given(values, st.sampled_from(sorted(MECHANISMS)), st.text(max_size=50))
def test_states_survive_the_address(numbers, mechanism, title) -> None:
    texts = {"mechanism": mechanism, **numbers}
    if title.strip():
        texts["title"] = title.strip()
    state = State(tuple(texts.items()), ("budget",) if "budget" in texts else ())
    assert state_of(state.query) == state


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


@pytest.mark.parametrize(
    ("query", "words", "key"),
    [
        ("bugdet=3", "did you mean budget", ""),
        ("lock=everything", "not a quantity", ""),
        (f"title={'x' * 100_000}", "has 100,000 characters; give at most 200", "title"),
        ("mechanism=magic", "is not known", "mechanism"),
        (CLINIC.replace("error=0.05", "error=lots"), "not a number", "error"),
        (CLINIC.replace("error=0.05", "error=1.5"), "from 1e-60 to 1", "error"),
        (CLINIC.replace("base_cost=12.5", "base_cost=-1"), "at least 0", "base_cost"),
        (CLINIC.replace("base_cost=12.5&", ""), "base_cost", ""),
        (CLINIC.replace("=30,000", "=nan"), "not a number", "budget"),
        (CLINIC.replace("=12.5", "=12,5"), "a comma stands between thousands", "base_cost"),
        (CLINIC.replace("=30,000", "=30000,50"), "write|with a point", "budget"),
        (CLINIC.replace("=30,000", "=%D9%A3"), "not a number", "budget"),
        (CLINIC.replace("=12.5", "=1e400"), "base cost = inf", "base_cost"),
        (f"{CLINIC}&delta=2", "below 1", "delta"),
    ],
)
def test_what_is_no_state(query, words, key) -> None:
    with pytest.raises(StateError, match=words) as found:
        study_of(state_of(query))
    assert found.value.key == key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x" * 200_000, "too large"),
        ("not = toml = at all", "not valid TOML"),
        ("[individual]\nharms = 'events'", "cannot show individual.harms"),
        ("[target]\nbudget = 3", "cannot show target.budget"),
        ("[[mechanism]]\nkind = 'mwem'", "cannot show mechanism"),
    ],
)
def test_files_that_cannot_be_opened(text, words) -> None:
    with pytest.raises(StateError, match=words):
        from_toml(text.encode())
