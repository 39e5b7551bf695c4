"""Many monotone yes-or-no questions: harder inputs only turn a yes into a no."""

from collections.abc import Callable

from planner.libraries import np
from planner.numbers import Array

YES, NO, UNKNOWN = 1, 0, -1


def answered(hardness: Array, ask: Callable[[int], int]) -> Array:
    """The answer in each case, with few evaluations.

    A yes decides every case that is no harder in any input, a no every case that is no easier.
    Open cases are bisected, so with one input the number of evaluations is logarithmic.

    Args:
        hardness: the inputs of each case, larger meaning harder; shape (cases, inputs).
        ask: the answer in the case of a row: yes 1, no 0, unknown −1, which decides no other case.
    """
    answers = np.full(len(hardness), UNKNOWN, np.int8)
    ranks = np.argsort(np.argsort(hardness, axis=0, kind="stable"), axis=0, kind="stable")
    open_ = np.argsort(ranks.sum(axis=1), kind="stable")
    while open_.size:
        at = len(open_) // 2
        row = open_[at]
        answer = ask(int(row))
        answers[row] = answer
        settled = np.zeros(len(open_), bool)
        if answer == YES:
            settled = (hardness[open_] <= hardness[row]).all(axis=1)
        elif answer == NO:
            settled = (hardness[open_] >= hardness[row]).all(axis=1)
        answers[open_[settled]] = answer
        settled[at] = True
        open_ = open_[~settled]
    return answers
