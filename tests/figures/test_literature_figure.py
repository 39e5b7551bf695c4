"""The names of plans stand in the picture of deployments, however long they are."""

import pytest
from matplotlib.figure import Figure

from planner.audit.literature import deployments, table_1
from planner.figures import literature
from tests.figures.overlaps import faults, over_curves

LONG = "The proportion of people who smoke, among all patients of the clinics of the north"


@pytest.mark.slow
@pytest.mark.parametrize(
    "plans",
    [
        {"Smokers among our patients": 0.22},
        {LONG: 0.22},
        {LONG: 8.0},
        {"Clinic": 0.02, "Survey": 0.2},
    ],
    ids=["usual", "long", "long, much ε", "two"],
)
def test_the_names_of_plans_fit(plans: dict[str, float]) -> None:
    def draw(figure: Figure) -> None:
        literature.draw_deployments(figure.add_subplot(), deployments(), plans)

    assert faults(draw, 8.0, 6.4) == []
    assert over_curves(draw, 8.0, 6.4) == []


@pytest.mark.slow
def test_the_names_of_plans_hide_no_range_of_the_literature() -> None:
    def draw(figure: Figure) -> None:
        literature.draw(figure.add_subplot(), table_1(), {"one": 0.0034, "another": 0.02})

    assert faults(draw, 8.6, 5.6) == []
    assert over_curves(draw, 8.6, 5.6) == []
