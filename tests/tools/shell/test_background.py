import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import is_gone, see, written

from react_agent.tools.context import Context, Limits
from react_agent.tools.observation import Observation, Status, failed
from react_agent.tools.shell.background import Background
from react_agent.tools.shell.run import KILL, RUN_BACKGROUND, listing, news

PATH = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
NONE_HERE = "commands can't be run in the background here"
OFFERED = frozenset({"run", "run_background", "kill"})


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    (tmp_path / "src").mkdir()
    background = Background(most=3, patience_s=0.05)
    yield Context(tmp_path, environment=PATH, background=background, offered=OFFERED)
    background.close()
    background.close()


def _start(command: str, context: Context, patience_s: float = 0.05) -> Observation:
    if context.background:
        context.background.patience_s = patience_s  # of what prints at once, more
    return RUN_BACKGROUND.call(command, context)


def _next_news(context: Context) -> str:
    found: list[str] = []
    see(lambda: found.append(news(context)) or found[-1])
    return found[-1]


FIRST = {"background": "1"}  # of a command that goes on


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(
            "sleep 60",
            Observation(
                "runs in the background as number 1; its output is shown later, no output in "
                "the first 0.3 s",
                facts=FIRST,
            ),
            id="silent",
        ),
        pytest.param(
            "echo up; pwd; sleep 60",
            Observation(
                "runs in the background as number 1; its output is shown later\nup\n.",
                facts=FIRST,
            ),
            id="prints",
        ),
        pytest.param(
            '{"command": "no-such"}',
            failed(
                "[read as no-such]\nit has already ended: exit code 127\n"
                "bash: line 1: no-such: command not found"
            ),
            id="no such program",
        ),
        ("true", Observation("it has already ended: exit code 0, no output")),
        ("", failed("there is no command: write a shell command line")),
    ],
)
def test_start(context: Context, command: str, expected: Observation) -> None:
    assert _start(command, context, 0.3 if "sleep" in command else 20) == expected


def test_starts_in_the_folder_of_the_commands(context: Context) -> None:
    seen = _start("pwd; sleep 60", replace(context, cwd="src"), 0.3)
    title = "runs in the background as number 1 (in src); its output is shown later"
    assert seen.text == f"{title}\nsrc"


def test_tells_once_what_is_new(context: Context) -> None:
    _start("echo first; until [ -e go ]; do sleep 0.02; done; echo second; exit 3", context, 0.3)
    assert news(context) == ""
    (context.root / "go").touch()
    told = _next_news(context)
    while "ended" not in told:
        told += "|" + _next_news(context)
    assert told.replace(" printed:\nsecond|", "|").endswith("has ended: exit code 3") or (
        told.endswith("has ended: exit code 3\nsecond")
    )
    assert (news(context), listing(context)) == ("", "")


def test_lists_what_runs(context: Context) -> None:
    assert listing(context) == ""
    _start("sleep 60", context)
    _start("sleep  61 # and a long remark that nobody will want to read in each prompt", context)
    assert listing(context).split("\n") == [
        "These commands are running in the background:",
        "1: sleep 60",
        "2: sleep 61 # and a long rema…(+47 characters)",
        "`kill` with a number ends one.",
    ]
    assert "kill" not in listing(replace(context, offered=frozenset()))


def test_not_too_many(context: Context) -> None:
    for _ in range(3):
        assert _start("sleep 60", context).status is Status.OK
    assert _start("sleep 60", context).text.startswith("3 commands run already; end one first.")
    assert KILL.call("2", context).text == "background command 2 (sleep 60) was ended"
    assert "as number 4;" in _start("sleep 60", context).text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param("#1", Observation("background command 1 (sleep 60) was ended"), id="one"),
        pytest.param(
            "all",
            Observation(
                "background command 1 (sleep 60) was ended\n\n"
                "background command 2 (echo hello; sleep 61) was ended"
            ),
            id="all",
        ),
        pytest.param(
            "7",
            failed(
                "there is no background command 7. Running: 1: sleep 60; "
                "2: echo hello; sleep 61."
            ),
            id="unknown",
        ),
        pytest.param(
            "the server",
            failed(
                "write the number of the command. Running: 1: sleep 60; 2: echo hello; sleep 61."
            ),
            id="no number",
        ),
    ],
)  # fmt: skip
def test_kill(context: Context, given: str, expected: Observation) -> None:
    _start("sleep 60", context)
    _start("echo hello; sleep 61", context, 0.3)
    news(context)
    assert KILL.call(given, context) == expected


def test_kill_what_has_ended(context: Context) -> None:
    _start("sleep 0.3; echo last words; exit 3", context, 0.1)
    see(lambda: listing(context) == "")
    title = "background command 1 (sleep 0.3; echo last words; exit 3) had already ended"
    assert KILL.call("1", context) == failed(f"{title}: exit code 3\nlast words")
    assert KILL.call("all", context) == failed("write the number of the command. None is running.")


def test_there_may_be_no_background(tmp_path: Path) -> None:
    context = Context(tmp_path, offered=OFFERED)
    assert _start("true", context) == failed(f"{NONE_HERE}: use `run`")
    assert KILL.call("1", context) == failed(NONE_HERE)
    assert (news(context), listing(context)) == ("", "")
    assert _start("true", replace(context, offered=frozenset())) == failed(NONE_HERE)


def test_much_that_nobody_reads_neither_blocks_nor_takes_memory(context: Context) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _start("head -c 100000000 /dev/zero | tr '\\0' x; touch done; sleep 60", context)
    see((context.root / "done").exists)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB
    small = replace(context, limits=Limits(output_chars=900))
    assert len(_next_news(small)) <= 900 + 60


def test_nothing_stays_after_the_close(context: Context) -> None:
    assert context.background
    _start("setsid sh -c 'echo $$ > daemon; exec sleep 60' & sleep 60", context)
    daemon = written(context.root / "daemon")
    context.background.close()
    assert is_gone(daemon)
    assert listing(context) == ""
