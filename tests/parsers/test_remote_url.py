"""Where a remote is, whichever way it was written, and nothing secret of it."""

from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsers.forge.remote import read_remote_url


@given(st.text() | st.text("/ab.-:@%20").map("ssh://{}".format))
def test_what_is_read_can_be_read_again(text: str) -> None:
    remote = read_remote_url(text)
    assert remote is None or read_remote_url(remote.url) == remote
