"""Implement the Forge protocol for GitHub with PyGithub, on top of our own HTTP client.

This includes GitHub Enterprise. PyGithub neither waits nor retries. If an answer lacks a field,
PyGithub fails later with an unrelated error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from react_agent.forges.account import Account
from react_agent.forges.contract import (
    MOST,
    ForgeError,
    Hosted,
    Posted,
    Pull,
    Remark,
    Thread,
    Wanted,
    answer_to,
    gathered,
    said_before,
)
from react_agent.forges.faults import (
    ODD,
    OTHER,
    Asking,
    Failed,
    Fault,
    Patience,
    asked,
    check_branches,
)
from react_agent.forges.http import Http, as_text, is_bot, json_of
from react_agent.parsers.servers.http_answers import without_login
from react_agent.tools.package_data import install_command

if TYPE_CHECKING:
    from github import Github
    from github.Issue import Issue
    from github.IssueComment import IssueComment
    from github.NamedUser import NamedUser
    from github.Organization import Organization
    from github.PullRequest import PullRequest
    from github.PullRequestComment import PullRequestComment
    from github.PullRequestReview import PullRequestReview
    from github.Repository import Repository

_GHOST = "ghost"  # stands for a deleted account
_ASSOCIATIONS = ("owner", "member", "collaborator", "contributor")
_PULLS_OF_A_BRANCH = 300
_FORBIDDEN, _INVALID = 403, 422
_ON_A_LINE, _REVIEW, _BELOW = "line", "review", "comment"
_VIEWER = "query { viewer { login } }"
_RESOLVED = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes { isResolved comments(first: 1) { nodes { databaseId } } }
    } } } }
"""
_MAY_PUSH = frozenset({"admin", "maintain", "write"})
_Value = TypeVar("_Value")


class GitHub:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._client = _client(account, patience.answer)
        from github import BadAttributeException, GithubException

        odd = (BadAttributeException, GithubException, *ODD)
        self.asking = Asking(account, path, patience, odd)

    @cached_property
    def _there(self) -> Repository:
        """The repository under its current name, because writes follow no redirects."""
        found = self._client.get_repo(self.asking.path)
        _needed(found.full_name and found.default_branch)
        return found

    @asked("read {path}")
    def repository(self) -> Hosted:
        return _hosted(self._there)

    @asked("read issue {0} of {path}")
    def issue(self, number: int) -> Posted:
        return _posted(self._there.get_issue(number))

    @asked("read the comments on {0} of {path}")
    def comments(self, number: int) -> Sequence[Remark]:
        return _comments(self._there, number)

    @asked("open a pull request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        """Open or update the pull request. Safe to repeat: it first looks for an open one."""
        pull = _open_one(self._there, wanted)
        if pull is None:
            try:
                return _as_pull(_created(self._there, wanted))
            except Fault as fault:
                if fault.status != _INVALID:
                    raise
                pull = _open_one(self._there, wanted)  # somebody else has opened it meanwhile
                if pull is None:
                    there = self._there
                    has_branch = partial(_has_branch, self._client)
                    check_branches(wanted, there.full_name, there.default_branch, has_branch)
                    raise
        now = (pull.title, as_text(pull.body), pull.base.ref)
        if now != (wanted.title, as_text(wanted.body), wanted.base):
            pull.edit(title=wanted.title, body=wanted.body, base=wanted.base)
        if pull.draft != wanted.is_draft:
            _switch_draft(pull)
        return _as_pull(pull)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        return self.asking.ask(
            f"comment on {number} of {self.asking.path}",
            lambda: _needed(self._there.get_issue(number).create_comment(text).html_url),
            lambda: said_before(_comments(self._there, number), self._me, text),
        )

    @asked("fork {path}")
    def fork(self) -> Hosted:
        there, login = self._there, self._me
        if there.full_name.partition("/")[0].lower() == login.lower():
            raise Fault(Failed.PLAIN, f"the repository belongs to {login}; push to it instead")
        made = _fork_of(self._client, there, login) or there.create_fork()
        # A fork is there at once, but its contents come later.
        branch = _needed(made.default_branch)
        self.asking.wait_for(lambda: _has_branch(self._client, made.full_name, branch) or None)
        return _hosted(made)

    @asked("read pull request {0} of {path}")
    def pull(self, number: int) -> Pull:
        return _as_pull(self._there.get_pull(number))

    @asked("read the reviews of pull request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        pull = self._there.get_pull(number)
        resolved = _resolved(self._client, self._there, number, self.asking)
        reviews = (
            Thread(f"{_REVIEW}:{one.id}", (_remark(one, one.submitted_at),))
            for one in islice(pull.get_reviews(), MOST)
            if one.body and one.state != "PENDING"
        )
        below = (
            Thread(f"{_BELOW}:{one.id}", (_remark(one, one.created_at),))
            for one in islice(pull.get_issue_comments(), MOST)
        )
        return gathered((*_on_lines(pull, resolved), *reviews, *below))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        kind, _, key = thread.key.partition(":")
        if kind != _ON_A_LINE:
            return self.comment(number, answer_to(thread, text))

        def sent_before() -> str:
            found = self._there.get_pull(number).get_review_comments(
                sort="created", direction="desc"
            )
            newest = reversed([_remark(one, one.created_at) for one in islice(found, MOST)])
            return said_before([*newest], self._me, text)

        return self.asking.ask(
            f"answer in pull request {number} of {self.asking.path}",
            lambda: _needed(
                self._there.get_pull(number).create_review_comment_reply(int(key), text).html_url
            ),
            sent_before,
        )

    @asked("find out whose token it is")
    def me(self) -> str:
        return self._me

    @cached_property
    def _me(self) -> str:
        try:
            return str(_needed(self._client.get_user().login))
        except Fault as fault:
            if fault.status != _FORBIDDEN or fault.is_limit:
                raise
        # The token of an app or of a CI job may only use this query.
        _, data = self._client.requester.graphql_query(_VIEWER, {})
        return str(_needed(data["data"]["viewer"]["login"]))

    @asked("read the rights of {0} of {path}")
    def may_push(self, login: str) -> bool:
        try:
            return self._there.get_collaborator_permission(login) in _MAY_PUSH
        except Fault as fault:
            if not fault.is_missing:  # nobody of that name: an app
                raise
            return False


def _client(account: Account, seconds: float) -> Github:
    """Return the client. Raises ForgeError if PyGithub is not installed."""
    try:
        from github import Auth, Github
        from github.Requester import Requester
    except ImportError:
        needs = "GitHub needs PyGithub, which is not installed"
        raise ForgeError(f"{needs}: {install_command('github')}") from None
    connections: Any = (_connection("http", seconds), _connection("https", seconds))
    Requester.injectConnectionClasses(*connections)
    return Github(
        base_url=account.api.rstrip("/"),
        auth=Auth.Token(account.token) if account.token else None,
        user_agent="react-agent",
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    )


def _connection(scheme: str, seconds: float) -> type:
    """Return the connection class that PyGithub sends requests with."""

    class Connection:
        def __init__(self, host: str, port: int | None = None, **others: object) -> None:
            self.host = host
            self._root = f"{scheme}://{host}" + (f":{port}" if port else "")
            self._http = Http(self._root, {}, seconds)

        def request(
            self, verb: str, url: str, content: str, headers: Mapping[str, str], stream: bool
        ) -> None:
            body = json.loads(content) if content else None
            answer = self._http.ask(verb, f"{self._root}{url}", None, body, headers)
            json_of(answer)  # PyGithub would give a page of HTML as what was asked for
            self._answer = answer

        def getresponse(self) -> Connection:
            return self

        status = 200  # refusals and redirects are Faults; for 202 PyGithub would wait

        def getheaders(self) -> list[tuple[str, str]]:
            return self._answer.headers.multi_items()

        def read(self) -> str:
            return self._answer.content.decode(errors="replace")

        def close(self) -> None: ...

    return Connection


def _needed(value: _Value | None) -> _Value:
    """Return a value that the answer must have. Raises Fault if it is missing."""
    if not value:
        raise Fault(Failed.STRANGE, OTHER)
    return value


def _known(value: _Value) -> _Value | None:
    """Return a value that may be null, although PyGithub's types don't say so."""
    return value


def _comments(repository: Repository, number: int) -> list[Remark]:
    found = repository.get_issue(number).get_comments()
    return [_remark(one, one.created_at) for one in islice(found, MOST)]


def _has_branch(client: Github, path: str, branch: str) -> bool:
    try:
        return bool(client.get_repo(path).get_branch(branch))
    except Fault as fault:
        return not fault.is_missing


def _open_one(repository: Repository, wanted: Wanted) -> PullRequest | None:
    """Return an open pull request of the branch, preferably one into the same base."""
    source = wanted.source or repository.full_name
    head = f"{source.partition('/')[0]}:{wanted.branch}"
    found = []
    for pull in islice(repository.get_pulls(state="open", head=head), _PULLS_OF_A_BRANCH):
        place = _known(pull.head.repo)
        if pull.head.ref == wanted.branch and place is not None and place.full_name == source:
            found.append(pull)
    found.sort(key=lambda pull: (pull.base.ref != wanted.base, pull.number))
    return found[0] if found else None


def _created(repository: Repository, wanted: Wanted, *, may_be_draft: bool = True) -> PullRequest:
    source = wanted.source or repository.full_name
    try:
        return repository.create_pull(
            wanted.base,
            f"{source.partition('/')[0]}:{wanted.branch}",
            title=wanted.title,
            body=wanted.body,
            draft=wanted.is_draft and may_be_draft,
            maintainer_can_modify=source != repository.full_name,
        )
    except Fault as fault:
        is_about_drafts = fault.status == _INVALID and "draft" in fault.said.lower()
        if not (wanted.is_draft and may_be_draft and is_about_drafts):
            raise
        return _created(repository, wanted, may_be_draft=False)  # not every plan has them


def _switch_draft(pull: PullRequest) -> None:
    """Switch the draft state. This needs GraphQL; without access to it, nothing changes."""
    try:
        if pull.draft:
            pull.mark_ready_for_review()
        else:
            pull.convert_to_draft()
    except Fault as fault:
        if fault.may_pass:
            raise


def _fork_of(client: Github, repository: Repository, login: str) -> Repository | None:
    try:
        found = client.get_repo(f"{login}/{repository.name}")
    except Fault as fault:
        if not fault.is_missing:
            raise
        return None
    parent = _known(found.parent)
    is_of_it = parent is not None and parent.full_name == repository.full_name
    return found if is_of_it else None


def _hosted(repository: Repository) -> Hosted:
    may = _known(repository.permissions)
    return Hosted(
        repository.full_name,
        without_login(repository.clone_url or ""),
        repository.default_branch,
        may is not None and bool(may.push) and not repository.archived,
    )


def _posted(issue: Issue) -> Posted:
    return Posted(
        _needed(issue.number),
        as_text(issue.title),
        as_text(issue.body),
        _login(issue.user),
        _association(issue.author_association),
        tuple(label.name for label in issue.labels if label.name),
        issue.state == "open",
        issue.comments or 0,
    )


def _remark(
    said: IssueComment | PullRequestComment | PullRequestReview, at: datetime | None
) -> Remark:
    login = _login(said.user)
    return Remark(
        login,
        as_text(said.body),
        _association(said.author_association),
        at.astimezone(UTC).isoformat() if at else "",
        login != _GHOST and (said.user.type == "Bot" or is_bot(login)),
        said.html_url or "",
    )


def _as_pull(pull: PullRequest) -> Pull:
    head, base = _needed(pull.head), _needed(pull.base)
    source = _known(head.repo)
    place = source.full_name or "" if source is not None else ""
    return Pull(
        _needed(pull.number),
        pull.html_url or "",
        as_text(pull.title),
        as_text(pull.body),
        _needed(head.ref),
        _needed(base.ref),
        "merged" if pull.merged_at else pull.state or "",
        bool(pull.draft),
        _login(pull.user),
        "" if place == base.repo.full_name else place,
        without_login(source.clone_url or "") if source is not None else "",
    )


def _login(user: NamedUser | Organization | None) -> str:
    return (user.login if user is not None else "") or _GHOST


def _association(word: str | None) -> str:
    lower = (word or "").lower()
    return lower if lower in _ASSOCIATIONS else "none" if lower else ""


def _on_lines(pull: PullRequest, resolved: frozenset[int]) -> Iterator[Thread]:
    by_first: dict[int, list[PullRequestComment]] = {}
    first_of: dict[int, int] = {}
    for comment in sorted(islice(pull.get_review_comments(), MOST), key=lambda one: one.id):
        above = comment.in_reply_to_id or comment.id
        first = first_of[comment.id] = first_of.get(above, above)
        by_first.setdefault(first, []).append(comment)
    for first, said in by_first.items():
        yield Thread(
            f"{_ON_A_LINE}:{first}",
            tuple(_remark(one, one.created_at) for one in said),
            said[0].path or "",
            (said[0].line or 0) if said[0].side != "LEFT" else 0,
            said[0].diff_hunk or "",
            first in resolved,
        )


def _resolved(
    client: Github, repository: Repository, number: int, asking: Asking
) -> frozenset[int]:
    """Return the first comments of resolved threads, or none without access to GraphQL."""
    if not asking.account.token:
        return frozenset()
    try:
        return frozenset(_resolved_firsts(client, repository, number))
    except asking.odd:
        return frozenset()
    except Fault as fault:
        if fault.may_pass:
            raise
        return frozenset()


def _resolved_firsts(client: Github, repository: Repository, number: int) -> Iterator[int]:
    owner, _, name = repository.full_name.partition("/")
    place = {"owner": owner, "name": name, "number": number, "after": None}
    for _ in range(MOST // 100):
        _, data = client.requester.graphql_query(_RESOLVED, place)
        found = data["data"]["repository"]["pullRequest"]["reviewThreads"]
        for thread in found["nodes"]:
            if thread["isResolved"]:
                yield from (first["databaseId"] for first in thread["comments"]["nodes"])
        if not found["pageInfo"]["hasNextPage"]:
            return
        place["after"] = found["pageInfo"]["endCursor"]
