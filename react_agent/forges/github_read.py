"""What PyGithub gives, as the values of the contract."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from react_agent.forges.contract import Hosted, Posted, Pull, Remark
from react_agent.forges.github_client import known, needed
from react_agent.forges.names import is_bot, without_credentials

if TYPE_CHECKING:
    from github.Issue import Issue
    from github.IssueComment import IssueComment
    from github.NamedUser import NamedUser
    from github.Organization import Organization
    from github.PullRequest import PullRequest
    from github.PullRequestComment import PullRequestComment
    from github.PullRequestReview import PullRequestReview
    from github.Repository import Repository

GHOST = "ghost"  # whose account is gone
_ASSOCIATIONS = ("owner", "member", "collaborator", "contributor")


def hosted(repository: Repository) -> Hosted:
    may = known(repository.permissions)
    return Hosted(
        repository.full_name,
        without_credentials(repository.clone_url or ""),
        repository.default_branch,
        may is not None and bool(may.push) and not repository.archived,
        repository.html_url or "",
    )


def posted(issue: Issue) -> Posted:
    return Posted(
        needed(issue.number),
        issue.title or "",
        text(issue.body),
        issue.html_url or "",
        login(issue.user),
        association(issue.author_association),
        tuple(label.name for label in issue.labels if label.name),
        issue.state == "open",
        issue.comments or 0,
    )


def remark(
    said: IssueComment | PullRequestComment | PullRequestReview, at: datetime | None
) -> Remark:
    return Remark(
        login(said.user),
        text(said.body),
        association(said.author_association),
        _instant(at),
        login(said.user) != GHOST and (said.user.type == "Bot" or is_bot(said.user.login)),
        said.html_url or "",
    )


def as_pull(pull: PullRequest) -> Pull:
    head, base = needed(pull.head), needed(pull.base)
    source = known(head.repo)
    place = source.full_name or "" if source is not None else ""
    return Pull(
        needed(pull.number),
        pull.html_url or "",
        pull.title or "",
        text(pull.body),
        needed(head.ref),
        needed(base.ref),
        "merged" if pull.merged_at else pull.state or "",
        bool(pull.draft),
        login(pull.user),
        "" if place == base.repo.full_name else place,
        without_credentials(source.clone_url or "") if source is not None else "",
    )


def login(user: NamedUser | Organization | None) -> str:
    return (user.login if user is not None else "") or GHOST


def association(word: str | None) -> str:
    lower = (word or "").lower()
    return lower if lower in _ASSOCIATIONS else "none" if lower else ""


def text(body: str | None) -> str:
    """GitHub's own form sends the ends of lines as Windows has them."""
    return (body or "").replace("\r\n", "\n")


def _instant(at: datetime | None) -> str:
    return at.astimezone(UTC).isoformat() if at else ""
