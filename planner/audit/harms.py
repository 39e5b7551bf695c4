"""Hsu14 §5.2: the four cost scenarios and their verdicts."""

from planner.answer.solve import solve
from planner.audit import paper, under_exact
from planner.audit.claim import Finding, claim, logical, number, shown
from planner.numbers import decimal


def product(*factors: float) -> float:
    """The product of printed decimals, exactly."""
    result = decimal(1.0)
    for factor in factors:
        result *= decimal(factor)
    return float(result)


def verdict(base_cost: float, expected: str) -> Finding:
    """Whether the mean study has this verdict at a base cost."""
    answer = solve(paper.mean_study(base_cost))
    return logical(answer.verdict == expected, answer.verdict, why=answer.proof.statement)


@claim("5.2", "base cost of smokers", "E = 0.20 · 1274 = 254.8")
def smoking_base_cost() -> Finding:
    return number(product(0.20, 1274.0), paper.SMOKING.base_cost, 4)


@claim(
    "5.2",
    "the smoking study",
    "not feasible",
    exactly=under_exact.verdict(lambda: paper.mean_study(paper.SMOKING.base_cost)),
)
def smoking_verdict() -> Finding:
    return verdict(paper.SMOKING.base_cost, "infeasible")


@claim("5.2", "30 % of a salary of 45,000", "12,500")
def education_pay_cut() -> Finding:
    cut = product(0.30, 45_000.0)
    base_cost = product(0.001, cut)
    unchanged = solve(paper.mean_study(base_cost)).verdict == "feasible"
    return number(
        cut,
        paper.EDUCATION.worst_cost,
        3,
        follows=unchanged,
        why=f"with {shown(cut)} the base cost is {shown(base_cost)}, and the verdict the same",
    )


@claim("5.2", "base cost of students, at one chance in a thousand", "E = 0.01 · 12500 = 12.5")
def education_base_cost() -> Finding:
    in_words = product(0.001, paper.EDUCATION.worst_cost)
    return number(
        product(0.01, paper.EDUCATION.worst_cost),
        paper.EDUCATION.base_cost,
        3,
        follows=in_words == paper.EDUCATION.base_cost,
        why=f"the factor in words is 0.001, which gives {shown(in_words)}",
    )


@claim(
    "5.2",
    "the education study",
    "feasible",
    exactly=under_exact.verdict(lambda: paper.mean_study(paper.EDUCATION.base_cost)),
)
def education_verdict() -> Finding:
    return verdict(paper.EDUCATION.base_cost, "feasible")


@claim("5.2", "one chance in ten thousand", "0.00001")
def movies_probability() -> Finding:
    chance = 1 / 10_000
    used = product(chance, paper.MOVIES.worst_cost) == paper.MOVIES.base_cost
    why = "the base cost is computed with 0.0001"
    return number(chance, 0.00001, 1, follows=used, why=why)


@claim("5.2", "base cost of film viewers", "E = 0.0001 · 2500 = 0.25")
def movies_base_cost() -> Finding:
    return number(product(0.0001, 2500.0), paper.MOVIES.base_cost, 2)


@claim(
    "5.2",
    "the movie ratings study",
    "feasible",
    exactly=under_exact.verdict(lambda: paper.mean_study(paper.MOVIES.base_cost)),
)
def movies_verdict() -> Finding:
    return verdict(paper.MOVIES.base_cost, "feasible")


@claim("5.2", "base cost in social networks", "E = 0.00001 · 100000 = 1")
def social_base_cost() -> Finding:
    return number(product(0.00001, 100_000.0), paper.SOCIAL.base_cost, 1)


@claim(
    "5.2",
    "the social network study",
    "feasible",
    exactly=under_exact.verdict(lambda: paper.mean_study(paper.SOCIAL.base_cost)),
)
def social_verdict() -> Finding:
    return verdict(paper.SOCIAL.base_cost, "feasible")
