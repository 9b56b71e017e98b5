"""What is fuzzed: a name, the function that reads foreign text, and what it may raise."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from react_agent.errors import ReactAgentError
from react_agent.parsers.answers.labelled import gives_up, read_condensed
from react_agent.parsers.forge.commit_message import About, habit_of, message_of, subject_of
from react_agent.parsers.forge.safe_markdown import readable
from react_agent.parsers.issue.clues import clues_of
from react_agent.parsers.issue.title import slug_of, title_of
from react_agent.parsers.patch import Repaired, repair
from react_agent.parsers.plan.plan import new_plan
from react_agent.parsers.plan.requests import added, modified
from react_agent.parsers.repo.git_diff import read_git_diff
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.settings.errors import ParseError
from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.shell.line import commands
from react_agent.parsers.testing.commands import Runner
from react_agent.parsers.testing.log import read_log, read_statuses
from react_agent.parsers.testing.pytest_log import read_junit
from react_agent.parsers.text.html_text import html_text
from react_agent.parsers.text.printed import plain
from react_agent.parsers.text.textbook import calculated
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.stop import StopScanner
from react_agent.parsers.turn.turn import parse_turn
from react_agent.parsers.values.damaged_json import read_json
from react_agent.profiles.profile_file import find_profile
from react_agent.profiles.settings import read_repository_settings, read_settings
from react_agent.state import transcript as transcripts
from react_agent.state.state import fold

TOOLS = ("grep", "read_file", "apply_patch", "run")
FILE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


class Target(NamedTuple):
    read: Callable[[str], object]
    raises: tuple[type[Exception], ...] = ()  # nothing else


def _turn(text: str) -> None:
    for why in ("stop", "length"):
        parse_turn(text, tools=TOOLS, no_argument_tools=TOOLS[-1:], why=why)


def _stop(text: str) -> None:
    """What it gives back begins the reply, and reads as the same turn however it came in pieces."""
    shown = [_scanned(text, size) for size in (3, len(text) or 1)]
    assert all(text.startswith(one) for one in shown)
    turns = [parse_turn(one, tools=TOOLS) for one in shown]
    assert turns[0][:5] == turns[1][:5]


def _scanned(text: str, size: int) -> str:
    scanner, shown = StopScanner(), ""
    for at in range(0, len(text), size):
        shown += scanner.feed(text[at : at + size])
    return shown + scanner.finish()


def _patch(text: str) -> None:
    done = repair(text, {"a.py": FILE, "src/b.py": FILE.replace("\n", "\r\n")})
    assert isinstance(done, Repaired) or all(done.reasons)


def _issue(text: str) -> None:
    slug_of(title_of(text))
    clues_of(text)
    read_front_matter(text)


def _transcript(text: str) -> None:
    """What was read once is written and read again as it is."""
    entries = read_transcript(f"%% react-agent transcript: 2\n{text}").entries
    assert read_transcript(write_transcript(entries)).entries == entries
    fold(entries)


def _of_a_file(read: Callable[[Path], object]) -> Callable[[str], object]:
    def called(text: str) -> object:
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(text.encode(errors="surrogatepass"))
            return read(Path(file.name))

    return called


def _plan(text: str) -> None:
    plan = new_plan("mend it")
    added(plan, text)
    modified(plan, text)


def _log(text: str) -> None:
    for runner in Runner:
        read_log(text, runner)
    read_junit(text.encode(errors="replace"))
    read_statuses(text)
    read_statuses(text, ["test_one (a.B)"])


def _commit(text: str) -> None:
    habit = habit_of([text, "fix: one thing"])
    about = About(text[:80], text, 7, ("a.py",), "A <a@b.c>")
    message_of(subject_of(text, "", habit, about), text, habit, about)


def _redaction(text: str) -> None:
    """Done twice, it is as done once."""
    once = redacted(text, ("a-known-secret-value",))
    assert redacted(once, ("a-known-secret-value",)) == once


TARGETS = {
    "turn": Target(_turn),
    "stop": Target(_stop),
    "patch": Target(_patch),
    "issue": Target(_issue),
    "hosted": Target(readable),
    "procedure": Target(read_procedure, (ParseError,)),
    "profile": Target(
        _of_a_file(lambda path: find_profile(str(path), path.parent)), (ReactAgentError,)
    ),
    "settings": Target(_of_a_file(read_settings), (ReactAgentError,)),
    "repository_settings": Target(
        lambda text: read_repository_settings(lambda name: text), (ReactAgentError,)
    ),
    "transcript": Target(_transcript, (ParseError,)),
    "transcript_file": Target(_of_a_file(transcripts.read), (ReactAgentError,)),
    "conclusion": Target(gives_up),
    "condensed": Target(lambda text: read_condensed(text, 1, 9)),
    "plan": Target(_plan),
    "log": Target(_log),
    "html": Target(lambda text: html_text(text, "https://example.org/")),
    "terminal": Target(plain),
    "json": Target(read_json, (ParseError,)),
    "diff": Target(read_git_diff),
    "commit": Target(_commit),
    "shell": Target(commands),
    "arithmetic": Target(calculated, (ParseError,)),
    "redaction": Target(_redaction),
}


def read(name: str, text: str) -> None:
    """Whatever else is raised is a fault of ours."""
    target = TARGETS[name]
    try:
        target.read(text)
    except target.raises as error:
        assert str(error)  # something that is shown
