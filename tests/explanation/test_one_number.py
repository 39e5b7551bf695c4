"""A plan's numbers are printed alike by the terminal, the report, the sheets and the plan file."""

import contextlib
import io
import json
import math
import re
from pathlib import Path

import pytest

import planner
from planner.cli import run
from planner.numbers import decimal
from planner.study_file.templates import TEMPLATES
from planner.wording import money

STUDY = str(TEMPLATES / "study.toml")


@pytest.fixture(scope="module", params=["whole cents", "exact payments"])
def documents(request, tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("documents")
    text = Path(STUDY).read_text("utf-8")
    if request.param == "exact payments":
        text = re.sub("^smallest_coin.*$", "", text, flags=re.MULTILINE)
    (folder / "study.toml").write_text(text, "utf-8")
    plan = str(folder / "plan.json")
    assert run(["solve", str(folder / "study.toml"), "-o", plan]) == 0
    for command, name in (("consent", "consent.md"), ("methods", "methods.md")):
        assert run([command, plan, "-o", str(folder / name)]) == 0
    assert run(["report", plan, "--quick", "-o", str(folder / "report.html")]) == 0
    with contextlib.redirect_stdout(io.StringIO()) as terminal:
        assert run(["solve", str(folder / "study.toml")]) == 0
    texts = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    return texts | {"terminal": terminal.getvalue()}


@pytest.mark.slow
def test_the_payment_people_and_epsilon_are_the_same(documents) -> None:
    plan = json.loads(documents["plan.json"])["plan"]
    cents, people = math.ceil(decimal(plan["compensation"]) * 100), f"{plan['participants']:,}"
    paid = f"{cents / 100:.2f} EUR"
    for name in ("terminal", "report.html", "consent.md", "methods.md"):
        assert paid in documents[name], name
        assert f"{people} people" in documents[name], name
        others = set(
            re.findall(r"[\d.,]+\d EUR each|pa[iy]d? (?:you )?([\d.,]+\d) EUR", documents[name])
        )
        assert others - {""} <= {paid.removesuffix(" EUR")}, name
    for name in ("terminal", "report.html", "methods.md"):
        assert repr(plan["epsilon"]) in documents[name], name
    cost = money(plan["cost"], "EUR")
    for name in ("terminal", "report.html"):
        assert cost in documents[name], name


def test_an_answer_takes_at_most_twelve_lines(capsys) -> None:
    assert run(["solve", STUDY]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert len(lines) <= 12
    assert run(["solve", STUDY, "--proof"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(lines)
    assert planner.read_study(STUDY).costs.smallest_coin == 0.01


def test_people_at_a_terminal_read_what_to_do_next(capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(["solve", STUDY]) == 0
    assert "Next: planner report " in capsys.readouterr().out


def test_payments_add_up_to_the_printed_total(documents) -> None:
    """Those of whole cents stand beside exact ones, which the total holds."""
    plan = json.loads(documents["plan.json"])["plan"]
    cents, n = math.ceil(decimal(plan["compensation"]) * 100), plan["participants"]
    exact, whole = plan["compensation"] * n, cents * n / 100
    row = next(line for line in documents["terminal"].splitlines() if "payments" in line)
    product = f"{n:,} × {cents / 100:.2f}"
    if f"{exact:.4f}" == f"{whole:.4f}":
        assert f"{whole:,.2f} = {product}" in row
    else:
        assert f"{money(exact)} exactly; {whole:,.2f} = {product} in whole cents" in row
