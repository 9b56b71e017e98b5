"""What a repository says checks it, run on a commit that is pushed: in the sandbox, in a clone."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.hook_files import Job, Kind, Push
from react_agent.profiles.settings import read_repository_settings
from react_agent.runs.commands import Shown, prepared
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import outer
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import remove_tree
from react_agent.tools.git import workspace
from react_agent.tools.git.repository import Base, file_at, find_base, in_repository
from react_agent.tools.shell import shell
from react_agent.tools.shell.process import CommandResult

_PATH, _SELECTION = "{path}", "{selection}"
_SHOWN_LINES = 20
_MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class Failure:
    command: str
    how: str
    output: str  # the end of it


def failures(
    repository: Path, push: Push, around: Surroundings, seconds: float
) -> tuple[Failure, ...]:
    """Of the commands `test` and `lint`, as the commit that is pushed has them."""
    base = find_base(repository, push.new)
    settings = read_repository_settings(lambda name: file_at(base, name))
    commands = list(_lines(settings.commands, push, base))
    if not commands:
        return ()
    folder = RunFolder(around.runs.parent / "checks" / f"{push.new[:12]}-{around.token()}")
    around = replace(around, cuts=folder.path / "cuts")  # else one a push would stay for ever
    try:
        place = workspace.make(
            base, root=folder.workspace, branch="react-agent/check", cuts=around.cuts
        )
        ready = prepared(folder, place, settings, outer(around), Shown())
        with closing(ready):
            run = (_failure(command, ready.context, seconds) for command in commands)
            return tuple(one for one in run if one)
    finally:
        remove_tree(folder.path)


def job_of(push: Push, failed: Sequence[Failure], top: Path, at: str) -> Job:
    """The run that looks for a patch."""
    title = f"Make the checks of {push.new[:12]} pass"
    shown = "\n\n".join(f"`{one.command}` {one.how}:\n\n{_indented(one.output)}" for one in failed)
    words = f"{title}\n\nThese fail at the commit that is to be pushed:\n\n{shown}\n"
    key = key_of("pre-push", push.new)
    return Job(key, "pre-push", Kind.TEXT, title, push.new, str(top), at, text=words)


def _lines(commands: Mapping[str, str], push: Push, base: Base) -> Iterator[str]:
    lint, test = commands.get("lint", ""), commands.get("test", "")
    if _PATH in lint:
        yield from (lint.replace(_PATH, shlex.quote(name)) for name in _changed(push, base))
    elif lint.strip():
        yield lint
    if test.strip():
        yield test.replace(_SELECTION, "")


def _changed(push: Push, base: Base) -> list[str]:
    """The files that the push brings or changes; of a new branch, its last commit's."""
    old = f"{push.new}^" if push.is_new else push.old
    with in_repository(base.repository) as git:
        listed = git.ask(
            *("diff-tree", "-r", "-z", "--root", "--no-commit-id", "--name-only"),
            *("--diff-filter=AM", old, push.new),
        )
    return [name for name in os.fsdecode(listed.out).split("\0") if name][:_MOST_FILES]


def _failure(command: str, context: Context, seconds: float) -> Failure | None:
    done = shell.run_sandboxed(shell.words(command), context, timeout_s=seconds)
    if done.code == 0 and not done.timed_out:
        return None
    text = plain(done.output.decode(errors="replace")).text.strip()
    lines = [clip_line(line, context.limits.line_chars) for line in text.split("\n")]
    how = f"took more than {seconds:g} s" if done.timed_out else _ended(done)
    return Failure(command, how, "\n".join(lines[-_SHOWN_LINES:]))


def _ended(done: CommandResult) -> str:
    return f"hit the limit {done.hit}" if done.hit else f"ended with exit code {done.code}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
