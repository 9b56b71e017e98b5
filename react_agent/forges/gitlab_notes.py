"""What people said at GitLab: notes, with what those who wrote them may do."""

from collections.abc import Sequence
from typing import Any

from react_agent.forges.contract import Remark
from react_agent.forges.fields import Row, flag, inner, needed, number, text
from react_agent.forges.gitlab_api import GitLabApi
from react_agent.forges.gitlab_read import remark, without_commands

ISSUES, MERGE_REQUESTS = "issues", "merge_requests"


def noted(api: GitLabApi, kind: str, of: int) -> Any:
    """The issue or merge request, before anything is asked of it."""
    managers = {ISSUES: api.project.issues, MERGE_REQUESTS: api.project.mergerequests}
    return managers[kind].get(of, lazy=True)


def remarks(api: GitLabApi, kind: str, of: int) -> list[Remark]:
    notes = api.all(noted(api, kind, of).notes, sort="asc", order_by="created_at")
    return said(api, [note for note in notes if is_for_all(note)], kind, of)


def said(api: GitLabApi, notes: Sequence[Row], kind: str, of: int) -> list[Remark]:
    levels = api.levels({number(inner(note, "author"), "id") for note in notes})
    return [remark(note, levels, address(api, kind, of, note)) for note in notes]


def is_for_all(note: Row) -> bool:
    """The forge's own words are left out, and those that only members may read."""
    return not (flag(note, "system") or flag(note, "internal") or flag(note, "confidential"))


def address(api: GitLabApi, kind: str, of: int, note: Row) -> str:
    return f"{text(api.first, 'web_url')}/-/{kind}/{of}#note_{needed(note, 'id')}"


def commented(api: GitLabApi, kind: str, of: int, words: str) -> str:
    made = api.make(noted(api, kind, of).notes, {"body": without_commands(words)})
    return address(api, kind, of, made)


def commented_before(api: GitLabApi, kind: str, of: int, words: str) -> str:
    """Once only, where it isn't known whether it has been."""
    return found_of(api, remarks(api, kind, of), words) or commented(api, kind, of, words)


def found_of(api: GitLabApi, among: Sequence[Remark], words: str) -> str:
    """The address of what we have said already."""
    body = without_commands(words).strip()
    ours = (one for one in reversed(among) if one.author == api.me)
    return next((one.url for one in ours if one.body.strip() == body), "")
