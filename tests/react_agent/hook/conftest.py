"""A repository with our hooks in it, which start a stand-in for us."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from react_agent.hook.installing import HOOKS, HooksPath, find, install, uninstall
from react_agent.hook.queue import Spool
from react_agent.parsers.transcript.hook_files import HookRequest, read_request


@dataclass
class Hooked:
    folder: Path
    repository: Path
    python: Path
    environment: dict[str, str] = field(default_factory=dict)

    def git(self, *arguments: str) -> str:
        """All that it prints; it has to succeed."""
        done = self.ask("git", *arguments)
        assert done.returncode == 0, done.stdout
        return done.stdout.rstrip("\n")

    def ask(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            cwd=self.repository,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def commit(self, message: str, *options: str) -> str:
        return self.git("commit", "--quiet", "--allow-empty", "-m", message, *options)

    @property
    def queued(self) -> str:
        """What a hook says of a run for the last commit."""
        commit = self.git("rev-parse", "--short=7", "HEAD")
        return f"react-agent: a run is queued for commit {commit} (react-agent hook status)"

    @property
    def path(self) -> HooksPath:
        return find(self.repository, {**os.environ, **self.environment})

    @property
    def spool(self) -> Spool:
        return Spool(self.path.state)

    @property
    def requests(self) -> list[HookRequest]:
        return [read_request(path.read_text()) for path in self.spool.requests()]

    def install(self, *names: str) -> list[str]:
        return install(names, self.path, str(self.python))

    def uninstall(self, names: Sequence[str] = HOOKS) -> list[str]:
        return uninstall(names, self.path)

    def hook(self, name: str, text: str, folder: Path | None = None, mode: int = 0o755) -> Path:
        """One that somebody else has put there."""
        place = (folder or self.repository / ".git" / "hooks") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(mode)
        return place


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    python = tmp_path / "it's a python"
    python.write_text("#!/bin/sh\nexit 0\n")
    python.chmod(0o755)
    one = Hooked(tmp_path, tmp_path / "a repository", python)
    one.repository.mkdir()
    one.git("init", "--quiet")
    one.commit("Begin")
    return one


@pytest.fixture
def remote(hooked: Any) -> Path:
    place = Path(hooked.folder, "remote.git")
    hooked.git("init", "--quiet", "--bare", str(place))
    hooked.git("remote", "add", "origin", str(place))
    return place
