import contextlib
import json

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
