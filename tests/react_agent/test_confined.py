"""Whole runs whose commands are confined: what they change stays theirs, and nothing is left."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from by_hand import program, save
from refusals import refusal
from replies import DONE, interrupt, noted, run
from replies import TITLE as CHANGE

from react_agent.errors import ConfigError, MachineError
from react_agent.models.contract import View
from react_agent.runs.report import Outcome
from react_agent.runs.run_setup import begin
from react_agent.runs.solve import solve
from react_agent.state.state import Stop
from react_agent.tools.sandbox.sandboxes import UNCONFINED_NOTE
from react_agent.tools.testing.probe import Environment

pytestmark = pytest.mark.needs("bwrap", "bubblewrap")
STAYS = ["lock", "patch.diff", "report.md", "steps.diff", "transcript.txt"]
SERVER = (
    "import socket; s = socket.create_server(('127.0.0.1', 8731)); print('ready', flush=True); "
    "c = s.accept()[0]; c.sendall(b'hello'); c.close(); import time; time.sleep(600)"
)
CLIENT = "import socket; print(socket.create_connection(('127.0.0.1', {})).recv(9).decode())"


def texts(outcome: Outcome) -> list[str]:
    return [step.seen.text for step in outcome.state.steps]


def alive(marker: str) -> str:
    found = subprocess.run(["pgrep", "-af", marker], capture_output=True, text=True, check=False)
    return found.stdout


@pytest.mark.parametrize(
    "sandbox", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.slow)]
)
def test_a_run_in_it(demo_desk: Any, sandbox: str) -> None:
    before = demo_desk.git("status", "--porcelain", "--ignored")
    demo_desk.settings["sandbox"] = sandbox
    outcome = demo_desk.solve(
        CHANGE,
        run("cd stopwatch && echo NEW = 1 > new.py && git add new.py && echo x > litter.py"),
        run("pwd && git stash && git stash pop && git commit -qam inside && git log --oneline -1"),
        run("python3 -m unittest -q", "run_tests"),
        DONE,
    )
    assert outcome.stop is Stop.CONCLUDED
    assert demo_desk.git("diff", "--name-status", "main", outcome.branch).split("\n") == [
        "M\tREADME.md",
        "A\tstopwatch/new.py",
    ]
    assert outcome.left_out == ("stopwatch/litter.py",)
    assert sorted(path.name for path in outcome.folder.path.iterdir()) == STAYS
    assert outcome.tests.endswith(" fails without the change, too")
    assert demo_desk.git("status", "--porcelain", "--ignored") == before
    assert demo_desk.git("log", "--oneline", "--all", "-1", "--grep", "inside") == ""


def test_a_run_begins_with_what_its_sandbox_does_not_do(desk: Any) -> None:
    heard: list[str] = []
    outcome = solve(desk.request(), replace(desk.around(DONE), tell=heard.append))
    text = outcome.folder.transcript.read_text(encoding="utf-8")
    said = f"sandbox none: {UNCONFINED_NOTE}"
    assert [line for line in heard if line.startswith("sandbox")] == [said]
    before = text.partition("%% step")[0].split("\n")
    assert [line for line in before if "%% note:" in line] == [f"%% note: {said}"]


def test_servers_of_the_run_are_reached_and_no_other(desk: Any) -> None:
    tails: list[str] = []

    def own_client(view: View) -> str:
        tails.append(view.tail)
        return run(f'python3 -c "{CLIENT.format(8731)}"')

    desk.settings["sandbox"] = "bubblewrap"
    with socket.create_server(("127.0.0.1", 0)) as server:
        of_the_host = CLIENT.format(server.getsockname()[1])
        outcome = desk.solve(
            run(f'python3 -c "{SERVER}"', "run_background"),
            own_client,
            run(f'python3 -c "{of_the_host}" 2>&1 | tail -1'),
            DONE,
        )
    started, own, other = texts(outcome)
    assert started.endswith("\nready")
    assert tails[0].startswith("(running in the background: 1: python3 -c ")
    assert own.endswith("\nhello")
    assert "refused" in other
    assert alive(str(desk.folder)) == ""
    stays = [name for name in STAYS if name != "steps.diff"]  # it changed nothing
    assert sorted(path.name for path in outcome.folder.path.iterdir()) == stays


@pytest.mark.slow
def test_interrupted_and_taken_up(desk: Any) -> None:
    desk.settings["sandbox"] = "bubblewrap"
    broken = desk.solve(
        CHANGE,
        run("cd stopwatch && echo NEW = 1 > new.py && git add new.py"),
        run("sleep 600", "run_background"),
        interrupt,
    )
    assert broken.stop is Stop.INTERRUPTED
    assert alive(str(desk.folder)) == ""
    seen: list[View] = []
    look = noted(seen, run("pwd; git status --short"))

    outcome = desk.take_up(broken.folder, look, DONE)
    assert "its background processes have ended" in seen[0].tail
    assert texts(outcome)[-1] == (
        "exit code 0 (in stopwatch)\nstopwatch\n M ../README.md\nA  new.py"
    )
    assert desk.git("diff", "--name-status", "main", outcome.branch).split("\n") == [
        "M\tREADME.md",
        "A\tstopwatch/new.py",
    ]


def test_commands_meet_the_end_of_a_run(demo_desk: Any) -> None:
    """What a command leaves in its home, or goes on doing in the background, can't spoil it."""
    ticking = "while :; do mkdir -p ~/deep/$RANDOM; ln -sf ~/../marked ~/calls.bpf; done"
    demo_desk.settings["sandbox"] = "bubblewrap"
    outcome = demo_desk.solve(
        CHANGE,
        run("touch ~/no.git ~/checkout; ln -s /nonexistent ~/calls.bpf"),
        run(ticking, "run_background"),
        DONE,
    )
    assert outcome.tests.endswith(" fails without the change, too")
    assert sorted(path.name for path in outcome.folder.path.iterdir()) == STAYS
    assert demo_desk.told == []
    assert "%% note: sandbox" not in outcome.folder.transcript.read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_prepare_made_is_there_for_commands(desk: Any) -> None:
    make = 'python3 -m venv --without-pip "$VENV"; cd "$VENV"/lib/*/site-packages; touch made.py'
    settings = f"[react_agent]\nprepare = {make}\n"
    save(desk.repository, {"stopwatch/__init__.py": "import made\n", ".react-agent.cfg": settings})
    desk.settings["sandbox"] = "bubblewrap"
    outcome = desk.solve(run("python -c 'import stopwatch'; touch $VIRTUAL_ENV/x"), DONE)
    assert outcome.state.about[0].endswith(" (made by the prepare command).")
    [text] = texts(outcome)
    assert "ModuleNotFoundError" not in text
    assert text.endswith("Read-only file system")


@pytest.mark.slow
@pytest.mark.needs("node", "nodejs")
@pytest.mark.parametrize("sandbox", ["bubblewrap", "landlock"])
def test_packages_of_node_in_the_checkout_are_there_for_commands(desk: Any, sandbox: str) -> None:
    needed = desk.repository / "node_modules" / "needed"
    needed.mkdir(parents=True)
    (needed / "package.json").write_text('{"name": "needed", "main": "index.js"}')
    (needed / "index.js").write_text("module.exports = 'found';\n")
    (desk.repository / "package.json").write_text('{"name": "x"}')
    (desk.repository / "main.mjs").write_text("import needed from 'needed'; console.log(needed);\n")
    desk.git("add", "package.json", "main.mjs")
    desk.git("commit", "-qm", "x")
    reading = """node -p "require('needed')"; node main.mjs; touch ../node_modules/needed/x; ls"""
    desk.settings["sandbox"] = sandbox
    outcome = desk.solve(run(reading), DONE)
    [text] = texts(outcome)
    assert text.split("\n")[1:3] == ["found", "found"]
    assert "touch: cannot touch" in text
    assert "node_modules" not in text.split("touch: cannot touch")[1].split("\n", 1)[1]
    assert needed.is_dir()
    assert not outcome.folder.modules.is_symlink()
    (needed.parent / "own").symlink_to("..")  # a package of the repository itself
    assert "Cannot find module 'needed'" in texts(desk.solve(run(reading), DONE))[0]


def test_nothing_runs_on_after_an_end_that_failed(desk: Any) -> None:
    marker = f"sleep 617 # {desk.folder}"

    def spoil(view: View) -> str:
        [folder] = (desk.folder / "runs").iterdir()
        (folder / "patch.diff").mkdir()
        assert alive(marker) != ""
        return DONE

    desk.settings["sandbox"] = "bubblewrap"
    with pytest.raises(MachineError, match=r"^can't write "):
        desk.solve(CHANGE, run(marker, "run_background"), spoil)
    assert alive(str(desk.folder)) == ""


@pytest.mark.parametrize(
    "named", ["envs/project", pytest.param("envs/project/bin/python", marks=pytest.mark.slow)]
)
def test_a_configured_environment_is_used_and_nothing_beside_it(desk: Any, named: str) -> None:
    environment = desk.folder / "envs" / "project"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (desk.folder / "envs" / "secret").touch()
    desk.settings = {"sandbox": "bubblewrap", "python": str(desk.folder / named)}
    outcome = desk.solve(run(f"which python; ls {desk.folder}/envs"), DONE)
    assert outcome.state.about[0].endswith(" (the configured Python).")
    [text] = texts(outcome)
    assert text == f"exit code 0\n{environment}/bin/python\nproject"


@pytest.mark.parametrize("python", ["nosuch", "~/nosuch"])
def test_a_configured_environment_that_is_not_there(desk: Any, python: str) -> None:
    desk.settings["python"] = python
    line = f"your settings say python = {python}, which does not exist"
    assert refusal(ConfigError, desk.solve, DONE) == line
    assert not any((desk.folder / "runs").iterdir())


@pytest.mark.parametrize("sandbox", ["chroot", "docker:-v"])
def test_one_that_does_not_exist_leaves_nothing(desk: Any, sandbox: str) -> None:
    desk.settings["sandbox"] = sandbox
    assert "\n" not in refusal(MachineError, desk.solve, DONE)
    assert not any((desk.folder / "runs").iterdir())


def test_an_interrupt_while_a_run_begins_leaves_no_container(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container goes on when its client has ended."""
    asked = desk.folder / "asked"
    docker = desk.folder / "bin" / "docker"
    program(docker, f'#!/bin/sh\necho "$1" >> "{asked}"\n')
    monkeypatch.setenv("PATH", f"{docker.parent}:{os.environ['PATH']}")
    desk.settings["sandbox"] = "docker:image"
    save(desk.repository, {".react-agent.cfg": "[react_agent]\nprepare = true\n"})

    def interrupted(context: object, known: Any) -> Environment:
        assert known.prepare is None  # an image has its own programs
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin(desk.request(), replace(desk.around(), probe=interrupted))
    assert asked.read_text().split() == ["ps", "run", "ps"]
    assert not any((desk.folder / "runs").iterdir())
