"""Studies with strata in the explorer: their boxes, address and files, and what is shown."""

import re

import pytest

import planner
from planner.explorer import content, downloads, strata
from planner.explorer.content import Asked
from planner.explorer.fields import MECHANISMS
from planner.explorer.state import StateError, asked, edited, state_of, study_of, tables
from planner.explorer.state_file import as_toml, from_toml
from planner.model import Stratum
from planner.wording import plain

TWO = (
    "title=Districts&currency=EUR&mechanism=laplace-mean+hoeffding&failure=0.1&base_cost=12.5"
    "&worst_cost=1274&per_person=5"
    "&stratum.1.name=North&stratum.1.people=12,000&stratum.1.error=0.1"
    "&stratum.2.name=South&stratum.2.people=5000&stratum.2.error=0.15&stratum.2.per_person=20"
)
ALONE = "mechanism=laplace-mean+hoeffding&error=0.1&failure=0.1&base_cost=12.5&per_person=5"


def test_rows_are_the_strata_of_the_study() -> None:
    study = study_of(state_of(TWO))
    assert study.strata == (
        Stratum("North", people=12_000, error=0.1),
        Stratum("South", people=5_000, error=0.15, per_person=20.0),
    )
    assert study.accuracy.error is None
    words = dict(asked(state_of(TWO)))
    assert words["South"] == "people in it 5000, error 0.15, cost of recruiting 20"


def test_every_box_is_a_key_of_strata_and_has_a_mechanism() -> None:
    assert {box.key for box in strata.BOXES} <= set(Stratum.__dataclass_fields__)
    kinds = {name.partition(" ")[0] for name in MECHANISMS}
    for box in strata.BOXES:
        assert any(strata.shown(box, kind) for kind in kinds)


@pytest.mark.parametrize("more", [""])
def test_a_study_survives_its_file_and_its_address(more: str) -> None:
    state = state_of(TWO + more)
    study = study_of(state)
    again = from_toml(as_toml(state).encode())
    assert study_of(again) == study
    assert study_of(state_of(again.query)) == study


def test_a_survey_has_factors_on_its_errors() -> None:
    survey = (
        "mechanism=added-noise+hoeffding&failure=0.1&base_cost=2&per_person=3"
        "&question.1.kind=share&question.1.name=smokes&question.1.error=0.2"
        "&stratum.1.name=A&stratum.1.share=0.4&stratum.1.error=0.1&stratum.1.times_error=1.5"
        "&stratum.2.name=B&stratum.2.share=0.6"
    )
    study = study_of(state_of(survey))
    assert study.strata == (
        Stratum("A", share=0.4, times_error=1.5),
        Stratum("B", share=0.6),
    )
    assert study_of(from_toml(as_toml(state_of(survey)).encode())) == study


def test_the_first_strata_are_two_with_the_error_of_the_study() -> None:
    state, place = edited(f"{ALONE}&add_stratum=1")
    study = study_of(state)
    assert [(one.name, one.error) for one in study.strata] == [("stratum 1", 0.1),
                                                               ("stratum 2", 0.1)]  # fmt: skip
    assert study.accuracy.error is None
    assert place == "stratum.2.name"
    third, place = edited(f"{state.query}&add_stratum=1")
    assert study_of(third).strata[2] == Stratum("stratum 3", people=10_000, error=0.1)
    assert place == "stratum.3.name"


def test_one_stratum_that_is_left_is_everybody() -> None:
    state, place = edited(f"{TWO}&remove_stratum=2")
    assert "stratum.1.name" not in state.texts
    assert study_of(state).target == planner.Accuracy(0.1, 0.1)
    assert place == "add_stratum"
    state, _ = edited(f"{TWO}&remove_stratum=1")
    assert study_of(state).target == planner.Accuracy(0.15, 0.1)
    three = edited(f"{TWO}&add_stratum=1")[0]
    assert study_of(three).strata[2].error == 0.15
    left = study_of(edited(f"{three.query}&remove_stratum=1")[0])
    assert [one.name for one in left.strata] == ["South", "stratum 1"]


def test_there_are_not_too_many_strata() -> None:
    query = TWO
    for _ in range(strata.STRATA.most - 2):
        query = edited(f"{query}&add_stratum=1")[0].query
    assert len(study_of(state_of(query)).strata) == strata.STRATA.most
    with pytest.raises(StateError, match="at most 40 strata"):
        edited(f"{query}&add_stratum=1")


def test_what_is_wrong_is_said_at_its_box() -> None:
    for query, words, key in [
        (f"{TWO}&stratum.1.people=many", "people in it of stratum 1 = 'many'", "stratum.1.people"),
        (f"{TWO}&stratum.1.people=0", "people in it of stratum 1 = 0", "stratum.1.people"),
        (f"{TWO}&stratum.2.name=North", "two strata are named 'North'", ""),
        (f"{TWO}&stratum.2.share=0.5", "needs one size", ""),
        (TWO.replace("&stratum.2.error=0.15", ""), "error is missing", ""),
        (f"{TWO}&population=500", "strata have people of their own", ""),
        (f"{TWO}&stratum.41.name=x", "not known", ""),
        (f"{TWO}&stratum.1.colour=red", "not known", ""),
    ]:
        with pytest.raises(StateError, match=re.escape(words)) as error:
            study_of(state_of(query))
        assert error.value.key == key
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[stratum]]\nname = 'A'\nmin_participants = 3", "cannot show stratum.min_participants"),
        ("[strata]\nfile = 'districts.csv'", "cannot show strata.file"),
        ("[[stratum]]\nname = 'A'\n" * 41, "at most 40 strata"),
    ],
)
def test_files_that_cannot_be_opened(text: str, words: str) -> None:
    with pytest.raises(StateError, match=words):
        from_toml(text.encode())


@pytest.mark.slow
@pytest.mark.parametrize("more", [""])
def test_the_page_shows_the_table_and_the_picture(more: str) -> None:
    found = content.answered(Asked(state_of(TWO + more)))
    plan = planner.solve(study_of(state_of(TWO + more)))
    assert found["verdict"] == "feasible"
    html = found["html"]
    assert 'aria-label="The strata"' in html
    for one in plan.strata:
        assert f">{plain(one.participants)}</td>" in html
        assert f'<th scope="row">{one.study.title}</th>' in html
    assert html.count('<th scope="row">North</th>') == 2  # in the table, and among what was asked
    assert "<svg" in html
    narrow = content.answered(Asked(state_of(f"{TWO}{more}&narrow=1")))["html"]
    assert re.search(r'viewBox="0 0 (\d+)', narrow)[1] < re.search(r'viewBox="0 0 (\d+)', html)[1]


@pytest.mark.slow
def test_one_answer_for_all_people_is_shown_too() -> None:
    query = re.sub(r"&stratum\.\d\.error=[\d.]+", "", TWO) + "&error=0.05"
    html = content.answered(Asked(state_of(query)))["html"]
    assert "one noise on the weighted sum" in html
    assert '<th scope="col">error</th>' not in html
    assert "We publish one result for all" in downloads.consent_page(state_of(query))["file"]
    assert "publishes one answer for all people" in downloads.methods_page(state_of(query))["file"]


@pytest.mark.slow
def test_what_could_change_and_other_ways_are_shown() -> None:
    for budget, words in (("1e5", "the budget can fall"), ("7500", "error of &#39;North")):
        state = state_of(f"{TWO}&budget={budget}")
        found = content.answered(Asked(state))
        solved = found["solved"]
        shares = tuple(
            content.changes(Asked(state, k, solved))["changes"] for k in range(content.SHARES)
        )
        assert words in content.joined((state, shares))["html"]
        html = content.more(Asked(state, 0, solved))["html"]
        assert "geometric noise: exact" in html
        assert "in proportion to size" in html


def test_an_infeasible_study_has_no_picture() -> None:
    state = state_of(f"{TWO}&budget=3000")
    found = content.answered(Asked(state))
    assert found["verdict"] == "infeasible"
    assert "<svg" not in found["html"]
    assert "no picture" in downloads.region_svg(state)["error"]


@pytest.mark.slow
def test_its_files_are_made() -> None:
    state = state_of(TWO)
    assert "North" in downloads.consent_page(state)["file"]
    assert "2 strata" in downloads.methods_page(state)["file"]
    assert "North" in downloads.report_page(state)["file"]
    assert downloads.region_svg(state)["file"].startswith("<svg")
    assert '"strata"' in downloads.plan_json(state)["file"]
    assert tables(from_toml(downloads.study_file(state)["file"].encode())) == tables(state)
