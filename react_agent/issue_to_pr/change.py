"""Drop unwanted files from a run's change before it becomes a branch.

Each dropped file is reported with the reason. A key in code can't be dropped, so it prevents the
branch from being sent.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from react_agent.guards.gate import is_named_in, litter, wanted
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.secrets.finder import Sure, secrets_in
from react_agent.parsers.transcript.quoting import escape
from react_agent.state.state import State
from react_agent.tools.git.change import Proposed, proposed, show
from react_agent.tools.git.workspace import Workspace

_LINK = "120000"
_OWN_NAMES = """
.env .netrc .pgpass .htpasswd .npmrc .pypirc .git-credentials id_rsa id_dsa id_ecdsa id_ed25519
credentials.json secrets.json service-account.json
"""
_FOR_SHOW = (".example", ".sample", ".template", ".dist", ".defaults")
_FORGE = "the forge runs it on a push or a pull request"
_WORKFLOWS = (".github/workflows/", ".gitea/workflows/", ".forgejo/workflows/")
_AT_ROOT = {
    ".gitlab-ci.yml": _FORGE,
    ".pre-commit-config.yaml": "pre-commit runs its hooks on each commit",
    "conftest.py": "pytest runs it before any test",
    "setup.py": "pip runs it during installation",
}
_SCRIPTS = "npm runs some of its scripts automatically, for example during installation"


@dataclass(frozen=True, slots=True)
class Chosen:
    tree: str  # what the branch is to hold
    patch: bytes  # from the base to it
    stat: str
    paths: tuple[str, ...]  # of all that is changed
    there: tuple[str, ...]  # of these, what is not deleted
    dropped: tuple[str, ...]  # each path, and why
    refused: tuple[str, ...]  # why it must not be sent anywhere


def chosen(workspace: Workspace, state: State, tree: str) -> Chosen:
    patch, stat = show(workspace, tree)
    files = read_git_diff(os.fsdecode(patch))
    holding, named = proposed(workspace, tree), wanted(state)
    found = {
        one.new: litter(one, files, state, holding) or _unwanted(one, named, holding)
        for one in files
        if one.new
    }
    dropped = {path: why for path, why in found.items() if why}
    kept = [one for one in files if one.path not in dropped]
    made = Chosen(
        tree,
        patch,
        stat,
        paths=tuple(dict.fromkeys(one.path for one in kept)),
        there=tuple(dict.fromkeys(one.new for one in kept if one.new)),
        dropped=tuple(dropped_line(path, why) for path, why in dropped.items()),
        refused=tuple(f"{place} {what}" for one in kept for place, what in keys_in(one)),
    )
    gone = [one for one in files if one.path in dropped]
    names = [name for one in gone for name in (one.old, one.new) if name]
    before = workspace.store.at(workspace.base.commit, names)
    edits = {name: before.get(name) for name in names}
    return with_tree(made, workspace, workspace.store.with_files(tree, edits) if edits else tree)


def with_tree(made: Chosen, workspace: Workspace, tree: str) -> Chosen:
    """Return the change with another tree, and the patch of that tree."""
    if tree == made.tree:
        return made
    patch, stat = show(workspace, tree)
    return replace(made, tree=tree, patch=patch, stat=stat)


def dropped_line(path: str, why: str) -> str:
    return f"{_one_line(path)} {why}"


def _one_line(path: str) -> str:
    return escape(path.replace("\n", "\\n"))


def _unwanted(one: FileDiff, named: str, holding: Proposed) -> str:
    if one.mode == _LINK and one.old_mode != _LINK and _leads_out(one, holding):
        return "is a link to a place outside the repository"
    if one.old or is_code(one.new):  # a file that code may need can't be left out
        return ""
    name = PurePosixPath(one.new).name.casefold()
    is_private = name.startswith(".env.") and not name.endswith(_FOR_SHOW)
    for _, what in keys_in(one):
        return what
    if (is_private or name in _OWN_NAMES.split()) and not is_named_in(one.new, named):
        return "is for one machine only"
    return ""


def keys_in(one: FileDiff) -> Iterator[tuple[str, str]]:
    """Yield the place and kind of each key, but not the key. In tests, skip uncertain matches."""
    added, removed = list(one.added), "\n".join(line.text for line in one.removed)
    text = "\n".join(line.text for line in added)
    for found in secrets_in(text):
        is_moved = text[found.start : found.end] in removed
        if not is_moved and (found.sure is Sure.CERTAIN or not is_of_tests(one.path)):
            line = added[text.count("\n", 0, found.start)].number
            article = "an" if found.kind[:1] in "AEIOaeio" else "a"
            yield f"{_one_line(one.new)}:{line}", f"holds {article} {found.kind}"


def _leads_out(one: FileDiff, holding: Proposed) -> bool:
    target = PurePosixPath(os.fsdecode(holding.now(one.new) or b""))
    depth = len(PurePosixPath(one.new).parts) - 1
    for part in target.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return target.is_absolute() or ".git" in target.parts


def automatic(files: Iterable[FileDiff]) -> Mapping[str, str]:
    """Return the files that run automatically, on a forge or where the branch is checked out.

    For each path, the text says why.
    """
    found = {_one_line(one.new): _why_automatic(one.new) for one in files}
    return {path: why for path, why in found.items() if why}


def _why_automatic(path: str) -> str:
    path = path.casefold()  # some file systems don't tell `Setup.py` from `setup.py`
    if path.startswith(_WORKFLOWS):
        return _FORGE
    return _SCRIPTS if PurePosixPath(path).name == "package.json" else _AT_ROOT.get(path, "")
