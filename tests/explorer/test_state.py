"""The explorer's state: address, study, study file and back."""

import pytest
from hypothesis import given, strategies as st

import planner
from planner.explorer import questions
from planner.explorer.fields import FIELDS, MECHANISMS
from planner.explorer.state import (
    START,
    State,
    StateError,
    asked,
    edited,
    state_of,
    study_of,
)
from planner.explorer.state_file import as_toml
from planner.model.questions import QUESTIONS

CLINIC = (
    "title=Clinic&currency=EUR&mechanism=laplace-mean+hoeffding&error=0.05&failure=0.05"
    "&base_cost=12.5&worst_cost=1274&budget=30,000&max_participants=4000&per_person=5&overhead=2000"
)

SURVEY = (
    "title=Visits&mechanism=added-noise+hoeffding&failure=0.05&base_cost=1&budget=1e6"
    "&question.1.kind=share&question.1.name=smokes&question.1.error=0.03"
    "&question.2.kind=histogram&question.2.name=age&question.2.error=0.05&question.2.groups=8"
    "&question.3.kind=mean&question.3.name=visits&question.3.error=10&question.3.times=12"
    "&question.3.low=0&question.3.high=200"
    "&question.4.kind=quantile&question.4.name=income&question.4.error=0.05"
    "&question.4.candidates=1,000&question.4.at=0.25"
)


def test_an_address_is_a_study() -> None:
    assert study_of(state_of(CLINIC)) == planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 1274.0),
        [planner.Budget(30_000.0), planner.MaxParticipants(4000)],
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
    assert study_of(state).find(planner.MaxParticipants).n == people


def test_a_scenario_takes_the_place_of_the_costs() -> None:
    state = state_of(f"{CLINIC}&scenario=smoking&currency=USD")
    assert study_of(state).individual.base_cost == 254.8
    assert 'scenario = "smoking"' in as_toml(state)
    assert "base_cost" not in as_toml(state)
    with pytest.raises(StateError, match="is in USD and the study in EUR"):
        study_of(state_of(f"{CLINIC}&scenario=smoking&currency=EUR"))


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


def test_an_address_is_a_survey() -> None:
    assert study_of(state_of(SURVEY)) == planner.Study(
        planner.AddedNoise(analysis="hoeffding"),
        planner.Survey(
            [
                planner.Share("smokes", error=0.03),
                planner.Histogram("age", groups=8, error=0.05),
                planner.Mean("visits", low=0.0, high=200.0, error=10.0, times=12),
                planner.Quantile("income", candidates=1000, at=0.25, error=0.05),
            ],
            failure=0.05,
        ),
        planner.Individual(1.0),
        [planner.Budget(1e6)],
        title="Visits",
    )
    assert ("visits", study_of(state_of(SURVEY)).target.question("visits").words) in asked(
        state_of(SURVEY)
    )


def test_every_kind_of_question_can_be_chosen() -> None:
    assert set(questions.KINDS) == set(QUESTIONS)
    for kind, words in questions.KINDS.items():
        texts = {box.key: box.start for box in questions.BOXES} | {"kind": kind, "name": words}
        pairs = questions.QUESTIONS.numbered([texts])[0].values
        state = State((*state_of(SURVEY).values[:5], *pairs))
        assert study_of(state).target.questions[0].kind == kind


def test_a_question_is_added_with_a_name_of_its_own() -> None:
    state, place = edited(f"{SURVEY}&question.2.name=question+1&add=1")
    names = [question.name for question in study_of(state).target.questions]
    assert names == ["smokes", "question 1", "visits", "income", "question 2"]
    assert place == "question.5.name"
    assert (
        study_of(state).target.without("question 2")
        == study_of(state_of(f"{SURVEY}&question.2.name=question+1")).target
    )


def test_a_question_is_removed_and_the_others_move_up() -> None:
    state, _ = edited(f"{SURVEY}&lock=budget&remove=2")
    assert study_of(state).target == study_of(state_of(SURVEY)).target.without("age")
    assert "question.3.name" in state.texts
    assert "question.4.name" not in state.texts
    assert state.locks == ("budget",)


@pytest.mark.parametrize("number", ["0", "9", "lots", "-1"])
def test_a_question_that_is_not_there_is_not_removed(number) -> None:
    state, _ = edited(f"{SURVEY}&remove={number}")
    assert study_of(state) == study_of(state_of(SURVEY))


def test_an_address_without_edits_is_left_alone() -> None:
    assert edited(SURVEY) is None


def test_there_are_not_too_many_questions() -> None:
    query = SURVEY
    for _ in range(questions.QUESTIONS.most - 4):
        query = edited(f"{query}&add=1")[0].query
    assert len(study_of(state_of(query)).target.questions) == questions.QUESTIONS.most
    with pytest.raises(StateError, match="at most 40"):
        edited(f"{query}&add=1")


def test_what_is_no_state() -> None:
    for query, words, key in [
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
        (f"{SURVEY}&question.2.groups=1", "^groups of question 2 = 1 ", "question.2.groups"),
        (f"{SURVEY}&question.3.error=lots", "error of question 3 = 'lots'", "question.3.error"),
        (f"{SURVEY}&question.3.error=300", "question 3: error = 300", ""),
        (f"{SURVEY}&question.1.kind=poem", "kind of question 1 = 'poem'", "question.1.kind"),
        (f"{SURVEY}&question.2.name=smokes", "two questions are named 'smokes'", ""),
        (SURVEY.replace("&question.2.groups=8", ""), "groups of question 2", "question.2.groups"),
        ("mechanism=added-noise+exact&failure=0.1&base_cost=1", "add one", "add"),
        (f"{SURVEY}&question.41.name=x", "not known", ""),
        (f"{SURVEY}&question.1.colour=red", "not known", ""),
    ]:
        with pytest.raises(StateError, match=words) as found:
            study_of(state_of(query))
        assert found.value.key == key


def test_base_costs_replace_one_base_cost() -> None:
    state = state_of(f"{CLINIC}&base_costs=log_normal+%3D+[13,+2]&accept=0.5")
    assert study_of(state).individual.people is not None
    for text, words, key in (
        ("log_normal", "is not understood; give what stands between the braces", "base_costs"),
        ("x = 3", "a table of x is not a number", ""),
    ):
        with pytest.raises(StateError, match=words) as error:
            study_of(State((*state_of(CLINIC).values, ("base_costs", text))))
        assert error.value.key == key
    with pytest.raises(StateError, match="give base_costs, or leave it out"):
        study_of(state_of(f"{CLINIC}&accept=0.5"))
    with pytest.raises(StateError, match="give at most 12,000"):
        state_of(f"base_costs={'1' * 12_001}")
