"""What a repository's configuration can have started, and what then starts it."""

from collections.abc import Callable
from pathlib import Path

from by_hand import HOOKS
from stranger import Stranger

Set = Callable[[Stranger], None]


def _settings(**settings: str) -> Set:
    return lambda it: it.set(**{name: text.format(it) for name, text in settings.items()})


def _for_all_files(attribute: str, **settings: str) -> Set:
    """What a driver is for is said by the repository, what it is by its configuration."""

    def attack(it: Stranger) -> None:
        it.save(".gitattributes", f"* {attribute}\n")
        it.set(**{name: text.format(it) for name, text in settings.items()})
        (it.project / "README").write_text("changed\n")

    return attack


def _hooks_elsewhere(it: Stranger) -> None:
    _put_hooks(it, it.top / "hooks")
    it.set(core__hooksPath=str(it.top / "hooks"))


def _put_hooks(it: Stranger, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in HOOKS:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(it.evil)


def _included(setting: str) -> Set:
    def attack(it: Stranger) -> None:
        (it.top / "more").write_text(f"[core]\n\tfsmonitor = {it.evil}\n")
        it.git("config", setting.format(it), str(it.top / "more"))

    return attack


def _for_this_worktree(it: Stranger) -> None:
    it.set(extensions__worktreeConfig="true")
    (it.project / ".git" / "config.worktree").write_text(f"[core]\n\tfsmonitor = {it.evil}\n")


def _merging(it: Stranger) -> None:
    it.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    it.save("README", "read me aside\n")
    it.git("checkout", "--quiet", "-")
    it.save(".gitattributes", "* merge=evil\n")
    it.set(merge__evil__driver=it.evil)


def _merged(it: Stranger) -> None:
    it.save("README", "read me otherwise\n")
    it.git("merge", "side", check=False)


def another(it: Stranger) -> str:
    place = it.top / "other"
    it.git("clone", "--quiet", "--bare", ".", str(place))
    return str(place)


def _remote(**settings: str) -> Set:
    def attack(it: Stranger) -> None:
        _settings(remote__origin__url=another(it), **settings)(it)

    return attack


def _submodule(it: Stranger) -> None:
    it.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", another(it), "sub")
    it.save("with", "a submodule\n")
    inner = it.project / ".git" / "modules" / "sub" / "config"
    inner.write_text(inner.read_text() + f"\tfsmonitor = {it.evil}\n".join(("[core]\n", "")))
    (it.project / "sub" / "README").write_text("changed in there\n")


def _updating(it: Stranger) -> None:
    _submodule(it)
    it.git("-C", "sub", "-c", "core.fsmonitor=false", "checkout", "--quiet", "HEAD~1", "--force")
    it.git("config", "submodule.sub.update", f"!{it.evil}")


def _in_two_lines(it: Stranger) -> None:
    """A value that goes on as if it were a section of its own is that, to git."""
    with (it.project / ".git" / "config").open("a") as config:
        config.write(f'[x]\n\ty = "a\\n" \\\n b\n[core]\n\tfsmonitor = {it.evil}\n')


# What is set, and what starts the program if a person calls it.
ATTACKS: dict[str, tuple[Set, str | Set]] = {
    "hooks": (lambda it: _put_hooks(it, it.project / ".git/hooks"), "commit --allow-empty -m x"),
    "core.hooksPath": (_hooks_elsewhere, "commit --allow-empty -m x"),
    "core.fsmonitor": (_settings(core__fsmonitor="{0.evil}"), "status"),
    "include.path": (_included("include.path"), "status"),
    "includeIf": (_included("includeIf.gitdir:{0.top}/.path"), "status"),
    "config.worktree": (_for_this_worktree, "status"),
    "a value of several lines": (_in_two_lines, "status"),
    "filter, clean": (_for_all_files("filter=x", filter__x__clean="{0.evil}"), "add README"),
    "filter, smudge": (_for_all_files("filter=x", filter__x__smudge="{0.evil}"), "checkout README"),
    "filter, process": (_for_all_files("filter=x", filter__x__process="{0.evil}"), "add README"),
    "textconv": (_for_all_files("diff=x", diff__x__textconv="{0.evil}"), "diff"),
    "a diff driver": (_for_all_files("diff=x", diff__x__command="{0.evil}"), "diff"),
    "diff.external": (_for_all_files("text", diff__external="{0.evil}"), "diff"),
    "a merge driver": (_merging, _merged),
    "core.sshCommand": (
        _settings(core__sshCommand="{0.evil}", remote__origin__url="ssh://host.invalid/x"),
        "fetch origin",
    ),
    "core.gitProxy": (
        _settings(core__gitProxy="{0.evil}", remote__origin__url="git://host.invalid/x"),
        "fetch origin",
    ),
    "protocol.ext": (
        _settings(protocol__ext__allow="always", remote__origin__url="ext::{0.evil}"),
        "fetch origin",
    ),
    "remote.uploadpack": (_remote(remote__origin__uploadpack="{0.evil}"), "fetch origin"),
    "remote.receivepack": (
        _remote(remote__origin__receivepack="{0.evil}"),
        "push origin HEAD:refs/heads/x",
    ),
    "credential.helper": (_settings(credential__helper="!{0.evil}"), "credential fill"),
    "core.askPass": (_settings(core__askPass="{0.evil}"), "credential fill"),
    "core.editor": (_settings(core__editor="{0.evil}"), "commit --allow-empty"),
    "gpg.program": (
        _settings(gpg__program="{0.evil}", commit__gpgSign="true"),
        "commit --allow-empty -m x",
    ),
    "an alias with !": (_settings(alias__st="!{0.evil}"), "st"),
    "the configuration of a submodule": (_submodule, "status"),
    "submodule.update": (_updating, "submodule update"),
}
FILTERS = [attack for name, (attack, _) in ATTACKS.items() if name.startswith("filter, ")]
