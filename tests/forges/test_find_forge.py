"""Which forge is asked, at which address, and with which token."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from check_rows import EachRow, table_of
from fake_github import FakeGitHub
from loopback import Asked, Given, Loopback
from reader_rows import FOLDER, read_rows
from refusals import refusal

from react_agent.forges.account import Configured
from react_agent.forges.contract import ForgeError
from react_agent.forges.faults import Patience
from react_agent.forges.find import Outside, Place, find_account, find_forge
from react_agent.parsers.forge.remote import Remote
from react_agent.parsers.issue.reference import Reference, read_reference
from react_agent.tools.git.door import Git


def _outside(
    home: Path, environment: Mapping[str, str] = {}, configured: Mapping[str, Configured] = {}
) -> Outside:
    patience = Patience(tries=1, sleep=lambda seconds: None)
    return Outside(environment, home, home / "state", configured, patience)


def test_knows_the_forge(tmp_path: Path, each_row: EachRow) -> None:
    def account(host: str, environment: dict[str, str], configured: dict[str, Any]) -> object:
        hosts = {name: Configured(*facts) for name, facts in configured.items()}
        found = find_account(Place(host, "a/b", "http"), _outside(tmp_path, environment, hosts))
        return found.kind, found.api, found.token, found.variable

    each_row(read_rows(FOLDER / "own/find-forge.txt"), lambda row: row.check({"account": account}))


def _version(asked: Asked) -> Given:
    return Given({"version": "1.22"})


def _signed_in(asked: Asked) -> Given:
    return Given({"message": "401 Unauthorized"}, 401)


@table_of(
    ("routes", "kind"),
    {
        "GitLab": ({"GET /api/v4/version": _signed_in}, "GitLab"),
        "an open GitLab": ({"GET /api/v4/version": _version}, "GitLab"),
        "Gitea": ({"GET /api/v1/version": _version}, "Gitea"),
        "GitHub": ({"GET /api/v3/meta": lambda asked: Given({"installed_version": "3"})}, "GitHub"),
    },
)
def test_asks_a_host_what_it_is(tmp_path: Path, routes: Any, kind: str) -> None:
    with Loopback(routes) as server:
        environment = {"GH_TOKEN": "a", "GITLAB_TOKEN": "b", "GITEA_TOKEN": "c"}
        account = find_account(Place(server.host, "a/b", "http"), _outside(tmp_path, environment))
    assert (account.kind, account.token) == (kind, "")
    assert all("authorization" not in asked.headers for asked in server.asked)


def test_says_that_a_host_is_none(tmp_path: Path) -> None:
    with Loopback({}) as server:
        place = Place(server.host, "a/b", "http")
        said = refusal(ForgeError, find_account, place, _outside(tmp_path))
    assert said == (
        f"{server.host}: can't find out which forge it is: it does not say its kind; "
        "put `kind = gitlab` (or github, gitea) "
        f"below [react_agent:forge {server.host}] in your settings"
    )


def test_says_that_a_host_is_not_there(tmp_path: Path) -> None:
    place = Place("127.0.0.1:9", "a/b", "http")
    line = "127.0.0.1:9: can't find out which forge it is: no connection: Connection refused"
    assert refusal(ForgeError, find_account, place, _outside(tmp_path)) == line


@pytest.mark.parametrize("host", ["github.com", "codeberg.org"])
@pytest.mark.parametrize(
    ("variable", "value"), [("ALL_PROXY", "socks://127.0.0.1:1"), ("SSL_CERT_FILE", "/nonexistent")]
)
def test_no_way_to_a_forge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    about = read_reference(f"https://{host}/a/b/issues/1")
    with pytest.raises(ForgeError) as failed:
        find_forge(about, tmp_path, _outside(tmp_path)).issue(1)
    told = "HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or the like can't be used: "
    assert told in str(failed.value)


@pytest.mark.parametrize(
    ("words", "remote", "title"),
    [
        pytest.param("#1", "", "Here", id="without a remote"),
        pytest.param("#1", "../other", "Here", id="a remote on this machine"),
        pytest.param("#1", "{url}/org/tool.git", "There", id="of the remote"),
        pytest.param("#1", "http://me:pw@{host}/org/tool.git", "There", id="with a password in it"),
        pytest.param("org/other#1", "{url}/org/tool.git", "Elsewhere", id="at the remote's host"),
        pytest.param("{url}/org/other/issues/1", "", "Elsewhere", id="an address"),
        pytest.param("{url}/org/other/issues/1", "h.org:a/b", "Elsewhere", id="of another host"),
    ],
)
def test_finds_the_issue(tmp_path: Path, top: Path, words: str, remote: str, title: str) -> None:
    with FakeGitHub({}) as fake:
        fake.add("org/tool").issue("There", "")
        fake.add("org/other").issue("Elsewhere", "")
        if remote:
            url = remote.format(url=fake.url, host=fake.host)
            Git(top).run("remote", "add", "origin", url)
        about = read_reference(words.format(url=fake.url))
        assert about is not None
        assert find_forge(about, top, _outside(tmp_path)).issue(about.number).title == title


def test_takes_the_remote_that_is_named(tmp_path: Path, top: Path) -> None:
    with FakeGitHub({}) as fake:
        fake.add("org/tool").issue("There", "")
        Git(top).run("remote", "add", "up", f"{fake.url}/org/tool")
        Git(top).run("remote", "add", "origin", "../other")
        assert find_forge(Reference(1), top, _outside(tmp_path), "up").issue(1).title == "There"
        direct = Remote("http", "127.0.0.1", "org/tool", "", int(fake.host.rpartition(":")[2]))
        assert find_forge(direct, top, _outside(tmp_path)).issue(1).title == "There"


def test_a_remote_may_name_no_repository(tmp_path: Path, top: Path) -> None:
    Git(top).run("remote", "add", "origin", "git@github.com:tool.git")
    line = "github.com: 'tool' is not a repository name: write OWNER/NAME"
    assert refusal(ForgeError, find_forge, None, top, _outside(tmp_path)) == line


@table_of("secret", ["two words", "a\r\nX-Other: b", "tökén"])
def test_refuses_what_can_be_no_token(tmp_path: Path, secret: str) -> None:
    line = "github.com: what GH_TOKEN holds can't be a token"
    outside = _outside(tmp_path, {"GH_TOKEN": secret})
    assert refusal(ForgeError, find_account, Place("github.com", "a/b"), outside) == line


def test_shows_no_token(tmp_path: Path) -> None:
    outside = _outside(tmp_path, {"GH_TOKEN": "s3cret"})
    assert "s3cret" not in repr(outside)
    assert "s3cret" not in repr(find_account(Place("github.com", "a/b"), outside))
