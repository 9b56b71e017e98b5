"""Long runs on packages of the standard library, as a careful developer would make them.

The tools are the real ones, but for the log of the tests; words and choices come from a seed. A
step may need a line that an earlier one showed: if it was taken out, somebody looks again.
"""

import ast
import contextlib
import random
import shutil
import subprocess
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from react_agent.parsers.transcript.entries import Said, Seen
from react_agent.parsers.transcript.facts import write_list
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile_file import shipped
from react_agent.profiles.toolbox import registry_for
from react_agent.state.steps import Step, whole
from react_agent.tools.context import Context
from react_agent.tools.observation import Observation, Status
from react_agent.tools.registry import Registry

PACKAGES = ("email", "json", "asyncio", "http", "importlib", "logging", "unittest", "urllib")
LENGTHS = (80, 90, 100, 120, 150, 180, 220, 250)  # steps
FACTS = 30  # of a run
_FOCUS = 6  # files that a run is mostly about
_LATELY = 5  # pieces that he goes by
_OFTEN = 0.75  # else by any that he has seen
_SHORTEST = 16  # characters of a line that says something
_NUMBER_BAR = "| "
_CHECKED = "# checked:"


class Need(NamedTuple):
    step: int  # that showed it
    line: str


class Made(NamedTuple):
    step: Step
    need: Need | None


@dataclass(frozen=True, slots=True)
class Recorded:
    objective: str
    made: Sequence[Made]
    facts: Sequence[Need]


def _facts(made: Sequence[Made]) -> list[Need]:
    """Lines that one Observation of the first third showed, and no other."""
    lines = [set(_lines(each.step.seen.text)) for each in made]
    shown = Counter(line for each in lines for line in each)
    found = [
        Need(number, line)
        for number, each in enumerate(lines[: len(lines) // 3], 1)
        for line in sorted(each)
        if shown[line] == 1
    ]
    return found[:: max(len(found) // FACTS, 1)][:FACTS]


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        said = line.partition(_NUMBER_BAR)[2].strip() or line.strip()
        if len(said) >= _SHORTEST:
            yield said


@dataclass(frozen=True, slots=True)
class Piece:
    """A function or class as the developer has seen it."""

    path: str
    name: str
    first: int
    last: int
    step: int = 0
    line: str = ""  # one of it that he goes by


def recorded(number: int, folder: Path) -> Recorded:
    package = PACKAGES[number % len(PACKAGES)]
    root = folder / f"{package}-{number}"
    source = Path(sysconfig.get_path("stdlib"), package)
    shutil.copytree(source, root / package, ignore=shutil.ignore_patterns("__pycache__", "test*"))
    for words in (("init", "--quiet"), ("add", "--all")):
        subprocess.run(["git", *words], cwd=root, check=True)
    developer = Developer(root, random.Random(number))
    made = developer.work(LENGTHS[number % len(LENGTHS)])
    return Recorded(f"{package}: {_ISSUE.format(*developer.focus)}", made, _facts(made))


_ISSUE = """a limit that callers set is not kept everywhere

Where a size or a length is given, {0} and {1} check it, {2} does so only for text, and the others
never do. Make all of them check it in the same way and raise the same error, mend what depends on
it, and extend the tests. It must be the same for bytes, for text and for what is read in parts.
"""


class Developer:
    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance = root, chance
        self.context = Context(root)
        self.registry: Registry = registry_for(shipped("issue"))
        pieces = list(_pieces(root))
        paths = sorted({piece.path for piece in pieces})
        self.focus = chance.sample(paths * 3, k=_FOCUS)
        self.unseen = [p for p in pieces if p.path in self.focus] + chance.sample(pieces, k=20)
        chance.shuffle(self.unseen)
        self.seen: list[Piece] = []
        self.coming: Piece | None = None  # what he says that he will go back to
        self.made: list[Made] = []
        self.runs = 0

    def work(self, steps: int) -> list[Made]:
        self._do("I look at what there is.", "list_files", "")
        self._do("The size is what it is about.", "grep", "size|length|limit")
        self._search()
        self._search()
        ways: dict[Callable[[], None], int] = {
            self._search: 30,
            self._edit: 22,
            self._compare: 15,
            self._again: 12,
            self._test: 12,
            self._outline: 8,
        }
        while len(self.made) < steps:
            self.coming = self._known() if self.chance.random() < 0.5 else None
            way = self.chance.choices(list(ways), list(ways.values()))[0]
            way()
        return self.made[:steps]

    def _do(self, thought: str, action: str, given: str, need: Need | None = None) -> Step:
        if action == "run_tests":
            self.runs += 1
            failing = self.chance.sample(self.seen, k=min(self.chance.randrange(4), len(self.seen)))
            answer = Observation(_log(self.runs, failing), Status.FAILED)
            facts = {"status": answer.status.value, "kind": "test", "tool": action}
        else:
            called = self.registry.call(action, given, self.context)
            answer = called.observation
            facts = {"status": answer.status.value, "kind": called.kind.value, "tool": action}
        facts |= {"paths": write_list(answer.paths)} if answer.paths else {}
        said = _said(self.chance, thought, self.coming)
        turn = Turn(Kind.ACTION, thought=said, action=action, input=given)
        step = whole(len(self.made) + 1, Said(turn), Seen(answer.text, facts))
        self.made.append(Made(step, need))
        return step

    def _known(self) -> Piece | None:
        lately = self.seen[-_LATELY:] if self.chance.random() < _OFTEN else self.seen
        return self.chance.choice(lately) if lately else None

    def _next(self) -> Piece | None:
        """What he works on: what he has said, or something else that he knows."""
        piece = self.coming if self.coming in self.seen else self._known()
        self.coming = None
        return piece

    def _search(self) -> None:
        if not self.unseen:
            return self._again()
        piece = self.unseen.pop()
        if self.chance.random() < 0.7:
            self._do(f"Who calls {piece.name}, and where is it?", "grep", piece.name)
        return self._read(piece, f"I read {piece.name} in {piece.path}.")

    def _read(self, piece: Piece, thought: str, need: Need | None = None) -> None:
        first = max(piece.first - self.chance.choice((0, 5, 20)), 1)
        last = max(piece.last, first + 15) + self.chance.choice((0, 10, 40))
        step = self._do(thought, "read_file", f"{piece.path}:{first}-{last}", need)
        own = _own_lines(self.root, piece, step.seen.text)
        if own:
            line = self.chance.choice(own)
            self.seen.append(replace(piece, step=step.number, line=line))

    def _again(self) -> None:
        """He reads again what he has read, a little more or less of it."""
        if piece := self._next():
            self._read(piece, f"I want to see {piece.name} in {piece.path} once more.")

    def _compare(self) -> None:
        """A guess, by what he has seen, that he looks into."""
        if piece := self._next():
            word = max(piece.line.replace("(", " ").replace(".", " ").split(), key=len)
            thought = f"Perhaps {piece.name} in {piece.path} is the cause: it says {word}."
            self._do(thought, "grep", word, Need(piece.step, piece.line))

    def _edit(self) -> None:
        piece = self._next()
        if not piece:
            return
        old, need = piece.line, Need(piece.step, piece.line)
        indent = old[: len(old) - len(old.lstrip())]
        new = "\n".join(
            (f"{indent}# {self.chance.choice(_MORE)}", f"{indent}{_CHECKED} {piece.name}", old)
        )
        thought = f"{piece.name} in {piece.path} must check it before this line, as the others do."
        if self.chance.random() < 0.15:
            wrong = _block(piece.path, f"{old.rstrip()} and checked_{piece.name}", new)
            self._do(thought, "replace", wrong, need)
            thought = "That is not how the line reads. I write it as it stands in the file."
        self._do(thought, "replace", _block(piece.path, old, new), need)
        self.seen.remove(piece)
        if self.chance.random() < 0.5:
            moved = replace(piece, last=piece.last + 2)
            self._read(moved, f"I look at what has become of {piece.name}.")

    def _test(self) -> None:
        if self.made[-1].step.tool == "run_tests":
            return
        where = self.chance.choice(self.focus).rpartition("/")[2].removesuffix(".py")
        self._do("What do the tests say of this change?", "run_tests", f"tests/test_{where}.py")

    def _outline(self) -> None:
        path = self.chance.choice(self.focus)
        self._do(f"I need to know what else {path} defines.", "outline", path)


def _said(chance: random.Random, thought: str, coming: Piece | None) -> str:
    more = [chance.choice(_MORE)] if chance.random() < 0.5 else []
    if coming and chance.random() < 0.5:
        more.append(f"Then I go back to {coming.name} in {coming.path}.")
    return " ".join((thought, *more))


def _log(run: int, failed: Sequence[Piece]) -> str:
    """As `run_tests` shows it, without the time that it takes to run them."""
    lines = [f"{len(failed)} failed, {60 + run} passed in 1.{run} s (python -m unittest)"]
    for piece in failed:
        test = f"tests.test_limits.Limits.test_{piece.name.strip('_')}_{run}"
        lines.append(f"FAILED {test}  (tests/test_limits.py:{run})")
        lines.append(f"    {piece.path}:{piece.first + 3}: {piece.line.strip()}")
        lines.append(f"    ValueError: {1000 + run * 7} is more than {piece.name} allows")
    return "\n".join(lines)


def _own_lines(root: Path, piece: Piece, text: str) -> list[str]:
    """Those that it shows and its file has once: what an edit can be hung on."""
    written = (root / piece.path).read_text().split("\n")
    lines = Counter(written)
    own = [line for line in written[piece.first : piece.last] if len(line) > _SHORTEST]
    once = [line for line in own if lines[line] == 1 and _CHECKED not in line]
    return [line for line in once if f"{_NUMBER_BAR}{line}\n" in text]


def _block(path: str, old: str, new: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"


def _pieces(root: Path) -> Iterator[Piece]:
    for file in sorted(root.rglob("*.py")):
        path = str(file.relative_to(root))
        with contextlib.suppress(SyntaxError, UnicodeDecodeError):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
                    last = min(node.end_lineno, node.lineno + 60)
                    yield Piece(path, node.name, node.lineno, last)


_MORE = (
    "It should be the same for bytes and for text.",
    "The error must name the limit and what was given.",
    "Callers that pass None expect no check at all.",
    "This is one of the places where the size is known only at the end.",
    "If the check comes later, a part has been read already, and nobody gives it back.",
    "The comment above it says why, but it was written for another version.",
    "I keep the order of the arguments, as subclasses override it.",
    "Whatever is done here has to be done in the other branch, too.",
)
