"""The newest commits that people made of a history: their messages, and what they touched."""

import os
from collections.abc import Iterator

from react_agent.parsers.commit_habit import Past
from react_agent.parsers.late_pattern import LatePattern
from react_agent.tools.git.door import AUTHOR, Git, GitError

_MOST, _LOOKED_AT = 100, 250
_HEAD = "%x00%x00%an%n%ae%n%ce%n%B%x00"
_LONGEST = 10_000  # characters of a message
_ROBOT = LatePattern(
    r"(?i).*\[bot\].*|(?:dependabot|renovate|greenkeeper|snyk|github-actions?|pre-commit-ci|weblate"
    r"|mergify|bors|imgbot|allcontributors|semantic-release|codecov|copybara"
    r"|gitlab[ -]?bot|.*[ -]bot)"
    r"\b.*"
)


def past(git: Git, base: str) -> list[Past]:
    """The newest first, without merges, ours and those of robots; none where git can't tell."""
    how = ("-z", "--no-merges", "--name-only", "--no-renames", f"--format={_HEAD}")
    try:
        answer = git.ask("log", *how, f"--max-count={_LOOKED_AT}", base, "--")
    except GitError:  # it took too long, or printed too much
        return []
    return list(_commits(answer.out) if not answer.code else ())[:_MOST]


def _commits(told: bytes) -> Iterator[Past]:
    """`\\0\\0 head \\0\\0 \\n path \\0 path \\0`, for each commit; a name is never empty."""
    fields = iter(told.split(b"\0"))
    head, paths, blanks = b"", list[str](), 0
    for one in fields:
        if not one:
            blanks += 1
            if blanks == 2 and head:
                yield from _commit(head, paths)
                head, paths = b"", []
            continue
        if not head:
            head = one
        else:
            paths.append(os.fsdecode(one.removeprefix(b"\n") if not paths else one))
        blanks = 0
    if head:
        yield from _commit(head, paths)


def _commit(head: bytes, paths: list[str]) -> Iterator[Past]:
    name, author, committer, message = head.decode(errors="replace").split("\n", 3)
    is_robot = _ROBOT.fullmatch(name) or _ROBOT.fullmatch(author)
    if AUTHOR[1] not in (author, committer) and not is_robot:
        yield Past(message.strip()[:_LONGEST], tuple(paths))
