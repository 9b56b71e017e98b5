"""The files of this folder as values.

file       = head section*
section    = "=== " title NEWLINE text
head       = (name ": " value NEWLINE)*     other lines are comments
script     = reply ("* * *" NEWLINE reply)*

repositories/NAME.txt: sections `file PATH`; `task NAME` (the issue), `fix NAME` (the last steps of
the right way), `judge NAME` (Python that ends well in a tree where the issue is resolved).
cases/KIND-NN-NAME.txt: a head, and the sections `wrong` and, if more than the fix is right,
`right`.
sound/REPOSITORY.txt: sections `run NAME`, each with a head of its own and a script.
fresh/ has the same three folders again: a second set, of which those who write the backtracker
have read nothing.
alarms/ has sound runs that were taken back when they were written, a bug each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FRESH, ALARMS = HERE / "fresh", HERE / "alarms"
PROVABLE = (
    "spelling",
    "case",
    "filter",
    "scope",
    "name or contents",
    "stale read",
    "contradicted later",
)
SOUND = "sound"
_SECTION = "=== "
_BETWEEN = "* * *\n"


@dataclass(frozen=True, slots=True)
class Task:
    repository: str
    issue: str
    fix: tuple[str, ...]
    judge: str


@dataclass(frozen=True, slots=True)
class Repository:
    name: str
    files: Mapping[str, str]
    tasks: Mapping[str, Task]


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    kind: str
    task: Task
    right: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()  # one of them in the prompt, and the right way is taken
    in_a_thought: bool = False  # what only an Observation shows is overlooked
    part: str = ""  # of the whole: "fresh", "alarms"
    goes_round: bool = False  # the wrong way has no end, and begins again

    @property
    def is_provable(self) -> bool:
        return self.kind in PROVABLE


@cache
def repository(name: str) -> Repository:
    places = (place / "repositories" / f"{name}.txt" for place in (HERE, FRESH, ALARMS))
    sections = _sections(next(filter(Path.exists, places)).read_text(encoding="utf-8"))
    files = {title[5:]: text for title, text in sections.items() if title.startswith("file ")}
    names = [title[5:] for title in sections if title.startswith("task ")]
    tasks = {
        task: Task(
            name,
            f"# {sections[f'task {task}']}",
            _script(sections[f"fix {task}"]),
            sections[f"judge {task}"],
        )
        for task in names
    }
    return Repository(name, files, tasks)


def blunders(place: Path = HERE) -> list[Case]:
    cases = (_blunder(path) for path in sorted((place / "cases").glob("*.txt")))
    return [_of_set(case, place) for case in cases]


def sound_runs(place: Path = HERE) -> list[Case]:
    runs = (run for path in sorted((place / "sound").glob("*.txt")) for run in _sound(path))
    return [_of_set(run, place) for run in runs]


def _of_set(case: Case, place: Path) -> Case:
    if place == HERE:
        return case
    return replace(case, name=f"{place.name}-{case.name}", part=place.name)


def _blunder(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    sections, head = _sections(text), _head(text)
    case = _started(path.stem, head, head.one("kind"), _script(sections.get("right", "")))
    return replace(
        case,
        wrong=_script(sections["wrong"]),
        facts=tuple(head.every("fact")),
        in_a_thought=head.one("where") == "thought",
        goes_round=head.one("goes round") == "yes",
    )


def _sound(path: Path) -> Iterator[Case]:
    for title, text in _sections(path.read_text(encoding="utf-8")).items():
        begins = text.index("Thought:")
        head = _head(f"{text[:begins]}repository: {path.stem}\n")
        name = f"{path.stem}-{title.removeprefix('run ')}"
        yield _started(name, head, SOUND, _script(text[begins:]))


def _started(name: str, head: "_Head", kind: str, right: tuple[str, ...]) -> Case:
    *place, task = head.one("task").split()
    chosen = repository(place[0] if place else head.one("repository")).tasks[task]
    return Case(name, kind, chosen, (*right, *chosen.fix))


@dataclass(frozen=True, slots=True)
class _Head:
    lines: tuple[tuple[str, str], ...]

    def every(self, name: str) -> Iterator[str]:
        return (value for known, value in self.lines if known == name)

    def one(self, name: str) -> str:
        return next(self.every(name), "")


def _head(text: str) -> _Head:
    parted = (line.partition(": ") for line in text.partition(f"\n{_SECTION}")[0].split("\n"))
    return _Head(tuple((name, value) for name, colon, value in parted if colon))


def _sections(text: str) -> dict[str, str]:
    _, *parts = f"\n{text}".split(f"\n{_SECTION}")
    titled = (part.partition("\n") for part in parts)
    return {title: f"{body.rstrip()}\n" if body.strip() else "" for title, _, body in titled}


def _script(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(_BETWEEN) if part.strip())
