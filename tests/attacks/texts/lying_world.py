"""Runs on a world that lies, asked of a real endpoint, and what no byte of them may be."""

import io
import re
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from around import UNGATED, surroundings, write_profile
from by_hand import plain_git, write
from fake_endpoint import FakeEndpoint
from forged import MARKER

from react_agent.cli.terminal.paint import painted
from react_agent.cli.terminal.screen import console
from react_agent.issue_to_pr.issue import Issue
from react_agent.models.connection import Time
from react_agent.models.endpoint import find_endpoint
from react_agent.models.endpoints import Endpoints, Memory
from react_agent.parsers.servers.rewriting import inert
from react_agent.parsers.transcript.entries import Entry, Said
from react_agent.parsers.transcript.labels import BOOKKEEPING, EVERY, generous
from react_agent.parsers.transcript.quoting import escape
from react_agent.parsers.transcript.reader import read_transcript
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome, failure_comment
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.state.state import Stop

SETTINGS = "[react_agent]\ntest = python3 -m unittest -q\n"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class World:
    """A repository, and runs on it whose prompts go through an SDK to an endpoint."""

    folder: Path
    left_open: ExitStack
    endpoint: FakeEndpoint = field(init=False)

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def commit(self, files: dict[str, str], message: str = "Begin") -> None:
        write(self.repository, files)
        if not (self.repository / ".git").exists():
            self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", f"--message={message}")

    def git(self, *words: str) -> str:
        return plain_git(self.repository, *words)

    def solve(self, *replies: str, issue: str = "It is wrong.", profile: str = "issue") -> Outcome:
        """A title and a text, as `issue` has them."""
        self.endpoint = self.left_open.enter_context(FakeEndpoint(replies))
        write_profile(self.folder, "plain", UNGATED.format(profile))
        request = Request(
            Issue(issue.partition("\n")[0], issue), self.repository, "HEAD", "m", profile="plain"
        )
        return solve(request, self._around())

    def _around(self) -> Surroundings:
        ends = Endpoints(Memory(self.folder / "cache"), Time(time.monotonic, time.sleep), "session")
        self.left_open.callback(ends.close)
        spec = f"completions/m@{self.endpoint.url}/v1"
        return surroundings(
            self.folder,
            None,
            clock=time.monotonic,
            open_model=lambda name: ends.model(find_endpoint(spec, {}, {})),
        )

    @property
    def prompts(self) -> list[str]:
        return [one.prompt for one in self.endpoint.posts]


def nothing_was_forged(
    world: World, outcome: Outcome, *actions: str, own: Sequence[str] = ()
) -> None:
    """`actions` are those of the model; the world has got through to it, and as text alone.

    `own` are lines that we write ourselves, with what is forged behind our label.
    """
    lines = "\n".join(world.prompts).split("\n")
    assert any(MARKER in line for line in lines)
    assert [line for line in lines if _is_live(line) and line not in own] == []
    said = _said(outcome.folder.transcript)
    assert (outcome.stop, said[: len(actions)]) == (Stop.CONCLUDED, list(actions))
    assert said[len(actions) :] in ([""], [])  # a Conclusion; a plan needs none
    for place in outcome.folder.path.rglob("*.txt"):
        _said(place)
    for name in ("report.md", "transcript.txt"):
        assert _unseen((outcome.folder.path / name).read_text()) == []
    assert _unseen(failure_comment(outcome)) == []
    assert _unseen(_COLOUR.sub("", _screen(outcome))) == []
    assert not Path("/tmp", MARKER).exists()


def live_lines(text: str) -> list[str]:
    """Those that are more than text."""
    return list(filter(_is_live, text.split("\n")))


def _is_live(line: str) -> bool:
    """As a label, as bookkeeping, as a special token, or as what a terminal obeys."""
    speaks = MARKER in line and (generous(line, EVERY) or line.startswith(BOOKKEEPING))
    return bool(speaks or inert(line).count("<U+") > line.count("<U+") or _unseen(line))


def _unseen(text: str) -> list[str]:
    lines = (line.replace("<U+", "") for line in text.split("\n"))
    return [line for line in lines if escape(line) != line]


def _said(transcript: Path) -> list[str]:
    """The actions in it, as a strict reader has them."""
    text = transcript.read_bytes().decode()
    reading = read_transcript(text)
    assert (write_transcript(reading.entries), reading.torn) == (text, "")
    return [entry.turn.action for entry in reading.entries if isinstance(entry, Said)]


def _screen(outcome: Outcome) -> str:
    drawn = io.StringIO()
    shown = console(drawn)
    entries: Sequence[Entry] = read_transcript(outcome.folder.transcript.read_text()).entries
    for entry in entries:
        for line in painted(entry, None):
            shown.print(line, soft_wrap=True)
    return drawn.getvalue()
