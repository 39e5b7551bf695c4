"""The gallery's figures about trust: the four scenarios with a curator and without."""

from dataclasses import replace

from matplotlib.figure import Figure

import planner
from planner.answer.answers import Answer, Plan
from planner.comparison.compare import compare
from planner.comparison.curator import counterpart
from planner.figures import break_even, trust
from planner.figures.curves import CEILINGS, FLOORS
from planner.figures.studies import four_studies, study_name
from planner.libraries import np

_POINTS = 25
_FIRST_BREACH = 1e-5
_BOUND = planner.LaplaceMean(analysis="hoeffding")


def price_of_trust(figure: Figure) -> None:
    """A scenario of Hsu14 §5.2 with a curator and without; for all four, when a curator pays."""
    studies = [replace(study, mechanism=_BOUND, conditions=()) for study in four_studies()]
    priced = {study_name(study): compare(study).trust for study in studies}
    one, shown = studies[1], priced[study_name(studies[1])]
    assert shown is not None  # both ways to ask for a share are known
    assert shown.breach is not None
    breaches = np.geomspace(_FIRST_BREACH, 1, _POINTS)
    risky = [one.individual.with_breach(min(float(b), 1 - 2**-53)) for b in breaches]
    costs = [
        _least(planner.solve(replace(one, individual=person or one.individual), prove=False))
        for person in risky
    ]
    without = np.full(_POINTS, _least(shown.no_curator))
    left, right = figure.subplots(1, 2, width_ratios=[1.25, 1])
    trust.draw_breach(
        left, trust.Costs(breaches, np.array(costs), without), study_name(one),
        shown.breach, one.currency,
    )  # fmt: skip
    break_even.draw(
        right,
        [break_even.Row(name, t.breach, t.breach) for name, t in priced.items() if t and t.breach],
        {"cheaper with\na curator": FLOORS, "cheaper without\na curator": CEILINGS},
        "When a curator pays", "probability that the records leak",
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
    trust.draw_error(figure.add_subplot(), costs, study_name(study), study.currency)


def _least(answer: Answer) -> float:
    """The least cost; not a number where there is no study."""
    return answer.least_cost if isinstance(answer, Plan) else float("nan")
