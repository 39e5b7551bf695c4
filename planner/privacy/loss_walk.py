"""The total privacy loss as a random walk (Naor "Privacy Loss as a Random Walk")."""

from planner import checks
from planner.libraries import np
from planner.numbers import Array


def loss_walk(epsilon: float, times: int, runs: int, rng: "np.random.Generator") -> Array:
    """Paths of the privacy loss of randomized response, the worst ε-private query.

    Each query adds +ε with probability 1/(1 + e^(−ε)), else −ε: after t queries the mean is
    tε·tanh(ε/2), the variance tε²/cosh²(ε/2). (Naor's figure is without the drift.)

    Args:
        epsilon: ε of each query [> 0].
        times: the queries [whole, ≥ 1].
        runs: the paths [whole, ≥ 1].
        rng: the random generator.

    Returns:
        The losses [ε] before the first query (0) and after each; shape (runs, times + 1).

    Raises:
        ValueError: an argument is outside its range.
    """
    step = checks.positive("epsilon", epsilon)
    shape = (checks.whole("runs", runs, 1), checks.whole("times", times, 1))
    up = rng.random(shape) < 1 / (1 + np.exp(-step))
    steps = np.zeros((shape[0], shape[1] + 1), dtype=np.int64)
    np.cumsum(np.where(up, 1, -1), axis=1, out=steps[:, 1:])
    return step * steps
