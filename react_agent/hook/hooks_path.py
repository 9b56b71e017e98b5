"""Where git looks for the hooks of a repository: its own folder, or one that a setting names."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.hook.script import HOOKS
from react_agent.hook.spool import NAME
from react_agent.tools import disk
from react_agent.tools.git.door import Git, quoted
from react_agent.tools.git.repository import in_repository, top_of

_KEY = "core.hooksPath"
_SCOPES = ("local", "worktree")


@dataclass(frozen=True, slots=True)
class HooksPath:
    common: Path  # the git folder that all work trees share
    top: Path
    is_bare: bool
    named: str  # by the setting, as it counts; empty: none is
    scope: str  # where that is set: system, global, local, worktree
    is_link: bool  # its own folder, or a hook in it, is one to somewhere else

    @property
    def own(self) -> Path:
        return self.common / "hooks"

    @property
    def state(self) -> Path:
        return self.common / NAME

    @property
    def ours(self) -> Path:
        """A folder of scripts of ours, in front of one that others use too, or that is tracked."""
        return self.state / "hooks"

    @property
    def is_ours(self) -> bool:
        return self.named == str(self.ours)

    @property
    def is_elsewhere(self) -> bool:
        return bool(self.named) or self.is_link


def find(repository: Path, environment: Mapping[str, str]) -> HooksPath:
    top = top_of(repository)
    with in_repository(top) as git:
        if git.ask("rev-parse", "--git-dir").code:
            raise UsageError(f"{repository} is not a git repository")
        common = Path(git.line("rev-parse", "--path-format=absolute", "--git-common-dir"))
        is_bare = git.line("rev-parse", "--is-bare-repository") == "true"
        named, scope = _named(git, environment)
    own = common / "hooks"
    is_link = own.is_symlink() or any((own / hook).is_symlink() for hook in HOOKS)
    return HooksPath(common, top, is_bare, named, scope, is_link)


def name(path: HooksPath, folder: str) -> None:
    """Have git look into this folder; into none that is named here, if it is empty."""
    scope = f"--{path.scope}" if path.scope in _SCOPES else "--local"
    with in_repository(path.top) as git:
        if folder:
            git.run("config", scope, _KEY, folder)
        elif git.ask("config", scope, "--unset", _KEY).code not in (0, 5):  # 5: it is not there
            raise UsageError(f"{_KEY} can't be unset in {path.common / 'config'}")


def _named(git: Git, environment: Mapping[str, str]) -> tuple[str, str]:
    """The last one counts, but for the one on the command line, which is of tools/git/door.py."""
    listed = _as_theirs(git, environment).ask(
        "config", "--show-scope", "-z", "--type=path", "--get-all", _KEY
    )
    words = os.fsdecode(listed.out).split("\0")
    pairs = zip(words[::2], words[1::2], strict=False)
    found = [(value, scope) for scope, value in pairs if scope != "command"]
    return found[-1] if found else ("", "")


def _as_theirs(git: Git, environment: Mapping[str, str]) -> Git:
    """With the settings of the person and of the system, which count for the hooks of a commit."""
    lines = (f"[include]\n\tpath = {quoted(path)}\n" for path in _files(environment))
    disk.append_text(git.config, "".join(lines), errors="surrogateescape")
    home = environment.get("HOME", "/nonexistent")
    return git.having(HOME=home, GIT_CONFIG_NOSYSTEM=environment.get("GIT_CONFIG_NOSYSTEM", "0"))


def _files(environment: Mapping[str, str]) -> Iterator[str]:
    if "GIT_CONFIG_GLOBAL" in environment:
        yield environment["GIT_CONFIG_GLOBAL"]
        return
    home = environment.get("HOME", "/nonexistent")
    yield f"{environment.get('XDG_CONFIG_HOME') or f'{home}/.config'}/git/config"
    yield f"{home}/.gitconfig"
