"""Which token is for which host, and for no other."""

from pathlib import Path

import pytest

from react_agent.forges.account import find_token, kind_by_logins

# What the command lines of GitHub and GitLab answer; a token of a variable would win, as theirs do.
GH = """#!/bin/sh
[ "$*" = "auth token --hostname github.com" ] || exit 1
echo "${GH_TOKEN-${GITHUB_TOKEN-gho_a}}"
"""
GLAB = """#!/bin/sh
case "$*" in
"config get token --host gitlab.com") echo glpat-a ;;
"config get token --host git.example:8443") echo b ;;
*) echo ;;
esac
"""
WITH_GH, WITH_GLAB = "the login of gh", "the login of glab"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    for name, script in (("gh", GH), ("glab", GLAB)):
        program = tmp_path / "bin" / name
        program.write_text(script)
        program.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("kind", "host", "environment", "expected"),
    [
        pytest.param("github", "github.com", {"GH_TOKEN": " a\n"}, ("a", "GH_TOKEN"), id="its own"),
        pytest.param(
            "github", "github.com", {"GITHUB_TOKEN": "b"}, ("b", "GITHUB_TOKEN"), id="another name"
        ),
        pytest.param(
            "github",
            "github.com",
            {"GITHUB_TOKEN": "b", "GITHUB_SERVER_URL": "https://git.example"},
            ("gho_a", WITH_GH),
            id="of a job elsewhere",
        ),
        pytest.param(
            "github",
            "git.example",
            {"GITHUB_TOKEN": "b", "GITHUB_SERVER_URL": "https://git.example/"},
            ("b", "GITHUB_TOKEN"),
            id="of a job there",
        ),
        pytest.param(
            "github", "git.example", {"GH_TOKEN": "a"}, ("", ""), id="not for another host"
        ),
        pytest.param(
            "github",
            "git.example",
            {"GH_ENTERPRISE_TOKEN": "e", "GH_TOKEN": "", "GH_HOST": "git.example"},
            ("e", "GH_ENTERPRISE_TOKEN"),
            id="an enterprise's",
        ),
        pytest.param(
            "github", "git.example", {"GH_ENTERPRISE_TOKEN": "e"}, ("", ""), id="whose is it?"
        ),
        pytest.param(
            "github", "evil.github.com", {"GH_TOKEN": "a"}, ("", ""), id="not for a host below"
        ),
        pytest.param(
            "github",
            "git.example",
            {"GH_HOST": "git.example"},
            ("", "GH_TOKEN"),
            id="none, and where to put one",
        ),
        pytest.param(
            "gitlab", "gitlab.com", {"GITLAB_TOKEN": "l"}, ("l", "GITLAB_TOKEN"), id="GitLab"
        ),
        pytest.param(
            "gitlab",
            "gitlab.com",
            {"GITLAB_TOKEN": "l", "GITLAB_HOST": "https://git.example"},
            ("glpat-a", WITH_GLAB),
            id="GitLab elsewhere",
        ),
        pytest.param(
            "gitlab",
            "git.example:8443",
            {},
            ("b", WITH_GLAB),
            id="GitLab with a port",
        ),
        pytest.param(
            "gitea", "codeberg.org", {"FORGEJO_TOKEN": "f"}, ("f", "FORGEJO_TOKEN"), id="Forgejo"
        ),
        pytest.param(
            "gitea",
            "git.example:3000",
            {"GITEA_TOKEN": "g", "GITEA_SERVER_URL": "https://git.example"},
            ("", ""),
            id="Gitea with a port",
        ),
        pytest.param(
            "github", "github.com", {"PATH": "/nowhere"}, ("", "GH_TOKEN"), id="no command line"
        ),
        pytest.param(
            "github", "github.com", {"PATH": "bin"}, ("", "GH_TOKEN"), id="one of this folder"
        ),
    ],
)
def test_a_token_is_for_one_host(
    home: Path,
    kind: str,
    host: str,
    environment: dict[str, str],
    expected: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(home)
    secret, source = expected
    found = find_token(kind, host, "", {"PATH": f"{home}/bin:/bin", **environment}, home)
    assert found == (secret, source)


def test_settings_name_the_variable(home: Path) -> None:
    environment = {"MINE": "m", "GH_TOKEN": "a"}
    assert find_token("github", "git.example", "MINE", environment, home) == ("m", "MINE")
    assert find_token("github", "github.com", "GONE", environment, home) == ("", "GONE")


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("github.com", "github"),
        ("git.example:8443", "gitlab"),
        ("git.example", ""),
    ],
)
def test_a_login_tells_which_forge_it_is(home: Path, host: str, kind: str) -> None:
    assert kind_by_logins(host, {"PATH": f"{home}/bin:/bin"}, home) == kind
