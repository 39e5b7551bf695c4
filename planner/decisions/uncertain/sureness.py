"""How likely a study is feasible: for all possible inputs, for none, or for which proportion."""

from dataclasses import dataclass
from typing import Any, Literal

from planner import checks
from planner.answer.problem.vary import condition_of, with_values, without
from planner.answer.search.many import in_arrays
from planner.answer.solve import solve
from planner.decisions.uncertain.draws import Share, feasible, interval, varies_accuracy
from planner.decisions.uncertain.tornado import tornado
from planner.decisions.uncertain.uncertain_study import UncertainStudy
from planner.libraries import np
from planner.model import Study
from planner.quantities import QUANTITIES
from planner.show import Shown, view

Verdict = Literal["for all", "for some", "for none"]


@dataclass(frozen=True, repr=False)
class Sureness(Shown):
    """How likely a study is feasible.

    Attributes:
        verdict: "for all" or "for none" of the possible inputs, proved at their hardest or easiest
            values; else "for some".
        uncertain: the uncertain study.
        share: the probability that the study is feasible.
        undecided: the number of undecided draws.
        draws, seed, confidence: of the Monte Carlo interval; a proved verdict needs no draws.
        statement: why the verdict holds, in a sentence.
    """

    verdict: Verdict
    uncertain: UncertainStudy
    share: Share
    undecided: int
    draws: int
    seed: int
    confidence: float
    statement: str

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = view(type(self), "data")(self)
        return data

    def draw(self, axes: Any) -> None:
        tornado(self.uncertain).draw(axes)


def feasibility_probability(
    uncertain: UncertainStudy,
    draws: int | None = None,
    seed: int = 1,
    confidence: float = 0.95,
) -> Sureness:
    """Whether a study is feasible for all possible inputs, for none, or for which proportion.

    Every input is monotone (see `UncertainStudy`), so the study at the hardest value of each
    decides "for all", and the one at the easiest "for none"; both are proved as `planner.solve`
    proves. Otherwise the proportion is a Monte Carlo estimate; its draws are decided as in sweeps.

    Args:
        uncertain: the uncertain study.
        draws: the number of draws [100 to 10^6]; by default 10,000, or 1,000 where the
            required accuracy is uncertain and exact, so that each draw needs a search.
        seed: of the draws; the same seed gives the same answer [≥ 0].
        confidence: of the interval [(0, 1)].

    Raises:
        ValueError: an argument is outside its range.
    """
    if draws is None:
        draws = default_draws(uncertain)
    checks.whole("draws", draws, 100, 10**6)  # intervals of 95 % are within 0.1 to 0.001
    checks.whole("seed", seed, 0)
    checks.probability("confidence", confidence)
    verdict, statement = _proved(uncertain)
    share, undecided = Share(*[float(verdict == "for all")] * 3), 0
    if verdict == "for some":
        verdicts = feasible(uncertain.study, uncertain.drawn(draws, seed, 0))
        yes, undecided = int(np.sum(verdicts == 1)), int(np.sum(verdicts == -1))
        share = interval(yes, draws, confidence, undecided)
    return Sureness(verdict, uncertain, share, undecided, draws, seed, confidence, statement)


def default_draws(uncertain: UncertainStudy) -> int:
    """A number of draws that takes seconds, not minutes."""
    names: set[str] = set(uncertain.inputs)
    return 1_000 if varies_accuracy(names) and not in_arrays(uncertain.study, names) else 10_000


def _proved(uncertain: UncertainStudy) -> tuple[Verdict, str]:
    hardest = _corner(uncertain, 0.0)
    if hardest is not None and solve(hardest).verdict == "feasible":
        return "for all", "The study at the hardest value of every input is proved feasible."
    easiest = _corner(uncertain, 1.0)
    if easiest is not None and solve(easiest).verdict == "infeasible":
        return "for none", "The study at the easiest value of every input is proved infeasible."
    return "for some", "Neither extreme of the inputs decides it, so studies were sampled."


def _corner(uncertain: UncertainStudy, share: float) -> Study | None:
    """The study with every input at its hardest (0) or easiest (1) value; or None.

    An infinite cap is no cap. A value that is not attained is replaced by an easier one: if that
    study is infeasible, so are all.
    """
    study, values = uncertain.study, {}
    for name in uncertain.inputs:
        value = uncertain.ease(name, share)
        if QUANTITIES[name].more_is_harder or 0 < value < float("inf"):
            values[name] = value
        elif condition_of(name) and value:
            study = without(study, name)
        else:
            return None
    if any(value == float("inf") for value in values.values()):
        return None
    try:
        return with_values(study, uncertain.completed(values))
    except (
        ValueError
    ):  # the end that is not attained is not a valid study, such as a family's cost of 0
        return None
