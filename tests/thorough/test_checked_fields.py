"""Every field of thirteen plan files, moved by a digit and sealed again: found, or listed."""

import pytest

import planner
from tests.study_file.test_answer_file import STUDIES, unseen


@pytest.mark.parametrize("name", STUDIES)
def test_each_field_that_is_moved_by_a_digit_is_found_or_listed(name, tmp_path):
    answer = planner.solve(STUDIES[name])
    assert unseen(answer, tmp_path / "plan.json", [0, 3, 7]) == []
