import base64
import os
from pathlib import Path

import pytest
from check_rows import table_of
from git_server import access_to

from react_agent.tools.errors import MachineError, ReactAgentError
from react_agent.tools.git.access import NO_SSH, Access, RemoteError, opened
from react_agent.tools.git.door import Git

TOKEN = "ghp_0123456789abcdef"
ANYWHERE = Git(Path("/"))


@table_of(
    ("url", "allowed", "host"),
    [
        ("https://example.org:8443/ann/it", "https", "example.org:8443"),
        (f"https://bot:{TOKEN}@example.org/ann/it", "https", "example.org"),
        ("http://[::1]:3000/ann/it", "http:https", "[::1]:3000"),
        ("http://localhost/ann/it", "http:https", "localhost"),
        ("git@example.org:ann/it.git", "ssh", "example.org"),
        ("/srv/it.git", "file", "/srv/it.git"),
    ],
)
def test_one_protocol_is_allowed(url: str, allowed: str, host: str) -> None:
    access = access_to(url, TOKEN, PATH=os.environ["PATH"], GIT_SSH_COMMAND="ssh")
    with opened(ANYWHERE, access) as git:
        assert (dict(git.variables)["GIT_ALLOW_PROTOCOL"], access.host) == (allowed, host)
        assert TOKEN not in f"{access} {git}"


@table_of(
    ("url", "line"),
    [
        ("../it.git", "the remote ../it.git is a relative path: write an absolute path"),
        (
            "git://example.org/it",
            "git://example.org/it can't be reached: use https, ssh or a folder",
        ),
        (
            "http://127.0.0.1.example.org/it",
            "http://127.0.0.1.example.org/it would send the token unencrypted: use https",
        ),
    ],
)
def test_a_remote_that_is_refused(url: str, line: str) -> None:
    with pytest.raises(ReactAgentError) as caught, opened(ANYWHERE, access_to(url, TOKEN)):
        pass
    assert str(caught.value) == line


@table_of("token", ["a\nb", "é", "x" * 5000])
def test_a_token_that_can_not_be_one(token: str) -> None:
    with pytest.raises(RemoteError) as caught, opened(ANYWHERE, access_to("https://h/it", token)):
        pass
    assert str(caught.value) == "the token for h contains an invalid character"


def test_each_protocol_gets_what_it_needs() -> None:
    names = ("HOME", "SSH_AUTH_SOCK", "HTTPS_PROXY", "SSL_CERT_FILE", "ANTHROPIC_API_KEY")
    given = dict.fromkeys(names, "given") | {"PATH": os.environ["PATH"], "GIT_SSH_COMMAND": "x"}
    passed = {}
    for url in ("https://h/it", "http://localhost/it", "git@h:it", "/srv/it"):
        with opened(ANYWHERE, access_to(url, TOKEN, **given)) as git:
            passed[url] = {name for name, value in git.variables if value == "given"}
    assert passed == {
        "https://h/it": {"HTTPS_PROXY", "SSL_CERT_FILE"},
        "http://localhost/it": set(),
        "git@h:it": {"HOME", "SSH_AUTH_SOCK"},
        "/srv/it": set(),
    }
    with opened(ANYWHERE, access_to("http://example.org/it")) as git:
        assert git.inherits == ()  # there is no token to pass


def test_ssh_is_missing(tmp_path: Path) -> None:
    access = access_to("git@h:it", PATH=str(tmp_path))
    with pytest.raises(MachineError) as caught, opened(ANYWHERE, access):
        pass
    assert str(caught.value) == NO_SSH


def test_a_server_that_repeats_the_token_is_not_quoted() -> None:
    access = Access(access_to("https://h/it").remote, "a/token")
    pair = base64.b64encode(b"x-access-token:a/token").decode()
    assert access.redacted(f"a/token, a%2Ftoken, {pair}") == "***, ***, ***"
