"""A short run that reads, writes, edits and runs a command; and how it ended, for a comparison."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from react_agent.parsers.transcript.entries import HEADER, VERSION, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.runs.run_folder import RunFolder
from react_agent.state import transcript as transcripts
from react_agent.state.state import fold

PATCH = """\
--- a/greeting.py
+++ b/greeting.py
@@ -1,2 +1,2 @@
 def greet(name):
-    return "Hello " + name
+    return f"Hello, {name}!"
"""
ACTIONS = (
    ("list_files", ""),
    ("apply_patch", PATCH),
    ("run", "echo built > built.txt && sort greeting.py"),
    ("write_file", "notes.md\nWhat was built is in built.txt.\n"),
    ("grep", "Hello"),
    ("run", "test -f notes.md"),
)
FILES = {
    "greeting.py": 'def greet(name):\n    return "Hello " + name\n',
    "README.md": "# Greetings\n",
    ".react-agent.cfg": "[react_agent]\ntest = true\n",
}
ENDED = Turn(Kind.CONCLUSION, "It is done.", conclusion="The greeting has a comma now.")
WARM = Path(__file__).with_name("machine_warm.py")
Ask = Callable[[Mapping[str, object]], int]


def make_model(place: Path, actions: Sequence[tuple[str, str]] = ACTIONS) -> None:
    """A transcript to replay; it concludes twice, as it may be asked whether it is sure."""
    turns = [*(Turn(Kind.ACTION, "Next.", *action) for action in actions), ENDED, ENDED]
    said = [entry for turn in turns for entry in (Said(turn, facts={"n": "1"}), Seen("x"))]
    header = (Event(HEADER, VERSION), Objective("greet with a comma"))
    place.write_text(write_transcript([*header, *said[:-1]]))


def build_shim(place: Path) -> Path:
    """machine_shim.c, to be named in LD_PRELOAD."""
    source, flags = WARM.with_name("machine_shim.c"), ("-O1", "-shared", "-fPIC")
    subprocess.run(["gcc", *flags, "-o", str(place), str(source), "-ldl"], check=True)
    return place


def make_repository(place: Path, files: Mapping[str, str] = FILES) -> None:
    for name, text in files.items():
        place.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        place.joinpath(name).write_text(text)
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "."),
        ("commit", "-qm", "Begin to greet"),
    ):
        subprocess.run(["git", *arguments], cwd=place, check=True)


@dataclass(frozen=True)
class Ended:
    """What may not depend on what happened on the way."""

    stop: str
    trees: tuple[str, ...]  # of branches
    said: tuple[str, ...]
    seen: int
    tokens: tuple[int, int]


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str
    seen: int = 0  # calls that might have failed


@contextmanager
def warmed(script: Path, environment: Mapping[str, str]) -> Iterator[Ask]:
    """A script that has imported all: told something in JSON, it answers with an exit code."""
    command, pipe = [sys.executable, "-P", str(script)], subprocess.PIPE
    given = {**os.environ, **environment}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=given) as process:
        told, said = process.stdin, process.stdout
        assert told and said

        def ask(what: Mapping[str, object]) -> int:
            told.write(json.dumps(what) + "\n")
            told.flush()
            return int(said.readline())

        yield ask


@dataclass
class Warm:
    """machine_warm.py at work."""

    ask: Ask
    folder: Path

    def __call__(self, *arguments: str, **asked: object) -> Answer:
        names = {name: str(self.folder / name) for name in ("out", "err", "seen")}
        given = {
            "arguments": arguments,
            "environment": {},
            "below": "",
            "fault": None,
            "jump": 0,
            **asked,
        }
        code = self.ask({**names, **given})
        out, err = (Path(names[name]).read_text(errors="replace") for name in ("out", "err"))
        return Answer(
            code, out, err, int(Path(names["seen"]).read_text()) if asked.get("fault") else 0
        )


@contextmanager
def warm(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Warm]:
    folder.mkdir(parents=True, exist_ok=True)
    with warmed(WARM, environment or {}) as ask:
        yield Warm(ask, folder)


@dataclass
class World:
    """A repository, a model, and the places of a person, all below one folder."""

    folder: Path
    react_agent: Warm
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def begin(self, template: Path) -> None:
        """Empty but for the repository."""
        for left in self.folder.glob("*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        shutil.copytree(template, self.repository, symlinks=True, dirs_exist_ok=True)
        for kind in ("STATE", "CACHE", "CONFIG", "DATA"):
            self.environment[f"XDG_{kind}_HOME"] = str(self.folder / kind.lower())
        self.environment |= {"HOME": str(self.folder), "REACT_AGENT_SANDBOX": "none"}
        self.environment |= {"TMPDIR": str(self.folder)}

    def solve(self, model: Path, **asked: object) -> Answer:
        spec = ("--repo", str(self.repository), "--model", f"replay/{model}")
        issue = ("solve", "The greeting lacks a comma", *spec)
        return self.react_agent(*issue, environment=self.environment, **asked)

    def resume(self, **asked: object) -> Answer:
        return self.react_agent("resume", self.run.path.name, environment=self.environment, **asked)

    @property
    def runs(self) -> list[RunFolder]:
        """Those with a transcript."""
        places = sorted(self.folder.glob("state/react-agent/runs/*"))
        return [RunFolder(place) for place in places if (place / "transcript.txt").exists()]

    @property
    def run(self) -> RunFolder:
        [run] = self.runs
        return run

    def ended(self) -> Ended:
        return how_it_ended(self.run, self.repository)


def ends_the_same(
    world: World, place: Path, answer: Answer, expected: Ended, what: object = ""
) -> None:
    """Taken up, or begun again, where it failed."""
    if answer.code:
        again = world.resume() if world.runs else world.solve(place / "model.txt")
        assert (again.code, again.err) == (0, ""), (what, answer, again)
    assert world.ended() == expected, (what, answer)


def how_it_ended(run: RunFolder, repository: Path) -> Ended:
    entries = transcripts.read(run.transcript).entries
    state = fold(entries)
    refs = ["for-each-ref", "--format=%(tree)", "refs/heads/react-agent/"]
    done = subprocess.run(["git", *refs], cwd=repository, capture_output=True, check=True)
    return Ended(
        str(state.stop),
        tuple(done.stdout.decode().split()),
        tuple(one.turn.action for one in entries if isinstance(one, Said)),
        sum(isinstance(one, Seen) for one in entries),
        (state.spent.prompt_tokens, state.spent.reply_tokens),
    )
