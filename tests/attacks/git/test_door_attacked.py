"""What a repository's configuration starts with plain git, and does not through the door."""

import pytest
from hostile_settings import ATTACKS, Set, another
from stranger import Stranger

from react_agent.tools.git.door import UPLOAD_PACK, Git


def _lender(it: Stranger) -> None:
    (it.project / ".git/objects/info/alternates").write_text(f"{another(it)}/objects\n")
    it.set(core__alternateRefsCommand=it.evil)


def _signed(it: Stranger) -> None:
    """A signature to check, by a program that is no gpg."""
    it.set(gpg__program=it.evil, log__showSignature="true")
    signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n"
    signed = it.git("cat-file", "commit", "HEAD").replace("\n\n", signature, 1)
    made = it.git("hash-object", "-t", "commit", "-w", "--stdin", given=f"{signed}\n")
    it.git("update-ref", "HEAD", made)


def _of(name: str) -> Set:
    return ATTACKS[name][0]


# What is set, what git is asked then, and how that ends.
ASKED: dict[str, tuple[Set, str, int]] = {
    "a hook": (_of("hooks"), "update-ref refs/heads/new HEAD", 0),
    "core.hooksPath": (_of("core.hooksPath"), "update-ref refs/heads/new HEAD", 0),
    "core.fsmonitor": (_of("core.fsmonitor"), "status", 0),
    "include.path": (_of("include.path"), "status", 0),
    "diff.external": (_of("diff.external"), "diff --no-ext-diff", 0),
    "diff.external, no flag: refused": (_of("diff.external"), "diff", 128),
    "core.alternateRefsCommand": (_lender, "fetch ../other", 0),
    "log.showSignature": (_signed, "log -1", 0),
    "commit.gpgSign": (_of("gpg.program"), "commit --allow-empty -m x", 0),
    "core.editor": (_of("core.editor"), "commit --allow-empty", 1),
    "remote.uploadpack": (_of("remote.uploadpack"), "fetch origin", 0),
    "core.sshCommand": (_of("core.sshCommand"), "fetch origin", 128),
    "protocol.ext": (_of("protocol.ext"), "fetch origin", 128),
}


@pytest.mark.attack("a program in the configuration: {id}", by="repository", wall="git")
@pytest.mark.parametrize(("attack", "asked", "code"), ASKED.values(), ids=ASKED)
def test_nothing_it_names_is_started(
    stranger: Stranger, attack: Set, asked: str, code: int
) -> None:
    attack(stranger)
    stranger.fired.unlink(missing_ok=True)
    command, *rest = asked.split()
    safely = [UPLOAD_PACK] if command == "fetch" else []
    answer = Git(stranger.project).ask(command, *safely, *rest)
    assert (answer.code, stranger.fired.exists()) == (code, False)
    stranger.git(command, *(word for word in rest if word != "--no-ext-diff"), check=False)
    assert stranger.fired.exists(), "the attack does nothing: being safe from it says nothing"
