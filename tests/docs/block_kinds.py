"""What a block of a document is, and whether our own readers can read it."""

import ast
import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

import yaml
from code_blocks import Block

from react_agent.parsers.settings.front_matter import read_front_matter
from react_agent.parsers.settings.procedure import read_procedure
from react_agent.parsers.transcript.entries import HEADER, VERSION, Close
from react_agent.parsers.transcript.hook_files import requests_in
from react_agent.parsers.transcript.labels import BOOKKEEPING
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.profiles.profile_file import find_profile
from react_agent.profiles.settings import read_repository_settings, read_settings


class Kind(StrEnum):
    COMMANDS = "commands"
    PYTHON = "python"
    SETTINGS = "settings"
    PROFILE = "profile"
    PROCEDURE = "procedure"
    TRANSCRIPT = "transcript"
    YAML = "yaml"
    ISSUE = "issue"
    COMMIT = "commit"


_PROGRAM = (
    r"react-agent|\./dev|\.venv/bin/\S+|git|cd|export|mkdir|printf|echo|cat|python3?|pip"
    r"|sqlite3|pipx|pbpaste|llm|sh|curl"
)
# The first that the text begins with. A remark may stand above all of it.
_BEGINNINGS = (
    (Kind.COMMANDS, rf"(?:[A-Z_]+=\S* )*(?:{_PROGRAM}) "),
    (Kind.SETTINGS, r"\[react_agent\b"),
    (
        Kind.PROFILE,
        r"\[(?:profile|prompt|limits|budget|compress|gate|stuck|backtrack|hidden|model) ?",
    ),
    (Kind.TRANSCRIPT, r".+\nAction: "),  # a reply, which goes on behind `Thought:`
    (Kind.PROCEDURE, r"procedure: "),
    (Kind.TRANSCRIPT, r"(?:%% |(?:Objective|Thought|Action|Action Input|Observation|Conclusion):)"),
    (Kind.ISSUE, r"---\n"),
    (Kind.COMMIT, r".+\n\nAgent: "),
    (Kind.PYTHON, r"(?:from \S+ )?import "),
    (Kind.YAML, r"(?:name|react-agent|default_install_hook_types|apiVersion): ?"),
)
_LANGUAGES = {"sh": Kind.COMMANDS, "python": Kind.PYTHON, "ini": Kind.SETTINGS, "yaml": Kind.YAML}


def kind_of(block: Block) -> Kind | None:
    if block.language:
        return _LANGUAGES.get(block.language.split()[0])
    begin = re.sub(r"\A(?:# .*\n|\n)+", "", block.text)
    return next((kind for kind, pattern in _BEGINNINGS if re.match(pattern, begin)), None)


def _settings(text: str, folder: Path) -> None:
    """A repository's, where it has commands that only such may say; else a person's."""
    if re.search(r"^(?:test|lint|prepare) = (?!no$|auto$)", text, re.MULTILINE):
        assert read_repository_settings(lambda name: text).refused == ()
        return
    path = folder / "config.cfg"
    path.write_text(text)
    read_settings(path)


def _profile(text: str, folder: Path) -> None:
    """A page shows what matters of it; any profile has a base."""
    if "based on =" not in text:
        head = "[profile]\n"
        text = f"{head}based on = issue\n" + text.removeprefix(head)
    path = folder / "a-page.cfg"
    path.write_text(text)
    find_profile(str(path), folder)


def _transcript(text: str, folder: Path) -> None:
    """Read by the reader and written by the writer, it is what the page shows."""
    header, end = f"%% {HEADER}: {VERSION}\n", "%% end:\n"
    if re.match(r".+\nAction: ", text) and not re.match(r"%% |[A-Z]\w+:", text):
        text = f"Thought: {text}"
    reading = read_transcript(header + text.removeprefix(header) + end)
    assert _shown(write_transcript(reading.entries)) == _shown(header + text + end)


def _shown(text: str) -> list[str]:
    """Without what a page leaves out: lines that close an entry and tell nothing, no thought."""
    untold = {"Thought:", *(f"{BOOKKEEPING} {close}:" for close in Close)}
    return [line for line in text.split("\n") if line not in untold]


def _issue(text: str, folder: Path) -> None:
    assert read_front_matter(text).fields


def _commit(text: str, folder: Path) -> None:
    assert requests_in(text)


_READERS: dict[Kind, Callable[[str, Path], object]] = {
    Kind.PYTHON: lambda text, folder: ast.parse(text),
    Kind.SETTINGS: _settings,
    Kind.PROFILE: _profile,
    Kind.PROCEDURE: lambda text, folder: read_procedure(text, "a page"),
    Kind.TRANSCRIPT: _transcript,
    Kind.YAML: lambda text, folder: yaml.safe_load(text),
    Kind.ISSUE: _issue,
    Kind.COMMIT: _commit,
}


def read(kind: Kind, text: str, folder: Path) -> None:
    """Raises what the reader raises."""
    if kind in _READERS:
        _READERS[kind](text, folder)
