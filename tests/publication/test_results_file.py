"""Results are read again as they were written, and hostile files are refused in a sentence."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from planner.publication import read_results
from planner.publication.publish import rehearse
from planner.publication.published import Published
from tests.publication import plans


@pytest.fixture(scope="module")
def data():
    return json.loads(rehearse(plans.plan("words"), 0.3).to_json())


def written(folder, data):
    path = folder / "results.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", plans.STUDIES)
def test_results_are_read_as_they_were_written(name, tmp_path):
    done = rehearse(plans.plan(name), 0.3)
    done.save(tmp_path / "results.json")
    again = read_results(tmp_path / "results.json")
    assert again == done
    for ending in (".json", ".csv", ".md"):
        assert again.text(ending) == done.text(ending)


@pytest.mark.slow
def test_files_of_the_first_version_are_read(data, tmp_path):
    later = ("interval", "noise_error", "sampling_error", "fitted", "low", "high")
    old = {
        **data,
        "answers": [{k: x for k, x in a.items() if k not in later} for a in data["answers"]],
    }
    again = read_results(written(tmp_path, old))
    assert again.answers[0].interval is None
    for ending in (".csv", ".md", ".html"):
        assert "None" not in again.text(ending)


REFUSED = {
    "[1]": "no results",
    "{": "not a results file",
    '{"answers": [], "published": "x", "answers": []}': "given twice",
    '{"answers": NaN, "published": "x"}': "not a finite number",
    "[" * 100_000: "nested too deep",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_results_file_is_refused(text, tmp_path):
    with pytest.raises(ValueError, match=REFUSED[text]):
        read_results(written(tmp_path, text))


CHANGES = [
    ({"epsilon": "1"}, "epsilon = '1' is not allowed"),
    ({"participants": 3.5}, "participants = 3.5 is not allowed"),
    ({"rehearsed": 1}, "rehearsed = 1 is not allowed"),
    ({"title": "a\u001b[31m"}, "control characters"),
    ({"other": 1}, "unknown key other"),
    ({"records": "x"}, "unknown key records"),
    ({"epsilon": 10**400}, "a number is beyond"),
    ({"answers": []}, "answers is empty"),
    ({"answers": 3}, "answers = 3 is not allowed"),
]
OF_ANSWERS = [
    ({"error": 0}, "the error of 'age' is not over 0"),
    ({"answer": [1e300, 0.2, 0.3]}, "a number is beyond"),
    ({"kind": "sum"}, "'sum' is not a kind"),
    ({"kind": "share"}, "does not fit its kind"),
    ({"answer": [0.1, 0.2]}, "not as many as its groups"),
    ({"interval": [[0.1], [0.1, 0.2], [0, 1]]}, "has not two ends"),
    ({"name": "smokes"}, "two answers are named 'smokes'"),
    ({"more": 1}, "unknown key more"),
    ({"groups": ["a\tb\x00", "b", "c"]}, "control characters"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_fields_that_cannot_be_are_refused(change, words, data, tmp_path):
    with pytest.raises(ValueError, match=words) as error:
        read_results(written(tmp_path, data | change))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("change", "words"), OF_ANSWERS)
def test_answers_that_cannot_be_are_refused(change, words, data, tmp_path):
    answers = [*data["answers"]]
    answers[1] = answers[1] | change
    with pytest.raises(ValueError, match=words) as error:
        read_results(written(tmp_path, data | {"answers": answers}))
    assert "\n" not in str(error.value)


def test_a_missing_field_is_named(data, tmp_path):
    first = {key: x for key, x in data["answers"][0].items() if key != "failure"}
    with pytest.raises(ValueError, match=r"answers\.0\.failure is missing"):
        read_results(written(tmp_path, data | {"answers": [first]}))


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**18), st.floats(allow_nan=False, width=64),
    st.text(max_size=5), st.lists(st.floats(-1, 2), max_size=4),
    st.lists(st.lists(st.floats(-1, 2), max_size=3), max_size=4),
    st.dictionaries(st.text(), st.none()),
)  # fmt: skip


def refusal(path) -> str:
    try:
        read_results(path)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.slow
@given(st.data())
def test_a_file_with_any_value_is_read_or_refused_in_a_sentence(tmp_path_factory, data_of):
    folder = tmp_path_factory.getbasetemp()
    data = json.loads(rehearse(plans.plan("laplace"), 0.3).to_json())
    table = data_of.draw(st.sampled_from([data, data["answers"][0]]))
    table[data_of.draw(st.sampled_from(sorted(table)))] = data_of.draw(VALUES)
    path = written(folder, data)
    if said := refusal(path):
        assert "\n" not in said
        return
    found = read_results(path)
    assert str(found)
    for ending in (".csv", ".md"):
        assert found.text(ending)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_shares_among_those_who_answered_are_within_their_errors(count) -> None:
    """At the corners of what the published shares may be off by, and inside."""
    rng = np.random.default_rng(3)
    error = 0.05
    for _ in range(300):
        truth = rng.dirichlet((2.0, *[1.0] * count))
        off = rng.choice([-0.999, -0.5, 0.5, 0.999], count + 1) * error
        answer = (truth + off).tolist()
        groups = (*"abcde"[:count], "no answer")
        one = Published("q", "histogram", answer, error, 0.1, "laplace", 1.0, groups=groups)
        for share, (found, own) in zip(truth, one.among_answered, strict=False):
            assert abs(found - share / (1 - truth[-1])) < own * (1 + 1e-12)
    alone = Published("q", "histogram", [0.5, 0.5], error, 0.1, "laplace", 1.0, groups=("a", "b"))
    assert alone.among_answered == []
    nobody = replace(one, answer=[0.0] * count + [0.97])
    assert nobody.among_answered == []
