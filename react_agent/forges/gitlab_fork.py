"""The fork of whoever the token is of, at GitLab, which makes it in the background."""

from react_agent.forges.contract import Hosted
from react_agent.forges.faults import Failed, Fault
from react_agent.forges.fields import Row, flag, inner, needed, text
from react_agent.forges.gitlab_api import GitLabApi

_UNDER_WAY = ("scheduled", "started")


def forked(api: GitLabApi) -> int:
    """Its number; it is made if there is none. What is one's own needs no fork."""
    if _is_mine(api, api.first):
        return needed(api.first, "id")
    for one in api.all(api.project.forks, owned=True):
        if _is_mine(api, one):
            return needed(one, "id")
    return needed(api.make(api.project.forks, {}), "id")


def fork_there(api: GitLabApi, fork: int) -> Hosted | None:
    """None until its branches are."""
    found = api.repository(fork)
    status = text(found, "import_status")
    if status == "failed":
        why = text(found, "import_error") or "it gives no reason"
        raise Fault(Failed.PLAIN, f"the forge could not copy it: {why}")
    if status in _UNDER_WAY or flag(found, "empty_repo") or not text(found, "default_branch"):
        return None
    return api.hosted(found)


def _is_mine(api: GitLabApi, project: Row) -> bool:
    space = inner(project, "namespace")
    return text(space, "full_path").casefold() == api.me.casefold()
