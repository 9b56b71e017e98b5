"""Merge requests, and who is asked to look at them."""

from collections.abc import Sequence

from react_agent.forges.contract import Pull, Wanted
from react_agent.forges.faults import Failed, Fault, no_branch
from react_agent.forges.fields import Row, needed, number, row, several, text
from react_agent.forges.gitlab_api import GitLabApi
from react_agent.forges.gitlab_read import DRAFT, pull, without_commands, without_draft


def proposed(api: GitLabApi, wanted: Wanted) -> Pull:
    target = api.first
    source = api.repository(wanted.source) if wanted.source else target
    title, _ = without_draft(wanted.title)
    fields = {
        "title": f"{DRAFT}{title}" if wanted.is_draft else title,
        "description": without_commands(wanted.body),
        "target_branch": wanted.base,
    }
    found = _open_one(api, wanted.branch, needed(source, "id"))
    try:
        if found:
            made = api.change(api.project.mergerequests, found, fields)
        else:
            made = _made(api, wanted.branch, source, fields)
    except Fault as fault:
        if fault.may_lack_a_branch:
            _look_for_branches(api, wanted, source)
        raise
    return pull(made, source, target)


def _open_one(api: GitLabApi, branch: str, source: int) -> int:
    listed = api.all(api.project.mergerequests, state="opened", source_branch=branch)
    theirs = (one for one in listed if text(one, "source_branch") == branch)
    return next((needed(one, "iid") for one in theirs if one.get("source_project_id") == source), 0)


def _made(api: GitLabApi, branch: str, source: Row, fields: Row) -> Row:
    """By the project that has the branch."""
    made = {**fields, "source_branch": branch}
    target = needed(api.first, "id")
    if needed(source, "id") != target:
        made |= {"target_project_id": target, "allow_collaboration": True}
    project = api.gitlab.projects.get(needed(source, "id"), lazy=True)
    return api.make(project.mergerequests, made)


def _look_for_branches(api: GitLabApi, wanted: Wanted, source: Row) -> None:
    """Raises Fault where one of them is missing."""
    target = api.repository()
    if not _has_branch(api, target, wanted.base):
        default = text(target, "default_branch")
        raise no_branch(wanted.base, text(target, "path_with_namespace"), default)
    if not _has_branch(api, source, wanted.branch):
        raise no_branch(wanted.branch, text(source, "path_with_namespace"))


def _has_branch(api: GitLabApi, project: Row, branch: str) -> bool:
    try:
        api.get(api.gitlab.projects.get(needed(project, "id"), lazy=True).branches, branch)
    except Fault as fault:
        return not fault.is_missing
    return True


def read(api: GitLabApi, of: int) -> Pull:
    found = api.get(api.project.mergerequests, of)
    return pull(found, _source(api, found), api.first)


def _source(api: GitLabApi, of: Row) -> Row:
    found = number(of, "source_project_id")
    if found == number(api.first, "id"):
        return api.first
    try:
        return api.repository(found) if found else {}
    except Fault as fault:
        if fault.is_missing:
            return {}
        raise


def ask_for(api: GitLabApi, of: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
    """All that can be had; then Fault for what could not."""
    asked = {name: _user(api, name) for name in reviewers}
    there = _labels(api) if labels else {}
    found = [there[name.casefold()] for name in labels if name.casefold() in there]
    fields: dict[str, object] = {"add_labels": ",".join(found)} if found else {}
    if ids := [number for number in asked.values() if number]:
        others = several(api.get(api.project.mergerequests, of), "reviewers")
        fields["reviewer_ids"] = [*(needed(row(one), "id") for one in others), *ids]
    if fields:
        api.change(api.project.mergerequests, of, fields)
    missing = [f"reviewer {name}" for name in reviewers if not asked[name]]
    missing += [f"label {name}" for name in labels if name.casefold() not in there]
    if missing:
        raise Fault(Failed.PLAIN, f"there is no {', no '.join(missing)}")


def _user(api: GitLabApi, name: str) -> int:
    found = api.all(api.gitlab.users, username=name)
    return next((needed(one, "id") for one in found if _is(one, name)), 0)


def _is(user: Row, name: str) -> bool:
    return text(user, "username").casefold() == name.casefold()


def _labels(api: GitLabApi) -> dict[str, str]:
    """GitLab would make those that are not there: which there are is for people to say."""
    names = (text(one, "name") for one in api.all(api.project.labels))
    return {name.casefold(): name for name in names}
