"""What earlier runs of a repository learned, where the person wants that remembered.

Commands that worked, where things are, what led nowhere: plain text, one file a repository. Each
lesson names its run, and is told as long as the files it rests on have not changed.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from react_agent.errors import MachineError
from react_agent.outcome import Outcome
from react_agent.parsers.gist import headline
from react_agent.parsers.issue import title_of
from react_agent.parsers.lessons import About, Lesson, read_lessons, write_lessons
from react_agent.parsers.quoting import quote_lines
from react_agent.parsers.runner import only_runs_tests
from react_agent.run_folder import write_whole
from react_agent.state import State
from react_agent.steps import Step
from react_agent.stop import Stop
from react_agent.tools import disk
from react_agent.tools.disk import locked
from react_agent.tools.git.repository import Base, contents_at
from react_agent.tools.observation import Status

_KEPT = 200  # lessons of a repository
_TOLD = 8
_LONGEST = 240  # characters
_COMMANDS = 4  # of one run
_COMMAND = 120  # characters
_FILES = 6
_INTRODUCED = "Earlier runs here have left notes; check one before you rely on it:"
_SAID = {
    About.COMMAND: "this command works: {text}",
    About.NO_COMMAND: "this one does not: {text}",
    About.PLACE: "{text}",
    About.DEAD_END: "led nowhere: {text}",
}
_NOT_THERE = re.compile(r"No module named|command not found|: not found|No such file")
# What a command rests on, beside the files that it names.
_SET_UP_IN = (
    *("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "requirements.txt"),
    *("package.json", "Makefile", "Cargo.toml", "go.mod", ".react-agent.cfg"),
)


def place(folder: Path, repository: Path) -> Path:
    name = blake2b(str(repository).encode(errors="surrogateescape"), digest_size=6).hexdigest()
    return folder / f"{repository.name}-{name}.txt"


def told(file: Path, base: Base) -> Iterator[str]:
    """What a prompt says of them: those that still hold, the newest first."""
    lessons = _read(file)
    contents = contents_at(base, sorted({path for one in lessons for path in one.files}))
    holding = [one for one in reversed(lessons) if one.holds(contents)]
    chosen = holding[:_TOLD]
    if chosen:
        yield _INTRODUCED
        yield from map(_told, chosen)


def _told(lesson: Lesson) -> str:
    """A person may have edited it."""
    text = quote_lines(headline(lesson.text, _LONGEST))
    return _SAID[lesson.about].format(text=text) + _source(lesson)


def _source(lesson: Lesson) -> str:
    return f" ({lesson.run})" if lesson.run else ""


def remember(file: Path, base: Base, outcome: Outcome, commit: str | None, day: str) -> None:
    """What this run learned; a lesson that is learned again is the newer one."""
    found = list(_learned(outcome.state, outcome.stop))
    paths = sorted({path for one in found for path in one.files})
    before = contents_at(base, paths)
    after = contents_at(replace(base, commit=commit, held_by=None), paths) if commit else before
    run = Path(outcome.state.header.get("run", "")).name
    dated = [
        replace(one, run=run, at=day, files=_contents(one.files, before, after)) for one in found
    ]
    if dated:
        _add(file, dated)


def _contents(
    paths: Iterable[str], before: Mapping[str, str], after: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    both = {path: (before.get(path, ""), after.get(path, "")) for path in paths}
    return {path: tuple(dict.fromkeys(pair)) for path, pair in both.items() if any(pair)}


def _learned(state: State, stop: Stop) -> Iterator[Lesson]:
    title = headline(title_of(state.objective or ""))
    yield from _commands(state.standing)
    files = dict.fromkeys(sorted(state.wrote)[:_FILES], ())
    if stop is Stop.CONCLUDED and files:
        yield Lesson(
            About.PLACE, f"for “{title}”, the change was in {', '.join(files)}", files=files
        )
    elif stop is Stop.GAVE_UP:
        looked_at = _most_looked_at(state.standing)
        said = f"“{title}”: {headline(state.conclusion, 200)}"
        yield Lesson(About.DEAD_END, said, files=dict.fromkeys(looked_at, ()))


def _most_looked_at(steps: Collection[Step]) -> list[str]:
    paths = [path for step in steps for path in step.paths]
    return sorted(set(paths), key=lambda path: (-paths.count(path), path))[:_FILES]


def _commands(steps: Collection[Step]) -> Iterator[Lesson]:
    """Tests in the first place: how they are run is what each run has to find out again."""
    ran = [step for step in steps if step.tool == "run" and _is_short(step.said.turn.input)]
    runs = {_command(step): step for step in ran if _works(step)}
    ordered = sorted(runs, key=lambda command: not only_runs_tests(command))
    yield from (Lesson(About.COMMAND, text, files=_rests_on(text)) for text in ordered[:_COMMANDS])
    for text, step in {_command(step): step for step in ran}.items():
        if text not in runs and only_runs_tests(text):
            why = f"{text} ({headline(_problem(step))})"
            yield Lesson(About.NO_COMMAND, why, files=_rests_on(text))


def _works(step: Step) -> bool:
    """Tests that fail have been run, too."""
    failed = step.status is Status.FAILED
    return not (_problem(step) if only_runs_tests(_command(step)) else failed)


def _problem(step: Step) -> str:
    lines = step.seen.text.split("\n") if step.status is Status.FAILED else ()
    return next((line for line in lines if _NOT_THERE.search(line)), "")


def _is_short(command: str) -> bool:
    return len(command.strip()) <= _COMMAND and "\n" not in command.strip()


def _command(step: Step) -> str:
    return step.said.turn.input.strip()


def _rests_on(command: str) -> dict[str, tuple[str, ...]]:
    named = [word for word in command.split() if "/" in word or word.endswith(".py")]
    return dict.fromkeys((*_SET_UP_IN, *named[:_FILES]), ())


def _read(file: Path) -> tuple[Lesson, ...]:
    try:
        return read_lessons(disk.read_text(file, errors="replace"))
    except OSError:
        return ()  # there is none yet


def _add(file: Path, lessons: Iterable[Lesson]) -> None:
    """Another run may be at its end, too."""
    try:
        disk.mkdir(file.parent, parents=True, exist_ok=True, mode=0o700)
        with locked(file.with_suffix(".lock")):
            kept = {(one.about, one.text): one for one in _read(file)}
            for one in lessons:
                kept.pop((one.about, one.text), None)
                kept[one.about, one.text] = one
            write_whole(file, write_lessons(list(kept.values())[-_KEPT:]).encode())
    except OSError as error:
        raise MachineError(f"can't write {file}: {error.strerror}") from error
