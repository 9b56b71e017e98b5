import os
import sys
from pathlib import Path

import pytest
from check_rows import table_of

from react_agent.tools.context import Context, Limits
from react_agent.tools.shell.environment import FIXED, for_commands
from react_agent.tools.shell.run import RUN

OWN = "/opt/agent"


def _given(outer: dict[str, str], tmp_path: Path, *, is_venv: bool = True) -> dict[str, str]:
    """What commands get besides that which they always get; OWN stands for a folder of ours."""
    own = tmp_path / "agent"
    own.mkdir(exist_ok=True)
    if not (own / "circle").is_symlink():
        (own / "circle").symlink_to("circle")
    if is_venv:
        (own / "pyvenv.cfg").touch()
    placed = {name: value.replace(OWN, str(own)) for name, value in outer.items()}
    found = for_commands(placed, home=tmp_path / "home", own_prefix=own)
    always = {**FIXED, "HOME": f"{tmp_path}/home", "TMPDIR": f"{tmp_path}/home/tmp"}
    assert {name: found[name] for name in always} == always
    others = {name: value for name, value in found.items() if name not in always}
    return {name: value.replace(str(own), OWN) for name, value in others.items()}


@table_of(
    ("outer", "inner"),
    {
        "without ours": ({"PATH": f"{OWN}/bin:/usr/bin:/bin"}, {"PATH": "/usr/bin:/bin"}),
        "spelled differently": ({"PATH": f"/usr/bin:{OWN}/bin/"}, {"PATH": "/usr/bin"}),
        "through its parent": ({"PATH": f"{OWN}/../agent/bin:/bin"}, {"PATH": "/bin"}),
        "near": ({"PATH": f"{OWN}/binaries:{OWN}"}, {"PATH": f"{OWN}/binaries:{OWN}"}),
        "without the workspace's": ({"PATH": ".:/bin::sub/bin"}, {"PATH": "/bin"}),
        "a link in a circle": ({"PATH": f"{OWN}/circle"}, {"PATH": f"{OWN}/circle"}),
        "nothing is invented": ({"PATH": f"{OWN}/bin"}, {"PATH": ""}),
        "the usual one": ({}, {"PATH": "/bin:/usr/bin"}),
        "no environment of Python": ({"PATH": "/bin", "VIRTUAL_ENV": "/v"}, {"PATH": "/bin"}),
    },
)
def test_path_and_virtual_environment(
    tmp_path: Path, outer: dict[str, str], inner: dict[str, str]
) -> None:
    assert _given(outer, tmp_path) == inner


def test_the_python_of_the_system_is_theirs_too(tmp_path: Path) -> None:
    outer = {"PATH": f"{OWN}/bin:/bin"}
    assert _given(outer, tmp_path, is_venv=False) == outer


def test_toolchains_are_found_though_home_is_another(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / ".pyenv").mkdir(parents=True)
    (real / ".nvm").write_text("no folder")
    outer = {"PATH": "/bin", "HOME": str(real), "GOPATH": "/elsewhere", "JAVA_HOME": "/java"}
    assert _given(outer, tmp_path) == {
        "PATH": "/bin",
        "PYENV_ROOT": f"{real}/.pyenv",
        "GOPATH": "/elsewhere",
        "JAVA_HOME": "/java",
    }


def test_cargo_works_without_the_tokens_of_its_home(tmp_path: Path) -> None:
    real = tmp_path / "real"
    (real / ".cargo" / "bin").mkdir(parents=True)
    (real / ".cargo" / "credentials.toml").write_text("token = 'secret'")
    (real / ".rustup").mkdir()
    path = f"{real}/.cargo/bin:/bin"
    outer = {"PATH": path, "HOME": str(real), "CARGO_HOME": f"{real}/.cargo"}
    assert _given(outer, tmp_path) == {"PATH": path, "RUSTUP_HOME": f"{real}/.rustup"}


KEYS = (
    *("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_ORG_ID", "GEMINI_API_KEY", "HF_TOKEN"),
    *("GITHUB_TOKEN", "GH_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN", "BITBUCKET_APP_PASSWORD"),
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"),
    *("GOOGLE_APPLICATION_CREDENTIALS", "AZURE_CLIENT_SECRET", "KUBECONFIG", "VAULT_TOKEN"),
    *("NPM_TOKEN", "NODE_AUTH_TOKEN", "PYPI_TOKEN", "TWINE_PASSWORD", "CARGO_REGISTRY_TOKEN"),
    *("PIP_INDEX_URL", "UV_INDEX_URL", "PGPASSWORD", "DATABASE_URL", "SSH_AUTH_SOCK"),
    *("GPG_AGENT_INFO", "GIT_ASKPASS", "GIT_SSH_COMMAND", "GIT_CONFIG_PARAMETERS", "CARGO_HOME"),
    *("HTTPS_PROXY", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PYTHONSTARTUP", "NODE_OPTIONS"),
    *("GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL", "PYTHONPATH", "PYTHONHOME", "ANYTHING"),
    *("LD_PRELOAD", "XDG_CONFIG_HOME"),
)


@pytest.mark.attack(
    *(f"a variable of a command: {name}" for name in KEYS), by="environment", wall="environment"
)
def test_no_key_reaches_a_command(tmp_path: Path) -> None:
    outer = {**os.environ, **dict.fromkeys(KEYS, "a secret")}
    given = for_commands(outer, home=tmp_path, own_prefix=Path(sys.prefix))
    seen = RUN.call("env", Context(tmp_path, Limits(output_chars=99_999), given)).text
    assert "NO_COLOR=1" in seen
    assert [name for name in KEYS if f"{name}=" in seen] == []
    assert "a secret" not in seen
