"""Solve an issue with a run, resume a run, fork a run, or converse with a user in a run.

A resumed run continues from the current contents of its transcript. A fork starts from the state
of another run after one of its steps, and then continues independently. The other run is not
changed. The fork copies its entries, and its checkpoints if its workspace still exists. Otherwise
the steps that changed files are executed again.
"""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from pathlib import Path

from react_agent.errors import MachineError, UsageError
from react_agent.issue_to_pr.change import chosen
from react_agent.issue_to_pr.issue import Issue, of_text
from react_agent.issue_to_pr.target import TARGET, is_pull_wanted, target_event, target_of
from react_agent.loop.agent import carry_out
from react_agent.models.endpoint import model_name
from react_agent.parsers.issue.title import title_of
from react_agent.parsers.text.counted import counted
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import HEADER, Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.parsers.turn.turn import Kind
from react_agent.procedure.course import as_one_run
from react_agent.procedure.play import play
from react_agent.procedure.roles import adapted, of_header
from react_agent.profiles.profile import limits_of
from react_agent.profiles.profile_file import Wanted
from react_agent.runs.commands import Heard, Surroundings
from react_agent.runs.finish import finish
from react_agent.runs.history import moments
from react_agent.runs.project import changed_limits, project_at
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder, create
from react_agent.runs.run_setup import (
    Request,
    Run,
    assemble,
    begin,
    check_header,
    names_of,
    reach_event,
)
from react_agent.state import transcript as transcripts
from react_agent.state.state import FORKED, RESUMES, State, Stop, fold, stop_event, trees_of
from react_agent.state.steps import MAINTAINER, RETRACTED, compressed_event
from react_agent.state.transcript import Transcript
from react_agent.tools import disk
from react_agent.tools.errors import Damaged, machine_error, reason
from react_agent.tools.git import change, workspace
from react_agent.tools.git.door import GitError
from react_agent.tools.git.repository import Base, base_of
from react_agent.tools.git.workspace import Workspace

_CHANGED = ("run", "branch", "repository", "model", TARGET)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The settings that the user has changed since the run was created."""

    budget: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    repository: Path | None = None  # it has moved
    even_stopped: bool = False  # a run that has stopped is opened, and stays as it is


@dataclass(frozen=True, slots=True)
class Fork:
    source: RunFolder
    at: int  # the last step of it that is kept
    say: str = ""  # by a person, behind that step


def solve(request: Request, around: Surroundings) -> Outcome:
    return _to_its_end(begin(request, around), around, publish=request.publish, keep=request.keep)


def resume(folder: RunFolder, around: Surroundings, otherwise: Otherwise, *, keep: bool) -> Outcome:
    return _to_its_end(take_up(folder, around, otherwise), around, publish=True, keep=keep)


def fork(what: Fork, around: Surroundings, otherwise: Otherwise, *, keep: bool) -> Outcome:
    return _to_its_end(begin_fork(what, around, otherwise), around, publish=True, keep=keep)


def _to_its_end(opened: Run, around: Surroundings, *, publish: bool, keep: bool) -> Outcome:
    try:
        stop = play(opened, around)
        while stop.is_final and (said := around.said(opened.transcript.state)):
            go_on(opened, said)
            stop = play(opened, around)
        opened.close()  # else running commands would change the files
        return finish(opened, around, publish=publish, keep=keep)
    except (OSError, MachineError, GitError) as error:
        what = reason(error) if isinstance(error, OSError) else str(error)
        if publish:  # else the folder goes with the replay or the attempt
            how = f"react-agent resume {opened.folder.path.name}"
            what = f"{what}; nothing is lost: continue with {how}"
        raise MachineError(what) from error
    finally:
        opened.close()
        opened.transcript.close()


_READ = "(The maintainer has read this.)"
_BROKEN_OFF = "(The maintainer interrupted this step; the files are as they were before it.)"


def go_on(run: Run, said: Sequence[Event]) -> None:
    """Continue a stopped run after the user's messages. An unfinished step is not executed."""
    state, agent = run.transcript.state, run.agent
    ended = list[Seen]()
    if state.pending:
        is_read = state.pending.turn.kind is Kind.CONCLUSION
        facts = {"n": str(len(state.steps) + 1), "status": "ok" if is_read else "failed"}
        ended = [Seen(_READ if is_read else _BROKEN_OFF, {**facts, "kind": "none"})]
    run.transcript.append(*ended, *said)
    carry_out(said, state, agent.files, agent.context.background)


def begin_fork(fork: Fork, around: Surroundings, otherwise: Otherwise) -> Run:
    """Start a fork and return its run. If that fails, the folder of the fork is removed again."""
    with transcripts.held(fork.source.transcript):
        kept = kept_of(fork.source, fork.at)
        state = fold(kept)
        check_header(state, fork.source)
        names = names_of(Issue(title_of(state.objective or ""), ""), around)
        repository = str(otherwise.repository or state.header["repository"])
        header = {**state.header, "run": names.run, "branch": names.branch}
        header |= {"repository": repository, "model": otherwise.model or header["model"]}
        if target := target_of(header):  # a fork is sent only when a person says so
            header[TARGET] = target_event(replace(target, way=())).text
        words = around.redaction(header["model"])(fork.say)
        said = [Event(MAINTAINER, words)] if words else []
        folder = create(around.runs, names.run)
        with contextlib.ExitStack() as undo:
            undo.callback(disk.remove_all, folder.path)
            transcripts.create(folder.transcript, (*_begun(kept, header), *said)).close()
            _copy_files(fork.source, folder, state, header, around)
            origin = {"run": fork.source.path.name, "at": str(fork.at)}
            run = take_up(folder, around, otherwise, Event(FORKED, write_facts(origin)))
            undo.pop_all()
    return run


def kept_of(source: RunFolder, at: int) -> tuple[Entry, ...]:
    """Return the entries of a run up to the end of step `at`.

    For step 0, these are the header, the objective, and the description of the repository from
    the prompt.
    """
    entries, ends = list[Entry](), list[int]()  # how many entries there are after each step
    for moment in moments(transcripts.read(source.transcript).entries):
        entries.append(moment.entry)
        ends += [len(entries)] if moment.ended else []
    if not 0 <= at <= len(ends):
        raise UsageError(
            f"the run {source.path.name} has {counted(len(ends), 'step')}: "
            f"--at is a number from 0 to {len(ends)}, not {at}"
        )
    if at:
        return tuple(entries[: ends[at - 1]])
    before = list(takewhile(lambda entry: not isinstance(entry, Said), entries))
    begun = next((at for at, one in enumerate(before, 1) if isinstance(one, Objective)), 0)
    about = (one for one in before[begun:] if isinstance(one, Event) and one.name == "about")
    return (*before[:begun], *about)


def _begun(kept: Iterable[Entry], header: dict[str, str]) -> Iterator[Entry]:
    """Yield the entries with the fork's own names."""
    began = False
    for entry in kept:
        began = began or isinstance(entry, Objective)
        if not isinstance(entry, Event):
            yield entry
        elif entry.name != HEADER:
            is_own = not began and entry.name in _CHANGED
            yield replace(entry, text=header[entry.name]) if is_own else entry


def _copy_files(
    source: RunFolder, folder: RunFolder, state: State, header: dict[str, str], around: Surroundings
) -> None:
    base = base_of(Path(header["repository"]), header["base"], around.cuts)
    made = workspace.make(base, root=folder.workspace, branch=header["branch"], cuts=around.cuts)
    with machine_error(f"{source.path} can't be copied"):
        workspace.adopt(made, source.workspace, trees_in(source, state))
        if source.changes.is_file():  # the diffs of steps that are not done again
            disk.copy(source.changes, folder.changes)
        for name in filter(None, (step.sub for step in state.steps)):
            for inner in (source.path / name).rglob(transcripts.NAME):
                place = folder.path / inner.parent.relative_to(source.path)
                disk.mkdir(place, parents=True)
                disk.copy(inner, place)


def take_up(
    folder: RunFolder, around: Surroundings, otherwise: Otherwise, event: Event | None = None
) -> Run:
    """Reopen a run, and restore its work tree to the state after the last step.

    The event says how the run goes on. By default, it is resumed.
    """
    before = fold(transcripts.read(folder.transcript).entries)
    _check(before, folder, otherwise)
    redact = around.redaction(otherwise.model or before.header["model"])
    transcript, reading = transcripts.reopen(folder.transcript, around.listeners, redact)
    try:
        _check(transcript.state, folder, otherwise)  # another process may have been at it since
        if reading.torn:
            around.tell("the last entry of the transcript was incomplete: it is kept as %% torn")
        said = [one for one in reading.entries if not isinstance(one, Event)]
        for last, one in pairwise(said):
            if isinstance(one, Seen) and not isinstance(last, Said):
                text = headline(one.text)
                around.tell(f"an Observation that no Action asked for is not used: {text}")
        stays = otherwise.even_stopped and transcript.state.stop is not None
        events = [] if stays else [event or resumed_event(around)]
        return _open(folder, transcript, around, otherwise, events)
    except BaseException:
        transcript.close()
        raise


def trees_in(folder: RunFolder, state: State) -> set[str]:
    """Return the ids of all checkpoints that a run and its nested runs refer to."""
    sub_runs = sorted(folder.path.glob(f"sub/**/{transcripts.NAME}"))
    inner = (fold(transcripts.read(path).entries) for path in sub_runs)
    return set().union(*map(trees_of, (state, *inner)))


def _check(state: State, folder: RunFolder, otherwise: Otherwise) -> None:
    check_header(state, folder)
    if state.is_complete and not otherwise.even_stopped:
        send = f"react-agent pr {folder.path.name} publishes its change; "
        raise UsageError(
            f"this run has ended as {state.stop}; {send if is_pull_wanted(state.header) else ''}"
            f"react-agent chat {folder.path.name} continues it; "
            f"react-agent fork {folder.path.name} --at STEP continues from an earlier step"
        )
    files = folder.report, folder.patch, folder.changes, folder.git
    places = (folder.workspace, *folder.temporary, *files)
    if folder.path.name != state.header.get("run") and (
        there := [one for one in places if one.exists()]
    ):
        raise UsageError(
            f"{there[0]} already exists: put {folder.name} into a new folder, and resume that"
        )


def resumed_event(around: Surroundings) -> Event:
    return Event("resumed", around.now().isoformat(timespec="seconds"))


def _open(
    folder: RunFolder,
    transcript: Transcript,
    around: Surroundings,
    otherwise: Otherwise,
    events: Sequence[Event],
) -> Run:
    header = transcript.state.header
    repository = otherwise.repository or Path(header["repository"])
    base = base_of(repository, header["base"], around.cuts)
    spec = otherwise.model or header["model"]
    before = header.get("amended", "")
    model = model_name(spec, around.settings.models) if otherwise.model else before
    wanted = Wanted(header["profile"], model, tuple(transcript.state.profile))
    changed = changed_limits(wanted, before, around.settings.profiles)
    limits = {**read_facts(header.get("limits", "")), **changed, **otherwise.budget}
    project = project_at(base, wanted, limits, around.settings, around.tell)
    project = adapted(project, of_header(transcript.state.procedure), around.settings.withhold)
    opened = around.open_model(spec)
    place = _place(base, folder, header["branch"], transcript.state, around)
    run = assemble(transcript, place, project, opened, around)
    with contextlib.ExitStack() as undo:
        undo.callback(run.close)
        is_amended = "amended" in header or project.amended
        transcript.append(
            *events,
            Event("repository", str(base.repository)),
            Event("model", spec),
            *([reach_event(spec, run.commands, around)] if spec != header["model"] else []),
            *([Event("amended", project.amended)] if is_amended else []),
            Event("limits", write_facts(limits_of(project.profile.budget))),
        )
        run.agent.files.bring_back(transcript.state)
        undo.pop_all()
    return run


def _place(
    base: Base, folder: RunFolder, branch: str, state: State, around: Surroundings
) -> Workspace:
    """Return the existing workspace of a run, or a new one if it is missing or damaged."""
    older = Workspace(folder.workspace.absolute(), branch, base)
    if workspace.is_older(older):
        missing = workspace.move_out(older, around.cuts, trees_in(folder, state))
        if lost := [step.number for step in state.steps if step.tree in missing]:
            around.tell(
                f"this run began with an older version, which left the files after step {lost[0]} "
                "incomplete: later steps that changed files are repeated"
            )
    try:
        return workspace.reopen(base, root=folder.workspace, branch=branch, cuts=around.cuts)
    except Damaged:
        workspace.remove(older)
        return workspace.make(base, root=folder.workspace, branch=branch, cuts=around.cuts)


_BY = "maintainer"  # who takes steps back
_NOTHING = "the conversation is empty: first say what you want"
_OF_A_MESSAGE = ("steps", "seconds", "prompt_tokens")  # limits that grow with each message


@dataclass(slots=True)
class Conversation:
    """A conversation with the user: a run that continues after each message.

    Between two messages, the work tree is not changed.
    """

    request: Request  # for the run that the first line begins
    around: Surroundings
    folder: RunFolder | None = None  # of the run; none before the first line
    run: Run | None = None  # while it is open
    is_to_resume: bool = False  # it had stopped before it was opened, and was not continued yet

    def say(self, text: str) -> Stop:
        """Send a message to the model, and let it work until the run stops."""
        if self.folder is None:
            issue = replace(self.request, issue=of_text(text, "the message"))
            self.run = begin(issue, self.around)
            self.folder = self.run.folder
        else:
            self._tell(Event(MAINTAINER, text))
        return self._play()

    def is_broken_off(self) -> bool:
        """Whether the process that executed the run was killed before the run stopped."""
        return self.folder is not None and self.state.stop is None

    def finish_answer(self) -> Stop:
        """Resume the run at the point where it was interrupted."""
        self._opened()
        return self._play()

    @property
    def state(self) -> State:
        if self.run:
            return self.run.transcript.state
        if self.folder is None:
            raise UsageError(_NOTHING)
        return fold(transcripts.read(self.folder.transcript).entries)

    def patch(self) -> bytes:
        """Return the change so far as a patch, exactly as it would be committed to the branch."""
        run = self._opened()
        state = run.transcript.state
        tree = change.propose(run.workspace, state.wrote).tree
        return chosen(run.workspace, state, tree).patch

    def undo(self) -> tuple[int, ...]:
        """Undo the steps since the user's last message and their changes. Return their numbers."""
        run = self._opened()
        state = run.transcript.state
        said = [0, *(step.number for step in state.steps if step.messages)]
        standing = [step.number for step in state.standing]
        if state.pending:
            standing.append(len(state.steps) + 1)
        since = max((at for at in said if any(number > at for number in standing)), default=None)
        if since is None:
            raise UsageError("there is nothing to undo")
        gone = tuple(number for number in standing if number > since)
        line = state.steps[since - 1].messages if since else state.objective or ""
        reason = f"the maintainer undid everything after this: {headline(line.strip())}"
        stop = stop_event(state.stop or Stop.INTERRUPTED, state.stop_reason)
        self._tell(compressed_event(RETRACTED, gone, reason, by=_BY, at=str(gone[0])))
        if state.stop is None:  # or the next to open the run would let the model go on
            run.transcript.append(stop)
        return gone

    def _tell(self, event: Event) -> None:
        run = self._opened()
        if self.is_to_resume:
            run.transcript.append(resumed_event(self.around))
            self.is_to_resume = False
        go_on(run, [event])

    def finish(self, *, publish: bool) -> Outcome:
        """Run the tests on the change so far. With `publish`, also create a branch for it."""
        run = self._opened()
        if publish and run.transcript.state.stop is not Stop.CONCLUDED:
            run.transcript.append(stop_event(Stop.CONCLUDED, "by the maintainer"))
        profile = replace(run.project.profile, final_tests="always")
        run.close()
        run = replace(run, project=replace(run.project, profile=profile))
        try:
            return finish(run, self.around, publish=publish, keep=True)
        finally:
            self.close()

    def use(self, model: str) -> None:
        """Switch to another model. If it can't be opened, the current model stays in use."""
        self.around.open_model(model)
        self.request = replace(self.request, model=model)
        self.close()
        if self.folder:
            self._open(model)

    def close(self) -> None:
        if self.run:
            self.run.close()
            self.run.transcript.close()
            self.run = None

    def _opened(self) -> Run:
        if self.run is None:
            return self._open(None)
        state = self.run.transcript.state
        if state.pending and state.pending.turn.action:  # it may have done half of its work
            self.run.agent.files.bring_back(state)
        return self.run

    def _open(self, model: str | None) -> Run:
        if self.folder is None:
            raise UsageError(_NOTHING)
        entries = transcripts.read(self.folder.transcript).entries
        events = (entry for entry in entries if isinstance(entry, Event))
        first = read_facts(next((one.text for one in events if one.name == "limits"), ""))
        budget = {name: first[name] for name in _OF_A_MESSAGE if name in first}
        otherwise = Otherwise({**budget, **self.request.budget}, model, even_stopped=True)
        self.run = take_up(self.folder, self.around, otherwise)
        self.is_to_resume = self.state.stop is not None
        return self.run

    def _play(self) -> Stop:
        """Execute the run. The limits on steps, time and tokens apply to each message anew."""
        assert self.run is not None
        state = self.run.transcript.state
        budget = self.run.project.profile.budget
        budget = replace(
            budget,
            steps=budget.steps + len(as_one_run(self.run.folder, state).steps),
            seconds=budget.seconds + state.spent.seconds,
            prompt_tokens=budget.prompt_tokens + state.spent.prompt_tokens,
        )
        if state.steps:
            self.run.transcript.append(Event("limits", write_facts(limits_of(budget))))
        return play(self.run, self.around)


_BEFORE_A_PROMPT = (*RESUMES, "limits", MAINTAINER)  # events that no guard writes


def said_again(entries: Iterable[Entry]) -> Heard:
    """Return a function that replays the user's messages of a recorded run at the same steps.

    It also replays when the run was resumed, and with which limits.
    """
    by_step, waiting = defaultdict[int, list[Event]](list), list[Event]()
    for moment in moments(entries):
        entry, state = moment.entry, moment.state
        if isinstance(entry, Said):
            by_step[len(state.steps)] += waiting
            waiting.clear()
        elif isinstance(entry, Event) and state.objective is not None:
            facts = read_facts(entry.text.partition(" | ")[0])
            is_undone = entry.name == RETRACTED and facts.get("by", _BY) == _BY
            waiting += [entry] if is_undone or entry.name in _BEFORE_A_PROMPT else []

    def said(now: State) -> Sequence[Event]:
        return by_step.pop(len(now.steps) + (now.pending is not None), ())

    return said
