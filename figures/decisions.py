"""The gallery's figures about decisions: sharper harms, sweeps, uncertain studies."""

from dataclasses import replace
from typing import Any

from matplotlib.figure import Figure

import planner
from planner.figures import bounds, harms, heat_map, tornado
from planner.figures.studies import four_studies, worked
from planner.libraries import np


def sharper_harms(figure: Figure) -> None:
    """What a person in each of the four scenarios is paid over ε, by four models of harm."""
    mechanisms = {
        "Laplace noise": planner.LaplaceMean(),
        "Gaussian noise, δ = 1e-6": planner.GaussianMean(),
    }
    panels = figure.subplots(2, 2, sharex=True).flat
    for axes, study in zip(panels, four_studies(), strict=True):
        event = study.individual.event or planner.BadEvent(0.1, 1.0)
        harms.draw(axes, harms.events_of(event, mechanisms), event, [0.0, 0.0, 0.0, 1e-6])
        axes.set_title(f"{study.title.partition(',')[0]}: {axes.get_title(loc='left')}", loc="left")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False)
    figure.supxlabel("privacy parameter ε", fontsize=9)
    figure.supylabel("compensation of one person, USD", fontsize=9)


def cost_over_fear_and_error(figure: Figure) -> None:
    """The cost of the students' study of Hsu14 §5, by its accuracy and its base cost."""
    grid = planner.sweep(
        worked("mean-education"),
        base_cost=np.geomspace(1.0, 300.0, 120),
        error=np.geomspace(0.005, 0.2, 120),
    )
    heat_map.draw(figure.add_subplot(), grid)


def cost_of_a_mean(figure: Figure) -> None:
    """The least cost of a mean of values in a range over its error, by four analyses."""
    study = planner.Study(
        mechanism=planner.LaplaceMean(analysis="paper"),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(base_cost=12.5),
        costs=planner.Costs(per_person=5.0),
    )
    analyses = {
        "Hsu14's bound": study.mechanism,
        "Hoeffding's bound": planner.LaplaceMean(analysis="hoeffding"),
        "any values\nin the range": planner.LaplaceMean(values="any"),
        "zero-one values:\nno analysis\nneeds less": planner.LaplaceMean(values="zero-one"),
    }
    errors = np.geomspace(0.02, 0.2, 13)
    targets = [planner.Accuracy(float(error), 0.05) for error in errors]
    costs = {
        words: np.array([_least(replace(study, target=t, mechanism=m)) for t in targets])
        for words, m in analyses.items()
    }
    places = (0.5, 0.15, 0.3, 0.95)
    curves = [
        bounds.Bound(words, costs[words], place, "\n" in words)
        for words, place in zip(analyses, places, strict=True)
    ]
    plan = planner.solve(study.by(analyses["any values\nin the range"]), prove=False)
    assert isinstance(plan, planner.answer.Plan)
    left, right = figure.subplots(1, 2)
    words = f"{plan.participants:,} people,\n{plan.cost:,.2f} USD"
    bounds.draw(left, errors, curves, (0.05, plan.cost, words))
    bounds.draw_over_least(right, errors, curves)


def _least(study: planner.Study) -> float:
    """The least cost of a study that has a plan."""
    plan = planner.solve(study, prove=False)
    assert isinstance(plan, planner.answer.Plan)
    return plan.least_cost


def which_input_decides(figure: Figure) -> None:
    """A clinic's study with uncertain inputs: the effect of each input on its cost."""
    study = planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding"),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=(planner.Budget(20_000.0), planner.MaxParticipants(4000)),
        costs=planner.Costs(per_person=5.0, overhead=2000.0),
        title="Clinic",
        currency="EUR",
    )
    inputs: dict[Any, Any] = {
        "base_cost": planner.model.LogNormal(12.5, 2.0),
        "error": planner.model.Interval(0.04, 0.06),
        "budget": planner.model.Uniform(14_000.0, 26_000.0),
        "per_person": planner.model.Triangular(2.0, 5.0, 12.0),
        "failure": planner.model.Interval(0.04, 0.06),
    }
    effects = planner.decisions.tornado(planner.UncertainStudy(study, inputs))
    tornado.draw(figure.add_subplot(), effects)
