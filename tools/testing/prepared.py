"""An environment of our own, made by the repository's `prepare` command and kept for its base.

The command finds the folder to make it in under $VENV, as in
`python3 -m venv "$VENV" && "$VENV/bin/pip" install -e .`
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from react_agent.tools import disk
from react_agent.tools.alone import alone
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.removal import remove_tree
from react_agent.tools.sandbox.sandbox import Sandbox
from react_agent.tools.shell import confined, shell
from react_agent.tools.testing.python_probe import Prefix

LIMIT_S = 900.0
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class NotMade:
    reason: str


Prepare: TypeAlias = Callable[[Context], Prefix | NotMade]


def folder_for(cache: Path, base: str, command: str) -> Path:
    key = hashlib.sha256(f"{base}\0{command}".encode()).hexdigest()[:20]
    return cache / "environments" / key


def preparing(command: str, folder: Path, sandbox: Sandbox, timeout_s: float = LIMIT_S) -> Prepare:
    """`sandbox` lets commands write to the folder, which later ones only read."""

    def prepare(context: Context) -> Prefix | NotMade:
        disk.mkdir(folder, parents=True, exist_ok=True)
        # Beside the folder, where no command reaches them: it could leave a link in their place.
        lock, whole = (folder.with_name(f"{folder.name}.{kind}") for kind in ("lock", "made"))
        with alone(lock):  # of two runs, one makes it
            if whole.exists():
                return _prefix(folder)
            made = _made(command, folder, sandbox, timeout_s, context)
            if isinstance(made, Prefix):
                disk.touch(whole)
            return made

    return prepare


def _made(
    command: str, folder: Path, sandbox: Sandbox, timeout_s: float, context: Context
) -> Prefix | NotMade:
    remove_tree(folder / "venv")
    environment = {**context.environment, "VENV": str(folder / "venv")}
    done = confined.run(
        shell.words(command),
        replace(context, sandbox=sandbox, environment=environment),
        timeout_s=timeout_s,
    )
    if done.timed_out:
        return NotMade(f"the prepare command took more than {timeout_s:g} s")
    if done.code:
        lines = done.output.decode(errors="replace").strip().split("\n")
        last = clip_line(" ".join(lines[-1].split()), _SHOWN)
        return NotMade(f"the prepare command ended with exit code {done.code}: {last}")
    if not (folder / "venv" / "bin" / "python").exists():
        return NotMade("the prepare command made no $VENV/bin/python")
    return _prefix(folder)


def _prefix(folder: Path) -> Prefix:
    venv = folder / "venv"
    return Prefix(venv / "bin" / "python", "made by the prepare command", venv)
