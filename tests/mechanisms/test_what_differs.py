"""Each mechanism states how it differs from the others."""

import pytest

from planner.mechanisms import KINDS
from planner.mechanisms.mechanism import Mechanism


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.kind)
def test_every_kind_says_whether_its_sample_errs(kind) -> None:
    assert any("sampled" in vars(base) for base in kind.__mro__ if base is not Mechanism)


def test_a_mechanism_must_say_it() -> None:
    class Silent(KINDS["laplace-mean"]):  # type: ignore[misc]
        sampled = Mechanism.sampled

    with pytest.raises(TypeError, match="sampled"):
        Silent()


def test_only_noise_on_a_proportion_has_a_noise() -> None:
    noisy = {kind.kind for kind in KINDS.values() if kind.noise}
    assert noisy == {"laplace-mean", "geometric-mean", "gaussian-mean"}
