"""A pull request at GitHub: opened, or the open one of its branch brought in line."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from react_agent.forges.contract import Pull, Wanted
from react_agent.forges.faults import Failed, Fault, no_branch
from react_agent.forges.github_client import Session, heard, known
from react_agent.forges.github_read import as_pull, text

if TYPE_CHECKING:
    from github.PullRequest import PullRequest
    from github.Repository import Repository

_MOST = 300  # open pull requests of one branch


def propose(session: Session, wanted: Wanted) -> Pull:
    """As a whole it can be done again: it looks for the branch before it opens one."""

    def proposed(repository: Repository) -> Pull:
        there = _open_one(repository, wanted)
        if there is None:
            return as_pull(_opened(repository, wanted))
        _edit(there, wanted)
        return as_pull(there)

    return session.ask(f"propose branch {wanted.branch} for {wanted.base}", proposed)


def _open_one(repository: Repository, wanted: Wanted) -> PullRequest | None:
    """That into the same branch first: there may be one into each."""
    source = wanted.source or repository.full_name
    listed = repository.get_pulls(state="open", head=_head(source, wanted.branch))
    found = [pull for pull in islice(listed, _MOST) if _is_from(pull, source, wanted.branch)]
    found.sort(key=lambda pull: (pull.base.ref != wanted.base, pull.number))
    return found[0] if found else None


def _is_from(pull: PullRequest, source: str, branch: str) -> bool:
    place = known(pull.head.repo)
    return pull.head.ref == branch and place is not None and place.full_name == source


def _head(source: str, branch: str) -> str:
    return f"{source.partition('/')[0]}:{branch}"


def _opened(repository: Repository, wanted: Wanted) -> PullRequest:
    try:
        return _created(repository, wanted, is_draft=wanted.is_draft)
    except Fault as fault:
        if fault.status != 422:
            raise
        if wanted.is_draft and "draft" in fault.said.lower():  # not every plan has them
            return _created(repository, wanted, is_draft=False)
        there = _open_one(repository, wanted)
        if there is None:
            raise _why_not(fault, repository, wanted) from None
        _edit(there, wanted)  # somebody was faster
        return there


def _created(repository: Repository, wanted: Wanted, *, is_draft: bool) -> PullRequest:
    source = wanted.source or repository.full_name
    return heard(
        repository.create_pull,
        wanted.base,
        _head(source, wanted.branch),
        title=wanted.title,
        body=wanted.body,
        draft=is_draft,
        maintainer_can_modify=source != repository.full_name,
    )


def _why_not(fault: Fault, repository: Repository, wanted: Wanted) -> Fault:
    if "base invalid" in fault.said:
        return no_branch(wanted.base, repository.full_name, repository.default_branch)
    if "head invalid" in fault.said:
        return no_branch(wanted.branch, wanted.source or repository.full_name)
    if "No commits between" in fault.said:
        return Fault(Failed.PLAIN, f"it has no commit that {wanted.base} has not")
    return fault


def _edit(pull: PullRequest, wanted: Wanted) -> None:
    now = (pull.title, text(pull.body), pull.base.ref)
    if now != (wanted.title, text(wanted.body), wanted.base):
        pull.edit(title=wanted.title, body=wanted.body, base=wanted.base)
    if pull.draft != wanted.is_draft:
        _switch(pull, is_draft=wanted.is_draft)


def _switch(pull: PullRequest, *, is_draft: bool) -> None:
    """Over GraphQL alone; where that is closed the pull request stays what it was."""
    try:
        heard(pull.convert_to_draft if is_draft else pull.mark_ready_for_review)
    except Fault as fault:
        if fault.may_pass:
            raise
