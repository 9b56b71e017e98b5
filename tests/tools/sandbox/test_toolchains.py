from pathlib import Path
from tempfile import mkdtemp

import pytest
from check_rows import table_of

from react_agent.tools.sandbox.toolchains import folders, of_python

SECRET = ".cargo/credentials.toml"


def _lay_out(top: Path, laid: dict[str, str]) -> None:
    for name, target in laid.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target.startswith("-> "):
            path.symlink_to(target.removeprefix("-> ").replace("TOP", str(top)))
        else:
            path.write_text(target.replace("TOP", str(top)))


@table_of(
    ("laid", "environment", "found"),
    {
        "the system's": ({}, {"PATH": "/usr/local/bin:/usr/bin:/bin"}, []),
        "not there": ({}, {"PATH": "TOP/home/gone/bin"}, []),
        "no PATH": ({}, {}, []),
        "pyenv": (
            {"home/.pyenv/shims/python": "", "home/.pyenv/versions/3/bin/python": ""},
            {"PATH": "TOP/home/.pyenv/shims:/bin", "PYENV_ROOT": "TOP/home/.pyenv"},
            ["home/.pyenv"],
        ),
        "cargo without its credentials": (
            {"home/.cargo/bin/cargo": "", SECRET: "", "home/.rustup/toolchains/x": ""},
            {"PATH": "TOP/home/.cargo/bin", "RUSTUP_HOME": "TOP/home/.rustup"},
            ["home/.cargo/bin", "home/.rustup"],
        ),
        "one's own": ({"home/bin/mine": ""}, {"PATH": "TOP/home/bin"}, ["home/bin"]),
        "a tool of uv, and no link to anywhere else": (
            {
                "home/.local/bin/ruff": "-> TOP/home/.local/share/uv/tools/ruff/bin/ruff",
                "home/.local/bin/notes": "-> TOP/home/papers/notes",
                "home/.local/share/uv/tools/ruff/bin/ruff": "",
                "home/papers/notes": "",
            },
            {"PATH": "TOP/home/.local/bin"},
            ["home/.local/bin", "home/.local/share/uv/tools/ruff"],
        ),
        "a virtual environment's interpreter, through a linked folder": (
            {
                "home/work/.venv/bin/python": "-> TOP/home/.uv/cpython-3/bin/python3",
                "home/.uv/cpython-3": "-> cpython-3.12.1",
                "home/.uv/cpython-3.12.1/bin/python3": "",
            },
            {"PATH": "/bin", "VIRTUAL_ENV": "TOP/home/work/.venv"},
            ["home/.uv/cpython-3", "home/.uv/cpython-3.12.1", "home/work/.venv"],
        ),
        "a virtual environment's base": (
            {
                "home/work/.venv/bin/python": "a copy",
                "home/work/.venv/pyvenv.cfg": "home = TOP/home/python/bin\nversion = 3\n",
                "home/python/bin/python3": "",
            },
            {"PATH": "TOP/home/work/.venv/bin"},
            ["home/python", "home/work/.venv"],
        ),
        "nvm": (
            {"home/.nvm/versions/node/v20/bin/node": ""},
            {"PATH": "TOP/home/.nvm/versions/node/v20/bin"},
            ["home/.nvm/versions/node/v20"],
        ),
        "links in a circle": (
            {"home/.ssh": "-> .ssh", "circle": "-> circle", "home/bin/x": "-> TOP/circle/bin/x"},
            {"PATH": "TOP/home/bin:TOP/circle"},
            ["home/bin"],
        ),
        "a link to the home, and a folder of keys": (
            {"home/.ssh/id": "", "tools": "-> TOP/home"},
            {
                "PATH": "/bin",
                "GOPATH": "TOP/tools",
                "GOROOT": "TOP/home/.ssh",
                "JAVA_HOME": "TOP/home",
            },
            [],
        ),
    },
)
def test_what_programs_need(
    tmp_path: Path, laid: dict[str, str], environment: dict[str, str], found: list[str]
) -> None:
    top = Path(mkdtemp(dir=tmp_path))
    _lay_out(top, {"home/.profile": "", **laid})
    given = {name: value.replace("TOP", str(top)) for name, value in environment.items()}
    assert folders(given, top / "home") == tuple(top / name for name in found)


@pytest.mark.attack(
    "an environment in the checkout names your folders", by="repository", wall="sandbox"
)
def test_of_a_strangers_environment_only_pythons_are_shown(tmp_path: Path) -> None:
    home = tmp_path / "home"
    laid = {
        "home/python/bin/python3": "",
        "home/private/bin/rails": "",
        "home/papers/letter": "",
        "home/work/.venv/bin/python": "-> TOP/home/python/bin/python3",
        "home/work/.venv/bin/rails": "-> ../../../private/bin/rails",
        "home/work/.venv/pyvenv.cfg": "home = TOP/home/papers\n",
    }
    _lay_out(tmp_path, laid)
    (home / "python/bin/python3").chmod(0o755)
    venv = home / "work/.venv"
    assert {home / "papers", home / "private"} < {*folders({"VIRTUAL_ENV": str(venv)}, home)}
    assert of_python(venv, home) == (home / "python", venv)
