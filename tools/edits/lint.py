"""The repository's own lint command, for files that no parser of ours reads."""

import shlex

from react_agent.parsers.terminal import plain
from react_agent.tools.clip import clip_line
from react_agent.tools.clock import monotonic
from react_agent.tools.context import Context
from react_agent.tools.edits.edit import Edit
from react_agent.tools.edits.syntax import check_of
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.shell import confined, process, shell

_PATH = "{path}"
_LONGEST_S = 30.0  # for all files of an edit
_MOST_LINES = 12
_KEPT_BYTES = 20_000


def to_lint(edit: Edit, context: Context) -> list[str]:
    """Of the changed files those that were there before, and that nothing else checks."""
    if _PATH not in context.commands.get("lint", ""):
        return []
    return [
        change.new
        for change in edit.changes
        if change.new
        and change.new == change.old
        and (new := edit.after[change.new])
        and check_of(change.new, new.data) is None
    ]


def complaints(names: list[str], context: Context) -> dict[str, str] | None:
    """What it says of the files that it refuses; none if it can't be run, or not in time."""
    found, deadline = dict[str, str](), monotonic() + _LONGEST_S
    for name in names:
        done = _run(name, context, deadline - monotonic())
        if done is None:
            return None
        if done.code:
            text = plain(done.output.decode(errors="replace")).text.strip()
            lines = text.split("\n")[:_MOST_LINES]
            found[name] = "\n".join(clip_line(line, context.limits.line_chars) for line in lines)
    return found


def _run(name: str, context: Context, seconds: float) -> process.Done | None:
    """None where it says nothing of the file: it can't be run, or not in time."""
    command = context.commands["lint"].replace(_PATH, shlex.quote(name))
    try:
        done = confined.run(
            shell.words(command), context, timeout_s=max(seconds, 0), keep_bytes=_KEPT_BYTES
        )
    except ReactAgentError:
        return None
    missing = done.code in (126, 127)  # the shell found no such program
    return None if done.timed_out or missing else done
