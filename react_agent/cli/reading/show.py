"""The commands show and audit, which print a transcript, page by page on a terminal."""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from react_agent.cli.arguments import Audit, Show
from react_agent.cli.options import MOST_STEPS, whole
from react_agent.cli.terminal.paint import FOLD, note, painted, painted_diff
from react_agent.cli.terminal.screen import console
from react_agent.cli.terminal.streams import say
from react_agent.cli.terminal.table import print_table, wrapped
from react_agent.errors import UsageError
from react_agent.gone import AUDIT
from react_agent.parsers.text.counted import counted
from react_agent.parsers.transcript.entries import Event, Objective
from react_agent.parsers.transcript.facts import write_numbers
from react_agent.parsers.transcript.labels import Label, strict
from react_agent.parsers.transcript.quoting import escape, unescape, visible
from react_agent.places import runs_folder, settings_file
from react_agent.profiles.settings import read_settings
from react_agent.runs.audit import SECTIONS, audit, audited, is_whole
from react_agent.runs.history import (
    LATER,
    Call,
    Kind,
    Prompts,
    Scene,
    Story,
    kinds_of,
    prompts,
    story,
)
from react_agent.runs.run_folder import RunFolder, find
from react_agent.runs.work_tree import changes
from react_agent.state.steps import real_number
from react_agent.state.transcript import contents, read_begun
from react_agent.tools import variables
from react_agent.tools.observation import Status

_PARTS: Mapping[Kind, Collection[Label]] = {
    Kind.THOUGHTS: (Label.THOUGHT, Label.CONCLUSION),
    Kind.ACTIONS: (Label.ACTION, Label.INPUT),
}
_OF_A_CHANGE = (Label.THOUGHT, Label.ACTION)
_RESULT = ("branch", "tests", "outcome")  # events that a run prints as rows at its end
_A_WHILE = 1.0  # seconds; shorter times are not shown


@dataclass(frozen=True, slots=True)
class Look:
    """The options that select which parts of a run are shown."""

    fold: int | None = FOLD  # lines of an Observation
    only: frozenset[Kind] = frozenset()  # empty: everything
    changes: Mapping[int, str] | None = None  # diffs by step, if only changes are shown

    def labels(self, kinds: Collection[Kind]) -> Collection[Label]:
        """Return the labels to show for a step with these kinds."""
        found = [kind for kind in kinds if kind in self.only]
        if self.is_all or any(kind not in _PARTS for kind in found):
            return tuple(Label)
        return [label for kind in found for label in _PARTS[kind]]

    @property
    def is_all(self) -> bool:
        return not self.only and self.changes is None


def story_lines(told: Story, look: Look, first: int = 0) -> Iterator[Text]:
    """Yield the lines of a run, or only those from its step `first` on."""
    if look.is_all and not first:
        yield from _beginning(told)
    for scene in told.scenes:
        if scene.step.number >= first:
            yield from _scene_lines(scene, look)
    yield from _ending(told, look)


def _beginning(told: Story) -> Iterator[Text]:
    header = told.header
    about = (
        ("run", header.get("run")),
        ("began", told.began.partition("+")[0].replace("T", " ")),
        ("profile", header.get("profile")),
        ("model", header.get("model")),
    )
    if shown := ", ".join(f"{name} {value}" for name, value in about if value):
        yield note(shown)
    for name, value in header.items():
        yield from painted(Event(name, value))
    yield from painted(Objective(told.objective), None)
    yield Text()


def _scene_lines(scene: Scene, look: Look) -> Iterator[Text]:
    if look.is_all:
        yield from chain.from_iterable(map(painted, scene.before))
    labels, change = look.labels(scene.kinds), (look.changes or {}).get(scene.step.number, "")
    if change and not labels:
        labels = _OF_A_CHANGE
    if not labels:
        return
    yield note(_heading(scene))
    yield from _within(painted(scene.step.said), labels)
    yield from _within(painted(scene.step.seen, look.fold), labels)
    yield from painted_diff(change)
    yield Text()


def _ending(told: Story, look: Look) -> Iterator[Text]:
    """Yield the lines of a reply that has no Observation yet, and of the last events."""
    if look.is_all:
        yield from chain.from_iterable(map(painted, told.before))
    said = told.pending
    if said and (labels := look.labels(kinds_of(said.turn))):
        yield note(", ".join((f"step {len(told.scenes) + 1}", *_prompt(told.call))))
        yield from _within(painted(said), labels)
    if look.is_all:
        yield from chain.from_iterable(map(painted, told.end))
        found = (event for event in told.end if event.name in _RESULT)
        yield from (note(f"{event.name}: {event.text}") for event in found)
        if told.is_torn:
            yield note("the last entry is incomplete and is not shown")


def _within(lines: Iterator[Text], labels: Collection[Label]) -> Iterator[Text]:
    """Yield the lines below these labels. Untrusted text is quoted, so labels are reliable."""
    is_wanted = False
    for line in lines:
        if found := strict(line.plain):
            is_wanted = found.label in labels
        if is_wanted:
            yield line


def _heading(scene: Scene) -> str:
    """Return the heading of a step, with the step number that `fork --at` accepts."""
    step = scene.step
    # Of the model and the tool, as far as they were recorded.
    times = (facts.get("seconds") for facts in (step.said.facts, step.seen.facts))
    seconds = sum(real_number(time) or 0.0 for time in times)
    by = step.said.facts.get("by")
    parts = (
        f"step {step.number}",
        f"written by {by}" if by else "",
        *_prompt(scene.call),
        f"{seconds:.1f} s" if seconds >= _A_WHILE else "",
        str(Status.FAILED) if step.status is Status.FAILED else "",
        LATER.get(step.shown, ""),
    )
    return ", ".join(filter(None, parts))


def _prompt(call: Call | None) -> Iterator[str]:
    if call and (tokens := call.spent.prompt_tokens):
        yield f"prompt of {'' if call.is_counted else 'about '}{counted(tokens, 'token')}"


_AS_WE_PAGE = "-RFX"  # for less: colours, and no paging if everything fits on the screen


def paged(lines: Sequence[Text], screen: Console) -> None:
    if not screen.is_terminal:  # in one go: line by line takes twice as long
        screen.print(Text("\n".join(line.plain for line in lines)))
        return
    with pages(screen):
        for line in lines:
            for row in wrapped(line, screen):
                screen.print(row)


def pages(screen: Console) -> AbstractContextManager[object]:
    if not screen.is_terminal:
        return nullcontext()
    variables.suggest("LESS", _AS_WE_PAGE)
    return screen.pager(styles=True)


_OTHERWISE = (
    "not exactly as it was: its instructions or its last lines were different, because of another "
    "version of react-agent or other settings"
)
_GUIDED = "not as it was: the guide asked the model for one function instead"


def show_prompt(folder: RunFolder, number: int, screen: Console) -> None:
    """Print the prompt of a step. If the output is not a terminal, print nothing else."""
    begun = read_begun(folder.transcript, "show")
    seen = prompts(folder.path, begun, read_settings(settings_file()))
    if number not in seen.tails:
        there = write_numbers(seen.numbers)
        those = f"there are prompts of {there}" if there else "it has none of its own"
        run = folder.path.name
        raise UsageError(f"the run {run} has no prompt for step {number}: {those}")
    text, exact = seen.view(number).text, _how_exact(seen, number)
    if screen.is_terminal:
        lines = [note(f"what the model saw at step {number}, {exact}")]
        for line in text.split("\n"):
            labelled = strict(line)
            lines.append(Text(line))
            lines[-1].stylize("bold", 0, len(labelled.label) + 1 if labelled else 0)
        paged(lines, screen)
        return
    if not seen.is_exact(number):
        say([f"react-agent: {exact}"])
    typer.echo(visible(text), nl=False)


def _how_exact(found: Prompts, number: int) -> str:
    """Return a phrase that says how exactly the prompt is known."""
    if number in found.guided:
        return _GUIDED
    is_exact = found.is_exact(number)
    if is_exact:
        return "exactly as it was"
    if is_exact is None:
        return "as it would be now: the transcript does not record what it was"
    if found.problem:
        return f"without its instructions, which can't be made again: {found.problem}"
    return _OTHERWISE


def show_run(given: Show) -> int:
    _check(given)
    folder, screen = find(runs_folder(), given.run), console(plain=given.plain)
    if given.raw:
        _show_raw(folder.transcript, screen)
    elif given.step is not None:
        show_prompt(folder, whole("--step", given.step, MOST_STEPS), screen)
    else:
        return _show_steps(folder, given, screen)
    return 0


def _check(given: Show) -> None:
    """Check that --raw and --step are used without other step options. Raises UsageError."""
    options = {"--step": given.step, "--raw": given.raw, "--full": given.full, "--only": given.only}
    options |= {"--diff": given.diff, "STEP": given.at}
    first, *others = [name for name, value in options.items() if value not in (None, False)] or [""]
    if first in ("--step", "--raw") and others:
        raise UsageError(f"{first} excludes other choices: leave out {' and '.join(others)}")


def _kinds(only: str | None) -> frozenset[Kind]:
    """Parse the kinds that --only names. Raises UsageError."""
    if only is None:
        return frozenset()
    words = only.replace(",", " ").split()
    for word in words or [only]:
        if word not in tuple(Kind):
            raise UsageError(f"--only must be some of {', '.join(Kind)}, not {word!r}")
    return frozenset(map(Kind, words))


def _show_steps(folder: RunFolder, given: Show, screen: Console) -> int:
    told, only = story(read_begun(folder.transcript, "show")), _kinds(given.only)
    changed = changes(folder, told.state) if given.diff else None
    look = Look(None if given.full else FOLD, only, changed)
    first = whole("STEP", given.at, MOST_STEPS) if given.at else 0
    last = max(len(told.scenes) + bool(told.pending), 1)
    if first > last:
        raise UsageError(f"the run {folder.path.name} has no step {first}: its last is {last}")
    if shown := list(story_lines(told, look, first)):
        paged(shown, screen)
        return 0
    sought = " or ".join(sorted(only)) or "change of a file"
    since = f", from step {given.at} on" if given.at else ""
    screen.print(note(f"no {sought} in {folder.path.name}{since}"))
    return 1


def _show_raw(path: Path, screen: Console) -> None:
    if not screen.is_terminal and sys.stdout and not sys.stdout.isatty():
        sys.stdout.buffer.write(contents(path))
    else:
        with pages(screen):
            # With control characters escaped, because nobody has checked the file.
            text = contents(path).decode(errors="surrogateescape").removesuffix("\n")
            for line in text.split("\n"):
                screen.print(Text(escape(unescape(line))))


_WORD = 7  # columns of a section's name


def audit_runs(given: Audit) -> int:
    only = given.only
    if only is not None and only not in SECTIONS:
        if only in AUDIT:
            raise UsageError(f"the part {only!r} was removed: {AUDIT[only]} RUN shows it")
        raise UsageError(f"there is no part {only!r}; choose from {', '.join(SECTIONS)}")
    found = [audited(find(runs_folder(), name).transcript) for name in given.runs]
    screen = console()
    for run in found:
        for section, line in audit(run, only or ""):
            text = escape(line.replace("\n", "<U+000A>"))
            print_table([(Text(f"{section:<{_WORD}}", "bold"), Text(text))], screen)
    return int(not all(map(is_whole, found)))
