"""Private ranking: the k highest of m scores, by noisy scores or by repeated draws (Naor).

The definition of a correct list and both bounds are derived in `planner.mechanisms.top_k`;
here they are in units of the scores, each of which one person changes by at most Δ:

    noisy scores: γ = (Δ/ε)·min(2h, 2k, m)·ln(k(m − k)/β²);
    draws:        γ = (Δ/ε)·2k·ln(k(m − k)/β).

So draws have the smaller γ where 2k ≤ m and a person may count for many candidates. Noisy scores do
where a person counts for few, as in Naor's example of one website a student: then any k costs
nearly the same. Where all are listed, γ is 0.
"""

from typing import Any, Literal

from planner import checks
from planner.libraries import np
from planner.mechanisms.top_k import TopK, noise_scale
from planner.numbers import Array
from planner.selection.exponential import choose


def noisy_scores(
    scores: Any,
    chosen: int,
    epsilon: float,
    rng: "np.random.Generator",
    sensitivity: float = 1.0,
    per_person: int | None = None,
) -> Array:
    """The indices of the k highest scores after Laplace noise, highest first.

    Args:
        scores: one finite number for each of m candidates.
        chosen: k [1 to m].
        epsilon: ε [> 0].
        rng: the random generator.
        sensitivity: Δ, the most that one person changes a score [> 0].
        per_person: h, the most candidates that one person counts for [1 to m]; None is no limit.

    Raises:
        ValueError: an argument is outside its range.
    """
    scores = _checked(scores, chosen, epsilon, sensitivity)
    if per_person is not None:
        checks.whole("per_person", per_person, 1, scores.size)
    scale = sensitivity * noise_scale(scores.size, chosen, per_person) / epsilon
    return np.argsort(-(scores + rng.laplace(scale=scale, size=scores.size)))[:chosen]


def draws(
    scores: Any,
    chosen: int,
    epsilon: float,
    rng: "np.random.Generator",
    sensitivity: float = 1.0,
) -> Array:
    """The indices of k candidates, each drawn from the rest by the exponential mechanism.

    Args:
        scores: one finite number for each of m candidates.
        chosen: k [1 to m].
        epsilon: ε of all draws together [> 0].
        rng: the random generator.
        sensitivity: Δ, the most that one person changes a score [> 0].

    Raises:
        ValueError: an argument is outside its range.
    """
    scores = _checked(scores, chosen, epsilon, sensitivity)
    left = np.arange(scores.size)
    drawn = np.empty(chosen, dtype=int)
    for i in range(chosen):
        place = choose(scores[left], epsilon / chosen, rng, sensitivity)
        drawn[i] = left[place]
        left = np.delete(left, place)
    return drawn


def gap(
    method: Literal["draws", "noisy-scores"],
    candidates: int,
    chosen: int,
    epsilon: float,
    failure: float,
    sensitivity: float = 1.0,
    per_person: int | None = None,
) -> float:
    """γ, within which the list is correct except with probability β.

    Args:
        method: "draws" or "noisy-scores".
        candidates: m [≥ 1].
        chosen: k [1 to m].
        epsilon: ε [> 0].
        failure: β [(0, 1)].
        sensitivity: Δ [> 0, in units of the scores].
        per_person: h, for noisy scores [1 to m]; None is no limit.

    Returns:
        γ, in units of the scores [≥ 0].

    Raises:
        ValueError: an argument is outside its range.
    """
    checks.positive("epsilon", epsilon)
    checks.positive("sensitivity", sensitivity)
    checks.probability("failure", failure)
    checks.whole("candidates", candidates, 1)
    checks.whole("chosen", chosen, 1, candidates)
    if per_person is not None:
        checks.whole("per_person", per_person, 1, candidates)
    if chosen == candidates:
        return 0.0
    mechanism = TopK(candidates, chosen, method, per_person)
    return float(sensitivity * mechanism.n_epsilon_floor(1.0, failure) / epsilon)


def _checked(scores: Any, chosen: int, epsilon: float, sensitivity: float) -> Array:
    """The scores as an array, after the arguments are checked."""
    scores = checks.finite("scores", scores)
    checks.whole("chosen", chosen, 1, scores.size)
    checks.positive("epsilon", epsilon)
    checks.positive("sensitivity", sensitivity)
    return scores
