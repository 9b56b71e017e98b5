"""Runs with a scripted model on a stranger's repository, and a program that nobody may start."""

from dataclasses import dataclass, field
from pathlib import Path

from around import surroundings, write_profile
from by_hand import plain_git, program, save

from react_agent.issue_to_pr.issue import Issue
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve
from react_agent.testing import Reply, ScriptedModel

EDIT = """ a change
Action: replace
Action Input: README
<<<<<<< SEARCH
read me
=======
read me, please
>>>>>>> REPLACE
"""
LOOK = " go on\nAction: git_log\nAction Input: README\n"
RUN = " go on\nAction: run\nAction Input: git status && git add -A && git diff --cached\n"
DONE = " done\nConclusion: it is done"


@dataclass
class Stranger:
    """A repository with anything in its configuration, and who works on it."""

    top: Path
    told: list[str] = field(default_factory=list)

    @property
    def project(self) -> Path:
        return self.top / "project"

    @property
    def fired(self) -> Path:
        return self.top / "fired"

    @property
    def evil(self) -> str:
        """A program that leaves a mark, and passes on what it is given."""
        place = self.top / "evil"
        program(place, f"#!/bin/sh\ntouch '{self.fired}'\nexit 1\n")
        return str(place)

    def git(self, *args: str, given: str = "", check: bool = True) -> str:
        return plain_git(self.project, *args, given=given, check=check).strip()

    def set(self, **settings: str) -> None:
        for name, value in settings.items():
            self.git("config", name.replace("__", "."), value)

    def save(self, name: str, text: str) -> None:
        save(self.project, {name: text})

    def around(self, *replies: Reply, sandbox: str = "none") -> Surroundings:
        write_profile(self.top, "issue")
        return surroundings(self.top, ScriptedModel(replies), sandbox, tell=self.told.append)

    def solve(self, *replies: Reply, sandbox: str = "none") -> Outcome:
        issue = Issue("A title", "# A title\n\nAnd a text.")
        around = self.around(*(replies or (EDIT, LOOK, RUN, DONE)), sandbox=sandbox)
        return solve(Request(issue, self.project, "HEAD", "script"), around)
