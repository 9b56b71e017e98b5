"""From what a hook's script wrote down to jobs, by looking into the repository."""

import hashlib
import os
import posixpath
import re
from collections.abc import Iterator

from react_agent.parsers.issue.title import title_of
from react_agent.parsers.transcript.hook_files import (
    Asked,
    HookRequest,
    Job,
    Kind,
    Push,
    requests_in,
)
from react_agent.tools.git.door import AUTHOR, Git

MOST_A_PUSH = 10  # issues; a push of more is the import of a tracker
_CLOSED = re.compile(r"(?:state|status): *[\"']?(?:closed|done|fixed|resolved)\b", re.IGNORECASE)
_ISSUES = "issues/"


def jobs_of(request: HookRequest, git: Git, at: str) -> tuple[list[Job], list[str]]:
    """And what a person should hear of those that are none."""
    if request.commit:
        return [_commit_job(asked, request, git, at) for asked in _asked(request, git)], []
    jobs, said = list[Job](), list[str]()
    for push in request.pushes:
        paths = _issues(push, git)
        if len(paths) > MOST_A_PUSH:
            said.append(f"{len(paths)} issues came at once on {push.ref}: none of them is queued")
            continue
        jobs += [_issue_job(path, blob, push, request, at) for path, blob in paths]
    return jobs, said


def key_of(*parts: str) -> str:
    data = "\0".join(parts).encode(errors="surrogateescape")
    return hashlib.sha256(data).hexdigest()[:12]


def _asked(request: HookRequest, git: Git) -> tuple[Asked, ...]:
    text = git.run("cat-file", "commit", request.commit).decode(errors="replace")
    return requests_in(text.partition("\n\n")[2])


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


def _issue_job(path: str, blob: str, push: Push, request: HookRequest, at: str) -> Job:
    key = key_of("issue", blob)
    return Job(key, request.hook, Kind.FILE, path, push.new, request.top, at)


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
