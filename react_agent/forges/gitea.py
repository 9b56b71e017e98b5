"""Implement the Forge protocol for Gitea and Forgejo, which have the same REST API."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any
from urllib.parse import quote

from react_agent.forges.account import Account
from react_agent.forges.contract import (
    MOST,
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
    MAY_LACK_A_BRANCH,
    OTHER,
    Asking,
    Failed,
    Fault,
    Patience,
    asked,
    check_branches,
)
from react_agent.forges.http import (
    Http,
    Row,
    flag,
    inner,
    is_bot,
    json_of,
    needed,
    number,
    row,
    rows,
    several,
    text,
    url,
    without_draft,
)

_API = "/api/v1"
_PAGE = 50  # the most that a server gives by default
_DRAFT = "WIP: "
_NO_WORDS = ("PENDING", "REQUEST_REVIEW")  # states of a review


class Gitea:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._api = _Api(account, path, patience.answer)
        self.asking = Asking(account, path, patience, odd=())

    @asked("read {path}")
    def repository(self) -> Hosted:
        return _hosted(self._api.repository())

    @asked("read issue {0} of {path}")
    def issue(self, number: int) -> Posted:
        return _posted(self._api.get(f"{self._api.home}/issues/{number}"), self._api.standing)

    @asked("read the comments on {0} of {path}")
    def comments(self, number: int) -> Sequence[Remark]:
        return self._api.comments(number)

    @asked("open a pull request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        api, source = self._api, wanted.source or self._api.path
        title, _ = without_draft(wanted.title)
        fields = {
            "title": f"{_DRAFT}{title}" if wanted.is_draft else title,
            "body": wanted.body,
            "base": wanted.base,
        }
        listed = api.all(f"{api.home}/pulls", state="open", sort="recentupdate")
        pulls = (_pull(one, api.path) for one in listed)
        place = (wanted.branch, source.casefold())
        there = (one for one in pulls if (one.branch, (one.source or api.path).casefold()) == place)
        try:
            if found := next(there, None):
                made = api.ask("PATCH", f"{api.home}/pulls/{found.number}", fields)
            else:
                head = _head(api.path, source, wanted.branch)
                made = api.ask("POST", f"{api.home}/pulls", {**fields, "head": head})
        except Fault as fault:
            if fault.status in MAY_LACK_A_BRANCH:
                default = text(api.repository(), "default_branch")
                check_branches(wanted, api.path, default, api.has_branch)
            raise
        return _pull(row(made), api.path)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        api = self._api

        def send() -> str:
            made = api.ask("POST", f"{api.home}/issues/{number}/comments", {"body": text})
            return url(row(made), "html_url")

        return self.asking.ask(
            f"comment on {number} of {self.asking.path}",
            send,
            lambda: said_before(api.comments(number), api.me, text),
        )

    @asked("fork {path}")
    def fork(self) -> Hosted:
        """Return the fork once its branches exist. The user's own repository needs no fork."""
        api = self._api
        is_mine = api.path.partition("/")[0].casefold() == api.me.casefold()
        path = api.path if is_mine else _fork_of(api, api.me)
        path = path or text(row(api.ask("POST", f"{api.home}/forks", {})), "full_name")

        def look() -> Hosted | None:
            found = api.repository(path)
            branch = text(found, "default_branch")
            is_there = branch and not flag(found, "empty") and api.has_branch(path, branch)
            return _hosted(found) if is_there else None

        return self.asking.wait_for(look)

    @asked("read pull request {0} of {path}")
    def pull(self, number: int) -> Pull:
        return _pull(self._api.get(f"{self._api.home}/pulls/{number}"), self._api.path)

    @asked("read the reviews of pull request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        plain = [Thread(f"comment {said.url}", (said,)) for said in self._api.comments(number)]
        return gathered((*_reviews(self._api, number), *plain))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        """Reply with a comment, because the API can create one for every kind of thread."""
        return self.comment(number, answer_to(thread, text))

    @asked("find out whose token it is")
    def me(self) -> str:
        return self._api.me


class _Api:
    """The API of one repository. Its methods raise Fault."""

    def __init__(self, account: Account, path: str, seconds: float) -> None:
        self._root = f"{account.api.rstrip('/').removesuffix(_API)}{_API}"
        self._path = path
        headers = {"Authorization": f"token {account.token}"} if account.token else {}
        self._http = Http(self._root, headers, seconds)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return json_of(self._http.ask(method, f"{self._root}{path}", body=body))

    def get(self, path: str) -> Row:
        return row(self.ask("GET", path))

    def all(self, path: str, **query: Any) -> list[Row]:
        """Return the rows of a list, up to `MOST` of them."""
        found: list[Row] = []
        for page in count(1):
            asked = {**query, "page": page, "limit": _PAGE}
            answer = self._http.ask("GET", f"{self._root}{path}", asked)
            got = rows(json_of(answer))
            found += got
            total = answer.headers.get("x-total-count", "")
            # A list without pages comes whole for every page.
            has_more = "next" in answer.links or (total.isdigit() and int(total) > len(found))
            if not got or len(found) >= MOST or not has_more:
                break
        return found[:MOST]

    def repository(self, path: str = "") -> Row:
        """Return the repository as it is now, under its current name."""
        return self.get(f"/repos/{_quoted(path or self._path)}")

    def has_branch(self, path: str, branch: str) -> bool:
        try:
            self.ask("GET", f"/repos/{_quoted(path)}/branches/{_quoted(branch)}")
        except Fault as fault:
            return not fault.is_missing
        return True

    @cached_property
    def _first(self) -> Row:
        return self.repository()

    @cached_property
    def path(self) -> str:
        return text(self._first, "full_name") or self._path

    @cached_property
    def home(self) -> str:
        """The API path with the repository's current name, because writes follow no redirects."""
        return f"/repos/{_quoted(self.path)}"

    @cached_property
    def me(self) -> str:
        login = text(self.get("/user"), "login")
        if not login:
            raise Fault(Failed.STRANGE, OTHER)
        return login

    def comments(self, number: int) -> list[Remark]:
        """Return the comments on an issue or a pull request."""
        found = self.all(f"{self.home}/issues/{number}/comments")
        return [_remark(one, self.standing) for one in found]

    @cached_property
    def standing(self) -> Mapping[str, str]:
        """The role of each user with write access; empty if the token may not list them."""
        try:
            found = rows(self.ask("GET", f"{self.home}/assignees"))
        except Fault:
            return {}
        owner = text(inner(self._first, "owner"), "login")
        return {**{text(one, "login"): "collaborator" for one in found}, owner: "owner"}


def _quoted(name: str) -> str:
    """Quote a name for a URL, but keep its slashes."""
    return quote(name, errors="replace")


def _head(path: str, source: str, branch: str) -> str:
    owner, _, name = source.partition("/")
    if source.casefold() == path.casefold():
        return branch
    is_same = name.casefold() == path.partition("/")[2].casefold()
    return f"{owner if is_same else source}:{branch}"


def _fork_of(api: _Api, owner: str) -> str:
    """Return the path of the owner's fork, whatever its name, or "" if there is none."""
    usual = f"{owner}/{api.path.partition('/')[2]}"
    try:
        parent = inner(api.repository(usual), "parent")
        if text(parent, "full_name").casefold() == api.path.casefold():
            return usual
    except Fault as fault:
        if not fault.is_missing:
            raise
    for one in api.all(f"{api.home}/forks"):
        if text(inner(one, "owner"), "login").casefold() == owner.casefold():
            return text(one, "full_name")
    return ""


def _reviews(api: _Api, of: int) -> Iterator[Thread]:
    reviews = f"{api.home}/pulls/{of}/reviews"
    for review in api.all(reviews):
        if text(review, "state") in _NO_WORDS:
            continue
        key = f"review {needed(review, 'id')}"
        if text(review, "body").strip():
            said = _remark(review, api.standing)
            yield Thread(key, (said,), is_resolved=flag(review, "dismissed"))
        if review.get("comments_count") != 0:
            on_code = rows(api.ask("GET", f"{reviews}/{needed(review, 'id')}/comments"))
            yield from _on_lines(api, key, on_code)


def _on_lines(api: _Api, key: str, comments: Iterable[Row]) -> Iterator[Thread]:
    """Yield one thread for all comments of a review that are on the same line."""
    by_line: dict[tuple[str, int, int], list[Row]] = {}
    for comment in sorted(comments, key=lambda comment: number(comment, "id")):
        line, before = number(comment, "position"), number(comment, "original_position")
        by_line.setdefault((text(comment, "path"), line, before), []).append(comment)
    for (path, line, before), talk in by_line.items():
        yield Thread(
            f"{key} {path}:{line or -before}",
            tuple(_remark(one, api.standing) for one in talk),
            path,
            line,
            text(talk[0], "diff_hunk"),
            any(inner(one, "resolver") for one in talk),
        )


def _hosted(of: Row) -> Hosted:
    return Hosted(
        text(of, "full_name"),
        url(of, "clone_url"),
        text(of, "default_branch"),
        flag(inner(of, "permissions"), "push") and not flag(of, "archived"),
    )


def _posted(of: Row, standing: Mapping[str, str]) -> Posted:
    author = _author(of)
    return Posted(
        needed(of, "number"),
        text(of, "title"),
        text(of, "body"),
        author,
        _association(author, standing),
        tuple(text(row(label), "name") for label in several(of, "labels")),
        text(of, "state") == "open",
        number(of, "comments"),
    )


def _remark(of: Row, standing: Mapping[str, str]) -> Remark:
    author = _author(of)
    return Remark(
        author,
        text(of, "body"),
        _association(author, standing),
        text(of, "created_at") or text(of, "submitted_at"),
        is_bot(author),
        text(of, "html_url"),
    )


def _pull(of: Row, path: str) -> Pull:
    title, draft = without_draft(text(of, "title"))
    source = inner(of, "head", "repo")
    name = text(source, "full_name")
    return Pull(
        needed(of, "number"),
        text(of, "html_url"),
        title,
        text(of, "body"),
        text(inner(of, "head"), "ref"),
        text(inner(of, "base"), "ref"),
        "merged" if flag(of, "merged") else text(of, "state"),
        draft or flag(of, "draft"),
        _author(of),
        "" if name.casefold() == path.casefold() else name,
        url(source, "clone_url"),
    )


def _author(of: Row) -> str:
    return text(inner(of, "user"), "login")


def _association(author: str, standing: Mapping[str, str]) -> str:
    return standing.get(author, "none") if standing else ""
