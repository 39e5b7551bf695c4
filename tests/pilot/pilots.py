"""Invented pilots: people with log-normal base costs who answer offers."""

import math

import numpy as np

from planner.pilot import Answers

MEDIAN, FACTOR = 12.5, 2.0
PER_COST = math.expm1(math.log(2))  # what is paid for each unit of base cost at ε = ln 2
LEVELS = np.array([2.0, 5.0, 8.0, 12.0, 16.0, 24.0, 40.0, 60.0])
NOBODY = np.array([])


def base_costs(seed: int, people: int) -> np.ndarray:
    normal = np.random.default_rng(seed).standard_normal(people)
    return MEDIAN * np.exp(math.log(FACTOR) * normal)


def yes_or_no(seed: int, people: int = 400, levels: np.ndarray | None = None) -> Answers:
    """One answer a person to an offer between 1 and 60, or of some levels, at ε = ln 2."""
    rng = np.random.default_rng(1_000_000 + seed)
    paid = rng.uniform(1, 60, people) if levels is None else rng.choice(levels, people)
    offers = paid / PER_COST
    yes = base_costs(seed, people) <= offers
    return Answers(np.where(yes, -np.inf, offers), np.where(yes, offers, np.inf), offers, NOBODY)


def mixed(seed: int, people: int = 300) -> Answers:
    """Answers to one, two or three offers, and some people's own amounts."""
    rng = np.random.default_rng(2_000_000 + seed)
    low, high = np.full(people, -np.inf), np.full(people, np.inf)
    offers = np.full(people, np.nan)
    for i, cost in enumerate(base_costs(seed, people)):
        asked = rng.choice(LEVELS, rng.integers(0, 4), replace=False)
        if not asked.size:
            low[i] = high[i] = cost
            continue
        offers[i] = asked[0] if asked.size == 1 else np.nan
        low[i] = max(asked[asked < cost], default=-np.inf)
        high[i] = min(asked[asked >= cost], default=np.inf)
    return Answers(low, high, offers, NOBODY)
