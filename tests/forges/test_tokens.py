"""Which token is for which host, and for no other."""

from pathlib import Path

import pytest
from check_rows import table_of

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


AT_WORK = "https://git.example/"


@table_of(
    ("kind", "host", "environment", "expected"),
    {
        "its own": ("github", "github.com", {"GH_TOKEN": " a\n"}, ("a", "GH_TOKEN")),
        "of a job elsewhere": (
            *("github", "github.com", {"GITHUB_TOKEN": "b", "GITHUB_SERVER_URL": AT_WORK}),
            ("gho_a", WITH_GH),
        ),
        "of a job there": (
            *("github", "git.example", {"GITHUB_TOKEN": "b", "GITHUB_SERVER_URL": AT_WORK}),
            ("b", "GITHUB_TOKEN"),
        ),
        "not for another host": ("github", "git.example", {"GH_TOKEN": "a"}, ("", "")),
        "not for a host below": ("github", "evil.github.com", {"GH_TOKEN": "a"}, ("", "")),
        "an enterprise's": (
            *("github", "git.example"),
            {"GH_ENTERPRISE_TOKEN": "e", "GH_TOKEN": "", "GH_HOST": "git.example"},
            ("e", "GH_ENTERPRISE_TOKEN"),
        ),
        "whose is it?": ("github", "git.example", {"GH_ENTERPRISE_TOKEN": "e"}, ("", "")),
        "none, and where to put one": (
            *("github", "git.example", {"GH_HOST": "git.example"}),
            ("", "GH_TOKEN"),
        ),
        "GitLab elsewhere": (
            *("gitlab", "gitlab.com", {"GITLAB_TOKEN": "l", "GITLAB_HOST": AT_WORK}),
            ("glpat-a", WITH_GLAB),
        ),
        "GitLab with a port": ("gitlab", "git.example:8443", {}, ("b", WITH_GLAB)),
        "Forgejo": ("gitea", "codeberg.org", {"FORGEJO_TOKEN": "f"}, ("f", "FORGEJO_TOKEN")),
        "Gitea with a port": (
            *("gitea", "git.example:3000", {"GITEA_TOKEN": "g", "GITEA_SERVER_URL": AT_WORK}),
            ("", ""),
        ),
        "no command line": ("github", "github.com", {"PATH": "/nowhere"}, ("", "GH_TOKEN")),
        "one of this folder": ("github", "github.com", {"PATH": "bin"}, ("", "GH_TOKEN")),
    },
)
def test_a_token_is_for_one_host(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    host: str,
    environment: dict[str, str],
    expected: tuple[str, str],
) -> None:
    monkeypatch.chdir(home)
    given = {"PATH": f"{home}/bin:/bin", **environment}
    assert find_token(kind, host, "", given, home) == expected


def test_settings_name_the_variable(home: Path) -> None:
    environment = {"MINE": "m", "GH_TOKEN": "a"}
    assert find_token("github", "git.example", "MINE", environment, home) == ("m", "MINE")
    assert find_token("github", "github.com", "GONE", environment, home) == ("", "GONE")


@table_of(
    ("host", "kind"),
    [
        ("github.com", "github"),
        ("git.example:8443", "gitlab"),
        ("git.example", ""),
    ],
)
def test_a_login_tells_which_forge_it_is(home: Path, host: str, kind: str) -> None:
    assert kind_by_logins(host, {"PATH": f"{home}/bin:/bin"}, home) == kind
