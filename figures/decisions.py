"""The gallery's figures about decisions: sharper harms, sweeps, uncertain studies."""

from dataclasses import replace
from typing import Any

from matplotlib.figure import Figure

import planner
from planner.explanation.amounts import shown
from planner.figures import bounds, harms, heat_map, tornado
from planner.figures.curves import PLAN
from planner.figures.fit import title
from planner.figures.studies import four_studies
from planner.libraries import np
from planner.wording import money


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
    """The cost of a clinic's study, by its margin of error and what people risk losing anyway."""
    study = _clinic(planner.Budget(30_000.0))
    grid = planner.sweep(
        study, base_cost=np.geomspace(1.0, 1000.0, 60), error=np.geomspace(0.02, 0.2, 60)
    )
    axes = figure.add_subplot()
    heat_map.draw(axes, grid)
    plan = planner.solve(study, prove=False)
    assert isinstance(plan, planner.answer.Plan)
    axes.plot(12.5, 5, "o", c=PLAN, ms=7, mfc="white", mew=2, zorder=5)
    axes.annotate(
        f"the plan\n{money(plan.cost, study.currency)}", (12.5, 5), (9, 5),
        textcoords="offset points", va="bottom", bbox=heat_map.WHITE,
    )  # fmt: skip
    limit = planner.limit(study, "base_cost")
    assert limit is not None
    most = shown(study, "base_cost", limit.value)
    title(axes, f"30,000 EUR pay for 5 points if people risk losing at most {most}")


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
    study = _clinic(planner.Budget(20_000.0), planner.MaxParticipants(4000))
    inputs: dict[Any, Any] = {
        "base_cost": planner.model.LogNormal(12.5, 2.0),
        "error": planner.model.Interval(0.04, 0.06),
        "budget": planner.model.Uniform(14_000.0, 26_000.0),
        "per_person": planner.model.Triangular(2.0, 5.0, 12.0),
        "failure": planner.model.Interval(0.04, 0.06),
    }
    effects = planner.decisions.tornado(planner.UncertainStudy(study, inputs))
    tornado.draw(figure.add_subplot(), effects)


def _clinic(*conditions: planner.model.Condition) -> planner.Study:
    """A clinic's study by Hoeffding's bound, which many studies are quickly planned by."""
    return planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding"),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual(base_cost=12.5, worst_cost=1274.0),
        conditions=conditions,
        costs=planner.Costs(per_person=5.0, overhead=2000.0),
        title="Clinic",
        currency="EUR",
    )
