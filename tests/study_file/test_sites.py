"""Tables of studies: rows over a template, and what is wrong with them by line."""

import csv
import json
from pathlib import Path

import pytest

import planner
from planner import scenarios
from planner.answer.problem.vary import with_value
from planner.cli import run
from planner.study_file.sites import read_rows

TEMPLATE = scenarios.WORKED_STUDIES / "mean-education.toml"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sites.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_row_is_the_template_with_its_cells_put_in(tmp_path) -> None:
    table = written(tmp_path, "title,budget,max_participants\nBern,5000,\nBasel,,40000\n")
    bern, basel = read_rows(table, TEMPLATE)
    template = planner.read_study(TEMPLATE)
    assert (bern.line, bern.study.title) == (2, "Bern")
    assert bern.study.conditions == with_value(template, "budget", 5000.0).conditions
    assert basel.study.find(planner.Budget) == template.find(planner.Budget)
    assert basel.study.find(planner.MaxParticipants).n == 40_000
    assert bern.study.individual == template.individual


def test_costs_take_the_place_of_a_scenario_and_the_other_way_round(tmp_path) -> None:
    template = tmp_path / "template.toml"
    text = TEMPLATE.read_text("utf-8")
    assert 'scenario = "education"' in text
    template.write_text(text, "utf-8")
    table = written(tmp_path, "base_cost,scenario\n3.5,\n,smoking\n,\n2.0,smoking\n")
    own, smoking, as_it_was, both = read_rows(table, template)
    assert own.study.individual == planner.Individual(3.5)
    assert smoking.study.individual.base_cost == 254.8
    assert as_it_was.study == planner.read_study(template)
    assert "not both" in both.error


def test_without_a_template_the_columns_say_all(tmp_path) -> None:
    header = "mechanism.kind,mechanism.analysis,error,failure,base_cost,budget,capped,worst_cost"
    table = written(tmp_path, f"{header}\nlaplace-mean,paper,0.05,0.05,12.5,30000,true,99\n")
    (row,) = read_rows(table)
    assert row.study == planner.Study(
        planner.LaplaceMean("paper"),
        planner.Accuracy(0.05, 0.05),
        planner.Individual(12.5, 99.0, capped=True),
        [planner.Budget(30_000.0)],
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a table"),
        ("bugdet\n1\n", "did you mean budget"),
        ("budget,budget\n1,2\n", "given twice"),
        ("universe_size\n2\n", "unknown column"),
    ],
)
def test_tables_that_cannot_be_read(tmp_path, text, words) -> None:
    with pytest.raises(ValueError, match=words):
        read_rows(written(tmp_path, text), TEMPLATE)


def test_other_columns_pass_through_and_blank_cells_are_noted(tmp_path, capsys) -> None:
    table = written(tmp_path, "id,site,budget,capped\n007,Bern,5000,\n8,Basel,,false\n")
    assert run(["solve", str(TEMPLATE), "--table", str(table), "--json"]) == 0
    bern, basel = json.loads(capsys.readouterr().out)
    assert (bern["id"], bern["site"], bern["budget"], bern["capped"]) == ("007", "Bern", 5000, None)
    assert "capped" in bern["note"]
    assert (basel["capped"], basel["attained"]) == (False, basel["attained"] is True)
    assert "budget" in basel["note"]
    assert basel["verdict"] == "feasible"
    assert run(["solve", str(TEMPLATE), "--table", str(table), "--blank", "error"]) == 64
    shown = capsys.readouterr()
    assert "line 2: capped blank" in shown.err
    assert "line 3: budget blank" in shown.err
    assert run(["solve", str(TEMPLATE), "--blank", "error"]) == 64
    assert "--table" in capsys.readouterr().err


def test_missing_columns_and_files(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"missing columns: error, failure"):
        read_rows(written(tmp_path, "base_cost\n1\n"))
    with pytest.raises(ValueError, match="no such file"):
        read_rows(tmp_path / "nowhere.csv", TEMPLATE)
    (tmp_path / "none.csv").write_bytes(b"title\n\x00\x81\n")
    with pytest.raises(ValueError, match="not a table; give CSV in UTF-8"):
        read_rows(tmp_path / "none.csv", TEMPLATE)


def test_tables_as_spreadsheets_write_them(tmp_path) -> None:
    wanted = [
        row.study for row in read_rows(written(tmp_path, "title,error\nGenève,0.04\n"), TEMPLATE)
    ]
    table = tmp_path / "tables.csv"
    text = "title;error\r\nGenève;0,04\r\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "latin-1"):
        table.write_bytes(text.encode(encoding))
        assert [row.study for row in read_rows(table, TEMPLATE)] == wanted


def test_a_comma_is_a_decimal_mark_where_a_number_shows_it(tmp_path) -> None:
    def budgets(*cells: str) -> list:
        rows = read_rows(
            written(tmp_path, "budget;site\n" + "".join(f"{x};a\n" for x in cells)), TEMPLATE
        )
        return [row.study and row.study.find(planner.Budget).money for row in rows]

    assert budgets("20000,5", "1,234") == [20000.5, 1.234]
    assert budgets("1,234", "30000") == [None, 30000]  # perhaps 1,234
    assert budgets("1,5", "30000.5") == [None, 30000.5]


def test_marks_of_other_columns_do_not_matter(tmp_path) -> None:
    text = "site;budget;note\nA;20000,5;24.12\n\nB;30000;1.5\n"
    for start in ("", "sep=;\n"):
        rows = read_rows(written(tmp_path, start + text), TEMPLATE)
        assert [row.study.find(planner.Budget).money for row in rows] == [20000.5, 30000]
        assert rows[1].line == 4 + bool(start)
        assert rows[0].cells["note"] == "24.12"
    quoted = written(tmp_path, '"Place, land, name";budget\nA;5000\n')
    assert [row.study.find(planner.Budget).money for row in read_rows(quoted, TEMPLATE)] == [5000]


def test_bad_rows_are_reported_by_line_and_the_rest_planned(tmp_path, capsys) -> None:
    table = written(
        tmp_path, "title,budget\nBern,5000\nBasel,-1\nChur,lots\nZug,1,2\n\nGenf,1000\n"
    )
    plans = tmp_path / "plans.csv"
    assert run(["solve", str(TEMPLATE), "--table", str(table), "-o", str(plans)]) == 64
    shown = capsys.readouterr()
    assert "2 feasible" in shown.out or "1 feasible" in shown.out
    for line, value in ((3, "-1"), (4, "'lots'"), (5, "3 cells under 2 columns")):
        assert any(f"line {line}:" in x and value in x for x in shown.err.splitlines())
    with plans.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["title"] for row in rows] == ["Bern", "Basel", "Chur", "Zug", "Genf"]
    assert [row["line"] for row in rows] == ["2", "3", "4", "5", "7"]
    alone = planner.solve(with_value(planner.read_study(TEMPLATE), "budget", 5000.0))
    assert rows[0]["verdict"] == "feasible"
    assert float(rows[0]["epsilon"]) == alone.epsilon
    assert int(rows[0]["participants"]) == alone.participants
    assert float(rows[0]["cost"]) == alone.cost
    assert rows[1]["verdict"] == "bad input"


def test_what_a_batch_is_told(tmp_path, capsys, monkeypatch) -> None:
    table = str(written(tmp_path, "budget\n5000\n1000\n"))
    assert run(["solve", "--table", table]) == 64
    assert "missing columns" in capsys.readouterr().err
    assert run(["solve", str(TEMPLATE), str(TEMPLATE), "--table", table]) == 64
    assert "one study file" in capsys.readouterr().err
    nowhere = str(tmp_path / "nowhere" / "plans.csv")
    assert run(["solve", str(TEMPLATE), "--table", table, "-o", nowhere]) == 64
    assert "create it first" in capsys.readouterr().err
    assert run(["solve", str(TEMPLATE), "--table", table]) == 1
    assert len(capsys.readouterr().out.strip().splitlines()) == 3

    real, asked = planner.solve, []

    def interrupted(study, *rest):
        asked.append(study)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return real(study, *rest)

    monkeypatch.setattr(planner, "solve", interrupted)
    plans = tmp_path / "plans.csv"
    assert run(["solve", str(TEMPLATE), "--table", table, "-o", str(plans)]) == 64
    assert "stopped after 1 of 2 rows" in capsys.readouterr().err
    assert len(plans.read_text("utf-8").strip().splitlines()) == 2


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_by_commas_semicolons_or_tabs(tmp_path, mark) -> None:
    table = written(tmp_path, f"title{mark}budget\nBern{mark}5000\nBasel\n")
    bern, basel = read_rows(table, TEMPLATE)
    assert (bern.line, bern.study.title) == (2, "Bern")
    assert bern.study.find(planner.Budget).money == 5000
    assert "line 3: 1 cell under 2 columns" in basel.error


def test_a_header_alone_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match="no rows; give a header"):
        read_rows(written(tmp_path, "title,budget\n"), TEMPLATE)


def test_a_survey_may_be_the_template(tmp_path) -> None:
    template = tmp_path / "survey.toml"
    template.write_text(
        """
        [target]
        failure = 0.05
        [[question]]
        kind = "share"
        name = "smokes"
        error = 0.05
        [individual]
        base_cost = 12.5
        """
    )
    table = tmp_path / "sites.csv"
    table.write_text("site,times_error,smokes.error,base_cost\nA,2,0.04,3\nB,,0.06,\n")
    first, second = read_rows(table, template)
    assert first.study.asked("smokes").error == 0.08
    assert first.study.individual.base_cost == 3.0
    assert second.study.asked("smokes").error == 0.06
    table.write_text("site,error\nA,0.04\n")
    (row,) = read_rows(table, template)
    assert "give times_error" in row.error
    assert "smokes.error" in row.error
