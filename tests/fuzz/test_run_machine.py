"""A run in any order of what may happen to it: its file is the truth, and loses nothing."""

import itertools
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from fuzz_words import texts
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from react_agent.guards.means import Means
from react_agent.loop.guards import exhausted
from react_agent.memory.compressor import compress, history
from react_agent.parsers.text.tokens import estimate_tokens
from react_agent.parsers.transcript.entries import Entry, Event, Objective, Said, Seen
from react_agent.parsers.transcript.writer import write_entry, write_transcript
from react_agent.parsers.turn.turn import Kind, Turn
from react_agent.profiles.profile import Budget, Policy, Profile
from react_agent.prompt.view import next_prompt, prompt_limit, view
from react_agent.runs.history import prompts
from react_agent.runs.run_folder import RunFolder
from react_agent.runs.solve import kept_of
from react_agent.state import transcript as transcripts
from react_agent.state.state import State, fold
from react_agent.state.steps import (
    COMPRESSED,
    CONDENSED,
    CUT,
    GONE,
    MAINTAINER,
    RETRACTED,
    SHELVED,
    compressed_event,
)
from react_agent.state.transcript import NOTHING_KNOWN, without_secrets

SYSTEM, STEPS = "You are told what to do.\n\n", 1000
SYSTEM_TOKENS = estimate_tokens(SYSTEM)
GUARDS = (history, compress, exhausted)
ROUNDS = 4  # after which guards are quiet, or have ended the run
KEY = "ghp_" + "x7Kq2Vb9Tn4Rw8Lm3Zp6Yc1Hd5Fg0Js7Ae2B"
MARK = "mark-{}-of-a-step"  # in all that a step says and shows
PLANS = ("add_task", "0\n{}"), ("modify_task", "0.0 in_progress"), ("modify_task", "0.0 abandoned")
KINDS = ("read", "write", "run", "plan", "malformed")
sizes = st.sampled_from((0, 0, 0, 200, 1500, 6000))


class Run(RuleBasedStateMachine):
    """`entries` is what was written, as a listener hears of it."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.place = place
        self.kind, self.made = "read", 0  # marks

    @initialize(objective=texts, window=st.sampled_from((2500, 4000, 16_000)))
    def begins(self, objective: str, window: int) -> None:
        self.budget = Budget(window=window, reply=500)
        self._create([Event("prompt", "plan=yes"), Objective(objective[:300])])

    def _create(self, entries: Sequence[Entry]) -> None:
        folder = Path(tempfile.mkdtemp(dir=self.place))
        self.entries = list[Entry]()
        self.whole = b""
        self.prompts = list[str]()
        self.run = transcripts.create(folder / transcripts.NAME, entries, [self.entries.append])

    @property
    def state(self) -> State:
        return self.run.state

    @property
    def prompt(self) -> str:
        return view(self.state, SYSTEM, STEPS).text

    def teardown(self) -> None:
        if hasattr(self, "run"):
            self.run.close()
            self._pieces_make_the_same_prompts()
        for folder in self.place.iterdir():
            shutil.rmtree(folder)

    def _pieces_make_the_same_prompts(self) -> None:
        """Of what a folder holds; the instructions are of no profile."""
        made = prompts(self.run.path.parent, transcripts.read(self.run.path))
        state, told, last = State(), iter(self.prompts), dict[int, str]()
        for entry in self.entries:
            if isinstance(entry, Said):
                last[len(state.steps) + 1] = next(told)
            state.take(entry)
        assert list(made.numbers) == list(last)
        for number, expected in last.items():
            assert expected in ("", SYSTEM + made.view(number).text)

    def _said(self, kind: str, text: str) -> Said:
        self.made += 1
        mark = MARK.format(self.made)
        if kind == "malformed":
            return Said(Turn(Kind.MALFORMED, f"{mark}\n{text}", problem="unread"), text)
        if kind == "plan":
            tool, given = PLANS[self.made % len(PLANS)]
            return Said(Turn(Kind.ACTION, mark, tool, given.format(mark)))
        return Said(Turn(Kind.ACTION, f"{mark}\n{text}", "look", f"{mark}\n{text}\n{KEY}"))

    def _seen(self, kind: str, text: str, size: int) -> Seen:
        mark = MARK.format(self.made)
        facts = {"n": str(len(self.state.steps) + 1), "kind": kind, "status": "ok", "tool": "look"}
        if kind == "plan":
            facts["tool"] = PLANS[self.made % len(PLANS)][0]
        if kind in ("write", "run"):
            facts |= {"tree": f"tree-{self.made}", "paths": "a.py,b%2Cc.py", "cwd": "lib"}
        return Seen(f"{mark}\n{text}\n" + f"{mark} {KEY}\n" * (size // 60), facts)

    def _of_no_mark(self) -> None:
        """What is seen next may be of a step that was cut off."""
        self.kind, self.made = "read", self.made + 1

    def _take_up(self) -> None:
        path, before = self.run.path, len(self.entries)
        self.run.close()
        self.run, reading = transcripts.reopen(path, [self.entries.append])
        self.entries[:] = [*reading.entries, *self.entries[before:]]
        self.run.append(Event("resumed", "now"))
        self.whole = write_transcript(self.entries).encode()

    def _is_idle(self) -> bool:
        return self.state.pending is None and self.state.stop is None

    @precondition(_is_idle)
    @rule(kind=st.sampled_from(KINDS), text=texts, counted=st.booleans())
    def says(self, kind: str, text: str, counted: bool) -> None:
        self._guard()
        if self.state.stop:
            return
        assert self._tokens() <= prompt_limit(self.state, self.budget, Policy())
        self.prompts.append(self.prompt)
        said = self._said(kind, text)
        facts = {"in": str(estimate_tokens(self.prompt)), "out": "9"} if counted else {}
        self.kind = kind
        self.run.append(Said(said.turn, said.raw, facts))

    @precondition(lambda self: self.state.pending is not None)
    @rule(text=texts, size=sizes)
    def sees(self, text: str, size: int) -> None:
        self.run.append(self._seen(self.kind, text, size))

    def _tokens(self) -> int:
        return next_prompt(self.state, SYSTEM_TOKENS, STEPS)

    def _guard(self) -> None:
        for _ in range(ROUNDS):
            means = Means(Profile(budget=self.budget), self._tokens(), SYSTEM_TOKENS)
            said = (guard(self.state, means) for guard in GUARDS)
            events = next(filter(None, said), [])
            self.run.append(*events)
            if not events or self.state.stop:
                return
        raise AssertionError(f"not quiet after {ROUNDS} rounds")

    @precondition(lambda self: self._is_idle() and bool(self.state.steps))
    @rule(data=st.data(), name=st.sampled_from((COMPRESSED, CUT, SHELVED, CONDENSED)))
    def shows_less(self, data: st.DataObject, name: str) -> None:
        last = data.draw(st.integers(1, len(self.state.steps)))
        there = [step for step in self.state.steps[:last] if step.shown not in GONE]
        if name == CONDENSED and any(step.shown == "merged" for step in there[-1:]):
            return  # a summary is never cut in two
        summary = " and ".join(_mark(step.said) for step in there)
        thought = summary if name == CONDENSED else ""
        self.run.append(compressed_event(name, range(1, last + 1), thought, chars="80"))

    @precondition(lambda self: self._is_idle() and bool(self.state.standing))
    @rule(data=st.data())
    def takes_back(self, data: st.DataObject) -> None:
        chosen = st.sets(st.integers(1, len(self.state.steps)), min_size=1, max_size=4)
        self.run.append(compressed_event(RETRACTED, data.draw(chosen), "a dead end", by="claim"))

    @rule(text=texts)
    def a_person_speaks(self, text: str) -> None:
        self.run.append(Event(MAINTAINER, text[:80]))

    @rule(data=st.data(), text=texts, zeros=st.sampled_from((0, 0, 1, 512)))
    def is_killed(self, data: st.DataObject, text: str, zeros: int) -> None:
        """While it wrote two entries; the machine may have lost its power, too."""
        pair = (Said(Turn(Kind.ACTION, text, "look", text)), Seen(text, {"status": "ok"}))
        if self.state.pending or self.state.stop:
            pair = (Event("note", text), Event(MAINTAINER, text))
        lost = [without_secrets(entry, NOTHING_KNOWN) for entry in pair]
        whole = "".join(map(write_entry, lost)).encode()
        written = whole[: data.draw(st.integers(0, len(whole)))] + b"\0" * zeros
        with self.run.path.open("ab") as file:
            file.write(written)
        before = list(self.entries)
        self._take_up()
        kept = self.entries[len(before) :]
        got_through = [entry for entry in kept if not _is_about_a_kill(entry)]
        assert self.entries[: len(before)] == before
        assert got_through == lost[: len(got_through)]
        ends = itertools.accumulate(len(write_entry(entry).encode()) for entry in lost)
        assert len(got_through) == sum(end <= len(written) - zeros for end in ends)
        torn = [entry.text for entry in kept if _is_about_a_kill(entry, "torn")]
        end = written[len(write_transcript(got_through).encode()) :]
        assert _bare("".join(torn)) == _bare(end.decode(errors="surrogateescape"))
        self.prompts += [""] * sum(isinstance(entry, Said) for entry in got_through)
        self._of_no_mark()

    @precondition(lambda self: self.state.stop is not None)
    @rule()
    def is_resumed_with_more(self) -> None:
        self.budget = Budget(window=self.budget.window * 4, reply=500)
        self._take_up()

    @precondition(lambda self: bool(self.state.steps))
    @rule(data=st.data())
    def is_forked(self, data: st.DataObject) -> None:
        """From then on, the machine goes on with the other run."""
        at = data.draw(st.integers(1, len(self.state.steps)))
        before, source = self.run.path.read_bytes(), RunFolder(self.run.path.parent)
        self.run.close()
        kept, prompts = kept_of(source, at), self.prompts
        self._create(kept[1:])
        self.prompts = prompts[: sum(isinstance(entry, Said) for entry in kept)]
        assert source.transcript.read_bytes() == before
        assert before.startswith(self.run.path.read_bytes())
        assert len(self.state.steps) == at
        self._of_no_mark()

    @invariant()
    def the_file_is_the_truth(self) -> None:
        data = self.run.path.read_bytes()
        reading = transcripts.read(self.run.path)
        assert (list(reading.entries), reading.torn) == (self.entries, "")
        assert write_transcript(reading.entries).encode() == data
        assert fold(reading.entries) == self.state

    @invariant()
    def what_is_written_stays(self) -> None:
        data = self.run.path.read_bytes()
        assert data.startswith(self.whole)
        assert KEY.encode() not in data
        self.whole = data

    @invariant()
    def no_step_is_lost(self) -> None:
        shown = self.prompt
        pairs = [(step.said, step.seen) for step in self.state.steps]
        said = [entry for entry in self.entries if isinstance(entry, Said)]
        seen = [entry for entry in self.entries if isinstance(entry, Seen)]
        assert pairs == list(zip(said, seen, strict=False))
        assert [step.number for step in self.state.steps] == list(range(1, len(pairs) + 1))
        for step in self.state.steps:
            if not step.stands and (mark := _mark(step.said)):
                assert mark not in shown
            elif step.shown not in (*GONE, "merged"):
                assert step.text in shown

    @invariant()
    def what_is_taken_back_has_never_been(self) -> None:
        objective = Objective(self.state.objective or "")
        pairs = ((step.said, step.seen) for step in self.state.standing)
        without = fold([objective, *itertools.chain.from_iterable(pairs)])
        ours, theirs = ((one.plan, one.tree, one.cwd, one.wrote) for one in (self.state, without))
        assert ours == theirs

    @invariant()
    def each_prompt_can_be_told_again(self) -> None:
        state, told = State(), iter(self.prompts)
        for entry in self.entries:
            if isinstance(entry, Said):
                expected = next(told)
                assert expected in ("", view(state, SYSTEM, STEPS).text)
            state.take(entry)


def _mark(said: Said) -> str:
    return said.turn.thought.split("\n")[0] if said.turn.thought.startswith(MARK[:5]) else ""


def _is_about_a_kill(entry: Entry, *names: str) -> bool:
    return isinstance(entry, Event) and entry.name in (names or ("torn", "resumed"))


def _bare(text: str) -> str:
    """Without what the lines of a torn end do not keep."""
    return text.replace("\0", "").replace("\n", "")


def _tried(place: Path, examples: int, steps: int) -> None:
    few = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(lambda: Run(place), settings=few)


def test_a_run_keeps_what_it_is_made_of(tmp_path: Path) -> None:
    _tried(tmp_path, 5, 12)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_run_keeps_what_it_is_made_of_in_depth(
    tmp_path: Path, share: Callable[[int], int]
) -> None:
    _tried(tmp_path, share(300), 40)
