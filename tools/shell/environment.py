"""The environment of the commands that the model runs. Only selected variables are passed on."""

import os
from collections.abc import Mapping
from pathlib import Path

from react_agent.tools import disk
from react_agent.tools.disk import remove_tree
from react_agent.tools.shell import process

FIXED = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "dumb",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "EDITOR": "false",
    "VISUAL": "false",
    "GIT_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",  # or all is lost of what one printed that ran out of time
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "DEBIAN_FRONTEND": "noninteractive",
    # Not CI: tests and their tools do other things when they see it.
}
PASSED_ON = (
    *("USER", "LOGNAME", "TZ", "LD_LIBRARY_PATH"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_CERT", "REQUESTS_CA_BUNDLE"),
    *("GOROOT", "JAVA_HOME", "CONDA_PREFIX"),
)
# Their default folder is below the user's home; they would not find it with another HOME.
# No folder that may hold tokens: CARGO_HOME has credentials.toml; PATH still finds its programs.
TOOLCHAINS = {
    "PYENV_ROOT": ".pyenv",
    "RUSTUP_HOME": ".rustup",
    "NVM_DIR": ".nvm",
    "VOLTA_HOME": ".volta",
    "RBENV_ROOT": ".rbenv",
    "NODENV_ROOT": ".nodenv",
    "ASDF_DATA_DIR": ".asdf",
    "SDKMAN_DIR": ".sdkman",
    "GOPATH": "go",
}


def for_commands(outer: Mapping[str, str], *, home: Path, own_prefix: Path) -> dict[str, str]:
    """Return the environment of commands. The caller has to create the folders HOME and TMPDIR."""
    theirs = Path(outer.get("HOME", ""))
    usual = {name: theirs / place for name, place in TOOLCHAINS.items() if "HOME" in outer}
    # no relative folders: they would be in the workspace, where the model decides what `ls` is
    folders = outer.get("PATH", os.defpath).split(os.pathsep)
    path = [one for one in folders if Path(one).is_absolute()]
    if (own_prefix / "pyvenv.cfg").is_file():  # beside the system's is what commands need
        ours = os.path.realpath(own_prefix / "bin")
        path = [one for one in path if os.path.realpath(one) != ours]
    return {
        **{name: str(folder) for name, folder in usual.items() if folder.is_dir()},
        **{name: outer[name] for name in (*PASSED_ON, *TOOLCHAINS) if name in outer},
        **FIXED,
        "PATH": os.pathsep.join(path),
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
    }


def with_python(path: str, place: Path) -> str:
    """Return a PATH that includes `python`. Models use that name, and some systems lack it."""
    program = process.find_program("python3", path=path)
    if process.find_program("python", path=path) or not program:
        return path
    remove_tree(place)  # of an earlier part of the run: commands may have put a link there
    disk.mkdir(place)
    disk.symlink(place / "python", program)
    return f"{path}{os.pathsep}{place}"
