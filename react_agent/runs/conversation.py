"""A conversation with the user, recorded in a single transcript.

The user's first message starts a run. Each later message is added after the last answer, and the
run continues. Between two messages, the work tree is not changed.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from react_agent.errors import UsageError
from react_agent.issue_to_pr.change import chosen
from react_agent.issue_to_pr.issue import of_text
from react_agent.parsers.text.gist import headline
from react_agent.parsers.transcript.entries import Entry, Event
from react_agent.parsers.transcript.facts import read_facts, write_facts
from react_agent.procedure.course import as_one_run
from react_agent.procedure.play import play
from react_agent.profiles.profile import limits_of
from react_agent.runs.commands import Heard, Surroundings
from react_agent.runs.finish import finish
from react_agent.runs.history import moments
from react_agent.runs.report import Outcome
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.run_setup import Request, Run, begin
from react_agent.runs.solve import Otherwise, go_on, resumed_event, take_up
from react_agent.state import transcript as transcripts
from react_agent.state.state import RESUMES, State, fold
from react_agent.state.steps import MAINTAINER, RETRACTED, compressed_event
from react_agent.state.stop import Stop, stop_event
from react_agent.tools.git import change

_BY = "maintainer"  # who takes steps back
_NOTHING = "the conversation is empty: first say what you want"


@dataclass(slots=True)
class Conversation:
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
        return chosen(run.workspace, state, change.propose(run.workspace, state.wrote).tree).patch

    def undo(self) -> tuple[int, ...]:
        """Undo the steps since the user's last message and their changes. Return their numbers."""
        run = self._opened()
        state = run.transcript.state
        said = [0, *(step.number for step in state.steps if step.told)]
        standing = [step.number for step in state.standing]
        if state.pending:
            standing.append(len(state.steps) + 1)
        since = max((at for at in said if any(number > at for number in standing)), default=None)
        if since is None:
            raise UsageError("there is nothing to undo")
        gone = tuple(number for number in standing if number > since)
        line = state.steps[since - 1].told if since else state.objective or ""
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
        return self.run or self._open(None)

    def _open(self, model: str | None) -> Run:
        if self.folder is None:
            raise UsageError(_NOTHING)
        entries = transcripts.read(self.folder.transcript).entries
        events = (entry for entry in entries if isinstance(entry, Event))
        first = next((one.text for one in events if one.name == "limits"), "")
        budget = {**read_facts(first), **self.request.budget}
        otherwise = Otherwise(budget, model, even_stopped=True)
        self.run = take_up(self.folder, self.around, otherwise)
        self.is_to_resume = self.state.stop is not None
        return self.run

    def _play(self) -> Stop:
        """Execute the run. The limits on steps, time and tokens apply to each message anew."""
        assert self.run is not None
        state = as_one_run(self.run.folder, self.run.transcript.state)
        budget = self.run.project.profile.budget
        budget = replace(
            budget,
            steps=budget.steps + len(state.steps),
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
        if moment.prompted:
            by_step[len(state.steps)] += waiting
            waiting.clear()
        elif isinstance(entry, Event) and state.objective is not None:
            facts = read_facts(entry.text.partition(" | ")[0])
            is_undone = entry.name == RETRACTED and facts.get("by", _BY) == _BY
            waiting += [entry] if is_undone or entry.name in _BEFORE_A_PROMPT else []

    def said(now: State) -> Sequence[Event]:
        return by_step.pop(len(now.steps) + (now.pending is not None), ())

    return said
