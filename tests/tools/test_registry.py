"""Whatever is called with whatever: the answer is an Observation."""

import errno
from dataclasses import replace
from pathlib import Path
from typing import Never

import pytest
from check_rows import table_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from react_agent.parsers.settings.hidden import Hidden, HiddenKind
from react_agent.tools.context import Context, Limits
from react_agent.tools.edits.apply_patch import APPLY_PATCH, REPLACE
from react_agent.tools.errors import MachineError
from react_agent.tools.files.grep import GREP
from react_agent.tools.files.list_files import LIST_FILES
from react_agent.tools.files.read_file import READ_FILE
from react_agent.tools.observation import Observation, Status
from react_agent.tools.registry import How, Kind, Tool, build
from react_agent.tools.shell.process import run as run_process
from react_agent.tools.shell.run import RUN

ECHO = Tool("echo", "say it again", Kind.READ, lambda given, context: Observation(given))
NASTY = ["\0", "\ud800", "a\0b\n\udcff", "--help", "\r", "/", "..", "~", "`", "*", "x" * 9999]
REAL = [LIST_FILES, READ_FILE, GREP, APPLY_PATCH]


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Context:
    root = tmp_path_factory.mktemp("root")
    environment = {"PATH": "/usr/bin:/bin"}
    run_process(["git", "init", "-q"], cwd=root, env=environment, timeout_s=30)
    (root / "a.py").write_text("x = 1\n")
    return Context(root, environment=environment)


@pytest.mark.parametrize("tool", REAL, ids=lambda tool: tool.name)
@settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(given_text=st.sampled_from(NASTY) | st.text(st.characters(), max_size=40))
def test_no_text_at_all_breaks_a_tool(tool: Tool, given_text: str, context: Context) -> None:
    seen = build([tool], {}).call(tool.name, given_text, context).observation.text
    assert seen
    assert " is broken: " not in seen


@table_of(
    ("name", "given_text", "begins"),
    {
        "there": ("cat", "b.py", "[read as read_file sub/b.py]\nsub/b.py lines 1-1"),
        "from the root": ("cat", "a.py", "a.py lines 1-1"),
        "nowhere": ("cat", "c.py", "c.py does not exist"),
        "the folder": ("ls", "", "[read as list_files sub]\nsub holds 1 file"),
    },
)
def test_a_program_looks_where_commands_run(
    name: str, given_text: str, begins: str, context: Context
) -> None:
    (context.root / "sub").mkdir(exist_ok=True)
    (context.root / "sub" / "b.py").write_text("x = 2\n")
    registry = build(
        [LIST_FILES, READ_FILE],
        {"cat": Hidden(HiddenKind.COMMAND), "ls": Hidden(HiddenKind.COMMAND)},
    )
    answer = registry.call(name, given_text, replace(context, cwd="sub"))
    assert answer.observation.text.startswith(begins)


@table_of(
    ("search", "then", "status", "wrote", "end"),
    {
        "it runs": ("x = 1", "cat a.py", Status.OK, None, "exit code 0\nx = 2"),
        "it fails": ("x = 1", "false", Status.OK, None, "exit code 1, no output"),
        "no edit": ("x = 9", "pwd", Status.FAILED, ("a.py",), "changed: pwd]"),
        "barred": ("x = 1", "git push", Status.OK, ("a.py",), "push anything."),
        "none": ("x = 1", "run_tests", Status.OK, ("a.py",), "`replace`, `run`."),
    },
)  # fmt: skip
def test_an_edit_and_its_check_are_one_call(
    tmp_path: Path, search: str, then: str, status: Status, wrote: tuple[str, ...] | None, end: str
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    given = f"a.py\n<<<<<<< SEARCH\n{search}\n=======\nx = 2\n>>>>>>> REPLACE\nthen: {then}"
    context = Context(tmp_path, environment={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    answer = build([REPLACE, RUN], BARRED).call("replace", given, context)
    seen = answer.observation
    assert (answer.kind, answer.tool, seen.status, seen.wrote) == (
        Kind.WRITE, "replace", status, wrote,
    )  # fmt: skip
    assert seen.text.endswith(end)
    assert (tmp_path / "a.py").read_text() == ("x = 2\n" if status is Status.OK else "x = 1\n")


def test_what_a_tool_says_is_capped() -> None:
    limits = Limits(read_chars=1000)
    answer = build([ECHO], {}).call("echo", "line\n" * 9999, Context(Path(), limits))
    assert len(answer.observation.text) <= 1000
    assert "left out here" in answer.observation.text


@table_of(
    ("hidden", "message"),
    [
        ({"Echo": Hidden(HiddenKind.REDIRECT, "no")}, "Echo can.t be hidden: it is read as echo"),
        pytest.param(
            {"two-words": Hidden(HiddenKind.ALIAS, "echo")},
            "read as two_words",
            id="but for a dash",
        ),
        pytest.param(
            {"x": Hidden(HiddenKind.ALIAS, "y")},
            "y, which is not a tool here",
            id="alias of nothing",
        ),
    ],
)
def test_hidden_names_fit_the_offered_ones(hidden: dict[str, Hidden], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build([ECHO, replace(ECHO, name="two_words")], hidden)


SHELL = Tool("run", "", Kind.RUN, lambda given, context: Observation(f"ran {given}"))
LOOK = Tool("read_file", "", Kind.READ, lambda given, context: Observation(f"read {given}"))
BARRED: dict[str, Hidden] = {
    "git push": Hidden(HiddenKind.REDIRECT, "You can't push {input|anything}."),
    "vim": Hidden(HiddenKind.REDIRECT, "Nobody could type. Use {run}. Use {read_file}."),
    "python $": Hidden(HiddenKind.REDIRECT, "Give it a program."),
    "cat": Hidden(HiddenKind.COMMAND),
    "bash": Hidden(HiddenKind.SHELL),
    "edit": Hidden(HiddenKind.EDITOR),
}


@table_of(
    ("name", "given", "how", "entry", "text"),
    [
        pytest.param(
            "run", "make && git push -f", How.REDIRECT, "git push",
            "You can't push -f. No part of the line was run; leave this out of it: git push -f",
            id="one of several",
        ),
        pytest.param("run", "python x.py", How.VISIBLE, "", "ran python x.py", id="more behind it"),
        ("bash", "vim x", How.REDIRECT, "vim", "Nobody could type. Use `run`."),
        pytest.param("read_file", "x", How.UNOFFERED, "", "read x", id="not offered"),
        pytest.param(
            "edit", "faster", How.ALIAS, "",
            "no edit found: write the path, the old lines and the new lines",
            id="what can't be translated",
        ),
    ],
)  # fmt: skip
def test_a_line_is_run_translated_or_refused_whole(
    name: str, given: str, how: How, entry: str, text: str
) -> None:
    answer = build([SHELL], BARRED, [LOOK]).call(name, given, Context(Path()))
    assert (answer.how, answer.entry, answer.observation.text) == (how, entry, text)


def test_a_tool_knows_which_others_are_offered() -> None:
    seen = list[frozenset[str]]()

    def look(given: str, context: Context) -> Observation:
        seen.append(context.offered)
        return Observation(given)

    build([replace(LOOK, call=look), ECHO], {}).call("read_file", "x", Context(Path()))
    assert seen == [{"read_file", "echo"}]


@pytest.mark.fault(
    "{id} while a tool is at work", after="the run ends, and is taken up with that call"
)
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(OSError(errno.ENOSPC, "full"), id="the disk is full"),
        pytest.param(OSError(errno.EMFILE, "too many"), id="too many files are open"),
        pytest.param(MachineError("git: full"), id="git finds the disk full"),
    ],
)
def test_what_the_machine_lacks_is_no_answer_to_a_model(error: Exception, context: Context) -> None:
    def fails(given: str, context: Context) -> Never:
        raise error

    tools = [Tool("fails", "fail", Kind.READ, fails)]
    with pytest.raises(type(error), match=str(error.args[-1])):
        build(tools, {}).call("fails", "x", context)
