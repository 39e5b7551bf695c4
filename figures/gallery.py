"""Every figure of the project, with its data and size."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import planner
from planner.answer.problem.curves import floor_curves
from planner.answer.problem.problem import exactly, problem_of
from planner.audit.literature import table_1
from planner.figures import constraints, laplace, literature, loss_walk, region
from planner.figures.curves import CEILINGS, Box
from planner.figures.studies import four_studies, worked
from planner.libraries import np
from planner.privacy.composition import loss_walk as walk


class Entry(NamedTuple):
    """One figure.

    Attributes:
        name: of its files.
        draw: draws it on an empty figure.
        width, height: its size [inches].
    """

    name: str
    draw: Callable[[Figure], None]
    width: float = 8.6
    height: float = 4.8


def figure_1(figure: Figure) -> None:
    """Hsu14 Figure 1."""
    laplace.draw(figure.add_subplot(), epsilon=1.0)


def figure_2(figure: Figure) -> None:
    """Hsu14 Figure 2, with the numbers of the education study."""
    constraints.draw_halves(figure.add_subplot(), worked("mean-education"), MEAN_BOX)


def figure_3(figure: Figure) -> None:
    """Hsu14 Figure 3, with two accuracies and two budgets for the education study."""
    person = worked("mean-education").individual
    studies = [
        planner.Study(
            mechanism=planner.LaplaceMean(analysis="paper"),
            target=planner.Accuracy(error=0.05, failure=failure),
            individual=person,
            conditions=(planner.Budget(budget),),
        )
        for failure, budget in ((0.01, 10_000.0), (0.1, 100_000.0))
    ]
    constraints.draw_levels(figure.add_subplot(), studies, MEAN_BOX)


MEAN_BOX = Box(1e4, 1e6, 5e-5, 5.0)
"""The part of the plane that shows all four mean studies."""


def four_scenarios(figure: Figure) -> None:
    """The regions of the four scenarios on the same axes."""
    panels = figure.subplots(2, 2, sharex=True, sharey=True).flat
    for axes, study in zip(panels, four_studies(), strict=True):
        region.draw(axes, planner.solve(study), MEAN_BOX, panel=True)
        axes.label_outer()
    figure.supxlabel("participants N", fontsize=9)
    figure.supylabel("privacy parameter ε (more privacy below)", fontsize=9)
    for axes in figure.axes:
        axes.set(xlabel="", ylabel="")


def exact_over_paper(figure: Figure) -> None:
    """The exact region of one scenario, and the accuracy that the paper's bound requires."""
    box, study = Box(200, 1e6, 5e-5, 5.0), worked("mean-education")
    exact = replace(exactly(study) or study, title="Education, Hsu14 §5.2, exactly")
    axes = figure.add_subplot()
    region.draw(axes, planner.solve(exact), box, panel=False)
    regions = problem_of(study).regions(0.0)
    (bound,) = floor_curves(regions, box.n)
    axes.plot(box.n, box.clip(bound.epsilon), ":", c="0.25")
    first = int(np.argmax(bound.epsilon < box.top))
    axes.annotate(
        "accuracy by the paper's bound", (box.n[first], box.top), (8, -8),
        textcoords="offset points", va="top", color="0.25",
    )  # fmt: skip


def mwem(figure: Figure) -> None:
    """The regions of MWEM, and the points that Hsu14 gives for them."""
    box = Box(1e5, 1e9, 2e-3, 30.0)
    panels = figure.subplots(1, 2, sharey=True)
    points = {"mwem-movies": (870_000, 2.3), "mwem-social": (1_300_000, 1.5)}  # §5.3
    for axes, (name, point) in zip(panels, points.items(), strict=True):
        region.draw(axes, planner.solve(worked(name)), box, panel=True)
        _mark_printed(axes, *point)
        axes.label_outer()


def _mark_printed(axes: Axes, participants: float, epsilon: float) -> None:
    """Mark a point that Hsu14 prints."""
    axes.plot(participants, epsilon, "x", c=CEILINGS, ms=8, mew=2, zorder=5)
    axes.annotate(
        "as printed", (participants, epsilon), (6, 8), textcoords="offset points", color=CEILINGS
    )


def side_conditions(figure: Figure) -> None:
    """The students' study of §7.3 with its side conditions."""
    region.draw(
        figure.add_subplot(), planner.solve(worked("side-conditions")), Box(100, 1e5, 5e-5, 50.0)
    )


def epsilon_in_the_literature(figure: Figure) -> None:
    """Table 1, with the ε of the plans of Hsu14's worked studies."""
    plans: dict[str, float] = {}
    for name, words in {
        "mean-education": "mean studies of §5.1",
        "mwem-movies": "MWEM of §5.3",
    }.items():
        answer = planner.solve(worked(name))
        if isinstance(answer, planner.answer.Plan):
            plans[words] = answer.epsilon
    literature.draw(figure.add_subplot(), table_1(), plans)


def privacy_loss_walk(figure: Figure) -> None:
    """Walks of the privacy loss over 400 answers at ε = 0.05, and the ε of each rule."""
    steps, epsilon, slack = 400, 0.05, 1e-6
    walks = walk(epsilon, steps, 40, np.random.default_rng(7))
    rules: tuple[Literal["basic", "closed", "optimal"], ...] = ("basic", "closed", "optimal")
    bounds: dict[str, Any] = {
        rule: np.array(
            [
                planner.privacy.compose([epsilon] * k, slack, rule) if k else 0.0
                for k in range(steps + 1)
            ]
        )
        for rule in rules
    }
    loss_walk.draw(figure.add_subplot(), walks, bounds)


GALLERY = (
    Entry("hsu14-figure-1", figure_1, 7.0, 3.6),
    Entry("hsu14-figure-2", figure_2, 7.0, 4.4),
    Entry("hsu14-figure-3", figure_3, 7.0, 4.4),
    Entry("four-scenarios", four_scenarios, 8.6, 6.0),
    Entry("exact-over-paper", exact_over_paper),
    Entry("mwem", mwem, 8.6, 4.2),
    Entry("side-conditions", side_conditions),
    Entry("epsilon-in-the-literature", epsilon_in_the_literature, 8.6, 5.6),
    Entry("privacy-loss-walk", privacy_loss_walk, 7.0, 4.4),
)
