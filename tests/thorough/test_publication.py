"""Publications with the real OpenDP, many times, and under faults: once, and never by half."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from pyarrow import csv as arrow_csv, parquet
from scipy import stats

import planner
from planner.publication import ledger
from planner.publication.accuracy import allowed_failure
from planner.publication.items import items
from planner.publication.measurement import promised
from planner.publication.publish import drawn
from planner.publication.records import sums_of
from tests.publication import plans, test_ledger

RUNS = 5_000
RARE = 1e-6
"""OpenDP's noise takes no seed, so each run of the tests is another draw: a sound publication is
refused by chance once in 1e6 comparisons. A failure of 0.12 for 0.1 is seen by half of the runs."""
KILLS = int(os.environ.get("PLANNER_KILLS", "5"))
RACES = int(os.environ.get("PLANNER_RACES", "5"))


def surely(failures: int, runs: int, allowed: float) -> bool:
    """Whether so many failures are no proof that they are likelier than allowed."""
    return stats.binomtest(failures, runs, min(allowed, 1.0), "greater").pvalue > RARE


@pytest.mark.parametrize("name", ["laplace", "geometric", "gaussian", "survey", "words"])
def test_publications_are_as_accurate_as_promised(name, tmp_path):
    """Records are drawn from populations at the worst share each time, and published."""
    plan = plans.plan(name)
    asked, rng = items(plan), np.random.default_rng(20)
    promise = promised(plan, asked)
    failures: Counter[str] = Counter()
    for _ in range(RUNS):
        truth, sums = {}, {}
        for item in asked:
            n = item.participants
            if item.kind == "histogram":
                shares = np.array([0.5, 0.5, *np.zeros(item.groups - 2)])
                sums[item.name], truth[item.name] = rng.multinomial(n, shares), shares
            elif item.kind == "quantile":
                sums[item.name] = rng.multinomial(n, np.full(item.groups, 1 / item.groups))
                truth[item.name] = None
            else:
                sums[item.name] = int(rng.binomial(n, 0.5)) * item.steps
                truth[item.name] = item.low + 0.5 * (item.high - item.low)
        found = zip(asked, drawn(asked, promise, plans.sums(sums)), strict=True)
        wrong = [item.name for item, answer in found if off(item, answer, truth[item.name])]
        failures.update(wrong)
        failures["any"] += bool(wrong)
    for item in asked:
        assert surely(failures[item.name], RUNS, item.failure), (item.name, failures)
    assert surely(failures["any"], RUNS, allowed_failure(plan)), failures


def off(item, answer, truth) -> bool:
    """Whether an answer is off by its error or more."""
    if item.kind == "quantile":
        low, high = answer / item.groups, (answer + 1) / item.groups
        return max(0.0, low - item.at, item.at - high) >= item.error
    return bool(np.any(np.abs(np.asarray(answer) - truth) >= item.error))


def test_reports_without_a_curator_are_as_accurate_as_promised():
    plan = plans.plan("reports")
    (item,), rng = items(plan), np.random.default_rng(21)
    promise, failures = promised(plan, [item]), 0
    for _ in range(RUNS):
        chance = 0.5 * float(item.truth) + 0.5 * float(item.other)
        reports = int(rng.binomial(item.participants, chance))
        (answer,) = drawn([item], promise, plans.sums({item.name: reports}))
        failures += off(item, answer, 0.5)
    assert surely(failures, RUNS, item.failure)


@pytest.mark.parametrize("name", ["laplace", "geometric", "gaussian"])
def test_noise_has_the_distribution_that_was_planned(name):
    plan = plans.plan(name)
    (item,) = items(plan)
    promise = promised(plan, [item])
    whole = plans.sums({item.name: 10})
    drawn = np.array([float(promise.measurement(whole)[0]) - 10 for _ in range(2 * RUNS)])
    if name == "geometric":  # ln of the ratio of neighbours is 1/scale
        ratio = np.exp(-1 / item.scale)
        at = np.arange(-40, 41)
        chances = (1 - ratio) / (1 + ratio) * ratio ** np.abs(at)
        cells = np.array([(drawn == k).sum() for k in at])
        kept = chances * len(drawn) > 10
        seen = np.append(cells[kept], len(drawn) - cells[kept].sum())
        expected = np.append(chances[kept], 1 - chances[kept].sum()) * len(drawn)
    else:
        law = stats.laplace if name == "laplace" else stats.norm
        edges = law.ppf(np.linspace(0, 1, 41)[1:-1], scale=item.scale)
        seen = np.bincount(np.searchsorted(edges, drawn), minlength=40)
        expected = np.full(40, len(drawn) / 40)
    assert stats.chisquare(seen, expected).pvalue > RARE


def command(folder: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-c", "from planner.cli import main; main()", "publish",
        str(folder / "plan.json"), str(folder / "records.csv"), "-o", str(folder / "results.json"),
        "--ledger", str(folder / "ledger.sqlite"), *more,
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    plan = plans.plan("survey")
    plan.save(tmp_path / "plan.json")
    plans.records(tmp_path, plan)
    return tmp_path


def test_a_kill_at_any_moment_leaves_an_entry_and_its_results_or_neither(folder):
    started = time.monotonic()
    subprocess.run(command(folder), check=True, capture_output=True)
    whole = time.monotonic() - started
    first = (folder / "results.json").read_bytes()
    book, results = folder / "ledger.sqlite", folder / "results.json"
    rng, missing, entered = random.Random(5), 0, 0
    for _ in range(KILLS):
        book.unlink(missing_ok=True)
        results.unlink(missing_ok=True)
        process = subprocess.Popen(
            command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.3, 1.1) * whole)
        process.send_signal(signal.SIGKILL)
        process.wait()
        entries = ledger.entries(book)
        assert len(entries) <= 1
        if not entries:
            assert not results.exists()
            continue
        entered += 1
        missing += not results.exists()
        if not results.exists():  # the same command writes it again, and spends nothing
            subprocess.run(command(folder), check=True, capture_output=True)
            assert len(ledger.entries(book)) == 1
        assert json.loads(results.read_text()) == json.loads(entries[0].results)
        assert results.read_bytes() != first  # other noise
    assert entered
    print(f"{KILLS} kills: {entered} entered, {missing} of them without a results file")  # noqa: T201


def test_of_two_at_once_one_wins(folder):
    code = (
        "import sys, planner; from planner.cli import run; "
        "from planner.publication import publish; "
        "folder, name, go = sys.argv[1:]; import time, pathlib\n"
        "plan = planner.read_answer(folder + '/plan.json')\n"
        f"for k in range({RACES}):\n"
        "    while not pathlib.Path(f'{folder}/go{k}').exists(): time.sleep(0.001)\n"
        "    try:\n"
        "        planner.publish(plan, folder + '/records.csv',\n"
        "            f'{folder}/{name}{k}.json', ledger=f'{folder}/book{k}.sqlite')\n"
        "        print('won', flush=True)\n"
        "    except ValueError as error:\n"
        "        print('lost' if 'published' in str(error) else error, flush=True)\n"
    )
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(folder), name, "go"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    try:
        for k in range(RACES):
            (folder / f"go{k}").touch()
            said = sorted(process.stdout.readline().strip() for process in pair)
            assert said == ["lost", "won"], k
            (entry,) = ledger.entries(folder / f"book{k}.sqlite")
            (path,) = folder.glob(f"[ab]{k}.json")
            assert json.loads(path.read_text()) == json.loads(entry.results)
    finally:
        for process in pair:
            process.kill()
            process.communicate()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_spends_nothing(folder):
    folder.chmod(0o500)
    try:
        done = subprocess.run(command(folder), capture_output=True, text=True)
    finally:
        folder.chmod(0o700)
    assert done.returncode == 64
    assert not (folder / "ledger.sqlite").exists()


def test_a_full_disk_after_the_entry_is_mended_by_the_same_command(folder):
    limited = (
        "import resource, signal, sys; from planner.cli import run\n"
        "import planner.publication.publish as p\n"
        "before = p._write\n"
        "def write(*given):\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))\n"
        "    before(*given)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "p._write = write; sys.exit(run(sys.argv[1:]))"
    )
    arguments = command(folder)[3:]
    done = subprocess.run(
        [sys.executable, "-B", "-c", limited, *arguments], capture_output=True, text=True
    )
    assert done.returncode == 64
    assert "the results are in the ledger" in done.stderr
    assert "smokes" not in done.stdout
    assert not (folder / "results.json").exists()
    subprocess.run(command(folder), check=True, capture_output=True)
    (entry,) = ledger.entries(folder / "ledger.sqlite")
    assert json.loads((folder / "results.json").read_text()) == json.loads(entry.results)


def test_what_is_written_holds_no_true_answer(folder, monkeypatch):
    """Results, ledger, output: none has the sums of the records, or one of their values."""
    path = folder / "records.csv"
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    column = [f"{17.123 + k / 7919:.9f}" for k in range(len(rows))]
    for row, value in zip(rows, column, strict=True):
        row["cigarettes"] = value
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    done = subprocess.run(command(folder, "--json"), capture_output=True, text=True, check=True)
    plan = planner.read_answer(folder / "plan.json")
    asked = items(plan)
    sums = sums_of(path, asked, plan.participants)
    n = plan.participants
    (steps,) = (item.steps for item in asked if item.name == "cigarettes")
    secret = {f"{sums['cigarettes']}", f"{60 * sums['cigarettes'] / steps / n:.7g}"}
    secret |= {repr(sums["smokes 1"] / n), *column}
    seen = done.stdout + done.stderr + (folder / "results.json").read_text()
    seen += (folder / "ledger.sqlite").read_bytes().decode("latin-1")
    assert not [value for value in secret if value in seen]


def as_parquet(path: Path) -> Path:
    """The same records as Parquet, block by block: the peak of a child starts at its parent's."""
    target = path.with_suffix(".parquet")
    with (
        arrow_csv.open_csv(path) as reader,
        parquet.ParquetWriter(target, reader.schema) as writer,
    ):
        for batch in reader:
            writer.write_batch(batch)
    return target


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
@pytest.mark.parametrize("form", ["commas", "decimal commas", "parquet"])
def test_memory_hardly_grows_with_records(form, tmp_path):
    """The peak at ten million rows is at most 250 MB over that at one million, and under 400.

    VmHWM is of the new program alone; ru_maxrss counts the process that started it too.
    """
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from planner.publication.items import Item\n"
        "from planner.publication.records import sums_of\n"
        "n, rows = int(sys.argv[2]), int(sys.argv[3])\n"
        "words = (('nein',), ('ja',))\n"
        "asked = [Item('a', 'share', .1, .1, 'laplace', 1.0, n, words=words),\n"
        "         Item('b', 'mean', .1, .1, 'laplace', 1.0, n, low=0.0, high=100.0)]\n"
        "sums = sums_of(Path(sys.argv[1]), asked, n)\n"
        "status = Path('/proc/self/status').read_text().split()\n"
        "print(int(status[status.index('VmHWM:') + 1]) // 1024)"
    )
    peaks = {}
    mark, separator = (",", ";") if form == "decimal commas" else (".", ",")
    for rows in (1_000_000, 10_000_000):
        path = tmp_path / "records.csv"
        with path.open("w") as file:
            file.write(f"a{separator}b\n")
            answers = ("nein", "ja")
            block = "".join(f"{answers[k % 2]}{separator}{k % 97}{mark}25\n" for k in range(10_000))
            for _ in range(rows // 10_000):
                file.write(block)
        if form == "parquet":
            path = as_parquet(path)
        for n in (rows, rows // 2):
            done = subprocess.run(
                [sys.executable, "-c", code, str(path), str(n), str(rows)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            peaks[rows, n < rows] = int(done.stdout)
    print(f"peaks in MB: {peaks}")  # noqa: T201
    for halved in (False, True):
        assert peaks[10_000_000, halved] <= peaks[1_000_000, halved] + 250
        assert peaks[10_000_000, halved] <= 400


@pytest.mark.parametrize("count", [1, 12])
@pytest.mark.parametrize("make", [test_ledger.book, test_ledger.version_1])
def test_no_cut_and_no_damage_of_a_ledger_allows_a_second_publication(make, count, tmp_path):
    path = make(tmp_path / "ledger.sqlite", count)
    whole = path.read_bytes()
    cuts = (whole[:length] for length in range(len(whole)))
    for contents in (cuts, test_ledger.damaged(whole, test_ledger.STEP)):
        for content in contents:
            path.write_bytes(content)
            assert not test_ledger.publishes_again(path)
            for left in tmp_path.glob("ledger.sqlite?*"):
                left.unlink()
