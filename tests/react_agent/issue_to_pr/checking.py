"""A change to a repository that declares checks, in a run that is open, checked."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from by_hand import write

from react_agent.issue_to_pr.declared_checks import Checked, declared_checks
from react_agent.runs.run_setup import Run, begin
from react_agent.tools.git.change import propose

CONFIG = ".pre-commit-config.yaml"


def local(*hooks: str) -> str:
    """A configuration with these hooks of the repository's own, each in lines."""
    return "repos:\n- repo: local\n  hooks:\n" + "".join(map(item, hooks))


def remote(*hooks: str, where: str = "https://example.org/hooks", revision: str = "v1") -> str:
    return local(*hooks).replace("local", f"{where}\n  rev: {revision}")


def system(name: str, entry: str, *more: str) -> str:
    quoted = entry.replace("'", "''")
    return "\n".join(
        (f"id: {name}", f"name: {name}", f"entry: '{quoted}'", "language: system", *more)
    )


def item(hook: str) -> str:
    return "  - " + hook.strip().replace("\n", "\n    ") + "\n"


@dataclass
class Checking:
    desk: Any
    undo: ExitStack
    sandbox: str = "none"
    path: str = ""  # folders of programs
    store: str = "/nonexistent"  # pre-commit's
    is_shown: bool = False  # by a setting
    runs: list[Run] = field(default_factory=list)

    def open(self, base: Mapping[str, str]) -> Run:
        for name, text in base.items():
            _write(self.desk.repository, name, text)
        self.desk.git("add", "--all", "--force")
        self.desk.git("commit", "--quiet", "--message=Checks")
        around = self.desk.around()
        path = os.pathsep.join(filter(None, (self.path, os.environ["PATH"])))
        around = replace(
            around,
            settings=replace(around.settings, sandbox=self.sandbox, pre_commit_store=self.is_shown),
            environment={**os.environ, "PATH": path, "PRE_COMMIT_HOME": self.store},
        )
        run = begin(self.desk.request(), around)
        self.undo.callback(run.transcript.close)
        self.undo.callback(run.close)
        self.runs.append(run)
        return run

    def check(self, base: Mapping[str, str], change: Mapping[str, str], **options: Any) -> Checked:
        run = self.open(base)
        for name, text in change.items():
            _write(run.workspace.root, name, text)
        tree = propose(run.workspace, set(change)).tree
        checked = declared_checks(run, tree, sorted(change), **options)
        assert not run.folder.checkout.exists()
        return checked

    def lines(
        self, base: Mapping[str, str], change: Mapping[str, str], **options: Any
    ) -> list[str]:
        return list(self.check(base, change, **options).lines)

    def text(self, checked: Checked, path: str) -> str:
        found = self.runs[-1].workspace.store.file(checked.tree, path)
        assert found is not None
        return found.decode()


def _write(root: Path, name: str, text: str) -> None:
    write(root, {name: text})
    if text.startswith("#!"):
        (root / name).chmod(0o755)
