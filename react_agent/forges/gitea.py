"""Implement the Forge protocol for Gitea and Forgejo, which have the same REST API."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from react_agent.forges.account import Account
from react_agent.forges.contract import Pull, Thread, Wanted, gathered
from react_agent.forges.faults import Asking, Fault, Patience, asked
from react_agent.forges.http import (
    Http,
    Row,
    flag,
    inner,
    json_of,
    needed,
    number,
    text,
    without_draft,
)
from react_agent.forges.rest import Answer, Repository, RestForge

_API = "/api/v1"
_PAGE = 50  # the most that a server gives by default
_DRAFT = "WIP: "
_NO_WORDS = ("PENDING", "REQUEST_REVIEW")  # states of a review


class Gitea(RestForge):
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        root = f"{account.api.rstrip('/').removesuffix(_API)}{_API}"
        headers = {"Authorization": f"token {account.token}"} if account.token else {}
        http = Http(root, headers, patience.answer)

        def send(method: str, path: str, query: Mapping[str, Any], body: Any) -> Answer:
            answer = http.ask(method, f"{root}{path}", query, body)
            return answer.headers, json_of(answer)

        super().__init__(
            Asking(account, path, patience, odd=()), Repository(send, path, {"limit": _PAGE})
        )

    @asked("open a pull request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        source = wanted.source or self.api.path
        title, _ = without_draft(wanted.title)
        fields = {
            "title": f"{_DRAFT}{title}" if wanted.is_draft else title,
            "body": wanted.body,
            "base": wanted.base,
        }
        requests = f"{self.api.home}/pulls"
        listed = self.api.all(requests, state="open", sort="recentupdate")
        pulls = map(self.as_pull, listed)
        place = (wanted.branch, source.casefold())
        there = (
            one for one in pulls if (one.branch, (one.source or self.api.path).casefold()) == place
        )
        if found := next(there, None):
            return self.as_pull(self.api.ask("PATCH", f"{requests}/{found.number}", fields))
        fields["head"] = _head(self.api.path, source, wanted.branch)
        return self.as_pull(self.api.ask("POST", requests, fields))

    def make_fork(self) -> str:
        """Return the path of the fork. Gitea makes no second one, even under another name."""
        for one in self.api.all(f"{self.api.home}/forks"):
            if text(inner(one, "owner"), "login").casefold() == self.login.casefold():
                return text(one, "full_name")
        return super().make_fork()

    @asked("read the reviews of pull request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        plain = [Thread(f"comment {said.url}", (said,)) for said in self.remarks(number)]
        return gathered((*self._reviews(number), *plain))

    def as_pull(self, of: Row) -> Pull:
        pull = super().as_pull(of)
        title, is_draft = without_draft(pull.title)
        return replace(pull, title=title, is_draft=is_draft or pull.is_draft)

    def association(self, of: Row) -> str:
        login = text(inner(of, "user"), "login")
        return self._standing.get(login, "none" if self._standing else "")

    @cached_property
    def _standing(self) -> Mapping[str, str]:
        """The role of each user with write access; empty if the token may not list them."""
        try:
            found = self.api.all(f"{self.api.home}/assignees")
        except Fault as fault:
            if fault.may_pass:
                raise
            return {}
        owner = text(inner(self.api.first, "owner"), "login")
        return {**{text(one, "login"): "collaborator" for one in found}, owner: "owner"}

    def _reviews(self, of: int) -> Iterator[Thread]:
        reviews = f"{self.api.home}/pulls/{of}/reviews"
        for review in self.api.all(reviews):
            if text(review, "state") in _NO_WORDS:
                continue
            key = f"review {needed(review, 'id')}"
            if text(review, "body").strip():
                yield Thread(key, (self.remark(review),), is_resolved=flag(review, "dismissed"))
            if review.get("comments_count") != 0:
                on_code = self.api.all(f"{reviews}/{needed(review, 'id')}/comments")
                yield from self._on_lines(key, on_code)

    def _on_lines(self, key: str, comments: Iterable[Row]) -> Iterator[Thread]:
        """Yield one thread for all comments of a review that are on the same line."""
        by_line: dict[tuple[str, int, int], list[Row]] = {}
        for comment in sorted(comments, key=lambda comment: number(comment, "id")):
            line, before = number(comment, "position"), number(comment, "original_position")
            by_line.setdefault((text(comment, "path"), line, before), []).append(comment)
        for (path, line, before), talk in by_line.items():
            yield Thread(
                f"{key} {path}:{line or -before}",
                tuple(map(self.remark, talk)),
                path,
                line,
                text(talk[0], "diff_hunk"),
                any(inner(one, "resolver") for one in talk),
            )


def _head(path: str, source: str, branch: str) -> str:
    owner, _, name = source.partition("/")
    if source.casefold() == path.casefold():
        return branch
    is_same = name.casefold() == path.partition("/")[2].casefold()
    return f"{owner if is_same else source}:{branch}"
