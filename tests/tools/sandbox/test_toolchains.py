from pathlib import Path

import pytest

from react_agent.tools.sandbox.toolchains import folders

SECRET = ".cargo/credentials.toml"


def _lay_out(top: Path, laid: dict[str, str]) -> None:
    for name, target in laid.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target.startswith("-> "):
            path.symlink_to(target.removeprefix("-> ").replace("TOP", str(top)))
        else:
            path.write_text(target.replace("TOP", str(top)))


@pytest.mark.parametrize(
    ("laid", "environment", "found"),
    [
        pytest.param({}, {"PATH": "/usr/local/bin:/usr/bin:/bin"}, [], id="the system's"),
        pytest.param({}, {"PATH": "TOP/home/gone/bin"}, [], id="not there"),
        pytest.param({}, {}, [], id="no PATH"),
        pytest.param(
            {"home/.pyenv/shims/python": "", "home/.pyenv/versions/3/bin/python": ""},
            {"PATH": "TOP/home/.pyenv/shims:/bin", "PYENV_ROOT": "TOP/home/.pyenv"},
            ["home/.pyenv"],
            id="pyenv",
        ),
        pytest.param(
            {"home/.cargo/bin/cargo": "", SECRET: "", "home/.rustup/toolchains/x": ""},
            {"PATH": "TOP/home/.cargo/bin", "RUSTUP_HOME": "TOP/home/.rustup"},
            ["home/.cargo/bin", "home/.rustup"],
            id="cargo without its credentials",
        ),
        ({"home/bin/mine": ""}, {"PATH": "TOP/home/bin"}, ["home/bin"]),
        pytest.param(
            {
                "home/.local/bin/ruff": "-> TOP/home/.local/share/uv/tools/ruff/bin/ruff",
                "home/.local/bin/notes": "-> TOP/home/papers/notes",
                "home/.local/share/uv/tools/ruff/bin/ruff": "",
                "home/papers/notes": "",
            },
            {"PATH": "TOP/home/.local/bin"},
            ["home/.local/bin", "home/.local/share/uv/tools/ruff"],
            id="a tool of uv, and no link to anywhere else",
        ),
        pytest.param(
            {
                "home/work/.venv/bin/python": "-> TOP/home/.uv/cpython-3/bin/python3",
                "home/.uv/cpython-3": "-> cpython-3.12.1",
                "home/.uv/cpython-3.12.1/bin/python3": "",
            },
            {"PATH": "/bin", "VIRTUAL_ENV": "TOP/home/work/.venv"},
            ["home/.uv/cpython-3", "home/.uv/cpython-3.12.1", "home/work/.venv"],
            id="a virtual environment's interpreter, through a linked folder",
        ),
        pytest.param(
            {
                "home/work/.venv/bin/python": "a copy",
                "home/work/.venv/pyvenv.cfg": "home = TOP/home/python/bin\nversion = 3\n",
                "home/python/bin/python3": "",
            },
            {"PATH": "TOP/home/work/.venv/bin"},
            ["home/python", "home/work/.venv"],
            id="a virtual environment's base",
        ),
        pytest.param(
            {"home/.nvm/versions/node/v20/bin/node": ""},
            {"PATH": "TOP/home/.nvm/versions/node/v20/bin"},
            ["home/.nvm/versions/node/v20"],
            id="nvm",
        ),
        pytest.param(
            {"home/.ssh/id": "", "tools": "-> TOP/home"},
            {
                "PATH": "/bin",
                "GOPATH": "TOP/tools",
                "GOROOT": "TOP/home/.ssh",
                "JAVA_HOME": "TOP/home",
            },
            [],
            id="a link to the home, and a folder of keys",
        ),
    ],
)
def test_what_programs_need(
    tmp_path: Path, laid: dict[str, str], environment: dict[str, str], found: list[str]
) -> None:
    _lay_out(tmp_path, {"home/.profile": "", **laid})
    given = {name: value.replace("TOP", str(tmp_path)) for name, value in environment.items()}
    assert folders(given, tmp_path / "home") == tuple(tmp_path / name for name in found)
