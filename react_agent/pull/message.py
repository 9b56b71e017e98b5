"""The commit of a run: its message in the habit of the repository, and its author."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from react_agent.issue_to_pr.target import ISSUE, target_of
from react_agent.loop.state import State
from react_agent.parsers.answers.labelled import PullWords
from react_agent.parsers.forge.commit_habit import habit_of
from react_agent.parsers.forge.commit_message import About, message_of, subject_of
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.secrets.redaction import redacted
from react_agent.profiles.settings import Settings
from react_agent.prompt.plan_block import achieved
from react_agent.tools.git.door import AUTHOR

_PERSON = re.compile(r"(?P<name>[^<>\n]+?) <(?P<mail>[^<>\s]+)>")


@dataclass(frozen=True, slots=True)
class Message:
    subject: str
    text: str


def message(
    state: State, words: PullWords, history: Sequence[str], paths: Sequence[str], of: Settings
) -> Message:
    objective = state.objective or ""
    about = About(
        title=title_of(objective),
        text=objective,
        number=number_of(state),
        paths=tuple(paths),
        author=of.author or "{} <{}>".format(*AUTHOR),
        co_authors=of.co_author,
    )
    habit = habit_of(history)
    subject = redacted(subject_of(words.subject, words.kind, habit, about))
    body = "\n\n".join(filter(None, (words.problem, words.change))) or said_of(state)
    return Message(subject, redacted(message_of(subject, body, habit, about)))


def issue_of(state: State) -> Reference | None:
    """As the forge writes it that the change goes to, where it goes to one."""
    target = target_of(state.header)
    found = read_reference(target.issue if target else state.header.get(ISSUE, ""))
    return None if found is None or found.is_pull else found


def number_of(state: State) -> int:
    """Of the issue; 0: it has none here."""
    found, is_sent = issue_of(state), target_of(state.header) is not None
    return 0 if found is None or (is_sent and found.path) else found.number


def said_of(state: State) -> str:
    """Where the plan ended the run, what of it was reached."""
    return state.conclusion or "\n".join(f"- {goal}" for goal in achieved(state.plan))


def person(text: str) -> tuple[str, str]:
    """Of `NAME <EMAIL>`; ours, where there is none."""
    found = _PERSON.fullmatch(text.strip())
    return (found["name"], found["mail"]) if found else AUTHOR
