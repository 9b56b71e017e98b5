"""A pull request as it would be sent, made of what a run left: its folder, and its branch."""

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from react_agent.guards.gate import Verdict, run_of
from react_agent.issue_to_pr.change import Automatic, automatic, keys_in
from react_agent.issue_to_pr.message import issue_of, number_of, said_of, words_in
from react_agent.loop import transcript as transcripts
from react_agent.loop.events import IN_CHECKOUT
from react_agent.loop.state import State, fold
from react_agent.loop.steps import Step
from react_agent.loop.stop import Stop
from react_agent.parsers.answers.labelled import PullWords
from react_agent.parsers.forge.safe_markdown import code, fenced, prose
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.repo.file_roles import is_code, is_of_tests
from react_agent.parsers.repo.git_diff import FileDiff, read_git_diff
from react_agent.parsers.secrets.redaction import redacted
from react_agent.parsers.testing.commands import only_runs_tests
from react_agent.parsers.testing.log import read_log
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline, one_line
from react_agent.parsers.text.late_pattern import LatePattern
from react_agent.parsers.transcript.facts import read_list
from react_agent.procedure.course import as_one_run
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import check_header
from react_agent.tools.clip import clip
from react_agent.tools.context import Limits
from react_agent.tools.git.change import published
from react_agent.tools.git.repository import in_repository
from react_agent.tools.registry import Kind

MOST = 8_000  # bytes of a body, without the steps
_PROBLEM, _CHANGE, _UNCERTAIN, _OPEN, _SAID = 2_000, 2_500, 1_200, 300, 150  # characters
_SHARES = (1.0, 0.7, 0.4, 0.2, 0.1, 0.05)  # of them
_MOST_TESTS, _MOST_OPEN, _MOST_CHECKS, _MOST_AUTOMATIC = 6, 6, 10, 10
_PATH = 60  # characters of its end
_STEPS = Limits(output_chars=12_000, line_chars=300)
_THOUGHT, _INPUT, _SEEN = 300, 120, 120  # characters
_COMMAND, _RESULT = 100, 120  # characters
_CHECK_FAILED = ": failed"
_NOT_READY = frozenset({"failing", "not_run", "syntax", "tests_gone"})
_SETTLED = frozenset({"scratch", "left_out"})  # what was dropped, or never got in
_TOLD = LatePattern(r"(?s)(?P<said>.*?) in [\d.]+ s \((?P<command>.*)\)")


@dataclass(frozen=True, slots=True)
class Prepared:
    title: str
    body: str
    is_draft: bool
    branch: str  # in the repository
    base: str  # the commit that it begins at
    repository: Path
    refused: tuple[str, ...] = ()  # why it must not be sent; empty: it may


@dataclass(frozen=True, slots=True)
class Compared:
    """One command that runs tests."""

    command: str
    before: str = ""  # what it said when no code was changed yet; empty: it was not run then
    after: str = ""  # and when all of it was
    has_failed: bool = False  # after


@dataclass(frozen=True, slots=True)
class Told:
    """What a body is made of; none of it is trusted but the numbers."""

    problem: str
    change: str = ""
    uncertain: str = ""
    tests: Sequence[Compared] = ()
    checkout: str = ""  # how the tests ended in a fresh checkout
    no_tests: str = ""  # why none were run
    checks: Sequence[str] = ()  # that the repository declares, a line each
    open: Sequence[str] = ()  # what the gate found
    closes: str = ""  # `#12`, `owner/name#12`
    number: int = 0
    steps: Sequence[Step] = ()  # empty: they are not shown
    places: Sequence[str] = ()  # of this machine, which nobody is told
    automatic: Sequence[Automatic] = ()


def prepared(
    folder: RunFolder,
    *,
    moved: Path | None = None,
    closes: str = "",
    known: Collection[str] = (),
    steps: bool = True,
) -> Prepared:
    """`closes` is the issue as the forge writes it; `known` are secrets that nobody may see.

    `moved`: where the repository is by now, if not where the run found it.
    """
    entries = transcripts.read(folder.transcript).entries
    own = fold(entries)
    check_header(own, folder)
    state, words = as_one_run(folder, own), words_in(entries) or PullWords()
    base, before = own.header["base"], own.header["repository"]
    is_made = own.stop is Stop.CONCLUDED and "diff" in own.result
    branch = own.result.get("branch", "") if is_made else ""
    repository = moved or Path(before)
    files, refused = _looked_at(repository, base, branch, state)
    told = replace(
        _told(state, words, files, closes or str(issue_of(state) or ""), steps=steps),
        places=(str(folder.path), str(repository), before),
        automatic=_automatic(repository, base, branch, files),
    )
    return Prepared(
        title=redacted(own.result.get("subject") or title_of(own.objective or ""), known),
        body=redacted(body(told), known),
        is_draft=_is_draft(state, told),
        branch=branch,
        base=base,
        repository=repository,
        refused=refused,
    )


def _looked_at(
    repository: Path, base: str, branch: str, state: State
) -> tuple[Sequence[FileDiff], tuple[str, ...]]:
    """The branch as it is now: a person may have gone on with it."""
    if not branch:
        return (), (f"the run made no branch: it ended as {state.stop or Stop.INTERRUPTED}",)
    found = published(repository, base, branch)
    if found is None:
        return (), (f"the branch {branch} is gone, or no longer holds its base",)
    files = read_git_diff(os.fsdecode(found.patch))
    if not files:
        return (), (f"the branch {branch} changes nothing",)
    keys = [f"{place} {what}" for one in files for place, what in keys_in(one)]
    return files, (*keys, *([found.objection] if found.objection else ()))


def _automatic(
    repository: Path, base: str, branch: str, files: Sequence[FileDiff]
) -> tuple[Automatic, ...]:
    def read(commit: str, path: str) -> bytes | None:
        answer = git.ask("cat-file", "blob", f"{commit}:{path}")
        return answer.out if answer.code == 0 else None

    if not files:
        return ()
    with in_repository(repository) as git:
        return automatic(files, partial(read, base), partial(read, f"refs/heads/{branch}"))


def _told(
    state: State, words: PullWords, files: Sequence[FileDiff], closes: str, *, steps: bool
) -> Told:
    line = state.result.get("tests", "")
    verdict, is_fresh, command = line.partition(IN_CHECKOUT)
    runs = tested(state, command if is_fresh else "")
    has_code = any(is_code(one.path) for one in files)
    nothing = "no tests were run" if has_code else "no tests were run: no code was changed"
    points = [point for point in state.open if point.check not in _SETTLED]
    still = [] if any(point.check == "failing" for point in points) else runs
    return Told(
        problem=words.problem if words.problem or words.change else said_of(state),
        change=words.change,
        uncertain=words.uncertain,
        tests=runs,
        checks=read_list(state.result.get("checks", "")),
        checkout=f"{code(command)} in a fresh checkout: {verdict}" if is_fresh else "",
        no_tests="" if runs or is_fresh else nothing,
        open=[
            *(point.text for point in points),
            *(f"`{one.command}` still fails" for one in still if one.has_failed),
        ],
        closes=closes,
        number=number_of(state),
        steps=state.standing if steps else (),
    )


def _is_draft(state: State, told: Told) -> bool:
    """Where tests fail or did not run, and where the change itself is not whole."""
    if any(point.check in _NOT_READY for point in state.open):
        return True
    if any(line.endswith(_CHECK_FAILED) for line in told.checks):
        return True
    if told.checkout:
        return not state.result.get("tests", "").startswith("passed")
    if told.no_tests:
        return "no code" not in told.no_tests
    after = [one for one in told.tests if one.after]
    return not after or any(one.has_failed for one in after)


def tested(state: State, configured: str = "") -> list[Compared]:
    """How a change was tested by its steps, in the order of their last runs."""
    steps = state.standing
    first = next((step.number for step in steps if _writes_code(step)), len(steps) + 1)
    last = max((step.number for step in steps if step.has_written), default=0)
    before, after = dict[str, str](), dict[str, tuple[str, bool]]()
    for step in steps:
        run = run_of(step, configured)
        if run is None:
            continue
        command, said = _command_and_result(step, run.said, run.verdict)
        if step.number < first:
            before[command] = said
        if step.number > last:
            after.pop(command, None)
            after[command] = said, run.verdict is Verdict.FAILED
    return [Compared(one, before.get(one, ""), *told) for one, told in after.items()] or [
        Compared(one, said) for one, said in before.items()
    ]


def _writes_code(step: Step) -> bool:
    return step.has_written and any(is_code(one) and not is_of_tests(one) for one in step.paths)


def _command_and_result(step: Step, said: str, verdict: Verdict) -> tuple[str, str]:
    command = "the tests"
    if step.kind == Kind.TEST:
        if told := _TOLD.fullmatch(said):
            command, said = told["command"], told["said"]
    else:
        # Of several lines, the one that runs the tests: by it, they are known again.
        lines = step.said.turn.input.split("\n")
        command = next(filter(only_runs_tests, lines), step.said.turn.input)
        said = verdict.value
        if report := read_log(step.seen.text):
            counts = (
                (report.failed, "failed"),
                (report.errors, "errors"),
                (report.passed, "passed"),
            )
            told_counts = [f"{number} {word}" for number, word in counts if number]
            said = ", ".join([*told_counts, *([] if report.ran else ["no tests ran"])])
    return headline(one_line(command), _COMMAND), headline(one_line(said), _RESULT)


def body(told: Told) -> str:
    """Cut until it fits: what makes a text harmless adds to it."""
    tries = (_above(told, share) for share in _SHARES)
    above = next(filter(lambda text: len(text.encode()) <= MOST, tries), "")
    return _placeless("\n\n".join(filter(None, (above, _steps(told)))) + "\n", told.places)


def _placeless(text: str, places: Iterable[str]) -> str:
    for place in places:
        text = text.replace(place, "…") if len(place) > 1 else text
    return text


def _above(told: Told, share: float) -> str:
    parts = (
        prose(_short(told.problem, _PROBLEM * share), told.number),
        prose(_short(told.change, _CHANGE * share), told.number),
        _list("Runs automatically", _automatic_lines(told)),
        _list("Tested", _tests(told, share)),
        _list("Uncertain", _uncertain(told, share)),
        f"Fixes {told.closes}" if told.closes else "",
    )
    return "\n\n".join(filter(None, parts))


def _short(text: str, most: float) -> str:
    text, room = text.strip(), round(most)
    return text if len(text) <= room else f"{text[:room].rpartition(' ')[0] or text[:room]} …"


def _list(title: str, items: Iterator[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join((f"**{title}**", "", *lines)) if lines else ""


def _automatic_lines(told: Told) -> Iterator[str]:
    """Never cut with the rest: who merges the change has to see them."""
    for one in told.automatic[:_MOST_AUTOMATIC]:
        path = one.path if len(one.path) <= _PATH else f"…{one.path[-_PATH:]}"
        yield f"{code(path)}: {one.why}"
    if (more := len(told.automatic) - _MOST_AUTOMATIC) > 0:
        yield f"and {counted(more, 'more file')}"


def _tests(told: Told, share: float) -> Iterator[str]:
    for one in told.tests[-_MOST_TESTS:]:
        before, after = (prose(_short(said, _SAID * share)) for said in (one.before, one.after))
        now = f"now: {after}" if after else "not run since the last change"
        command = code(_short(one.command, _SAID * share))
        yield f"{command}: {f'before: {before}; ' if before else ''}{now}"
    yield from filter(None, (told.checkout, told.no_tests))
    for line in told.checks[:_MOST_CHECKS]:
        yield prose(_short(_headline(told, line, _OPEN), _SAID * share))


def _uncertain(told: Told, share: float) -> Iterator[str]:
    if told.uncertain:
        said = told.uncertain.replace("\n- ", "; ").removeprefix("- ")
        yield prose(_short(one_line(said), _UNCERTAIN * share), told.number)
    for point in told.open[:_MOST_OPEN]:
        yield prose(_short(_headline(told, point, _OPEN), _OPEN * share))


def _steps(told: Told) -> str:
    if not told.steps:
        return ""
    lines = list[str]()
    for step in told.steps:
        turn, seen = step.said.turn, _headline(told, step.seen.text, _SEEN)
        call = f"{turn.action or 'no action'} {_headline(told, turn.input, _INPUT)}"
        lines.append(f"{step.number}. {_headline(told, one_line(turn.thought), _THOUGHT)}")
        lines += (f"   {call}".rstrip(), f"   {step.status.value}: {seen}")
    text = clip("\n".join(lines), _STEPS, "the run keeps them all")
    summary = f"How it was made, in {counted(len(told.steps), 'step')}"
    return f"<details>\n<summary>{summary}</summary>\n\n{fenced(text)}\n\n</details>"


def _headline(told: Told, text: str, most: int) -> str:
    """Of a place that is cut in two, the first half would stay."""
    return headline(_placeless(text, told.places), most)
