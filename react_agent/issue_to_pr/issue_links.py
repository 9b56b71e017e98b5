"""Lines of code that an issue links to, as they were there and where they are now."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from react_agent.issue_to_pr.issue_files import Lines
from react_agent.parsers.issue.places import CodeLink
from react_agent.parsers.transcript.quoting import escape
from react_agent.tools.clip import clip_line
from react_agent.tools.errors import ReactAgentError
from react_agent.tools.git.door import work_tree

_LINKS, _LINES, _LINE = 3, 12, 120


def linked(links: Sequence[CodeLink], root: Path, repository: str, lines: Lines) -> Iterator[str]:
    """Those of a commit that the run's repository has; of a branch, if it is called the same."""
    shown = 0
    for link in links[: 10 * _LINKS]:
        then = _then(link, root) if link.is_of_commit else None
        is_ours = then is not None or link.repository.rpartition("/")[2] == repository
        rows = list(_rows(link, then, lines(link.path))) if is_ours else []
        shown += bool(rows)
        if shown > _LINKS:
            return
        yield from rows


def _then(link: CodeLink, root: Path) -> list[str] | None:
    """The lines that are meant; none if the commit is not among those that the run has."""
    try:
        answer = work_tree(root).ask("cat-file", "blob", f"{link.revision}:{link.path}")
    except ReactAgentError:
        return None
    if answer.code or b"\0" in answer.out:
        return None
    return answer.out.decode(errors="replace").split("\n")[link.first - 1 : link.last]


def _rows(link: CodeLink, then: Sequence[str] | None, now: Sequence[str]) -> Iterator[str]:
    wanted = list(then if then is not None else now[link.first - 1 : link.last])
    if not any(map(str.strip, wanted)):
        return
    at = _found(wanted, link.first, now)
    place = f"{link.path}:{_range(at or link.first, len(wanted))}"
    yield f"- linked: {place}{', which has changed since; it was' if at is None else ''}"
    for number, line in enumerate(wanted[:_LINES], at or link.first):
        yield f"  {number}: {clip_line(escape(line), _LINE)}"
    if len(wanted) > _LINES:
        yield f"  and {len(wanted) - _LINES} more"


def _found(wanted: Sequence[str], first: int, now: Sequence[str]) -> int | None:
    """Where the same lines are, nearest to where they were."""
    starts = (at for at, line in enumerate(now, 1) if line == wanted[0])
    found = (at for at in starts if list(now[at - 1 : at - 1 + len(wanted)]) == list(wanted))
    return min(found, key=lambda at: abs(at - first), default=None)


def _range(first: int, count: int) -> str:
    return f"{first}-{first + count - 1}" if count > 1 else f"{first}"
