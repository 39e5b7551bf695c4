import numpy as np
import pytest

from planner.consumers.loss import NAMED, OffBy, by_distance, table


def test_the_papers_losses() -> None:
    """Ghosh09 §2.2, Gupte10 §2.3: |i − r|, (i − r)² and 0 or 1."""
    assert by_distance("absolute", 3).tolist() == [0, 1, 2, 3]
    assert by_distance("squared", 3).tolist() == [0, 1, 4, 9]
    assert by_distance("zero-one", 3).tolist() == [0, 1, 1, 1]
    assert by_distance(OffBy(2), 3).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("loss", [*NAMED, OffBy(1), OffBy(3), OffBy(9)])
def test_a_named_loss_is_the_table_of_its_distances(loss) -> None:
    found = table(loss, 5)
    for i in range(6):
        for r in range(6):
            assert found[i, r] == by_distance(loss, 5)[abs(i - r)]
    assert np.array_equal(table(found, 5), found)


def test_off_by_one_is_zero_one() -> None:
    assert np.array_equal(table(OffBy(1), 4), table("zero-one", 4))


def test_tables_need_no_symmetry() -> None:
    one_sided = [[0, 1, 5], [0, 0, 7], [9, 2, 2]]
    assert table(one_sided, 2).tolist() == one_sided
    assert by_distance(one_sided, 2) is None


def test_refusals() -> None:
    for loss, words in [
        ("abs", r"loss = 'abs' is unknown; give one of absolute, squared, zero-one"),
        ([[0, 1], [1, 0]], r"shape \(2, 2\); for counts from 0 to 2 give 3 rows"),
        ([[0, 1, 2], [1, 0, -1], [2, 1, 0]], r"loss\[1\]\[2\] = -1.0 is not a number of at least"),
        ([[0, 1, 2], [1, 0, np.nan], [2, 1, 0]], r"loss\[1\]\[2\] = nan"),
        ([[0, 2, 1], [1, 0, 1], [2, 1, 0]], r"loss\[0\]\[2\] = 1.0 is under loss\[0\]\[1\] = 2.0"),
        ([[0, 1, 2], [1, 0, 1], [1, 2, 0]], r"loss\[2\]\[0\] = 1.0 is under loss\[2\]\[1\] = 2.0"),
        ([[1, 0, 2], [1, 0, 1], [2, 1, 0]], r"loss\[0\]\[1\] = 0.0 is under loss\[0\]\[0\] = 1.0"),
    ]:
        with pytest.raises(ValueError, match=words):
            table(loss, 2)


@pytest.mark.parametrize("at_least", [0, -1, 1.5, True, "2"])
def test_off_by_needs_a_whole_number(at_least) -> None:
    with pytest.raises(ValueError, match=r"at_least = .* give a whole number of at least 1"):
        OffBy(at_least)
