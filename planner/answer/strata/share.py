"""What one stratum contributes to an answer for all people."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StratumShare:
    """One stratum of a plan for all people.

    Attributes:
        name: of the stratum.
        weight: W, the proportion of all people who belong to it.
        participants: N of it [whole, ≥ 1].
        invitations: how many to invite on average; None where all who are invited take part.
        epsilon: ε of its people [> 0].
        compensation: money for each of them.
        cost: of the stratum, without overhead [money].
        scale: of the Laplace noise on its mean, in its unit; None where the sum has one noise.
    """

    name: str
    weight: float
    participants: int
    invitations: int | None
    epsilon: float
    compensation: float
    cost: float
    scale: float | None
