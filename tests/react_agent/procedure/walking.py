"""Procedures to walk, and what roles may say in them."""

from collections.abc import Callable
from typing import Any

from react_agent.runs.report import Outcome

THREE = """\
procedure: three
  profile: turn
  summary every: 0
state: look
  environment: You look. You do not edit.
  role finder:
    task: Find the file.
    tools: list_files read_file
  maximum turns: 3
  judge: Answer 1 when the file is named.
  next: 0 look, 1 change
state: change
  environment: You edit.
  role author:
    task: Change the file.
  maximum turns: 2
  judge: Answer 1 when it is changed.
  next: 0 change, 1 check
state: check
  role checker:
    task: Look at the change.
  next: end_state
"""
PAIR = """\
procedure: pair
  profile: turn
state: look
  role finder:
  next: change
state: change
  role author:
  next: end_state
"""
TALK = """\
procedure: talk
  profile: turn
  summary every: 0
state: talk
  role ann:
  role bob:
  role cid:
  maximum turns: 20
  judge: Answer 1 when they agree.
  next: 0 talk, 1 end_state
"""
Walk = Callable[..., tuple[Outcome, list[Any]]]


def turns_of(outcome: Outcome) -> int:
    """How many have ended."""
    return outcome.folder.transcript.read_text().count(" sub=")


def says(text: str) -> str:
    return f" done\nConclusion: {text}"
