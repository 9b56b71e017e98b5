"""What is written to Gitea: pull requests, comments, who is to look."""

from collections.abc import Iterator, Sequence

from react_agent.forges.contract import Pull, Wanted
from react_agent.forges.faults import Failed, Fault, no_branch
from react_agent.forges.fields import Row, needed, row, text
from react_agent.forges.gitea_api import GiteaApi, quoted
from react_agent.forges.gitea_read import DRAFT, pull, without_draft


def proposed(api: GiteaApi, wanted: Wanted) -> Pull:
    source = wanted.source or api.path
    title, _ = without_draft(wanted.title)
    fields = {
        "title": f"{DRAFT}{title}" if wanted.is_draft else title,
        "body": wanted.body,
        "base": wanted.base,
    }
    number = _open_one(api, wanted.branch, source)
    try:
        if number:
            changed = api.ask("PATCH", f"{api.home}/pulls/{number}", fields)
        else:
            head = {"head": _head(api.path, source, wanted.branch)}
            changed = api.ask("POST", f"{api.home}/pulls", {**fields, **head})
    except Fault as fault:
        if fault.may_lack_a_branch:
            _look_for_branches(api, wanted, source)
        raise
    return pull(row(changed), api.path)


def _open_one(api: GiteaApi, branch: str, source: str) -> int:
    for one in api.all(f"{api.home}/pulls", state="open", sort="recentupdate"):
        found = pull(one, api.path)
        whence = found.source or api.path
        if found.branch == branch and whence.casefold() == source.casefold():
            return found.number
    return 0


def _head(path: str, source: str, branch: str) -> str:
    owner, _, name = source.partition("/")
    if source.casefold() == path.casefold():
        return branch
    is_same = name.casefold() == path.partition("/")[2].casefold()
    return f"{owner if is_same else source}:{branch}"


def _look_for_branches(api: GiteaApi, wanted: Wanted, source: str) -> None:
    """Raises Fault where one of them is missing."""
    if not _has_branch(api, api.path, wanted.base):
        raise no_branch(wanted.base, api.path, text(api.repository(), "default_branch"))
    if not _has_branch(api, source, wanted.branch):
        raise no_branch(wanted.branch, source)


def _has_branch(api: GiteaApi, path: str, branch: str) -> bool:
    try:
        api.ask("GET", f"/repos/{quoted(path)}/branches/{quoted(branch)}")
    except Fault as fault:
        return not fault.is_missing
    return True


def commented(api: GiteaApi, number: int, words: str) -> str:
    made = api.ask("POST", f"{api.home}/issues/{number}/comments", {"body": words})
    return text(row(made), "html_url")


def commented_before(api: GiteaApi, number: int, words: str) -> str:
    """Once only, where it isn't known whether it has been."""
    for said in reversed(api.remarks(number)):
        if said.author == api.me and said.body.strip() == words.strip():
            return said.url
    return commented(api, number, words)


def ask_for(api: GiteaApi, number: int, reviewers: Sequence[str], labels: Sequence[str]) -> None:
    """All that can be had; then Fault for what could not."""
    missing = [*_reviewers(api, number, reviewers), *_labels(api, number, labels)]
    if missing:
        raise Fault(Failed.PLAIN, f"there is no {', no '.join(missing)}")


def _reviewers(api: GiteaApi, number: int, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        try:
            url = f"{api.home}/pulls/{number}/requested_reviewers"
            api.ask("POST", url, {"reviewers": [name]})
        except Fault as fault:
            if not fault.is_missing and fault.status != 422:
                raise
            yield f"reviewer {name}"


def _labels(api: GiteaApi, number: int, names: Sequence[str]) -> Iterator[str]:
    """None is made: what labels there are is for people to say."""
    if not names:
        return
    there = {text(one, "name").casefold(): needed(one, "id") for one in _all_labels(api)}
    if ids := [there[name.casefold()] for name in names if name.casefold() in there]:
        api.ask("POST", f"{api.home}/issues/{number}/labels", {"labels": ids})
    yield from (f"label {name}" for name in names if name.casefold() not in there)


def _all_labels(api: GiteaApi) -> list[Row]:
    """The organization's, too, if it is one."""
    owner = api.path.partition("/")[0]
    try:
        shared = api.all(f"/orgs/{quoted(owner)}/labels")
    except Fault:
        shared = []
    return [*shared, *api.all(f"{api.home}/labels")]
