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


_NO_LABEL = "no label 'react-agent' was set on issue 12"
_NO_ISSUE = "the event 'issues' has no issue"


@table_of(
    ("event", "expected"),
    {
        "the label": (_labelled(), Start(12, "ada")),
        "in capitals": (_labelled(label={"name": "React-Agent"}), Start(12, "ada")),
        "another label": (_labelled(label={"name": "bug"}), NoStart(_NO_LABEL)),
        "a label on a pull request": (
            _labelled(issue={"number": 12, "pull_request": {}}),
            NoStart(_NO_LABEL),
        ),
        "of another repository": (
            _labelled(repository={"full_name": "org/other"}),
            NoStart("the event 'issues' is not of org/tool"),
        ),
        "by nobody who can be called so": (
            _labelled(sender={"login": "../../orgs/x"}),
            NoStart(_NO_ISSUE),
        ),
        "a number that no issue has": (_labelled(issue={"number": 10**100}), NoStart(_NO_ISSUE)),
        "no number": (_labelled(issue={"number": True}), NoStart(_NO_ISSUE)),
    },
)
def test_a_label_starts(event: object, expected: Start | NoStart) -> None:
    assert read_event("issues", json.dumps(event), _ASK) == expected


@table_of(
    ("event", "expected"),
    {
        "the phrase": (_commented("/react-agent now"), Start(12, "ada")),
        "quoted": (
            _commented("> /react-agent\nno"),
            NoStart("the comment on 12 does not begin with /react-agent"),
        ),
        "edited: it may be another's": (
            _commented("/react-agent", action="edited"),
            NoStart("no new comment on 12"),
        ),
        "sent by another": (
            _commented("/react-agent", sender={"login": "eve"}),
            NoStart("the comment on 12 is not eve's own"),
        ),
    },
)
def test_a_comment_starts(event: object, expected: Start | NoStart) -> None:
    assert read_event("issue_comment", json.dumps(event), _ASK) == expected


def test_another_event_starts_nothing() -> None:
    nothing = NoStart("nothing to start for the event 'pull_request'")
    assert read_event("pull_request", json.dumps(_labelled()), _ASK) == nothing


def test_what_is_no_json() -> None:
    for text in ("", "{", "[" * 100_000, "1" * 5_000, "\0"):
        assert read_event("issues", text, _ASK) == NoStart("the event is not JSON")


def test_what_is_said_behind_the_phrase() -> None:
    assert behind("/go", "  /go \n now\nplease\n") == "now\nplease"
    assert behind("/go", "/gone") == "/gone"


_JSON = st.sampled_from(
    [None, True, 10**9, "x", {}, [], {"login": 1}, {"name": {}}, {"body": None}]
)
_KEYS = ("action", "label", "issue", "sender", "comment", "repository")


@given(st.sampled_from(("issues", "issue_comment")), st.dictionaries(st.sampled_from(_KEYS), _JSON))
def test_any_event_is_read(kind: str, event: dict[str, Any]) -> None:
    for whole in (event, {**_labelled(), **event}, {**_commented("/react-agent"), **event}):
        assert isinstance(read_event(kind, json.dumps(whole), _ASK), Start | NoStart)
