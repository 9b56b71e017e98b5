"""Implement the Forge protocol for GitLab with python-gitlab, on top of our own HTTP client.

GitLab calls a pull request a merge request, and numbers it separately from issues.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from types import SimpleNamespace
from typing import Any

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
    said_before,
)
from react_agent.forges.faults import (
    MAY_LACK_A_BRANCH,
    ODD,
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
    as_text,
    flag,
    inner,
    is_bot,
    json_of,
    needed,
    number,
    row,
    several,
    text,
    url,
    without_draft,
)
from react_agent.tools.package_data import install_command

_API = "/api/v4"
_PAGE = 100
_MAY_PUSH = 30  # a developer
_DRAFT = "Draft: "
_COMMAND = re.compile(r"^([^\S\n]*)/(?=[A-Za-z])", re.MULTILINE)
_UNDER_WAY = ("scheduled", "started")  # states of a fork, which is made in the background
_STATES = {"opened": "open", "locked": "open"}
_STANDING = ((50, "owner"), (30, "member"), (15, "collaborator"))  # from which access level on
_ISSUES, _REQUESTS = "issues", "merge_requests"
_Levels = Mapping[int, int] | None  # by the number of a user; None: not known


class GitLab:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._project = _Project(account, path, patience.answer)
        from gitlab.exceptions import GitlabError

        self.asking = Asking(account, path, patience, (GitlabError, *ODD))

    @asked("read {path}")
    def repository(self) -> Hosted:
        return self._project.hosted(self._project.read())

    @asked("read issue {0} of {path}")
    def issue(self, number: int) -> Posted:
        found = row(self._project.api.issues.get(number).attributes)
        return _posted(found, self._project.levels([found]))

    @asked("read the comments on {0} of {path}")
    def comments(self, number: int) -> Sequence[Remark]:
        return self._project.comments(_ISSUES, number)

    @asked("open a merge request from {0.branch} in {path}")
    def propose(self, wanted: Wanted) -> Pull:
        project = self._project
        target = project.first
        source = project.read(wanted.source) if wanted.source else target
        title, _ = without_draft(wanted.title)
        fields: dict[str, Any] = {
            "title": f"{_DRAFT}{title}" if wanted.is_draft else title,
            "description": _without_commands(wanted.body),
            "target_branch": wanted.base,
        }
        requests = project.api.mergerequests
        listed = _all(requests, state="opened", source_branch=wanted.branch)
        there = [
            needed(one, "iid")
            for one in listed
            if text(one, "source_branch") == wanted.branch
            and number(one, "source_project_id") == needed(source, "id")
        ]
        try:
            if there:
                return _pull(row(requests.update(there[0], fields)), source, target)
            fields["source_branch"] = wanted.branch
            if source["id"] != target["id"]:
                fields |= {"target_project_id": target["id"], "allow_collaboration": True}
            made = project.by_number(source).mergerequests.create(fields)  # by the branch's project
            return _pull(row(made.attributes), source, target)
        except Fault as fault:
            if fault.status in MAY_LACK_A_BRANCH:
                now = project.read()
                places = {text(one, "path_with_namespace"): one for one in (source, now)}
                default = text(now, "default_branch")
                check_branches(
                    wanted,
                    text(now, "path_with_namespace"),
                    default,
                    lambda path, branch: _has_branch(project, places.get(path, source), branch),
                )
            raise

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        kind, project = _REQUESTS if is_pull else _ISSUES, self._project
        words = _without_commands(text)
        return self.asking.ask(
            f"comment on {number} of {self.asking.path}",
            lambda: project.say(kind, number, project.talk(kind, number).notes, words),
            lambda: said_before(project.comments(kind, number), project.me, words),
        )

    @asked("fork {path}")
    def fork(self) -> Hosted:
        """Return the fork once its branches exist. The user's own project needs no fork."""
        project = self._project

        def is_mine(one: Row) -> bool:
            return text(inner(one, "namespace"), "full_path").casefold() == project.me.casefold()

        fork = project.first
        if not is_mine(fork):
            there = filter(is_mine, _all(project.api.forks, owned=True))
            fork = next(there, {}) or row(project.api.forks.create({}).attributes)
        made = needed(fork, "id")

        def look() -> Hosted | None:
            found = project.read(made)
            status = text(found, "import_status")
            if status == "failed":
                why = text(found, "import_error") or "it gives no reason"
                raise Fault(Failed.PLAIN, f"the forge could not copy it: {why}")
            is_empty = flag(found, "empty_repo") or not text(found, "default_branch")
            return None if status in _UNDER_WAY or is_empty else project.hosted(found)

        return self.asking.wait_for(look)

    @asked("read merge request {0} of {path}")
    def pull(self, number: int) -> Pull:
        found = row(self._project.api.mergerequests.get(number).attributes)
        return _pull(found, self._project.source_of(found), self._project.first)

    @asked("read the reviews of merge request {0} of {path}")
    def threads(self, number: int) -> Sequence[Thread]:
        return list(_threads(self._project, number))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        project, words = self._project, _without_commands(text)

        def send() -> str:
            talk = project.talk(_REQUESTS, number).discussions.get(thread.key, lazy=True)
            return project.say(_REQUESTS, number, talk.notes, words)

        def sent_before() -> str:
            now = [one for one in _threads(project, number) if one.key == thread.key]
            if not now:
                raise Fault(Failed.PLAIN, "the conversation is no longer there")
            return said_before(now[0].remarks, project.me, words)

        return self.asking.ask(
            f"answer in merge request {number} of {self.asking.path}", send, sent_before
        )

    @asked("find out whose token it is")
    def me(self) -> str:
        return self._project.me


class _Project:
    """A GitLab project. Raises Fault, or python-gitlab's error for an unexpected answer."""

    def __init__(self, account: Account, path: str, seconds: float) -> None:
        try:
            from gitlab import Gitlab
        except ImportError:
            needs = "GitLab needs python-gitlab, which is not installed"
            raise ForgeError(f"{needs}: {install_command('gitlab')}") from None
        root = account.api.rstrip("/").removesuffix(_API)
        # Unlike PRIVATE-TOKEN, this header takes every kind of token.
        headers = {"Authorization": f"Bearer {account.token}"} if account.token else {}
        http = Http(f"{root}{_API}", headers, seconds)
        self.gitlab: Any = Gitlab(root, backend=lambda: _Backend(http), keep_base_url=True)
        self._path = path
        self._has_token = bool(account.token)

    def read(self, path: str | int = "") -> Row:
        """Return the project as it is now, under its current name."""
        return row(self.gitlab.projects.get(path or self._path).attributes)

    @cached_property
    def first(self) -> Row:
        return self.read()

    @cached_property
    def api(self) -> Any:
        """The project by its number, because writes do not follow a renamed project."""
        return self.by_number(self.first)

    def by_number(self, project: Row) -> Any:
        return self.gitlab.projects.get(needed(project, "id"), lazy=True)

    def source_of(self, request: Row) -> Row:
        """Return the project that has the branch, or an empty row if it was deleted."""
        found = number(request, "source_project_id")
        if found == number(self.first, "id"):
            return self.first
        try:
            return self.read(found) if found else {}
        except Fault as fault:
            if fault.is_missing:
                return {}
            raise

    @cached_property
    def user(self) -> Row:
        found = row(self.gitlab.http_get("/user"))
        if not text(found, "username"):
            raise Fault(Failed.STRANGE, OTHER)
        return found

    @property
    def me(self) -> str:
        return text(self.user, "username")

    def hosted(self, of: Row) -> Hosted:
        given = inner(of, "permissions")
        kinds = ("project_access", "group_access")
        level = max(number(inner(given, kind), "access_level") for kind in kinds)
        if not level and self._has_token:  # it may come from another group, not listed here
            me = number(self.user, "id")
            level = (self.levels([{"author": self.user}]) or {}).get(me, 0)
        return Hosted(
            text(of, "path_with_namespace"),
            url(of, "http_url_to_repo"),
            text(of, "default_branch"),
            level >= _MAY_PUSH and not flag(of, "archived"),
        )

    def levels(self, written: Sequence[Row]) -> _Levels:
        """Return the access levels of the authors, or None if the token may not list them."""
        if not self._has_token:
            return None
        people = sorted({number(inner(one, "author"), "id") for one in written} - {0})
        found: dict[int, int] = {}
        try:
            for at in range(0, len(people), _PAGE):
                some = {"user_ids[]": people[at : at + _PAGE]}
                listed = _all(self.api.members_all, query_parameters=some)
                found |= {number(one, "id"): number(one, "access_level") for one in listed}
        except Fault:
            return None
        return found

    def talk(self, kind: str, of: int) -> Any:
        """Return the issue or merge request object without sending a request."""
        managers = {_ISSUES: self.api.issues, _REQUESTS: self.api.mergerequests}
        return managers[kind].get(of, lazy=True)

    def comments(self, kind: str, of: int) -> list[Remark]:
        notes = _all(self.talk(kind, of).notes, sort="asc", order_by="created_at")
        return self.remarks(kind, of, [note for note in notes if _is_for_all(note)])

    def remarks(self, kind: str, of: int, notes: Sequence[Row]) -> list[Remark]:
        levels = self.levels(notes)
        return [
            Remark(
                _author(note),
                text(note, "body"),
                _association(note, levels),
                text(note, "created_at"),
                is_bot(_author(note)),
                self._address(kind, of, note),
            )
            for note in notes
        ]

    def say(self, kind: str, of: int, notes: Any, words: str) -> str:
        return self._address(kind, of, row(notes.create({"body": words}).attributes))

    def _address(self, kind: str, of: int, note: Row) -> str:
        return f"{text(self.first, 'web_url')}/-/{kind}/{of}#note_{needed(note, 'id')}"


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
        json_of(answer)  # python-gitlab would give a page of HTML as what was asked for
        return SimpleNamespace(response=answer, status_code=200)  # what is refused is a Fault


def _all(manager: Any, **query: Any) -> list[Row]:
    """Return the rows of a list, up to `MOST` of them."""
    listed = manager.list(iterator=True, per_page=_PAGE, **query)
    return [row(one.attributes) for one in islice(listed, MOST)]


def _has_branch(project: _Project, of: Row, branch: str) -> bool:
    try:
        project.by_number(of).branches.get(branch)
    except Fault as fault:
        return not fault.is_missing
    return True


def _threads(project: _Project, of: int) -> Iterator[Thread]:
    discussions = _all(project.talk(_REQUESTS, of).discussions)
    talks = [
        (text(one, "id"), [note for note in map(row, several(one, "notes")) if _is_for_all(note)])
        for one in discussions
    ]
    everything = [note for _, notes in talks for note in notes]
    remarks = iter(project.remarks(_REQUESTS, of, everything))
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
