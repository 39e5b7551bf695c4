"""Publishing with the real OpenDP: once, with the noise that was planned."""

import csv
import json
import math
import os
import sqlite3
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.privacy.gaussian import epsilon_at
from planner.publication import ledger, measurement, publish as module
from planner.publication.accuracy import accurate
from planner.publication.items import items
from planner.publication.publish import publish, rehearse
from planner.publication.records import Sums
from planner.wording import money
from tests.publication import plans


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", plans.STUDIES)
def test_every_kind_of_plan_is_published(name, place):
    plan = plans.plan(name)
    done = publish(plan, plans.records(place, plan), place / "results.json")
    assert json.loads((place / "results.json").read_text()) == json.loads(done.to_json())
    assert [one.name for one in done.answers] == [item.name for item in items(plan)]
    assert done.epsilon == plan.epsilon
    assert done.participants == plan.participants
    for one in done.answers:
        numbers = one.answer if isinstance(one.answer, list) else [one.answer]
        assert all(math.isfinite(x) for x in numbers)
    assert "published" in str(done)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in plans.STUDIES if n != "reports"])
def test_the_map_of_opendp_is_within_the_plan(name):
    plan = plans.plan(name)
    asked = items(plan)
    promise = measurement.promised(plan, asked)
    grown = [replace(i, scale=scale) for i, scale in zip(asked, promise.scales, strict=True)]
    pure, rho = measurement.privacy_maps(grown, measurement._measurements(grown))
    if rho is not None:
        strength = math.sqrt(2 * rho)  # the mu of all answers together
        total = pure + float(epsilon_at(1 / strength, plan.delta))
        assert plan.epsilon * (1 - 1e-5) <= total <= plan.epsilon * (1 + 1e-8)
    elif plan.delta:
        assert pure == pytest.approx(sum(q.times * q.epsilon for q in plan.questions))
    else:
        assert Fraction(pure) <= planner.numbers.decimal(plan.epsilon)
        assert pure == pytest.approx(plan.epsilon, rel=1e-6)


@pytest.mark.slow
def test_noise_of_too_large_a_map_is_grown(monkeypatch):
    """A scale a little too small for the plan's ε is raised, and the accuracy proved there."""
    plan = plans.plan("laplace")
    asked = items(plan)
    small = [replace(asked[0], scale=asked[0].scale * (1 - 1e-10))]
    promise = measurement.promised(plan, small)
    assert promise.scales[0] > small[0].scale
    gaussian = plans.plan("gaussian")
    (item,) = items(gaussian)
    small_too = [replace(item, scale=item.scale * (1 - 1e-10))]
    assert measurement.promised(gaussian, small_too).scales[0] > small_too[0].scale
    pure, _ = measurement.privacy_maps(
        [replace(small[0], scale=promise.scales[0])],
        measurement._measurements([replace(small[0], scale=promise.scales[0])]),
    )
    assert Fraction(pure) <= planner.numbers.decimal(plan.epsilon)
    with pytest.raises(ValueError, match="no scale"):
        measurement.promised(plan, [replace(asked[0], scale=asked[0].scale / 2)])
    monkeypatch.setattr(measurement, "accurate", lambda *_: False)
    with pytest.raises(ValueError, match="no scale"):
        measurement.promised(plan, small)


@pytest.mark.slow
def test_accuracy_is_not_proved_with_more_noise():
    for name in ("laplace", "geometric", "gaussian", "survey", "gaussian survey"):
        plan = plans.plan(name)
        more = [replace(item, scale=item.scale * 1.01) for item in items(plan)]
        assert accurate(plan, items(plan)), name
        assert not accurate(plan, more), name


@pytest.mark.slow
def test_a_plan_is_published_once(place):
    plan = plans.plan("laplace")
    path = plans.records(place, plan)
    first = publish(plan, path, place / "results.json")
    assert first.notes == ()
    with pytest.raises(ValueError, match="has been published with these people"):
        publish(plan, path, place / "results.json")
    with pytest.raises(ValueError, match="has been published"):
        publish(plan, path)
    with pytest.raises(
        ValueError, match=r"this plan has been published with '.*give --other-people"
    ):
        publish(plan, path, place / "others.json", people="others")
    with pytest.raises(ValueError, match="this plan has been published"):
        publish(plan, path, place / "elsewhere.json")
    with pytest.raises(ValueError, match="another plan has been published"):
        publish(plans.plan("geometric"), path, place / "more.json")
    assert len(ledger.entries()) == 1


def test_missing_results_are_written_again_without_new_noise(place):
    plan = plans.plan("laplace")
    path, results = plans.records(place, plan), place / "results.json"
    publish(plan, path, results)
    before = results.read_bytes()
    results.unlink()
    path.unlink()  # the records are not needed
    again = publish(plan, path, results)
    assert results.read_bytes() == before
    assert "nothing was spent" in again.notes[-1]
    assert len(ledger.entries()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".csv", ".html"])
def test_results_are_tables_and_pages_too(ending, place):
    plan = plans.plan("survey")
    path, results = plans.records(place, plan), place / f"results{ending}"
    done = publish(plan, path, results)
    written = results.read_text("utf-8")
    if ending == ".csv":
        rows = list(csv.DictReader(written.splitlines()))
        numbers = [
            x
            for a in done.answers
            for x in (a.answer if isinstance(a.answer, list) else [a.answer])
        ]
        assert [float(row["answer"]) for row in rows] == numbers
        assert [row["group"] for row in rows if row["question"] == "age"] == ["0", "1", "2"]
    else:
        assert all(
            words in written for words in ('<th scope="row">smokes 1</th>', "What was promised")
        )
        assert "records.csv" not in written
    assert json.loads(ledger.entries()[0].results) == json.loads(done.to_json())
    results.unlink()
    again = publish(plan, path, results)
    assert results.read_text("utf-8") == written
    assert again.answers == done.answers


@pytest.mark.slow
def test_publishing_again_composes(place):
    plan = plans.plan("laplace")
    path = plans.records(place, plan)
    publish(plan, path, place / "one.json", people="class")
    second = publish(plan, path, place / "two.json", people="class", again=True)
    owed = plan.study.individual.compensation(2 * plan.epsilon, 0.0) - plan.compensation
    assert f"each is now owed {money(owed, 'EUR')} more" in second.notes[0]
    assert second.paid.startswith(f"{money(owed, 'EUR')} to each person")
    first_paid, second_paid = (entry.compensation for entry in ledger.entries())
    assert first_paid == plan.compensation
    whole = plan.study.individual.compensation(2 * plan.epsilon, 0.0)
    assert whole <= first_paid + second_paid < whole + 0.02
    assert [entry.people for entry in ledger.entries()] == ["class", "class"]
    kept = (place / "two.json").read_bytes()
    (place / "two.json").unlink()  # as if interrupted: the same command spends nothing
    publish(plan, path, place / "two.json", people="class", again=True)
    assert (place / "two.json").read_bytes() == kept
    assert len(ledger.entries()) == 2
    other = planner.solve(replace(plan.study, title="Other"))
    publish(other, path, place / "three.json", people="another class")
    assert len(ledger.entries()) == 3
    renamed = publish(other, path, place / "four.json", people="a third class", again=True)
    assert "published with 'another class' before. If these are the same" in renamed.notes[0]


@pytest.mark.slow
def test_nothing_is_spent_where_anything_is_refused(place):
    plan = plans.plan("survey")
    path = plans.records(place, plan)
    refused = [
        (plans.rewritten, (3, "cigarettes", "61.25"), "line 3, column cigarettes: not a number"),
        (plans.rewritten, (4, "age", "3"), "line 4, column age: not the number of a group, 0 to 2"),
        (plans.rewritten, (5, "smokes 2", "maybe"), "line 5, column smokes 2: not 0 or 1"),
        (plans.rewritten, (6, "smokes 1", ""), "line 6, column smokes 1: the value is missing"),
        (plans.rewritten, (7, "income", "2.5"), "line 7, column income: not the number"),
        (plans.rewritten, (8, "cigarettes", "nan"), "line 8, column cigarettes: not a number"),
        (plans.rewritten, (1, "income", "incomes"), "column income is missing"),
        (plans.with_rows, (-1,), f"the plan is for {plan.participants}"),
    ]
    for change, how, words in refused:
        change(plans.records(place, plan), *how)
        with pytest.raises(ValueError, match=words) as error:
            publish(plan, path, place / "results.json")
        assert "61.25" not in str(error.value)
        assert "maybe" not in str(error.value)
    with pytest.raises(ValueError, match="no such file"):
        publish(plan, place / "nowhere.csv", place / "results.json")
    with pytest.raises(ValueError, match="has no plan"):
        publish(planner.solve(replace(plan.study, conditions=[planner.MaxParticipants(2)])), path)
    with pytest.raises(ValueError, match="does not hold"):
        publish(replace(plan, epsilon=plan.epsilon / 2), path)
    with pytest.raises(ValueError, match=r"end the name in \.json"):
        publish(plan, path, place / "results.txt")
    assert len(ledger.entries()) == 0
    assert not (place / "results.json").exists()


def test_values_out_of_range_are_clamped_if_asked(place):
    plan = plans.plan("numbers")
    path = plans.records(place, plan, 1.0)
    for line in range(2, plan.participants + 2):
        plans.rewritten(path, line, "answer", "1e9")
    done = publish(plan, path, clamp=True)
    assert abs(done.answers[0].answer - 10) < 20 * plan.scale  # more in one of 5·10⁸ runs
    assert "1e9" not in done.to_json()
    assert "clamp" not in done.to_json()


def test_of_more_records_as_many_as_planned_are_drawn(place, monkeypatch):
    plan = plans.plan("laplace")
    path = plans.with_rows(plans.records(place, plan, 1.0), 3)
    done = publish(plan, path)
    assert abs(done.answers[0].answer - 1) < 20 * plan.scale
    assert done.participants == plan.participants


def test_a_ledger_is_private_and_readable(place):
    plan = plans.plan("laplace")
    publish(plan, plans.records(place, plan), ledger=place / "own.sqlite")
    assert os.stat(place / "own.sqlite").st_mode & 0o777 == 0o600
    (entry,) = ledger.entries(place / "own.sqlite")
    assert (entry.epsilon, entry.participants) == (plan.epsilon, plan.participants)
    assert "ε = 0.60" in str(ledger.entries(place / "own.sqlite"))
    assert entry.to_dict()["people"] == str(place / "records.csv")
    assert "nothing has been published" in str(ledger.entries())


def test_a_ledger_that_cannot_be_used_is_refused(place, monkeypatch):
    plan = plans.plan("laplace")
    path = plans.records(place, plan)
    (place / "text.sqlite").write_text("this is not a database, and long enough to be read as one")
    with pytest.raises(ValueError, match=r"text\.sqlite: the ledger is damaged"):
        publish(plan, path, ledger=place / "text.sqlite")
    with pytest.raises(ValueError, match="cannot be written"):
        publish(plan, path, ledger=place)
    monkeypatch.setattr(ledger, "network_drive", lambda _: "nfs")
    with pytest.raises(ValueError, match="network drive"):
        publish(plan, path, ledger=place / "own.sqlite")


def test_a_locked_ledger_is_waited_for_and_then_refused(place, monkeypatch):
    plan = plans.plan("laplace")
    path, book = plans.records(place, plan), place / "own.sqlite"
    monkeypatch.setattr(ledger, "_PATIENCE", 0.1)
    other = sqlite3.connect(book, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ValueError, match="locked"):
        publish(plan, path, place / "results.json", ledger=book)
    other.close()
    assert not (place / "results.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["survey", "reports", "geometric"])
def test_a_rehearsal_needs_no_records_and_no_ledger(name, place):
    done = rehearse(plans.plan(name), 0.3)
    assert done.rehearsed
    assert "invented" in str(done)
    assert not (place / "data").exists()
    with pytest.raises(ValueError, match="proportion"):
        rehearse(plans.plan(name), 1.5)


def test_what_cannot_be_published_is_refused_in_a_sentence(place):
    none = {
        planner.Mwem(8000, 100): "does not run mwem",
    }
    for mechanism, words in none.items():
        study = planner.Study(
            mechanism, planner.Accuracy(0.3, 0.2), plans.PERSON, [planner.MaxParticipants(10**9)]
        )
        with pytest.raises(ValueError, match=words):
            rehearse(planner.solve(study))


def test_sums_show_nothing():
    assert "17" not in repr(Sums(a=17))


def test_a_run_after_a_complete_publication_says_where_the_results_are(place):
    plan = plans.plan("laplace")
    path, results = plans.records(place, plan), place / "results.json"
    publish(plan, path, results)
    with pytest.raises(ValueError, match=f"the results are in {results.resolve()}"):
        publish(plan, path, results)


def test_of_two_at_once_to_one_file_the_second_is_refused(place, monkeypatch):
    """The second publication ends while the first computes its noise."""
    plan = plans.plan("laplace")
    path, results = plans.records(place, plan), place / "results.json"
    publish(plan, path, place / "earlier.json")
    once = module.promised

    def promised(*arguments):
        monkeypatch.setattr(module, "promised", once)
        publish(plan, path, results, again=True)
        return once(*arguments)

    monkeypatch.setattr(module, "promised", promised)
    with pytest.raises(ValueError, match=r"results\.json belongs to publication 2"):
        publish(plan, path, results, again=True)
    assert json.loads(results.read_text()) == json.loads(ledger.entries()[1].results)
    assert len(ledger.entries()) == 2


def test_results_never_replace_a_file_that_was_made_meanwhile(place, monkeypatch):
    plan = plans.plan("laplace")
    path, results = plans.records(place, plan), place / "results.json"
    once = module._entry

    def entry(*arguments):
        results.write_text("other")
        return once(*arguments)

    monkeypatch.setattr(module, "_entry", entry)
    with pytest.raises(ValueError, match="the results are in the ledger"):
        publish(plan, path, results)
    assert results.read_text() == "other"
    assert sorted(one.name for one in place.iterdir()) == ["data", "records.csv", "results.json"]


def test_an_output_is_never_the_ledger(place):
    plan = plans.plan("laplace")
    path = plans.records(place, plan)
    both = place / "both.json"
    with pytest.raises(ValueError, match="is an input"):
        publish(plan, path, both, ledger=both)
    publish(plan, path, ledger=both)
    before = both.read_bytes()
    with pytest.raises(ValueError, match="is an input"):
        publish(plan, path, both, ledger=both, again=True)
    with pytest.raises(ValueError, match="is a ledger"):
        plan.save(both)
    assert both.read_bytes() == before


@pytest.mark.slow
def test_answers_out_of_range_stand_beside_the_nearest_possible_value():
    plan = plans.plan("survey")
    asked = items(plan)
    values = [-0.0085, 0.5, [1.0067, -0.01, 0.4], 61.5, 3]
    found = [measurement.nearest(item, value) for item, value in zip(asked, values, strict=True)]
    assert found == [0.0, 0.5, [1.0, 0.0, 0.4], 60.0, 3]
    published = module.Published("smokes", "share", -0.0085, 0.05, 0.05, "laplace", 1.0, 0.0)
    done = replace(rehearse(plan), answers=(published,))
    said = " ".join(str(done).split())
    assert "-0.00850 ± 0.05; noise has moved the answer beyond what is possible" in said
    assert "nearest possible value is 0" in said


@pytest.mark.slow
def test_whom_the_answers_are_about_is_published() -> None:
    """Where some do not respond, of one population and of each stratum."""
    study = planner.Study(
        planner.LaplaceMean("hoeffding"),
        planner.Accuracy(0.1, 0.1),
        planner.Individual(12.5),
        sampling=planner.Sampling(response_rate=0.55),
    )
    said = " ".join(rehearse(planner.solve(study)).notes)
    assert "Nothing is known about the 45 % who do not" in said
    assert "by up to 45 percentage points either way" in said
    strata = (
        planner.Stratum("North", share=0.5, error=0.1, response_rate=0.6),
        planner.Stratum("South", share=0.5, error=0.1),
    )
    divided = replace(
        study, target=planner.Accuracy(failure=0.1), strata=strata, sampling=planner.Sampling()
    )
    said = " ".join(rehearse(planner.solve(divided)).notes)
    assert "North: The answer is about people who respond" in said
    assert "South" not in said
