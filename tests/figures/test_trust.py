"""The picture of trust shows both costs, and the breach at which they meet."""

import numpy as np
from matplotlib.figure import Figure

from planner.figures import trust


def test_both_costs_and_where_they_meet_are_drawn() -> None:
    over = np.geomspace(1e-6, 1, 25)
    costs = trust.Costs(over, 10 + 1e4 * over, np.full(25, 110.0))
    axes = Figure().add_subplot()
    trust.draw_breach(axes, costs, "Smokers", 0.01, "USD")
    curves = [line.get_ydata() for line in axes.lines]
    assert np.array_equal(curves[0], costs.curator)
    assert np.array_equal(curves[1], costs.no_curator)
    assert axes.lines[2].get_xydata().tolist() == [[0.01, 110.0]]
    words = [note.get_text() for note in axes.texts]
    assert axes.get_title(loc="left").endswith("probability 1 % or more")
    assert words == ["with a curator", "without a curator", "equal at 1 %"]


def test_without_a_breach_only_the_costs_are_drawn() -> None:
    over = np.geomspace(0.01, 0.2, 25)
    axes = Figure().add_subplot()
    trust.draw_error(axes, trust.Costs(over, 1 / over, 1 / over**2), "Education")
    assert len(axes.lines) == 2
    assert [note.get_text() for note in axes.texts] == ["with a curator", "without a curator"]
