"""Where a remote is, whichever way it was written, and nothing secret of it."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.remote import Remote, read_remote_url


@table_of(
    ("text", "expected"),
    {
        "https": (
            "https://github.com/a/b.git",
            Remote("https", "github.com", "a/b", "https://github.com/a/b.git"),
        ),
        "a password": (
            "https://me:s3cret@GitHub.com/a/b/",
            Remote("https", "github.com", "a/b", "https://github.com/a/b/"),
        ),
        "a password with an @": (
            "https://me:a@b@github.com/a/b",
            Remote("https", "github.com", "a/b", "https://github.com/a/b"),
        ),
        "a token behind it": (
            "https://github.com/a/b.git?private_token=s3cret",
            Remote("https", "github.com", "a/b", "https://github.com/a/b.git"),
        ),
        "a port": (
            "http://127.0.0.1:8080/a/b%20c.git",
            Remote("http", "127.0.0.1", "a/b c", "http://127.0.0.1:8080/a/b%20c.git", 8080),
        ),
        "scp": (
            "git@github.com:a/b.git",
            Remote("ssh", "github.com", "a/b", "git@github.com:a/b.git", user="git"),
        ),
        "ssh": (
            "ssh://git:s3cret@git.example:2222/a/b/c.git",
            Remote(
                "ssh", "git.example", "a/b/c", "ssh://git@git.example:2222/a/b/c.git", 2222, "git"
            ),
        ),
        "a folder": ("/srv/x.git", Remote("file", "", "/srv/x.git", "/srv/x.git")),
        "file": ("file:///srv/x%20y", Remote("file", "", "/srv/x y", "file:///srv/x%20y")),
        "a folder on another machine": ("file://other/srv/x", None),
        "a helper": ("ext::sh -c x", None),
        "an option as the host": ("ssh://-oProxyCommand=x/a/b", None),
        "an option as ssh's user": ("ssh://-x@host/a/b", None),
        "a way up, in code": ("https://github.com/a/%2e%2e/b", None),
        "no such port": ("https://github.com:99999/a/b", None),
        "two lines": ("https://host/a\nb", None),
    },
)
def test_reads_where_a_remote_is(text: str, expected: Remote | None) -> None:
    assert read_remote_url(text) == expected
    assert "s3cret" not in repr(read_remote_url(text))


def test_knows_where_the_forge_is_asked() -> None:
    web = read_remote_url("http://127.0.0.1:8080/a/b")
    ssh = read_remote_url("ssh://git@ssh.github.com:443/a/b")  # through a firewall
    assert web and web.forge_host == "127.0.0.1:8080"
    assert ssh and ssh.forge_host == "github.com"


@given(st.text() | st.text("/ab.-:@%20").map("ssh://{}".format))
def test_what_is_read_can_be_read_again(text: str) -> None:
    remote = read_remote_url(text)
    assert remote is None or read_remote_url(remote.url) == remote
