"""What starts a CI job, and what does not."""

import json
from typing import Any

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.ci_event import Ask, NoStart, Start, behind, read_event

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


@table_of(
    ("kind", "event", "expected"),
    {
        "the label": ("issues", _labelled(), Start(12, "ada")),
        "in capitals": ("issues", _labelled(label={"name": "React-Agent"}), Start(12, "ada")),
        "another label": (
            "issues",
            _labelled(label={"name": "bug"}),
            NoStart("no label 'react-agent' was set on issue 12"),
        ),
        "edited: it may be another's": (
            "issue_comment",
            _commented("/react-agent", action="edited"),
            NoStart("no new comment on 12"),
        ),
        "sent by another": (
            "issue_comment",
            _commented("/react-agent", sender={"login": "eve"}),
            NoStart("the comment on 12 is not eve's own"),
        ),
        "a label on a pull request": (
            "issues",
            _labelled(issue={"number": 12, "pull_request": {}}),
            NoStart("no label 'react-agent' was set on issue 12"),
        ),
        "by nobody who can be called so": (
            "issues",
            _labelled(sender={"login": "../../orgs/x"}),
            NoStart("the event 'issues' has no issue"),
        ),
        "a number that no issue has": (
            "issues",
            _labelled(issue={"number": 10**100}),
            NoStart("the event 'issues' has no issue"),
        ),
        "another event": (
            "pull_request",
            _labelled(),
            NoStart("nothing to start for the event 'pull_request'"),
        ),
        "a push": ("push", {}, NoStart("the event 'push' has no issue")),
    },
)
def test_starts(kind: str, event: object, expected: Start | NoStart) -> None:
    assert read_event(kind, json.dumps(event), _ASK) == expected


def test_what_is_no_json() -> None:
    for text in ("", "{", "[" * 100_000, "1" * 5_000, "\0"):
        assert read_event("issues", text, _ASK) == NoStart("the event is not JSON")


@table_of(
    ("words", "expected"),
    [
        ("  /go \n now\nplease\n", "now\nplease"),
        ("/gone", "/gone"),
    ],
)
def test_what_is_said_behind_the_phrase(words: str, expected: str) -> None:
    assert behind("/go", words) == expected


_JSON = st.sampled_from(
    [None, True, 10**9, "x", {}, [], {"login": 1}, {"name": {}}, {"body": None}]
)
_KEYS = ("action", "label", "issue", "sender", "comment", "repository")


@given(st.sampled_from(("issues", "issue_comment")), st.dictionaries(st.sampled_from(_KEYS), _JSON))
def test_any_event_is_read(kind: str, event: dict[str, Any]) -> None:
    for whole in (event, {**_labelled(), **event}, {**_commented("/react-agent"), **event}):
        assert isinstance(read_event(kind, json.dumps(whole), _ASK), Start | NoStart)
