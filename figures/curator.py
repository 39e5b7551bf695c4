"""The gallery's figures about trust: the four scenarios with a curator and without."""

from dataclasses import replace

from matplotlib.figure import Figure

import planner
from planner.answer.answers import Answer, Plan
from planner.comparison.compare import compare
from planner.comparison.curator import counterpart
from planner.figures import trust
from planner.figures.studies import four_studies
from planner.libraries import np

_POINTS = 25
_BOUND = planner.LaplaceMean(analysis="hoeffding")


def price_of_trust(figure: Figure) -> None:
    """The four scenarios of Hsu14 §5.2 with and without a curator, over the breach."""
    panels = figure.subplots(2, 2).flat
    for axes, study in zip(panels, four_studies(), strict=True):
        one = replace(study, mechanism=_BOUND, conditions=())
        priced = compare(one).trust
        assert priced is not None  # both ways to ask for a share are known
        breaches = np.geomspace(1e-6, 1, _POINTS)
        risky = [one.individual.with_breach(min(float(b), 1 - 2**-53)) for b in breaches]
        costs = [
            _least(planner.solve(replace(one, individual=person or one.individual), prove=False))
            for person in risky
        ]
        without = np.full(_POINTS, _least(priced.no_curator))
        even = (
            (priced.breach, priced.participants) if priced.breach and priced.participants else None
        )
        trust.draw_breach(
            axes, trust.Costs(breaches, np.array(costs), without), study.title.partition(",")[0],
            even, study.currency,
        )  # fmt: skip


def trust_over_error(figure: Figure) -> None:
    """The students' study of Hsu14 §5 with and without a curator, over the error."""
    study = replace(four_studies()[3], mechanism=_BOUND, conditions=())
    errors = np.geomspace(0.01, 0.2, _POINTS)
    both = []
    for error in errors:
        one = replace(study, target=planner.Accuracy(float(error), 0.05))
        both.append([_least(planner.solve(s, prove=False)) for s in (one, counterpart(one)) if s])
    curator, without = np.array(both).T
    costs = trust.Costs(errors, curator, without)
    trust.draw_error(figure.add_subplot(), costs, study.title.partition(",")[0], study.currency)


def _least(answer: Answer) -> float:
    """The least cost; not a number where there is no study."""
    return answer.least_cost if isinstance(answer, Plan) else float("nan")
