"""Read the GitHub event of a CI job: the issue to work on and the requester, or why there is none.

    event = JSON: "issue" (number, pull_request?), "sender" (login), "repository" (full_name),
            "action": "labeled" with "label" (name), or "created" with "comment" (body, user)

A label starts work on an issue. A comment that begins with a phrase starts work on an issue, or
starts an answer to the review of a pull request. Any other event starts nothing, and the result
gives the reason. The person's permission to start work is not checked here.
"""

import json
import re
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
class Ask:
    """The values that an event must have to start work."""

    path: str  # OWNER/NAME
    label: str = LABEL
    phrase: str = PHRASE


def read_event(kind: str, text: str, ask: Ask) -> Start | str:
    """Return what to start, or why nothing starts. GitHub's name of the event is its `kind`."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return "the event is not JSON"
    number, by = _at(event, "issue", "number"), _text(event, "sender", "login")
    is_number = isinstance(number, int) and not isinstance(number, bool)
    if not is_number or not 0 < number < _LARGEST or not _LOGIN.fullmatch(by):
        return f"the event {kind!r} has no issue"
    if _text(event, "repository", "full_name").casefold() != ask.path.casefold():
        return f"the event {kind!r} comes from another repository, not from {ask.path}"
    start, action = Start(number, by, "pull_request" in event["issue"]), _text(event, "action")
    if kind == "issues":
        is_same = _text(event, "label", "name").casefold() == ask.label.casefold()
        is_set = action == "labeled" and is_same and not start.is_pull
        return start if is_set else f"no label {ask.label!r} was set on issue {number}"
    if kind != "issue_comment":
        return f"nothing to start for the event {kind!r}"
    words = _text(event, "comment", "body")
    if action != "created":
        return f"no new comment on {number}"
    if _text(event, "comment", "user", "login") != by:
        return f"the comment on {number} is not {by}'s own"
    if behind(ask.phrase, words) == words:
        return f"the comment on {number} does not begin with {ask.phrase}"
    return start


def behind(phrase: str, words: str) -> str:
    """Return the text after the phrase, or the whole text if it does not begin with the phrase."""
    bare = words.lstrip()
    rest = bare.removeprefix(phrase)
    begins = len(rest) < len(bare) and not rest[:1].strip()
    return rest.strip() if begins else words


def _at(event: object, *keys: str) -> Any:
    for key in keys:
        event = event.get(key) if isinstance(event, dict) else None
    return event


def _text(event: object, *keys: str) -> str:
    value = _at(event, *keys)
    return value if isinstance(value, str) else ""
