"""What started a CI job, out of the event that GitHub hands it: which issue, by whom, or why none.

A label starts work on an issue; a comment that begins with a phrase does on an issue, and has the
review of a pull request answered. What else happens starts nothing, and an event says why.
Whether whoever caused it may is another question, and not the event's to answer.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LABEL, PHRASE = "react-agent", "/react-agent"
_LOGIN = re.compile(r"[A-Za-z0-9][\w-]{0,98}(?:\[bot\])?", re.ASCII)
_LARGEST = 2**31


@dataclass(frozen=True, slots=True)
class Start:
    number: int
    by: str
    is_pull: bool = False


@dataclass(frozen=True, slots=True)
class NoStart:
    why: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What has to be in an event that starts something."""

    path: str  # OWNER/NAME
    label: str = LABEL
    phrase: str = PHRASE


def read_event(kind: str, text: str, ask: Ask) -> Start | NoStart:
    """`kind` is GitHub's name for it: issues, issue_comment."""
    try:
        event = _mapping(json.loads(text))
    except (ValueError, RecursionError):
        return NoStart("the event is not JSON")
    issue, by = _mapping(event.get("issue")), _text(_mapping(event.get("sender")).get("login"))
    number = _number(issue.get("number"))
    if not number or not _LOGIN.fullmatch(by):
        return NoStart(f"the event {kind!r} is about no issue")
    if _text(_mapping(event.get("repository")).get("full_name")).casefold() != ask.path.casefold():
        return NoStart(f"the event {kind!r} is not of {ask.path}")
    start = Start(number, by, "pull_request" in issue)
    match kind:
        case "issues":
            return _labelled(event, start, ask.label)
        case "issue_comment":
            return _commented(event, start, ask.phrase)
        case _:
            return NoStart(f"nothing is started by an event {kind!r}")


def behind(phrase: str, words: str) -> str:
    """What is said behind the phrase; all of it, where it does not begin with that."""
    bare = words.lstrip()
    rest = bare.removeprefix(phrase)
    begins = len(rest) < len(bare) and not rest[:1].strip()
    return rest.strip() if begins else words


def _labelled(event: Mapping[str, Any], start: Start, label: str) -> Start | NoStart:
    name = _text(_mapping(event.get("label")).get("name"))
    is_set = event.get("action") == "labeled" and name.casefold() == label.casefold()
    if start.is_pull or not is_set:
        return NoStart(f"no label {label!r} was set on issue {start.number}")
    return start


def _commented(event: Mapping[str, Any], start: Start, phrase: str) -> Start | NoStart:
    comment = _mapping(event.get("comment"))
    if event.get("action") != "created":
        return NoStart(f"no comment was written on {start.number}")
    if _text(_mapping(comment.get("user")).get("login")) != start.by:
        return NoStart(f"the comment on {start.number} is not {start.by}'s own")
    words = _text(comment.get("body"))
    if behind(phrase, words) == words:
        return NoStart(f"the comment on {start.number} does not begin with {phrase}")
    return start


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value < _LARGEST else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
