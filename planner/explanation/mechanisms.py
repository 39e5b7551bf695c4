"""What is known of each kind of mechanism, in words and in symbols."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from planner import numbers
from planner.libraries import sympy
from planner.mechanisms import (
    AddedNoise,
    ExponentialQuantile,
    GaussianMean,
    GeometricCount,
    GeometricMean,
    LaplaceMean,
    Mechanism,
    Mwem,
    MwemApproximate,
    Net,
    NoisyCounts,
    RandomizedResponse,
    hoeffding,
    net,
)
from planner.mechanisms.difference_floor import DifferenceFloor
from planner.mechanisms.floor import Floor, FloorSum
from planner.mechanisms.kinds import is_for_any_values
from planner.mechanisms.noisy_counts import ErrorOfDifference
from planner.mechanisms.noisy_floor import CountsFloor
from planner.mechanisms.sampled import SampledFloor
from planner.mechanisms.several.survey import SurveyFloor

SYMBOLS = {"universe_size": "|X|", "queries": "|C|", "candidates": "m"}
"""The symbol of each parameter that stands in formulas."""
_MOST_WRITTEN = 8  # questions of a survey whose failures are written one by one


class Known(NamedTuple):
    """What is known of a kind of mechanism.

    Attributes:
        summary: what it answers.
        domain: the parameters for which it is defined, and its privacy.
        monotone: how the failure probability runs.
        convexity: over what the accurate studies are convex.
    """

    summary: str
    domain: str
    monotone: str
    convexity: str


_ANY_ERROR = "N ≥ 1, ε > 0, 0 < T ≤ 1"
_SAW_TOOTHS = "saw-tooths in N and, in small studies, in ε"
KNOWN = {
    LaplaceMean: Known(
        "a proportion, by the sample mean plus Laplace noise (Hsu14 §5.1)",
        f"{_ANY_ERROR}; ε-private",
        "the bounds fall with ε, N and T; the exact failure probability falls with T, and "
        f"{_SAW_TOOTHS}",
        "the bounds are convex in (N, N·ε), Hoeffding's if α ≤ e^(−1/2); not proven when exact",
    ),
    GeometricMean: Known(
        "a proportion, with two-sided geometric noise on the count (exact analysis)",
        f"{_ANY_ERROR}; ε-private; records are zero or one",
        "the failure probability falls with T; it saw-tooths in N and ε",
        "not proven",
    ),
    GaussianMean: Known(
        "a proportion, by the sample mean plus Gaussian noise (exact), δ > 0",
        f"{_ANY_ERROR}, 0 < δ < 1; (ε, δ)-private",
        f"the failure probability falls with T; it {_SAW_TOOTHS} and δ",
        "not proven",
    ),
    GeometricCount: Known(
        "a count of the participants themselves, best for any reader (Ghosh09)",
        f"{_ANY_ERROR}; ε-private; the error is a fraction of N",
        "the failure probability falls with ε and T, and in steps with N",
        "not proven",
    ),
    Mwem: Known(
        "many counting queries by multiplicative weights (Hsu14 §5.3)",
        f"{_ANY_ERROR}; ε-private",
        "the failure probability falls with ε, N and T",
        "convex in (N, N·ε): N·ε ≥ constant",
    ),
    MwemApproximate: Known(
        "many counting queries by multiplicative weights, δ > 0 (Hsu14 §8.2)",
        f"{_ANY_ERROR}, 0 < δ < 1; (ε, δ)-private",
        "the failure probability falls with ε, N, T and δ",
        "convex in (N, N·ε) at fixed δ, not where δ is free",
    ),
    Net: Known(
        "many counting queries by a small synthetic database (Naor, BLR08)",
        f"{_ANY_ERROR}; ε-private",
        "the failure probability falls with ε, N and T",
        "convex in (N, N·ε): N·ε ≥ constant",
    ),
    ExponentialQuantile: Known(
        "a quantile of numbers, by the exponential mechanism over candidates",
        f"{_ANY_ERROR}; ε-private; the error is in rank",
        "the failure probability falls with ε, N and T",
        "convex in (N, N·ε) if α ≤ 1/4",
    ),
    AddedNoise: Known(
        "noise on every answer of a survey of several questions",
        "N ≥ 1, ε > 0; δ > 0 with Gaussian noise",
        "as its questions; by Hoeffding's bound the floor falls with N",
        "by Hoeffding's bound and Laplace noise; else not proven",
    ),
    RandomizedResponse: Known(
        "a proportion without a curator: each randomises their own answer",
        f"{_ANY_ERROR}; ε-private",
        "the bound falls with ε, N and T; the exact failure probability falls with T, and "
        f"{_SAW_TOOTHS}",
        "N·ε grows as √N; the cost is convex in √N by the bound",
    ),
    NoisyCounts: Known(
        "one noisy count of each of two groups, or of all people",
        "N ≥ 1, ε > 0; ε-private",
        "computed, as tests are not smooth",
        "not proven",
    ),
}


def symbols_of(mechanism: Mechanism) -> dict[str, str]:
    """The symbol of each of its parameters that stands in `formulas`."""
    return {name: symbol for name, symbol in SYMBOLS.items() if hasattr(mechanism, name)}


def formulas(kind: type[Mechanism]) -> dict[str, "sympy.Expr"]:
    """The failure probability in symbols, for typesetting, by analysis (or "" for one)."""
    return _FORMULAS[kind]()


def formula_of(floor: Floor) -> "sympy.Expr":
    """What a plan fails with by a floor, in symbols, for typesetting."""
    match floor:
        case CountsFloor():
            return _of_counts(floor)
        case FloorSum():
            return sympy.Tuple(*map(formula_of, floor.floors))
        case SampledFloor():
            return _hoeffding()
        case SurveyFloor():
            return _union(floor)
        case DifferenceFloor():
            return _of_difference(floor)
    mechanism: Mechanism = floor.mechanism  # type: ignore[attr-defined]
    return formulas(type(mechanism))[_variant(mechanism)]


def _variant(mechanism: Mechanism) -> str:
    analysis: str = getattr(mechanism, "analysis", "") or getattr(mechanism, "constant", "")
    if isinstance(mechanism, LaplaceMean | GaussianMean) and analysis != "hoeffding":
        return "any" if is_for_any_values(mechanism) else analysis
    return analysis


def _numbers() -> tuple["sympy.Symbol", ...]:
    return sympy.symbols("N T epsilon", positive=True)


def _exactly(law: str, any_values: bool = False) -> "sympy.Expr":
    """The failure probability, as what it is; for any values the bound on it."""
    if any_values:
        bound = "min over convex φ ≥ Pr[Z ≥ N(μ + T) − s] of E φ(K), and of the other side"
        return sympy.Symbol(f"max over μ of {bound}, {law}")
    return sympy.Symbol(f"max over μ of Pr[|K/N + Z/N − μ| ≥ T], {law}")


def _hoeffding() -> "sympy.Expr":
    """The bound at a split s."""
    s = sympy.Symbol("s", positive=True)
    return hoeffding.bound(s, *_numbers())


def _laplace_mean() -> dict[str, "sympy.Expr"]:
    n, t, epsilon = _numbers()
    return {
        "exact": _exactly("Z ∝ exp(−ε|z|)"),
        "any": _exactly("Z ∝ exp(−ε|z|)", any_values=True),
        "hoeffding": _hoeffding(),
        "paper": LaplaceMean(analysis="paper").failure_probability(epsilon, n, t),  # Hsu14 eq. 5
    }


def _gaussian_mean() -> dict[str, "sympy.Expr"]:
    noise = "Z normal with the smallest deviation that is (ε, δ)-private"
    return {"": _exactly(noise), "any": _exactly(noise, any_values=True)}


def _geometric_count() -> dict[str, "sympy.Expr"]:
    n, t, epsilon = _numbers()
    return {"": 2 * sympy.exp(-epsilon * sympy.ceiling(n * t)) / (1 + sympy.exp(-epsilon))}


def _size(**attributes: str) -> Any:
    """A stand-in for a mechanism whose |X| and |C| are symbols."""
    names = ("universe_size", "queries")
    sizes = {name: sympy.Symbol(SYMBOLS[name], positive=True) for name in names}
    return SimpleNamespace(**sizes, **attributes)


def _mwem() -> dict[str, "sympy.Expr"]:
    n, t, epsilon = _numbers()
    return {"": Mwem.failure_probability(_size(), epsilon, n, t)}


def _mwem_approximate() -> dict[str, "sympy.Expr"]:
    (n, t, epsilon), delta = _numbers(), sympy.Symbol("delta", positive=True)
    of = MwemApproximate.failure_probability
    constants = ("derived", "printed")
    return {constant: of(_size(constant=constant), epsilon, n, t, delta) for constant in constants}


def _net() -> dict[str, "sympy.Expr"]:
    """The bound in symbols, at the best split where that is under 1."""
    n, t, epsilon = _numbers()
    # sizes by their logarithms, which SymPy would otherwise take apart
    size, queries = sympy.symbols("ln|X| ln(2|C|)", positive=True)
    sized: Any = SimpleNamespace(universe_size=sympy.exp(size), queries=sympy.exp(queries) / 2)
    exponent = sympy.expand(net.at_best_split(sized, epsilon * n, t, numbers.symbols()).args[0])
    named = _size()
    logs = {size: sympy.log(named.universe_size), queries: sympy.log(2 * named.queries)}
    return {"": named.universe_size * sympy.exp((exponent - size).subs(logs))}


def _quantile() -> dict[str, "sympy.Expr"]:
    (n, t, epsilon), (s, m) = _numbers(), sympy.symbols("s m", positive=True)
    odds = (m - 1) * sympy.exp(epsilon * n * (s - 1) * t / 2)
    return {"": 2 * sympy.exp(-2 * n * (s * t) ** 2) + odds / (1 + odds)}


def _added_noise() -> dict[str, "sympy.Expr"]:
    i, m = sympy.symbols("i m", integer=True, positive=True)
    total = sympy.Sum(sympy.Function("f")(i), (i, 1, m))
    return {"exact": total, "hoeffding": total}


def _randomized_response() -> dict[str, "sympy.Expr"]:
    n, t, epsilon = _numbers()
    bound = 2 * sympy.exp(-2 * n * t**2 * sympy.tanh(epsilon / 2) ** 2)
    exact = sympy.Symbol("max over μ of Pr[|Y/N − λ| ≥ T(p − q)], Y ~ Binomial(N, λ)")
    return {"exact": exact, "hoeffding": bound}


def _of_counts(floor: CountsFloor) -> "sympy.Expr":
    """What a study by noisy counts fails with, in words and symbols."""
    if isinstance(floor, ErrorOfDifference):
        return formulas(NoisyCounts)[""]
    return sympy.Symbol("Pr[z < c] at the alternative" if floor.groups == 2 else "Pr[Y < c] there")


def _noisy_counts() -> dict[str, "sympy.Expr"]:
    return {"": sympy.Symbol("max over p, q of Pr[|Y₁/n₁ − Y₂/n₂ − p + q| ≥ T]")}


_FORMULAS = {
    LaplaceMean: _laplace_mean,
    GeometricMean: lambda: {"": _exactly("whole Z ∝ exp(−ε|z|)")},
    GaussianMean: _gaussian_mean,
    GeometricCount: _geometric_count,
    Mwem: _mwem,
    MwemApproximate: _mwem_approximate,
    Net: _net,
    ExponentialQuantile: _quantile,
    AddedNoise: _added_noise,
    RandomizedResponse: _randomized_response,
    NoisyCounts: _noisy_counts,
}


def _union(floor: SurveyFloor) -> "sympy.Expr":
    """The union bound: the failure probability of each kind of question, as often as asked."""
    if len(floor.parts) > _MOST_WRITTEN:
        i = sympy.Symbol("i", integer=True)
        return sympy.Sum(sympy.Function("f")(i), (i, 1, sum(floor.times)))
    failures = sympy.symbols(f"f_1:{len(floor.parts) + 1}")
    products = (n * f for n, f in zip(floor.times, failures, strict=True))
    return sympy.Add(*products, evaluate=False)


def _of_difference(floor: DifferenceFloor) -> "sympy.Expr":
    formula = formula_of(floor.one)
    if floor.exact:  # what it is, in words and symbols
        halved = str(formula).replace("T(", "T·(").replace("T", "T/2")
        return sympy.Symbol(halved.replace("Y", "K"))  # counted, and not those of yes
    return formula.subs({s: s / 2 for s in formula.free_symbols if s.name == "T"})
