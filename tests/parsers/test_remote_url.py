"""Where a remote is, whichever way it was written, and nothing secret of it."""

import pytest
from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.remote import Remote, read_remote_url


@table_of(
    ("text", "expected"),
    [
        pytest.param(
            "https://github.com/a/b.git",
            Remote("https", "github.com", "a/b", "https://github.com/a/b.git"),
            id="https",
        ),
        pytest.param(
            "https://me:s3cret@GitHub.com/a/b/",
            Remote("https", "github.com", "a/b", "https://github.com/a/b/"),
            id="a password",
        ),
        pytest.param(
            "https://me:a@b@github.com/a/b",
            Remote("https", "github.com", "a/b", "https://github.com/a/b"),
            id="a password with an @",
        ),
        pytest.param(
            "https://github.com/a/b.git?private_token=s3cret",
            Remote("https", "github.com", "a/b", "https://github.com/a/b.git"),
            id="a token behind it",
        ),
        pytest.param(
            "http://127.0.0.1:8080/a/b%20c.git",
            Remote("http", "127.0.0.1", "a/b c", "http://127.0.0.1:8080/a/b%20c.git", 8080),
            id="a port",
        ),
        pytest.param(
            "git@github.com:a/b.git",
            Remote("ssh", "github.com", "a/b", "git@github.com:a/b.git", user="git"),
            id="scp",
        ),
        pytest.param(
            "host:/srv/x.git",
            Remote("ssh", "host", "srv/x", "host:/srv/x.git"),
            id="scp, of a folder",
        ),
        pytest.param(
            "ssh://git:s3cret@git.example:2222/a/b/c.git",
            Remote(
                "ssh", "git.example", "a/b/c", "ssh://git@git.example:2222/a/b/c.git", 2222, "git"
            ),
            id="ssh",
        ),
        pytest.param(
            "git://[::1]:9418/a/b",
            Remote("git", "[::1]", "a/b", "git://[::1]:9418/a/b", 9418),
            id="git",
        ),
        pytest.param("/srv/x.git", Remote("file", "", "/srv/x.git", "/srv/x.git"), id="a folder"),
        pytest.param("./a:b", Remote("file", "", "./a:b", "./a:b"), id="a folder with a colon"),
        pytest.param(
            "file:///srv/x%20y", Remote("file", "", "/srv/x y", "file:///srv/x%20y"), id="file"
        ),
        pytest.param("file://other/srv/x", None, id="a folder on another machine"),
        pytest.param("ext::sh -c x", None, id="a helper"),
        pytest.param("ftp://host/a/b", None, id="another scheme"),
        pytest.param("-oProxyCommand=x", None, id="an option"),
        pytest.param("ssh://-oProxyCommand=x/a/b", None, id="an option as the host"),
        pytest.param("ssh://-x@host/a/b", None, id="an option as ssh's user"),
        pytest.param("https://github.com/a/../../b", None, id="a way up"),
        pytest.param("https://github.com/a/%2e%2e/b", None, id="a way up, in code"),
        pytest.param("https://github.com", None, id="no path"),
        pytest.param("https://github.com:99999/a/b", None, id="no such port"),
        pytest.param("https://host/a\nb", None, id="two lines"),
        pytest.param(r"C:\a\b", None, id="another system's folder"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_reads_where_a_remote_is(text: str, expected: Remote | None) -> None:
    assert read_remote_url(text) == expected
    assert "s3cret" not in repr(read_remote_url(text))


@table_of(
    ("text", "host"),
    [
        pytest.param("http://127.0.0.1:8080/a/b", "127.0.0.1:8080", id="with the web's port"),
        pytest.param("ssh://git@git.example:2222/a/b", "git.example", id="without that of ssh"),
        pytest.param("ssh://git@ssh.github.com:443/a/b", "github.com", id="ssh through a firewall"),
    ],
)
def test_knows_where_the_forge_is_asked(text: str, host: str) -> None:
    remote = read_remote_url(text)
    assert remote is not None
    assert remote.forge_host == host


@given(st.text() | st.text("/ab.-:@%20").map("ssh://{}".format))
def test_what_is_read_can_be_read_again(text: str) -> None:
    remote = read_remote_url(text)
    assert remote is None or read_remote_url(remote.url) == remote
