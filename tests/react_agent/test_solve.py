"""Whole runs on a real repository: solved, given up, broken off, taken up, done again."""

import shutil
from typing import Any

import pytest
from by_hand import save
from check_rows import table_of
from replies import ADD, DONE, LOOK, call, interrupt, run
from replies import TITLE as CHANGE

from react_agent.errors import UsageError
from react_agent.models.contract import View
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts
from react_agent.state.state import Stop

SLOW = "tests/slow.py\nimport time\ntime.sleep(60)"


def test_the_change_becomes_a_branch_and_nothing_else(demo_desk: Any) -> None:
    demo_desk.repository.joinpath("README.md").write_text("mine\n")
    outcome = demo_desk.solve(ADD, CHANGE, run("echo x > scratch.txt; echo y >> README.md"), DONE)
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
    outcome = desk.solve(CHANGE, call("fly", "y"), " x\nConclusion: done \x1b]0;pwned\x07")
    report = outcome.folder.report.read_text()
    assert "Ended as `concluded` (by the model): 2 steps and a conclusion, " in report
    assert f"in the branch {outcome.branch}\n\n     README.md | " in report
    assert "    README.md: changed at step 1" in report
    assert "- fly (1)" in report
    assert "hypothesis" not in report
    assert "## To go on" not in report
    assert outcome.folder.patch.read_bytes().startswith(b"diff --git a/README.md b/README.md\n")
    assert desk.git("log", "-1", "--format=%b", outcome.branch) == "done <U+001B>]0;pwned<U+0007>"
    said = r"^this run has ended as concluded; react-agent chat .* continues it; react-agent fork"
    with pytest.raises(UsageError, match=said):
        desk.take_up(outcome.folder, DONE)
    transcripts.reopen(outcome.folder.transcript)[0].close()


@table_of(
    ("replies", "tests"),
    {
        "plain": (
            [CHANGE, run("python3 -m unittest -q")],
            "failed at step 2: python3 -m unittest -q",
        ),
        "of a pipeline": (
            [CHANGE, run("python3 -m unittest -q | cat")],
            "not known: no test run was found in this transcript",
        ),
        "in the background": (
            [call("write_file", SLOW), run("python3 tests/slow.py", "run_background")],
            "not known: no test run was found in this transcript",
        ),
        "before the change": (
            [run("python3 -m unittest tests.test_printing"), CHANGE],
            "passed at step 1, before the last change: python3 -m unittest tests.test_printing",
        ),
    },
)
def test_giving_up_leaves_a_report_that_says_of_tests_what_it_can_know(
    desk: Any, replies: list[str], tests: str
) -> None:
    outcome = desk.solve(*replies, " no\nConclusion: I give up because it is late")
    assert outcome.tests == tests
    assert (outcome.stop, outcome.branch, outcome.kept) == (Stop.GAVE_UP, "", False)
    assert "I give up because it is late" in outcome.folder.report.read_text()
    assert outcome.folder.patch.read_bytes() != b""


def test_the_tests_see_what_the_branch_gets_and_nothing_else(desk: Any) -> None:
    helper = run("echo X = 1 > helper.py")
    use = ADD.replace("+NEW = True", "+import helper")
    tests = "[react_agent]\ntest = python3 -c 'import new'\n"
    save(desk.repository, {".react-agent.cfg": tests})
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
    outcome = desk.solve(ADD, CHANGE, run("echo y >> README.md; rm -rf .git"), DONE)
    assert desk.git("diff", "--name-only", "main", outcome.branch) == "README.md\nnew.py"
    assert desk.git("show", f"{outcome.branch}:README.md").endswith("\ny")


def test_a_run_that_is_cut_does_not_know_its_future(desk: Any) -> None:
    ahead = run("echo y > fut.py; git add fut.py; git commit -qm FUTURE")
    first = desk.solve(ADD, ahead, interrupt)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("Thought: go\n")])
    second = desk.take_up(first.folder, run("git log --format=%s; git status --short"), DONE)
    assert "FUTURE" not in second.state.steps[1].seen.text
    assert "fut.py" not in second.state.steps[1].seen.text
    assert desk.git("diff", "--name-only", "main", second.branch) == "new.py"


def test_no_two_runs_have_one_name(desk: Any) -> None:
    desk.tokens = iter((1, 1, 2))
    first, second = desk.solve(ADD, DONE), desk.solve(ADD, DONE)
    assert first.folder.path.name.endswith("-t1")
    assert second.folder.path.name.endswith("-t2")


def test_what_can_not_be_taken_up_is_left_alone(desk: Any) -> None:
    first = desk.solve(LOOK, interrupt)
    mine = desk.folder / "mine"
    mine.mkdir()
    shutil.copy(first.folder.transcript, mine)
    for name in ("report.md", "patch.diff", "home", "workspace"):
        (mine / name).write_text("mine\n")
        with pytest.raises(UsageError, match=rf"{name} already exists"):
            desk.take_up(RunFolder(mine), DONE)
        assert sorted(path.name for path in mine.iterdir()) == sorted([name, "transcript.txt"])
        (mine / name).unlink()
    text = first.folder.transcript.read_text()
    for header in ("repository", "base"):
        odd = text.replace(f"%% {header}: ", f"%% {header}: <U+0000>", 1)
        first.folder.transcript.write_text(odd)
        said = rf"`%% {header}:` contains a character that no name may have$"
        for go_on in (desk.take_up, desk.replay):
            with pytest.raises(UsageError, match=said):
                go_on(first.folder)


def test_a_run_that_was_broken_off_goes_on_though_its_repository_moved(desk: Any) -> None:
    first = desk.solve(ADD, LOOK, interrupt)
    assert (first.stop, first.kept) == (Stop.INTERRUPTED, True)
    first.folder.workspace.joinpath("new.py").write_text("changed by somebody\n")
    first.folder.workspace.joinpath("stray.py").write_text("\n")
    moved = desk.repository.rename(desk.folder / "moved")
    second = desk.take_up(first.folder, CHANGE, DONE, repository=moved)
    assert (second.stop, len(second.state.steps)) == (Stop.CONCLUDED, 3)
    assert desk.git("show", f"{second.branch}:new.py", folder=moved) == "NEW = True"
    assert "stray.py" not in desk.git("ls-tree", "--name-only", second.branch, folder=moved)


@pytest.mark.parametrize("lost", [".", "../git/checkpoints"])
def test_a_run_whose_workspace_is_gone_does_its_steps_again(desk: Any, lost: str) -> None:
    first = desk.solve(ADD, CHANGE, interrupt)
    shutil.rmtree(first.folder.workspace / lost)
    names = desk.git("diff", "--name-only", "main", desk.take_up(first.folder, DONE).branch)
    assert (names, desk.told) == ("README.md\nnew.py", [])


def test_a_cut_file_goes_on_from_where_it_was_cut(desk: Any) -> None:
    first = desk.solve(ADD, CHANGE, DONE, keep=True)
    assert (first.folder.workspace / "README.md").read_text().startswith("# Stopwatch")
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("Thought: a change")])
    second = desk.take_up(first.folder, LOOK, DONE)
    assert second.branch == f"{first.branch}-2"
    assert desk.git("diff", "--name-only", "main", second.branch) == "new.py"


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


def test_a_run_killed_before_its_branch_gets_one(desk: Any) -> None:
    first = desk.solve(CHANGE, DONE, publish=False, keep=True)
    text = first.folder.transcript.read_text()
    first.folder.transcript.write_text(text[: text.index("%% stop") + len("%% stop: concluded\n")])
    second = desk.take_up(first.folder)
    assert second.is_success
    assert desk.git("show", f"{second.branch}:README.md").startswith("# Stopwatch")


def test_a_replay_goes_on_as_the_run_was_resumed(desk: Any) -> None:
    start = " x\nAction: run_background\nAction Input: sleep 30\n"
    first = desk.solve(LOOK, start, budget={"steps": "2"})
    second = desk.take_up(first.folder, LOOK, CHANGE, DONE, budget={"steps": "9"})
    replayed = desk.replay(first.folder)
    assert (desk.told, replayed.stop, replayed.branch) == ([], Stop.CONCLUDED, "")
    assert replayed.state.length == second.state.length
    texts = [[step.text for step in outcome.state.steps] for outcome in (second, replayed)]
    assert texts[0] == texts[1]


def test_a_tool_that_is_gone_is_said_to_be(desk: Any) -> None:
    desk.profiles.joinpath("issue.cfg").write_text(
        "[profile]\nbased on = issue\ngate = off\nunoffered = undo blame\n"
    )
    desk.settings = {"offer": ("git_log",), "withhold": ("git_show",)}
    outcome = desk.solve(call("git_log", "-1 --format=%s"), DONE)
    assert desk.told == [
        f"not used: the tool {name!r} is gone: git's own command is run instead"
        for name in ("blame", "git_log", "git_show")
    ]
    assert outcome.state.steps[0].seen.text.startswith("[read as run git log")


def test_what_the_repository_may_not_set_is_said(desk: Any) -> None:
    config = (
        "[react_agent]\ntest = true\nmodel = evil/x\n"
        "[react_agent:hidden]\ndeploy = redirect Deploying is done by {run} deploy.sh.\n"
        "grepp = alias grep\ngrep = redirect no\nread-file = redirect no\nCat = redirect no\n"
    )
    save(desk.repository, {".react-agent.cfg": config})
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
