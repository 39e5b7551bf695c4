"""A study of several questions as plain numbers, as Python code, and drawn at random."""

import math
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from tests.thorough import oracle_survey as oracle
from tests.thorough.oracle_questions import Asked

Rng = np.random.Generator
_CANDIDATES = (2, 3, 10, 100, 10**6)
_LONG, _SHORT = 25, 3
"""How many sizes are tried, where they are few or a bound is quick, and else."""
_RATE = 0.8
"""Two groups are asked for as a share among so many who answer, with an error of up to 1."""
_HOPELESS = 0.15
"""How often a sample of this size is off by itself: α is then relaxed to where chance may do."""
_LITTLE_MONEY = 0.2
"""How often money is far from enough, so that what is relaxed goes far too."""


@dataclass(frozen=True)
class Case:
    """A survey of N = least … most people, each paid (e^ε − 1)·E + δW and `per_person`.

    Attributes:
        failure: α of all questions together.
        budget, epsilon_at_most: one of them or neither.
    """

    questions: tuple[Asked, ...]
    failure: float
    noise: str
    analysis: str
    delta: float
    least: int
    most: int
    base_cost: float = 1.0
    worst_cost: float = 10.0
    per_person: float = 0.0
    budget: float | None = None
    epsilon_at_most: float | None = None
    population: int | None = None
    clusters: int = 1

    def asked(self, n: int) -> tuple[Asked, ...]:
        """The questions of a sample of N, which counts as other independent people may."""
        left = 1.0
        if self.population is not None:
            m = self.population
            left = max(min(1 - (n - 1) / m, (1 - n / m) * (1 + 1 / n)), 1e-30)
        return tuple(q._replace(counts=n / (self.clusters * left)) for q in self.questions)

    @property
    def spent(self) -> float:
        """The δ of a plan."""
        return self.delta if self.noise == "gaussian" else 0.0

    def cost(self, n: int, epsilon: float) -> float:
        """Money."""
        growth = math.expm1(epsilon) if epsilon < 709 else math.inf  # beyond floats
        owed = growth * self.base_cost + self.spent * self.worst_cost
        return n * (owed + self.per_person)

    def allowed(self, n: int, epsilon: float) -> bool:
        """Whether the ceilings allow an ε."""
        affordable = self.budget is None or self.cost(n, epsilon) <= self.budget
        within = math.isfinite(epsilon) and epsilon <= (self.epsilon_at_most or math.inf)
        return within and affordable


def code(case: Case) -> str:
    """The study as Python code that needs only `import planner`."""
    questions = ", ".join(_question(i, q) for i, q in enumerate(case.questions))
    conditions = [f"planner.MaxParticipants({case.most})", f"planner.MinParticipants({case.least})"]
    if case.spent:
        conditions.append(f"planner.Delta({case.delta!r})")
    if case.budget is not None:
        conditions.append(f"planner.Budget({case.budget!r})")
    if case.epsilon_at_most is not None:
        conditions.append(f"planner.EpsilonAtMost({case.epsilon_at_most!r})")
    return (
        f"planner.Study(planner.AddedNoise({case.noise!r}, {case.analysis!r}), "
        f"planner.Survey([{questions}], failure={case.failure!r}), "
        f"planner.Individual({case.base_cost!r}, {case.worst_cost!r}), [{', '.join(conditions)}], "
        f"planner.Costs({case.per_person!r}), "
        f"sampling=planner.Sampling({case.population!r}, clusters_of={case.clusters}))"
    )


def _question(index: int, asked: Asked) -> str:
    own = f"'q{index}', error={asked.error!r}, times={asked.times}"
    if asked.answer_rate is not None:
        error = float(Decimal(repr(asked.error)) / Decimal(repr(asked.answer_rate)))
        rate = f"missing='own', answer_rate={asked.answer_rate}"
        if asked.kind == "mean":  # of those who answer: two means of all people
            name = f"name='q{index}', low=0, high=1"
            return f"planner.Mean({name}, error={error!r}, times={asked.times // 2}, {rate})"
        return f"planner.Share('q{index}', error={error!r}, times={asked.times}, {rate})"
    if asked.kind == "by-group":
        labels = [f"group {g}" for g in range(asked.size)]
        more = f"by='group', labels={labels}, share_at_least={asked.share_at_least!r}"
        return f"planner.ShareByGroup({own}, {more})"
    more = {
        "share": "",
        "histogram": f", groups={asked.size}",
        "mean": ", low=0, high=1",
        "quantile": f", candidates={asked.size}",
    }[asked.kind]
    kind = asked.kind.capitalize()
    return f"planner.{kind}({own}{more})"


def draw(rng: Rng) -> Case:
    """One survey, its ceiling often near the edge."""
    noise = str(rng.choice(["laplace", "laplace", "gaussian"]))
    analysis = str(rng.choice(["hoeffding", "exact", "exact"]))
    failures = rng.uniform(0.02, 0.6), np.exp(rng.uniform(-9, -1)), rng.uniform(0.5, 0.99)
    failure = float(f"{rng.choice(failures, p=[0.45, 0.45, 0.1]):.2g}")
    n = int(rng.choice([rng.integers(2, 30), rng.integers(30, 200), rng.integers(201, 300)]))
    many = analysis == "hoeffding" or n < 30
    questions = _questions(rng, noise, n, failure)
    case = Case(
        questions, failure, noise, analysis,
        delta=float(rng.choice([0.01, 1e-4, 1e-8])),
        least=max(1, n - int(rng.integers(_LONG if many else _SHORT))),
        most=n,
        per_person=float(rng.choice([0.0, 0.1, 10.0, 80.0, 1000.0])),
    )  # fmt: skip
    if analysis == "hoeffding" and not any(q.of_candidates for q in questions):
        case = _as_it_is(rng, case)
    return _near_the_edge(rng, case)


def _as_it_is(rng: Rng, case: Case) -> Case:
    """Half of such surveys are of a population or of clusters."""
    drawn = rng.random()
    if drawn < 0.4:
        people = int(case.most * rng.choice([1.0, 1.01, 1.3, 3.0, 20.0])) + int(rng.integers(2))
        return replace(case, population=people)
    divided = any(question.kind == "by-group" for question in case.questions)
    return replace(case, clusters=2) if drawn < 0.5 and not divided else case


def _questions(rng: Rng, noise: str, n: int, failure: float) -> tuple[Asked, ...]:
    kinds = ["share", "share", "histogram", "mean", "by-group"]
    if noise == "laplace":
        kinds += ["quantile"]
    asked, left = [], int(rng.integers(2, 5))
    scales = (0.3, 0.7) if rng.random() < _HOPELESS else (0.7, 2.5)
    while left:
        kind = str(rng.choice(kinds))
        size = 1
        if kind == "histogram":
            size = int(rng.choice([2, 3, 4, 8]))
        if kind == "quantile":
            # of few candidates one drawn at random may be right often enough
            size = int(rng.choice(_CANDIDATES if failure < 0.5 else _CANDIDATES[:2]))
        least = 1.0
        if kind == "by-group":
            size, least = int(rng.choice([2, 3, 6])), float(rng.choice([0.3, 0.6, 1.0]))
        times = int(rng.integers(1, left + 1)) if rng.random() < 0.3 else 1
        # about what a sample of this size can be right to, or a round one
        needed = math.sqrt(math.log(6 * size / failure) / (2 * n * least))
        error = max(float(f"{min(1.0, needed * rng.uniform(*scales)):.2g}"), 0.01)
        if kind in ("by-group", "quantile"):
            error = min(error, 0.5)
        one = Asked(kind, error, size, times, share_at_least=least)
        two = (kind, size) == ("histogram", 2) or (kind == "mean" and times % 2 == 0)
        if two and error <= _RATE:
            one = one._replace(answer_rate=_RATE)
        asked.append(one)
        left -= times
    return tuple(asked)


def _near_the_edge(rng: Rng, case: Case) -> Case:
    if rng.random() < 0.15:
        return case
    n = int(rng.integers(case.least, case.most + 1))
    epsilon = least_epsilon(case, n, case.failure)
    if not 1e-6 < epsilon < 100:
        return case
    step = float(rng.choice([-1, 1])) * 10 ** -float(rng.integers(1, 7))
    if rng.random() < _LITTLE_MONEY:
        return replace(case, budget=float(case.cost(n, epsilon) * rng.uniform(0.05, 0.9)))
    if rng.random() < 0.5:
        return replace(case, epsilon_at_most=float(epsilon * (1 + step)))
    return replace(case, budget=float(case.cost(n, epsilon * (1 + step))))


def least_epsilon(case: Case, n: int, failure: float) -> float:
    """The least ε that the oracle finds at one N; ∞ where it finds none."""
    found = oracle.best(case.asked(n), case.noise, case.analysis, n, failure)
    if found is None:
        return math.inf
    return oracle.epsilon(found.rates, case.noise, case.delta)
