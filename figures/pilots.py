"""The gallery's figures of the guide's invented pilot: who accepts, and what to offer."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from matplotlib.figure import Figure

import planner
from planner.decisions import posted_payment
from planner.figures import acceptance, offers
from planner.pilot import Estimate, estimate, read_pilot
from planner.scenarios import pilot


def what_people_ask(figure: Figure) -> None:
    """Who of the invented pilot has which base cost, observed and as log-normal."""
    acceptance.draw(figure.add_subplot(), _estimate())


def what_to_offer(figure: Figure) -> None:
    """Who accepts which payment in a study of such people, and what each payment costs."""
    fitted = _estimate().log_normal
    law = planner.model.LogNormal(fitted.median, fitted.spread)
    people = planner.People(planner.model.Asked(law, fitted.never), 0.5)
    study = planner.Study(
        mechanism=planner.LaplaceMean(analysis="hoeffding"),
        target=planner.Accuracy(error=0.05, failure=0.05),
        individual=planner.Individual.of_people(people),
        costs=planner.Costs(per_person=5.0, per_invitation=2.0),
        currency="EUR",
    )
    posted = posted_payment(study)
    left, right = figure.subplots(1, 2)
    offers.draw_acceptance(left, posted, _estimate().observed)
    offers.draw(right, posted)


@cache
def _estimate() -> Estimate:
    """What the invented pilot shows."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers.csv"
        pilot.write(path)
        return estimate(read_pilot(path), "EUR")
