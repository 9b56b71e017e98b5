import contextlib
import json
from dataclasses import replace

import pytest
from check_rows import table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.eval.sets.row import COLUMNS, read_row, written_line
from react_agent.eval.task import Instance
from react_agent.parsers.settings.errors import ParseError

ROW = {
    "repo": "owner/name",
    "instance_id": "owner__name-12",
    "base_commit": "a" * 40,
    "problem_statement": "The sum of nothing is an error",
}
INSTANCE = Instance(
    "owner__name-12", "owner/name", "a" * 40, problem="The sum of nothing is an error"
)


@table_of(
    ("more", "changed"),
    [
        pytest.param({}, {}, id="the least"),
        pytest.param({"difficulty": "<15 min", "image": 3}, {}, id="unknown columns"),
        pytest.param(
            {
                "patch": "p",
                "test_patch": "t",
                "hints_text": "h",
                "version": "1.2",
                "created_at": "2024-01-01T00:00:00Z",
                "environment_setup_commit": "b" * 40,
            },
            {
                "patch": "p",
                "test_patch": "t",
                "hints": "h",
                "version": "1.2",
                "created": "2024-01-01T00:00:00Z",
                "environment_commit": "b" * 40,
            },
            id="the other columns",
        ),
        pytest.param(
            {"install": "pip install .", "test_command": "make check", "python": "3.11"},
            {"install": "pip install .", "test_command": "make check", "python": "3.11"},
            id="ours",
        ),
        pytest.param(
            {"FAIL_TO_PASS": ["t.py::a[x y]"], "PASS_TO_PASS": ["b", "c", "b"]},
            {"fail_to_pass": ("t.py::a[x y]",), "pass_to_pass": ("b", "c")},
            id="lists, a name twice",
        ),
        pytest.param(
            {"FAIL_TO_PASS": '["a", "b"]', "PASS_TO_PASS": "[]"},
            {"fail_to_pass": ("a", "b")},
            id="lists in texts",
        ),
        pytest.param({"FAIL_TO_PASS": "", "PASS_TO_PASS": None}, {}, id="no lists"),
        pytest.param(
            {"FAIL_TO_PASS": ["tests.test_a.TestA.test_b", "a.py::TestA.test_b"]},
            {"fail_to_pass": ("test_b (tests.test_a.TestA)", "a.py::TestA.test_b")},
            id="dotted names of unittest",
        ),
        pytest.param({"version": 3.1, "hints_text": None}, {"version": "3.1"}, id="a number"),
        pytest.param(
            {"problem_statement": "half \ud83d of one"}, {"problem": "half ? of one"}, id="half"
        ),
    ],
)
def test_reads_a_row(more: dict[str, object], changed: dict[str, object]) -> None:
    assert read_row({**ROW, **more}, 1) == replace(INSTANCE, **changed)


def test_a_row_without_a_repository_is_of_the_one_that_is_given() -> None:
    row = {**ROW, "repo": ""}

    assert read_row(row, 1, "/src/name") == replace(INSTANCE, repo="/src/name")


@table_of(
    ("more", "error"),
    [
        pytest.param(
            {"instance_id": None},
            "line 7: expected letters, digits and any of . _ + - as instance_id, found ''",
            id="no id",
        ),
        pytest.param(
            {"instance_id": "../../etc"},
            "line 7: expected letters, digits and any of . _ + - as instance_id, found '../../etc'",
            id="an id that is a path",
        ),
        pytest.param(
            {"repo": "--upload-pack=evil"},
            "line 7: expected OWNER/NAME, a path or a URL as repo, found '--upload-pack=evil'",
            id="an option for a repository",
        ),
        pytest.param(
            {"base_commit": "-x"}, "line 7: expected a commit as base_commit, found '-x'", id="base"
        ),
        pytest.param(
            {"problem_statement": " \n"},
            "line 7: expected a text as problem_statement, found ' \\n'",
            id="no text",
        ),
        pytest.param(
            {"patch": ["x"]}, "line 7: expected a text as patch, found '[\"x\"]'", id="list"
        ),
        pytest.param(
            {"patch": "\udcff"},
            "line 7: expected a text as patch, found '\\udcff'",
            id="no text at all",
        ),
        pytest.param(
            {"FAIL_TO_PASS": "tests/test_a.py"},
            "line 7: expected a list of names as FAIL_TO_PASS, found 'tests/test_a.py'",
            id="a name and no list",
        ),
        pytest.param(
            {"PASS_TO_PASS": [1]},
            "line 7: expected a list of names as PASS_TO_PASS, found '[1]'",
            id="numbers",
        ),
    ],
)
def test_says_what_is_wrong_with_a_row(more: dict[str, object], error: str) -> None:
    with pytest.raises(ParseError) as raised:
        read_row({**ROW, **more}, 7)
    assert str(raised.value) == error


NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
INSTANCES = st.builds(
    Instance,
    id=st.from_regex(r"[a-z]\w{0,30}(?:[.+-]\w)?", fullmatch=True),
    repo=st.sampled_from(["owner/name", "/a/b c", "https://example.org/a.git"]),
    base=st.from_regex("[0-9a-f]{40}", fullmatch=True),
    problem=TEXTS.filter(str.strip),
    fail_to_pass=NAMES.map(tuple),
    pass_to_pass=NAMES.map(tuple),
    **{
        name: TEXTS
        for name in COLUMNS
        if name not in ("id", "repo", "base", "problem", "fail_to_pass", "pass_to_pass")
    },
)


@settings(max_examples=25)
@given(INSTANCES)
def test_reads_back_what_it_writes(instance: Instance) -> None:
    line = written_line(instance)

    assert line.isascii()
    assert line.count("\n") == 1
    assert read_row(json.loads(line), 1) == instance


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=4,
)


@settings(max_examples=40)
@given(VALUES | st.dictionaries(st.sampled_from([*COLUMNS.values()]), VALUES).map(ROW.__or__))
def test_any_value_is_a_row_or_an_error(value: object) -> None:
    with contextlib.suppress(ParseError):
        read_row(value, 1)
