"""Results of the exact analysis where Hsu14 relies on bounds."""

from collections.abc import Callable
from dataclasses import replace

from planner.answer.answers import Plan
from planner.answer.problem.problem import exactly
from planner.answer.solve import solve
from planner.audit import paper
from planner.audit.claim import shown
from planner.comparison.compare import compare
from planner.comparison.fewest import fewest
from planner.decisions.limits import limit
from planner.mechanisms import LaplaceMean
from planner.model import Costs, Individual, Study

_PER_PERSON = 5.0  # recruiting: without it more people are cheaper without end, by every bound


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


def cost_of_a_mean() -> str:
    """The least cost of a mean by eq. 5, by two closer bounds, and what no bound can be under."""
    study = Study(
        mechanism=LaplaceMean(analysis="paper"),
        target=paper.TARGET,
        individual=Individual(paper.EDUCATION.base_cost),
        costs=Costs(per_person=_PER_PERSON),
    )
    by_hoeffding = LaplaceMean(analysis="hoeffding")
    any_values, zero_one = LaplaceMean(values="any"), LaplaceMean(values="zero-one")
    mechanisms = (study.mechanism, by_hoeffding, any_values, zero_one)
    answers = (solve(study.by(mechanism), prove=False) for mechanism in mechanisms)
    paper_, hoeffding, convex, least = (
        f"{answer.cost:,.2f}" if isinstance(answer, Plan) else answer.verdict for answer in answers
    )
    return (
        f"at T = α = {paper.ERROR}, E = {study.individual.base_cost} and {_PER_PERSON:g} a person "
        f"the cheapest study of a mean of any values in a range costs {paper_} by eq. 5, "
        f"{hoeffding} by Hoeffding's bound and {convex} by the convex order; zero-one values need "
        f"{least}"
    )


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
