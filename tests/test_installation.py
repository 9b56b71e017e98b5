"""Installed as people do it, from the package index: by uv, by pipx, and by pip with extras."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.checkout, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[1]
HERE = Path(sys.executable).parent
FILES = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE")
USED = """
import importlib.util
print(*(name for name in ("xllamacpp", "mcp") if importlib.util.find_spec(name)))
"""

HINT = "from react_agent.tools.package_data import install_command as c; print(c('mcp'))"


def _run(*argv: str | Path, env: Mapping[str, str], cwd: Path) -> str:
    done = subprocess.run(argv, env=env, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{argv}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A clone, as far as an installation reads it: a build leaves folders there."""
    place = tmp_path / "clone"
    place.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, place)
    for name in ("parsers", "tools", "react_agent", "eval"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """With a home of its own; the package index and its cache stay the machine's."""
    kept = ("PATH", "LANG", "SSL_CERT_FILE", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
    given = {name: value for name, value in os.environ.items() if name in kept}
    given |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_"))}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    own = {name: str(tmp_path / name.lower()) for name in ("HOME", "PIPX_HOME", "UV_TOOL_DIR")}
    own |= {name: str(tmp_path / "bin") for name in ("PIPX_BIN_DIR", "UV_TOOL_BIN_DIR")}
    return {**given, "PIP_CACHE_DIR": f"{cache}/pip", "UV_CACHE_DIR": f"{cache}/uv", **own}


@pytest.mark.parametrize(
    "argv",
    [
        pytest.param(("uv", "tool", "install", "--python", sys.executable, "."), id="uv"),
        pytest.param(("pipx", "install", "--python", sys.executable, "."), id="pipx"),
    ],
)
def test_from_a_clone(
    source: Path, env: dict[str, str], tmp_path: Path, argv: tuple[str, ...]
) -> None:
    _run(HERE / argv[0], *argv[1:], env=env, cwd=source)
    command = tmp_path / "bin" / "react-agent"
    shutil.rmtree(source)
    python = command.resolve().parent / "python"
    hint = _run(python, "-P", "-c", HINT, env=env, cwd=tmp_path)
    _run("sh", "-c", hint, env={**env, "PATH": f"{HERE}:{env['PATH']}"}, cwd=tmp_path)
    assert _run(python, "-P", "-c", "import mcp; print(mcp.__name__)", env=env, cwd=tmp_path)
    assert _run(command, "--version", env=env, cwd=tmp_path).strip()
    shown = _run(command, "demo", "--dir", "demo", "--sandbox", "none", env=env, cwd=tmp_path)
    assert "Conclusion:" in shown
    assert "issue" in _run(command, "inspect", "profiles", env=env, cwd=tmp_path)


def test_from_the_wheel_with_extras(source: Path, env: dict[str, str], tmp_path: Path) -> None:
    build = (sys.executable, "-P", "-m", "build", "--wheel", "--outdir", tmp_path / "dist")
    _run(*build, source, env=env, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    _run(sys.executable, "-m", "venv", tmp_path / "venv", env=env, cwd=tmp_path)
    python = tmp_path / "venv/bin/python"
    wanted = f"react-agent[local,mcp] @ {wheel.as_uri()}"
    _run(python, "-m", "pip", "install", "--quiet", wanted, env=env, cwd=tmp_path)
    assert _run(python, "-c", USED, env=env, cwd=tmp_path).split() == ["xllamacpp", "mcp"]
    assert _run(python, "-m", "react_agent", "--version", env=env, cwd=tmp_path).strip()
