"""What each command takes that may send something to a forge."""

from dataclasses import dataclass

from react_agent.cli.options import Base, Comment, Draft, DryRun, Fork, Pr, Remote
from react_agent.errors import UsageError
from react_agent.issue_to_pr.target import COMMENT, DRAFT, DRY, FORK, PULL


@dataclass(frozen=True, slots=True)
class Sending:
    base: Base = None
    pr: Pr = False
    draft: Draft = False
    dry_run: DryRun = False
    fork: Fork = False
    comment: Comment = False
    remote: Remote = None

    @property
    def named(self) -> str:
        """The remote; empty: the usual one."""
        return self.remote or ""

    @property
    def way(self) -> tuple[str, ...]:
        """How a change is sent, in words; none where nothing goes to a forge."""
        if (self.draft or self.fork) and not (self.pr or self.dry_run):
            option = "--draft" if self.draft else "--fork"
            raise UsageError(f"{option} is about a pull request: add --pr")
        is_sent = self.pr and not self.dry_run
        given = {
            PULL: is_sent,
            DRY: self.dry_run,
            DRAFT: self.draft,
            FORK: self.fork,
            COMMENT: self.comment,
        }
        return tuple(word for word, is_given in given.items() if is_given)
