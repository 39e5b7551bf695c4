"""Many yes-or-no questions that can only turn from yes to no as things get harder."""

from collections.abc import Callable

import numpy as np

from planner.numbers import Array

YES, NO, UNKNOWN = 1, 0, -1


def answered(hardness: Array, ask: Callable[[int], int]) -> Array:
    """The answer in each case, asked as seldom as may be.

    A yes settles every case that is no harder in anything, a no every case that is no easier. What
    is open is asked in its middle, so with one input the number of questions is a logarithm.

    Args:
        hardness: the inputs of each case, larger where harder; shape (cases, inputs).
        ask: the answer in a case by its row: yes 1, no 0, unknown −1, which settles no other.
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
