import contextlib
import json
from dataclasses import replace

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.eval.sets.issue_set import COLUMNS, read_row, written_line
from react_agent.eval.task import Instance
from react_agent.parsers.settings.errors import ParseError

ROW = {
    "repo": "owner/name",
    "instance_id": "owner__name-12",
    "base_commit": "a" * 40,
    "problem_statement": "The sum of nothing is an error",
}
INSTANCE = Instance("owner__name-12", "owner/name", "a" * 40, ROW["problem_statement"])


@table_of(
    ("more", "changed"),
    [
        ({}, {}),
        ({"difficulty": "<15 min", "image": 3}, {}),
        ({"FAIL_TO_PASS": ["t.py::a[x y]"]}, {"fail_to_pass": ("t.py::a[x y]",)}),
        ({"PASS_TO_PASS": ["b", "c", "b"]}, {"pass_to_pass": ("b", "c")}),
        ({"FAIL_TO_PASS": '["a", "b"]', "PASS_TO_PASS": "[]"}, {"fail_to_pass": ("a", "b")}),
        ({"FAIL_TO_PASS": "", "PASS_TO_PASS": None, "hints_text": None}, {}),
        (
            {"FAIL_TO_PASS": ["tests.test_a.TestA.test_b", "a.py::TestA.test_b"]},
            {"fail_to_pass": ("test_b (tests.test_a.TestA)", "a.py::TestA.test_b")},
        ),
        ({"version": 3.1}, {"version": "3.1"}),
        ({"problem_statement": "half \ud83d of one"}, {"problem": "half ? of one"}),
    ],
)
def test_reads_a_row(more: dict[str, object], changed: dict[str, object]) -> None:
    assert read_row({**ROW, **more}, 1) == replace(INSTANCE, **changed)


def test_a_row_without_a_repository_is_of_the_one_that_is_given() -> None:
    assert read_row({**ROW, "repo": ""}, 1, "/src/name") == replace(INSTANCE, repo="/src/name")


AN_ID = "letters, digits and any of . _ + - as instance_id"


@table_of(
    ("more", "error"),
    [
        ({"instance_id": None}, f"{AN_ID}, found ''"),
        ({"instance_id": "../../etc"}, f"{AN_ID}, found '../../etc'"),
        ({"repo": "--upload=x"}, "OWNER/NAME, a path or a URL as repo, found '--upload=x'"),
        ({"base_commit": "-x"}, "a commit as base_commit, found '-x'"),
        ({"problem_statement": " \n"}, "a text as problem_statement, found ' \\n'"),
        ({"patch": ["x"]}, "a text as patch, found '[\"x\"]'"),
        ({"patch": "\udcff"}, "a text as patch, found '\\udcff'"),
        ({"FAIL_TO_PASS": "tests/a.py"}, "a list of names as FAIL_TO_PASS, found 'tests/a.py'"),
        ({"PASS_TO_PASS": [1]}, "a list of names as PASS_TO_PASS, found '[1]'"),
    ],
)
def test_says_what_is_wrong_with_a_row(more: dict[str, object], error: str) -> None:
    with pytest.raises(ParseError) as raised:
        read_row({**ROW, **more}, 7)
    assert str(raised.value) == f"line 7: expected {error}"


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NAMES = st.lists(TEXTS.filter(bool), unique=True).map(tuple)
INSTANCES = st.builds(
    Instance,
    **dict.fromkeys(COLUMNS, TEXTS)
    | {
        "id": st.from_regex(r"[a-z]\w{0,30}(?:[.+-]\w)?", fullmatch=True),
        "repo": st.sampled_from(["owner/name", "/a/b c", "https://example.org/a.git"]),
        "base": st.from_regex("[0-9a-f]{40}", fullmatch=True),
        "problem": TEXTS.filter(str.strip),
        "fail_to_pass": NAMES,
        "pass_to_pass": NAMES,
    },
)


@settings(max_examples=15)
@given(INSTANCES)
def test_reads_back_what_it_writes(instance: Instance) -> None:
    line = written_line(instance)
    assert (line.isascii(), line.count("\n")) == (True, 1)
    assert read_row(json.loads(line), 1) == instance


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=3,
)


@settings(max_examples=25)
@given(VALUES | st.dictionaries(st.sampled_from([*COLUMNS.values()]), VALUES).map(ROW.__or__))
def test_any_value_is_a_row_or_an_error(value: object) -> None:
    with contextlib.suppress(ParseError):
        read_row(value, 1)
