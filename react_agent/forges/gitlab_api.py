"""One project of a GitLab, by python-gitlab; what goes wrong is a Fault."""

from collections.abc import Mapping
from functools import cached_property
from itertools import count
from typing import Any

from react_agent.forges.contract import MOST, Hosted
from react_agent.forges.faults import Account, Failed, Fault
from react_agent.forges.fields import OTHER, Row, flag, inner, needed, number, row, text
from react_agent.forges.gitlab_read import hosted
from react_agent.forges.gitlab_wire import client, strange

_PAGE = 100
_MAY_PUSH = 30  # a developer


class GitLabApi:
    def __init__(self, account: Account, path: str, seconds: float) -> None:
        self.gitlab = client(account, seconds)
        self._path = path
        self._has_token = bool(account.token)

    def get(self, manager: Any, of: object) -> Row:
        with strange():
            return row(manager.get(of).attributes)

    def all(self, manager: Any, **query: Any) -> list[Row]:
        """Its first rows, `MOST` at most."""
        found: list[Row] = []
        for page in count(1):
            with strange():
                listed = manager.list(page=page, per_page=_PAGE, get_all=False, **query)
                got = [row(one.attributes) for one in listed]
            found += got
            if len(got) < _PAGE or len(found) >= MOST:
                break
        return found[:MOST]

    def make(self, manager: Any, fields: Mapping[str, Any]) -> Row:
        with strange():
            return row(manager.create(dict(fields)).attributes)

    def change(self, manager: Any, of: int, fields: Mapping[str, Any]) -> Row:
        with strange():
            return row(manager.update(of, dict(fields)))

    def repository(self, path: str | int = "") -> Row:
        """As it is now, under the name that it has now."""
        return self.get(self.gitlab.projects, path or self._path)

    @cached_property
    def first(self) -> Row:
        return self.repository()

    @cached_property
    def project(self) -> Any:
        """By its number: what is written does not follow to a new name."""
        return self.gitlab.projects.get(needed(self.first, "id"), lazy=True)

    @cached_property
    def user(self) -> Row:
        with strange():
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
        if not level and self._has_token:  # through another group, which is not told here
            me = number(self.user, "id")
            level = (self.levels({me}) or {}).get(me, 0)
        return hosted(of, level >= _MAY_PUSH and not flag(of, "archived"))

    def levels(self, people: set[int]) -> Mapping[int, int] | None:
        """What they may do here; None where the token may not know."""
        asked = sorted(people - {0})
        if not self._has_token:
            return None
        found: dict[int, int] = {}
        try:
            for at in range(0, len(asked), _PAGE):
                some = {"user_ids[]": asked[at : at + _PAGE], "page": 1, "per_page": _PAGE}
                listed = self.all(self.project.members_all, query_parameters=some)
                found |= {number(one, "id"): number(one, "access_level") for one in listed}
        except Fault:
            return None
        return found
