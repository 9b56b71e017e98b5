"""What a repository's configuration starts with plain git, and does not through the door."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.git.door import UPLOAD_PACK, Git

Attack = Callable[[Path, str], None]  # on a project, with a program to be started
OTHER = "{folder}/other"


def _program(place: Path, folder: Path) -> str:
    """A program that leaves a mark in the folder."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"#!/bin/sh\ntouch '{folder}/fired'\n")
    place.chmod(0o755)
    return str(place)


def _git(project: Path, *args: str, given: bytes = b"") -> bytes:
    argv = ["git", *args]
    return subprocess.run(argv, cwd=project, check=True, capture_output=True, input=given).stdout


def _set(project: Path, name: str, value: str) -> None:
    _git(project, "config", name, value)


def _setting(name: str, value: str = "") -> Attack:
    return lambda project, evil: _set(project, name, value or evil)


def _hook(project: Path, evil: str) -> None:
    _program(project / ".git/hooks/reference-transaction", project.parent)


def _hooks_path(project: Path, evil: str) -> None:
    hook = project.parent / "hooks/reference-transaction"
    _program(hook, project.parent)
    _set(project, "core.hooksPath", str(hook.parent))


def _include(project: Path, evil: str) -> None:
    (project.parent / "more").write_text(f'[core]\n\tfsmonitor = "{evil}"\n')
    _set(project, "include.path", str(project.parent / "more"))


def _lender(project: Path, evil: str) -> None:
    (project / ".git/objects/info/alternates").write_text(f"{project.parent}/other/objects\n")
    _set(project, "core.alternateRefsCommand", evil)


def _remote(project: Path, evil: str) -> None:
    _set(project, "remote.lender.url", f"{project.parent}/other")
    _set(project, "remote.lender.uploadpack", evil)


def _signed(project: Path, evil: str) -> None:
    """A signature to check, by a program that is no gpg."""
    _set(project, "gpg.program", evil)
    _set(project, "log.showSignature", "true")
    signature = b"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n"
    signed = _git(project, "cat-file", "commit", "HEAD").replace(b"\n\n", signature, 1)
    made = _git(project, "hash-object", "-t", "commit", "-w", "--stdin", given=signed)
    _git(project, "update-ref", "HEAD", made.decode().strip())


def _signing(project: Path, evil: str) -> None:
    _set(project, "gpg.program", evil)
    _set(project, "commit.gpgSign", "true")


def _changed(project: Path, evil: str) -> None:
    _set(project, "diff.external", evil)
    (project / "README").write_text("changed\n")


@pytest.mark.attack("a program in the configuration: {id}", by="repository", wall="git")
@pytest.mark.parametrize(
    ("attack", "args", "code"),
    [
        pytest.param(_hook, "update-ref refs/heads/new HEAD", 0, id="a hook"),
        pytest.param(_hooks_path, "update-ref refs/heads/new HEAD", 0, id="core.hooksPath"),
        pytest.param(_setting("core.fsmonitor"), "status", 0, id="core.fsmonitor"),
        pytest.param(_include, "status", 0, id="include.path"),
        pytest.param(_changed, "diff --no-ext-diff", 0, id="diff.external"),
        pytest.param(_changed, "diff", 128, id="diff.external, no flag: refused"),
        pytest.param(_lender, f"fetch {OTHER}", 0, id="core.alternateRefsCommand"),
        pytest.param(_signed, "log -1", 0, id="log.showSignature"),
        pytest.param(_signing, "commit --allow-empty -m x", 0, id="commit.gpgSign"),
        pytest.param(_setting("core.editor"), "commit --allow-empty", 1, id="core.editor"),
        pytest.param(_remote, "fetch lender", 0, id="remote.uploadpack"),
        pytest.param(
            _setting("core.sshCommand"), "fetch ssh://example.invalid/x", 128, id="core.sshCommand"
        ),
        pytest.param(
            _setting("protocol.ext.allow", value="always"),
            "fetch ext::{folder}/evil",
            128,
            id="protocol.ext",
        ),
    ],
)
def test_nothing_it_names_is_started(project: Path, attack: Attack, args: str, code: int) -> None:
    folder = project.parent
    fired = folder / "fired"
    evil = _program(folder / "evil", folder)
    _git(project, "clone", "--quiet", "--bare", ".", str(folder / "other"))
    attack(project, evil)
    command, *rest = args.format(folder=folder).split()
    safely = [UPLOAD_PACK] if command == "fetch" else []

    assert (Git(project).ask(command, *safely, *rest).code, fired.exists()) == (code, False)

    rest = [arg for arg in rest if arg != "--no-ext-diff"]
    subprocess.run(["git", command, *rest], cwd=project, capture_output=True)
    assert fired.exists(), "the attack does nothing: being safe from it says nothing"
