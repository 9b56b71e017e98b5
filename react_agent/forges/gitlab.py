"""GitLab. Its API calls a pull request a merge request, and numbers it apart from issues."""

from collections.abc import Sequence
from functools import partial

from react_agent.forges import gitlab_fork, gitlab_notes, gitlab_pulls, gitlab_threads
from react_agent.forges.asking import Asking, Patience
from react_agent.forges.contract import Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.forges.faults import Account
from react_agent.forges.fields import inner
from react_agent.forges.fields import number as number_in
from react_agent.forges.gitlab_api import GitLabApi
from react_agent.forges.gitlab_read import posted


class GitLab:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._api = GitLabApi(account, path, patience.answer)
        self._asking = Asking(account, patience)
        self._path = path

    def repository(self) -> Hosted:
        api = self._api
        return self._asking.ask(f"read {self._path}", lambda: api.hosted(api.repository()))

    def issue(self, number: int) -> Posted:
        what = f"read issue {number} of {self._path}"
        return self._asking.ask(what, partial(_issue, self._api, number))

    def comments(self, number: int, is_pull: bool = False) -> Sequence[Remark]:
        what = f"read the comments on {_named(number, is_pull)} of {self._path}"
        return self._asking.ask(
            what, partial(gitlab_notes.remarks, self._api, _kind(is_pull), number)
        )

    def propose(self, wanted: Wanted) -> Pull:
        what = f"open a merge request of {wanted.branch} in {self._path}"
        return self._asking.ask(what, partial(gitlab_pulls.proposed, self._api, wanted))

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        about = (self._api, _kind(is_pull), number, text)
        return self._asking.ask(
            f"comment on {_named(number, is_pull)} of {self._path}",
            partial(gitlab_notes.commented, *about),
            partial(gitlab_notes.commented_before, *about),
        )

    def ask_for(self, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
        self._asking.ask(
            f"ask for all reviewers and labels of merge request {number} of {self._path}",
            partial(gitlab_pulls.ask_for, self._api, number, reviewers, labels),
        )

    def fork(self) -> Hosted:
        what = f"fork {self._path}"
        found = self._asking.ask(what, partial(gitlab_fork.forked, self._api))
        return self._asking.wait_for(what, partial(gitlab_fork.fork_there, self._api, found))

    def pull(self, number: int) -> Pull:
        what = f"read merge request {number} of {self._path}"
        return self._asking.ask(what, partial(gitlab_pulls.read, self._api, number))

    def threads(self, number: int) -> Sequence[Thread]:
        what = f"read the reviews of merge request {number} of {self._path}"
        return self._asking.ask(what, partial(gitlab_threads.threads, self._api, number))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        about = (self._api, number, thread, text)
        return self._asking.ask(
            f"answer in merge request {number} of {self._path}",
            partial(gitlab_threads.replied, *about),
            partial(gitlab_threads.replied_before, *about),
        )

    def me(self) -> str:
        return self._asking.ask("find out who the token is of", lambda: self._api.me)


def _issue(api: GitLabApi, number: int) -> Posted:
    found = api.get(api.project.issues, number)
    return posted(found, api.levels({number_in(inner(found, "author"), "id")}))


def _kind(is_pull: bool) -> str:
    return gitlab_notes.MERGE_REQUESTS if is_pull else gitlab_notes.ISSUES


def _named(number: int, is_pull: bool) -> str:
    return f"merge request {number}" if is_pull else f"issue {number}"
