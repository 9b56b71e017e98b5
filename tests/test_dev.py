"""./dev says what is missing, and installs only when it must."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_rows import each_of

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parents[1]
NEEDED = ("sh", "git", "dirname", "cksum", "cat", "touch", "mkdir", "chmod", "rm")

# A test's Python may stand in a folder with a space, like anybody's.
REAL = f'exec "{sys.executable}" "$@"'
OLD = 'echo "3.9.2 /usr"; exit 1'
OLDER = 'echo "2.7.18 /usr"; exit 1'
NO_VENV = f'case "$*" in *ensurepip*) exit 1 ;; *) {REAL} ;; esac'
# Makes an environment whose python and react-agent only write down what they are asked.
RECORDS = f"""case "$*" in
    "-m venv --clear "*)
        rm -rf "$4"
        mkdir -p "$4/bin"
        for name in python react-agent; do
            printf '#!/bin/sh\\necho %s "$@" >>"%s"\\n' "$name" "LOG" >"$4/bin/$name"
            chmod +x "$4/bin/$name"
        done
        echo venv >>"LOG" ;;
    *) {REAL} ;;
esac"""


class Machine:
    """A checkout and a PATH that holds what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "check out"
        self.log = folder / "log"
        self._path = folder / "bin"
        self.checkout.mkdir()
        self._path.mkdir()
        for name in ("dev", "setup.cfg"):
            shutil.copy(ROOT / name, self.checkout)
        for name in NEEDED:
            (self._path / name).symlink_to(str(shutil.which(name)))

    def put(self, name: str, script: str | None) -> None:
        """A program that does this, or none."""
        program = self._path / name
        program.unlink(missing_ok=True)  # a link to the real one
        if script is not None:
            program.write_text(f"#!/bin/sh\n{script}\n")
            program.chmod(0o755)

    def dev(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.checkout / "dev", *words],
            env={"PATH": str(self._path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def calls(self, *words: str) -> list[str]:
        """What one ./dev started."""
        self.log.write_text("")
        done = self.dev(*words)
        assert done.returncode == 0, done.stderr
        return self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def recording(machine: Machine) -> Machine:
    machine.put("python3", RECORDS.replace("LOG", str(machine.log)))
    return machine


FOUND = "(found only python3 3.9.2, python 2.7.18)"
HOW = (
    "install it: apt-get install python3 python3-venv, brew install python,"
    " or https://www.python.org/downloads/\n"
)


@each_of(
    ("programs", "expected"),
    {
        "no Python": ({}, f"Python 3.11 or newer is missing; {HOW}"),
        "old Python": (
            {"python3": OLD, "python3.12": "exit 127", "python": OLDER},
            f"Python 3.11 or newer is missing {FOUND}; {HOW}",
        ),
        "no venv": (
            {"python3": OLD, "python3.12": NO_VENV},
            "the venv module of python3.12 is missing; install it: apt-get install python3-venv\n",
        ),
        "no git": (
            {"git": None},
            "git is missing; install it: apt-get install git, or brew install git\n",
        ),
    },
)
def test_says_what_is_missing(
    machine: Machine, programs: dict[str, str | None], expected: str
) -> None:
    for name, script in programs.items():
        machine.put(name, script)
    done = machine.dev("demo")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"dev: {expected}")
    assert not (machine.checkout / ".venv").exists()


INSTALL = "python -m pip install -qq --editable ."
TEST = "python -P -m pytest -n auto -k x"


def test_installs_what_a_command_needs_once(recording: Machine) -> None:
    demo = "react-agent demo --keep"
    assert recording.calls("demo", "--keep") == ["venv", INSTALL, demo]
    assert recording.calls("demo", "--keep") == [demo]
    assert recording.calls("test", "-k", "x") == [f"{INSTALL}[dev]", TEST]
    assert recording.calls("test", "-k", "x") == [TEST]
    script = recording.checkout / "tests/mutate/mutate.py"
    assert recording.calls("mutate", "turn", "stop") == [f"python {script} turn stop"]
    assert recording.calls("docs") == ["python -P -m mkdocs build --strict"]
    assert recording.calls("docs", "--serve") == ["python -P -m mkdocs serve --strict"]
    assert recording.dev("docs", "--nosuch").returncode == 2
    with (recording.checkout / "setup.cfg").open("a") as file:
        file.write("# changed\n")
    assert recording.calls("test", "-k", "x") == ["venv", f"{INSTALL}[dev]", TEST]
    assert recording.calls("demo", "--keep") == [demo]  # what tests need is enough


def test_a_failed_install_is_made_again(recording: Machine) -> None:
    recording.calls("demo")
    (recording.checkout / ".venv/installed").unlink()
    python = recording.checkout / ".venv/bin/python"
    works = python.read_text()
    python.write_text("#!/bin/sh\nexit 1\n")
    done = recording.dev("demo")
    assert (done.returncode, done.stderr.splitlines()[1:]) == (
        1,
        [
            "dev: pip could not install react-agent (its words are above);"
            " check the network and pip's index, then again"
        ],
    )
    python.write_text(works)
    assert recording.calls("demo") == [INSTALL, "react-agent demo"]


@pytest.mark.parametrize(
    ("words", "code"),
    [pytest.param([], 0, id="alone"), pytest.param(["nosuch"], 2, id="unknown")],
)
def test_prints_its_usage(machine: Machine, words: list[str], code: int) -> None:
    done = machine.dev(*words)
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith("usage: ./dev COMMAND\n")
