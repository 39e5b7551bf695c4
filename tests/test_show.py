"""Answers, regions and sequences show themselves: words, tables, pictures, plain data."""

import io
import json
import math
import pickle
import re
import xml.etree.ElementTree as ET
from dataclasses import FrozenInstanceError, fields, replace
from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure
from rich.console import Console

import planner
from planner.answer.proof.plan import Proof
from planner.show import as_json


def study(budget=30_000.0, title="Clinic", **changed):
    given = {
        "mechanism": planner.LaplaceMean("hoeffding"),
        "target": planner.Accuracy(0.05, 0.05),
        "individual": planner.Individual(12.5, 1274.0),
        "conditions": [planner.Budget(budget)],
        "costs": planner.Costs(5.0),
        "title": title,
        "currency": "EUR",
    }
    return planner.Study(**(given | changed))


@cache
def answer(budget=30_000.0):
    return planner.solve(study(budget))


@cache
def relaxations():
    return planner.limits(answer(100.0))


@cache
def tightenings():
    return planner.limits(answer())


UNCERTAIN = planner.UncertainStudy(
    study(),
    {"base_cost": planner.model.LogNormal(12.5, 2.0), "budget": planner.model.Uniform(1e4, 4e4)},
)
SHOWN = {
    "plan": answer,
    "infeasible": lambda: answer(100.0),
    "undecided": lambda: planner.answer.Undecided(
        study(), Proof("none", False, "Nothing was tried.")
    ),
    "limit": lambda: planner.limit(study(), "base_cost"),
    "limit only approached": lambda: planner.limit(study(), "epsilon"),
    "relaxations": relaxations,
    "tightenings": tightenings,
    "relaxation": lambda: relaxations()[0],
    "tightening": lambda: tightenings()[0],
    "prices": lambda: planner.prices(answer()),
    "price": lambda: planner.prices(answer())[0],
    "region": lambda: planner.region(study()),
    "empty region": lambda: planner.region(study(100.0)),
    "study": study,
    "comparison": lambda: planner.compare(study()),
    "uncertain": lambda: planner.decisions.feasibility_probability(UNCERTAIN, draws=200),
    "ranking": lambda: planner.decisions.tornado(UNCERTAIN),
    "sequence": lambda: planner.plan_sequence([study(), study()]),
    "no sequence": lambda: planner.plan_sequence([study(1.0), study(1.0)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_every_result_is_frozen_and_shows_itself(name) -> None:
    result = SHOWN[name]()
    assert type(result).__dataclass_params__.frozen
    with pytest.raises(FrozenInstanceError):
        setattr(result, fields(result)[0].name, None)
    page = result._repr_html_()
    table = page[: page.index("</table>") + 8]
    rows = ET.fromstring(table).findall(".//tr")
    assert len(rows) == len(result.shown_rows()) > 0
    if result.drawn:
        picture = ET.fromstring(page[page.index("<svg") :])
        assert picture.tag.endswith("svg")
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(result)
    text = console.export_text()
    assert result.shown_title() in " ".join(text.split())
    assert json.loads(result.to_json()) == json.loads(as_json(result.to_dict()))
    assert json.loads(as_json([result])) == [json.loads(result.to_json())]
    printed = str(result)
    assert printed == "\n".join(printed.rstrip().splitlines())
    assert result.shown_title() in " ".join(printed.split())
    assert 2 <= len(printed.splitlines()) <= 20
    assert len(repr(result).splitlines()) == 1
    assert len(result.to_frame()) >= 1
    if result.drawn:
        axes = Figure().add_subplot()
        assert result.plot(axes) is axes
        assert axes.has_data()


@pytest.mark.slow
def test_a_survey_shows_its_questions_in_a_notebook(survey) -> None:
    page = survey._repr_html_()
    assert page.count("<svg") == 2
    assert "12 × visits: ε = " in page
    assert '<th scope="row" style="text-align:left">visits</th>' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert SHOWN["plan"]()._repr_html_().count("<svg") == 1


@pytest.mark.slow
def test_a_limit_is_a_number_too() -> None:
    limit = SHOWN["limit"]()
    assert limit == limit.value == float(repr(limit)) == float(f"{limit}")
    assert planner.Individual(limit).base_cost == limit
    copy = pickle.loads(pickle.dumps(limit))
    assert (copy, copy.quantity, copy.attained) == (limit, "base_cost", True)
    assert hash(limit) == hash(limit.value)
    assert "95.12 EUR" in str(limit)


@pytest.mark.slow
def test_changes_are_entries_by_key_and_a_sequence() -> None:
    changes = SHOWN["relaxations"]()
    assert [change["quantity"] for change in changes] == [change.quantity for change in changes]
    assert {"quantity", "from", "to", "attained", "plan"} == {*changes[0].to_dict()}
    assert changes == list(changes) != []
    assert {change.feasible for change in changes} == {False}
    assert planner.prices(answer(100.0)) == ()


def test_what_is_long_is_cut_when_printed() -> None:
    many = [study(30_000.0, f"Clinic {n}") for n in range(30)]
    printed = str(
        planner.plan_sequence([replace(one, target=planner.Accuracy(0.3, 0.3)) for one in many])
    )
    assert len(printed.splitlines()) == 20
    assert "more lines" in printed.splitlines()[-1]


def test_a_plan_without_axes_makes_its_own() -> None:
    from matplotlib import pyplot

    axes = SHOWN["plan"]().plot()
    assert axes.get_xlabel() == "participants N"
    pyplot.close(axes.figure)


def test_a_study_is_shown_before_it_is_solved() -> None:
    sampling = planner.Sampling(population=4000)
    asked = study(
        mechanism=planner.LaplaceMean(),
        individual=planner.Individual(12.5, 1274.0, family=3),
        costs=planner.Costs(5.0, per_invitation=1.0),
        sampling=sampling,
    )
    rows = dict(asked.shown_rows())
    assert rows["mechanism"] == "laplace-mean (exact)"
    assert rows["target"] == "a margin of error of 5 percentage points at 95 % confidence"
    assert rows["condition"] == "the budget of 30,000 EUR"
    assert (rows["family"], rows["population"]) == ("3", "4,000")
    assert rows["cost of recruiting a person"] == "5 EUR"
    assert (rows["per invitation"], "response rate" in rows) == ("1 EUR", False)
    assert "12.5 EUR" in rows["people"]
    assert asked.to_dict()["conditions"] == {"budget": 30_000.0}
    assert eval(repr(asked), vars(planner)) == asked


def test_what_has_no_picture_says_so() -> None:
    for result in (SHOWN["limit"](), study()):
        with pytest.raises(ValueError, match=r"has no picture; planner\.plot draws a study"):
            result.plot()


def test_a_sweep_draws_itself() -> None:
    found = planner.sweep(study(), budget=[1e4, 2e4, 3e4], error=[0.05, 0.1])
    axes = Figure().add_subplot()
    assert found.planner.plot(axes) is axes
    assert axes.has_data()
    assert "verdict" in found._repr_html_()


def test_titles_with_html_appear_as_text() -> None:
    page = planner.solve(study(title="<script>alert(1)</script> & $x$"))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; $x$" in page


def test_a_region_is_its_floors_and_ceilings() -> None:
    sizes = np.array([500, 941, 1508, 4000])
    found = planner.region(
        study(conditions=[planner.Budget(30_000.0), planner.MaxParticipants(3999)]), sizes
    )
    assert list(found.feasible) == [False, True, True, False]
    floor, ceiling = found.to_dict()["floor"], found.to_dict()["ceiling"]
    assert floor[0] == math.inf or floor[0] > ceiling[0]
    assert floor[2] == pytest.approx(
        planner.LaplaceMean("hoeffding").epsilon_floor(1508, 0.05, 0.05)
    )
    assert ceiling[2] == pytest.approx(math.log1p((30_000 / 1508 - 5) / 12.5))
    assert str(found) == "\n".join(str(found).rstrip().splitlines())
    assert found.shown_title() in " ".join(str(found).split())
    assert len(repr(found).splitlines()) == 1
    frame = found.to_frame()
    assert list(frame["participants"]) == [500, 941, 1508, 4000]
    assert dict(found.shown_rows())["participants"] == "941 to 1,508, of the sizes examined"


def test_infinities_are_null() -> None:
    assert (
        as_json({"a": [math.inf, 1.0, -math.inf, math.nan]}, None)
        == '{"a": [null, 1.0, null, null]}'
    )
