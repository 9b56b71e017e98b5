"""The traps of tools, each in the words of a model and with the tools of the profile."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from react_agent.demo.repository import make_repository
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.settings import Settings
from react_agent.profiles.toolbox import registry_for, with_settings
from react_agent.tools.context import Context, Limits
from react_agent.tools.git.repository import find_base
from react_agent.tools.git.workspace import make
from react_agent.tools.observation import Observation
from react_agent.tools.registry import Registry
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
    made = make(base, root=folder / "workspace", branch="react-agent/x", cuts=folder / "cuts")
    root = made.root
    (root / "min.js").write_text(MINIFIED)
    (root / "many.txt").write_text("needle here\n" * 500)
    (root / "data.bin").write_bytes(b"\0needle\0" * 9)
    (root / "latin.txt").write_bytes(b"gr\xfc\xdfe\n")
    (root / "out").symlink_to("/etc/hostname")
    (folder / "home").mkdir()
    return folder


@pytest.fixture(scope="module")
def registry() -> Registry:
    return registry_for(with_settings(shipped("issue"), Settings()))


@pytest.fixture
def call(place: Path, registry: Registry) -> Iterator[Call]:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(place / "home")}
    background = Background()
    limits = Limits(command_seconds=1)
    root = place / "workspace"
    context = Context(root, limits, environment=environment, background=background)

    def answer(name: str, given: str) -> Observation:
        return registry.call(name, given, context).observation

    yield answer
    background.close()


@pytest.mark.parametrize(
    ("name", "given", "status", "told"),
    [
        # 24: a long line that is left out reads like no match
        pytest.param("grep", "parse_duration\npath: min.js", "ok", "clipped around", id="24"),
        # 25: an empty result reads like proof of absence
        pytest.param("grep", "parseDurations", "empty", "parse_duration", id="25 spelling"),
        pytest.param("grep", "zzqxy", "empty", "no line of ", id="25 scope"),
        pytest.param("list_files", "parsng.py", "failed", "stopwatch/parsing.py", id="25 names"),
        pytest.param("read_file", "parsing.py", "failed", "stopwatch/parsing.py", id="25 path"),
        # 26: names, special characters, binaries, very many
        pytest.param("grep", "parsing.py", "ok", "stopwatch/parsing.py", id="26 a file's name"),
        pytest.param("grep", "*.cfg", "ok", ".react-agent.cfg", id="26 a glob"),
        pytest.param("grep", "parse_duration(text", "ok", "def parse_duration", id="26 not closed"),
        pytest.param("grep", "needle", "ok", "binary files that match: data.bin", id="26 binary"),
        pytest.param("grep", "needle here", "ok", "not shown: narrow it", id="26 very many"),
        # 27: all of a patch or none
        pytest.param("apply_patch", HALF, "failed", "nosuch.py", id="27"),
        # 28: a patch that is written, or applied through a shell
        pytest.param("write_file", "fix.patch\n" + DIFF, "ok", "README.md", id="28 written"),
        # 29, 34: what is hidden answers, and is offered nowhere
        pytest.param("think", "hm", "ok", "Thought line", id="34 think"),
        pytest.param("finish", "done", "ok", "Conclusion", id="34 finish"),
        pytest.param("ask_operator", "which?", "failed", "No operator is there", id="34 ask"),
        # 31: a sub-agent for a file that is not there
        pytest.param(
            "update_file", "nosuch.py\nx", "failed", "it can't be delegated here", id="31"
        ),
        # 32: commands
        pytest.param(
            "run", "echo a; echo b >&2; exit 3", "failed", "exit code 3\na\nb", id="32 err"
        ),
        pytest.param("run", "echo first; sleep 9", "failed", "first", id="32 partial output"),
        pytest.param("run", "read x; echo got $?", "ok", "got 1", id="32 no keyboard"),
        pytest.param("run", "cat latin.txt", "ok", "gr\ufffd\ufffde", id="32 not UTF-8"),
        pytest.param("run", "git log", "ok", "Read durations", id="32 pager"),
        pytest.param("run", "vi x", "failed", "Editors can't be used", id="32 editor"),
        pytest.param("kill", "seven", "failed", "write the number", id="32 no number"),
        pytest.param("kill", "7", "failed", "no background command 7", id="32 another number"),
        # 33: paths
        pytest.param("read_file", "../../x", "failed", "outside the repository", id="33 .."),
        pytest.param("read_file", "/etc/hostname", "failed", "outside the repository", id="33 /"),
        pytest.param("read_file", "out", "failed", "leads out of the repository", id="33 link"),
        pytest.param("read_file", "stopwatch", "failed", "is a folder", id="33 a folder"),
        pytest.param("read_file", "README.md:5-99", "ok", "lines 5-8 of 8", id="33 past the end"),
        pytest.param("write_file", ".git/hooks/x\nx", "failed", "is inside .git", id="33 .git"),
        pytest.param("write_file", "a/b/c.txt\nx\n", "ok", "a/b/c.txt", id="33 no parent"),
    ],
)
def test_a_trap(call: Call, name: str, given: str, status: str, told: str) -> None:
    seen = call(name, given)
    assert (seen.status, told in seen.text) == (status, True), seen.text


def test_a_patch_of_which_a_part_fails_changes_nothing(call: Call, place: Path) -> None:
    before = (place / "workspace" / "units.txt").exists()
    bad = (
        "--- /dev/null\n+++ b/units.txt\n@@ -0,0 +1 @@\n+x\n" + HALF.partition("+# Stopwatch\n")[2]
    )
    assert call("apply_patch", bad).status == "failed"
    assert (place / "workspace" / "units.txt").exists() == before is False


def test_what_is_written_ends_in_one_newline(call: Call, place: Path) -> None:
    call("write_file", "one.txt\nx\n")
    assert (place / "workspace" / "one.txt").read_bytes() == b"x\n"


def test_nothing_outlives_its_command(call: Call, place: Path) -> None:
    mark = "61.7171"
    call("run", f"setsid sleep {mark} & (setsid sleep {mark} &) ; nohup sleep {mark} >/dev/null &")
    found = subprocess.run(["pgrep", "-f", f"^sleep {mark}$"], capture_output=True)
    assert found.stdout == b""


def test_protocol_and_questions_are_never_offered() -> None:
    asking = {"think", "finish", "ask_operator", "ask_user", "ask_human", "final_answer"}
    assert not asking & set(shipped("issue").tools)
