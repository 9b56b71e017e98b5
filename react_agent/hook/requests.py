"""From requests of hooks to jobs: issues that a push brings, lines of commits, checks that fail.

What a repository says checks it is run on a commit that is pushed: in the sandbox, in a clone.
"""

import hashlib
import os
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent

from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.printed import plain
from react_agent.parsers.transcript.hook_files import (
    Asked,
    HookRequest,
    Job,
    Kind,
    Push,
    requests_in,
)
from react_agent.profiles.settings import read_repository_settings
from react_agent.runs.commands import Shown, Surroundings, prepared
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import outer
from react_agent.tools.clip import clip_line
from react_agent.tools.context import Context
from react_agent.tools.disk import remove_tree
from react_agent.tools.git import workspace
from react_agent.tools.git.door import AUTHOR, Git
from react_agent.tools.git.repository import Base, file_at, find_base, in_repository
from react_agent.tools.shell import shell

MOST_A_PUSH = 10  # issues; a push of more is the import of a tracker
_CLOSED = re.compile(r"(?:state|status): *[\"']?(?:closed|done|fixed|resolved)\b", re.IGNORECASE)
_ISSUES = "issues/"
_PATH, _SELECTION = "{path}", "{selection}"
_SHOWN_LINES = 20
_MOST_FILES = 50


def jobs_of(request: HookRequest, git: Git, at: str) -> tuple[list[Job], list[str]]:
    """And what a person should hear of those that are none."""
    if request.commit:
        text = git.run("cat-file", "commit", request.commit).decode(errors="replace")
        asked = requests_in(text.partition("\n\n")[2])
        return [_commit_job(one, request, git, at) for one in asked], []
    jobs, said = list[Job](), list[str]()
    for push in request.pushes:
        paths = _issues(push, git)
        if len(paths) > MOST_A_PUSH:
            said.append(f"{len(paths)} issues came at once on {push.ref}: none of them is queued")
            continue
        for path, blob in paths:
            key, kind = key_of("issue", blob), Kind.FILE
            jobs.append(Job(key, request.hook, kind, path, push.new, request.top, at))
    return jobs, said


def key_of(*parts: str) -> str:
    data = "\0".join(parts).encode(errors="surrogateescape")
    return hashlib.sha256(data).hexdigest()[:12]


def _commit_job(asked: Asked, request: HookRequest, git: Git, at: str) -> Job:
    # An amended commit has another name, but its author and his time are kept.
    author = git.run("log", "-1", "--format=%an <%ae> %ad", "--date=raw", request.commit)
    text = asked.words if asked.kind is Kind.TEXT else ""
    file = f"{request.commit}:{asked.words}" if asked.kind is Kind.FILE else ""
    blob = git.ask("rev-parse", "--verify", "--quiet", file).out if file else b""
    return Job(
        key=key_of("commit", os.fsdecode(author), asked.kind, asked.words, os.fsdecode(blob)),
        hook=request.hook,
        kind=asked.kind,
        words=title_of(text) or asked.words,
        commit=request.commit,
        top=request.top,
        at=at,
        text=text,
    )


def _issues(push: Push, git: Git) -> list[tuple[str, str]]:
    """The issues that a push brings or changes, open ones and not by us: path and blob."""
    names = _changed(push, git)
    found = [name for name in names if _is_issue(name)]
    if not found or len(found) > MOST_A_PUSH:
        return [(name, "") for name in found]
    listed = git.run("ls-tree", "-z", push.new, "--", *found)
    rows = (row.partition("\t") for row in os.fsdecode(listed).split("\0") if row)
    blobs = [(path, facts.split(" ")[2]) for facts, _, path in rows if facts.startswith("100")]
    return [
        (path, blob) for path, blob in blobs if _is_open(blob, git) and _is_theirs(push, path, git)
    ]


def _is_issue(name: str) -> bool:
    folder, file = posixpath.split(name)
    return f"{folder}/" == _ISSUES and file.endswith(".md") and file.lower() != "readme.md"


def _changed(push: Push, git: Git) -> Iterator[str]:
    """A new branch is compared with the default one; where it is that one, with nothing."""
    old = _fork_point(push, git) if push.is_new else push.old
    named = ("-r", "--name-only", "-z")
    compared = ("--no-renames", "--diff-filter=AM", old) if old else ()
    command = "diff-tree" if old else "ls-tree"
    listed = git.run(command, *named, *compared, push.new, "--", _ISSUES)
    return (name for name in os.fsdecode(listed).split("\0") if name)


def _fork_point(push: Push, git: Git) -> str:
    head = git.ask("symbolic-ref", "--quiet", "HEAD")
    if head.code or os.fsdecode(head.out).strip() == push.ref:
        return ""
    base = git.ask("merge-base", "HEAD", push.new)
    return "" if base.code else os.fsdecode(base.out).strip()


def _is_open(blob: str, git: Git) -> bool:
    lines = git.run("cat-file", "blob", blob).decode(errors="replace").split("\n")[:20]
    return not any(map(_CLOSED.match, lines))


def _is_theirs(push: Push, path: str, git: Git) -> bool:
    shown = git.run("log", "-1", "--format=%ae%n%ce", push.new, "--", path)
    return AUTHOR[1] not in os.fsdecode(shown).split("\n")


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
    shown = "\n\n".join(
        f"`{one.command}` {one.how}:\n\n{indent(one.output, '    ', bool)}" for one in failed
    )
    words = f"{title}\n\nThese fail at the commit that is to be pushed:\n\n{shown}\n"
    key = key_of("pre-push", push.new)
    return Job(key, "pre-push", Kind.TEXT, title, push.new, str(top), at, text=words)


def _lines(commands: Mapping[str, str], push: Push, base: Base) -> Iterator[str]:
    lint, test = commands.get("lint", ""), commands.get("test", "")
    if _PATH in lint:
        yield from (lint.replace(_PATH, shlex.quote(name)) for name in _changed_files(push, base))
    elif lint.strip():
        yield lint
    if test.strip():
        yield test.replace(_SELECTION, "")


def _changed_files(push: Push, base: Base) -> list[str]:
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
    how = f"hit the limit {done.hit}" if done.hit else f"ended with exit code {done.code}"
    how = f"took more than {seconds:g} s" if done.timed_out else how
    return Failure(command, how, "\n".join(lines[-_SHOWN_LINES:]))
