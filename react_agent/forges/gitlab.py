"""Implement the Forge protocol for GitLab with python-gitlab, on top of our own HTTP client.

GitLab calls a pull request a merge request, and numbers it separately from issues.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from react_agent.forges.account import Account
from react_agent.forges.contract import (
    ForgeError,
    Hosted,
    Posted,
    Pull,
    Remark,
    Thread,
    Wanted,
    said_before,
)
from react_agent.forges.faults import ODD, Asking, Failed, Fault, Patience, asked
from react_agent.forges.http import (
    Http,
    Row,
    as_text,
    flag,
    inner,
    is_bot,
    json_of,
    needed,
    needed_text,
    number,
    row,
    several,
    text,
    url,
    without_draft,
)
from react_agent.forges.rest import Answer, Api, Send
from react_agent.tools.package_data import install_command

_API = "/api/v4"
_PAGE = 100
_MAY_PUSH = 30  # a developer
_DRAFT = "Draft: "
_COMMAND = re.compile(r"^([^\S\n]*)/(?=[A-Za-z])", re.MULTILINE)
_UNDER_WAY = ("scheduled", "started")  # states of a fork, which is made in the background
_STATES = {"opened": "open", "locked": "open"}
_STANDING = ((50, "owner"), (30, "member"), (15, "collaborator"))  # from which access level on
_Levels = Mapping[int, int] | None  # by the number of a user; None: not known


class GitLab:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        send = _sender(account, patience.answer)
        self.api = _Project(send, path, {"per_page": _PAGE}, bool(account.token))
        from gitlab.exceptions import GitlabError

        self.asking = Asking(account, path, patience, (GitlabError, *ODD))

    @asked("read {path}")
    def repository(self) -> Hosted:
        return self.api.hosted(self.api.read(self.asking.path))

    @asked("read issue {0} of {path}")
    def issue(self, number: int) -> Posted:
        found = self.api.get(f"{self.api.home}/issues/{number}")
        return _posted(found, self.api.levels([found]))

    @asked("read the comments on {0} of {path}")
    def comments(self, number: int) -> Sequence[Remark]:
        return self.api.comments(f"issues/{number}")

    @asked("open a merge request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        target = self.api.first
        source = self.api.read(wanted.source) if wanted.source else target
        title, _ = without_draft(wanted.title)
        fields: dict[str, Any] = {
            "title": f"{_DRAFT}{title}" if wanted.is_draft else title,
            "description": _without_commands(wanted.body),
            "target_branch": wanted.base,
        }
        requests = f"{self.api.home}/merge_requests"
        listed = self.api.all(requests, state="opened", source_branch=wanted.branch)
        there = [
            needed(one, "iid")
            for one in listed
            if text(one, "source_branch") == wanted.branch
            and number(one, "source_project_id") == needed(source, "id")
        ]
        if there:
            return _pull(self.api.ask("PUT", f"{requests}/{there[0]}", fields), source, target)
        fields["source_branch"] = wanted.branch
        if source["id"] != target["id"]:
            fields |= {"target_project_id": target["id"], "allow_collaboration": True}
        # by the branch's project
        made = self.api.ask("POST", f"{_at(source)}/merge_requests", fields)
        return _pull(made, source, target)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        of = f"{'merge_requests' if is_pull else 'issues'}/{number}"
        words = _without_commands(text)
        return self.asking.ask(
            f"comment on {number} of {self.asking.path}",
            lambda: self.api.say(of, "notes", words),
            lambda: said_before(self.api.comments(of), self.api.me, words),
        )

    @asked("fork {path}")
    def fork(self) -> Hosted:
        """Return the fork once its branches exist. The user's own project needs no fork."""

        def is_mine(one: Row) -> bool:
            return text(inner(one, "namespace"), "full_path").casefold() == self.api.me.casefold()

        fork = self.api.first
        if not is_mine(fork):
            there = filter(is_mine, self.api.all(f"{self.api.home}/forks", owned=True))
            fork = next(there, {}) or self.api.ask("POST", f"{self.api.home}/fork", {})

        def look() -> Hosted | None:
            found = self.api.get(_at(fork))
            status = text(found, "import_status")
            if status == "failed":
                why = text(found, "import_error") or "it gives no reason"
                raise Fault(Failed.PLAIN, f"the forge could not copy it: {why}")
            is_empty = flag(found, "empty_repo") or not text(found, "default_branch")
            return None if status in _UNDER_WAY or is_empty else self.api.hosted(found)

        return self.asking.wait_for(look)

    @asked("read merge request {0} of {path}")
    def pull(self, number: int) -> Pull:
        found = self.api.get(f"{self.api.home}/merge_requests/{number}")
        return _pull(found, self.api.source_of(found), self.api.first)

    @asked("read the reviews of merge request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        return list(self.api.threads(f"merge_requests/{number}"))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        of, words = f"merge_requests/{number}", _without_commands(text)

        def sent_before() -> str:
            now = [one for one in self.api.threads(of) if one.key == thread.key]
            if not now:
                raise Fault(Failed.PLAIN, "the conversation is no longer there")
            return said_before(now[0].remarks, self.api.me, words)

        return self.asking.ask(
            f"answer in merge request {number} of {self.asking.path}",
            lambda: self.api.say(of, f"discussions/{_quoted(thread.key)}/notes", words),
            sent_before,
        )

    @asked("find out whose token it is")
    def me(self) -> str:
        return self.api.me


@dataclass(frozen=True)
class _Project(Api):
    """The API of GitLab, for one project."""

    has_token: bool

    def read(self, path: str) -> Row:
        """Return a project as it is now, under its current name."""
        return self.get(f"/projects/{_quoted(path)}")

    @cached_property
    def first(self) -> Row:
        return self.read(self.named)

    @cached_property
    def home(self) -> str:
        """The API path by the project's number, because writes do not follow a renamed project."""
        return _at(self.first)

    def source_of(self, request: Row) -> Row:
        """Return the project that has the branch, or an empty row if it was deleted."""
        found = number(request, "source_project_id")
        if found == number(self.first, "id"):
            return self.first
        return self.find(f"/projects/{found}") if found else {}

    @cached_property
    def user(self) -> Row:
        return self.get("/user")

    @property
    def me(self) -> str:
        return needed_text(self.user, "username")

    def hosted(self, of: Row) -> Hosted:
        given = inner(of, "permissions")
        kinds = ("project_access", "group_access")
        level = max(number(inner(given, kind), "access_level") for kind in kinds)
        if not level and self.has_token:  # it may come from a group not listed here
            me = number(self.user, "id")
            level = (self.levels([{"author": self.user}]) or {}).get(me, 0)
        return Hosted(
            text(of, "path_with_namespace"),
            url(of, "http_url_to_repo"),
            text(of, "default_branch"),
            level >= _MAY_PUSH and not flag(of, "archived"),
            flag(of, "archived"),
        )

    def levels(self, written: Sequence[Row]) -> _Levels:
        """Return the access levels of the authors, or None if the token may not list them."""
        if not self.has_token:
            return None
        people = sorted({number(inner(one, "author"), "id") for one in written} - {0})
        found: dict[int, int] = {}
        try:
            for at in range(0, len(people), _PAGE):
                some = {"user_ids[]": people[at : at + _PAGE]}
                listed = self.all(f"{self.home}/members/all", **some)
                found |= {number(one, "id"): number(one, "access_level") for one in listed}
        except Fault as fault:
            if fault.may_pass:
                raise
            return None
        return found

    def comments(self, of: str) -> list[Remark]:
        notes = self.all(f"{self.home}/{of}/notes", sort="asc", order_by="created_at")
        return self.remarks(of, [note for note in notes if _is_for_all(note)])

    def remarks(self, of: str, notes: Sequence[Row]) -> list[Remark]:
        levels = self.levels(notes)
        return [
            Remark(
                _author(note),
                text(note, "body"),
                _association(note, levels),
                text(note, "created_at"),
                is_bot(_author(note)),
                self.address(of, note),
            )
            for note in notes
        ]

    def say(self, of: str, where: str, words: str) -> str:
        made = self.ask("POST", f"{self.home}/{of}/{where}", {"body": words})
        return self.address(of, made)

    def address(self, of: str, note: Row) -> str:
        return f"{text(self.first, 'web_url')}/-/{of}#note_{needed(note, 'id')}"

    def threads(self, of: str) -> Iterator[Thread]:
        discussions = self.all(f"{self.home}/{of}/discussions")
        talks = [
            (text(one, "id"), [*filter(_is_for_all, map(row, several(one, "notes")))])
            for one in discussions
        ]
        everything = [note for _, notes in talks for note in notes]
        remarks = iter(self.remarks(of, everything))
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


def _sender(account: Account, seconds: float) -> Send:
    """Return a function that sends requests. Raises ForgeError without python-gitlab."""
    try:
        from gitlab import Gitlab
    except ImportError:
        needs = "GitLab needs python-gitlab, which is not installed"
        raise ForgeError(f"{needs}: {install_command('gitlab')}") from None
    root = account.api.rstrip("/").removesuffix(_API)
    # Unlike PRIVATE-TOKEN, this header takes every kind of token.
    headers = {"Authorization": f"Bearer {account.token}"} if account.token else {}
    http = Http(f"{root}{_API}", headers, seconds)
    gitlab: Any = Gitlab(root, backend=lambda: _Backend(http), keep_base_url=True)

    def send(method: str, path: str, query: Mapping[str, Any], body: Any) -> Answer:
        answer = gitlab.http_request(method.lower(), path, {**query}, body)
        return answer.headers, json_of(answer)

    return send


class _Backend:
    """The backend that python-gitlab uses to send requests."""

    client = None

    def __init__(self, http: Http) -> None:
        self._http = http

    @staticmethod
    def prepare_send_data(files: object, post_data: Any, raw: bool) -> SimpleNamespace:
        return SimpleNamespace(json=post_data, data=None, content_type="application/json")

    def http_request(
        self, method: str, url: str, json: Any, params: Mapping[str, Any], **others: Any
    ) -> SimpleNamespace:
        answer = self._http.ask(method, url, params, json)
        return SimpleNamespace(response=answer, status_code=200)  # what is refused is a Fault


def _at(project: Row) -> str:
    return f"/projects/{needed(project, 'id')}"


def _quoted(name: str) -> str:
    """Quote a name for a URL, with its slashes."""
    return quote(name, safe="", errors="replace")


def _is_for_all(note: Row) -> bool:
    """Return whether a note is public: not made by GitLab itself, nor for members only."""
    return not (flag(note, "system") or flag(note, "internal") or flag(note, "confidential"))


def _without_commands(words: str) -> str:
    """Escape lines like `/merge`, which GitLab would execute with the rights of the token."""
    return _COMMAND.sub(r"\1\\/", words)


def _posted(of: Row, levels: _Levels) -> Posted:
    return Posted(
        needed(of, "iid"),
        text(of, "title"),
        text(of, "description"),
        _author(of),
        _association(of, levels),
        tuple(filter(None, map(as_text, several(of, "labels")))),
        text(of, "state") == "opened",
        number(of, "user_notes_count"),
    )


def _pull(of: Row, source: Row, target: Row) -> Pull:
    """Return the pull request. `source` is the project that has the branch, or empty if deleted."""
    title, is_draft = without_draft(text(of, "title"))
    state = text(of, "state")
    is_same = number(source, "id") == number(target, "id")
    return Pull(
        needed(of, "iid"),
        text(of, "web_url"),
        title,
        text(of, "description"),
        text(of, "source_branch"),
        text(of, "target_branch"),
        _STATES.get(state, state),
        is_draft or flag(of, "draft"),
        _author(of),
        "" if is_same else text(source, "path_with_namespace"),
        url(source, "http_url_to_repo"),
    )


def _author(of: Row) -> str:
    return text(inner(of, "author"), "username")


def _association(of: Row, levels: _Levels) -> str:
    if levels is None:
        return ""
    level = levels.get(number(inner(of, "author"), "id"), 0)
    return next((word for least, word in _STANDING if level >= least), "none")
