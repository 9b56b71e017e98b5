"""Implement the Forge protocol for GitHub with PyGithub, on top of our own HTTP client.

This includes GitHub Enterprise. PyGithub signs the requests of REST and GraphQL; it neither waits
nor retries. Answers are read as JSON, because PyGithub's objects don't check their fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import quote

from react_agent.forges.account import Account
from react_agent.forges.contract import (
    MOST,
    ForgeError,
    Pull,
    Thread,
    Wanted,
    gathered,
    said_before,
)
from react_agent.forges.faults import ODD, Asking, Fault, Patience, asked
from react_agent.forges.http import Http, Row, as_text, json_of, needed, needed_text, number, text
from react_agent.forges.rest import Answer, Repository, RestForge
from react_agent.tools.package_data import install_command

_ASSOCIATIONS = ("owner", "member", "collaborator", "contributor")
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
_TO_DRAFT, _FROM_DRAFT = "convertPullRequestToDraft", "markPullRequestReadyForReview"
_MAY_PUSH = frozenset({"admin", "maintain", "write"})


class GitHub(RestForge):
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._requester = _requester(account, patience.answer)
        from github import GithubException

        def send(method: str, path: str, query: Mapping[str, Any], body: Any) -> Answer:
            found: Answer
            found = self._requester.requestJsonAndCheck(method, path, {**query}, input=body)
            return found

        asking = Asking(account, path, patience, (GithubException, *ODD))
        super().__init__(asking, Repository(send, path, {"per_page": 100}))

    @asked("open a pull request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        """Open or update the pull request. Safe to repeat: it first looks for an open one."""
        found = self._open_one(wanted)
        if not found:
            try:
                return self.as_pull(self._created(wanted, wanted.is_draft))
            except Fault as fault:
                if fault.status != _INVALID:
                    raise
                found = self._open_one(wanted)  # somebody else has opened it meanwhile
                if not found:
                    raise
        pull = self.as_pull(found)
        fields = {"title": wanted.title, "body": wanted.body, "base": wanted.base}
        if (pull.title, pull.body, pull.base) != tuple(map(as_text, fields.values())):
            pull = self.as_pull(
                self.api.ask("PATCH", f"{self.api.home}/pulls/{pull.number}", fields)
            )
        if pull.is_draft != wanted.is_draft and self._switch_draft(found, wanted.is_draft):
            pull = replace(pull, is_draft=wanted.is_draft)
        return pull

    @asked("read the reviews of pull request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        there = f"{self.api.home}/pulls/{number}"
        resolved = self._resolved(number)
        reviews = (
            Thread(f"{_REVIEW}:{needed(one, 'id')}", (self.remark(one),))
            for one in self.api.all(f"{there}/reviews")
            if text(one, "body") and text(one, "state") != "PENDING"
        )
        below = (
            Thread(f"{_BELOW}:{needed(one, 'id')}", (self.remark(one),))
            for one in self.api.all(f"{self.api.home}/issues/{number}/comments")
        )
        on_lines = self._on_lines(self.api.all(f"{there}/comments"), resolved)
        return gathered((*on_lines, *reviews, *below))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        kind, _, key = thread.key.partition(":")
        if kind != _ON_A_LINE:
            return super().reply(number, thread, text)

        def sent_before() -> str:
            there = f"{self.api.home}/pulls/{number}/comments"
            newest = self.api.all(there, sort="created", direction="desc")
            return said_before([*map(self.remark, reversed(newest))], self.login, text)

        return self.asking.ask(
            f"answer in pull request {number} of {self.asking.path}",
            lambda: self.api.say(f"pulls/{number}/comments/{key}/replies", text),
            sent_before,
        )

    @asked("read the rights of {0} of {path}")
    def may_push(self, login: str) -> bool:
        # Nobody has that name if it is an app.
        found = self.api.find(f"{self.api.home}/collaborators/{quote(login, safe='')}/permission")
        return text(found, "permission") in _MAY_PUSH

    def association(self, of: Row) -> str:
        lower = text(of, "author_association").lower()
        return lower if lower in _ASSOCIATIONS else "none" if lower else ""

    @cached_property
    def login(self) -> str:
        try:
            return super().login
        except Fault as fault:
            if fault.status != _FORBIDDEN or fault.is_limit:
                raise
        # The token of an app or of a CI job may only use this query.
        return needed_text(self._query(_VIEWER)["viewer"], "login")

    def _query(self, query: str, **variables: Any) -> Any:
        return self._requester.graphql_query(query, variables)[1]["data"]

    def _open_one(self, wanted: Wanted) -> Row:
        """Return the open pull request of the branch, preferably into the same base, or nothing."""
        source = wanted.source or self.api.path
        head = f"{source.partition('/')[0]}:{wanted.branch}"
        listed = self.api.all(f"{self.api.home}/pulls", state="open", head=head)
        pulls = [(self.as_pull(one), one) for one in listed]
        there = {
            (pull.base != wanted.base, pull.number): one
            for pull, one in pulls
            if (pull.branch, pull.source or self.api.path) == (wanted.branch, source)
        }
        return there[min(there)] if there else {}

    def _created(self, wanted: Wanted, is_draft: bool) -> Row:
        source = wanted.source or self.api.path
        fields = {
            "title": wanted.title,
            "body": wanted.body,
            "base": wanted.base,
            "head": f"{source.partition('/')[0]}:{wanted.branch}",
            "draft": is_draft,
            "maintainer_can_modify": source != self.api.path,
        }
        try:
            return self.api.ask("POST", f"{self.api.home}/pulls", fields)
        except Fault as fault:
            is_about_drafts = fault.status == _INVALID and "draft" in fault.said.lower()
            if not (is_draft and is_about_drafts):
                raise
            return self._created(wanted, False)  # not every plan has them

    def _switch_draft(self, pull: Row, is_draft: bool) -> bool:
        """Switch the draft state, which needs GraphQL. Return False without access to it."""
        change = {"pullRequestId": text(pull, "node_id")}
        name = _TO_DRAFT if is_draft else _FROM_DRAFT
        try:
            self._requester.graphql_named_mutation(name, change, "pullRequest { isDraft }")
        except self.asking.odd:  # a refusal with status 200
            return False
        except Fault as fault:
            if fault.may_pass:
                raise
            return False
        return True

    def _on_lines(self, comments: Sequence[Row], resolved: set[int]) -> Iterator[Thread]:
        by_first: dict[int, list[Row]] = {}
        first_of: dict[int, int] = {}
        for comment in sorted(comments, key=lambda one: needed(one, "id")):
            at = needed(comment, "id")
            above = number(comment, "in_reply_to_id") or at
            first = first_of[at] = first_of.get(above, above)
            by_first.setdefault(first, []).append(comment)
        for first, said in by_first.items():
            yield Thread(
                f"{_ON_A_LINE}:{first}",
                tuple(map(self.remark, said)),
                text(said[0], "path"),
                number(said[0], "line") if text(said[0], "side") != "LEFT" else 0,
                text(said[0], "diff_hunk"),
                first in resolved,
            )

    def _resolved(self, number: int) -> set[int]:
        """Return the first comments of resolved threads, as far as GraphQL may be used."""
        owner, _, name = self.api.path.partition("/")
        firsts, after = set[int](), None
        try:
            for _ in range(MOST // 100 if self.asking.account.token else 0):
                data = self._query(_RESOLVED, owner=owner, name=name, number=number, after=after)
                found = data["repository"]["pullRequest"]["reviewThreads"]
                for thread in found["nodes"]:
                    if thread["isResolved"]:
                        firsts |= {first["databaseId"] for first in thread["comments"]["nodes"]}
                if not found["pageInfo"]["hasNextPage"]:
                    break
                after = found["pageInfo"]["endCursor"]
        except self.asking.odd:
            pass
        except Fault as fault:
            if fault.may_pass:
                raise
        return firsts


def _requester(account: Account, seconds: float) -> Any:
    """Return PyGithub's own client. Raises ForgeError if PyGithub is not installed."""
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
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
    ).requester


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
