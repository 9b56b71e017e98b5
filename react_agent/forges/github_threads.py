"""The conversations about a pull request at GitHub: on lines, in reviews, below it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from react_agent.forges.contract import MOST, Remark, Thread
from react_agent.forges.faults import Fault
from react_agent.forges.github_client import Session, heard, needed
from react_agent.forges.github_read import remark

if TYPE_CHECKING:
    from github.PullRequest import PullRequest
    from github.PullRequestComment import PullRequestComment
    from github.Repository import Repository

_ANSWER = re.compile(r"\[About this\]\((?P<url>\S+)\):\n\n")
_ON_A_LINE, _REVIEW, _BELOW = "line", "review", "comment"
_RESOLVED = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { isResolved comments(first: 1) { nodes { databaseId } } }
    } } } }
"""


def threads(session: Session, number: int) -> tuple[Thread, ...]:
    """Oldest first."""

    def read(repository: Repository) -> list[Thread]:
        pull = repository.get_pull(number)
        resolved = _resolved(session, repository, number)
        return [*_on_lines(pull, resolved), *_gathered([*_reviews(pull), *_below(pull)])]

    found = session.ask(f"read the review of pull request {number}", read)
    return tuple(sorted(found, key=lambda thread: thread.remarks[0].at))


def reply(session: Session, number: int, thread: Thread, words: str) -> str:
    kind, _, key = thread.key.partition(":")
    said = words if kind == _ON_A_LINE else _about(thread.remarks[0]) + words

    def send(repository: Repository) -> str:
        pull = repository.get_pull(number)
        if kind == _ON_A_LINE:
            return needed(pull.create_review_comment_reply(int(key), said).html_url)
        return needed(pull.create_issue_comment(said).html_url)

    def sent(repository: Repository) -> str | None:
        pull = repository.get_pull(number)
        comments: Iterable[Any] = pull.get_issue_comments()
        if kind == _ON_A_LINE:
            comments = pull.get_review_comments(sort="created", direction="desc")
        newest = itertools.islice(comments, MOST)
        return next((one.html_url for one in newest if one.body == said), None)

    return session.once(f"answer a review of pull request {number}", send, sent)


def _about(first: Remark) -> str:
    """There are no answers to what is said below, but links."""
    return f"[About this]({first.url}):\n\n" if first.url else ""


def _gathered(found: Iterable[Thread]) -> Iterator[Thread]:
    """With such answers in the conversation that they belong to."""
    by_first: dict[str, Thread] = {}
    for thread in found:
        first = thread.remarks[0]
        to = _ANSWER.match(first.body)
        if to and (above := by_first.get(to["url"])):
            said = replace(first, body=first.body[to.end() :])
            by_first[to["url"]] = replace(above, remarks=(*above.remarks, said))
        else:
            by_first[first.url or thread.key] = thread
    yield from by_first.values()


def _on_lines(pull: PullRequest, resolved: frozenset[int]) -> Iterator[Thread]:
    by_first: dict[int, list[PullRequestComment]] = {}
    first_of: dict[int, int] = {}
    comments = itertools.islice(pull.get_review_comments(), MOST)
    for comment in sorted(comments, key=lambda one: one.id):
        above = comment.in_reply_to_id or comment.id
        first = first_of.get(above, above)
        first_of[comment.id] = first
        by_first.setdefault(first, []).append(comment)
    for first, said in by_first.items():
        yield Thread(
            f"{_ON_A_LINE}:{first}",
            tuple(remark(one, one.created_at) for one in said),
            said[0].path or "",
            (said[0].line or 0) if said[0].side != "LEFT" else 0,
            said[0].diff_hunk or "",
            first in resolved,
        )


def _reviews(pull: PullRequest) -> Iterator[Thread]:
    for review in itertools.islice(pull.get_reviews(), MOST):
        if review.body and review.state != "PENDING":
            said = remark(review, review.submitted_at)
            yield Thread(f"{_REVIEW}:{review.id}", (said,))


def _below(pull: PullRequest) -> Iterator[Thread]:
    for comment in itertools.islice(pull.get_issue_comments(), MOST):
        yield Thread(f"{_BELOW}:{comment.id}", (remark(comment, comment.created_at),))


def _resolved(session: Session, repository: Repository, number: int) -> frozenset[int]:
    """By their first comments. Only GraphQL tells; where it is closed, none is."""
    if not session.asking.account.token:
        return frozenset()
    try:
        return frozenset(heard(list, _resolved_firsts(session, repository, number)))
    except Fault as fault:
        if fault.may_pass:
            raise
        return frozenset()


def _resolved_firsts(session: Session, repository: Repository, number: int) -> Iterator[int]:
    owner, _, name = repository.full_name.partition("/")
    place = {"owner": owner, "name": name, "number": number, "after": None}
    for _ in range(MOST // 100):
        _, data = session.client.requester.graphql_query(_RESOLVED, place)
        found = data["data"]["repository"]["pullRequest"]["reviewThreads"]
        for thread in found["nodes"]:
            if thread["isResolved"]:
                yield from (first["databaseId"] for first in thread["comments"]["nodes"])
        if not found["pageInfo"]["hasNextPage"]:
            return
        place["after"] = found["pageInfo"]["endCursor"]
