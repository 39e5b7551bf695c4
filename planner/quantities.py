"""The quantities: one row each, which limits, prices, sweeps, sliders and files all read.

Adding a quantity means adding a row to `QUANTITIES`; `answer.problem.vary` reads it from a study
and sets it by the place that the row names. `explanation.vocabulary` explains them to readers.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple


class Quantity(NamedTuple):
    """A quantity of a study that can be varied.

    Attributes:
        name: in the vocabulary.
        words: in a sentence, without an article.
        asked: in a sentence, with an article.
        unit: "money" (the study's currency), "people" or "1".
        section: the section of a study file that holds it.
        key: its key there.
        allowed: the type in `planner.checks` that says what it can be.
        title: its long name in tables and datasets.
        symbol: in formulas, where it is a number of the target, the individual or the costs.
        accuracy: whether the smallest ε that the accuracy requires depends on it.
        condition: the condition that it is, and the field that holds it, where it is one.
        more_is_harder: whether a study with more of it is harder; else easier.
        whole: whether it is a count.
        easiest: a value at which no study fails for it, where that is known beforehand.
        limited: whether its limit is searched.
        swept: whether a sweep can vary it.
        priced: whether it has a shadow price.
        complement: what people name in its place, where that is one less it.
        shown_in: the unit of a proportion of 1 as people read it: "percentage points", "%" or none.
    """

    name: str
    words: str
    asked: str
    unit: str
    section: str
    key: str
    allowed: str
    title: str
    symbol: str = ""
    accuracy: bool = False
    condition: str = ""
    more_is_harder: bool = False
    whole: bool = False
    easiest: float | None = None
    limited: bool = True
    swept: bool = True
    priced: bool = True
    complement: str = ""
    shown_in: str = ""

    @property
    def money(self) -> bool:
        """Whether it is in the study's currency."""
        return self.unit == "money"

    @property
    def input(self) -> str:
        """Its name where its value is given: a bound is the maximum of what it bounds."""
        if self.words.startswith("cap on"):
            return self.title
        return f"maximum {self.words}" if self.title.startswith("maximum") else self.words

    @property
    def dimension(self) -> str:
        """Its name in tables of results, where a cap is not what is chosen under it."""
        return {"delta": "fixed_delta"}.get(self.name, self.key) if self.condition else self.name

    def check(self, value: Any) -> None:
        """Refuse a value that it cannot have.

        Raises:
            pydantic.ValidationError: quotes the value, and says what to give.
        """
        from pydantic import TypeAdapter

        from planner import checks

        TypeAdapter(getattr(checks, self.allowed)).validate_python(value)


class _Rows(dict[str, Quantity]):
    """The rows by name; "NAME.error" is that of the question NAME of a survey."""

    def __missing__(self, name: str) -> Quantity:
        question, _, field = name.rpartition(".")
        if not question or field not in OF_QUESTIONS:
            raise KeyError(name)
        row = OF_QUESTIONS[field]
        of = f" of {question!r}"
        complement = row.complement and row.complement + of
        return row._replace(
            name=name, words=row.words + of, asked=row.asked + of, complement=complement
        )


OF_QUESTIONS = {
    row.name: row
    for row in (
        Quantity(
            "error", "margin of error", "a margin of error", "1", "question", "error", "Positive",
            title="additive error tolerated",
            accuracy=True,
            shown_in="percentage points",
        ),
        Quantity(
            "failure", "probability of a larger error", "a probability of a larger error",
            "1", "question", "failure", "Failure",
            title="probability of a larger error",
            accuracy=True,
            easiest=1 - 2**-53,
            complement="confidence",
            shown_in="%",
        ),
        Quantity(
            "groups", "number of groups", "a number of groups", "1", "question", "groups", "Groups",
            title="groups of a histogram",
            accuracy=True,
            more_is_harder=True,
            whole=True,
            limited=False,
        ),
        Quantity(
            "candidates", "number of candidates", "a number of candidates",
            "1", "question", "candidates", "Candidates",
            title="candidates for a quantile",
            accuracy=True,
            more_is_harder=True,
            whole=True,
            limited=False,
        ),
        Quantity(
            "share_at_least", "least size of a group", "a least size of a group",
            "1", "question", "share_at_least", "GroupShare",
            title="least proportion of all people in a group whose error holds",
            accuracy=True,
            easiest=1.0,
            shown_in="%",
        ),
        Quantity(
            "times", "repetitions", "a number of repetitions",
            "1", "question", "times", "Queries",
            title="questions alike",
            accuracy=True,
            more_is_harder=True,
            whole=True,
            limited=False,
            priced=False,
        ),
    )
}  # fmt: skip
"""The quantities of one question of a survey, by their keys."""
QUANTITIES = _Rows(
    (row.name, row)
    for row in (
        Quantity(
            "base_cost", "base cost", "a base cost", "money", "individual", "base_cost", "Cost",
            title="what a person risks losing anyway",
            symbol="E",
            more_is_harder=True,
            easiest=0.0,
        ),
        Quantity(
            "worst_cost", "worst cost", "a worst cost", "money", "individual", "worst_cost", "Cost",
            title="cost of a record published with its name",
            symbol="W",
            more_is_harder=True,
        ),
        Quantity(
            "budget", "budget", "a budget", "money", "conditions", "budget", "Money",
            title="budget",
            condition="Budget.money",
            easiest=1e+290,
        ),
        Quantity(
            "harm", "harm per person", "a harm per person",
            "money", "conditions", "max_harm", "Money",
            title="maximum harm per person",
            condition="MaxHarm.money",
            easiest=1e+290,
        ),
        Quantity(
            "error", "margin of error", "a margin of error", "1", "target", "error", "Error",
            title="additive error tolerated",
            symbol="T",
            accuracy=True,
            easiest=1.0,
            shown_in="percentage points",
        ),
        Quantity(
            "failure", "probability of a larger error", "a probability of a larger error",
            "1", "target", "failure", "Failure",
            title="probability of a larger error",
            symbol="alpha",
            accuracy=True,
            easiest=1 - 2**-53,
            complement="confidence",
            shown_in="%",
        ),
        Quantity(
            "times_error", "factor on all errors", "a factor on all errors",
            "1", "target", "times_error", "Positive",
            title="factor on the error of every question",
            accuracy=True,
            priced=False,
        ),
        Quantity(
            "power", "power", "a power", "1", "target", "power", "Probability",
            title="probability to find the alternative",
            accuracy=True,
            more_is_harder=True,
            shown_in="%",
        ),
        Quantity(
            "change", "change of the proportion", "a change of the proportion",
            "1", "target", "change", "Share",
            title="distance of the alternative from the null value",
            symbol="d",
            accuracy=True,
            shown_in="percentage points",
        ),
        Quantity(
            "significance", "significance", "a significance",
            "1", "target", "significance", "Probability",
            title="largest probability to reject at the null value",
            accuracy=True,
            shown_in="%",
        ),
        Quantity(
            "participants", "cap on participants", "a cap on participants",
            "people", "conditions", "max_participants", "Participants",
            title="maximum number of participants",
            condition="MaxParticipants.n",
            whole=True,
        ),
        Quantity(
            "min_participants", "minimum number of participants",
            "a minimum number of participants",
            "people", "conditions", "min_participants", "Participants",
            title="minimum number of participants",
            condition="MinParticipants.n",
            more_is_harder=True,
            whole=True,
            limited=False,
        ),
        Quantity(
            "epsilon", "ε", "a cap on ε", "1", "conditions", "epsilon_at_most", "Epsilon",
            title="maximum epsilon",
            condition="EpsilonAtMost.x",
            easiest=1e+290,
        ),
        Quantity(
            "delta", "δ", "a δ", "1", "conditions", "delta", "DeltaValue",
            title="delta",
            condition="Delta.value",
            easiest=1 - 2**-53,
        ),
        Quantity(
            "queries", "number of queries", "a number of queries",
            "1", "mechanism", "queries", "Queries",
            title="counting queries",
            accuracy=True,
            more_is_harder=True,
            whole=True,
        ),
        Quantity(
            "per_person", "cost of recruiting a person", "a cost of recruiting a person",
            "money", "costs", "per_person", "Cost",
            title="cost of recruiting a person",
            symbol="c",
            more_is_harder=True,
            limited=False,
        ),
        Quantity(
            "overhead", "overhead", "an overhead", "money", "costs", "overhead", "Cost",
            title="cost of the study as a whole",
            symbol="F",
            more_is_harder=True,
            limited=False,
        ),
        Quantity(
            "population", "population", "a population",
            "people", "sampling", "population", "Participants",
            title="people of whom the participants are drawn",
            accuracy=True,
            whole=True,
            limited=False,
            priced=False,
        ),
        Quantity(
            "response_rate", "response rate", "a response rate",
            "1", "sampling", "response_rate", "Rate",
            title="proportion of those invited who take part",
            accuracy=True,
            easiest=1.0,
            priced=False,
            shown_in="%",
        ),
        Quantity(
            "design_effect", "design effect", "a design effect",
            "1", "sampling", "design_effect", "DesignEffect",
            title="variance against that of independent people",
            accuracy=True,
            more_is_harder=True,
            easiest=1.0,
            priced=False,
        ),
    )
)  # fmt: skip
"""In the order in which they are shown."""
LIMITED = tuple(name for name, row in QUANTITIES.items() if row.limited)
ACCURACY = tuple(name for name, row in QUANTITIES.items() if row.accuracy)
UNCERTAIN = tuple(
    name for name, row in QUANTITIES.items() if name != "delta" and row.section != "sampling"
)
SWEPT = tuple(name for name, row in QUANTITIES.items() if row.swept)
ALIASES = {row.key: name for name, row in QUANTITIES.items() if row.swept and row.key != name} | {
    "max_epsilon": "epsilon",  # its name in files of earlier sweeps
    "fixed_delta": "delta",
}
"""Keys of study files, and dimensions of sweeps, that differ from the vocabulary's name."""


_PLANNERS_WORDS = {
    "margin": "error", "margin_of_error": "error", "moe": "error", "precision": "error",
    "confidence": "failure", "alpha": "failure",
    "cost": "budget", "costs": "budget", "money": "budget", "price": "budget",
    "people": "participants", "n": "participants", "sample_size": "participants",
    "alternative": "change", "effect": "change", "effect_size": "change",
}  # fmt: skip
"""What people who plan surveys and trials may call a quantity."""


def of_question(name: str) -> bool:
    """Whether it is a quantity of one question of a survey."""
    question, _, field = name.rpartition(".")
    return bool(question) and field in OF_QUESTIONS


def symbols_of(section: str) -> dict[str, str]:
    """The symbols of the quantities that a section of study files holds, by their keys."""
    return {row.key: row.symbol for row in QUANTITIES.values() if row.section == section}


def limited(name: str) -> str:
    """The vocabulary's name of a quantity that may be given by its key, after its section or not.

    A section of study files comes before a question of this name.
    """
    if name in QUANTITIES:
        return name
    section, dot, key = name.rpartition(".")
    for row in QUANTITIES.values():
        known = key in (row.key, row.name, row.complement or row.name)
        if row.limited and known and section == (row.section if dot else ""):
            return row.name
    return name


def hint(name: str, known: Iterable[str], choices: Sequence[str]) -> str:
    """The end of a message about a name that is none: what may be meant, or all that there is."""
    word = _PLANNERS_WORDS.get(name.lower().replace("-", "_").replace(" ", "_"))
    near = [word] if word in choices else get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"give one of {', '.join(choices)}"


def named(name: str) -> str:
    """The vocabulary's name of a quantity that can be swept.

    Raises:
        ValueError: no quantity has this name.
    """
    if name in SWEPT or of_question(name):
        return name
    if name in ALIASES:
        return ALIASES[name]
    raise ValueError(f"{name!r} cannot be swept; {hint(name, [*SWEPT, *ALIASES], SWEPT)}")
