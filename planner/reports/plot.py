"""The picture of a study or of a result, on axes of Matplotlib."""

from typing import TYPE_CHECKING

from planner.answer.answers import Given
from planner.answer.solve import answer_to
from planner.decisions.uncertain.tornado import tornado
from planner.decisions.uncertain.uncertain_study import UncertainStudy
from planner.model import Study
from planner.show import Drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(given: Given | UncertainStudy | Drawn, ax: "Axes | None" = None) -> "Axes":
    """Draw the feasible region of a study, or any result that has a picture.

    Args:
        given: the study, solved first, or its answer; of an uncertain study, which input matters
            most is drawn; of another result, its own picture.
        ax: the axes to draw on; by default new ones.

    Returns:
        The axes.

    Raises:
        ValueError: it is not a study, and has no picture.
    """
    if isinstance(given, UncertainStudy):
        given = tornado(given)
    if not isinstance(given, Drawn) or isinstance(given, Study):
        given = answer_to(given)
    return given.plot(ax=ax)
