"""The ledger under damage: whatever is changed or missing, nobody is published a second time."""

import json
import sqlite3
from pathlib import Path

import pytest

from planner.publication import ledger
from planner.publication.earlier import Stated, folded, refuse_again
from planner.publication.ledger import Entry, LedgerError
from planner.show import as_json, digest
from tests.publication import plans

PEOPLE = "town-2026"
STEP = 64
"""Bytes between two places of planted damage."""


def entry(number: int, people: str = PEOPLE) -> Entry:
    plan = plans.plan("laplace")
    results = {
        "plan": digest(plan.to_dict()),
        "participants": plan.participants,
        "epsilon": plan.epsilon,
        "delta": plan.delta,
        "answers": [{"name": "answer", "answer": 0.1 * number}],
        "privacy": "by noise. " * 20,
    }
    return Entry(
        number, people, results["plan"], "Test", "2026-11-24T08:00:00+00:00", plan.participants,
        plan.epsilon, plan.delta, plan.compensation, "/results.json", as_json(results),
    )  # fmt: skip


def book(path: Path, count: int) -> Path:
    """A ledger of publications; PEOPLE are those of the last one."""
    for number in range(1, count + 1):
        with ledger.writing(path) as writing:
            writing.add(entry(0, PEOPLE if number == count else f"class {number}"))
    return path


def version_1(path: Path, count: int) -> Path:
    """A ledger as version 0.1 wrote it."""
    columns = ", ".join(
        f"{name} {'REAL' if name in ('epsilon', 'delta', 'compensation') else 'TEXT'} NOT NULL"
        for name in ledger.COLUMNS[1:]
    ).replace("participants TEXT", "participants INTEGER")
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE publications (number INTEGER PRIMARY KEY, {columns})")
        for number in range(1, count + 1):
            one = entry(number, PEOPLE if number == count else f"class {number}")
            row = [getattr(one, name) for name in ledger.COLUMNS]
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO publications VALUES ({marks})", row)
    connection.close()
    return path


def publishes_again(path: Path) -> bool:
    """Whether the people would be published a second time."""
    plan = plans.plan("laplace")
    try:
        with ledger.writing(path) as writing:
            refuse_again(writing.entries, plan, PEOPLE, Stated())
    except LedgerError:
        return False
    return True


def damaged(whole: bytes, every: int):
    """The file with damage planted at places, and cut."""
    for place in range(0, len(whole), every):
        yield whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]
        yield whole[:place] + bytes(512) + whole[place + 512 :]
        yield whole[:place]


@pytest.mark.slow
@pytest.mark.parametrize("make", [book, version_1])
def test_no_damage_and_no_cut_allows_a_second_publication(make, tmp_path):
    path = make(tmp_path / "ledger.sqlite", 1)
    whole = path.read_bytes()
    assert not publishes_again(path)
    for content in damaged(whole, STEP):
        path.write_bytes(content)
        assert not publishes_again(path)
        for left in tmp_path.glob("ledger.sqlite?*"):
            left.unlink()


def test_a_new_ledger_allows_the_first_publication(tmp_path):
    assert publishes_again(tmp_path / "folder" / "ledger.sqlite")
    assert ledger.entries(tmp_path / "folder" / "ledger.sqlite") == []
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["ledger.sqlite"]


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["DELETE FROM publications WHERE number = 2"], "number of entries"),
        (["DELETE FROM publications WHERE number = 3"], "number of entries"),
        (
            ["DELETE FROM publications WHERE number = 2", "UPDATE ledger SET entries = 2"],
            "entry 3 is not as it was written",
        ),
        (
            ["DELETE FROM publications WHERE number = 3", "UPDATE ledger SET entries = 2"],
            "its last entry is not the one it states",
        ),
        (["UPDATE publications SET epsilon = 0.1 WHERE number = 1"], "entry 1 has results"),
        (["UPDATE publications SET people = 'x' WHERE number = 1"], "entry 1 is not as it was"),
        (["UPDATE publications SET results = '{' WHERE number = 1"], "entry 1 has results"),
        (["DELETE FROM ledger"], "number of entries"),
        (["DROP TABLE publications"], "no such table"),
        (["PRAGMA application_id = 5"], "mark of a ledger"),
        (["PRAGMA user_version = 3"], "version 3"),
        (
            ["DROP TABLE publications", "CREATE TABLE publications (number, people)"],
            "number of entries",
        ),
    ],
)
def test_a_changed_ledger_is_refused_and_says_what_to_do(statements, words, tmp_path):
    path = book(tmp_path / "ledger.sqlite", 3)
    change(path, *statements)
    with pytest.raises(LedgerError, match=words) as error:
        ledger.entries(path)
    assert "restore it from a copy" in str(error.value)
    assert not publishes_again(path)


def test_bytes_that_are_no_text_or_no_database_are_refused(tmp_path):
    path = tmp_path / "ledger.sqlite"
    for content in (b"", b"\xff" * 5000, b"SQLite format 3\x00" + b"\xff" * 8000):
        path.write_bytes(content)
        with pytest.raises(LedgerError, match="damaged"):
            ledger.entries(path)
        assert not publishes_again(path)
    path.unlink()
    version_1(path, 1)
    change(path, "UPDATE publications SET title = CAST(x'ff61' AS TEXT)")
    assert not publishes_again(path)


def test_a_ledger_of_version_1_is_refused_and_kept_as_it_is(tmp_path):
    path = version_1(tmp_path / "ledger.sqlite", 3)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=r"of version 1.*run planner ledger of version 0\.2"):
        ledger.entries(path)
    assert not publishes_again(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_lost_entries_of_an_earlier_repair_block_the_rest(tmp_path):
    path = book(tmp_path / "ledger.sqlite", 3)
    change(
        path,
        "DELETE FROM publications WHERE number = 3",
        "UPDATE ledger SET entries = 2, lost = 1, hash = "
        "(SELECT hash FROM publications WHERE number = 2)",
    )
    kept = ledger.entries(path)
    assert [one.people for one in kept] == ["class 1", "class 2"]
    assert kept.lost == 1
    assert "lost" in str(kept)
    plan = plans.plan("laplace")
    for stated in (Stated(), Stated(again=True), Stated(same_people=True)):
        with pytest.raises(LedgerError, match="were lost"):
            refuse_again(kept, plan, PEOPLE, stated)
    assert refuse_again(kept, plan, "new people", Stated(other_people=True)).notes == ()
    with ledger.writing(path) as writing:
        writing.add(entry(0, "others"))
    assert ledger.entries(path).lost == 1


@pytest.mark.parametrize(
    "name",
    ["Town-2026", "town-2026 ", "town\u20112026", "ｔｏｗｎ 2026", "TOWN_2026", "to\u200bwn-2026"],
)
def test_a_name_that_looks_like_an_entrys_is_refused(name, tmp_path):
    kept = ledger.entries(book(tmp_path / "ledger.sqlite", 1))
    plan = plans.plan("geometric")
    for stated in (Stated(), Stated(again=True)):
        with pytest.raises(LedgerError, match="looks like 'town-2026'"):
            refuse_again(kept, plan, name, stated)
    (note,) = refuse_again(kept, plan, name, Stated(same_people=True)).notes
    assert "1 earlier publication" in note
    assert refuse_again(kept, plan, name, Stated(other_people=True)).notes == ()
    assert refuse_again(kept, plan, "town-2027", Stated()).notes == ()
    with pytest.raises(LedgerError, match="a name of their own"):
        refuse_again(kept, plan, PEOPLE, Stated(other_people=True))
    with pytest.raises(ValueError, match="contradict"):
        Stated(same_people=True, other_people=True)


def test_names_that_differ_in_letters_are_others():
    assert folded("town 2026") != folded("town 2027")
    assert folded("north") != folded("nord")


def test_results_of_another_form_are_refused_in_a_sentence(tmp_path):
    from planner.publication.publish import _exported

    with pytest.raises(LedgerError, match="cannot be read by this version"):
        _exported(entry(1), tmp_path / "results.json")
    assert json.loads(entry(1).results)["answers"]
    assert not (tmp_path / "results.json").exists()


def test_an_entry_of_one_person_is_possible_and_of_none_is_not() -> None:
    one = entry(1)
    results = {**json.loads(one.results), "participants": 1}
    values = {name: getattr(one, name) for name in ledger.COLUMNS}
    values |= {"participants": 1, "results": as_json(results), "delta": 0.0}
    assert ledger.checked_entry(values.values()).participants == 1
    for name, wrong in (("participants", 0), ("epsilon", -1.0), ("compensation", -0.01)):
        with pytest.raises(ledger.DamagedError, match="impossible numbers"):
            ledger.checked_entry({**values, name: wrong}.values())
