"""Paths and links that lead elsewhere, as every tool that takes a path gets them."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from react_agent.tools.context import Context
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE, WRITE_FILE
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.outline import OUTLINE
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Status
from react_agent.tools.registry import Tool

pytestmark = pytest.mark.slow

Outside = Callable[[], dict[str, tuple[int, bytes | str]]]
SECRET = "what nobody may read"
BLOCK = "<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n"
# A path of the model's, as each tool is asked about it.
READERS = {READ_FILE: "{}", GREP: "nobody\npath: {}", LIST_FILES: "{}", OUTLINE: "{}"}
WRITERS = {
    WRITE_FILE: "{}\nby the model\n",
    REPLACE: "{}\n" + BLOCK,
    APPLY_PATCH: "--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n",
}

PATHS = {
    "parents": "../secret",
    "parents, from within": "src/../../../secret",
    "absolute": "{top}/secret",
    "absolute, through the work tree": "{root}/../../secret",
    "absolute, of the machine": "/etc/passwd",
    "a home": "~/.ssh/id_rsa",
    "a home by its owner": "~root/.ssh/id_rsa",
    "a variable": "$HOME/.netrc",
    "an address": "file://{top}/secret",
    "backslashes": "..\\..\\secret",
    "a drive": "C:\\secret",
    "a share": "\\\\host\\share",
    "a NUL": "src/x.txt\0../../secret",
    "two lines": "src\n../../secret",
    "quoted": "'../../secret'",
    "percent-encoded": "%2e%2e/%2e%2e/secret",
    "dots like dots": "\u2025/\uff0e\uff0e/secret",
    "4096 long": "../" * 1365 + "x",
    "a name of 300 letters": "x" * 300,
    "not UTF-8": "\udcff/../../../secret",
    ".git": ".git/config",
    ".GIT": ".GIT/config",
    ".git with a dot": ".git./config",
    ".git with a blank": ".git /config",
    "GIT~1": "GIT~1/config",
    ".git as a stream": ".git::$INDEX_ALLOCATION/config",
    ".git with what is ignored": ".g\u200cit/config",
    ".git with a byte order mark": "\ufeff.git/config",
    ".git with backslashes": ".git\\config",
    "the .git of a folder": "src/.git/config",
    "a link to a file": "link",
    "a link to a folder": "out/x.txt",
    "a link to a link": "twice",
    "a link to where nothing is": "nowhere",
    "a link into .git": "gits",
    "a link to the .git folder": "gitdir/config",
    "a link to all": "all/etc/passwd",
    "a link to itself": "circle",
    "a link to a device": "zero",
    "a pipe": "pipe",
    "a socket": "socket",
}


@pytest.mark.attack("a path that leads elsewhere: {id}", by="model", wall="paths")
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_path_leads_nowhere_else(tmp_path: Path, root: Path, outside: Outside, path: str) -> None:
    (root / "link").symlink_to(tmp_path / "outside" / "x.txt")
    (root / "out").symlink_to("../../outside")
    (root / "twice").symlink_to("link")
    (root / "nowhere").symlink_to(tmp_path / "new")
    (root / "gits").symlink_to(".git/config")
    (root / "gitdir").symlink_to(".git")
    (root / "all").symlink_to("/")
    (root / "circle").symlink_to("circle")
    (root / "zero").symlink_to("/dev/zero")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        place = os.open(root, os.O_RDONLY)  # its own name may be too long for a socket
        listening.bind(f"/proc/self/fd/{place}/socket")
        os.close(place)
    before, path = outside(), path.format(root=root, top=tmp_path)
    for tool, asked in READERS.items():
        seen = tool.call(asked.format(path), Context(root))
        assert SECRET not in seen.text, tool.name
        assert "root:" not in seen.text, tool.name
    for tool, asked in WRITERS.items():
        tool.call(asked.format(path), Context(root))
        assert outside() == before, tool.name


@pytest.mark.parametrize("path", ["src/x.txt", "{root}/src/x.txt"])
def test_what_leads_to_a_file_of_the_work_tree_reaches_it(
    root: Path, outside: Outside, path: str
) -> None:
    before, path = outside(), path.format(root=root)
    assert "two" in READ_FILE.call(path, Context(root)).text
    assert "two" in GREP.call(f"two\npath: {path}", Context(root)).text
    for tool, asked in WRITERS.items():
        (root / "src" / "x.txt").write_text("one\ntwo\nthree\n")
        if tool is WRITE_FILE:  # it makes new ones only
            (root / "src" / "x.txt").unlink()
        assert tool.call(asked.format(path), Context(root)).status is Status.OK, tool.name
        assert (root / "src" / "x.txt").read_text() != "one\ntwo\nthree\n", tool.name
    assert outside() == before


@pytest.mark.attack("a hard link to a file outside is written to", by="command", wall="paths")
@pytest.mark.parametrize("tool", [REPLACE, APPLY_PATCH], ids=lambda tool: tool.name)
def test_an_edit_of_a_hard_link_stays_inside(
    tmp_path: Path, root: Path, outside: Outside, tool: Tool
) -> None:
    place = root / "linked.txt"
    place.hardlink_to(tmp_path / "outside" / "x.txt")
    before = outside()
    assert tool.call(WRITERS[tool].format("linked.txt"), Context(root)).status is Status.OK
    assert outside() == before
    (tmp_path / "other").hardlink_to(tmp_path / "outside" / "x.txt")
    (tmp_path / "other").write_text("written through")
    assert outside()["outside/x.txt"] != before["outside/x.txt"], "a link that is none"


ODD = {
    "an escape": "a\x1b]0;title\x07.txt",
    "a carriage return": "safe\rnot.txt",
    "a delete": "a\x7f.txt",
}


@pytest.mark.attack("a file is made whose name holds {id}", by="model", wall="paths")
@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_no_name_with_control_characters_is_made(root: Path, name: str) -> None:
    before = sorted(root.rglob("*"))
    for tool in (WRITE_FILE, APPLY_PATCH):
        text = f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+a\n"
        seen = tool.call(text if tool is APPLY_PATCH else f"{name}\na\n", Context(root))
        assert seen.status is Status.FAILED, tool.name
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize("name", ["-rf", "--help", "ünï", "$(x)", "a;b", "x:y"])
def test_a_name_is_no_option_and_no_pattern(root: Path, name: str) -> None:
    assert WRITE_FILE.call(f"{name}\nfound here\n", Context(root)).status is Status.OK
    assert (root / name).read_text() == "found here\n"
    assert "found here" in READ_FILE.call(name, Context(root)).text
    assert "found here" in GREP.call(f"found\npath: {name}", Context(root)).text


def test_a_name_with_a_dash_is_no_option_of_grep(root: Path) -> None:
    assert GREP.call("--open-files-in-pager=touch fired", Context(root)).status is not Status.OK
    assert not (root / "fired").exists()
    assert "one" in GREP.call("one", Context(root)).text


@pytest.mark.attack("the .git file of a linked worktree is changed", by="model", wall="paths")
def test_a_git_file_stays(root: Path) -> None:
    place = root.parent / "linked"
    place.mkdir()
    (place / ".git").write_text(f"gitdir: {root}/.git\n")
    for tool, asked in WRITERS.items():
        assert tool.call(asked.format(".git"), Context(place)).status is Status.FAILED
    assert (place / ".git").read_text() == f"gitdir: {root}/.git\n"
    assert "gitdir" not in READ_FILE.call(".git", Context(place)).text
