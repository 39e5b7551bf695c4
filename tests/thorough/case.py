"""A study as plain numbers, which the oracle reads, and as Python code for the program."""

from dataclasses import dataclass, fields

EXACT = ("laplace", "geometric", "gaussian", "reports")
"""Mechanisms whose failure probability is exact, and saw-tooths."""
APPROXIMATE = ("gaussian", "mwem-approximate")
"""Mechanisms that need δ > 0."""
MEANS = ("paper", "hoeffding", "coins", *EXACT)


@dataclass(frozen=True)
class Case:
    """A study; None leaves a condition out.

    Attributes:
        mechanism: "paper", "hoeffding" (analyses of Laplace noise), "laplace", "geometric",
            "gaussian" (exact), "coins", "reports" (randomised response, by a bound and exact),
            "mwem", "mwem-approximate".
        people: the cap on N.
        targeted: probability and universe size of a targeted publication.
        drawn_from: M, of whom the people are drawn without replacement; of exact analyses with
            noise.
    """

    mechanism: str
    error: float
    failure: float
    people: int
    mean_range: tuple[float, float] = (0.0, 1.0)
    universe_size: int = 2
    queries: int = 1
    constant: str = "derived"
    base_cost: float = 1.0
    worst_cost: float | None = None
    capped: bool = False
    family: int = 1
    budget: float | None = None
    harm: float | None = None
    at_least: int | None = None
    epsilon_at_most: float | None = None
    one_over_n: bool = False
    targeted: tuple[float, int] | None = None
    delta: float | None = None
    per_person: float = 0.0
    overhead: float = 0.0
    incentive: float = 0.0
    drawn_from: int | None = None

    @property
    def exact(self) -> bool:
        """Whether the failure probability is exact."""
        return self.mechanism in EXACT

    @property
    def fixed_delta(self) -> float:
        """δ of every plan."""
        return self.delta or 0.0


def mechanism_code(case: Case) -> str:
    """The mechanism as Python code."""
    match case.mechanism:
        case "mwem":
            return f"planner.Mwem({case.universe_size}, {case.queries})"
        case "mwem-approximate":
            sizes = f"{case.universe_size}, {case.queries}"
            return f"planner.MwemApproximate({sizes}, constant={case.constant!r})"
        case "geometric" | "gaussian":
            name = f"{case.mechanism.capitalize()}Mean"
            return f"planner.{name}(mean_range={case.mean_range!r})"
    if case.mechanism in ("coins", "reports"):
        analysis = "hoeffding" if case.mechanism == "coins" else "exact"
        return f"planner.RandomizedResponse({analysis!r}, {case.mean_range!r})"
    analysis = "exact" if case.mechanism == "laplace" else case.mechanism
    return f"planner.LaplaceMean({analysis!r}, mean_range={case.mean_range!r})"


def individual_code(case: Case) -> str:
    """The individual as Python code."""
    more = f", {case.worst_cost!r}" if case.worst_cost is not None else ""
    more += ", capped=True" if case.capped else ""
    more += f", family={case.family}" if case.family > 1 else ""
    return f"planner.Individual({case.base_cost!r}{more})"


def conditions_code(case: Case) -> str:
    """The conditions as Python code."""
    simple = {
        "Budget": case.budget,
        "MaxHarm": case.harm,
        "MaxParticipants": case.people,
        "MinParticipants": case.at_least,
        "EpsilonAtMost": case.epsilon_at_most,
        "Delta": case.delta,
    }
    parts = [f"planner.{kind}({value!r})" for kind, value in simple.items() if value is not None]
    if case.one_over_n:
        parts.append("planner.EpsilonAtLeastOneOverN()")
    if case.targeted:
        parts.append("planner.TargetedPublication({!r}, {!r})".format(*case.targeted))
    return f"[{', '.join(parts)}]"


def code(case: Case) -> str:
    """The study as Python code that needs only `import planner`."""
    parts = [
        mechanism_code(case),
        f"planner.Accuracy({case.error!r}, {case.failure!r})",
        individual_code(case),
        conditions_code(case),
    ]
    if case.per_person or case.overhead or case.incentive:
        more = f", incentive={case.incentive!r}" if case.incentive else ""
        parts.append(f"planner.Costs({case.per_person!r}, {case.overhead!r}{more})")
    if case.drawn_from:
        parts.append(f"sampling=planner.Sampling({case.drawn_from!r})")
    return f"planner.Study({', '.join(parts)})"


def differing(case: Case) -> dict[str, object]:
    """The fields whose values are not the default ones."""
    return {
        field.name: getattr(case, field.name)
        for field in fields(Case)
        if getattr(case, field.name) != field.default
    }
