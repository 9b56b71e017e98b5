"""GitHub, and GitHub Enterprise: the protocol Forge over PyGithub."""

from collections.abc import Sequence
from itertools import islice

from react_agent.forges import github_fork, github_propose, github_threads
from react_agent.forges.asking import Patience
from react_agent.forges.contract import MOST, Hosted, Posted, Pull, Remark, Thread, Wanted
from react_agent.forges.faults import Account
from react_agent.forges.github_client import connect, needed
from react_agent.forges.github_read import as_pull, hosted, posted, remark


class GitHub:
    def __init__(self, account: Account, path: str, patience: Patience) -> None:
        self._session = connect(account, path, patience)

    def repository(self) -> Hosted:
        return self._session.ask("read what there is", hosted)

    def issue(self, number: int) -> Posted:
        return self._session.ask(
            f"read issue {number}", lambda repository: posted(repository.get_issue(number))
        )

    def comments(self, number: int, is_pull: bool = False) -> Sequence[Remark]:
        """Pull requests are issues here."""
        return self._session.ask(
            f"read the comments on {number}",
            lambda repository: tuple(
                remark(comment, comment.created_at)
                for comment in islice(repository.get_issue(number).get_comments(), MOST)
            ),
        )

    def propose(self, wanted: Wanted) -> Pull:
        return github_propose.propose(self._session, wanted)

    def comment(self, number: int, text: str, is_pull: bool = False) -> str:
        return self._session.once(
            f"comment on {number}",
            lambda repository: needed(repository.get_issue(number).create_comment(text).html_url),
            lambda repository: next(
                (
                    comment.html_url
                    for comment in islice(repository.get_issue(number).get_comments().reversed, 20)
                    if comment.body == text
                ),
                None,
            ),
        )

    def ask_for(self, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
        """A reviewer with a slash is a team."""
        teams = [name.partition("/")[2] for name in reviewers if "/" in name]
        people = [name for name in reviewers if "/" not in name]
        if labels:
            self._session.ask(
                f"label pull request {number}",
                lambda repository: repository.get_issue(number).add_to_labels(*labels),
            )
        if reviewers:
            self._session.ask(
                f"ask for a review of pull request {number}",
                lambda repository: repository.get_pull(number).create_review_request(people, teams),
            )

    def fork(self) -> Hosted:
        return github_fork.fork(self._session)

    def pull(self, number: int) -> Pull:
        return self._session.ask(
            f"read pull request {number}", lambda repository: as_pull(repository.get_pull(number))
        )

    def threads(self, number: int) -> Sequence[Thread]:
        return github_threads.threads(self._session, number)

    def reply(self, number: int, thread: Thread, text: str) -> str:
        return github_threads.reply(self._session, number, thread, text)

    def me(self) -> str:
        return github_fork.me(self._session)
