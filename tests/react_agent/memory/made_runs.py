"""Long runs, made of real source text, with facts that stand in early observations of them."""

import random
import re
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from planted import DECOYS, FACTS, Fact

from react_agent.memory.index import Memory
from react_agent.parsers.transcript.entries import Objective, Said, Seen
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.state.state import State

_MODULES = (
    *("socket", "ssl", "argparse", "json/decoder", "http/client", "http/server", "urllib/request"),
    *("urllib/parse", "email/header", "email/message", "logging/config", "logging/handlers"),
    *("asyncio/tasks", "asyncio/queues", "concurrent/futures/process", "sqlite3/dump", "codecs"),
    *("unittest/case", "unittest/mock", "configparser", "tarfile", "zipfile", "shutil", "queue"),
    *("subprocess", "tempfile", "fractions", "datetime", "calendar", "gettext", "locale", "sched"),
    *("threading", "multiprocessing/pool", "xml/dom/minidom", "html/parser", "tokenize"),
)
_LIKE_A_FACT = 0.3  # of the steps that have none
_NAME = re.compile(r"\b[a-z]+_[a-z_]+\b")
_THOUGHTS = (
    "I will look at {path} to see how {name} is used.",
    "The cause may be in {path}; the error and the default settings must be understood first.",
    "Let me check where {name} is called, and with which limit or timeout.",
    "Now I need the file that reads the configuration, and its tests.",
    "Run the tests again to see whether the number of failures has changed.",
)


@dataclass
class Made:
    """A run, and in which step each fact was seen."""

    state: State = field(default_factory=State)
    planted: dict[Fact, int] = field(default_factory=dict)

    def add(self, thought: str, action: str, given: str, seen: str) -> int:
        self.state.take(Said(Turn(Kind.ACTION, thought, action, given)))
        self.state.take(Seen(seen, {"status": "ok", "tool": action}))
        return len(self.state.steps)

    @property
    def memory(self) -> Memory:
        return Memory(lambda: self.state.steps)


def made_of(*texts: str) -> Made:
    """A run that saw these in a file."""
    made = Made()
    made.state.take(Objective("mend it"))
    for text in texts:
        made.add("look", "read_file", "src/x.py", text)
    return made


@cache
def _lines(module: str) -> tuple[str, ...]:
    place = Path(sysconfig.get_path("stdlib"), f"{module}.py")
    text = place.read_text(encoding="utf-8", errors="replace") if place.is_file() else ""
    return tuple(text.split("\n"))


def made_run(
    seed: int, kinds: Sequence[Sequence[Fact]] = FACTS, decoys: Sequence[str] = DECOYS
) -> Made:
    chosen = random.Random(seed)
    made = Made()
    made.state.take(Objective("mend what the issue says"))
    facts = [fact for kind in kinds for fact in chosen.sample(kind, min(2, len(kind)))]
    steps = chosen.randrange(40, 150)
    early = chosen.sample(range(1, steps // 3), len(facts))
    later = [chosen.randrange(steps // 2, steps) for _ in facts]
    for at in range(steps):
        plant = facts[early.index(at)] if at in early else None
        mention = facts[later.index(at)].mention if at in later else ""
        number = _PLANTING.get(plant.kind, _in_source)(made, chosen, plant) if plant else 0
        if plant:
            made.planted[plant] = number
        else:
            inserted = mention or (chosen.choice(decoys) if chosen.random() < _LIKE_A_FACT else "")
            chosen.choice(_STEPS)(made, chosen, inserted)
    return made


def _window(chosen: random.Random, inserted: str) -> tuple[str, list[str], int, int]:
    module = chosen.choice(_MODULES)
    lines = _lines(module)
    first = chosen.randrange(max(len(lines) - 60, 1))
    shown = [line[:160] for line in lines[first : first + chosen.choice((30, 60, 100))]]
    if inserted:
        shown.insert(chosen.randrange(len(shown) + 1), inserted)
    return module, shown, first + 1, len(lines)


def _thought(chosen: random.Random, path: str) -> str:
    module = chosen.choice(_MODULES)
    names = _NAME.findall("\n".join(_lines(module)[:400])) or ["main"]
    return chosen.choice(_THOUGHTS).format(path=path, name=chosen.choice(names))


def _read(made: Made, chosen: random.Random, inserted: str, path: str = "") -> int:
    module, shown, first, every = _window(chosen, inserted)
    path = path or f"lib/{module}.py"
    head = f"{path} lines {first}-{first + len(shown) - 1} of {every}"
    numbered = (f"{number:>4}| {line}".rstrip() for number, line in enumerate(shown, first))
    given = f"{path}:{first}-{first + len(shown) - 1}"
    return made.add(_thought(chosen, path), "read_file", given, "\n".join((head, *numbered)))


def _grep(made: Made, chosen: random.Random, inserted: str) -> int:
    module = chosen.choice(_MODULES)
    names = _NAME.findall("\n".join(_lines(module))) or ["main"]
    name = chosen.choice(names)
    found = [
        f"lib/{module}.py:{number}: {line.strip()[:160]}"
        for number, line in enumerate(_lines(module), 1)
        if name in line
    ][:40]
    if inserted:
        found.insert(chosen.randrange(len(found) + 1), f"src/app.py:88: {inserted}")
    head = f"{len(found)} matching lines in 1 of 212 files"
    return made.add(_thought(chosen, module), "grep", name, "\n".join((head, *found)))


def _log(made: Made, chosen: random.Random, inserted: str, failure: tuple[str, ...] = ()) -> int:
    count = chosen.randrange(40, 900)
    dots = ["." * 72 + f" [{percent:>3}%]" for percent in range(12, 100, 12)]
    failures = [
        f"FAILED tests/test_{chosen.choice(_MODULES).replace('/', '_')}.py::test_{number}"
        for number in range(chosen.randrange(3))
    ]
    lines = (
        "$ python -m pytest -q",
        *dots,
        *failure,
        inserted,
        *failures,
        f"{len(failures) + bool(failure)} failed, {count} passed in {count / 90:.2f}s",
    )
    return made.add(_thought(chosen, "tests"), "run_tests", "", "\n".join(lines))


def _list(made: Made, chosen: random.Random, inserted: str) -> int:
    names = [f"lib/{module}.py" for module in chosen.sample(_MODULES, 25)]
    names += [inserted] if inserted else []
    return made.add(_thought(chosen, "lib"), "list_files", "", "\n".join(sorted(names)))


def _command(made: Made, chosen: random.Random, inserted: str) -> int:
    lines = [
        f"-rw-r--r-- 1 dev dev {chosen.randrange(90_000):>6} May {day:>2} 10:{day:02} {module}.py"
        for day, module in enumerate(chosen.sample(_MODULES, 20), 1)
    ]
    return made.add(_thought(chosen, "lib"), "run", "ls -l lib", "\n".join((*lines, inserted)))


def _in_source(made: Made, chosen: random.Random, fact: Fact) -> int:
    return _read(made, chosen, fact.text, fact.file)


def _in_listing(made: Made, chosen: random.Random, fact: Fact) -> int:
    return _list(made, chosen, fact.text)


def _in_log(made: Made, chosen: random.Random, fact: Fact) -> int:
    line = chosen.randrange(20, 400)
    place = f"{fact.file}:{line}: in {fact.symbol}"
    shown = ("=== FAILURES ===", "tests/test_it.py:12: in test_it", place, "    raise", fact.text)
    return _log(made, chosen, "", shown)


_STEPS = (_read, _read, _read, _read, _grep, _grep, _log, _list, _command)
_PLANTING = {"path": _in_listing, "error": _in_log, "assertion": _in_log}
