"""The conversations about a merge request."""

from collections.abc import Iterator

from react_agent.forges.contract import Thread
from react_agent.forges.faults import Failed, Fault
from react_agent.forges.fields import Row, flag, inner, number, row, several, text
from react_agent.forges.gitlab_api import GitLabApi
from react_agent.forges.gitlab_notes import (
    MERGE_REQUESTS,
    address,
    found_of,
    is_for_all,
    noted,
    said,
)
from react_agent.forges.gitlab_read import without_commands


def threads(api: GitLabApi, of: int) -> list[Thread]:
    discussions = api.all(noted(api, MERGE_REQUESTS, of).discussions)
    return list(_read(api, of, discussions))


def _read(api: GitLabApi, of: int, discussions: list[Row]) -> Iterator[Thread]:
    talks = [(text(one, "id"), _words(one)) for one in discussions]
    everything = [note for _, notes in talks for note in notes]
    remarks = iter(said(api, everything, MERGE_REQUESTS, of))
    for key, notes in talks:
        if notes:
            at = inner(notes[0], "position")
            settled = [flag(note, "resolved") for note in notes if flag(note, "resolvable")]
            yield Thread(
                key,
                tuple(next(remarks) for _ in notes),
                text(at, "new_path") or text(at, "old_path"),
                number(at, "new_line"),
                is_resolved=bool(settled) and all(settled),
            )


def _words(discussion: Row) -> list[Row]:
    return [note for note in map(row, several(discussion, "notes")) if is_for_all(note)]


def replied(api: GitLabApi, of: int, thread: Thread, words: str) -> str:
    discussion = noted(api, MERGE_REQUESTS, of).discussions.get(thread.key, lazy=True)
    made = api.make(discussion.notes, {"body": without_commands(words)})
    return address(api, MERGE_REQUESTS, of, made)


def replied_before(api: GitLabApi, of: int, thread: Thread, words: str) -> str:
    """Once only, where it isn't known whether it has been."""
    now = next((one for one in threads(api, of) if one.key == thread.key), None)
    if now is None:
        raise Fault(Failed.PLAIN, "the conversation is no longer there")
    return found_of(api, now.remarks, words) or replied(api, of, thread, words)
