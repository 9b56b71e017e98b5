"""A long run as `solve` leaves it: its loop, guards and tools are real, what the model says is not.

It works on packages of Python's own library, so what it sees is as long and as mixed as source is.
"""

import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from react_agent.issue_to_pr.issue import Issue
from react_agent.memory.compressor import SYSTEM
from react_agent.models.contract import Completion, Show, Usage, View, Why
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.profiles.settings import Settings
from react_agent.runs.commands import Surroundings
from react_agent.runs.run_setup import Request
from react_agent.runs.solve import solve

STEPS = 500
NEEDLE = "charset_of_step_{}"  # stands in the thought of that step alone
_PACKAGES = ("email", "json", "http", "urllib")
_ISSUE = """A limit that callers set is not kept everywhere

Where a size is given, some functions check it, some do so only for text, and the others never do.

- Make all of them check it in the same way, and raise the same error.
- It must be the same for bytes, for text and for what is read in parts.
"""
_PROFILE = """[profile]
based on = issue
tools = list_files grep outline read_file apply_patch replace run recall add_task modify_task \
update_file
gate = off

[stuck]
ladder = hint demote

[compress]
to = 0.2
enough = 0.25

[backtrack]
critic = no
"""
_ASSUMED = ("parseHttpList", "is_thirdparty", "formatAddress", "makeMsgid")
_NUMBERS = re.compile(r"^Steps? (\d+)(?:-(\d+))?:", re.MULTILINE)
_DEFINED = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
_MEANT = re.compile(r"Change (\S+), and no other file")
_WHYS = (
    "It should be the same for bytes and for text.",
    "The error must name the limit and what was given.",
    "Callers that pass None expect no check at all.",
    "If the check comes later, a part has been read already, and nobody gives it back.",
    "The comment above it says why, but it was written for another version.",
    "Whatever is done here has to be done in the other branch, too.",
)


def planted_run(root: Path, steps: int = STEPS) -> Path:
    """Its folder, below `root`. So many steps are made, and then it concludes."""
    repository = _repository(root / "repository")
    profiles = root / "profiles"
    profiles.mkdir()
    profiles.joinpath("planted.cfg").write_text(_PROFILE)
    budget = {"steps": str(steps + 9), "prompt_tokens": str(10**9), "window": "16000"}
    issue = Issue(_ISSUE.partition("\n")[0], _ISSUE)
    request = Request(issue, repository, "HEAD", "planted", {**budget, "seconds": str(10**6)})
    return solve(request, _around(root, Planted(repository, steps))).folder.path


def _repository(place: Path) -> Path:
    for name in _PACKAGES:
        source = Path(sysconfig.get_path("stdlib"), name)
        shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    place.joinpath(".react-agent.cfg").write_text("[react_agent]\ntest = true\n")
    for words in (("init", "-q"), ("add", "-A"), (*_WHO, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *words], cwd=place, check=True)
    return place


_WHO = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def _around(root: Path, model: "Planted") -> Surroundings:
    ticks, numbers = itertools.count(), itertools.count()
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    return Surroundings(
        runs=root / "runs",
        cuts=root / "cuts",
        environment=dict(os.environ),
        own_prefix=Path(sys.prefix),
        settings=Settings(sandbox="none", profiles=root / "profiles", profile="planted"),
        now=lambda: start + timedelta(seconds=next(ticks)),
        clock=lambda: next(ticks) / 4,
        token=lambda: f"t{next(numbers)}",
        open_model=lambda spec: model,
        show=lambda text: None,
        tell=lambda line: None,
    )


@dataclass(frozen=True)
class Piece:
    path: str
    name: str
    line: int
    text: str  # of that line, which its file has once


@dataclass
class Planted:
    """A developer who looks around, changes something, is wrong at times, and goes on."""

    repository: Path
    steps: int
    chance: random.Random = field(default_factory=lambda: random.Random(12))
    said: int = 0

    def __post_init__(self) -> None:
        files = sorted(self.repository.rglob("*.py"))
        self.pieces = [piece for file in files for piece in _pieces(file, self.repository)]

    def complete(
        self,
        view: View,
        *,
        stop: tuple[str, ...],
        max_output: int,
        deadline: float | None,
        show: Show,
    ) -> Completion:
        if view.system.startswith(SYSTEM[:40]):
            text = _summed_up(view.task)
        elif meant := _MEANT.search(view.task):
            text = self._of_sub_agent(meant[1], len(view.turns))
        else:
            self.said += 1
            text = self._next(self.said)
        usage = Usage(estimate_tokens(view.text), estimate_tokens(text), cost=0.004)
        return Completion(text, Why.STOP, usage=usage)

    def _next(self, number: int) -> str:
        piece = self.chance.choice(self.pieces)
        if number > self.steps:
            return " All of them check it now.\nConclusion: Sizes are checked in one way."
        why = self.chance.choice(_WHYS)
        thought = f"{why} I look at {piece.name} of {piece.path} for {NEEDLE.format(number)}."
        kind = _RARE.get(number % 60) or _OFTEN[number % len(_OFTEN)]
        return _reply(kind, piece, thought, number)

    def _of_sub_agent(self, path: str, turns: int) -> str:
        piece = next(one for one in self.pieces if one.path == path)
        says = (
            _call("I read it first.", "read_file", f"{path}:{piece.line}-{piece.line + 20}"),
            _call("Here it goes.", "replace", _block(piece, f"# asked for\n{piece.text}")),
            " Done.\nConclusion: The check comes first now.",
        )
        return says[min(turns, 2)]


def _pieces(file: Path, root: Path) -> list[Piece]:
    text = file.read_text(encoding="utf-8")
    path, lines = str(file.relative_to(root)), text.split("\n")
    found = [(text.count("\n", 0, one.start()), one[1]) for one in _DEFINED.finditer(text)]
    return [
        Piece(path, name, line + 1, lines[line])
        for line, name in found
        if lines.count(lines[line]) == 1
    ]


def _summed_up(task: str) -> str:
    """Notes, each for five of the steps that are shown."""
    found = [(int(first), int(last or first)) for first, last in _NUMBERS.findall(task)]
    chunks = [found[at : at + 5] for at in range(0, len(found), 5)]
    return "\n\n".join(
        f"Steps {chunk[0][0]}-{chunk[-1][1]}: it looked at the next places, changed what had no "
        "check, and found nothing else there."
        for chunk in chunks
    )


def _call(thought: str, tool: str, given: str) -> str:
    return f" {thought}\nAction: {tool}\nAction Input: {given}\n"


def _block(piece: Piece, new: str) -> str:
    return f"{piece.path}\n<<<<<<< SEARCH\n{piece.text}\n=======\n{new}\n>>>>>>> REPLACE"


_SEARCH, _REPLACE = "{path}\n<<<<<<< SEARCH\n", "\n>>>>>>> REPLACE"
_CALLS: Mapping[str, tuple[str, str]] = {
    "read": ("read_file", "{path}:{line}-{last}"),
    "search": ("grep", "{name}"),
    "edit": (
        "replace",
        f"{_SEARCH}{{text}}\n=======\n# The size is checked by its caller, see step {{number}}.\n"
        f"{{text}}{_REPLACE}",
    ),
    "misfit": ("replace", f"{_SEARCH}no {{number}}\n=======\nx{_REPLACE}"),
    "patch": (  # for another line of the file: it has to be mended
        "apply_patch",
        "--- a/{path}\n+++ b/{path}\n@@ -9000 +9000 @@\n-{text}\n+{text}  # step {number}",
    ),
    "hidden": ("cat", "{path}"),
    "redirected": ("run", "git push origin step-{number}"),
    "command": ("run", "wc -l {path}; grep -c def {path}; exit {odd}"),
    "outline": ("outline", "{path}"),
    "recall": ("recall", "{half}"),
    "planned": ("add_task", "0\n{name} checks its size\n- for text\n- for bytes"),
    "in work": ("modify_task", "0.{round} in_progress"),
    "delegated": ("update_file", "{path}\nLet the check come first."),
    "assumed": ("write_file", "new.py\n{assumed} = 1\n"),  # it is there, in another spelling
    "in vain": ("run", "grep -rn {assumed} ."),
}
_OFTEN = ("read", "search", "edit", "read", "hidden", "misfit", "command", "read")
_RARE = {
    3: "planned",
    7: "in work",
    10: "in vain",
    11: "assumed",
    19: "mended",
    23: "patch",
    27: "outline",
    31: "redirected",
    37: "delegated",
    43: "malformed",
    47: "recall",
    53: "mended",
}


def _reply(kind: str, piece: Piece, thought: str, number: int) -> str:
    if kind == "mended":
        given = f"**action** : Grep\naction input: {piece.name}\nObservation: none at all"
        return f" {thought}\n{given}"
    if kind == "malformed":
        return f" {thought}\nAction:\nAction Input:"
    assumed = _ASSUMED[number // 60 % len(_ASSUMED)]
    if kind == "assumed":
        thought = f"`{assumed}` does not exist, so I write it."
    tool, given = _CALLS[kind]
    words = {**asdict(piece), "last": piece.line + 120, "number": number, "odd": number % 2}
    words |= {"half": number // 2, "round": number // 60, "assumed": assumed}
    return _call(thought, tool, given.format_map(words))
