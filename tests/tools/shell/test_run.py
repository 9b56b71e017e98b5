import os
import subprocess
from pathlib import Path
from tempfile import mkdtemp

import pytest
from check_rows import EachRow, table_of
from reader_rows import FOLDER, read_rows

from react_agent.tools.context import Context, Limits
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.shell.process import Printed, ResourceLimits
from react_agent.tools.shell.run import RUN
from react_agent.tools.shell.shell import readable

PATH = {"PATH": "/usr/local/bin:/usr/bin:/bin"}


def run(root: Path, command: str, seconds: float = 20, output_chars: int = 8_000) -> Observation:
    limits = Limits(command_seconds=seconds, output_chars=output_chars)
    return RUN.call(command, Context(root, limits, PATH))


@table_of(
    ("home", "printed", "shown"),
    [
        ("", "ROOT ROOT/", ". ./"),
        ("", "ROOT/src/x.py:3: error", "src/x.py:3: error"),
        ("", "(ROOT/src)", "(src)"),
        ("", "ROOT-2/x ROOT.old /mntROOT/x", "ROOT-2/x ROOT.old /mntROOT/x"),
        ("", "cd ROOT && ls", "cd . && ls"),
        ("HOME", "HOME HOME/.cache/x a=HOME/ ROOT/x", "~ ~/.cache/x a=~/ x"),
        ("HOME", "HOMELY", "HOMELY"),
        ("/", "/ . /x", "/ . /x"),
        (".", "/ . /x", "/ . /x"),
    ],
)
def test_the_work_tree_and_the_home_are_shown_as_a_shell_names_them(
    tmp_path: Path, home: str, printed: str, shown: str
) -> None:
    names = {"HOME": str(tmp_path / "home"), "ROOT": str(tmp_path / "home" / "root")}
    Path(names["ROOT"]).mkdir(parents=True, exist_ok=True)

    def filled(text: str) -> str:
        return text.replace("HOME", names["HOME"]).replace("ROOT", names["ROOT"])

    context = Context(Path(names["ROOT"]), environment={**PATH, "HOME": filled(home)})
    seen = RUN.call(f"echo '{filled(printed)}'", context)
    assert seen == Observation(f"exit code 0\n{filled(shown)}")


def test_the_folder_lasts(tmp_path: Path, each_row: EachRow) -> None:
    def ran(cwd: str, command: str) -> tuple[str, dict[str, str]]:
        root = Path(mkdtemp(dir=tmp_path))
        (root / "src" / "deep").mkdir(parents=True)
        (root / ".git").mkdir()
        (root / "link").symlink_to("src/deep")
        (root / "out").symlink_to("/")
        seen = RUN.call(command, Context(root, environment=PATH, cwd=cwd))
        return seen.text, dict(seen.facts)

    each_row(read_rows(FOLDER / "own/run.txt"), lambda row: row.check({"ran": ran}))


@table_of("command", ["echo $LINENO $0\nno-such; (\nfi", "if then fi", "'", "<<E"])
def test_the_shell_s_own_words_are_as_without_us(tmp_path: Path, command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, env=PATH
    )
    plain = (done.stdout + done.stderr).rstrip()
    assert run(tmp_path, command).text == f"exit code {done.returncode}\n{plain}"


def test_no_file_of_ours_stays(tmp_path: Path) -> None:
    root, tmp = tmp_path / "root", tmp_path / os.fsdecode(b"t\xff")  # no UTF-8
    root.mkdir()
    tmp.mkdir()
    context = Context(root, environment={**PATH, "TMPDIR": str(tmp)})
    assert RUN.call("ls -A $TMPDIR | wc -l", context).text == "exit code 0\n1"
    assert RUN.call("rm -r $TMPDIR", context).text == "exit code 0, no output"
    assert not tmp.exists()


@pytest.mark.parametrize(
    ("command", "text"),
    [
        pytest.param(
            "for n in $(seq 60); do sleep 30 & done; wait",
            "ended: more than 40 processes at once, no output",
            id="processes",
        ),
        pytest.param(
            """python3 -c "x = b'x' * 150_000_000; import time; time.sleep(30)" """,
            "ended: more than 100 MB of memory in use at once, no output",
            id="memory",
        ),
        ("while :; do :; done", "ended: more than 1 s of processor time, no output"),
        ("exec head -c 3000000 /dev/zero > x", "ended: a file of more than 1 MB, no output"),
    ],
)
def test_a_limit_has_a_name(tmp_path: Path, command: str, text: str) -> None:
    resource_limits = ResourceLimits(
        cpu_seconds=1, memory=100 << 20, processes=40, file_bytes=1 << 20
    )
    context = Context(tmp_path, environment=PATH, resource_limits=resource_limits)
    assert RUN.call(command, context) == failed(text)


def test_what_a_command_said_until_it_took_too_long_is_shown(tmp_path: Path) -> None:
    text = "ended by the time limit of 0.3 s, with everything it had started\nbegun"
    assert run(tmp_path, "echo begun; sleep 20", seconds=0.3) == failed(text)


@table_of(
    ("output_chars", "said"),
    [
        (1_000, "about 588,173 bytes left out here: at most 1,000 characters are shown at once"),
        (400_000, "388,895 bytes lost here"),
    ],
)
def test_of_very_long_output_one_number_says_how_much_is_not_shown(
    tmp_path: Path, output_chars: int, said: str
) -> None:
    lines = run(tmp_path, "seq 1 100000", output_chars=output_chars).text.split("\n")
    assert (lines[:2], lines[-1]) == (["exit code 0", "1"], "100000")
    note = f"[... {said}, send it to a file and read parts, or filter it ...]"
    assert [line for line in lines if "[" in line] == [note]


def test_a_very_long_command_is_not_run(tmp_path: Path) -> None:
    text = "the command is too long (more than 100,000 bytes)"
    assert run(tmp_path, "#" * 100_001) == failed(text)


def test_a_work_tree_that_is_gone_is_an_answer(tmp_path: Path) -> None:
    seen = run(tmp_path / "gone", "true")
    assert (seen.status, "there is no folder" in seen.text) == (Status.FAILED, True)


def test_a_character_is_read_whole_where_nothing_is_lost(tmp_path: Path) -> None:
    assert readable(Printed(b"\xc3", b"\xa9"), Context(tmp_path)) == "é"
