"""Where a remote is, whichever way it was written, and nothing secret of it."""

from check_rows import table_of
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.remote import read_remote_url

# What a remote is read as: scheme, user, host, port and path, and its address for git.
WRITTEN = "{0.scheme} {0.user}@{0.host}:{0.port} {0.path} = {0.url}"
GITHUB = "https @github.com:0 a/b = https://github.com/a/b"


@table_of(
    ("text", "expected"),
    {
        "https": ("https://github.com/a/b.git", f"{GITHUB}.git"),
        "a password": ("https://me:s3cret@GitHub.com/a/b/", f"{GITHUB}/"),
        "a password with an @": ("https://me:a@b@github.com/a/b", GITHUB),
        "a token behind it": ("https://github.com/a/b.git?private_token=s3cret", f"{GITHUB}.git"),
        "a port": (
            "http://127.0.0.1:8080/a/b%20c.git",
            "http @127.0.0.1:8080 a/b c = http://127.0.0.1:8080/a/b%20c.git",
        ),
        "scp": ("git@github.com:a/b.git", "ssh git@github.com:0 a/b = git@github.com:a/b.git"),
        "ssh": (
            "ssh://git:s3cret@git.example:2222/a/b/c.git",
            "ssh git@git.example:2222 a/b/c = ssh://git@git.example:2222/a/b/c.git",
        ),
        "a folder": ("/srv/x.git", "file @:0 /srv/x.git = /srv/x.git"),
        "file": ("file:///srv/x%20y", "file @:0 /srv/x y = file:///srv/x%20y"),
        "a folder on another machine": ("file://other/srv/x", None),
        "a helper": ("ext::sh -c x", None),
        "an option as the host": ("ssh://-oProxyCommand=x/a/b", None),
        "an option as ssh's user": ("ssh://-x@host/a/b", None),
        "a way up, in code": ("https://github.com/a/%2e%2e/b", None),
        "no such port": ("https://github.com:99999/a/b", None),
        "two lines": ("https://host/a\nb", None),
    },
)
def test_reads_where_a_remote_is(text: str, expected: str | None) -> None:
    remote = read_remote_url(text)
    assert (remote and WRITTEN.format(remote)) == expected
    assert "s3cret" not in repr(remote)


def test_knows_where_the_forge_is_asked() -> None:
    web = read_remote_url("http://127.0.0.1:8080/a/b")
    ssh = read_remote_url("ssh://git@ssh.github.com:443/a/b")  # through a firewall
    assert web and web.forge_host == "127.0.0.1:8080"
    assert ssh and ssh.forge_host == "github.com"


@given(st.text() | st.text("/ab.-:@%20").map("ssh://{}".format))
def test_what_is_read_can_be_read_again(text: str) -> None:
    remote = read_remote_url(text)
    assert remote is None or read_remote_url(remote.url) == remote
