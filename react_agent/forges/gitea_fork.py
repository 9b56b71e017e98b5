"""The fork of whoever the token is of, at Gitea."""

from react_agent.forges.contract import Hosted
from react_agent.forges.faults import Fault
from react_agent.forges.fields import Row, flag, inner, row, text
from react_agent.forges.gitea_api import GiteaApi, quoted
from react_agent.forges.gitea_read import hosted


def forked(api: GiteaApi) -> str:
    """Its path; it is made if there is none. What is one's own needs no fork."""
    if api.path.partition("/")[0].casefold() == api.me.casefold():
        return api.path
    found = _of(api, api.me)
    return found or text(row(api.ask("POST", f"{api.home}/forks", {})), "full_name")


def fork_there(api: GiteaApi, path: str) -> Hosted | None:
    """None until its branches are."""
    found = api.repository(path)
    branch = text(found, "default_branch")
    if flag(found, "empty") or not branch:
        return None
    try:
        api.ask("GET", f"/repos/{quoted(path)}/branches/{quoted(branch)}")
    except Fault as fault:
        if fault.is_missing:
            return None
        raise
    return hosted(found)


def _of(api: GiteaApi, owner: str) -> str:
    """Of the usual name, or of any other."""
    usual = f"{owner}/{api.path.partition('/')[2]}"
    try:
        parent = inner(api.repository(usual), "parent")
        if text(parent, "full_name").casefold() == api.path.casefold():
            return usual
    except Fault as fault:
        if not fault.is_missing:
            raise
    theirs = (one for one in api.all(f"{api.home}/forks") if _is_owner(one, owner))
    return next((text(one, "full_name") for one in theirs), "")


def _is_owner(of: Row, login: str) -> bool:
    return text(inner(of, "owner"), "login").casefold() == login.casefold()
