"""What starts a CI job, and what does not."""

import json
from collections.abc import Callable
from typing import Any

from check_rows import EachRow
from hypothesis import given
from hypothesis import strategies as st
from reader_rows import FOLDER, read_rows

from react_agent.parsers.forge.ci_event import Ask, Start, behind, read_event

_ADA = {"login": "ada"}
_HERE = {"full_name": "org/tool"}
_ASK = Ask("org/tool")


def _labelled(**changes: Any) -> dict[str, Any]:
    event = {"action": "labeled", "label": {"name": "react-agent"}, "issue": {"number": 12}}
    return {**event, "sender": _ADA, "repository": _HERE, **changes}


def _commented(body: str, **changes: Any) -> dict[str, Any]:
    comment = {"body": body, "user": _ADA}
    event = {"action": "created", "comment": comment, "issue": {"number": 12}, "sender": _ADA}
    return {**event, "repository": _HERE, **changes}


FUNCTIONS: dict[str, Callable[..., object]] = {
    "behind": behind,
    "comment": lambda body, changes: read_event(
        "issue_comment", json.dumps(_commented(body, **changes)), _ASK
    ),
    "label": lambda changes: read_event("issues", json.dumps(_labelled(**changes)), _ASK),
}


def test_gives_the_value_of_each_row(each_row: EachRow) -> None:
    each_row(read_rows(FOLDER / "own/ci-event.txt"), lambda row: row.check(FUNCTIONS))


def test_another_event_starts_nothing() -> None:
    nothing = "nothing to start for the event 'pull_request'"
    assert read_event("pull_request", json.dumps(_labelled()), _ASK) == nothing


def test_what_is_no_json() -> None:
    for text in ("", "{", "[" * 100_000, "1" * 5_000, "\0"):
        assert read_event("issues", text, _ASK) == "the event is not JSON"


_JSON = st.sampled_from(
    [None, True, 10**9, "x", {}, [], {"login": 1}, {"name": {}}, {"body": None}]
)
_KEYS = ("action", "label", "issue", "sender", "comment", "repository")


@given(st.sampled_from(("issues", "issue_comment")), st.dictionaries(st.sampled_from(_KEYS), _JSON))
def test_any_event_is_read(kind: str, event: dict[str, Any]) -> None:
    for whole in (event, {**_labelled(), **event}, {**_commented("/react-agent"), **event}):
        assert isinstance(read_event(kind, json.dumps(whole), _ASK), Start | str)
