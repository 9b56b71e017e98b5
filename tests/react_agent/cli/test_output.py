"""What is printed: on a terminal, wide and narrow, without colours, into pipes of any encoding."""

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from emulated import Terminal

pytestmark = pytest.mark.slow  # all of them together

TITLE = "The title is in lower case"
STATUS = re.compile(r"^(?:step \d+  .*|[\d,]+ tokens?)  \d+ s", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[(?:\d+;)*[34]\d(?:;\d+)*m")


NARROWED = {"run sleep": 40, "step 3": 120}
WIDTHS = [
    *(pytest.param(Terminal(columns), {}, id=str(columns)) for columns in (80, 40, 200)),
    pytest.param(Terminal(80), NARROWED, id="narrower, then wider"),
    pytest.param(Terminal(80, fills_again=False), NARROWED, id="the same, lines as they are"),
    pytest.param(Terminal(40), {"run sleep": 200}, id="wider"),
]


@pytest.mark.parametrize(("terminal", "widths"), WIDTHS)
def test_rows_that_count_leave_no_trace(
    cli: Any, repository: Path, terminal: Terminal, widths: dict[str, int]
) -> None:
    """The second step is long enough to see the status line count."""
    model = cli.record(("read_file", "README.md"), ("run", "sleep 0.3; seq 40"))
    solve = ("solve", TITLE, "--repo", "repository", "--model", f"replay/{model}")
    terminal = copy.deepcopy(terminal)
    counted: list[str] = []
    assert cli.watched(terminal, *solve, widths=widths, looked=counted.append) == 1
    steps = {line[:6] for text in counted for line in STATUS.findall(text)}
    assert {"step 1", "step 2", "step 3"} <= steps
    lines = terminal.lines
    assert STATUS.findall(terminal.text) == []
    assert [line for line in lines if len(line) > terminal.columns] == []
    assert (terminal.has_cursor, terminal.wraps) == (True, True)
    for line in ("Thought: now this", "Action: read_file", "Observation: exit code 0"):
        assert line in lines
    assert "%% 29 more lines (41 lines, 122 B)" in lines
    assert "outcome    no_change" in lines


@pytest.fixture
def recorded(cli: Any) -> str:
    """A transcript by somebody who means no good, and one line that is only foreign."""
    path: Path = cli.record(("grep", "x"), name="evil.txt")
    evil = "[red]x[/] [link=http://x]y[/link] :bug: \x1b]0;title\x07 \x9b31m \x1b[2J \u202e é…"
    path.write_text(path.read_text().replace("Observation: x", f"Observation: {evil}"))
    with path.open("a", encoding="utf-8") as file:
        file.write(f"%% note: {evil}\n%% hint: \u2028\n")
    with path.open("ab") as binary:
        binary.write(b"%% note: \xff\xfe\n")
    return path.name


VISIBLE = (
    "[red]x[/] [link=http://x]y[/link] :bug: "
    "<U+001B>]0;title<U+0007> <U+009B>31m <U+001B>[2J <U+202E> é…"
)
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ud800-\udfff]")


@pytest.mark.parametrize("options", [(), ("--full",)], ids=["folded", "full"])
def test_a_transcript_can_not_speak_to_the_terminal(
    cli: Any, recorded: str, options: tuple[str, ...]
) -> None:
    answer = cli("show", recorded, *options)
    assert (answer.code, CONTROLS.findall(answer.out)) == (0, [])
    assert f"Observation: {VISIBLE}\n" in answer.out
    assert f"%% note: {VISIBLE}\n" in answer.out
    assert "%% note: <U+DCFF><U+DCFE>\n" in answer.out


def test_raw_is_the_file_itself(cli: Any, recorded: str) -> None:
    with cli.start("show", recorded, "--raw") as process:
        assert process.stdout.buffer.read() == (cli.folder / recorded).read_bytes()


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="ascii"),
        pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C"),
    ],
)
def test_an_encoding_that_lacks_a_letter(
    cli: Any, recorded: str, environment: dict[str, str]
) -> None:
    assert r"\xe9\u2026" in cli.run("show", recorded, env=environment).ends_well()
    missing = cli.run("show", "Größe", env=environment)
    assert (missing.code, missing.err.count("\n")) == (2, 1)


def test_a_terminal_without_columns(cli: Any, recorded: str) -> None:
    whole = cli.run("show", recorded, env={"COLUMNS": "80"})
    assert "Action: grep\n" in whole.out
    assert cli.run("show", recorded, env={"COLUMNS": "0"}) == whole


@pytest.fixture
def long(cli: Any) -> str:
    """A transcript in which something is folded."""
    path: Path = cli.record(("run", "seq 40"))
    lines = "\n".join(map(str, range(1, 41)))
    path.write_text(path.read_text().replace("Observation: x", f"Observation: {lines}"))
    return path.name


def test_show_pages_on_a_terminal_only(cli: Any, long: str) -> None:
    paged = cli.folder / "paged"
    pager = {"PAGER": f"tee {paged}"}
    assert cli.run("show", long, env=pager).code == 0
    assert not paged.exists()
    assert cli.on_terminal("show", long, env=pager)[0] == 0
    assert "\x1b[1;36mThought:\x1b[0m now this\n" in paged.read_text()
    assert "\x1b[1;33mObservation:\x1b[0m" in paged.read_text()


def test_no_colour_where_none_is_wanted(cli: Any, long: str) -> None:
    code, sent = cli.on_terminal("show", long, env={"PAGER": "cat", "NO_COLOR": "1"})
    assert (code, COLOUR.search(sent)) == (0, None)
    assert "\x1b[1mThought:\x1b[0m now this" in sent


@pytest.mark.parametrize("command", ["--help", "inspect tools", "show evil.txt --raw"])
def test_a_full_disk_behind_it(cli: Any, recorded: str, command: str) -> None:
    full = cli.run(*command.split(), through=("sh", "-c", '"$@" >/dev/full', "sh"))
    assert (full.code, full.err) == (3, "react-agent: No space left on device\n")


@pytest.mark.parametrize("command", ["--version", "show evil.txt", "show evil.txt --raw"])
def test_nobody_reads_it(cli: Any, recorded: str, command: str) -> None:
    with cli.start(*command.split()) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait(30)) == ("", 0)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "2>/dev/full"])
def test_it_is_closed(cli: Any, recorded: str, closed: str) -> None:
    shell = ("sh", "-c", f'"$@" {closed}', "sh")
    assert cli.run("show", "evil.txt", "--raw", through=shell).err == ""
    missing = cli.run("show", "nosuch", through=shell)
    assert (missing.code, missing.out) == (2, "")


def test_a_page_shows_no_key_of_the_settings(cli: Any) -> None:
    """A patch holds what was changed to the letter."""
    key = "".join(("Zq83kfXw0p", "Lm2Rt7vB19"))  # this repository holds no keys
    place = cli.settings("[react_agent]\nenv_file = keys\n")
    place.with_name("keys").write_text(f"MY_KEY={key}\n")
    run = cli.record("it is done")
    run.with_name("patch.diff").write_text(f"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y = '{key}'\n")
    assert cli.run("page", run.name, "--out", "page.html").code == 0
    page = (cli.folder / "page.html").read_text()
    assert ("The whole change" in page, key in page) == (True, False)
