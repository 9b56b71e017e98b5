"""Read and write the JSON of a forge's REST API, and what GitHub and Gitea have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any
from urllib.parse import quote

from react_agent.forges.contract import (
    MOST,
    Hosted,
    Posted,
    Pull,
    Remark,
    Thread,
    answer_to,
    said_before,
)
from react_agent.forges.faults import Asking, Fault, asked
from react_agent.forges.http import (
    Row,
    flag,
    inner,
    is_bot,
    needed,
    needed_text,
    number,
    row,
    rows,
    several,
    text,
    url,
)

Answer = tuple[Mapping[str, str], Any]  # headers and JSON
Send = Callable[[str, str, Mapping[str, Any], Any], Answer]  # method, path, query and body
_GHOST = "ghost"  # stands for a deleted account
_MISSING = 404


@dataclass(frozen=True)
class Api:
    """The API of a forge. Its methods raise Fault."""

    send: Send
    named: str  # the repository, as it was asked for
    page: Mapping[str, int]  # the name and the value of the parameter for the length of a page

    def ask(self, method: str, path: str, body: Any = None) -> Row:
        return row(self.send(method, path, {}, body)[1])

    def get(self, path: str) -> Row:
        return self.ask("GET", path)

    def find(self, path: str) -> Row:
        """Return an object, or an empty row if it does not exist."""
        try:
            return self.get(path)
        except Fault as fault:
            if fault.status != _MISSING:
                raise
        return {}

    def all(self, path: str, **query: Any) -> list[Row]:
        """Return the rows of a list, up to `MOST` of them."""
        found: list[Row] = []
        for page in count(1):
            headers, answer = self.send("GET", path, {**query, "page": page, **self.page}, None)
            got = rows(answer)
            found += got
            total = headers.get("x-total-count", "")
            # A list without pages comes whole for every page.
            has_more = total.isdigit() and int(total) > len(found)
            has_more = has_more or 'rel="next"' in headers.get("link", "")
            if not got or len(found) >= MOST or not has_more:
                break
        return found[:MOST]


class Repository(Api):
    """The API of GitHub or Gitea, for one repository."""

    @cached_property
    def first(self) -> Row:
        """The repository as it was when it was first read."""
        return self.get(_at(self.named))

    @cached_property
    def path(self) -> str:
        return needed_text(self.first, "full_name")

    @cached_property
    def home(self) -> str:
        """The API path with the repository's current name, because writes follow no redirects."""
        return _at(self.path)

    def say(self, where: str, words: str) -> str:
        """Post a comment and return its address."""
        made = self.ask("POST", f"{self.home}/{where}", {"body": words})
        return needed_text(made, "html_url")


class RestForge(ABC):
    """A repository on GitHub or Gitea. The two differ in reviews and in opening pull requests."""

    def __init__(self, asking: Asking, api: Repository) -> None:
        self.asking = asking
        self.api = api

    @abstractmethod
    def association(self, of: Row) -> str:
        """Return the role of an author; empty if it is not known."""

    @asked("read {path}")
    def repository(self) -> Hosted:
        return _hosted(self.api.first)

    @asked("read issue {0} of {path}")
    def issue(self, number: int) -> Posted:
        found = self.api.get(f"{self.api.home}/issues/{number}")
        return _posted(found, self.association(found))

    @asked("read the comments on {0} of {path}")
    def comments(self, number: int) -> Sequence[Remark]:
        return self.remarks(number)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        return self.asking.ask(
            f"comment on {number} of {self.asking.path}",
            lambda: self.api.say(f"issues/{number}/comments", text),
            lambda: said_before(self.remarks(number), self.login, text),
        )

    @asked("fork {path}")
    def fork(self) -> Hosted:
        """Return the fork once its branches exist. The user's own repository needs no fork."""
        path = self.api.path
        owner, _, name = path.partition("/")
        if owner.casefold() != self.login.casefold():
            usual = f"{self.login}/{name}"
            parent = text(inner(self.api.find(_at(usual)), "parent"), "full_name")
            path = usual if parent.casefold() == path.casefold() else self.make_fork()

        def look() -> Hosted | None:
            found = self.api.get(_at(path))
            branch = text(found, "default_branch")
            if not branch or flag(found, "empty"):
                return None
            is_there = self.api.find(f"{_at(path)}/branches/{_quoted(branch)}")
            return _hosted(found) if is_there else None

        return self.asking.wait_for(look)

    def make_fork(self) -> str:
        return needed_text(self.api.ask("POST", f"{self.api.home}/forks", {}), "full_name")

    @asked("read pull request {0} of {path}")
    def pull(self, number: int) -> Pull:
        return self.as_pull(self.api.get(f"{self.api.home}/pulls/{number}"))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        return self.comment(number, answer_to(thread, text))

    @asked("find out whose token it is")
    def me(self) -> str:
        return self.login

    @cached_property
    def login(self) -> str:
        return needed_text(self.api.get("/user"), "login")

    def remarks(self, number: int) -> list[Remark]:
        """Return the comments on an issue or a pull request."""
        found = self.api.all(f"{self.api.home}/issues/{number}/comments")
        return [*map(self.remark, found)]

    def remark(self, of: Row) -> Remark:
        login = _login(of)
        return Remark(
            login,
            text(of, "body"),
            self.association(of),
            text(of, "created_at") or text(of, "submitted_at"),
            text(inner(of, "user"), "type") == "Bot" or is_bot(login),
            text(of, "html_url"),
        )

    def as_pull(self, of: Row) -> Pull:
        source = inner(of, "head", "repo")
        name = text(source, "full_name")
        return Pull(
            needed(of, "number"),
            text(of, "html_url"),
            text(of, "title"),
            text(of, "body"),
            text(inner(of, "head"), "ref"),
            text(inner(of, "base"), "ref"),
            "merged" if flag(of, "merged") or of.get("merged_at") else text(of, "state"),
            flag(of, "draft"),
            _login(of),
            "" if name.casefold() == self.api.path.casefold() else name,
            url(source, "clone_url"),
        )


def _at(path: str) -> str:
    return f"/repos/{_quoted(path)}"


def _quoted(name: str) -> str:
    """Quote a name for a URL, but keep its slashes."""
    return quote(name, errors="replace")


def _hosted(of: Row) -> Hosted:
    return Hosted(
        needed_text(of, "full_name"),
        url(of, "clone_url"),
        text(of, "default_branch"),
        flag(inner(of, "permissions"), "push") and not flag(of, "archived"),
        flag(of, "archived"),
    )


def _posted(of: Row, association: str) -> Posted:
    return Posted(
        needed(of, "number"),
        text(of, "title"),
        text(of, "body"),
        _login(of),
        association,
        tuple(filter(None, (text(row(label), "name") for label in several(of, "labels")))),
        text(of, "state") == "open",
        number(of, "comments"),
    )


def _login(of: Row) -> str:
    return text(inner(of, "user"), "login") or _GHOST
