"""The accuracy of private multiplicative weights on a stream of queries, with constants.

The algorithm is in `planner.selection.online`: tests of threshold 3T/4 + ρ, ρ ~ Lap(2/(Nε₁)), each
with noise ν ~ Lap(4/(Nε₁)), and an update by e^(±2T·q) where a test finds the hypothesis off.

Privacy. Replacing a person moves every gap q(x) − q(D) by at most 1/N. If ρ grows by 1/N, all lazy
rounds stay lazy with the same ν; if the ν of the update grows by at most 2/N in its direction, it
stays an update of the same sign. The densities change by at most e^(ε₁/2) each, so all up to an
update, however long, is ε₁-private (the sparse vector technique). R such epochs compose to (ε, δ)
by Rε₁ = ε, or as ε₁-private is ε₁²/2-concentrated (Bun and Steinke 2016, Propositions 1.3, 1.4) by

    Rε₁²/2 + ε₁·√(2R·ln(1/δ)) = ε,  ε₁ = √(2/R)·ε/(√(ln(1/δ) + ε) + √(ln(1/δ)));

the larger ε₁ is taken.

Accuracy. There are at most R draws of ρ, and |C| + R tests: an update repeats its query. Each noise
passes L times its scale with probability e^(−L). With 6L/(Nε₁) = T/4 none does except with
probability

    β = (|C| + 2R)·e^(−TNε₁/24).

Then an answer from a hypothesis that passed is off by less than 3T/4 + T/4 = T, and an update has
a true gap g over 3T/4 − T/4 = T/2. By Hoeffding's lemma an update by e^(±η·q) brings KL(x‖D) down
by at least ηg − η²/8; with η = 2T, by T²/2. It starts at ln|X| at most and is never negative, so

    R = ⌊2·ln|X|/T²⌋

updates are all there can be, and after them every gap is under T/2 without a test.

Against Hsu14. Where δ > 0 this solves to T² ≤ 24·√ln|X|·(√(ln(1/δ) + ε) + √ln(1/δ))·L/(Nε), nearly
48·√(ln|X| ln(1/δ))·L/(Nε). Hsu14 §8.2 has 64 (squared from its T; not the 8 it prints), with the
larger 32|C|ln|X|/T² for |C| + 2R: so its T is confirmed, for a stream too, where
ε ≤ (16/9)·ln(1/δ). At δ = 0 it is T³ = 48·ln|X|·L/(Nε), where Hsu14 §5.3 has 128. Their R is eight
times larger, from updates by e^(±T/4·q) (as in Naor) and a cruder bound on what each gains.
"""

import math

from planner import checks

STEP = 2
"""η/T: how strongly an update weighs records."""
THRESHOLD = 3 / 4
"""Where tests lie, as a fraction of T."""
THRESHOLD_NOISE, TEST_NOISE = 2, 4
"""The scales of ρ and ν, in units of 1/(Nε₁)."""


def most_updates(universe_size: int, error: float) -> int:
    """R = ⌊2·ln|X|/T²⌋.

    Args:
        universe_size: |X| [whole, ≥ 2].
        error: T [fraction of 1, (0, 1]].

    Raises:
        ValueError: an argument is outside its range.
    """
    checks.whole("universe_size", universe_size, 2)
    checks.fraction("error", error)
    return math.floor(2 * math.log(universe_size) / error**2)


def epoch_share(epsilon: float, delta: float, updates: int) -> float:
    """ε₁, with which R epochs are (ε, δ)-private.

    Args:
        epsilon: ε [> 0].
        delta: δ [[0, 1)].
        updates: R [whole, ≥ 1].

    Raises:
        ValueError: an argument is outside its range.
    """
    checks.positive("epsilon", epsilon)
    checks.probability("delta", delta, least=0)
    checks.whole("updates", updates, 1)
    if delta == 0:
        return epsilon / updates
    bits = -math.log(delta)
    by_concentration = math.sqrt(2 / updates) / (math.sqrt(bits + epsilon) + math.sqrt(bits))
    return epsilon * max(1 / updates, by_concentration)


def failure_probability(
    epsilon: float, delta: float, participants: int, error: float, universe_size: int, queries: int
) -> float:
    """(|C| + 2R)·e^(−TNε₁/24): the probability that any answer is off by T or more.

    Args:
        epsilon: ε [> 0].
        delta: δ [[0, 1)].
        participants: N [whole, ≥ 1].
        error: T [fraction of 1, (0, 1]].
        universe_size: |X| [whole, ≥ 2].
        queries: |C|, the most queries in the stream [whole, ≥ 1].

    Raises:
        ValueError: an argument is outside its range.
    """
    checks.whole("participants", participants, 1)
    checks.whole("queries", queries, 1)
    updates = most_updates(universe_size, error)
    share = epoch_share(epsilon, delta, updates)
    return (queries + 2 * updates) * math.exp(-error * participants * share / 24)
