"""Where a forge says that its repository is, is believed as far as it may be."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from check_rows import table_of
from fake_github import FakeGitHub
from refusals import refusal

from react_agent.edge import surroundings
from react_agent.forges.contract import ForgeError
from react_agent.issue_to_pr.delivery import Outlet, closing, outlet_for
from react_agent.parsers.issue.reference import Reference, read_reference

TOKEN = "ghp_s3cret"


OWN, OTHER = "http://{host}/org/tool.git", "https://example.org/org/tool.git"
FOREIGN = (OTHER, "http://127.0.0.1:9/org/tool.git", "https://x.{host}/org/tool.git")
REFUSED = (
    *("", "-x", "--upload-pack=touch x", "ext::sh -c id", "/etc", "file:///etc", "../other"),
    *("ssh://eve@example.org/a/b", "eve@example.org:a/b", "git://example.org/a/b", "https://"),
)


@pytest.fixture
def outlet(cli: Any, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Where the forge says that the repository is at this address."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.setenv("WORK", TOKEN)
    with FakeGitHub({TOKEN: "me"}) as fake:
        there = fake.add("org/tool", writers={"me"})
        cli.git("remote", "add", "origin", there.clone_url)
        of_it = f"kind = github\napi = {fake.api}\ntoken = WORK\n"
        cli.settings(f"[react_agent:forge {fake.host}]\n{of_it}")

        def found(clone_url: str) -> Outlet:
            there.clone_url = clone_url.format(host=fake.host)
            return outlet_for(repository, "", surroundings(lambda line: None))

        yield found
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_token_goes_to_its_host_alone(outlet: Any) -> None:
    assert outlet(OWN).access.token == TOKEN
    assert [outlet(url).access.token for url in FOREIGN] == ["", "", ""]
    with_name = outlet(OWN.replace("//", "//eve:x@")).access
    assert (with_name.token, "@" in with_name.remote.url) == (TOKEN, False)


def test_other_addresses_are_not_for_a_forge_to_give(outlet: Any) -> None:
    for url in REFUSED:
        line = "gives an address of the repository that can't be used"
        assert refusal(ForgeError, outlet, url).partition(" ")[2] == line


@table_of(
    ("named", "closes"),
    [
        ("#12", "#12"),
        ("Org/Tool#12", "#12"),
        ("a/b#12", "a/b#12"),
        ("https://h.org/org/tool/issues/12", "#12"),
        ("https://x.org/org/tool/issues/12", "https://x.org/org/tool/issues/12"),
    ],
)
def test_an_issue_of_another_host_is_closed_by_no_number(named: str, closes: str) -> None:
    reference = read_reference(named)
    assert isinstance(reference, Reference)
    hosted: Any = type("Hosted", (), {"path": "org/tool"})
    outlet = Outlet(None, hosted, {}, host="h.org")  # type: ignore[arg-type]
    assert closing(reference, outlet) == closes
