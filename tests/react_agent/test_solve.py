"""Whole runs on a real repository: solved, given up, broken off, taken up, done again."""

import shutil
from dataclasses import replace
from typing import Any

import pytest
from replies import DONE, LOOK, call, interrupt, run
from replies import TITLE as CHANGE

from react_agent.errors import UsageError
from react_agent.models.contract import View
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import solve
from react_agent.state import transcript as transcripts
from react_agent.state.stop import Stop

ADD = """ a file
Action: apply_patch
Action Input: --- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+NEW = True
"""
LITTER = run("echo x > scratch.txt; echo y >> README.md")
UNKNOWN = "not known: no test run was found in this transcript"


def test_the_change_becomes_a_branch_and_nothing_else(demo_desk: Any) -> None:
    demo_desk.repository.joinpath("README.md").write_text("mine\n")
    outcome = demo_desk.solve(ADD, CHANGE, LITTER, DONE)
    assert (outcome.stop, outcome.is_success) == (Stop.CONCLUDED, True)
    branch = outcome.branch
    assert branch.startswith("react-agent/a-title-")
    assert demo_desk.git("diff", "--name-status", "main", branch) == "M\tREADME.md\nA\tnew.py"
    assert demo_desk.git("show", f"{branch}:README.md").startswith("# Stopwatch\n")
    assert demo_desk.git("show", f"{branch}:README.md").endswith("\ny")
    assert demo_desk.git("log", "-1", "--format=%an <%ae>%n%B", branch) == (
        "react-agent <react-agent@localhost>\nA title\n\nit is done"
    )
    assert demo_desk.git("status", "--porcelain") == "M README.md"
    assert outcome.left_out == ("scratch.txt",)
    assert outcome.tests == (
        "1 failed, 5 passed; "
        "test_parsing.TestParsing.test_a_space_before_the_unit fails without the change, too"
    )
    assert outcome.kept is False
    assert sorted(path.name for path in outcome.folder.path.iterdir()) == [
        "lock",
        "patch.diff",
        "report.md",
        "steps.diff",
        "transcript.txt",
    ]


def test_the_report_and_the_patch_stay(desk: Any) -> None:
    outcome = desk.solve(CHANGE, call("fly", "y"), DONE)
    report = outcome.folder.report.read_text()
    assert "Ended as `concluded` (by the model): 2 steps and a conclusion, " in report
    assert f"in the branch {outcome.branch}\n\n     README.md | " in report
    assert "    README.md: changed at step 1" in report
    assert "- fly (1)" in report
    assert outcome.folder.patch.read_bytes().startswith(b"diff --git a/README.md b/README.md\n")


@pytest.mark.parametrize(
    ("commands", "tests"),
    [
        pytest.param(
            ["python3 -m unittest -q"], "failed at step 2: python3 -m unittest -q", id="plain"
        ),
        pytest.param(["python3 -m unittest -q | cat"], UNKNOWN, id="of a pipeline"),
    ],
)
def test_says_of_tests_what_it_can_know(desk: Any, commands: list[str], tests: str) -> None:
    outcome = desk.solve(CHANGE, *map(run, commands), " no\nConclusion: I give up")
    assert outcome.tests == tests


def test_says_that_files_changed_after_the_tests(desk: Any) -> None:
    tests = run("python3 -m unittest tests.test_printing")
    outcome = desk.solve(tests, CHANGE, " no\nConclusion: I give up")
    assert outcome.tests == (
        "passed at step 1, before the last change: python3 -m unittest tests.test_printing"
    )


def test_the_tests_see_what_the_branch_gets_and_nothing_else(desk: Any) -> None:
    helper = run("echo X = 1 > helper.py")
    use = ADD.replace("+NEW = True", "+import helper")
    tests = desk.repository / ".react-agent.cfg"
    tests.write_text("[react_agent]\ntest = python3 -c 'import new'\n")
    desk.git("commit", "-qam", "tests")
    outcome = desk.solve(helper, use, DONE)
    assert outcome.tests == (
        "not known: exit code 1 (ModuleNotFoundError: No module named 'helper'), with and without "
        "the change"
    )
    assert "    ModuleNotFoundError: No module named 'helper'" in outcome.folder.report.read_text()
    assert outcome.diff.split("\n")[-1].strip() == "1 file changed, 1 insertion(+)"
    assert b"helper.py" not in outcome.folder.patch.read_bytes()
    assert not (outcome.folder.path / "checkout").exists()


def test_a_step_that_removes_the_git_of_commands_loses_nothing(desk: Any) -> None:
    rage = run("echo y >> README.md; rm -rf .git")
    outcome = desk.solve(ADD, CHANGE, rage, DONE)
    assert desk.git("diff", "--name-only", "main", outcome.branch) == "README.md\nnew.py"
    assert desk.git("show", f"{outcome.branch}:README.md").endswith("\ny")


def test_a_conclusion_gives_a_terminal_no_orders(desk: Any) -> None:
    outcome = desk.solve(CHANGE, " x\nConclusion: done \x1b]0;pwned\x07")
    assert desk.git("log", "-1", "--format=%b", outcome.branch) == ("done <U+001B>]0;pwned<U+0007>")


def test_a_run_that_is_cut_does_not_know_its_future(desk: Any) -> None:
    ahead = run("echo y > fut.py; git add fut.py; git commit -qm FUTURE")
    first = desk.solve(ADD, ahead, interrupt)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("Thought: go\n")])
    look = run("git log --format=%s; git status --short")
    second = desk.take_up(first.folder, look, DONE)
    assert "FUTURE" not in second.state.steps[1].seen.text
    assert "fut.py" not in second.state.steps[1].seen.text
    assert desk.git("diff", "--name-only", "main", second.branch) == "new.py"


@pytest.mark.parametrize("name", ["report.md", "patch.diff", "home", "workspace"])
def test_a_folder_that_no_run_made_is_left_alone(desk: Any, name: str) -> None:
    first = desk.solve(LOOK, interrupt)
    mine = desk.folder / "mine"
    mine.mkdir()
    shutil.copy(first.folder.transcript, mine)
    (mine / name).write_text("mine\n")
    with pytest.raises(UsageError, match=rf"{name} already exists"):
        desk.take_up(RunFolder(mine), DONE)
    assert sorted(path.name for path in mine.iterdir()) == sorted([name, "transcript.txt"])


@pytest.mark.parametrize("header", ["repository", "base"])
def test_a_header_that_nothing_can_be_called_is_one_line(desk: Any, header: str) -> None:
    first = desk.solve(LOOK, interrupt)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text.replace(f"%% {header}: ", f"%% {header}: <U+0000>", 1))
    for go_on in (desk.take_up, desk.replay):
        with pytest.raises(
            UsageError, match=rf"`%% {header}:` contains a character that no name may have$"
        ):
            go_on(first.folder)


def test_nothing_changed_is_no_success(desk: Any) -> None:
    outcome = desk.solve(LOOK, DONE)
    assert (outcome.stop, outcome.branch, outcome.is_success) == (Stop.CONCLUDED, "", False)
    assert desk.git("branch", "--format=%(refname:short)") == "main"


def test_giving_up_leaves_a_report_and_no_branch(desk: Any) -> None:
    outcome = desk.solve(CHANGE, " no\nConclusion: I give up because it is late")
    assert (outcome.stop, outcome.branch, outcome.kept) == (Stop.GAVE_UP, "", False)
    assert "I give up because it is late" in outcome.folder.report.read_text()
    assert outcome.folder.patch.read_bytes() != b""


def test_the_workspace_stays_when_asked_for(desk: Any) -> None:
    outcome = desk.solve(CHANGE, DONE, keep=True)
    assert (outcome.folder.workspace / "README.md").read_text().startswith("# Stopwatch")


def test_what_fails_at_the_start_leaves_nothing(desk: Any) -> None:
    with pytest.raises(UsageError, match=r"^no model 'replay/'; write replay/FILE$"):
        solve(replace(desk.request(), model="replay/"), desk.around())
    assert list((desk.folder / "runs").glob("*")) == []


def test_a_run_that_was_broken_off_goes_on(desk: Any) -> None:
    first = desk.solve(ADD, LOOK, interrupt)
    assert (first.stop, first.kept) == (Stop.INTERRUPTED, True)
    first.folder.workspace.joinpath("new.py").write_text("changed by somebody\n")
    first.folder.workspace.joinpath("stray.py").write_text("\n")
    second = desk.take_up(first.folder, CHANGE, DONE)
    assert (second.stop, len(second.state.steps)) == (Stop.CONCLUDED, 3)
    assert desk.git("show", f"{second.branch}:new.py") == "NEW = True"
    assert "stray.py" not in desk.git("ls-tree", "--name-only", second.branch)


@pytest.mark.parametrize("lost", [".", "../git/checkpoints"])
def test_a_run_whose_workspace_is_gone_does_its_steps_again(desk: Any, lost: str) -> None:
    first = desk.solve(ADD, CHANGE, interrupt)
    shutil.rmtree(first.folder.workspace / lost)
    second = desk.take_up(first.folder, DONE)
    names = desk.git("diff", "--name-only", "main", second.branch)
    assert (names, desk.told) == ("README.md\nnew.py", [])


def test_steps_that_turn_out_otherwise_are_said(desk: Any) -> None:
    clock = run("date +%N > stamp.txt")
    first = desk.solve(clock, interrupt)
    shutil.rmtree(first.folder.workspace)
    desk.take_up(first.folder, DONE)
    assert desk.told == ["step 1 now leaves different files than before"]


def test_a_cut_file_goes_on_from_where_it_was_cut(desk: Any) -> None:
    first = desk.solve(ADD, CHANGE, DONE, keep=True)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("Thought: a change")])
    second = desk.take_up(first.folder, LOOK, DONE)
    assert second.branch == f"{first.branch}-2"
    assert desk.git("diff", "--name-only", "main", second.branch) == "new.py"


def test_a_finished_run_is_not_taken_up(desk: Any) -> None:
    first = desk.solve(CHANGE, DONE)
    said = r"^this run has ended as concluded; react-agent chat .* continues it; react-agent fork"
    with pytest.raises(UsageError, match=said):
        desk.take_up(first.folder, DONE)
    transcripts.reopen(first.folder.transcript)[0].close()


def test_more_steps_are_given_and_remembered(desk: Any) -> None:
    first = desk.solve(LOOK, ADD, DONE, budget={"steps": "1"})
    assert first.stop is Stop.OUT_OF_STEPS
    second = desk.take_up(first.folder, ADD, interrupt, budget={"steps": "9"})
    third = desk.take_up(first.folder, DONE)
    assert (second.stop, third.stop) == (Stop.INTERRUPTED, Stop.CONCLUDED)
    assert third.state.header["limits"].startswith("steps=9 ")


def test_the_list_of_files_is_the_last_checkpoint_of_this_process(desk: Any) -> None:
    def put(name: str) -> Any:
        """Beside the run, which does not see it before its next checkpoint."""

        def reply(view: View) -> str:
            for place in desk.folder.glob("runs/*/workspace"):
                (place / name).touch()
            return LOOK

        return reply

    touch = run("touch new.py")  # after an edit, nothing else is seen
    first = desk.solve(put("zero.py"), touch, put("one.py"), interrupt)
    second = desk.take_up(first.folder, put("two.py"), touch.replace("new", "n"), put("three.py"))
    texts = [step.text for step in second.state.steps if step.tool == "list_files"]
    names = ("zero", "new", "one", "two", "n", "three")
    assert [[name for name in names if f"{name}.py" in text.split()] for text in texts] == [
        [],
        ["zero", "new"],
        ["zero", "new", "two"],
        ["zero", "new", "two", "n"],
    ]


def test_replies_that_could_not_be_read_are_counted_anew(desk: Any) -> None:
    first = desk.solve(*["well"] * 3)
    assert first.stop is Stop.STUCK
    second = desk.take_up(first.folder, "hm", ADD, DONE)
    assert (second.stop, len(second.state.steps)) == (Stop.CONCLUDED, 5)


def test_a_repository_may_move_in_between(desk: Any) -> None:
    first = desk.solve(ADD, interrupt)
    moved = desk.repository.rename(desk.folder / "moved")
    second = desk.take_up(first.folder, DONE, repository=moved)
    assert desk.git("show", f"{second.branch}:new.py", folder=moved) == "NEW = True"


def test_a_run_killed_before_its_branch_gets_one(desk: Any) -> None:
    first = desk.solve(CHANGE, DONE, publish=False, keep=True)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("%% stop") + len("%% stop: concluded\n")])
    second = desk.take_up(first.folder)
    assert second.is_success
    assert desk.git("show", f"{second.branch}:README.md").startswith("# Stopwatch")


def test_a_replay_is_the_same_run(desk: Any) -> None:
    first = desk.solve(ADD, LOOK, CHANGE, DONE)
    told = desk.told
    second = desk.replay(first.folder)
    assert (told, second.stop, second.branch) == ([], Stop.CONCLUDED, "")
    assert [step.text for step in second.state.steps] == [step.text for step in first.state.steps]


def test_a_replay_goes_on_as_the_run_was_resumed(desk: Any) -> None:
    start = " x\nAction: run_background\nAction Input: sleep 30\n"
    first = desk.solve(LOOK, start, budget={"steps": "2"})
    second = desk.take_up(first.folder, LOOK, CHANGE, DONE, budget={"steps": "9"})
    replayed = desk.replay(first.folder)
    assert (desk.told, replayed.stop) == ([], Stop.CONCLUDED)
    assert replayed.state.length == second.state.length


def test_a_tool_that_is_gone_is_said_to_be(desk: Any) -> None:
    desk.profiles.joinpath("issue.cfg").write_text(
        "[profile]\nbased on = issue\ngate = off\nunoffered = undo blame\n"
    )
    around = desk.around(" x\nAction: git_log\nAction Input: -1 --format=%s\n", DONE)
    settings = replace(around.settings, offer=("git_log",), withhold=("git_show",))
    outcome = solve(desk.request(), replace(around, settings=settings))
    assert desk.told == [
        f"not used: the tool {name!r} is gone: git's own command is run instead"
        for name in ("blame", "git_log", "git_show")
    ]
    assert outcome.state.steps[0].seen.text.startswith("[read as run git log")


def test_what_the_repository_may_not_set_is_said(desk: Any) -> None:
    config = desk.repository / ".react-agent.cfg"
    config.write_text(
        "[react_agent]\ntest = true\nmodel = evil/x\n"
        "[react_agent:hidden]\ndeploy = redirect Deploying is done by {run} deploy.sh.\n"
        "grepp = alias grep\ngrep = redirect no\nread-file = redirect no\nCat = redirect no\n"
    )
    desk.git("commit", "-qam", "settings")
    outcome = desk.solve(" x\nAction: deploy\nAction Input: now\n", CHANGE, DONE)
    assert desk.told == [
        "not used: .react-agent.cfg may not set 'model'",
        "not used: .react-agent.cfg may not set 'grepp'",
        "not used: the name 'grep' is taken",
        "not used: the name 'read-file' is taken",
        "not used: the name 'Cat' is taken",
    ]
    assert outcome.state.steps[0].seen.text == "Deploying is done by `run` deploy.sh."
    assert outcome.tests == "passed"
