"""Gitea, and Forgejo, which has the same API."""

from collections.abc import Sequence
from functools import partial

from react_agent.forges import gitea_threads
from react_agent.forges.asking import Asking, Patience
from react_agent.forges.contract import Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.forges.faults import Account
from react_agent.forges.gitea_api import GiteaApi
from react_agent.forges.gitea_fork import fork_there, forked
from react_agent.forges.gitea_pulls import ask_for, commented, commented_before, proposed
from react_agent.forges.gitea_read import hosted, posted, pull


class Gitea:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._api = GiteaApi(account, path, patience.answer)
        self._asking = Asking(account, patience)
        self._path = path

    def repository(self) -> Hosted:
        api = self._api
        return self._asking.ask(f"read {self._path}", lambda: hosted(api.repository()))

    def issue(self, number: int) -> Posted:
        api = self._api
        return self._asking.ask(
            f"read issue {number} of {self._path}",
            lambda: posted(api.get(f"{api.home}/issues/{number}"), api.standing),
        )

    def comments(self, number: int, is_pull: bool = False) -> Sequence[Remark]:
        what = f"read the comments on {number} of {self._path}"
        return self._asking.ask(what, partial(self._api.remarks, number))

    def propose(self, wanted: Wanted) -> Pull:
        what = f"open a pull request of {wanted.branch} in {self._path}"
        return self._asking.ask(what, partial(proposed, self._api, wanted))

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        return self._asking.ask(
            f"comment on {number} of {self._path}",
            partial(commented, self._api, number, text),
            partial(commented_before, self._api, number, text),
        )

    def ask_for(self, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
        self._asking.ask(
            f"ask for all reviewers and labels of pull request {number} of {self._path}",
            partial(ask_for, self._api, number, reviewers, labels),
        )

    def fork(self) -> Hosted:
        what = f"fork {self._path}"
        name = self._asking.ask(what, partial(forked, self._api))
        return self._asking.wait_for(what, partial(fork_there, self._api, name))

    def pull(self, number: int) -> Pull:
        api = self._api
        return self._asking.ask(
            f"read pull request {number} of {self._path}",
            lambda: pull(api.get(f"{api.home}/pulls/{number}"), api.path),
        )

    def threads(self, number: int) -> Sequence[Thread]:
        what = f"read the reviews of pull request {number} of {self._path}"
        return self._asking.ask(what, partial(gitea_threads.threads, self._api, number))

    def reply(self, number: int, thread: Thread, text: str) -> str:
        return self.comment(number, gitea_threads.reply(thread, text), is_pull=True)

    def me(self) -> str:
        return self._asking.ask("find out who the token is of", lambda: self._api.me)
