"""Results of the exact analysis where Hsu14 relies on bounds."""

from collections.abc import Callable
from dataclasses import replace

from planner.answer.problem.problem import exactly
from planner.answer.solve import solve
from planner.audit import paper
from planner.audit.claim import shown
from planner.comparison.compare import compare
from planner.decisions.limits import limit
from planner.mechanisms import LaplaceMean
from planner.mechanisms.exact.no_noise import fewest
from planner.model import Study


def _exact(study: Study) -> Study:
    return exactly(study) or study


def verdict(study: Callable[[], Study]) -> Callable[[], str]:
    """The verdict on a study."""
    return lambda: solve(_exact(study())).verdict


def fewest_participants() -> str:
    """The smallest number of people of any accurate study with noise."""
    study = replace(paper.mean_study(paper.MOVIES.base_cost), conditions=())
    return f"{solve(_exact(study), minimise='participants', prove=False).participants:,} suffice"


def closed_failure() -> str:
    """The failure probability of the printed plan."""
    failure = LaplaceMean().failure_probability(paper.EPSILON, paper.PARTICIPANTS, paper.ERROR)
    return shown(failure)


def base_cost() -> str:
    """The largest base cost."""
    largest = limit(_exact(paper.mean_study(paper.SMOKING.base_cost)), "base_cost")
    return shown(largest or 0.0)


def size_without_privacy() -> int:
    """The smallest number of people without privacy."""
    smallest = fewest(paper.ERROR, paper.FAILURE, (0.0, 1.0))
    return smallest.participants if smallest else 0


def comparison(scenario: paper.Scenario) -> Callable[[], str]:
    """Which study is cheaper."""

    def words() -> str:
        study = paper.mean_study(scenario.base_cost, worst_cost=scenario.worst_cost)
        compared = compare(_exact(study), paper.EXPOSURE)
        return f"the {compared.verdict} study is cheaper"

    return words


def private_cost() -> str:
    """The cost of the cheapest private study of film viewers."""
    answer = solve(_exact(paper.mean_study(paper.MOVIES.base_cost)))
    return shown(answer.cost) if answer.cost else answer.verdict
