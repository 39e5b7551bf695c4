"""Private ranking: the k highest of m scores, by noisy scores or by repeated draws (Naor).

With S_k the k-th highest score, a list of k candidates is right within γ (Naor's γ-useful) where it
is sound, no candidate in it scores S_k − γ or less, and complete, every candidate that scores
S_k + γ or more is in it. Replacing one person changes every score by at most Δ.

Either way fails only where some candidate from outside the k best (ties broken in any fixed way)
comes before one from among them that scores at least γ more. For if the list is not sound, it
holds one with S_k − γ or less, and lacks one of the k best, which has S_k or more; if it is not
complete, it lacks one with S_k + γ or more, and holds one from outside, which has S_k or less.

Noisy scores: Laplace noise of scale b on every score, then the k highest in order.
    Privacy. Of all noisy scores: their L1 distance is at most mΔ, or 2hΔ where one person counts
    for at most h candidates (she leaves h and joins h). Of the list alone: fix the noise of the
    others; if all that are listed get noise larger by Δ plus their own score's loss, so by at most
    2Δ, the same list comes out, as the others' highest rose by at most Δ. That shift changes the
    density by at most e^(2kΔ/b). The least is b = Δ·min(2h, 2k, m)/ε.

    Bound. For any s + t = γ, Pr[some of the m − k outside has noise ≥ s] ≤ (m − k)e^(−s/b)/2, and
    Pr[some of the k best has noise ≤ −t] ≤ k·e^(−t/b)/2. At the best s their sum is
    β = √(k(m − k))·e^(−γ/(2b)), so γ = (Δ/ε)·min(2h, 2k, m)·ln(k(m − k)/β²).

Draws: k times the exponential mechanism, each with ε/k, among those not drawn yet.
    Bound. Before each draw one of the k best is left. Of the m − k outside, those that score γ or
    more below the best of these weigh at most e^(−εγ/(2kΔ)) of it; so whatever came before, the
    draw is bad with at most (m − k) times that, and one of the k draws with
    β = k(m − k)·e^(−εγ/(2kΔ)), so γ = (Δ/ε)·2k·ln(k(m − k)/β).

So draws have the smaller γ where 2k ≤ m and a person may count for many candidates. Noisy scores do
where a person counts for few, as in Naor's example of one website a student: then any k costs
nearly the same. Where all are listed, γ is 0.
"""

import math
from typing import Any, Literal

from planner import checks
from planner.libraries import np
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
    scale = sensitivity * _spread(scores.size, chosen, per_person) / epsilon
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
    pairs = chosen * (candidates - chosen)
    if method == "draws":
        spread, failures = 2 * chosen, math.log(pairs / failure)
    else:
        spread, failures = _spread(candidates, chosen, per_person), math.log(pairs / failure**2)
    return sensitivity * spread * failures / epsilon


def _spread(candidates: int, chosen: int, per_person: int | None) -> int:
    """min(2h, 2k, m): the least scale of noisy scores times ε, in sensitivities."""
    return min(2 * chosen, candidates, *([] if per_person is None else [2 * per_person]))


def _checked(scores: Any, chosen: int, epsilon: float, sensitivity: float) -> Array:
    """The scores as an array, after the arguments are checked."""
    scores = checks.finite("scores", scores)
    checks.whole("chosen", chosen, 1, scores.size)
    checks.positive("epsilon", epsilon)
    checks.positive("sensitivity", sensitivity)
    return scores
