"""A run with a bit of everything, and what has to be the same of it however often it was killed."""

import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from around import surroundings, write_profile
from machine_runs import make_repository

from react_agent.errors import TranscriptError
from react_agent.issue_to_pr.issue import Issue
from react_agent.memory.compressor import SYSTEM as CONDENSER
from react_agent.models.contract import View
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Said
from react_agent.parsers.transcript.facts import read_facts
from react_agent.runs.commands import Surroundings
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import Otherwise, resume, solve
from react_agent.state import transcript as transcripts
from react_agent.state.state import ASKED, fold
from react_agent.state.steps import Step
from react_agent.testing import ScriptedModel
from react_agent.tools.git.door import Git

PROFILE = """\
[profile]
name = full
based on = issue
tools = list_files grep outline read_file write_file replace apply_patch run
    run_background recall add_task modify_task update_file undo
unoffered =
gate = off
guards = plan budget malformed backtrack stuck compress remind

[budget]
window = 3300
reply = 400
"""
LONG = "# a line that says nothing at all about dates\n" * 40
FILES = {
    "lib/dates.py": f"LONG_NAMES = True\n\n\ndef parse_date(text):\n    return text\n\n\n{LONG}",
    "lib/main.py": "from lib.dates import parse_date\n\nx = parse_date('a')\n",
    "README.md": "# dates\n\nReads dates.\n",
    ".gitignore": "gen/\n",
    ".react-agent.cfg": "[react_agent]\ntest = true\n",
}
PATCH = """\
--- a/lib/dates.py
+++ b/lib/dates.py
@@ -1,5 +1,5 @@
 LONG_NAMES = True
\x20
\x20
 def parse_date(text):
-    return text
+    return text.strip()
"""
BLOCK = "<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
MEANWHILE = "Read it again."
CLAIM, BACK = "There is no parseDate.", "I assumed that"
STEPS = (
    ("The work has two parts.", "add_task", "0\nlook"),
    ("Look at what is there.", "list_files", ""),
    ("Is there a parser?", "run", "grep -rn parseDate ."),
    (CLAIM, "write_file", "lib/new.py\nVALUE = 1\n"),
    ("Read it.", "read_file", "lib/dates.py"),
    ("Then it is mended where it is.", "apply_patch", PATCH),
    ("Serve it.", "run_background", "echo up; exec sleep 60"),
    ("Build it, and keep what is built.", "run", "echo built > built.txt && git add built.txt"),
    (MEANWHILE, "read_file", "lib/dates.py"),
    ("The title is small.", "update_file", "README.md\nBegin the title with a capital.\n"),
    ("A mistake.", "write_file", "wrong.txt\nwrong\n"),
    ("Take it back.", "undo", ""),
    ("Use it.", "replace", "lib/main.py\n" + BLOCK.format("'a'", "' a'")),
    ("Once more.", "read_file", "lib/dates.py"),
    ("Where was it?", "recall", "parse_date"),
    ("Write a note.", "write_file", "docs/note.md\nDates are stripped.\n"),
    ("And what ignores it.", "run", "cd lib && mkdir -p ../gen && date > ../gen/x && ls"),
    ("It is done.", "modify_task", "0.0 verified"),
)
SUB = (
    ("Read it.", "read_file", "README.md"),
    ("Change it.", "replace", f"README.md\n{BLOCK.format('# dates', '# Dates')}"),
)
_NUMBERS = re.compile(r"^Steps? (\d+)(?:-(\d+))?:", re.MULTILINE)


@dataclass
class Model:
    """Says what follows on what it is shown, and writes down what it has answered.

    So it is the same for each process that asks it."""

    served: Path
    meanwhile: Callable[[], object] | None = None  # once, before it says what comes next

    def __call__(self, view: View) -> str:
        text = _step(view) if view.tail.endswith("Thought:") else _answer(view)
        if self.meanwhile and MEANWHILE in text:
            self.meanwhile()
        with self.served.open("a") as served:
            served.write(f"{estimate_tokens(view.text)} {estimate_tokens(text)}\n")
        return text


def _step(view: View) -> str:
    steps = SUB if "and no other file" in view.task else STEPS
    at = _next(view.turns, steps)
    if at == len(steps):
        return " All is done.\nConclusion: Dates are stripped now."
    thought, tool, given = steps[at]
    return f" {thought}\nAction: {tool}\nAction Input: {given}\n"


def _next(turns: Sequence[str], steps: Sequence[tuple[str, str, str]]) -> int:
    """Behind the last thought that is shown, or the one that was taken back."""
    thoughts = [f"Thought: {thought}\n" for thought, _, _ in steps]
    for turn in reversed(turns):
        if BACK in turn:
            return thoughts.index(f"Thought: {CLAIM}\n") + 1
        if found := [at for at, thought in enumerate(thoughts) if thought in turn]:
            return found[0] + 1
    return 0


def _answer(view: View) -> str:
    if CONDENSER in view.system:
        found = _NUMBERS.findall(view.task)
        return f"Steps {found[0][0]}-{found[-1][1] or found[-1][0]}: It read what is there."
    return "Subject: Strip dates\nKind: fix\nProblem: They had blanks.\nChange: They have none."


@dataclass(frozen=True)
class World:
    """A repository and the places of a person, below one folder."""

    place: Path
    meanwhile: Callable[[], object] | None = None

    def make(self) -> "World":
        make_repository(self.repository, FILES)
        write_profile(self.place, "full", PROFILE)
        return self

    @property
    def repository(self) -> Path:
        return self.place / "repository"

    @property
    def served(self) -> Path:
        return self.place / "served"

    @property
    def folders(self) -> list[RunFolder]:
        return [RunFolder(path) for path in sorted(self.place.glob("runs/*"))]

    @property
    def folder(self) -> RunFolder:
        """The one that can be taken up."""
        [folder] = [one for one in self.folders if _has_begun(one)]
        return folder

    def around(self) -> Surroundings:
        answers = ScriptedModel(itertools.repeat(Model(self.served, self.meanwhile)))
        return surroundings(self.place, answers, token=lambda: os.urandom(4).hex())

    def solve(self) -> Outcome:
        issue = Issue("Dates", "# Dates\n\nThey have blanks.")
        return solve(Request(issue, self.repository, "HEAD", "any", profile="full"), self.around())

    def resume(self) -> Outcome:
        return resume(self.folder, self.around(), Otherwise(), keep=False)

    def go_on(self) -> None:
        """From wherever it is, to its end."""
        if not any(_has_begun(folder) for folder in self.folders):
            self.solve()
        elif not self.is_over:
            self.resume()

    @property
    def is_over(self) -> bool:
        state = fold(transcripts.read(self.folder.transcript).entries)
        return bool(state.stop and state.stop.is_final and "tests" in state.result)

    def trees(self) -> list[str]:
        where = ("--format=%(tree)", "refs/heads/react-agent/")
        return Git(self.repository).line("for-each-ref", *where).split()


def _has_begun(folder: RunFolder) -> bool:
    """Else there is nothing to take up, as a person is told: it is begun anew."""
    try:
        return fold(transcripts.read(folder.transcript).entries).objective is not None
    except TranscriptError:
        return False


@dataclass(frozen=True)
class Ended:
    """What does not depend on what happened on the way."""

    stop: str
    trees: tuple[str, ...]  # of branches
    steps: tuple[tuple[str, ...], ...]
    patch: bytes


def ended(world: World) -> Ended:
    state = fold(transcripts.read(world.folder.transcript).entries)
    return Ended(
        f"{state.stop}",
        tuple(world.trees()),
        tuple(tuple(_told(step)) for step in state.steps),
        world.folder.patch.read_bytes(),
    )


def _told(step: Step) -> Iterator[str]:
    yield from (step.said.turn.thought, step.said.turn.action, step.said.turn.input)
    yield from (step.seen.text, str(step.status), step.seen.facts.get("tree", ""))


@dataclass(frozen=True)
class Paid:
    """Prompt and reply tokens of the answers of a model: those it gave, those written down."""

    given: Counter[tuple[int, ...]]
    noted: Counter[tuple[int, ...]]
    total: tuple[int, int]  # as the run counts them
    unknown: int  # how many it may have missed, as it says


def paid(world: World) -> Paid:
    places = sorted(world.folder.path.glob("**/transcript.txt"))  # sub-agents have their own
    entries = [entry for place in places for entry in transcripts.read(place).entries]
    noted = (facts for entry in entries for facts in _answered(entry))
    spent = fold(transcripts.read(world.folder.transcript).entries).spent
    given = world.served.read_text().splitlines()
    return Paid(
        Counter(tuple(map(int, line.split())) for line in given),
        Counter((int(facts["in"]), int(facts["out"])) for facts in noted),
        (spent.prompt_tokens, spent.reply_tokens),
        spent.unknown,
    )


def _answered(entry: Entry) -> Iterator[Mapping[str, str]]:
    if isinstance(entry, Said) and "in" in entry.facts:
        yield entry.facts
    if isinstance(entry, Event) and entry.name == ASKED:
        yield read_facts(entry.text)
