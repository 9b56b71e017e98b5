"""Which remote a repository means when it names none."""

from pathlib import Path

import pytest
from refusals import refusal

from react_agent.parsers.forge.remote import Remote
from react_agent.tools.errors import WorkspaceError
from react_agent.tools.git.door import Git
from react_agent.tools.git.remote import find_remote


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    Git(tmp_path).run("init", "--quiet", "--initial-branch=main")
    return tmp_path


def _add(repository: Path, **remotes: str) -> None:
    for name, url in remotes.items():
        Git(repository).run("remote", "add", name, url)


@pytest.mark.parametrize(
    ("remotes", "upstream", "named", "path"),
    [
        pytest.param({"only": "https://h.org/a/only"}, "", "", "a/only", id="the only one"),
        ({"fork": "h.org:me/x.git", "origin": "h.org:a/x.git"}, "", "", "a/x"),
        ({"fork": "h.org:me/x.git", "origin": "h.org:a/x.git"}, "fork", "", "me/x"),
        pytest.param({"a": "h.org:a/a", "b": "h.org:b/b"}, "", "", None, id="which?"),
        pytest.param({"a": "h.org:a/a", "b": "h.org:b/b"}, "", "b", "b/b", id="by name"),
        pytest.param({"a": "h.org:a/a"}, "", "https://h.org/c/c", "c/c", id="an address"),
    ],
)
def test_finds_the_remote(
    repository: Path, remotes: dict[str, str], upstream: str, named: str, path: str | None
) -> None:
    _add(repository, **remotes)
    if upstream:
        Git(repository).run("config", "branch.main.remote", upstream)
    found = find_remote(repository, named)
    assert (found and found.path) == path


def test_keeps_no_password(repository: Path) -> None:
    _add(repository, origin="https://me:s3cret@h.org/a/b.git")
    expected = Remote("https", "h.org", "a/b", "https://h.org/a/b.git")
    assert find_remote(repository) == expected


def test_a_folder_is_named_from_the_root(repository: Path) -> None:
    _add(repository, origin="../other.git")
    place = str(repository.parent.resolve() / "other.git")
    assert find_remote(repository) == Remote("file", "", place, place)


@pytest.mark.parametrize(
    ("url", "named", "line"),
    [
        pytest.param("h.org:a/a", "upstream", "there is no remote called 'upstream'", id="no name"),
        pytest.param("h.org:a/a", "\udcff", r"there is no remote called '\udcff'", id="not UTF-8"),
        ("ext::sh -c s3cret", "", "the address of the remote origin can't be read"),
    ],
)
def test_says_what_is_no_remote(repository: Path, url: str, named: str, line: str) -> None:
    _add(repository, origin=url)
    assert refusal(WorkspaceError, find_remote, repository, named) == line


def test_a_folder_is_no_repository(tmp_path: Path) -> None:
    assert find_remote(tmp_path) is None
