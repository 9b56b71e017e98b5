"""The traps of tools, each in the words of a model and with the tools of the profile."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from by_hand import write
from check_rows import table_of

from react_agent.demo.repository import make_repository
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.tools.context import Context, Limits
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make
from react_agent.tools.observation import Observation
from react_agent.tools.shell.background import Background

Call = Callable[[str, str], Observation]
MINIFIED = "var a=0;" * 1500 + "parse_duration()" + ";var b=0" * 1500
DIFF = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# stopwatch\n+# Stopwatch\n"
HALF = DIFF + "--- a/nosuch.py\n+++ b/nosuch.py\n@@ -1 +1 @@\n-x\n+y\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, _git_settings: Path) -> Path:
    folder = tmp_path_factory.mktemp("traps")
    make_repository(folder / "repository")
    base = find_base(folder / "repository")
    root = make(base, root=folder / "workspace", branch="react-agent/x", cuts=folder / "cuts").root
    write(root, {"min.js": MINIFIED, "many.txt": "needle here\n" * 500})
    write(root, {"data.bin": b"\0needle\0" * 9, "latin.txt": b"gr\xfc\xdfe\n"})
    (root / "out").symlink_to("/etc/hostname")
    (folder / "home").mkdir()
    return folder


@pytest.fixture
def call(place: Path) -> Iterator[Call]:
    registry = registry_for(with_settings(shipped("issue"), Settings()))
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(place / "home")}
    background = Background()
    limits = Limits(command_seconds=1)
    context = Context(place / "workspace", limits, environment=environment, background=background)

    def answer(name: str, given: str) -> Observation:
        return registry.call(name, given, context).observation

    yield answer
    background.close()


@table_of(
    ("name", "given", "status", "told"),
    {
        # 24: a long line that is left out reads like no match
        "24": ("grep", "parse_duration\npath: min.js", "ok", "clipped around"),
        # 25: an empty result reads like proof of absence
        "25 spelling": ("grep", "parseDurations", "empty", "parse_duration"),
        "25 scope": ("grep", "zzqxy", "empty", "no line of "),
        "25 names": ("list_files", "parsng.py", "failed", "stopwatch/parsing.py"),
        "25 path": ("read_file", "parsing.py", "failed", "stopwatch/parsing.py"),
        # 26: names, special characters, binaries, very many
        "26 a file's name": ("grep", "parsing.py", "ok", "stopwatch/parsing.py"),
        "26 a glob": ("grep", "*.cfg", "ok", ".react-agent.cfg"),
        "26 not closed": ("grep", "parse_duration(text", "ok", "def parse_duration"),
        "26 binary": ("grep", "needle", "ok", "binary files that match: data.bin"),
        "26 very many": ("grep", "needle here", "ok", "not shown: narrow it"),
        # 27: all of a patch or none
        "27": ("apply_patch", HALF, "failed", "nosuch.py"),
        # 28: a patch that is written, or applied through a shell
        "28 written": ("write_file", "fix.patch\n" + DIFF, "ok", "changed README.md (+1 -1)"),
        # 29, 34: what is hidden answers, and is offered nowhere
        "34 think": ("think", "hm", "ok", "Thought line"),
        "34 finish": ("finish", "done", "ok", "Conclusion"),
        "34 ask": ("ask_operator", "which?", "failed", "No operator is there"),
        # 31: a sub-agent for a file that is not there
        "31": ("update_file", "nosuch.py\nx", "failed", "it can't be delegated here"),
        # 32: commands
        "32 err": ("run", "echo a; echo b >&2; exit 3", "failed", "exit code 3\na\nb"),
        "32 partial output": ("run", "echo first; sleep 9", "failed", "first"),
        "32 no keyboard": ("run", "read x; echo got $?", "ok", "got 1"),
        "32 not UTF-8": ("run", "cat latin.txt", "ok", "gr\ufffd\ufffde"),
        "32 pager": ("run", "git log", "ok", "Read durations"),
        "32 editor": ("run", "vi x", "failed", "Editors can't be used"),
        "32 no number": ("kill", "seven", "failed", "write the number"),
        "32 another number": ("kill", "7", "failed", "no background command 7"),
        # 33: paths
        "33 ..": ("read_file", "../../x", "failed", "outside the repository"),
        "33 /": ("read_file", "/etc/hostname", "failed", "outside the repository"),
        "33 link": ("read_file", "out", "failed", "leads out of the repository"),
        "33 a folder": ("read_file", "stopwatch", "failed", "is a folder"),
        "33 past the end": ("read_file", "README.md:5-99", "ok", "lines 5-8 of 8"),
        "33 .git": ("write_file", ".git/hooks/x\nx", "failed", "is inside .git"),
        "33 no parent": ("write_file", "a/b/c.txt\nx\n", "ok", "a/b/c.txt"),
    },
)
def test_a_trap(call: Call, name: str, given: str, status: str, told: str) -> None:
    seen = call(name, given)
    assert (seen.status, told in seen.text) == (status, True), seen.text
