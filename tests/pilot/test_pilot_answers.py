"""The table of a pilot: what its answers say, and what is refused."""

import math
from pathlib import Path

import numpy as np
import pytest

from planner.pilot import estimate, read_pilot

HEAD = "person,offer,accepts,epsilon"
ROWS = [f"p{i},{10 + 5 * (i % 6)},{'yes' if i // 6 <= i % 6 else 'no'},0.5" for i in range(36)]


def written(folder: Path, *rows: str, head: str = HEAD, others: bool = True) -> Path:
    path = folder / "answers.csv"
    path.write_text("\n".join([head, *rows, *(ROWS if others else [])]) + "\n", "utf-8")
    return path


def test_offers_are_base_costs(tmp_path) -> None:
    base = read_pilot(written(tmp_path)).base
    assert base.people == 36
    assert base.yes_or_no
    assert base.asked == pytest.approx([x / math.expm1(0.5) for x in (10, 15, 20, 25, 30, 35)])
    yes = np.isfinite(base.high)
    assert base.high[yes] == pytest.approx(base.offers[yes])
    assert base.low[~yes] == pytest.approx(base.offers[~yes])


def test_events_and_certain_publication(tmp_path) -> None:
    head = "person,ask,chance_without,chance_with,epsilon,comment"
    rows = [
        *(f"a{i},{i},0.02,0.025,,text" for i in range(1, 31)),  # E = b·ask/(q − b) = 4·ask
        *(f"b{i},{i},,,1.0," for i in range(1, 31)),
        *(f"c{i},{100 * i},0,1,," for i in range(1, 31)),
        "d,never,0.02,0.025,,",
    ]
    pilot = read_pilot(written(tmp_path, *rows, head=head, others=False))
    assert pilot.base.low[:30] == pytest.approx(4 * np.arange(1, 31))
    assert pilot.base.low[30:] == pytest.approx(np.arange(1, 31) / math.expm1(1.0))
    assert pilot.base.never == 1 / 61
    assert pilot.worst is not None
    assert pilot.worst.high == pytest.approx(100 * np.arange(1, 31))


def test_several_answers_of_a_person_are_one_interval(tmp_path) -> None:
    base = read_pilot(written(tmp_path, "x,10,no,0.5", "x,20,yes,0.5", "x,30,yes,0.5")).base
    assert base.low[0] == pytest.approx(10 / math.expm1(0.5))
    assert base.high[0] == pytest.approx(20 / math.expm1(0.5))
    assert not base.yes_or_no


def test_persons_may_contradict_each_other(tmp_path) -> None:
    assert read_pilot(written(tmp_path, "x,10,no,0.5", "y,5,yes,0.5")).base.people == 38


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["x,10,no,0.5", "x,5,yes,0.5"], "lines 2 and 3: x says no at 10 and says yes at 5"),
        (["x,10,no,0.5", "x,10,yes,0.5"], "which is a contradiction; leave one out"),
        (["x,10,never,0.5", "x,50,yes,0.5"], "says never at 10 and says yes at 50"),
        (["x,-5,no,0.5"], "line 2: offer = '-5' is not allowed; give a number above 0"),
        (["x,nan,no,0.5"], "offer = 'nan' is not allowed"),
        (["x,ten,no,0.5"], "offer = 'ten' is not allowed"),
        (["x,10,no,"], "line 2: no risk is described; give epsilon, or chance_without"),
        (["x,10,no,-1"], "epsilon = '-1' is not allowed; give a number above 0 and at most 100"),
        (["x,10,perhaps,0.5"], "accepts = 'perhaps' is not allowed; give yes, no or never"),
        (["x,10,,0.5"], "accepts = '' is not allowed"),
        (["x,,yes,0.5"], "offer is empty"),
        ([",10,yes,0.5"], "person is empty"),
        (["x,10,yes"], "3 cells under 4 columns"),
    ],
)
def test_cells_that_are_refused(tmp_path, rows, message) -> None:
    with pytest.raises(ValueError, match=r"answers\.csv") as error:
        read_pilot(written(tmp_path, *rows))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("x,-1,0.1,0.2,", "ask = '-1' is not allowed; give a number of at least 0"),
        ("x,5,0.2,0.1,", "chance_with = 0.1 is not above chance_without = 0.2"),
        ("x,5,0,0.1,", "chance_without = 0 gives no base cost"),
        ("x,5,0.1,,", "no risk is described"),
        ("x,5,0.1,1.5,", "chance_with = '1.5' is not allowed; give a number of at least 0 and at"),
        ('x,5,0.1,"1,234",', "at least 0 and at most 1, with a decimal point"),
        ("x,5,0.1,0.2,1.0", "epsilon and chance_without describe two risks"),
    ],
)
def test_amounts_and_events_that_are_refused(tmp_path, cells, message) -> None:
    head = "person,ask,chance_without,chance_with,epsilon"
    with pytest.raises(ValueError, match="line 2") as error:
        read_pilot(written(tmp_path, cells, head=head, others=False))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("name,offer,accepts,epsilon", "column person is missing"),
        ("person,offer,acepts,epsilon", "unknown column acepts; did you mean accepts?"),
        ("person,offer,answer,epsilon", "give the columns offer and accepts"),
        ("person,offer,accepts,risk", "no risk is described"),
        ("person,offer,offer,epsilon", "offer is given twice"),
    ],
)
def test_headers_that_are_refused(tmp_path, head, message) -> None:
    with pytest.raises(ValueError, match=r"answers\.csv") as error:
        read_pilot(written(tmp_path, head=head))
    assert message in str(error.value)


def test_tables_that_show_no_spread(tmp_path) -> None:
    def refused(*rows: str, head: str = HEAD) -> str:
        with pytest.raises(ValueError, match=r"answers\.csv") as error:
            read_pilot(written(tmp_path, *rows, head=head, others=False))
        return str(error.value)

    assert "19 people answered; give the answers of at least 20" in refused(*ROWS[:19])
    one = [f"p{i},10,{'yes' if i % 2 else 'no'},0.5" for i in range(30)]
    assert "all people had the same offer" in refused(*one)
    assert "nobody accepted any offer" in refused(*(row.replace("yes", "no") for row in ROWS))
    assert "everybody accepted every offer" in refused(*(r.replace("no", "yes") for r in ROWS))
    assert "nobody would take part" in refused(*(f"p{i},10,never,0.5" for i in range(30)))
    published = [f"p{i},{i + 1},0,1" for i in range(30)]
    head = "person,ask,chance_without,chance_with"
    assert "no answer is about an ε or an event" in refused(*published, head=head)
    assert "not a table" in refused(head="")


def test_files_that_cannot_be_read(tmp_path) -> None:
    with pytest.raises(ValueError, match="no such file or directory; give the path of a CSV"):
        read_pilot(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"person,ask,epsilon\n\x00,1,1\n")
    with pytest.raises(ValueError, match="not a table; give CSV in UTF-8"):
        read_pilot(tmp_path / "latin.csv")


def test_an_amount_of_zero_is_at_most_the_least_above_it(tmp_path) -> None:
    rows = [f"p{i},{i // 2},1.0" for i in range(60)]
    pilot = read_pilot(written(tmp_path, *rows, head="person,ask,epsilon", others=False))
    assert pilot.base.high[0] == 0
    assert estimate(pilot).log_normal.median > 1
