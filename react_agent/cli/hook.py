"""react-agent hook"""

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from react_agent.cli.options import Repository, Sandbox
from react_agent.cli.screen import console
from react_agent.edge import own_settings
from react_agent.errors import UsageError
from react_agent.hook.installing import HOOKS, HooksPath, find, install, script, standing, uninstall
from react_agent.hook.queue import Spool, lines_of
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools import variables
from react_agent.tools.shell.this_process import become

_PUSHED = ("LOCAL_BRANCH", "TO_REF", "REMOTE_BRANCH", "FROM_REF")  # what pre-commit makes of it


@dataclass(frozen=True, slots=True)
class _Asked:
    hooks: list[str]
    repo: Path
    again: str | None
    sandbox: str | None
    background: bool
    state: Path | None
    top: Path

    @property
    def path(self) -> HooksPath:
        return find(self.repo, variables.all_of_them())


def command(
    do: Annotated[str, typer.Argument(metavar="DO", help="install, status, run or uninstall")],
    hooks: Annotated[
        list[str] | None,
        typer.Argument(metavar="HOOK...", help="post-commit, pre-push, post-receive"),
    ] = None,
    repo: Repository = Path(),
    again: Annotated[
        str | None, typer.Option("--again", metavar="JOB", help="queue a job that failed once more")
    ] = None,
    sandbox: Sandbox = None,
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False,
    state: Annotated[Path | None, typer.Option("--state", hidden=True)] = None,
    top: Annotated[Path | None, typer.Option("--top", hidden=True)] = None,
) -> None:
    """Let commits and pushes ask for runs, in the background.

    A commit whose message says `Agent: fix issues/12.md` queues a run; a branch comes of it.
    `run` works through the queue now, `run HOOK` does what that hook does.

    \b
    Example:
      react-agent hook install post-commit
      react-agent hook status
      react-agent hook run --again 1f2e3d
    """
    if do not in _ACTIONS:
        raise UsageError(f"hook has no {do!r}; there are install, status, run and uninstall")
    for name in hooks or ():
        if name not in HOOKS:
            raise UsageError(f"there is no hook {name!r} of ours: {', '.join(HOOKS)}")
    asked = _Asked(hooks or [], repo, again, sandbox, background, state, top or Path())
    raise typer.Exit(_ACTIONS[do](asked))


def _install(asked: _Asked) -> int:
    path = asked.path
    names = asked.hooks or (["post-receive"] if path.is_bare else ["post-commit"])
    own_settings()  # what they say is wrong is better said now
    _print(install(names, path, sys.executable))
    return 0


def _uninstall(asked: _Asked) -> int:
    path = asked.path
    said = uninstall(asked.hooks or HOOKS, path)
    _print(said or ["no hook of ours is installed here"])
    if path.state.is_dir():
        _print([f"what came of it stays in {path.state}"])
    return 0


def _status(asked: _Asked) -> int:
    path = asked.path
    _print(f"{name}: {standing(name, path) or 'not installed'}" for name in HOOKS)
    _print(lines_of(Spool(path.state), own_settings().hook))
    return 0


def _run(asked: _Asked) -> int:
    from react_agent.cli.hook_runs import (  # with all of a run
        put_back,
        worked,
        worked_in_background,
    )

    if asked.background and asked.state:
        return worked_in_background(Spool(asked.state.resolve()), asked.sandbox)
    path = asked.path
    spool = Spool(path.state)
    spool.make()
    if asked.hooks:
        _as_hook(asked.hooks[0], path)
    if asked.again is not None:
        _print([f"queued again: {put_back(spool, asked.again).title}"])
    return worked(spool, asked.sandbox)


def _as_hook(name: str, path: HooksPath) -> NoReturn:
    """For hooks that call us themselves; pre-commit says in its own way what is pushed."""
    text = script(name, sys.executable, shlex.quote(str(path.state)), "''")
    given = None
    if "PRE_COMMIT_TO_REF" in variables.all_of_them() and name == "pre-push":
        words = (variables.value(f"PRE_COMMIT_{word}") for word in _PUSHED)
        given = f"{' '.join(words)}\n".encode(errors="surrogateescape")
    become(["/bin/sh", "-c", text, f"./{name}"], given)


def _check(asked: _Asked) -> int:
    from react_agent.cli.hook_runs import checked  # with all of a run

    path = asked.path if asked.state is None else None
    state = path.state if path else asked.state
    assert state is not None
    spool = Spool(state.resolve())
    spool.make()
    return checked(spool, asked.top, sys.stdin.buffer.read() if sys.stdin else b"", asked.sandbox)


def _print(lines: Iterable[str]) -> None:
    screen = console()
    for line in lines:
        screen.print(escape(line), soft_wrap=True)


_ACTIONS: Mapping[str, Callable[[_Asked], int]] = {
    "install": _install,
    "status": _status,
    "run": _run,
    "check": _check,
    "uninstall": _uninstall,
}
